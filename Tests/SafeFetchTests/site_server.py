"""A web site for one test: https on 127.0.0.1 with a separate certificate for exemplo.example.

Prints its port and the path of its certificate, and ends when its standard input is closed.
"""

import http.server
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

folder = tempfile.TemporaryDirectory()
certificate, key = f"{folder.name}/site.pem", f"{folder.name}/key.pem"
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
     "-subj", "/CN=exemplo.example", "-addext", "subjectAltName=DNS:exemplo.example", "-keyout", key, "-out", certificate],
    check=True, capture_output=True)

WRITTEN = "Sat, 21 Nov 2026 12:00:00 GMT"
LIST = b"a line\n" * 100_000
BODIES = {"/short": b"a line\n", "/whole": b"x" * 4096, "/long": b"x" * 4097}


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    calls = 0  # on this connection

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.calls += 1
        # The path is the number of the call on its connection.
        self.send_response(204 if self.path == f"/{self.calls}" else 409)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        if self.path == "/list":
            known = self.headers["If-None-Match"] == '"1"' or self.headers["If-Modified-Since"] == WRITTEN
            self.send_response(304 if known else 200)
            self.send_header("ETag", '"1"')
            self.send_header("Last-Modified", WRITTEN)
            self.send_header("Content-Length", "0" if known else str(len(LIST)))
            self.end_headers()
            if not known:
                self.wfile.write(LIST)
        elif self.path.startswith("/hop/"):
            hops = int(self.path.removeprefix("/hop/"))
            self.send_response(307)
            self.send_header("Location", f"/hop/{hops - 1}" if hops > 1 else "/list#top")
            self.send_header("Content-Length", "9")
            self.end_headers()
            self.wfile.write(b"elsewhere")
        elif self.path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", urllib.parse.unquote(self.path.removeprefix("/to/")))
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path == "/endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                self.close_connection = True
        elif self.path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"half")
            self.close_connection = True
        elif self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/short")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path == "/silent":
            time.sleep(60)
        elif self.path == "/dripping":
            self.send_response(200)
            self.send_header("Content-Length", "60")
            self.end_headers()
            for _ in range(60):
                self.wfile.write(b"x")
                time.sleep(1)
        elif self.path in BODIES:
            self.send_response(200)
            self.send_header("Content-Length", str(len(BODIES[self.path])))
            self.end_headers()
            self.wfile.write(BODIES[self.path])
        else:
            self.send_error(404)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, certificate, flush=True)
sys.stdin.read()
folder.cleanup()
