"""Builds the place search: countries, regions and cities of the world in one SQLite file.

    places.py --places WHEEL --areas DIR --output FILE
"""

import argparse
import math
import os
import sqlite3
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

from babel import Locale, localedata
from babel.languages import get_official_languages

import geonames
import names
import natural_earth
import regions
from geometry import Box, box, label_point
from geonames import City, Country
from natural_earth import Area

ATTRIBUTION = "Places © GeoNames CC BY 4.0 · Made with Natural Earth"

# Regions have no GeoNames id in this source. Their ids start above all GeoNames ids.
FIRST_REGION_ID = 2_000_000_000

# The bounding box of a city is a square with the area that its population needs at this density (per km²). Half
# its side has a minimum and a maximum in km.
DENSITY = 2_500
HALF_SIDES = (1.0, 40.0)
KM_PER_DEGREE = 111.195

# Separates the names in `place_name`; it occurs in no name.
SEPARATOR = "\n"

SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE place (
  id              INTEGER PRIMARY KEY,  -- GeoNames; regions from 2,000,000,000
  kind            TEXT NOT NULL,        -- country, region, city
  name            TEXT NOT NULL,
  name_pt         TEXT,                 -- only where it differs
  region          TEXT,
  country         TEXT NOT NULL,        -- ISO 3166-1 alpha-2
  country_name_en TEXT NOT NULL,
  country_name_pt TEXT NOT NULL,
  longitude       REAL NOT NULL,
  latitude        REAL NOT NULL,
  population      INTEGER NOT NULL,     -- 0: unknown
  west REAL NOT NULL, south REAL NOT NULL, east REAL NOT NULL, north REAL NOT NULL,
  rank            INTEGER NOT NULL UNIQUE,  -- 1: the most people
  weight          REAL NOT NULL         -- log10 of the population; see _weights
) STRICT;
-- Whole names: each name is one token, spaces and all, so that an exact name and the beginning of
-- a name are single look-ups. The rowid is place.rank, so what is found first has most people. Without an index of the
-- first five letters, "santa" would gather all names that begin so (0.35 ms instead of 0.02 in each table).
CREATE VIRTUAL TABLE place_name USING fts5(
  name, alternate, content = '', columnsize = 0, detail = 'column', prefix = '1 2 3 4 5',
  tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* P* S* Z* C*' separators '\n'"
);
-- Single words, also of the region and the country around.
CREATE VIRTUAL TABLE place_word USING fts5(
  name, alternate, context, content = '', columnsize = 0, prefix = '1 2 3 4 5',
  tokenize = 'unicode61 remove_diacritics 2'
);
-- All these words, to find the one that a misspelt word means.
CREATE VIRTUAL TABLE place_term USING fts5vocab(place_word, row);
-- Where the cities stand, to find the nearest.
CREATE VIRTUAL TABLE place_point USING rtree(id, west, east, south, north);
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


class Place(NamedTuple):
    id: int
    kind: str
    name: str
    name_pt: str | None
    others: list[str]
    region: str | None
    country: Country
    position: tuple[float, float]
    population: int
    box: Box
    region_code: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("places", "areas", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    places = _places(options.places, options.areas)
    made = options.output.with_name(f".{options.output.name}-{os.getpid()}")
    made.unlink(missing_ok=True)
    _write(made, places)
    os.replace(made, options.output)
    size = options.output.stat().st_size / 1e6
    print(f"    {options.output.name}: {len(places):,} places, {size:.1f} MB", file=sys.stderr)


def _places(wheel: Path, folder: Path) -> list[Place]:
    """All places, the most populous first; a country before its region before its city."""
    countries = geonames.countries(wheel)
    cities = [city for city in geonames.cities(wheel) if city.country in countries]
    areas = [area for area in natural_earth.regions(folder) if area.code in countries]
    region_of = regions.assign(cities, areas)
    population = Counter()
    for city in cities:
        if city.id in region_of:
            population[region_of[city.id].number] += city.population
    shapes = [area for area in natural_earth.countries(folder) if area.code in countries]
    found = [
        *(_country(countries[area.code], area) for area in shapes),
        *(_region(area, countries[area.code], population[area.number]) for area in areas),
        *(_city(city, countries[city.country], region_of.get(city.id)) for city in cities),
    ]
    return sorted(found, key=lambda place: -place.population)


def _country(country: Country, area: Area) -> Place:
    return Place(
        country.id, "country", country.name, _other(country.name_pt, country.name),
        [area.name, country.code, *_own_names(country.code), *_aliases().get((country.code, ""), [])],
        None, country, label_point(area.polygons), country.population,
        box(area.polygons),
    )  # fmt: skip


def _region(area: Area, country: Country, population: int) -> Place:
    return Place(
        FIRST_REGION_ID + area.number, "region", area.name,
        names.exonym(area.name, area.code), area.others + _aliases().get((area.code, area.name), []), None, country,
        label_point(area.polygons), population, box(area.polygons),
    )  # fmt: skip


def _city(city: City, country: Country, region: Area | None) -> Place:
    position = (city.longitude, city.latitude)
    return Place(
        city.id, "city", city.name, city.name_pt, city.others, region.name if region else None,
        country, position, city.population, _square(position, city.population),
        # The code of most countries is a number, which no address has: «Baltimore MD», «Winterthur ZH».
        city.region_code if city.region_code.isalpha() else "",
    )  # fmt: skip


def _own_names(code: str) -> list[str]:
    """The names of a country in its own languages: Schweiz, Suisse and Svizzera."""
    languages = [one for one in get_official_languages(code, de_facto=True) if localedata.exists(one)]
    return [name for one in languages if (name := Locale.parse(one).territories.get(code))]


@cache
def _aliases() -> dict[tuple[str, str], list[str]]:
    """The names of `aliases.tsv`, by country and region; the region of a country itself is empty."""
    found = {}
    for line in (Path(__file__).parent / "aliases.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            code, region, aliases = line.split("\t")
            found[code, region] = aliases.split(", ")
    return found


def _other(name: str, known: str) -> str | None:
    return name if name != known else None


def _square(position: tuple[float, float], population: int) -> Box:
    half_side = math.sqrt(population / (math.pi * DENSITY))
    half_side = min(max(half_side, HALF_SIDES[0]), HALF_SIDES[1]) / KM_PER_DEGREE
    x, y = position
    wide = half_side / math.cos(math.radians(y))
    west, east = (x - wide + 540) % 360 - 180, (x + wide + 540) % 360 - 180
    return west, max(y - half_side, -90), east, min(y + half_side, 90)


def _write(path: Path, places: list[Place]) -> None:
    file = sqlite3.connect(path)
    file.executescript(SCHEMA)
    file.executemany(
        "INSERT INTO place VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (_row(place, rank, weight) for rank, (place, weight) in enumerate(zip(places, _weights(places)), 1)),
    )
    for rank, place in enumerate(places, 1):
        known, others, context = _text(place)
        file.execute(
            "INSERT INTO place_name (rowid, name, alternate) VALUES (?, ?, ?)",
            (rank, SEPARATOR.join(known), SEPARATOR.join(others)),
        )
        file.execute(
            "INSERT INTO place_word (rowid, name, alternate, context) VALUES (?, ?, ?, ?)",
            (rank, " ".join(known), " ".join(others), context),
        )
    file.executemany(
        "INSERT INTO place_point VALUES (?, ?, ?, ?, ?)",
        (
            (place.id, place.position[0], place.position[0], *[place.position[1]] * 2)
            for place in places
            if place.kind == "city"
        ),
    )
    for table in ("place_name", "place_word"):
        file.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
    file.execute("INSERT INTO metadata VALUES ('attribution', ?)", (ATTRIBUTION,))
    file.commit()
    file.execute("VACUUM")
    file.close()


def _weights(places: list[Place]) -> list[float]:
    """The logarithms of the populations. A region weighs less than the largest city of its name and country, because
    most people who search for "Zürich" mean the city and not the canton."""
    cities: dict[tuple[str, str], int] = {}
    for place in places:
        if place.kind == "city":
            for name in {place.name, place.name_pt} - {None}:
                key = (place.country.code, name)
                cities[key] = max(cities.get(key, 0), place.population)

    def weight(place: Place) -> float:
        population = place.population
        if place.kind == "region":
            keys = [(place.country.code, name) for name in (place.name, place.name_pt) if name]
            population = min([population, *(cities[key] - 1 for key in keys if key in cities)])
        return math.log10(max(population, 1))

    return [weight(place) for place in places]


def _row(place: Place, rank: int, weight: float) -> tuple:
    country = place.country
    return (
        place.id, place.kind, place.name, place.name_pt, place.region,
        country.code, country.name, country.name_pt,
        *(round(part, 5) for part in place.position), place.population,
        *(round(part, 5) for part in place.box), rank, weight,
    )  # fmt: skip


def _text(place: Place) -> tuple[list[str], list[str], str]:
    """The displayed names, the other names, and the words of the surrounding region and country."""
    known = [name for name in (place.name, place.name_pt) if name]
    others = [name for name in dict.fromkeys(place.others) if name not in known]
    country = dict.fromkeys((place.country.name, place.country.name_pt, place.country.code))
    context = [] if place.kind == "country" else [place.region or "", place.region_code, *country]
    return known, others, " ".join(context)


if __name__ == "__main__":
    main()
