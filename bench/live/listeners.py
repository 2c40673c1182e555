"""Clients of `GET /api/live` that note when each change arrived."""

import asyncio
import re
import socket
import time

IP_BIND_ADDRESS_NO_PORT = 24


class Listener(asyncio.Protocol):
    """Notes when each match of `pattern` arrived, by its first group."""

    def __init__(self, query, pattern):
        self.query = query
        self.pattern = re.compile(pattern)
        self.arrived = {}
        self.rest = b""
        self.is_ready = False

    def connection_made(self, transport):
        self.transport = transport
        transport.write(request(self.query))

    def data_received(self, data):
        now = time.monotonic()
        whole, end, self.rest = (self.rest + data).rpartition(b"\n\n")
        if not end:
            return
        self.is_ready = self.is_ready or b"event: ready" in whole
        for found in self.pattern.findall(whole):
            self.arrived.setdefault(found.decode(), now)

    def end(self):
        self.transport.abort()


class SilentListener:
    """Listens to everything and never reads. A plain socket: asyncio reads from a paused transport in some versions."""

    def __init__(self):
        self.socket = None

    def is_closed(self):
        """Whether the server has closed the connection. Reads what is left, for two seconds at most."""
        self.socket.settimeout(0.2)
        until = time.monotonic() + 2
        try:
            while time.monotonic() < until:
                if not self.socket.recv(1_048_576):
                    return True
        except TimeoutError:
            return False
        except OSError:
            return True
        return False

    def end(self):
        self.socket.close()


def request(query):
    return (f"GET /api/live{query} HTTP/1.1\r\nHost: farol.example\r\n"
            "Accept: text/event-stream\r\n\r\n").encode()


async def connected(port, address):
    """A socket from a loopback address."""
    one = socket.socket()
    one.setblocking(False)
    one.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
    one.bind((address, 0))
    await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", port))
    return one


async def listen(port, address, listener):
    """Connects a listener from a loopback address."""
    one = await connected(port, address)
    loop = asyncio.get_running_loop()
    if isinstance(listener, SilentListener):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        await loop.sock_sendall(one, request(""))
        listener.socket = one
    else:
        await loop.create_connection(lambda: listener, sock=one)
    return listener


async def all_ready(listeners, seconds=60):
    """Whether every listener has its first message within this time."""
    until = time.monotonic() + seconds
    while not all(one.is_ready for one in listeners):
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.1)
    return True
