"""Accounts created through the API; people.py creates them on the pages."""

import base64
import itertools
import json
import re
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from support.one_time import code

PASSWORD = "copper tides carry lamps"
_numbers = itertools.count(1)
# The secret that the authenticator apps of moderators and admins share with the server.
SECOND_FACTOR = bytes(range(20))


def assign_role(database, username, role):
    """Assigns a role and the second factor that it needs."""
    database.execute(
        "UPDATE account SET role = ?, totp_secret = ?, totp_confirmed_at = created_at WHERE username = ?",
        (role, SECOND_FACTOR, username))


class Person:
    """One account on one server, with the session of one browser."""

    def __init__(self, farol, username):
        self.farol = farol
        self.username = username
        self.email = f"{username}@example.org"
        # A separate network for each person: sign-ups per network are limited.
        self.network = f"203.0.{next(_numbers) % 250}.{next(_numbers) % 250}"
        self.cookie = None
        self.csrf = None

    def send(self, method, path, body=None, headers=None, expect=None):
        """Status, headers and JSON of the response."""
        sent = {"X-Forwarded-For": self.network, "Sec-Fetch-Site": "same-origin", "Accept": "application/json"}
        if self.cookie:
            sent["Cookie"] = f"{self.cookie[0]}={self.cookie[1]}"
        if self.csrf:
            sent["X-CSRF-Token"] = self.csrf
        data = body
        if body is not None and not isinstance(body, bytes):
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(
            self.farol.address + path, data=data, method=method, headers=sent | (headers or {}))
        try:
            answer = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            raw = answer.read()
            found = json.loads(raw) if "json" in answer.headers.get("Content-Type", "") and raw else None
            if expect is not None and answer.status != expect:
                raise AssertionError(f"{method} {path}: {answer.status} {raw[:600]!r}")
            return answer.status, answer.headers, found

    def sign_up(self):
        """Creates an account whose address is not confirmed yet."""
        self.send("POST", "/api/accounts", {
            "username": self.username, "email": self.email, "password": PASSWORD, "locale": "en",
            "accept_terms": True}, expect=202)
        return self

    def sign_in(self):
        _, headers, body = self.send(
            "POST", "/api/session", {"login": self.username, "password": PASSWORD}, expect=200)
        name, value = re.match(r"([^=]+)=([^;]*)", headers["Set-Cookie"]).groups()
        self.cookie, self.csrf = (name, value), body["csrf_token"]
        self.id = body["account"]["id"]
        return self

    def grow_old(self):
        """Makes the account confirmed and old, so that contributions need no review; does not wait for mail."""
        with self.farol.database() as database:
            database.execute(
                "UPDATE account SET created_at = ?1, confirmed_at = ?1, accepted_edits = 10 WHERE username = ?2",
                ("2020-01-01T00:00:00Z", self.username))
        return self

    def become(self, role):
        """Writes a role directly into the database."""
        with self.farol.database() as database:
            database.execute("UPDATE account SET role = ? WHERE username = ?", (role, self.username))
        return self

    def become_admin(self):
        """With the required second factor."""
        with self.farol.database() as database:
            assign_role(database, self.username, "admin")
        return self

    def code(self):
        """The current code of the authenticator app. Used codes are deleted from the database, so that no test waits
        half a minute for the next one."""
        with self.farol.database() as database:
            database.execute("UPDATE account SET totp_last_step = NULL WHERE username = ?", (self.username,))
        return code(base64.b32encode(SECOND_FACTOR).decode())

    def proof(self):
        """The proof for privileged actions: the password and a code."""
        return {"password": PASSWORD, "code": self.code()}

    def enter(self, context):
        """Signs a browser context in as this person."""
        context.add_cookies([{
            "name": self.cookie[0], "value": self.cookie[1], "domain": urlsplit(self.farol.address).hostname,
            "path": "/", "httpOnly": True, "sameSite": "Lax"}])
        context.add_init_script("try { localStorage.setItem('farol.signed-in', '1'); } catch { /* no page yet */ }")


def confirmed_person(farol, username):
    """A confirmed person, signed in and with an old account."""
    return Person(farol, username).sign_up().grow_old().sign_in()

