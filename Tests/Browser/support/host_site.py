"""Another site, on another port, that shows pages of Farol in frames."""

import functools
import http.server
import threading


class HostSite:
    """A server with one page at a time. Stop it after use."""

    def __init__(self):
        self.page = ""
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = site.page.encode() if self.path == "/" else b""
                self.send_response(200 if body else 204)
                if body:
                    self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            log_message = functools.partial(lambda *_: None)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def show(self, html):
        """Sets the content of the page."""
        self.page = f"<!doctype html><html lang='en'><title>Host</title><body>{html}</body></html>"
        return self.address + "/"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
