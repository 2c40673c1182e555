"""Writes Mapbox Vector Tiles of points, the most important first, up to a size limit.

tippecanoe builds the tiles of lines and areas. It is not suitable for points: it drops points in dense places, which
are the large cities, and if one tile is too large it drops them in all tiles of the zoom.
"""

import gzip
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import mapbox_vector_tile
import shapely

EXTENT = 4096
_HIGHEST_LATITUDE = 85.05112878


class Point(NamedTuple):
    id: int
    longitude: float
    latitude: float
    first_zoom: int
    last_zoom: int
    properties: dict[str, str | int]


def tiles(
    points: Iterable[Point], layer: str, zoom: int, limit: int
) -> Iterator[tuple[int, int, bytes]]:
    """The tiles of one zoom as column, row from the north, and gzipped bytes, at most `limit`.

    If not all `points` fit, the later ones are left out.
    """
    by_tile = defaultdict(list)
    for point in points:
        if point.first_zoom <= zoom <= point.last_zoom:
            column, row, x, y = _position(point, zoom)
            by_tile[column, row].append((point, x, y))
    for (column, row), members in by_tile.items():
        tile = _gzipped(members, layer)
        while len(tile) > limit:
            members = members[: len(members) * 9 // 10]
            tile = _gzipped(members, layer)
        yield column, row, tile


def _position(point: Point, zoom: int) -> tuple[int, int, int, int]:
    size = EXTENT << zoom
    latitude = math.radians(max(-_HIGHEST_LATITUDE, min(_HIGHEST_LATITUDE, point.latitude)))
    x = (point.longitude + 180) / 360
    y = (1 - math.asinh(math.tan(latitude)) / math.pi) / 2
    x, y = (max(0, min(size - 1, int(part * size))) for part in (x, y))
    return x // EXTENT, y // EXTENT, x % EXTENT, y % EXTENT


def _gzipped(members: list[tuple[Point, int, int]], layer: str) -> bytes:
    features = [
        {"id": point.id, "geometry": shapely.Point(x, y), "properties": point.properties}
        for point, x, y in members
    ]
    tile = mapbox_vector_tile.encode(
        {"name": layer, "features": features},
        default_options={"extents": EXTENT, "y_coord_down": True},
    )
    return gzip.compress(tile, 9, mtime=0)
