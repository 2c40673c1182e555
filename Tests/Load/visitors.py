"""Visitors: connections that stay open, send a request, read the response, wait, and repeat."""

import asyncio
import json
import math
import random
import re
import socket
import time
import urllib.parse
import uuid

ITEMS = "/api/collections/devices/items"
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)


class Gone(ConnectionError):
    """The server closed the connection before its response was complete."""


class Line(asyncio.Protocol):
    """One connection. One request at a time."""

    def __init__(self):
        self.buffer = bytearray()
        self.waiting = None
        self.transport = None
        self.is_closed = False

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, fault):
        self.is_closed = True
        if self.waiting and not self.waiting.done():
            self.waiting.set_exception(Gone())

    def data_received(self, data):
        self.buffer += data
        end = self.end_of_answer()
        if end and self.waiting and not self.waiting.done():
            answer = bytes(self.buffer[:end])
            del self.buffer[:end]
            self.waiting.set_result(answer)

    def end_of_answer(self):
        """The offset of the end of the response; 0 while it is incomplete."""
        head = self.buffer.find(b"\r\n\r\n")
        if head < 0:
            return 0
        fields = bytes(self.buffer[:head])
        length = LENGTH.search(fields)
        if length:
            end = head + 4 + int(length.group(1))
            return end if len(self.buffer) >= end else 0
        if CHUNKED.search(fields):
            last = self.buffer.find(b"\r\n0\r\n\r\n", head)
            return last + 7 if last >= 0 else 0
        return head + 4

    async def ask(self, request, timeout=30):
        if self.is_closed:
            raise Gone()
        self.waiting = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await asyncio.wait_for(self.waiting, timeout)


async def connect(port, address, buffer=None, timeout=10, trust=None):
    """Opens a connection from an address of the loopback network; over TLS when a certificate to trust is
    given."""
    one = socket.socket()
    one.setblocking(False)
    if buffer:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    # The port is chosen when connecting, so that each address can use as many ports as the system has.
    one.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
    # Browsers do this too; asyncio sets it only when the protocol of the socket is named.
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    one.bind((address, 0))
    loop = asyncio.get_running_loop()
    try:
        await asyncio.wait_for(loop.sock_connect(one, ("127.0.0.1", port)), timeout)
        tls = {"ssl": trust, "server_hostname": "127.0.0.1", "ssl_handshake_timeout": timeout} if trust else {}
        _, line = await loop.create_connection(Line, sock=one, **tls)
    except BaseException:
        one.close()
        raise
    return line


def get(path, fields=""):
    return f"GET {path} HTTP/1.1\r\nHost: farol.example\r\n{fields}\r\n".encode()


def status_of(answer):
    return int(answer[9:12])


class Mixture:
    """The requests of typical visitors: the page and its files once, then the map and devices."""

    def __init__(self, instance, chance):
        self.chance = chance
        self.token = instance.token
        page = instance.ask("GET", "/").body.decode()
        self.assets = sorted(set(re.findall(r'"(/assets/[^"]+\.(?:css|js))"', page)))[:12]
        features = instance.ask("GET", f"{ITEMS}?limit=200").json["features"]
        self.ids = [one["id"] for one in features]
        self.places = [one["geometry"]["coordinates"] for one in features]
        self.categories = sorted({one["properties"]["category"] for one in features})
        self.kinds = [
            (8, self.box), (6, self.item), (4, self.tile), (4, self.tile_of_devices), (2, self.statistics),
            (1, self.filtered), (2, self.search), (4, self.asset), (2, self.page)]
        self.weights = [weight for weight, _ in self.kinds]

    def next(self):
        """One request to read."""
        return get(self.chance.choices(self.kinds, self.weights)[0][1]())

    def box(self):
        west, south = self.chance.uniform(-170, 160), self.chance.uniform(-60, 60)
        return f"{ITEMS}?bbox={west:.3f},{south:.3f},{west + 2:.3f},{south + 2:.3f}&limit=100"

    def item(self):
        return f"{ITEMS}/{self.chance.choice(self.ids)}"

    def around(self):
        """A box around a device, from the size of a street to the size of a region."""
        longitude, latitude = self.chance.choice(self.places)
        half = self.chance.choice([0.005, 0.05, 0.3, 1])
        return (f"{max(-180, longitude - half):.4f},{max(-90, latitude - half):.4f},"
                f"{min(180, longitude + half):.4f},{min(90, latitude + half):.4f}")

    def tile(self):
        zoom = self.chance.randint(2, 9)
        side = 1 << zoom
        return f"/api/tiles/devices/{zoom}/{self.chance.randrange(side)}/{self.chance.randrange(side)}.mvt"

    def tile_of_devices(self):
        zoom = self.chance.randint(0, 16)
        longitude, latitude = self.chance.choice(self.places)
        side = 1 << zoom
        north = math.asinh(math.tan(math.radians(max(-85, min(85, latitude))))) / math.pi
        column, row = (int(share * side) for share in ((longitude + 180) / 360, (1 - north) / 2))
        path = f"/api/tiles/devices/{zoom}/{min(column, side - 1)}/{min(row, side - 1)}.mvt"
        return path + self.chance.choice(["", f"?category={self.chance.choice(self.categories)}"])

    def statistics(self):
        group = self.chance.choice(["category", "status", "operator", "category,status"])
        return f"/api/statistics?group_by={group}" + self.chance.choice(
            ["", f"&bbox={self.around()}", f"&bbox={self.around()}&interval=month"])

    def filtered(self):
        condition = f"category = '{self.chance.choice(self.categories)}' AND name LIKE '%a%'"
        return f"{ITEMS}?bbox={self.around()}&" + self.chance.choice([
            "limit=10000", "q=camera", "filter=" + urllib.parse.quote(condition)])

    def search(self):
        return "/api/places?q=" + self.chance.choice(
            ["lis", "porto", "fun", "ber", "tok", "par", "san", "new", "mad"]) + self.chance.choice(
            ["", "a", "b", "o", "%20f"])

    def asset(self):
        return self.chance.choice(self.assets)

    def page(self):
        return self.chance.choice(["/", "/api/taxonomies/categories", "/learn", "/statistics", "/api/collections"])

    def write(self, name=None):
        """A request that adds a device."""
        body = json.dumps({
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [
                round(self.chance.uniform(-179, 179), 6), round(self.chance.uniform(-80, 80), 6)]},
            "properties": {"name": name or f"load {uuid.UUID(int=self.chance.getrandbits(128))}",
                           "category": "camera_fixed", "precision": "exact"},
        }).encode()
        return (f"POST {ITEMS} HTTP/1.1\r\nHost: farol.example\r\nAuthorization: Bearer {self.token}\r\n"
                f"Content-Type: application/geo+json\r\nContent-Length: {len(body)}\r\n\r\n"
                ).encode() + body


class Plain(Mixture):
    """Requests of one kind only: the map, a list or a device."""

    KINDS = ("map", "list", "device")

    def __init__(self, instance, chance, kind):
        super().__init__(instance, chance)
        self.kinds = [(1, {"map": lambda: "/", "list": self.box, "device": self.item}[kind])]
        self.weights = [1]


class Tally:
    """The responses to a crowd, and their times."""

    def __init__(self):
        self.seconds = []
        self.statuses = {}
        self.faults = {}
        self.without_retry = 0

    def note(self, answer, seconds):
        status = status_of(answer)
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self.seconds.append(seconds)
        if status in (429, 503) and b"\r\nRetry-After:" not in answer[:4096]:
            self.without_retry += 1

    def fail(self, fault):
        name = type(fault).__name__
        self.faults[name] = self.faults.get(name, 0) + 1

    @property
    def asked(self):
        return sum(self.statuses.values()) + sum(self.faults.values())

    @property
    def served(self):
        return sum(count for status, count in self.statuses.items() if status in (200, 201, 204, 304))

    @property
    def share(self):
        return self.served / max(1, self.asked)

    def percentile(self, share):
        """Milliseconds."""
        ordered = sorted(self.seconds)
        return 1_000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


async def visit(port, address, mixture, tally, until, pace, writes=0.0, trust=None):
    """One visitor, who reconnects when the connection is closed."""
    line = None
    await asyncio.sleep(mixture.chance.uniform(0, pace))
    while time.monotonic() < until:
        try:
            if line is None or line.is_closed:
                line = await connect(port, address, trust=trust)
            request = mixture.write() if mixture.chance.random() < writes else mixture.next()
            begun = time.monotonic()
            answer = await line.ask(request)
            tally.note(answer, time.monotonic() - begun)
            if b"\r\nConnection: close" in answer[:4096]:
                line.transport.close()
                line = None
        except (OSError, asyncio.TimeoutError) as fault:
            tally.fail(fault)
            if line:
                line.transport.abort()
            line = None
        await asyncio.sleep(mixture.chance.expovariate(1 / pace))
    if line:
        line.transport.close()


async def crowd(port, addresses, mixture, count, seconds, pace, writers=0, trust=None):
    """A number of visitors at once, for a given time."""
    tally = Tally()
    until = time.monotonic() + seconds
    await asyncio.gather(*(
        visit(port, addresses[number % len(addresses)], mixture, tally, until, pace,
              writes=0.5 if number < writers else 0.0, trust=trust)
        for number in range(count)))
    return tally


def addresses(count, network):
    """Loopback addresses of visitors: no two crowds share an address."""
    return [f"127.{network}.{number // 250}.{number % 250 + 1}" for number in range(count)]


async def abandon(lines):
    for line in lines:
        line.transport.abort()
    await asyncio.sleep(0.3)


def randomness(seed):
    return random.Random(seed)
