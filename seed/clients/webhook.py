"""Receive the webhook of a watch: check its signature, answer the challenge and print what changed.

    WEBHOOK_SECRET=whsec_… python3 webhook.py 8000

Run it behind a web server with https. Only the standard library is needed.
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import sys
import time

TOLERANCE = 300  # seconds that a call may be old, as Standard Webhooks recommends
LONGEST = 1 << 20  # bytes


def verified(secret, headers, body, now=None):
    """The event in a call; ValueError if the call does not come from Farol."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    identity, moment = headers["webhook-id"], headers["webhook-timestamp"]
    if identity is None or moment is None or not moment.isdigit():
        raise ValueError("not a webhook call")
    if abs((time.time() if now is None else now) - int(moment)) > TOLERANCE:
        raise ValueError("the call is too old")
    signed = f"{identity}.{moment}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # There may be several signatures, separated by spaces, while a secret is being replaced.
    given = (headers["webhook-signature"] or "").split()
    if not any(hmac.compare_digest(f"v1,{expected}", one) for one in given):
        raise ValueError("the signature is wrong")
    return json.loads(body)


class Receiver(http.server.BaseHTTPRequestHandler):
    seen = set()  # a call may be repeated: keep the ids for a day in a real receiver

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= LONGEST:
            return self.answer(413)
        try:
            event = verified(os.environ["WEBHOOK_SECRET"], self.headers, self.rfile.read(length))
        except ValueError as problem:
            print(f"refused: {problem}", file=sys.stderr)
            return self.answer(400)
        if event["event"] == "webhook.challenge":  # the first call: Farol asks whether this server wants the others
            return self.answer(200, json.dumps({"challenge": event["challenge"]}).encode())
        if self.headers["webhook-id"] not in self.seen:
            self.seen.add(self.headers["webhook-id"])
            name = event["properties"].get("name") or event["id"]
            print(f"{event['watch']['label']}: {event['event']} {name}", flush=True)
        return self.answer(204)

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
