"""Listeners of /api/live: honest ones, and those whose filters or returns cost much."""

import asyncio
import json
import time
from urllib.parse import quote

from visitors import connect

# Legal, and slow: the devices of each polygon are looked for in the whole world.
HEAVY = " AND ".join(
    f"S_INTERSECTS(geometry, POLYGON((-179.{n} -89,179 -89,179 89,-179.{n} 89,-179.{n} -89)))" for n in range(10, 50))
FAILING = "10^400 > 1 OR (2147483647*2147483647*2147483647) > units"


class Listener:
    """A stream that is read. `told` has the moment at which each device was told, by its name."""

    def __init__(self):
        self.told = {}
        self.events = {}
        self.last = None
        self.is_open = True

    async def listen(self, port, address, query="", seen=None, seconds=30.0, on_event=None):
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), limit=1 << 24), 10)
        try:
            header = f"\r\nLast-Event-ID: {seen}" if seen is not None else ""
            writer.write(f"GET /api/live{query} HTTP/1.1\r\nHost: farol.example{header}\r\n\r\n".encode())
            await self.read(reader, time.monotonic() + seconds, on_event)
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
            pass
        finally:
            self.is_open = False
            writer.transport.abort()

    async def read(self, reader, until, on_event):
        event = ""
        while time.monotonic() < until:
            line = await asyncio.wait_for(reader.readline(), max(0.01, until - time.monotonic()))
            if not line:
                return
            if line.startswith(b"event: "):
                event = line[7:].strip().decode()
                self.events[event] = self.events.get(event, 0) + 1
            elif line.startswith(b"id: "):
                self.last = int(line[4:])
            elif line.startswith(b"data: ") and event in ("added", "changed"):
                name = json.loads(line[6:])["properties"]["name"]
                self.told.setdefault(name, time.monotonic())
                if on_event and on_event(self):
                    return


async def loops(port, addresses, count, seconds, seen=1):
    """Connections that come back with `after` and a heavy filter as soon as they have an answer."""
    until = time.monotonic() + seconds
    query = "?filter=" + quote(HEAVY)

    async def one(number):
        done = 0
        while time.monotonic() < until:
            listener = Listener()
            await listener.listen(
                port, addresses[number % len(addresses)], f"{query}&after={seen}", seconds=1.0)
            done += 1
            await asyncio.sleep(0.05)
        return done
    return sum(await asyncio.gather(*(one(number) for number in range(count))))


async def filters(port, addresses, count, seconds, words):
    """Connections that stay open with one filter each, and come back when they are closed."""
    until = time.monotonic() + seconds

    async def one(number):
        done = 0
        while time.monotonic() < until:
            # Another filter for each: equal ones are evaluated once.
            query = "?filter=" + quote(f"({words}) AND name <> 'x{number}'")
            listener = Listener()
            await listener.listen(
                port, addresses[number % len(addresses)], query, seconds=max(0.1, until - time.monotonic()))
            done += 1
            await asyncio.sleep(0.5)
        return done
    return sum(await asyncio.gather(*(one(number) for number in range(count))))


async def delays(port, write, addresses, queries, seconds, pause=0.3):
    """Writes devices while honest listeners listen. Returns the listeners, the seconds from each answer to a write to its
    event (infinity if a listener was not told), and those until all listeners were ready."""
    listeners = [Listener() for _ in queries]
    tasks = [asyncio.create_task(listener.listen(port, address, query, seconds=seconds + 30))
             for listener, address, query in zip(listeners, addresses, queries)]
    # Each gets later changes once it has the event `ready`.
    begun = time.monotonic()
    while any(listener.last is None for listener in listeners) and time.monotonic() - begun < 20:
        await asyncio.sleep(0.05)
    waited = time.monotonic() - begun
    written = {}
    line = await connect(port, "127.5.0.1")
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        name = f"Live {len(written)}"
        await line.ask(write(name), timeout=20)
        written[name] = time.monotonic()
        await asyncio.sleep(pause)
    await asyncio.sleep(3)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    line.transport.abort()
    found = [listener.told.get(name, float("inf")) - at for listener in listeners for name, at in written.items()]
    return listeners, sorted(max(0.0, delay) for delay in found), waited


async def sequence(port):
    """The number of the last change."""
    listener = Listener()
    await listener.listen(port, "127.5.0.2", seconds=1.5)
    return listener.last


async def cut(port, seen, target, address="127.5.0.3"):
    """Cuts the stream after 150 devices each time, and comes back with the last number until it is the target. Returns the
    devices that were told, and the number of returns."""
    told, returns, last = set(), 0, seen
    while returns < 50 and last < target:
        listener = Listener()
        await listener.listen(
            port, address, seen=last, seconds=10, on_event=lambda one: len(one.told) >= 150 or one.last >= target)
        told |= listener.told.keys()
        returns += 1
        last = listener.last or last
    return told, returns

