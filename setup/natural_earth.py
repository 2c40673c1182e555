"""Reads borders, rivers and the shapes of countries from Natural Earth.

The lines are from Debian's `libmagics++-data`, the polygons from `qgis-common`, each unpacked into a folder.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import geopackage
import shapefile

LINES = "usr/share/magics/10m"
POLYGONS = "usr/share/qgis/resources/data/world_map.gpkg"

# `featurecla` of a disputed border starts with one of these.
_DISPUTED = ("Disputed", "Indefinite", "Indeterminant", "Line of control")
# Lines that are not borders on the ground, and two that the packager excluded from drawing.
_NOT_DRAWN = ("Overlay limit", "Lease limit", "ForgetMagics")


class Line(NamedTuple):
    layer: str  # "boundary", "boundary_region" or "river"
    properties: dict[str, int]
    minimum_zoom: int
    parts: list[list[shapefile.Position]]


class Area(NamedTuple):
    number: int
    code: str  # ISO 3166-1 alpha-2
    name: str
    others: list[str]
    polygons: list[geopackage.Polygon]


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
    for row, polygons in geopackage.polygons(folder / POLYGONS, table, columns):
        number, code, *given = row
        name, *others = [" ".join((text or "").split()) for text in given]
        if name and code and len(code) == 2:
            others = [other for other in dict.fromkeys(others) if other and other != name]
            found.append(Area(number, code, name, others, polygons))
    return found


def _read(folder: Path, name: str) -> Iterator[tuple[dict[str, str], list]]:
    return shapefile.lines(folder / LINES / f"ne_10m_{name}")


def _rank(row: dict[str, str]) -> int:
    return max(1, min(10, round(float(row["scalerank"] or 10))))


def _region_zoom(rank: int) -> int:
    return 3 if rank <= 2 else min(8, rank + 1)
