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
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import street_words
from border_shapes import SCALE, Polygons, area, contains, drawings, inner_point, packed, whole

OPENSTREETMAP = "© OpenStreetMap contributors"
NATURAL_EARTH = "Made with Natural Earth"

# Borders that the gazetteer does not have get the number of their area (of libosmium) from here on.
FIRST_BORDER_ID = 3_000_000_000
FIRST_REGION_ID = 2_000_000_000  # as in places.py

# The codes that the country map has for regions to which Natural Earth gives another one.
REGION_CODES = {
    ("FR", "Guadeloupe"): "GP", ("FR", "Guyane française"): "GF", ("FR", "La Réunion"): "RE",
    ("FR", "Martinique"): "MQ", ("FR", "Mayotte"): "YT", ("MA", "Laâyoune - Boujdour - Sakia El Hamra"): "EH",
    ("MA", "Oued el Dahab"): "EH", ("NL", "Bonaire"): "BQ", ("NL", "Saba"): "BQ", ("NL", "St. Eustatius"): "BQ",
    ("NO", "Bouvet Island"): "BV", ("NO", "Svalbard"): "SJ", ("RU", "Crimea"): "UA", ("RU", "Sevastopol"): "UA",
}  # fmt: skip

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
-- The parts of countries. Devices with the code of the country are in the part that they are nearest to.
CREATE TABLE part (
  place INTEGER PRIMARY KEY, country TEXT NOT NULL, nearest BLOB NOT NULL
) STRICT;
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
    from nearest_part import nearest_parts

    countries = {code: place for place, code in places.execute("SELECT id, country FROM place WHERE kind = 'country'")}
    for shape in natural_earth.countries(folder):
        if shape.code in countries:
            polygons = [whole(rings(polygon)) for polygon in shape.polygons]
            file.add(countries[shape.code], _border(shape.number, 2, [shape.name], polygons), places, shape=False)
    parts: dict[str, list[Border]] = defaultdict(list)
    for shape in natural_earth.regions(folder):
        polygons = [whole(rings(polygon)) for polygon in shape.polygons]
        border = _border(shape.number, 4, [shape.name], polygons)
        code = REGION_CODES.get((shape.code, shape.name), shape.code)
        if shape.code in countries and border:
            file.add(FIRST_REGION_ID + shape.number, border, places, parent=countries.get(code), country=code)
            parts[code].append(border)
    for code, borders in parts.items():
        for border, nearest in zip(borders, nearest_parts([border.polygons for border in borders])):
            file.add_part(FIRST_REGION_ID + border.number, code, nearest)


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
    size = sum(area(rings[0]) - sum(map(area, rings[1:])) for rings in polygons) * scale
    return Border(number, level, names, name_pt, code, polygons, box, size)


# OpenStreetMap


def _extract(lines: Iterable[str], places: sqlite3.Connection, file: "_File") -> None:
    borders = [border for line in lines if line.strip() and (border := _read(json.loads(line)))]
    known = _Known(places)
    numbers = _numbers(borders, known)
    around = _Around(borders)
    for border in borders:
        outer = list(around.of(border))
        chain = [border, *outer]
        codes = (*(other.code for other in chain), *(known.country(other) for other in chain))
        country = next((code for code in codes if code), None)
        region = next((other.names[0] for other in outer if 2 < other.level <= 4), None)
        for place in numbers[border.number]:
            # A region that is the same as a town is not a second part of what is around it.
            is_first = place == numbers[border.number][0]
            parent = numbers[outer[0].number][0] if outer and is_first else None
            file.add(place, border, places, parent=parent, country=country, region=region)


def _numbers(borders: list[Border], known: "_Known") -> dict[int, list[int]]:
    """The places of each border, of which the first names it."""
    # A town may have the name of its district and county; the likeliest border gets its number.
    order = {level: place for place, level in enumerate(TOWN_LEVELS)}
    numbers: dict[int, list[int]] = {border.number: [] for border in borders}
    taken: set[int] = set()
    for border in sorted(borders, key=lambda border: (order.get(border.level, 99), border.size)):
        found = [place for place in known.places_of(border) if place not in taken]
        taken.update(found)
        numbers[border.number] += found
    # A region may have the name of its town; the border with the most similar box gets its number.
    similar: dict[int, tuple[float, int]] = {}
    for border in borders:
        for place, share in known.regions_like(border):
            similar[place] = max(similar.get(place, (0, 0)), (share, border.number))
    for place, (_, number) in sorted(similar.items()):
        numbers[number].append(place)
    return {number: places or [FIRST_BORDER_ID + number] for number, places in numbers.items()}


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
        number, int(level), list(dict.fromkeys(names)), [whole(rings) for rings in parts],
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

    def places_of(self, border: Border) -> list[int]:
        """Its country or town."""
        if border.level <= 2:
            return [self.countries[border.code]] if border.code in self.countries else []
        return self._town(border)

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

    def regions_like(self, border: Border) -> Iterator[tuple[int, float]]:
        """The regions with this name and nearly this box, with the common share of the boxes."""
        if not 2 < border.level <= 8:
            return
        box = [value / SCALE for value in border.box]
        for name in self._names(border):
            for place, *other in self.regions.get(street_words.plain(name), ()):
                if (share := _common(box, other)) > 0.6:
                    yield place, share

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
        for zoom, polygons in drawings(border.polygons):
            self.file.execute("INSERT OR REPLACE INTO drawing VALUES (?, ?, ?)", (place, zoom, packed(polygons)))
        if not row:
            for text in dict.fromkeys(street_words.plain(name) for name in border.names):
                if text:
                    self.file.execute("INSERT OR IGNORE INTO border_name VALUES (?, ?)", (text, place))

    def add_part(self, place: int, country: str, nearest: Polygons) -> None:
        self.file.execute("INSERT INTO part VALUES (?, ?, ?)", (place, country, packed(nearest)))

    def close(self, attribution: str, date: str) -> None:
        self.file.execute("INSERT INTO metadata VALUES ('attribution', ?)", (attribution,))
        if date:
            self.file.execute("INSERT INTO metadata VALUES ('date', ?)", (date,))
        self.file.commit()
        self.file.execute("VACUUM")
        self.file.close()


def _kind(level: int) -> str:
    return "country" if level <= 2 else "region" if level <= 4 else "city" if level == 8 else "district"


if __name__ == "__main__":
    main()
