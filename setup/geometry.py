"""Geometry in degrees: label points and bounding boxes of countries."""

import math

import shapely

Ring = list[tuple[float, float]]
Box = tuple[float, float, float, float]  # west, south, east, north

# Parts of a country that are farther than this from the rest, in degrees, are not in its bounding box: France is
# without Guiana, Portugal with Madeira and the Azores.
NEAR = 12.0


def rings(polygon: shapely.Polygon) -> list[Ring]:
    """The outer ring first, then the holes."""
    edges = (polygon.exterior, *polygon.interiors)
    return [list(map(tuple, shapely.get_coordinates(edge).tolist())) for edge in edges]


def _largest(polygons: list[shapely.Polygon]) -> shapely.Polygon:
    """The polygon with the largest area inside its outer ring, at the scale of its latitude."""

    def size(polygon: shapely.Polygon) -> float:
        _, south, _, north = polygon.bounds
        return shapely.Polygon(polygon.exterior).area * math.cos(math.radians((south + north) / 2))

    return max(polygons, key=size) if len(polygons) > 1 else polygons[0]


def label_point(polygons: list[shapely.Polygon]) -> tuple[float, float]:
    """The middle of the widest horizontal section of the largest polygon near half its height."""
    polygon = _largest(polygons)
    _, south, _, north = polygon.bounds
    edges = rings(polygon)
    best = (0.0, 0.0, 0.0)
    for share in (0.4, 0.45, 0.5, 0.55, 0.6):
        y = south + (north - south) * share
        crossings = sorted(
            (x2 - x1) * (y - y1) / (y2 - y1) + x1
            for ring in edges
            for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]])
            if (y1 > y) != (y2 > y)
        )
        for west, east in zip(crossings[::2], crossings[1::2]):
            best = max(best, (east - west, (west + east) / 2, y))
    return best[1], best[2]


def box(polygons: list[shapely.Polygon]) -> Box:
    """The bounding box of the largest polygon and all polygons near it. If it crosses the antimeridian,
    west is greater than east."""
    largest = _largest(polygons)
    middle = label_point([largest])[0]
    found = largest.bounds
    waiting = [_turned(polygon.bounds, middle) for polygon in polygons]
    grew = True
    while grew:
        near = [other for other in waiting if _gap(found, other) <= NEAR]
        waiting = [other for other in waiting if _gap(found, other) > NEAR]
        grew = bool(near)
        for other in near:
            found = (
                min(found[0], other[0]), min(found[1], other[1]),
                max(found[2], other[2]), max(found[3], other[3]),
            )  # fmt: skip
    west, south, east, north = found
    return _longitude(west), south, _longitude(east), north


def _turned(other: Box, middle: float) -> Box:
    """`other`, moved by 360 degrees if that is nearer to the longitude `middle`."""
    west, south, east, north = other
    turn = 360 * round((middle - (west + east) / 2) / 360)
    return west + turn, south, east + turn, north


def _gap(one: Box, other: Box) -> float:
    across = max(other[0] - one[2], one[0] - other[2], 0)
    along = max(other[1] - one[3], one[1] - other[3], 0)
    return max(across, along)


def _longitude(value: float) -> float:
    return value - 360 if value > 180 else value + 360 if value < -180 else value
