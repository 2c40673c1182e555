"""A writer: an admin created on the command line, and a token created like a user would."""

import base64
import hashlib
import hmac
import http.client
import json
import re
import struct
import subprocess
import time

PASSWORD = "four plain words are a fine password"


def code(secret, steps_ahead=0):
    """The six digits of an authenticator app now, or a number of 30-second steps later (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    step = int(time.time()) // 30 + steps_ahead
    digest = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = struct.unpack(">I", digest[start:start + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def create_admin(farol, username="keeper"):
    """Creates the first admin. Returns the secret of the second factor."""
    done = subprocess.run(
        [*getattr(farol, "inside", ()), farol.program, "admin", "create", "--username", username, "--email",
         f"{username}@example.org", "--password-stdin"],
        input=PASSWORD + "\n", env=farol.environment(), cwd=farol.home, capture_output=True,
        text=True, timeout=180)
    if done.returncode != 0:
        raise RuntimeError(f"no admin could be made: {done.stdout}{done.stderr}")
    return re.search(r"\b[A-Z2-7]{32}\b", done.stdout).group()


def create_token(farol, secret, username="keeper", scopes=("read", "contribute", "admin")):
    """Signs in with both factors and creates a personal token.

    The scope `admin` needs the password and a code again. A code is valid once, and that of the next half minute is
    accepted in advance.
    """
    session = post(farol, "/api/session", {
        "login": username, "password": PASSWORD, "code": code(secret)})
    body = json.loads(session["body"])
    cookie = session["headers"]["Set-Cookie"].split(";")[0]
    proof = {"password": PASSWORD, "code": code(secret, steps_ahead=1)}
    token = post(farol, "/api/account/tokens", {
        "name": "a test", "scopes": list(scopes), "expires_in_days": 1, **proof,
    }, {"Cookie": cookie, "X-CSRF-Token": body["csrf_token"], "Sec-Fetch-Site": "same-origin"})
    return json.loads(token["body"])["token"]


def post(farol, path, body, headers=None):
    connection = http.client.HTTPConnection(getattr(farol, "host", "127.0.0.1"), farol.port, timeout=30)
    connection.request("POST", path, json.dumps(body), {
        "Content-Type": "application/json", **(headers or {})})
    answer = connection.getresponse()
    read = answer.read().decode()
    connection.close()
    if answer.status not in (200, 201):
        raise RuntimeError(f"POST {path}: {answer.status} {read}")
    return {"headers": answer.headers, "body": read}
