"""Clients that occupy a server: slow, silent, many, or all from one address."""

import asyncio
import contextlib
import itertools
import math
import resource
import ssl
import time
import urllib.parse

from visitors import ITEMS, Tally, abandon, connect, get, status_of


async def many(port, addresses, count, start):
    """Opens a number of connections and starts a task on each; refused connections are left out."""
    async def one(number):
        try:
            line = await connect(port, addresses[number % len(addresses)], buffer=4096)
        except (OSError, asyncio.TimeoutError):
            return None
        start(line)
        return line
    return [line for line in await asyncio.gather(*(one(number) for number in range(count))) if line]


async def drip(lines, piece, until, every=2.0):
    """Sends a byte at intervals on each connection, as long as it is open."""
    while time.monotonic() < until:
        for line in lines:
            if not line.is_closed:
                line.transport.write(piece)
        await asyncio.sleep(every)


async def gone_after(lines, limit):
    """Seconds until all connections were closed; None when some are open after the limit."""
    begun = time.monotonic()
    while any(not line.is_closed for line in lines):
        if time.monotonic() - begun > limit:
            return None
        await asyncio.sleep(0.1)
    return time.monotonic() - begun


async def slow_heads(port, addresses, count, seconds):
    """Never completes its request header; sends a byte every two seconds."""
    lines = await many(port, addresses, count, lambda line: line.transport.write(
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: "))
    return await held(lines, b"a", seconds, 14)


async def slow_bodies(port, addresses, count, seconds):
    """Never completes its body; sends a byte every two seconds."""
    lines = await many(port, addresses, count, lambda line: line.transport.write(
        b"POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        b"Content-Length: 60000\r\n\r\n"))
    return await held(lines, b" ", seconds, 37)


async def slow_handshakes(port, addresses, count, seconds):
    """Never completes its ClientHello, which declares 508 bytes; sends a byte every two seconds."""
    lines = await many(port, addresses, count, lambda line: line.transport.write(
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"))
    return await held(lines, b"a", seconds, 14)


async def held(lines, piece, seconds, limit):
    dripping = asyncio.create_task(drip(lines, piece, time.monotonic() + max(seconds, limit)))
    gone = await gone_after(lines, limit)
    dripping.cancel()
    await abandon(lines)
    return len(lines), gone


async def slow_readers(port, addresses, count, seconds):
    """Requests large responses and reads almost nothing."""
    request = get("/api/openapi.json") * 20

    def start(line):
        line.transport.write(request)
        line.transport.pause_reading()
    lines = await many(port, addresses, count, start)
    await asyncio.sleep(seconds)
    await abandon(lines)
    return len(lines), None


async def silent(port, addresses, count, seconds):
    """Connects and sends nothing."""
    lines = await many(port, addresses, count, lambda line: None)
    gone = await gone_after(lines, 14)
    await abandon(lines)
    return len(lines), gone


# The first bytes of reconnecting clients, whether they then close their sending side, and whether they read.
BEGINNINGS = {
    "silent clients": (b"", False, True),
    "clients that send a byte and close": (b"G", True, True),
    "clients with an endless head": (b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ", False, True),
    "clients with an endless body": (
        b"POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        b"Content-Length: 60000\r\n\r\n{", False, True),
    "clients that check health and stay": (get("/healthz"), False, True),
    "clients that do not read": (get("/api/openapi.json") * 20, False, False),
}


async def returning(port, addresses, count, seconds, kind):
    """Keeps a number of connections open, and replaces each one that the server closes.

    Returns the highest number open at once, and the number opened in total.
    """
    beginning, leaves, reads = BEGINNINGS[kind]
    until = time.monotonic() + seconds
    current = most = opened = 0

    async def one(number):
        nonlocal current, most, opened
        while time.monotonic() < until:
            try:
                line = await connect(
                    port, addresses[number % len(addresses)], buffer=None if reads else 2048, timeout=5)
            except (OSError, asyncio.TimeoutError):
                await asyncio.sleep(0.2)
                continue
            opened, current = opened + 1, current + 1
            most = max(most, current)
            line.transport.write(beginning)
            if leaves:
                # A connection closed in the meantime has nothing left to finish.
                with contextlib.suppress(OSError):
                    line.transport.write_eof()
            if not reads:
                line.transport.pause_reading()
            while not line.is_closed and time.monotonic() < until:
                await asyncio.sleep(0.2)
            current -= 1
            line.transport.abort()
    await asyncio.gather(*(one(number) for number in range(count)))
    return most, opened


async def attempts(port, addresses, count, seconds, at_once=200, pace=1_000, trust=None):
    """Connects and closes at once: `count` times at full speed, then `pace` times a second."""
    until = time.monotonic() + seconds
    started = done = failed = 0

    async def one():
        nonlocal started, done, failed
        while started < count or time.monotonic() < until:
            if started >= count:
                await asyncio.sleep(at_once / pace)
            started += 1
            try:
                line = await connect(port, addresses[started % len(addresses)], trust=trust)
                line.transport.abort()
                done += 1
            except (OSError, asyncio.TimeoutError):
                failed += 1
    await asyncio.gather(*(one() for _ in range(at_once)))
    return done, failed


async def handshakes(port, addresses, certificate, seconds):
    """Completes the key exchange and closes at once, at full speed: each handshake costs the server a
    signature."""
    trust = ssl.create_default_context(cafile=certificate)
    return await attempts(port, addresses, 0, seconds, at_once=100, pace=math.inf, trust=trust)


async def flood(port, address, count, seconds):
    """As many connections and requests as one address may have, as fast as the responses arrive."""
    until = time.monotonic() + seconds
    answered = refused = 0

    async def one():
        nonlocal answered, refused
        while time.monotonic() < until:
            try:
                line = await connect(port, address, timeout=2)
                while time.monotonic() < until:
                    await line.ask(get("/api/collections/devices/items?limit=10"), timeout=5)
                    answered += 1
            except (OSError, asyncio.TimeoutError):
                refused += 1
                await asyncio.sleep(0.2)
    await asyncio.gather(*(one() for _ in range(count)))
    return answered, refused


# A legal filter of 3 kB that the database evaluates for each device, and that takes as long as a query may.
COSTLY = " OR ".join("name LIKE '%a%e%i%q%o%u%z%y%x%" + format(number, "02") + "%'" for number in range(60))


async def costly_lists(port, addresses, count, seconds):
    """Lists with a costly filter, see `repeated`."""
    return await repeated(port, addresses, count, seconds, [get(f"{ITEMS}?filter=" + urllib.parse.quote(COSTLY))])


async def repeated(port, addresses, count, seconds, requests):
    """Sends these requests in turn, on each connection one after the other. A refused client tries again at once, but not
    more than twenty times a second: a flood is another scene.

    Returns the responses by status, and the number of refusals without Retry-After.
    """
    until = time.monotonic() + seconds
    tally = Tally()
    turn = itertools.cycle(requests)

    async def one(number):
        line = None
        while time.monotonic() < until:
            try:
                if line is None or line.is_closed:
                    line = await connect(port, addresses[number % len(addresses)], timeout=5)
                begun = time.monotonic()
                answer = await line.ask(next(turn), timeout=60)
                tally.note(answer, time.monotonic() - begun)
                if status_of(answer) != 200:
                    await asyncio.sleep(0.05)
            except (OSError, asyncio.TimeoutError) as fault:
                tally.fail(fault)
                await asyncio.sleep(0.2)
                line = None
        if line:
            line.transport.abort()
    # Those that wait at the end are left.
    await asyncio.wait([asyncio.create_task(one(number)) for number in range(count)], timeout=seconds + 1)
    return tally.statuses, tally.faults, tally.without_retry


def descriptors():
    """Raises the descriptor limit of this process to the number of connections that it needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16_384), hard))
    return min(hard, 16_384)
