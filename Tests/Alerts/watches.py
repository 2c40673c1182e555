"""Watches of mixed sizes, written into a database, and which changes each of them must tell."""

import bisect
import json
import math
import random
import sqlite3
import time
import uuid
from dataclasses import dataclass, field

from network import HOST

CATEGORIES = ("camera_fixed", "alpr", "camera_ptz", "doorbell_camera", "microphone", "beacon")
EARTH = 6_371_008.8  # mean radius in metres
PER_ACCOUNT = 20
# Delivery and its share of the watches.
DELIVERIES = (("at_once", 0.10), ("webhook", 0.02), ("daily", 0.40), ("weekly", 0.20), ("feed", 0.28))
PAUSE = 300  # seconds between two mails of a watch


@dataclass
class Watch:
    id: str
    area: dict
    categories: tuple
    events: tuple
    delivery: str
    rowid: int = 0
    # The bounding box, so that changes are found quickly.
    box: tuple = field(default=())
    # The time (as of time.time()) from which it may send a mail at once.
    free_at: float = 0


def cities(path, count, seed=3):
    """Positions of devices of a database, where changes happen and people watch."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        first, last = database.execute("SELECT min(rowid), max(rowid) FROM device").fetchone()
        chance, found = random.Random(seed), []
        while len(found) < count:
            row = database.execute("SELECT longitude, latitude FROM device WHERE rowid = ? AND abs(latitude) < 65"
                                   " AND abs(longitude) < 178", (chance.randint(first, last),)).fetchone()
            found += [row] if row else []
    return found


def make(places, count, deliveries=DELIVERIES, seed=4):
    """Watches around places: 45 % circles, 30 % boxes, 20 % polygons, 3 % large boxes, 2 % countries."""
    chance = random.Random(seed)
    kinds, shares = zip(*deliveries)
    return [watch(chance, chance.choice(places), chance.choices(kinds, shares)[0]) for _ in range(count)]


def watch(chance, place, delivery):
    longitude, latitude = (place[0] + chance.gauss(0, 0.05), place[1] + chance.gauss(0, 0.05))
    area, box = shape(chance, longitude, latitude)
    categories = tuple(chance.sample(CATEGORIES, chance.choice((1, 2)))) if chance.random() < 0.7 else ()
    events = ("added",) if chance.random() < 0.5 else ("added", "changed", "removed")
    return Watch(identity(chance), area, categories, events, delivery, box=box)


def shape(chance, longitude, latitude):
    """An area and its bounding box."""
    kind = chance.random()
    if kind < 0.45:
        radius = round(math.exp(chance.uniform(math.log(200), math.log(5_000))))
        high = math.degrees(radius / EARTH) * 1.001
        wide = high / math.cos(math.radians(latitude)) * 1.001
        return ({"type": "circle", "center": [longitude, latitude], "radius": radius},
                (longitude - wide, latitude - high, longitude + wide, latitude + high))
    if kind < 0.78:
        size = chance.uniform(0.01, 0.1) if kind < 0.75 else chance.uniform(1, 5)
        box = (longitude - size, latitude - size, longitude + size, latitude + size)
        box = (max(box[0], -180), max(box[1], -90), min(box[2], 180), min(box[3], 90))
        return {"type": "box", "bbox": list(box)}, box
    if kind < 0.98:
        count, size = chance.randint(5, 40), chance.uniform(0.005, 0.1)
        ring = []
        for number in range(count):  # counted by angle, so it does not cross itself
            angle, length = 2 * math.pi * number / count, size * chance.uniform(0.5, 1)
            ring.append([longitude + length * math.cos(angle), latitude + length * math.sin(angle)])
        box = tuple(f(one[axis] for one in ring) for f in (min, max) for axis in (0, 1))
        return {"type": "polygon", "coordinates": [ring + ring[:1]]}, box
    return {"type": "country", "country": chance.choice(("PT", "DE", "FR", "ES", "BR"))}, ()


def identity(chance):
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def store(path, watches, hosts=(HOST,), is_running=False):
    """Writes the watches and their accounts into the database of a stopped server; `hosts` are those of webhooks.

    With `is_running`, each watch sent its last mail at some moment of the last five minutes, as after a long time under
    a steady load.
    """
    chance = random.Random(5)
    with sqlite3.connect(path, isolation_level=None) as database:
        database.execute("BEGIN IMMEDIATE")
        account = database.execute("SELECT coalesce(max(rowid), 0) FROM account").fetchone()[0]
        since = database.execute("SELECT coalesce(max(sequence), 0) FROM change").fetchone()[0]
        version = database.execute("SELECT version + 1 FROM watch_progress").fetchone()[0]
        for number, one in enumerate(watches):
            if number % PER_ACCOUNT == 0:
                account += 1
                add_account(database, account, chance)
            one.free_at = time.time() + chance.uniform(0, PAUSE) if is_running else 0
            add_watch(database, account, one, hosts[number % len(hosts)], since, version, chance, number % 2)
        database.execute("UPDATE watch_progress SET version = ?, sequence = ?", (version, since))
        database.execute("COMMIT")


NOW = "2026-01-01T00:00:00Z"


def add_account(database, number, chance):
    database.execute(
        "INSERT INTO account (rowid, id, username, username_key, email, email_key, password_hash, locale, created_at,"
        " terms_accepted_at, confirmed_at) VALUES (?, ?, ?, ?, ?, ?, '$argon2id$', ?, ?, ?, ?)",
        (number, identity(chance), f"watcher{number}", f"watcher{number}", f"w{number}@example.org",
         f"w{number}@example.org", ("en", "pt")[number % 2], NOW, NOW, NOW))


def add_watch(database, account, one, host, since, version, chance, proven):
    mail = one.delivery if one.delivery in ("at_once", "daily", "weekly") else "none"
    hook = f"https://{host}/" if one.delivery == "webhook" else None
    now = database.execute("SELECT strftime('%Y-%m-%dT%H:%M:%SZ')").fetchone()[0]
    one.rowid = database.execute(
        "INSERT INTO watch (id, account_rowid, label, area, filter, events, properties, mail, hour, weekday, time_zone,"
        " mail_key, feed_key, webhook, webhook_key, webhook_proven_at, created_at, renewed_at, since, version,"
        " mailed_at, mail_due_at)"
        " VALUES (?, ?, 'My street', ?, ?, ?, '[]', ?, 8, 1, 'UTC', ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " strftime('%Y-%m-%dT%H:%M:%SZ', ?, 'unixepoch'),"
        # A digest is always scheduled.
        " CASE WHEN ? THEN strftime('%Y-%m-%dT08:00:00Z', 'now', '+1 day') END)",
        (one.id, account, json.dumps(one.area),
         json.dumps({"category": ",".join(one.categories)} if one.categories else {}), json.dumps(one.events), mail,
         chance.randbytes(16), chance.randbytes(16) if one.delivery == "feed" else None, hook,
         chance.randbytes(16) if hook else None,
         # Half of the receivers have to meet the challenge first.
         now if hook and proven else None, now, now, since, version,
         int(one.free_at) - PAUSE if one.free_at else None, mail in ("daily", "weekly"))).lastrowid


class Due:
    """The changes that watches must tell, computed without Farol. Areas without a box are left out."""

    def __init__(self, changes):
        self.changes = sorted(changes, key=lambda one: one.longitude)
        self.longitudes = [one.longitude for one in self.changes]

    def of(self, watch):
        """The ids of the devices whose change the watch must tell; None if it cannot be decided here."""
        if not watch.box:
            return None
        return {one.device for one in self.within(watch.box)
                if one.event in watch.events and (not watch.categories or one.category in watch.categories)
                and contains(watch.area, one.longitude, one.latitude)}

    def within(self, box):
        """The changes in a box."""
        west, south, east, north = box
        near = self.changes[bisect.bisect_left(self.longitudes, west):bisect.bisect_right(self.longitudes, east)]
        return [one for one in near if south <= one.latitude <= north]


def contains(area, longitude, latitude):
    if area["type"] == "circle":
        return distance(*area["center"], longitude, latitude) <= area["radius"] * (1 - 1e-6)
    if area["type"] == "polygon":
        ring, inside = area["coordinates"][0], False
        for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
            if (y1 > latitude) != (y2 > latitude) and longitude < (x2 - x1) * (latitude - y1) / (y2 - y1) + x1:
                inside = not inside
        return inside
    return True


def distance(longitude, latitude, other_longitude, other_latitude):
    """Metres on the sphere (haversine formula)."""
    a, b = math.radians(latitude), math.radians(other_latitude)
    east = math.radians(other_longitude - longitude)
    half = math.sin((b - a) / 2) ** 2 + math.cos(a) * math.cos(b) * math.sin(east / 2) ** 2
    return 2 * EARTH * math.asin(math.sqrt(half))
