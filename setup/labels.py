"""The names on the base map: which cities and countries, and from which zoom."""

from collections.abc import Iterator

from geometry import label_point
from geonames import City, Country
from natural_earth import Area

# A city's rank: the first whose population it reaches; capitals rank at least 2.
CITY_POPULATIONS = (5_000_000, 1_000_000, 300_000, 100_000, 30_000, 10_000, 2_000)
CITY_FIRST_ZOOM = (2, 3, 4, 5, 6, 7, 8, 9)  # by rank, from 1

# A country's rank, by area in km².
COUNTRY_AREAS = (3_000_000, 800_000, 250_000, 50_000, 5_000)
COUNTRY_FIRST_ZOOM = (1, 2, 3, 3, 4, 5)
COUNTRY_LAST_ZOOM = 7


def features(
    cities: list[City], countries: dict[str, Country], areas: list[Area]
) -> Iterator[dict]:
    """GeoJSON features of the layer `place`."""
    for area in areas:
        country = countries.get(area.code)
        if country is not None:
            yield _country(country, label_point(area.polygons))
    for city in cities:
        yield _city(city)


def _country(country: Country, position: tuple[float, float]) -> dict:
    rank = _rank(country.area, COUNTRY_AREAS)
    properties = {"kind": "country", "name": country.name, "rank": rank, "country": country.code}
    if country.name_pt != country.name:
        properties["name_pt"] = country.name_pt
    zooms = {"minzoom": COUNTRY_FIRST_ZOOM[rank - 1], "maxzoom": COUNTRY_LAST_ZOOM}
    return _point(country.id, properties, zooms, position)


def _city(city: City) -> dict:
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
    zooms = {"minzoom": CITY_FIRST_ZOOM[rank - 1]}
    return _point(city.id, properties, zooms, (city.longitude, city.latitude))


def _rank(value: float, steps: tuple[int, ...]) -> int:
    return next((rank for rank, step in enumerate(steps, 1) if value >= step), len(steps) + 1)


def _point(number: int, properties: dict, zooms: dict, position: tuple[float, float]) -> dict:
    return {
        "type": "Feature",
        "id": number,
        "tippecanoe": {"layer": "place", **zooms},
        "properties": properties,
        "geometry": {"type": "Point", "coordinates": [round(part, 5) for part in position]},
    }
