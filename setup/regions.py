"""Finds the region (state, province, district) of a city."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from geometry import bounds, contains
from geonames import City
from natural_earth import Area

# The number of cities tested for each region code of GeoNames, and how many of them must agree on one region before
# all cities of the code are assigned to it. If they do not agree (GeoNames has England, Natural Earth its counties),
# each city is looked up individually.
SAMPLE = 25
AGREEMENT = 0.8


def assign(cities: list[City], regions: list[Area]) -> dict[int, Area]:
    """The region of each city by the id of the city. Cities in no known region are left out."""
    index = _Index(regions)
    by_code = defaultdict(list)
    for city in cities:
        by_code[city.country, city.region_code].append(city)
    found: dict[int, Area] = {}
    for group in by_code.values():
        found.update(_assign_group(group, index))
    return found


def _assign_group(cities: list[City], index: "_Index") -> Iterable[tuple[int, Area]]:
    sample = cities[:: max(1, len(cities) // SAMPLE)]
    votes = Counter(area.number for city in sample if (area := index.find(city)))
    if not votes:
        return
    number, count = votes.most_common(1)[0]
    winner = index.areas[number]
    agreed = count >= AGREEMENT * votes.total()
    for city in cities:
        yield city.id, winner if agreed else index.find(city) or winner


class _Index:
    """Polygons, indexed by the squares of one degree that they touch."""

    def __init__(self, areas: list[Area]) -> None:
        self.areas = {area.number: area for area in areas}
        self.cells = defaultdict(list)
        for area in areas:
            for polygon in area.polygons:
                west, south, east, north = bounds(polygon[0])
                for x in range(int(west // 1), int(east // 1) + 1):
                    for y in range(int(south // 1), int(north // 1) + 1):
                        self.cells[area.code, x, y].append((area, polygon))

    def find(self, city: City) -> Area | None:
        cell = (city.country, int(city.longitude // 1), int(city.latitude // 1))
        for area, polygon in self.cells.get(cell, ()):
            if contains(polygon, city.longitude, city.latitude):
                return area
        return None
