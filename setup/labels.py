"""The names on the base map: selects cities and countries and their zooms."""

import json
import sqlite3
from pathlib import Path

import vector_tile
from geometry import label_point
from geonames import City, Country
from natural_earth import Area
from vector_tile import Point

LAYER = "place"
FIELDS = {
    "kind": "String", "name": "String", "name_pt": "String", "country": "String",
    "capital": "Number", "population": "Number", "rank": "Number",
}  # fmt: skip

# The rank of a city is the first whose population it reaches. Capitals have rank 2 or 1.
CITY_POPULATIONS = (5_000_000, 1_000_000, 300_000, 100_000, 30_000, 10_000, 2_000)
CITY_FIRST_ZOOM = (2, 3, 4, 5, 6, 7, 8, 9)  # by rank, from 1
LAST_ZOOM = 99

# A country's rank, by area in km².
COUNTRY_AREAS = (3_000_000, 800_000, 250_000, 50_000, 5_000)
COUNTRY_FIRST_ZOOM = (1, 2, 3, 3, 4, 5)
COUNTRY_LAST_ZOOM = 7


def write(
    path: Path,
    cities: list[City],
    countries: dict[str, Country],
    areas: list[Area],
    zoom: int,
    limit: int,
) -> None:
    """Writes the layer `place` up to `zoom` as MBTiles, no tile larger than `limit` bytes."""
    points = [
        _country(countries[area.code], label_point(area.polygons))
        for area in areas
        if area.code in countries
    ]
    points += map(_city, cities)
    # A stable sort keeps the most populous first within a rank.
    points.sort(key=lambda point: point.properties["rank"])
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)")
    file.execute("CREATE TABLE metadata (name, value)")
    for level in range(zoom + 1):
        for column, row, tile in vector_tile.tiles(points, LAYER, level, limit):
            south_up = (1 << level) - 1 - row
            file.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (level, column, south_up, tile))
    layer = {"id": LAYER, "description": "", "minzoom": 1, "maxzoom": zoom, "fields": FIELDS}
    described = json.dumps({"vector_layers": [layer]})
    file.execute("INSERT INTO metadata VALUES ('json', ?)", (described,))
    file.commit()
    file.close()


def _country(country: Country, position: tuple[float, float]) -> Point:
    rank = _rank(country.area, COUNTRY_AREAS)
    properties = {"kind": "country", "name": country.name, "rank": rank, "country": country.code}
    if country.name_pt != country.name:
        properties["name_pt"] = country.name_pt
    first_zoom = COUNTRY_FIRST_ZOOM[rank - 1]
    return Point(country.id, *position, first_zoom, COUNTRY_LAST_ZOOM, properties)


def _city(city: City) -> Point:
    rank = _rank(city.population, CITY_POPULATIONS)
    if city.is_capital:
        rank = min(rank, 2)
    properties = {"kind": "city", "name": city.name, "rank": rank, "country": city.country}
    if city.name_pt is not None:
        properties["name_pt"] = city.name_pt
    if city.is_capital:
        properties["capital"] = 1
    if city.population > 0:
        properties["population"] = city.population
    first_zoom = CITY_FIRST_ZOOM[rank - 1]
    return Point(city.id, city.longitude, city.latitude, first_zoom, LAST_ZOOM, properties)


def _rank(value: float, steps: tuple[int, ...]) -> int:
    return next((rank for rank, step in enumerate(steps, 1) if value >= step), len(steps) + 1)
