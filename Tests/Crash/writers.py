"""Clients that write as fast as they get responses, and record the acknowledgements."""

import http.client
import json
import random
import threading
import uuid

ITEMS = "/api/collections/devices/items"


class Promises:
    """The acknowledged writes, and those without a response."""

    def __init__(self):
        self.lock = threading.Lock()
        self.added = {}    # id -> (name, revision acknowledged last, description)
        self.recent = []   # ids touched since the last kill
        self.open = []     # (key, feature) sent, without a response
        self.refused = 0

    def note_added(self, identity, name):
        with self.lock:
            self.added[identity] = (name, 1, None)
            self.recent.append(identity)

    def note_changed(self, identity, revision, description):
        with self.lock:
            name = self.added[identity][0]
            self.added[identity] = (name, revision, description)
            self.recent.append(identity)


def feature(chance):
    name = f"crash {uuid.UUID(int=chance.getrandbits(128))}"
    place = [round(chance.uniform(-179, 179), 6), round(chance.uniform(-80, 80), 6)]
    return {
        "type": "Feature", "geometry": {"type": "Point", "coordinates": place},
        "properties": {"name": name, "category": "camera_fixed", "precision": "exact"},
    }


class Writer(threading.Thread):
    """Adds devices and changes every fourth one, until the server is gone."""

    def __init__(self, port, token, promises, seed):
        super().__init__(daemon=True)
        self.port = port
        self.token = token
        self.promises = promises
        self.chance = random.Random(seed)
        self.mine = []

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            while True:
                self.add(connection)
                if self.mine and self.chance.random() < 0.25:
                    self.change(connection)
        except (OSError, http.client.HTTPException):
            return
        finally:
            connection.close()

    def send(self, connection, method, path, body, headers):
        connection.request(method, path, json.dumps(body), {
            "Authorization": f"Bearer {self.token}", **headers})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read()), answer.headers

    def add(self, connection):
        wanted = feature(self.chance)
        key = uuid.UUID(int=self.chance.getrandbits(128)).hex
        try:
            status, body, _ = self.send(connection, "POST", ITEMS, wanted, {
                "Content-Type": "application/geo+json", "Idempotency-Key": key})
        except (OSError, http.client.HTTPException, ValueError):
            with self.promises.lock:
                self.promises.open.append((key, wanted))
            raise OSError("gone") from None
        if status != 201:
            raise RuntimeError(f"POST was answered {status}: {body}")
        self.promises.note_added(body["id"], wanted["properties"]["name"])
        self.mine.append(body["id"])

    def change(self, connection):
        identity = self.chance.choice(self.mine)
        path = f"{ITEMS}/{identity}"
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        description = f"changed {self.chance.getrandbits(40)}"
        status, body, _ = self.send(
            connection, "PATCH", path, {"properties": {"description": description}},
            {"Content-Type": "application/merge-patch+json", "If-Match": answer.headers["ETag"]})
        if status != 200:
            raise RuntimeError(f"PATCH was answered {status}: {body}")
        self.promises.note_changed(identity, body["properties"]["revision"], description)
