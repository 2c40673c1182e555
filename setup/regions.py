"""Finds the region (state, province, district) of a city."""

from collections import Counter, defaultdict
from collections.abc import Iterable

import shapely

from geonames import City
from natural_earth import Area

# The number of cities tested for each region code of GeoNames, and how many of them must agree on one region before
# all cities of the code are assigned to it. If they do not agree (GeoNames has England, Natural Earth its counties),
# each city is looked up individually.
SAMPLE = 25
AGREEMENT = 0.8


def assign(cities: list[City], regions: list[Area]) -> dict[int, Area]:
    """The region of each city by the id of the city. Cities in no known region are left out."""
    around = _around(cities, regions)
    by_code = defaultdict(list)
    for city in cities:
        by_code[city.country, city.region_code].append(city)
    found: dict[int, Area] = {}
    for group in by_code.values():
        found.update(_assign_group(group, around))
    return found


def _assign_group(cities: list[City], around: dict[int, Area]) -> Iterable[tuple[int, Area]]:
    sample = cities[:: max(1, len(cities) // SAMPLE)]
    found = {area.number: area for city in sample if (area := around.get(city.id))}
    votes = Counter(around[city.id].number for city in sample if city.id in around)
    if not votes:
        return
    number, count = votes.most_common(1)[0]
    agreed = count >= AGREEMENT * votes.total()
    for city in cities:
        yield city.id, found[number] if agreed else around.get(city.id, found[number])


def _around(cities: list[City], areas: list[Area]) -> dict[int, Area]:
    """The region of the same country whose shape contains the city, by the id of the city."""
    points = shapely.STRtree(shapely.points([(city.longitude, city.latitude) for city in cities]))
    shapes = [(area, polygon) for area in areas for polygon in area.polygons]
    pairs = points.query([polygon for _, polygon in shapes], predicate="contains_properly")
    found: dict[int, Area] = {}
    for shape, number in sorted(pairs.T.tolist()):
        area, city = shapes[shape][0], cities[number]
        if area.code == city.country:
            found.setdefault(city.id, area)
    return found
