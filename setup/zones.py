"""Reads the shapes of the world's time zones from the wheel `timezonefinder`.

The shapes follow borders and territorial waters in OpenStreetMap, and no zone crosses a border. Together the zones
of a country therefore form its shape.
"""

import json
import zipfile
from array import array
from collections.abc import Iterator
from pathlib import Path

FOLDER = "timezonefinder"

# Unnamed water, which belongs to no country.
OCEAN = "Etc/"


def rings(wheel: Path) -> Iterator[tuple[str, array, array]]:
    """Every ring, including holes, of every zone on land: the name of the zone, and longitudes and latitudes in
    units of 10⁻⁷ degrees."""
    with zipfile.ZipFile(wheel) as archive:
        read = lambda name: archive.read(f"{FOLDER}/{name}")
        names = json.loads(read("timezone_names.json"))
        zones = [names[number] for number in _numbers("H", read("poly_zone_ids.bin"))]
        holes = {int(place): span for place, span in json.loads(read("hole_registry.json")).items()}
        outer = _split(read("poly_data.bin"), _numbers("I", read("poly_coord_amount.bin")))
        inner = _split(read("hole_data.bin"), _numbers("H", read("hole_coord_amount.bin")))
    inner = list(inner)
    for place, (zone, ring) in enumerate(zip(zones, outer, strict=True)):
        if zone.startswith(OCEAN):
            continue
        count, first = holes.get(place, (0, 0))
        for xs, ys in [ring, *inner[first : first + count]]:
            yield zone, xs, ys


def _numbers(kind: str, data: bytes) -> array:
    numbers = array(kind)
    numbers.frombytes(data)
    return numbers


def _split(data: bytes, counts: array) -> Iterator[tuple[array, array]]:
    """Reads rings; each is stored as all its longitudes, then all its latitudes."""
    numbers = _numbers("i", data)
    start = 0
    for count in counts:
        yield numbers[start : start + count], numbers[start + count : start + 2 * count]
        start += 2 * count
