"""The synthetic world of the measurements, and the requests for it."""

import glob
import hashlib
import math
import os
import random
import sqlite3
import subprocess

# The statuses in lists by default.
STANDING = "('reported', 'confirmed', 'disputed')"
# A box of about 30 by 30 kilometres: a city.
CITY = 0.135


def fingerprint(root, devices):
    """A digest of the inputs of the database: schema, generator, bulk loading, taxonomies, number of devices."""
    digest = hashlib.sha256(str(devices).encode())
    for pattern in ("migrations/*.sql", "Sources/farol/Commands/SyntheticWorld.swift", "Sources/Devices/BulkLoad/*",
                    "seed/taxonomies/*"):
        for path in sorted(glob.glob(os.path.join(root, pattern))):
            with open(path, "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()


def make(root, folder, farol, devices, environment):
    """The path of the database. It is generated if it does not exist."""
    path = os.path.join(folder, f"world-{devices}", "farol.db")
    stamp = os.path.join(os.path.dirname(path), "fingerprint")
    wanted = fingerprint(root, devices)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for name in ("places.db", "borders.db", "countries.bin", "basemap.mbtiles", "basemap-small.mbtiles"):
        link = os.path.join(os.path.dirname(path), name)
        if not os.path.lexists(link):
            os.symlink(os.path.join(root, "data", name), link)
    if os.path.exists(stamp) and open(stamp).read() == wanted:
        return path
    for name in (path, path + "-wal", path + "-shm", stamp):
        if os.path.exists(name):
            os.remove(name)
    print(f"==> Generating a world of {devices:,} devices (once; minutes)", flush=True)
    subprocess.run(
        [farol, "generate", "--devices", str(devices), "--seed", "1", "--database", path,
         "--home", root], check=True, env=environment)
    with open(stamp, "w") as file:
        file.write(wanted)
    return path


class World:
    """Random requests about existing devices; the same for the same database."""

    def __init__(self, path):
        self.path = path
        self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.chance = random.Random(7)
        self.count = self.one("SELECT count(*) FROM device")
        first, last = self.database.execute("SELECT min(rowid), max(rowid) FROM device").fetchone()
        self.rowids = range(first, last + 1)

    def one(self, sql, values=()):
        return self.database.execute(sql, values).fetchone()[0]

    def devices(self, count):
        found = []
        while len(found) < count:
            row = self.database.execute(
                "SELECT id, longitude, latitude, category FROM device WHERE rowid = ?",
                (self.chance.choice(self.rowids),)).fetchone()
            if row:
                found.append(row)
        return found

    def box(self, longitude, latitude, high=CITY):
        wide = high / max(0.1, math.cos(math.radians(latitude)))
        return (max(-180, round(longitude - wide, 5)), round(latitude - high, 5),
                min(180, round(longitude + wide, 5)), round(latitude + high, 5))

    def in_box(self, box, category=None, most=-1):
        """The number of devices in a list, counted by SQL on the exact columns, at most `most`."""
        west, south, east, north = box
        sql = ("SELECT 1 FROM device_box JOIN device USING (rowid) WHERE device_box.west <= ?"
               " AND device_box.east >= ? AND device_box.south <= ? AND device_box.north >= ?"
               " AND longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ? AND hidden = 0"
               f" AND status IN {STANDING}")
        values = [east, west, north, south, west, east, south, north]
        if category:
            number = "(SELECT number FROM category WHERE code = ?)"
            sql += f" AND category = ? AND category_low <= {number} AND category_high >= {number}"
            values += [category, category, category]
        return self.one(f"SELECT count(*) FROM ({sql} LIMIT ?)", values + [most])

    def city_pages(self, count):
        for _, longitude, latitude, category in self.devices(count):
            yield self.box(longitude, latitude), category

    def streets(self, count):
        """Boxes of some hundred metres around a device, in places with many devices."""
        for _, longitude, latitude, _ in self.devices(count):
            for size in (0.0005, 0.001, 0.002, 0.004, 0.008):
                box = self.box(longitude, latitude, size)
                if self.in_box(box, most=30) >= 30:
                    yield box, None
                    break

    def whole(self, items, count, least, most, pages):
        """Lists of all devices in a box, for boxes with a medium number of devices."""
        targets = []
        while len(targets) < count:
            for box, category in pages(20):
                if least <= self.in_box(box, category, most + 1) <= most:
                    wanted = f"&category={category}" if category else ""
                    targets.append(f"{items}?bbox={text(box)}{wanted}&limit=10000")
        return targets[:count]

    def targets(self):
        """Targets by kind of request, in the order of the table."""
        items = "/api/collections/devices/items"
        cities = [f"{items}?bbox={text(box)}&category={category}&limit=100"
                  for box, category in self.city_pages(400)]
        large = []
        while len(large) < 60:
            box = self.box(*self.devices(1)[0][1:3])
            if self.in_box(box, most=1_000) >= 1_000:
                large.append(f"{items}?bbox={text(box)}&limit=1000")
        kinds = {
            "100 devices of a city": cities,
            "1,000 devices of a city": large,
            "a category of a city, whole": self.whole(items, 60, 150, 600, self.city_pages),
            "a street, whole": self.whole(items, 200, 30, 75, self.streets),
            "one device": [f"{items}/{device[0]}" for device in self.devices(4_000)],
        }
        for zoom in (4, 8, 12, 15):
            tiles = sorted({tile(zoom, *device[1:3]) for device in self.devices(1_500)})
            self.chance.shuffle(tiles)
            tiles = [f"/api/tiles/devices/{zoom}/{x}/{y}.mvt" for x, y in tiles[:300]]
            # The box contains every tile and is unique, so no tile is in the cache.
            kinds[f"tile z{zoom}, made"] = [f"{path}?bbox=-180,-90,180,86.{{n}}" for path in tiles]
            kinds[f"tile z{zoom}, cached"] = tiles
        categories = [row[0] for row in self.database.execute(
            "SELECT category FROM device GROUP BY 1 ORDER BY count(*) DESC LIMIT 12")]
        kinds["100 of the world, filtered"] = [
            f"{items}?category={category}&status=confirmed&limit=100" for category in categories]
        statistics = "/api/statistics"
        boxes = [text(box) for box, _ in self.city_pages(60)]
        kinds["statistics of a city"] = [
            f"{statistics}?bbox={box}&group_by=category,status" for box in boxes]
        kinds["statistics of a city, by month"] = [
            f"{statistics}?bbox={box}&group_by=operator&interval=month" for box in boxes]
        kinds["statistics of the world"] = [
            f"{statistics}?group_by={crossed}"
            for crossed in ("category,status", "data_collected,precision", "setting,operator_kind")]
        kinds["statistics of the world, by device"] = [
            f"{statistics}?group_by={crossed}"
            for crossed in ("operator", "country,category", "freshness,operator")]
        kinds["statistics of the world, by month"] = [
            f"{statistics}?group_by=category&interval=month&from=2025-01-01"]
        kinds["statistics of the world, in a grid"] = [f"{statistics}?grid=8"]
        # A word that occurs in a third of all devices.
        kinds["statistics of a city, with a word"] = [
            f"{statistics}?bbox={box}&group_by=category&q=camera" for box in boxes]
        kinds["statistics of the world, with a word"] = [
            f"{statistics}?group_by=category&q=camera"]
        names = ("lisb", "paris", "são paulo", "new", "springf", "tokyo", "münchen", "santa",
                 "cairo", "porto a", "san fran", "berl", "london", "funchal", "mumb", "guang")
        kinds["place by name"] = [
            f"/api/places?q={quoted(name)}" for name in names]
        kinds["small body"] = ["/healthz"]
        return kinds


def tile(zoom, longitude, latitude):
    """The Web Mercator tile of a position."""
    across = 1 << zoom
    sine = math.sin(math.radians(latitude))
    y = (0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * across
    return int((longitude + 180) / 360 * across) % across, min(max(int(y), 0), across - 1)


def text(box):
    return ",".join(f"{edge:g}" if edge == int(edge) else f"{edge:.5f}" for edge in box)


def quoted(name):
    return "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02X}"
                   for byte in name.encode())
