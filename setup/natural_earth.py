"""Reads borders, rivers and the shapes of countries from Natural Earth.

The lines are from Debian's `libmagics++-data`, the polygons from `qgis-common`, each unpacked into a folder.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import shapefile
import shapely

LINES = "usr/share/magics/10m"
POLYGONS = "usr/share/qgis/resources/data/world_map.gpkg"

# The bytes of the optional bounding box between the header of a GeoPackage geometry, 8 bytes, and its WKB
# (OGC 12-128, clause 2.1.3).
_HEADER = 8
_BOX_SIZES = (0, 32, 48, 48, 64)

# `featurecla` of a disputed border starts with one of these.
_DISPUTED = ("Disputed", "Indefinite", "Indeterminant", "Line of control")
# Lines that are not borders on the ground, and two that the packager excluded from drawing.
_NOT_DRAWN = ("Overlay limit", "Lease limit", "ForgetMagics")


class Line(NamedTuple):
    layer: str  # "boundary", "boundary_region" or "river"
    properties: dict[str, int]
    minimum_zoom: int
    parts: list[list[tuple[float, float]]]


class Area(NamedTuple):
    number: int
    code: str  # ISO 3166-1 alpha-2
    name: str
    others: list[str]
    polygons: list[shapely.Polygon]


def lines(folder: Path) -> Iterator[Line]:
    """Borders of countries, borders of regions, rivers."""
    for row, parts in _read(folder, "admin_0_boundary_lines_land"):
        kind = row["featurecla"]
        if not kind.startswith(_NOT_DRAWN):
            properties = {"disputed": 1} if kind.startswith(_DISPUTED) else {}
            yield Line("boundary", properties, 0, parts)
    for row, parts in _read(folder, "admin_1_states_provinces_lines"):
        rank = _rank(row)
        yield Line("boundary_region", {"rank": rank}, _region_zoom(rank), parts)
    for row, parts in _read(folder, "rivers_lake_centerlines"):
        if row["featurecla"] == "River":  # other classes run through lakes
            rank = _rank(row)
            yield Line("river", {"rank": rank}, max(2, rank - 1), parts)


def countries(folder: Path) -> list[Area]:
    return _areas(folder, "countries", ["iso_a2", "NAME"])


def regions(folder: Path) -> list[Area]:
    """States, provinces, districts: the first administrative level of a country."""
    return _areas(folder, "states_provinces", ["iso_a2", "name", "woe_name", "gn_name"])


def _areas(folder: Path, table: str, columns: list[str]) -> list[Area]:
    found = []
    for number, code, *given, blob in _rows(folder / POLYGONS, table, columns):
        name, *others = [" ".join((text or "").split()) for text in given]
        if name and code and len(code) == 2:
            others = [other for other in dict.fromkeys(others) if other and other != name]
            found.append(Area(number, code, name, others, _polygons(blob)))
    return found


def _rows(path: Path, table: str, columns: list[str]) -> Iterator[tuple]:
    names = ", ".join(f'"{column}"' for column in ["fid", *columns, "geom"])
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as file:
        yield from file.execute(f'SELECT {names} FROM "{table}" ORDER BY fid')


def _polygons(blob: bytes) -> list[shapely.Polygon]:
    shape = shapely.from_wkb(blob[_HEADER + _BOX_SIZES[blob[3] >> 1 & 7] :])
    return list(shape.geoms) if shape.geom_type == "MultiPolygon" else [shape]


def _read(folder: Path, name: str) -> Iterator[tuple[dict[str, Any], list]]:
    """Every polyline with its attributes."""
    path = folder / LINES / f"ne_10m_{name}"
    with shapefile.Reader(path, encoding="utf-8", encodingErrors="replace") as file:
        # By number, because an edited file has gaps between its records.
        for number in range(len(file)):
            shape, record = file.shape(number), file.record(number)
            if shape.shapeType == shapefile.POLYLINE:
                ends = [*shape.parts[1:], len(shape.points)]
                yield record.as_dict(), [shape.points[a:b] for a, b in zip(shape.parts, ends)]


def _rank(row: dict[str, Any]) -> int:
    rank = row["scalerank"]
    return 10 if rank is None else max(1, min(10, round(rank)))


def _region_zoom(rank: int) -> int:
    return 3 if rank <= 2 else min(8, rank + 1)
