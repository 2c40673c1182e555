"""Reads the polygons of a GeoPackage table, with the standard library only."""

import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path

Ring = list[tuple[float, float]]
Polygon = list[Ring]  # the outer ring first, then the holes

_ENVELOPE_SIZES = (0, 32, 48, 48, 64)
_POLYGON, _MULTIPOLYGON = 3, 6


def polygons(path: Path, table: str, columns: list[str]) -> Iterator[tuple[tuple, list[Polygon]]]:
    """The rows of `table` in the order of their ids: (fid, columns…) and the polygons."""
    file = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    names = ", ".join(f'"{column}"' for column in ["fid", *columns])
    for *values, blob in file.execute(f'SELECT {names}, geom FROM "{table}" ORDER BY fid'):
        yield tuple(values), _geometry(blob, 8 + _ENVELOPE_SIZES[blob[3] >> 1 & 7])
    file.close()


def _geometry(blob: bytes, offset: int) -> list[Polygon]:
    order = "<" if blob[offset] else ">"
    kind, count = struct.unpack_from(order + "II", blob, offset + 1)
    if kind == _POLYGON:
        return [_rings(blob, order, offset + 9, count)[0]]
    if kind != _MULTIPOLYGON:
        raise ValueError(f"geometry of kind {kind} where polygons were expected")
    found = []
    offset += 9
    for _ in range(count):
        order = "<" if blob[offset] else ">"
        (ring_count,) = struct.unpack_from(order + "I", blob, offset + 5)
        rings, offset = _rings(blob, order, offset + 9, ring_count)
        found.append(rings)
    return found


def _rings(blob: bytes, order: str, offset: int, count: int) -> tuple[Polygon, int]:
    rings = []
    for _ in range(count):
        (size,) = struct.unpack_from(order + "I", blob, offset)
        numbers = struct.unpack_from(f"{order}{size * 2}d", blob, offset + 4)
        rings.append(list(zip(numbers[::2], numbers[1::2])))
        offset += 4 + size * 16
    return rings, offset
