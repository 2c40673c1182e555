"""A mapping day that runs: viewers who follow it as its page does, and participants who add devices."""

import asyncio
import base64
import contextlib
import hashlib
import json
import random
import secrets
import sqlite3
import time
import uuid

from live import Listener
from visitors import ITEMS, Gone, connect, get, status_of

# The area of the day, and the box around it of which the page hears.
WEST, SOUTH, EAST, NORTH = 6.48, 46.48, 6.52, 46.52
BOX = f"?bbox={WEST - 0.02},{SOUTH - 0.02},{EAST + 0.02},{NORTH + 0.02}"
AREA = {"type": "polygon", "coordinates": [[
    [WEST, SOUTH], [EAST, SOUTH], [EAST, NORTH], [WEST, NORTH], [WEST, SOUTH]]]}
# The page reads the figures again so many seconds after a change, and as many more by chance.
SOON, SPREAD = 2.0, 6.0


def moment(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def prepare(path, count):
    """Stores a day that runs, and `count` participants. Returns its id and their tokens."""
    day, tokens = str(uuid.uuid4()), []
    with contextlib.closing(sqlite3.connect(path, timeout=30)) as database, database:
        database.execute(
            """INSERT INTO mapping_day (id, title, purpose, area, starts_at, ends_at, time_zone, maximum, kinds,
              languages, state, created_at, changed_at) VALUES (?, 'A day under load', 'We measure the server.', ?, ?, ?,
              'UTC', 500, '[]', '[]', 'approved', ?, ?)""",
            (day, json.dumps(AREA), moment(-60), moment(3_600), moment(-60), moment(-60)))
        row = database.execute("SELECT rowid FROM mapping_day WHERE id = ?", (day,)).fetchone()[0]
        for number in range(count):
            account = database.execute("SELECT last + 1 FROM account_number").fetchone()[0]
            name = f"mapper{number}"
            database.execute(
                """INSERT INTO account (rowid, id, username, username_key, username_look, email, email_key, password_hash,
                  locale, created_at, terms_accepted_at, confirmed_at, accepted_edits)
                VALUES (?, ?, ?, ?, ?, ?, ?, '$argon2id$none', 'en', ?, ?, ?, 10)""",
                (account, str(uuid.uuid4()), name, name, name, f"{name}@example.org", f"{name}@example.org",
                 moment(-864_000), moment(-864_000), moment(-864_000)))
            secret = secrets.token_bytes(32)
            text = base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
            database.execute(
                """INSERT INTO personal_token (id, account_rowid, name, scopes, digest, created_at, expires_at)
                VALUES (?, ?, 'load', '["contribute"]', ?, ?, ?)""",
                (str(uuid.uuid4()), account, hashlib.sha256(secret).digest(), moment(-60), moment(86_400)))
            database.execute(
                """INSERT INTO mapping_day_participant (id, day_rowid, account_rowid, state, joined_at)
                VALUES (?, ?, ?, 'joined', ?)""", (str(uuid.uuid4()), row, account, moment(-60)))
            tokens.append(f"farol_{text}")
    return day, tokens


def contribute(path):
    """Stores that every device was added and confirmed on the last day."""
    with contextlib.closing(sqlite3.connect(path, timeout=30)) as database, database:
        for kind in ("added", "confirmed"):
            database.execute(
                """INSERT INTO mapping_day_contribution (day_rowid, device_rowid, kind, category, made_at)
                SELECT (SELECT max(rowid) FROM mapping_day), rowid, ?, category, ? FROM device""", (kind, moment(-30)))


def addition(name, token, number):
    # The steps of the R2 sequence keep devices apart: at random positions two of them may be likely duplicates (409).
    east, north = (number * 0.7548776662 % 1, number * 0.5698402910 % 1)
    body = json.dumps({
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [
            round(WEST + 0.001 + east * (EAST - WEST - 0.002), 6), round(SOUTH + 0.001 + north * (NORTH - SOUTH - 0.002), 6)]},
        "properties": {"name": name, "category": "camera_fixed", "precision": "exact"},
    }).encode()
    return (f"POST {ITEMS} HTTP/1.1\r\nHost: farol.example\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/geo+json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body


class Viewer(Listener):
    """A page of the day: it reads the figures when it opens, and again some seconds after a change."""

    def __init__(self, day, port, address, chance):
        super().__init__()
        self.day, self.port, self.address, self.chance = day, port, address, chance
        self.statuses, self.waits, self.added = {}, [], 0
        self.is_waiting = self.is_done = False
        self.line = None
        # A connection has one request at a time.
        self.turn = asyncio.Lock()
        self.task = None

    async def read_figures(self, parts=("progress",)):
        async with self.turn:
            await self.ask(parts)

    async def ask(self, parts):
        try:
            for part in parts:
                begun = time.monotonic()
                answer = await self.get(f"/api/mapping-days/{self.day}{part and '/' + part}")
                self.waits.append(time.monotonic() - begun)
                self.statuses[status_of(answer)] = self.statuses.get(status_of(answer), 0) + 1
                if part == "progress":
                    self.added = json.loads(answer.partition(b"\r\n\r\n")[2])["added"]
        except (OSError, asyncio.TimeoutError) as fault:
            self.statuses[type(fault).__name__] = self.statuses.get(type(fault).__name__, 0) + 1
            self.line = None

    async def get(self, path):
        """The answer, on the connection of the last one. The server closes it after ten silent seconds; then a browser
        asks again on a new one (RFC 9112 §9.3.1)."""
        if self.line:
            try:
                return await self.line.ask(get(path))
            except Gone:
                self.line = None
        self.line = await connect(self.port, self.address)
        return await self.line.ask(get(path))

    def hear(self, _):
        if not self.is_waiting and not self.is_done:
            self.is_waiting = True
            self.task = asyncio.ensure_future(self.again(SOON + self.chance.uniform(0, SPREAD)))
        return False

    async def again(self, pause):
        await asyncio.sleep(pause)
        self.is_waiting = False
        await self.read_figures()


async def follow(port, day, tokens, addresses, count, seconds, pause):
    """`count` viewers follow a day while participants add a device every `pause` seconds. Returns the viewers, the
    seconds from each answer to a write to its event, the number of devices, and their statuses."""
    chance = random.Random(20_261_130)
    viewers = [Viewer(day, port, addresses[number % len(addresses)], chance) for number in range(count)]
    tasks = []
    for start in range(0, count, 50):
        part = viewers[start:start + 50]
        tasks += [asyncio.create_task(one.listen(port, one.address, BOX, seconds=seconds + 90, on_event=one.hear))
                  for one in part]
        await asyncio.gather(*(one.read_figures(("", "progress", "contributions")) for one in part))
    begun = time.monotonic()
    while any(one.last is None for one in viewers) and time.monotonic() - begun < 30:
        await asyncio.sleep(0.05)
    written, statuses = {}, {}
    until, number = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        turn = time.monotonic() + pause
        name, place = f"Day {number}", number % len(tokens)
        # The server closes a connection that is silent for long.
        line = await connect(port, f"127.5.1.{1 + place}")
        answer = await line.ask(addition(name, tokens[place], number))
        written[name] = time.monotonic()
        line.transport.abort()
        statuses[status_of(answer)] = statuses.get(status_of(answer), 0) + 1
        number += 1
        await asyncio.sleep(max(0.0, turn - time.monotonic()))
    await asyncio.sleep(SOON + SPREAD + 4)
    for one in viewers:
        one.is_done = True
    await asyncio.gather(*(one.read_figures() for one in viewers))
    tasks += [one.task for one in viewers if one.task]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for line in [one.line for one in viewers if one.line]:
        line.transport.abort()
    delays = sorted(max(0.0, one.told.get(name, float("inf")) - at) for one in viewers for name, at in written.items())
    return viewers, delays, len(written), statuses
