"""A proxy between browser and server that is as slow as the line of a phone."""

import asyncio
import threading


class Profile:
    """Bits per second in each direction, and seconds from the request to the first byte of the response."""

    def __init__(self, name, down, up, latency):
        self.name = name
        self.down = down
        self.up = up
        self.latency = latency


# The values of Chromium's DevTools (front_end/core/sdk/NetworkManager.ts, Fast4GConditions): nine tenths of 9 and
# 1.5 Mbit/s, 2.75 times 60 ms.
FAST_4G = Profile("Fast 4G", down=9_000_000 * 0.9, up=1_500_000 * 0.9, latency=0.060 * 2.75)

PIECE = 16_384  # bytes sent at once


class Way:
    """One direction of the line, shared by all connections. Its bytes pass through one queue."""

    def __init__(self, bits, delay):
        self.bytes_a_second = bits / 8
        self.delay = delay
        self.free_at = 0.0
        self.carried = 0

    def arrival(self, count):
        """The time at which this number of bytes, sent now, has passed the line."""
        now = asyncio.get_running_loop().time()
        self.free_at = max(self.free_at, now) + count / self.bytes_a_second
        self.carried += count
        return self.free_at + self.delay

    async def carry(self, reader, writer):
        """Forwards all bytes from one end to the other, in order."""
        waiting = asyncio.Queue(maxsize=64)

        async def deliver():
            while True:
                at, piece = await waiting.get()
                await asyncio.sleep(max(0.0, at - asyncio.get_running_loop().time()))
                if piece is None:
                    break
                writer.write(piece)
                await writer.drain()
            writer.close()

        delivery = asyncio.create_task(deliver())
        try:
            while piece := await reader.read(PIECE):
                await waiting.put((self.arrival(len(piece)), piece))
        except OSError:
            pass  # one end was closed, so the other is closed too
        await waiting.put((self.arrival(0), None))
        try:
            await delivery
        except OSError:
            pass


class SlowLine:
    """Listens on a free loopback port and forwards all data to another port, slowly."""

    def __init__(self, profile, port):
        self.to = port
        half = profile.latency / 2
        self.profile = profile
        self.up, self.down = Way(profile.up, half), Way(profile.down, half)
        self.port = None
        self.connections = 0
        ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.serve(ready)), daemon=True)
        self.thread.start()
        ready.wait(10)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, ready):
        self.loop = asyncio.get_running_loop()
        self.over = asyncio.Event()
        server = await asyncio.start_server(self.pass_on, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        async with server:
            await self.over.wait()

    async def pass_on(self, reader, writer):
        self.connections += 1
        await asyncio.sleep(self.profile.latency)  # opening a connection takes one round trip
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self.up.carry(reader, far_writer), self.down.carry(far_reader, writer))

    def close(self):
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join(10)
