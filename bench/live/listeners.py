"""Clients of `GET /api/live` that note when each change arrived."""

import asyncio
import re
import socket
import time

IP_BIND_ADDRESS_NO_PORT = 24


class Listener(asyncio.Protocol):
    """Notes when each match of `pattern` arrived, by its first group."""

    def __init__(self, query, pattern, reads=True):
        self.request = (f"GET /api/live{query} HTTP/1.1\r\nHost: farol.example\r\n"
                        "Accept: text/event-stream\r\n\r\n").encode()
        self.pattern = re.compile(pattern)
        self.reads = reads
        self.arrived = {}
        self.rest = b""
        self.is_ready = False
        self.is_closed = False

    def connection_made(self, transport):
        self.transport = transport
        transport.write(self.request)
        if not self.reads:
            transport.pause_reading()

    def data_received(self, data):
        now = time.monotonic()
        whole, end, self.rest = (self.rest + data).rpartition(b"\n\n")
        if not end:
            return
        self.is_ready = self.is_ready or b"event: ready" in whole
        for found in self.pattern.findall(whole):
            self.arrived.setdefault(found.decode(), now)

    def connection_lost(self, fault):
        self.is_closed = True


async def listen(port, address, listener):
    """Connects a listener from a loopback address."""
    one = socket.socket()
    one.setblocking(False)
    if not listener.reads:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    one.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
    one.bind((address, 0))
    loop = asyncio.get_running_loop()
    await loop.sock_connect(one, ("127.0.0.1", port))
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
