"""Builds the borders of places in one SQLite file.

    osmium export … EXTRACT | borders.py extract --places data/places.db --output FILE
    borders.py world --areas DIR --places data/places.db --output FILE

setup/borders.sh runs the first, for a street map; its borders are those of OpenStreetMap, exact to the centimetre. The
second has the countries and regions of Natural Earth. docs/how-to/setup.md describes the file.
"""

import argparse
import json
import math
import os
import re
import sqlite3
import struct
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import street_words
from arcs import simplified

OPENSTREETMAP = "© OpenStreetMap contributors"
NATURAL_EARTH = "Made with Natural Earth"

# Borders that the gazetteer does not have get the number of their area (of libosmium) from here on.
FIRST_BORDER_ID = 3_000_000_000
FIRST_REGION_ID = 2_000_000_000  # as in places.py

# Corners are integers of 10⁻⁷ degree.
SCALE = 10_000_000

# The zooms of drawings, and how far a simplified line may be from the border: three quarters of a pixel of a map whose
# world is 512 · 2^zoom pixels wide.
ZOOMS = (3, 6, 9, 12)
TOLERANCES = {zoom: 0.75 * 360 / (512 << zoom) * SCALE for zoom in ZOOMS}
# Rings that a drawing shows smaller than this, in pixels, are left out.
SMALLEST = 3

# The level of the border (`admin_level`) that people most likely mean by the name of a town, the likeliest first.
TOWN_LEVELS = (8, 7, 6, 4, 5, 9, 10)
# Words that names of administrative units have and names of towns do not.
AROUND_NAMES = re.compile(r"\s*\(.*\)$|,.*$")

SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE border (
  place     INTEGER PRIMARY KEY,  -- the id of the place search; from 3,000,000,000 for places only this file has
  level     INTEGER NOT NULL,     -- admin_level of OpenStreetMap: 2 country, 4 region, 8 town …
  kind      TEXT NOT NULL,        -- country, region, district, city
  name      TEXT NOT NULL,
  name_pt   TEXT,                 -- only where it differs
  region    TEXT,                 -- the name of the region around it
  country   TEXT,                 -- ISO 3166-1 alpha-2
  parent    INTEGER,              -- the place whose border is the next around it
  longitude REAL NOT NULL, latitude REAL NOT NULL,  -- a point inside
  west REAL NOT NULL, south REAL NOT NULL, east REAL NOT NULL, north REAL NOT NULL,
  shape     BLOB                  -- the exact polygons; NULL: only drawn
) STRICT;
CREATE INDEX border_parent ON border (parent, level);
-- Simplified polygons for maps of this zoom and less.
CREATE TABLE drawing (
  place INTEGER NOT NULL, zoom INTEGER NOT NULL, shape BLOB NOT NULL, PRIMARY KEY (place, zoom)
) STRICT, WITHOUT ROWID;
-- Plain words of the names of places only this file has.
CREATE TABLE border_name (
  name TEXT NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (name, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""

Ring = list[tuple[int, int]]
Polygons = list[list[Ring]]


class Border(NamedTuple):
    number: int
    level: int
    names: list[str]  # the displayed name first
    name_pt: str | None
    code: str | None  # ISO 3166-1 of a country
    polygons: Polygons
    box: tuple[int, int, int, int]
    size: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", choices=("extract", "world"))
    parser.add_argument("--areas", type=Path)
    parser.add_argument("--date", default="")
    for name in ("places", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    made = options.output.with_name(f".{options.output.name}-{os.getpid()}")
    try:
        with sqlite3.connect(f"file:{options.places}?mode=ro", uri=True) as places:
            file = _File(made)
            if options.source == "world":
                _world(options.areas, places, file)
            else:
                _extract(sys.stdin, places, file)
            file.close(NATURAL_EARTH if options.source == "world" else OPENSTREETMAP, options.date)
        os.replace(made, options.output)
    finally:
        made.unlink(missing_ok=True)
    size = options.output.stat().st_size / 1e6
    print(f"    {options.output.name}: {file.count:,} borders, {size:.1f} MB", file=sys.stderr)


# Natural Earth


def _world(folder: Path, places: sqlite3.Connection, file: "_File") -> None:
    """Countries, of which only drawings are stored, because the country map decides where a device is; and regions."""
    import natural_earth
    from geometry import rings

    countries = {code: place for place, code in places.execute("SELECT id, country FROM place WHERE kind = 'country'")}
    for area in natural_earth.countries(folder):
        if area.code in countries:
            polygons = [_whole(rings(polygon)) for polygon in area.polygons]
            file.add(countries[area.code], _border(area.number, 2, [area.name], polygons), places, shape=False)
    for area in natural_earth.regions(folder):
        polygons = [_whole(rings(polygon)) for polygon in area.polygons]
        border = _border(area.number, 4, [area.name], polygons)
        if area.code in countries and border:
            file.add(FIRST_REGION_ID + area.number, border, places, parent=countries[area.code], country=area.code)


def _whole(rings: Iterable[Iterable[tuple[float, float]]]) -> list[Ring]:
    """Rings of whole numbers, without the repetition of the first corner. Neighbours keep their common corners."""
    found = []
    for ring in rings:
        points = [(round(x * SCALE), round(y * SCALE)) for x, y, *_ in ring]
        points = [b for a, b in zip([points[-1], *points], points) if a != b]
        if len(points) > 2:
            found.append(points)
        elif not found:
            return []  # without its outer ring a polygon is nothing
    return found


def _border(
    number: int, level: int, names: list[str], polygons: Polygons, name_pt: str | None = None, code: str | None = None
) -> Border | None:
    polygons = [rings for rings in polygons if rings]
    if not polygons:
        return None
    points = [point for rings in polygons for point in rings[0]]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    box = (min(xs), min(ys), max(xs), max(ys))
    scale = math.cos(math.radians((box[1] + box[3]) / 2 / SCALE))
    size = sum(_area(rings[0]) - sum(map(_area, rings[1:])) for rings in polygons) * scale
    return Border(number, level, names, name_pt, code, polygons, box, size)


def _area(ring: Ring) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, [*ring[1:], ring[0]]))) / 2


# OpenStreetMap


def _extract(lines: Iterable[str], places: sqlite3.Connection, file: "_File") -> None:
    borders = [border for line in lines if line.strip() and (border := _read(json.loads(line)))]
    known = _Known(places)
    # A town may have the name of its district and county; the likeliest border gets its number.
    order = {level: place for place, level in enumerate(TOWN_LEVELS)}
    numbers: dict[int, list[int]] = {}
    taken: set[int] = set()
    for border in sorted(borders, key=lambda border: (order.get(border.level, 99), border.size)):
        ids = [place for place in known.ids(border) if place not in taken]
        taken.update(ids)
        numbers[border.number] = ids or [FIRST_BORDER_ID + border.number]
    around = _Around(borders)
    for border in borders:
        outer = list(around.of(border))
        country = next((other.code for other in [border, *outer] if other.code), None) or known.country(border)
        region = next((other.names[0] for other in outer if 2 < other.level <= 4), None)
        for place in numbers[border.number]:
            # A region that is the same as a town is not a second part of what is around it.
            is_first = place == numbers[border.number][0]
            parent = numbers[outer[0].number][0] if outer and is_first else None
            file.add(place, border, places, parent=parent, country=country, region=region)


def _read(feature: dict) -> Border | None:
    """An administrative border of a GeoJSON feature."""
    tags, geometry = feature["properties"], feature["geometry"]
    level = tags.get("admin_level", "")
    if tags.get("boundary") != "administrative" or not tags.get("name") or not re.fullmatch("[0-9]{1,2}", level):
        return None
    parts = {"Polygon": [geometry["coordinates"]], "MultiPolygon": geometry["coordinates"]}.get(geometry["type"], [])
    names = [tags[key] for key in ("name", "name:en", "short_name", "official_name", "alt_name") if tags.get(key)]
    names += [value for key, value in tags.items() if key.startswith("name:") and len(key) == 7]
    number = int(re.sub("[^0-9]", "", str(feature.get("id", "0"))) or 0)
    code = tags.get("ISO3166-1:alpha2") or tags.get("ISO3166-1")
    return _border(
        number, int(level), list(dict.fromkeys(names)), [_whole(rings) for rings in parts],
        tags.get("name:pt"), code if level == "2" else None,
    )  # fmt: skip


class _Known:
    """Finds the numbers of borders in the place search."""

    def __init__(self, places: sqlite3.Connection) -> None:
        self.places = places
        rows = places.execute("SELECT id, country FROM place WHERE kind = 'country'")
        self.countries = {code: place for place, code in rows}
        self.regions = defaultdict(list)
        for row in places.execute("SELECT name, name_pt, id, west, south, east, north FROM place WHERE kind = 'region'"):
            for name in {row[0], row[1]} - {None}:
                self.regions[street_words.plain(name)].append(row[2:])

    def ids(self, border: Border) -> list[int]:
        if border.level <= 2:
            return [self.countries[border.code]] if border.code in self.countries else []
        return [*self._town(border), *self._region(border)]

    def _names(self, border: Border) -> list[str]:
        shortened = [AROUND_NAMES.sub("", name) for name in border.names[:1]]
        return list(dict.fromkeys([*border.names[:1], *shortened, *border.names[1:]]))

    def _town(self, border: Border) -> list[int]:
        """The largest town inside with one of the names."""
        if border.level not in TOWN_LEVELS:
            return []
        box = [value / SCALE for value in border.box]
        inside = "SELECT id FROM place_point WHERE east >= ? AND west <= ? AND north >= ? AND south <= ?"
        for name in self._names(border):
            if not any(character.isalnum() for character in name):
                continue
            text = '"' + name.replace('"', '""') + '"'
            rows = self.places.execute(
                "SELECT place.id, place.longitude, place.latitude FROM place_name JOIN place ON place.rank = "
                f"place_name.rowid WHERE place_name MATCH ? AND place.kind = 'city' AND place.id IN ({inside}) "
                "ORDER BY place.rank LIMIT 20",
                (f"{{name alternate}} : {text}", box[0], box[2], box[1], box[3]),
            )
            for place, x, y in rows:
                if contains(border.polygons, round(x * SCALE), round(y * SCALE)):
                    return [place]
        return []

    def _region(self, border: Border) -> list[int]:
        """The region with this name and nearly this box."""
        if border.level > 8:
            return []
        box = [value / SCALE for value in border.box]
        return [
            place
            for name in self._names(border)
            for place, *other in self.regions.get(street_words.plain(name), ())
            if _common(box, other) > 0.6
        ][:1]

    def country(self, border: Border) -> str | None:
        box = [value / SCALE for value in border.box]
        rows = self.places.execute(
            "SELECT place.country, place.longitude, place.latitude FROM place_point JOIN place ON place.id = place_point.id "
            "WHERE place_point.east >= ? AND place_point.west <= ? AND place_point.north >= ? AND place_point.south <= ? "
            "ORDER BY place.rank LIMIT 50",
            (box[0], box[2], box[1], box[3]),
        ).fetchall()
        inside = [row for row in rows if contains(border.polygons, round(row[1] * SCALE), round(row[2] * SCALE))]
        return next((row[0] for row in [*inside, *rows]), None)


def _common(one: list[float], other: list[float]) -> float:
    """The share of the overlap of two boxes in both together."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return 0
    size = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return wide * high / (size - wide * high)


class _Around:
    """Finds the borders around a border."""

    SIDE = SCALE  # of a cell: a degree

    def __init__(self, borders: list[Border]) -> None:
        self.cells = defaultdict(list)
        for border in borders:
            west, south, east, north = (value // self.SIDE for value in border.box)
            for column in range(west, east + 1):
                for row in range(south, north + 1):
                    self.cells[column, row].append(border)

    def of(self, border: Border) -> Iterator[Border]:
        """Those of a lower level, the smallest first."""
        x, y = inner_point(border.polygons)
        found = [
            other
            for other in self.cells[x // self.SIDE, y // self.SIDE]
            if other.level < border.level
            and other.box[0] <= x <= other.box[2] and other.box[1] <= y <= other.box[3]
            and contains(other.polygons, x, y)
        ]  # fmt: skip
        return iter(sorted(found, key=lambda other: other.size))


def contains(polygons: Polygons, x: int, y: int) -> bool:
    """Whether a position is inside, by the rule of `Region` in Farol."""
    inside = False
    for rings in polygons:
        for ring in rings:
            for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]]):
                if (ay <= y) != (by <= y):
                    if ay > by:
                        ax, ay, bx, by = bx, by, ax, ay
                    inside ^= (x - ax) * (by - ay) < (y - ay) * (bx - ax)
    return inside


def inner_point(polygons: Polygons) -> tuple[int, int]:
    """The middle of the widest section of the largest polygon near half its height."""
    rings = max(polygons, key=lambda rings: _area(rings[0]))
    south, north = min(y for _, y in rings[0]), max(y for _, y in rings[0])
    best = (-1, rings[0][0])
    for share in (45, 50, 55):
        y = south + (north - south) * share // 100
        crossings = sorted(
            ax + (y - ay) * (bx - ax) // (by - ay)
            for ring in rings
            for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]])
            if (ay <= y) != (by <= y)
        )
        for west, east in zip(crossings[::2], crossings[1::2]):
            best = max(best, (east - west, ((west + east) // 2, y)))
    return best[1]


# Writing


class _File:
    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self.file = sqlite3.connect(path)
        self.file.executescript(SCHEMA)
        self.count = 0

    def add(
        self, place: int, border: Border | None, places: sqlite3.Connection, *, shape: bool = True,
        parent: int | None = None, country: str | None = None, region: str | None = None,
    ) -> None:  # fmt: skip
        if not border:
            return
        row = places.execute(
            "SELECT kind, name, name_pt, region, country FROM place WHERE id = ?", (place,)
        ).fetchone()
        kind, name, name_pt, around, code = row or (
            _kind(border.level), border.names[0], border.name_pt, region, country,
        )  # fmt: skip
        x, y = inner_point(border.polygons)
        self.file.execute(
            "INSERT OR REPLACE INTO border VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (place, border.level, kind, name, name_pt if name_pt != name else None, around or region, code or country,
             parent if parent != place else None, x / SCALE, y / SCALE, *(value / SCALE for value in border.box),
             packed(border.polygons) if shape else None),
        )  # fmt: skip
        self.count += 1
        for zoom, polygons in _drawings(border):
            self.file.execute("INSERT OR REPLACE INTO drawing VALUES (?, ?, ?)", (place, zoom, packed(polygons)))
        if not row:
            for text in dict.fromkeys(street_words.plain(name) for name in border.names):
                if text:
                    self.file.execute("INSERT OR IGNORE INTO border_name VALUES (?, ?)", (text, place))

    def close(self, attribution: str, date: str) -> None:
        self.file.execute("INSERT INTO metadata VALUES ('attribution', ?)", (attribution,))
        if date:
            self.file.execute("INSERT INTO metadata VALUES ('date', ?)", (date,))
        self.file.commit()
        self.file.execute("VACUUM")
        self.file.close()


def _kind(level: int) -> str:
    return "country" if level <= 2 else "region" if level <= 4 else "city" if level == 8 else "district"


def _drawings(border: Border) -> Iterator[tuple[int, Polygons]]:
    """The simplified polygons of each zoom, from the finest. One that would hardly be smaller is left out."""
    polygons, corners = border.polygons, _corners(border.polygons)
    for zoom in reversed(ZOOMS):
        polygons = _simplified(polygons, TOLERANCES[zoom])
        if _corners(polygons) < 0.8 * corners:
            corners = _corners(polygons)
            yield zoom, polygons


def _corners(polygons: Polygons) -> int:
    return sum(len(ring) for rings in polygons for ring in rings)


def _simplified(polygons: Polygons, tolerance: float) -> Polygons:
    largest = max(polygons, key=lambda rings: _area(rings[0]))
    kept = []
    for rings in polygons:
        if rings is not largest and _area(rings[0]) < (SMALLEST * tolerance) ** 2:
            continue
        found = []
        for ring in rings:
            if found and _area(ring) < (SMALLEST * tolerance) ** 2:
                continue
            points = simplified([*ring, ring[0]], tolerance, SCALE)[:-1]
            if len(points) > 2:
                found.append(points)
            elif not found:
                found.append(ring)
        kept.append(found)
    return kept


def packed(polygons: Polygons) -> bytes:
    """The form of `RegionShape` in Farol."""
    parts = [struct.pack("<I", len(polygons))]
    for rings in polygons:
        parts.append(struct.pack("<I", len(rings)))
        for ring in rings:
            parts.append(struct.pack(f"<I{2 * len(ring)}i", len(ring), *(value for point in ring for value in point)))
    return b"".join(parts)


if __name__ == "__main__":
    main()
