"""Builds the address search of a street map: streets, house numbers and postcodes in one SQLite file.

    osmium export -f geojsonseq -x print_record_separator=false EXTRACT | addresses.py --output FILE

setup/addresses.sh runs both commands.

The features are read once and sorted on disk, so an extract of a country needs little memory.
"""

import argparse
import json
import math
import os
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import street_words
from street_areas import Piece, areas, cell_of, morton

ATTRIBUTION = "© OpenStreetMap contributors"

# Ways of these kinds have no addresses, or are parts of another one.
NO_STREETS = {"motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link", "platform",
              "proposed", "construction", "raceway", "elevator", "bus_stop", "street_lamp"}  # fmt: skip
# How far a settlement gives its name to the streets around it, in degrees of latitude.
REACHES = {"city": 0.2, "town": 0.1, "borough": 0.1, "village": 0.06, "suburb": 0.04, "hamlet": 0.03,
           "quarter": 0.02, "neighbourhood": 0.02, "isolated_dwelling": 0.01}  # fmt: skip
TOWNS = {"city", "town", "borough", "village", "hamlet"}
LONGEST = 120  # characters of a name
MOST_POSTCODES = 12  # of one street in the search text

# Positions are integers of 10⁻⁶ degree.
SCALE = 1_000_000

WORK = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -200000;
CREATE TABLE item (name TEXT, label TEXT, x INTEGER, y INTEGER, number TEXT, postcode TEXT, city TEXT);
CREATE TABLE settlement (name TEXT, kind TEXT, x INTEGER, y INTEGER);
CREATE TABLE area (name TEXT, place TEXT, postcode TEXT, postcodes TEXT, around TEXT, x INTEGER, y INTEGER,
  west INTEGER, south INTEGER, east INTEGER, north INTEGER, order_key INTEGER, number INTEGER PRIMARY KEY);
CREATE TABLE found_house (area INTEGER, number TEXT, x INTEGER, y INTEGER, postcode TEXT);
CREATE TABLE street (area INTEGER PRIMARY KEY, id INTEGER);
"""

SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
-- One street of one town, in the order of a space-filling curve: neighbours have near ids.
CREATE TABLE street (
  id       INTEGER PRIMARY KEY,
  curve    INTEGER NOT NULL,  -- the place on the curve: the bits of x and y of a grid, in turn
  name     TEXT NOT NULL,
  place    TEXT,              -- town
  postcode TEXT,              -- if all known addresses have the same
  number_first INTEGER NOT NULL,  -- 1: «10 Downing Street», 0: «Rua Garrett 10»
  houses   INTEGER NOT NULL,
  x INTEGER NOT NULL, y INTEGER NOT NULL,  -- 10⁻⁶ degree
  west INTEGER NOT NULL, south INTEGER NOT NULL, east INTEGER NOT NULL, north INTEGER NOT NULL
) STRICT;
CREATE INDEX street_curve ON street (curve);
CREATE TABLE house (
  street   INTEGER NOT NULL,
  number   TEXT NOT NULL,     -- as people write it, without spaces and in lower case
  x INTEGER NOT NULL, y INTEGER NOT NULL,
  postcode TEXT,              -- if the street has several
  PRIMARY KEY (street, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE postcode (
  code     TEXT NOT NULL,     -- letters and digits only
  shown    TEXT NOT NULL,
  place    TEXT,
  search   TEXT NOT NULL,     -- plain words of the place
  x INTEGER NOT NULL, y INTEGER NOT NULL,
  west INTEGER NOT NULL, south INTEGER NOT NULL, east INTEGER NOT NULL, north INTEGER NOT NULL
) STRICT;
-- The rowid is street.id.
CREATE VIRTUAL TABLE street_text USING fts5(
  name, around, content = '', columnsize = 0, prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE abbreviation (short TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (short, word)) STRICT, WITHOUT ROWID;
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    made = options.output.with_name(f".{options.output.name}-{os.getpid()}")
    try:
        houses, streets, postcodes = build(sys.stdin, made)
        os.replace(made, options.output)
    finally:
        for file in (made, _work_of(made)):
            file.unlink(missing_ok=True)
    size = options.output.stat().st_size / 1e6
    print(f"    {options.output.name}: {streets:,} streets, {houses:,} addresses, {postcodes:,} postcodes, {size:.1f} MB",
          file=sys.stderr)  # fmt: skip


def build(lines: Iterable[str], output: Path) -> tuple[int, int, int]:
    """Writes `output` from GeoJSON features, one in a line. Returns the numbers of addresses, streets and postcodes."""
    for file in (output, _work_of(output)):
        file.unlink(missing_ok=True)
    work = sqlite3.connect(_work_of(output))
    work.executescript(WORK)
    _read(lines, work)
    _group(work)
    file = sqlite3.connect(output)
    file.executescript(SCHEMA)
    _write(work, file)
    work.close()
    counts = tuple(file.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("house", "street", "postcode"))
    file.close()
    return counts


def _work_of(output: Path) -> Path:
    return output.with_name(output.name + "-work")


# Reading


def _read(lines: Iterable[str], work: sqlite3.Connection) -> None:
    items: list[tuple] = []
    for line in lines:
        feature = json.loads(line)
        tags, points = feature["properties"], _points(feature["geometry"])
        if not points:
            continue
        items += _address(tags, points)
        items += _way(tags, feature["geometry"]["type"], points)
        if tags.get("place") in REACHES and tags.get("name") and feature["geometry"]["type"] == "Point":
            work.execute("INSERT INTO settlement VALUES (?, ?, ?, ?)", (tags["name"][:LONGEST], tags["place"], *points[0]))
        if len(items) > 20_000:
            work.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?)", items)
            items = []
    work.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?)", items)
    work.commit()


def _points(geometry: dict) -> list[tuple[int, int]]:
    """The positions of a point or line, or of the outer ring of an area."""
    positions = geometry["coordinates"]
    depth = {"Point": 0, "LineString": 1, "Polygon": 2, "MultiPolygon": 3}.get(geometry["type"])
    if depth is None:
        return []
    for _ in range(depth - 1):
        positions = positions[0]
    positions = positions if depth else [positions]
    return [(round(x * SCALE), round(y * SCALE)) for x, y, *_ in positions if abs(x) <= 180 and abs(y) <= 90]


def _address(tags: dict, points: list[tuple[int, int]]) -> Iterator[tuple]:
    """An item for each house number of a feature, in the middle of its bounding box."""
    street = tags.get("addr:street") or tags.get("addr:place")
    numbers = tags.get("addr:housenumber")
    if not street or not numbers or len(street) > LONGEST:
        return
    xs, ys = [x for x, _ in points], [y for _, y in points]
    middle = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    city = tags.get("addr:city") or tags.get("addr:suburb") or tags.get("addr:hamlet") or ""
    postcode = _first(tags.get("addr:postcode"))
    for number in re.split(r"[;,]", numbers)[:50]:
        number = re.sub(r"\s+", "", number).lower()
        if 0 < len(number) <= 20:
            yield street.strip(), street_words.plain(city[:LONGEST]), *middle, number, postcode, city[:LONGEST].strip()


def _way(tags: dict, kind: str, points: list[tuple[int, int]]) -> Iterator[tuple]:
    """An item for each cell that a named street crosses."""
    name = tags.get("name")
    if kind == "Point" or not name or len(name) > LONGEST or tags.get("highway", "motorway_link") in NO_STREETS:
        return
    postcode = _first(tags.get("postal_code")) or _first(tags.get("tiger:zip_left")) or _first(tags.get("tiger:zip_right"))
    cells: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for point in _densely(points):
        cells.setdefault(cell_of(*point), []).append(point)
    for found in cells.values():
        middle = found[len(found) // 2]
        yield name.strip(), "", *middle, None, postcode, ""


def _densely(points: list[tuple[int, int]], step: int = 8_000) -> Iterator[tuple[int, int]]:
    """The points of a line, with further ones between those that are far apart."""
    before = points[0]
    for point in points:
        parts = max(1, math.ceil(max(abs(point[0] - before[0]), abs(point[1] - before[1])) / step))
        for part in range(1, parts + 1):
            yield tuple(a + (b - a) * part // parts for a, b in zip(before, point))
        before = point


def _first(value: str | None) -> str | None:
    """The first of several values: «21218; 21211», «21218:21211»."""
    found = re.split(r"[;:,]", value or "")[0].strip()
    return found if 0 < len(found) <= 12 and any(c.isdigit() for c in found) else None


# Grouping


def _group(work: sqlite3.Connection) -> None:
    """Joins the items of each name to streets, and names the town of each."""
    settlements = _Settlements(work.execute("SELECT name, kind, x, y FROM settlement"))
    number = 0
    for name, pieces in _by_name(work):
        for street in areas(pieces):
            number += 1
            _add_area(work, number, name, street, settlements)
    work.commit()


def _by_name(work: sqlite3.Connection) -> Iterator[tuple[str, list[Piece]]]:
    rows = work.execute("SELECT name, label, x, y, number, postcode, city FROM item ORDER BY name")
    for name, found in groupby(rows, key=lambda row: row[0]):
        yield name, [Piece(*row[1:]) for row in found]


def _add_area(work: sqlite3.Connection, number: int, name: str, pieces: list[Piece], settlements: "_Settlements") -> None:
    xs, ys = [piece.x for piece in pieces], [piece.y for piece in pieces]
    middle = sum(xs) / len(xs), sum(ys) / len(ys)
    x, y = min(((p.x, p.y) for p in pieces), key=lambda at: (at[0] - middle[0]) ** 2 + (at[1] - middle[1]) ** 2)
    postcodes = Counter(piece.postcode for piece in pieces if piece.postcode)
    cities = Counter(piece.city for piece in pieces if piece.city)
    town, around = settlements.around(x, y)
    place = cities.most_common(1)[0][0] if cities else town
    only = next(iter(postcodes)) if len(postcodes) == 1 else None
    work.execute(
        "INSERT INTO area VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (name, place, only, "\n".join(code for code, _ in postcodes.most_common(MOST_POSTCODES)),
         "\n".join(dict.fromkeys([*cities, *around])), x, y, min(xs), min(ys), max(xs), max(ys), morton(x, y), number),
    )  # fmt: skip
    work.executemany(
        "INSERT INTO found_house VALUES (?, ?, ?, ?, ?)",
        ((number, p.number, p.x, p.y, None if only else p.postcode) for p in pieces if p.number),
    )


class _Settlements:
    """Finds the settlements whose streets a position belongs to."""

    SIZE = 200_000  # of a cell, in 10⁻⁶ degree: the largest of REACHES

    def __init__(self, rows: Iterable[tuple[str, str, int, int]]) -> None:
        self.cells: dict[tuple[int, int], list[tuple[str, str, int, int]]] = {}
        for row in rows:
            self.cells.setdefault((row[2] // self.SIZE, row[3] // self.SIZE), []).append(row)

    def around(self, x: int, y: int) -> tuple[str | None, list[str]]:
        """The town, and all names that people may use for the place, the nearest in proportion to its reach first."""
        wide = math.cos(math.radians(y / SCALE))
        found = []
        for across in (-1, 0, 1):
            for up in (-1, 0, 1):
                for name, kind, place_x, place_y in self.cells.get((x // self.SIZE + across, y // self.SIZE + up), ()):
                    away = math.hypot((place_x - x) * wide, place_y - y) / SCALE / REACHES[kind]
                    if away <= 1:
                        found.append((away, name, kind))
        found.sort()
        towns = [name for _, name, kind in found if kind in TOWNS]
        return (towns[0] if towns else found[0][1] if found else None), [name for _, name, _ in found[:4]]


# Writing


def _write(work: sqlite3.Connection, file: sqlite3.Connection) -> None:
    words = street_words.read()
    for street, row in enumerate(work.execute("SELECT * FROM area ORDER BY order_key, number"), 1):
        name, place, postcode, postcodes, around, x, y, west, south, east, north, curve, number = row
        work.execute("INSERT INTO street VALUES (?, ?)", (number, street))
        text, first = street_words.search_text(name, words), street_words.number_first(name, words)
        file.execute(
            "INSERT INTO street VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)",
            (street, curve, name, place, postcode, first, x, y, west, south, east, north),
        )
        codes = [code for shown in postcodes.split("\n") for code in (shown, compact(shown))]
        context = " ".join([street_words.search_text(around, words), *dict.fromkeys(codes)])
        file.execute("INSERT INTO street_text (rowid, name, around) VALUES (?, ?, ?)", (street, text, context))
    _write_houses(work, file)
    _write_postcodes(work, file)
    file.executemany("INSERT INTO abbreviation VALUES (?, ?)", words.pairs)
    file.execute("INSERT INTO street_text (street_text) VALUES ('optimize')")
    file.execute("INSERT INTO metadata VALUES ('attribution', ?)", (ATTRIBUTION,))
    file.commit()


def _write_houses(work: sqlite3.Connection, file: sqlite3.Connection) -> None:
    rows = work.execute(
        "SELECT street.id, number, x, y, postcode FROM found_house JOIN street ON street.area = found_house.area "
        "ORDER BY street.id, number"
    )
    file.executemany("INSERT OR IGNORE INTO house VALUES (?, ?, ?, ?, ?)", rows)
    file.execute(
        "UPDATE street SET houses = counted.n FROM (SELECT street, count(*) AS n FROM house GROUP BY street) AS counted "
        "WHERE street.id = counted.street"
    )


def _write_postcodes(work: sqlite3.Connection, file: sqlite3.Connection) -> None:
    """One row for each postcode, and for each country that uses the same code."""
    rows = work.execute("SELECT postcode, x, y, city FROM item WHERE postcode IS NOT NULL ORDER BY postcode")
    for code, found in groupby(rows, key=lambda row: row[0]):
        pieces = [Piece("", x, y, None, None, city) for _, x, y, city in found]
        for area in areas(pieces, size=100_000):
            _add_postcode(file, code, area)
    file.execute("CREATE INDEX postcode_code ON postcode (code, shown)")


def _add_postcode(file: sqlite3.Connection, shown: str, pieces: list[Piece]) -> None:
    xs, ys = sorted(piece.x for piece in pieces), sorted(piece.y for piece in pieces)
    cities = Counter(piece.city for piece in pieces if piece.city)
    place = cities.most_common(1)[0][0] if cities else None
    # Single wrong codes are common, so the box leaves out one address in fifty at each side.
    cut = len(xs) // 50
    box = xs[cut], ys[cut], xs[-1 - cut], ys[-1 - cut]
    file.execute(
        "INSERT INTO postcode VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (compact(shown), shown, place, street_words.plain(place or ""), xs[len(xs) // 2], ys[len(ys) // 2], *box),
    )


def compact(code: str) -> str:
    """«sw1a 1aa» and «1000-123» as the search compares them.

    >>> compact("sw1a 1aa"), compact("1000-123")
    ('SW1A1AA', '1000123')
    """
    return "".join(c for c in code.upper() if c.isalnum())


if __name__ == "__main__":
    main()
