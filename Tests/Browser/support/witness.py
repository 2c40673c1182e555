"""What went wrong in a page without anybody saying so: errors, and requests to somebody else."""

from urllib.parse import urlsplit

# Remarks of Chromium and Playwright on how they were started, not on the page.
NOISE = ("GPU stall due to ReadPixels", "Automatic fallback to software WebGL", "GL Driver Message",
         "Service Worker registration blocked by Playwright",
         # It is fetched ahead of its turn, which comes late on a busy machine.
         "maplibre-gl-5.24.0.js was preloaded using link preload but not used")

# What a page meets whose server the test itself stops: what is under way is answered 503, then nobody is there.
OUTAGE = ("status of 503", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "Failed to fetch")


class Witness:
    """Listens to a browser context, its workers included."""

    def __init__(self, context, farol):
        self.host = urlsplit(farol.address).netloc
        self.farol = farol
        self.stops_before = farol.stops
        self.errors = []
        self.foreign = []
        self.requests = []
        context.on("request", self.on_request)
        context.on("console", self.on_console)
        context.on("weberror", lambda error: self.errors.append(f"uncaught: {error.error}"))

    def on_request(self, request):
        parts = urlsplit(request.url)
        if parts.scheme in ("data", "blob"):
            return
        if parts.netloc != self.host:
            self.foreign.append(request.url)
        else:
            self.requests.append(request.url[request.url.index(self.host) + len(self.host):])

    def on_console(self, message):
        if message.type not in ("error", "warning"):
            return
        if any(noise in message.text for noise in NOISE):
            return
        if self.farol.stops > self.stops_before and any(trouble in message.text for trouble in OUTAGE):
            return
        self.errors.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def last(self, start):
        """The latest request whose path starts so."""
        return next((path for path in reversed(self.requests) if path.startswith(start)), None)
