"""Detects silent faults of a page: console errors, and requests to other servers."""

from urllib.parse import urlsplit

# Messages of Chromium and Playwright about their start options, not about the page.
NOISE = ("GPU stall due to ReadPixels", "Automatic fallback to software WebGL", "GL Driver Message",
         "Service Worker registration blocked by Playwright",
         # It is preloaded, but used late on a busy machine.
         "maplibre-gl-5.24.0.js was preloaded using link preload but not used")

# Errors of a page whose server the test stops: responses of 503, then refused connections.
OUTAGE = ("status of 503", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "Failed to fetch")


class Witness:
    """Listens to a browser context, including its workers."""

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
        """The latest request whose path starts with `start`."""
        return next((path for path in reversed(self.requests) if path.startswith(start)), None)
