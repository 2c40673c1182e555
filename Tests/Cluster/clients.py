"""Clients of the map behind HAProxy: writers, readers, and one that looks when a change is on every server's map."""

import http.client
import json
import math
import random
import re
import socket
import threading
import time
import uuid

from servers import NAME

ITEMS = "/api/collections/devices/items"


class Client:
    """One connection, made again when it is lost."""

    def __init__(self, port, context=None, patience=40):
        # A port of this machine, or an address and a port.
        self.place = port if isinstance(port, tuple) else ("127.0.0.1", port)
        self.context, self.patience = context, patience
        self.connection = None

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and body. Raises OSError or HTTPException if no complete response came."""
        try:
            if self.connection is None:
                plain = socket.create_connection(self.place, timeout=self.patience)
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.connection = http.client.HTTPConnection(NAME, timeout=self.patience)
                self.connection.sock = self.context.wrap_socket(plain, server_hostname=NAME) if self.context else plain
            self.connection.request(method, path, body, headers or {})
            answer = self.connection.getresponse()
            read = answer.read()
            if answer.will_close:
                self.close()
            return answer.status, answer.headers, read
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


FAULTS = (OSError, http.client.HTTPException)


class Worker(threading.Thread):
    """Repeats a step until it is stopped. A fault of the test itself ends the run."""

    def __init__(self, port, context, pause):
        super().__init__(daemon=True)
        self.client = Client(port, context)
        self.pause = pause
        self.stopping = threading.Event()
        self.fault = None

    def run(self):
        try:
            while not self.stopping.is_set():
                self.step()
                self.stopping.wait(self.pause)
        except Exception as fault:
            self.fault = fault

    def stop(self):
        self.stopping.set()


class Promises:
    """The acknowledged writes of all writers."""

    def __init__(self):
        self.lock = threading.Lock()
        # name -> (id, revision, description acknowledged last)
        self.devices = {}
        # When acknowledged attempts were sent and answered.
        self.acknowledged = []
        self.repeated = self.refused = self.unknown = 0
        # Reads by who knew better: of an acknowledged device that was not found, and of an older revision.
        self.missing, self.older = [], []


class Writer(Worker):
    """Adds devices and changes own ones. Repeats each write until it is acknowledged."""

    def __init__(self, port, context, token, promises, seed, pause):
        super().__init__(port, context, pause)
        self.token, self.promises, self.chance = token, promises, random.Random(seed)
        self.mine = []

    def step(self):
        if self.mine and self.chance.random() < 0.4:
            self.change()
        else:
            self.add()

    def attempt(self, method, path, body, headers):
        """Status, headers and document; nil if it is not known what happened."""
        sent = time.monotonic()
        try:
            status, found, read = self.client.ask(method, path, json.dumps(body), {
                "Authorization": f"Bearer {self.token}", **headers})
        except FAULTS:
            status = None
        if status in (200, 201):
            with self.promises.lock:
                self.promises.acknowledged.append((sent, time.monotonic()))
            return status, found, json.loads(read)
        if status in (400, 401, 403, 404, 409, 410, 422, 428):
            raise RuntimeError(f"{method} {path} was answered {status}: {read}")
        with self.promises.lock:
            self.promises.repeated += 1
            if status:
                self.promises.refused += 1
                self.promises.unknown += b"outcome" in read
        if status == 412:
            return status, found, json.loads(read)
        time.sleep(float(found.get("Retry-After", 1)) if status == 429 else 0.2)
        return None

    def add(self):
        name = f"cluster {uuid.UUID(int=self.chance.getrandbits(128))}"
        place = [round(self.chance.uniform(-179, 179), 6), round(self.chance.uniform(-70, 70), 6)]
        wanted = {"type": "Feature", "geometry": {"type": "Point", "coordinates": place},
                  "properties": {"name": name, "category": "camera_fixed", "precision": "exact"}}
        key = uuid.UUID(int=self.chance.getrandbits(128)).hex
        while not (answer := self.attempt("POST", ITEMS, wanted, {
                "Content-Type": "application/geo+json", "Idempotency-Key": key})):
            continue
        body = answer[2]
        with self.promises.lock:
            self.promises.devices[name] = (body["id"], 1, None)
        self.mine.append((name, body["id"]))

    def change(self):
        name, identity = self.chance.choice(self.mine)
        path, description = f"{ITEMS}/{identity}", f"changed {self.chance.getrandbits(60)}"
        revision = self.promises.devices[name][1]
        tag = None
        while True:
            if tag is None:
                try:
                    status, headers, read = self.client.ask("GET", path)
                except FAULTS:
                    status, headers = None, {}
                if "Farol-Data-Age" in headers:
                    # A standby answers while the primary does not: possibly without the last writes, and without ETag.
                    time.sleep(0.2)
                    continue
                if status != 200:
                    # Every server must have an acknowledged device: any other response is a lost write.
                    if status == 404:
                        self.promises.missing.append((time.time(), path))
                    time.sleep(0.2)
                    continue
                found = json.loads(read)["properties"]
                if found["revision"] < revision:
                    self.promises.older.append((time.time(), path, found["revision"], revision))
                    time.sleep(0.2)
                    continue
                if found["description"] == description:
                    # An attempt without a response took effect.
                    return self.note(name, identity, found["revision"], description)
                tag = headers["ETag"]
            answer = self.attempt("PATCH", path, {"properties": {"description": description}}, {
                "Content-Type": "application/merge-patch+json", "If-Match": tag})
            if answer and answer[0] == 200:
                return self.note(name, identity, answer[2]["properties"]["revision"], description)
            if answer:
                tag = None

    def note(self, name, identity, revision, description):
        with self.promises.lock:
            self.promises.devices[name] = (identity, revision, description)


class Reader(Worker):
    """Reads, and records each outcome: (begun, seconds, status)."""

    def __init__(self, port, context, seed, pause):
        super().__init__(port, context, pause)
        self.chance = random.Random(seed)
        self.seen = []

    def step(self):
        path = self.path()
        begun = time.monotonic()
        try:
            status = self.client.ask("GET", path)[0]
        except FAULTS as fault:
            status = type(fault).__name__
        self.seen.append((begun, time.monotonic() - begun, status))


class MapReader(Reader):
    """Tiles, as a map asks for them."""

    def path(self):
        zoom = self.chance.randrange(8)
        x, y = self.chance.randrange(2 ** zoom), self.chance.randrange(2 ** zoom)
        return f"/api/tiles/devices/{zoom}/{x}/{y}.mvt"


class ListReader(Reader):
    """Pages of lists, whose rows are in the database."""

    def path(self):
        west, south = self.chance.uniform(-179, 160), self.chance.uniform(-70, 60)
        return f"{ITEMS}?bbox={west:.3f},{south:.3f},{west + 10:.3f},{south + 10:.3f}&limit=20"


class PageReader(Reader):
    """The map page, then each file that it names, as a browser without stored files asks for them."""

    def __init__(self, *given):
        super().__init__(*given)
        self.releases = set()
        self.wanted = []

    def path(self):
        return self.wanted.pop() if self.wanted else "/"

    def step(self):
        path = self.path()
        begun = time.monotonic()
        try:
            status, _, read = self.client.ask("GET", path)
        except FAULTS as fault:
            status, read = type(fault).__name__, b""
        self.seen.append((begun, time.monotonic() - begun, status))
        if path == "/" and status == 200:
            text = read.decode()
            self.releases |= set(re.findall(r'name="farol-release" content="(\w+)"', text))
            self.wanted = sorted(set(re.findall(r'(?:"|&quot;)(/assets/[^"&]+)', text)))


class Watcher(Worker):
    """Adds a device through HAProxy and measures the time until each server's own tile shows it."""

    # A server cannot read a change before a new primary is there, for which 30 s are promised.
    patience = 45

    def __init__(self, port, context, token, servers, seed, pause):
        super().__init__(port, context, pause)
        self.token, self.chance = token, random.Random(seed)
        self.own = [(server, Client(server.place, patience=5)) for server in servers]
        # (time of the response, mark, seconds until the last server shows it); infinite if one never did.
        self.seen = []
        self.mark = "calm"
        self.number = 0

    def step(self):
        mark = self.mark
        # Each device has another tile, far from the places of the writers.
        self.number += 1
        x, latitude = 4_000 + 8 * self.number, 84.0 - 0.0001 * self.number
        longitude = (x + 0.5) / 65_536 * 360 - 180
        name = f"watched {self.chance.getrandbits(60)}"
        wanted = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
                  "properties": {"name": name, "category": "camera_fixed", "precision": "exact"}}
        tile = f"/api/tiles/devices/16/{x}/{self.row(latitude, 16)}.mvt"
        try:
            status, _, _ = self.client.ask("POST", ITEMS, json.dumps(wanted), {
                "Authorization": f"Bearer {self.token}", "Content-Type": "application/geo+json",
                "Idempotency-Key": name.replace(" ", "-")})
        except FAULTS:
            return
        if status != 201:
            return
        done = time.monotonic()
        waiting = list(self.own)
        while waiting and time.monotonic() - done < self.patience:
            waiting = [one for one in waiting if one[0].process.is_running and not self.shows(one[1], tile)]
            if waiting:
                time.sleep(0.005)
        # A fault may have begun meanwhile.
        mark = mark if self.mark == mark else "kills"
        self.seen.append((done, mark, float("inf") if waiting else time.monotonic() - done))

    @staticmethod
    def row(latitude, zoom):
        angle = math.radians(latitude)
        return int((1 - math.asinh(math.tan(angle)) / math.pi) / 2 * 2 ** zoom)

    @staticmethod
    def shows(client, tile):
        try:
            status, _, read = client.ask("GET", tile)
        except FAULTS:
            return False
        return status == 200 and len(read) > 0


class Verifier(Worker):
    """Reads acknowledged devices on each server itself, signed in: none may be missing or older."""

    def __init__(self, servers, token, promises, seed, pause):
        super().__init__(servers[0].place, None, pause)
        self.clients = [Client(server.place, patience=20) for server in servers]
        self.token, self.promises, self.chance = token, promises, random.Random(seed)
        self.count = 0

    def step(self):
        with self.promises.lock:
            # The newest ones are what a server that is behind lacks.
            known = list(self.promises.devices.items())[-300:]
        if not known:
            return
        name, (identity, revision, _) = self.chance.choice(known)
        client = self.chance.choice(self.clients)
        try:
            status, headers, read = client.ask("GET", f"{ITEMS}/{identity}", None, {
                "Authorization": f"Bearer {self.token}"})
        except FAULTS:
            return
        self.count += 1
        if status == 404:
            self.promises.missing.append((time.time(), identity))
        elif status == 200 and (found := json.loads(read)["properties"]["revision"]) < revision:
            self.promises.older.append((time.time(), identity, found, revision))
