"""Changes of devices at a steady rate, or as many as possible, with the moment of each acknowledgement."""

import itertools
import json
import random
import re
import socket
import sqlite3
import threading
import time
from dataclasses import dataclass

from watches import CATEGORIES

ITEMS = "/api/collections/devices/items"
LENGTH = re.compile(rb"(?i)content-length: (\d+)")
ETAG = re.compile(rb"(?i)\netag: ([^\r]+)")
SPREAD = 0.06  # degrees around a place


@dataclass
class Change:
    device: str
    longitude: float
    latitude: float
    category: str
    event: str
    # time.monotonic() when the acknowledgement was read.
    moment: float


class Line:
    """A connection that sends one request after the other; cheaper than http.client."""

    def __init__(self, port, token):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.fields = f"Host: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"

    def ask(self, method, path, body=b"", fields=""):
        """The status, the head and the body of the response, and the moment of its end."""
        head = f"{method} {path} HTTP/1.1\r\n{self.fields}{fields}Content-Length: {len(body)}\r\n\r\n"
        self.socket.sendall(head.encode() + body)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self.receive()
        head, _, rest = received.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        while length and len(rest) < int(length.group(1)):
            rest += self.receive()
        return int(head[9:12]), head, rest, time.monotonic()

    def receive(self):
        piece = self.socket.recv(65_536)
        if not piece:
            raise ConnectionError("closed")
        return piece


class Writers:
    """Threads that add devices around places and change existing ones; a share `edits` of the changes are edits."""

    def __init__(self, port, token, places, database=None, edits=0.0, threads=16, seed=None):
        self.port, self.token, self.places, self.threads = port, token, places, threads
        self.edits = edits
        self.chance = random.Random(seed)
        self.done, self.refused, self.unanswered = [], [], 0
        self.old = iter(known(database, self.chance, 20_000)) if edits else iter(())
        self.lock = threading.Lock()

    def run(self, seconds, rate=None):
        """Writes for this time, at `rate` changes a second or as fast as responses arrive."""
        numbers = itertools.count()
        begun = time.monotonic()
        self.running = [threading.Thread(target=self.write, args=(numbers, begun, seconds, rate, self.chance.random()),
                                         daemon=True) for _ in range(self.threads)]
        for one in self.running:
            one.start()
        for one in self.running:
            one.join()
        return time.monotonic() - begun

    def write(self, numbers, begun, seconds, rate, seed):
        chance = random.Random(seed)
        try:
            line = Line(self.port, self.token)
            while True:
                number = next(numbers)
                if rate:
                    time.sleep(max(0.0, begun + number / rate - time.monotonic()))
                if time.monotonic() - begun > seconds or (rate and number >= rate * seconds):
                    return
                old = next(self.old, None) if chance.random() < self.edits else None
                change = self.edit(line, *old) if old else self.add(line, chance)
                if change:
                    self.done.append(change)
        except (OSError, ConnectionError):
            with self.lock:
                self.unanswered += 1

    def add(self, line, chance):
        longitude, latitude = chance.choice(self.places)
        longitude = round(min(180, max(-180, longitude + chance.uniform(-SPREAD, SPREAD))), 6)
        latitude = round(latitude + chance.uniform(-SPREAD, SPREAD), 6)
        category = chance.choice(CATEGORIES)
        body = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
                # Many devices are added in few places; none is a duplicate.
                "duplicate_reason": "generated",
                "properties": {"name": "alert", "category": category, "precision": "exact"}}
        status, _, body, moment = line.ask(
            "POST", ITEMS, json.dumps(body).encode(), "Content-Type: application/geo+json\r\n")
        if status != 201:
            return self.refused.append((status, body[:300]))
        return Change(json.loads(body)["id"], longitude, latitude, category, "added", moment)

    def edit(self, line, device, longitude, latitude, category):
        _, head, _, _ = line.ask("GET", f"{ITEMS}/{device}")
        etag = ETAG.search(head)
        status, _, body, moment = line.ask(
            "PATCH", f"{ITEMS}/{device}", json.dumps({"properties": {"description": "changed"}}).encode(),
            f"Content-Type: application/merge-patch+json\r\nIf-Match: {etag.group(1).decode() if etag else '*'}\r\n")
        if status != 200:
            return self.refused.append((status, body[:300]))
        return Change(device, longitude, latitude, category, "changed", moment)


def known(database, chance, most):
    """Existing devices in any order, each once."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT id, longitude, latitude, category FROM device WHERE hidden = 0 AND rowid % 7 = 0"
            " AND precision = 'exact' LIMIT ?", (most * 5,)).fetchall()
    chance.shuffle(rows)
    return rows[:most]
