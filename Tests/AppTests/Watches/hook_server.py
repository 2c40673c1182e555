"""A receiver of webhooks for one test: https on 127.0.0.1 with a certificate for hook.example.

It verifies each call with seed/clients/webhook.py and prints `path id event`. The path chooses the behaviour, also of
the answer to a challenge: `/plain` is text, `/wrong` another text, `/deaf` nothing, and other paths JSON. It
first prints its port and the path of its certificate, and ends when its standard input is closed.
"""

import http.server
import json
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "seed/clients"))
import webhook  # noqa: E402

folder = tempfile.TemporaryDirectory()
certificate, key = f"{folder.name}/site.pem", f"{folder.name}/key.pem"
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
     "-subj", "/CN=hook.example", "-addext", "subjectAltName=DNS:hook.example", "-keyout", key, "-out", certificate],
    check=True, capture_output=True)


class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        path, _, secret = self.path.partition("?")
        now = int(self.headers["webhook-timestamp"])
        try:
            event = webhook.verified("whsec_" + secret, self.headers, body, now)["event"] if secret else "-"
        except ValueError as problem:
            event = str(problem).replace(" ", "-")
        print(path, self.headers["webhook-id"], event, flush=True)
        if path == "/away":
            self.send_response(302)
            self.send_header("Location", "/ok")
        elif path == "/long":
            self.send_response(200)
            self.send_header("Content-Length", str(1 << 32))
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                return
        elif path == "/silent":
            time.sleep(60)
        else:
            challenge = json.loads(body).get("challenge")
            if challenge and path != "/broken" and path != "/deaf":
                answer = {"/plain": f" {challenge}\n", "/wrong": "another"}.get(
                    path, json.dumps({"challenge": challenge})).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
                return
            self.send_response(500 if path == "/broken" else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
server.daemon_threads = True
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, certificate, flush=True)
sys.stdin.read()
folder.cleanup()
