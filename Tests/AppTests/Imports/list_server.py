"""A web site with lists for one test: https on 127.0.0.1, for any name in the domain "example".

Its argument is a folder with the lists. A list has an ETag, except below `/plain/`. `/away/` redirects, `/loop` does so
for ever, `/busy` answers with 503, and `/cut/` ends the connection in the middle of a list. Prints its port and the path of its
certificate, then the path and status of each request, and ends when its standard input is closed.
"""

import hashlib
import http.server
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading

folder = tempfile.TemporaryDirectory()
certificate, key = f"{folder.name}/site.pem", f"{folder.name}/key.pem"
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
     "-subj", "/CN=lists.example", "-addext", "subjectAltName=DNS:lists.example", "-keyout", key, "-out", certificate],
    check=True, capture_output=True)
LISTS = pathlib.Path(sys.argv[1])


class Site(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2] if self.path.startswith("/cut/") else body)
        print(self.path, status, flush=True)

    def do_GET(self):
        kind, _, name = self.path.strip("/").rpartition("/")
        if self.path == "/loop":
            return self.answer(302, Location="/loop")
        if self.path == "/busy":
            return self.answer(503)
        if kind == "away":
            return self.answer(301, Location=f"/{name}#top")
        file = LISTS / name
        if not file.exists():
            return self.answer(404)
        body = file.read_bytes()
        if kind == "plain":
            return self.answer(200, body)
        tag = '"' + hashlib.sha256(body).hexdigest() + '"'
        if self.headers["If-None-Match"] == tag:
            return self.answer(304, ETag=tag)
        return self.answer(200, body, ETag=tag)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, certificate, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
folder.cleanup()
