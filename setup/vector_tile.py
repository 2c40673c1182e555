"""Writes Mapbox Vector Tiles of points, the most important first, up to a size limit.

tippecanoe builds the tiles of lines and areas. It is not suitable for points: it drops points in dense places, which
are the large cities, and if one tile is too large it drops them in all tiles of the zoom.
"""

import gzip
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

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
    return gzip.compress(_block(3, _layer(members, layer)), 9, mtime=0)


def _layer(members: list[tuple[Point, int, int]], name: str) -> bytes:
    keys: dict[str, int] = {}
    values: dict[str | int, int] = {}
    features = bytearray()
    for point, x, y in members:
        tags = bytearray()
        for key, value in point.properties.items():
            tags += _number(keys.setdefault(key, len(keys)))
            tags += _number(values.setdefault(value, len(values)))
        move = _number(1 << 3 | 1) + _number(x << 1) + _number(y << 1)  # zigzag encoding of non-negative numbers
        feature = b"\x08" + _number(point.id) + _block(2, tags) + b"\x18\x01" + _block(4, move)
        features += _block(2, feature)
    written = b"\x78\x02" + _block(1, name.encode()) + features  # version 2
    written += b"".join(_block(3, key.encode()) for key in keys)
    written += b"".join(_block(4, _value(value)) for value in values)
    return written + b"\x28" + _number(EXTENT)


def _value(value: str | int) -> bytes:
    return _block(1, value.encode()) if isinstance(value, str) else b"\x28" + _number(value)


def _block(field: int, content: bytes) -> bytes:
    return _number(field << 3 | 2) + _number(len(content)) + content


def _number(value: int) -> bytes:
    """The protobuf varint of a non-negative number."""
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)
