"""Builds the country map, in which Farol looks up the country of a device: one small binary file.

    countries.py --zones WHEEL --coast WHEEL --areas DIR --codes FILE --output FILE

Whole countries with their territorial waters come from time zones (OpenStreetMap), the coast from
GSHHG, Kosovo, the states of Germany and disputed regions from Natural Earth. docs/explanation/countries.md
describes the file format; Sources/PrivacyMap/Countries reads it.
"""

import argparse
import hashlib
import os
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import arcs
import gshhg
import natural_earth
import zones
from arcs import Arc, Point
from cells import Cells
from geometry import rings

ATTRIBUTION = (
    "Countries © OpenStreetMap contributors (ODbL), from Timezone Boundary Builder · "
    "Coast: GSHHG · Made with Natural Earth"
)

# Tolerance of simplified lines in metres: borders between countries, limits of territorial waters, coasts, lines
# within a country. Coasts serve only to compute distances; islands smaller than SMALLEST_ISLAND km² are left out.
BORDER, WATERS, COAST, REGION = 100, 1_000, 1_200, 300
SMALLEST_ISLAND = 4.0

# Grid of points in units of a degree, to which lines are snapped before they are compared.
BORDER_GRID, COAST_GRID, REGION_GRID = 2_000, 500, 2_000

# The kinds of area in the file. The code of an overlay is followed by the country it is drawn over.
COUNTRY, OVERLAY, LAND, DISPUTED, STATE = "country", "overlay", "land", "disputed", "state"

# Zones and regions that more than one state claims or governs (docs/explanation/countries.md). Overlapping zones
# are disputed too and need no list.
DISPUTED_ZONES = {"Europe/Simferopol", "Asia/Famagusta", "Africa/El_Aaiun"}
DISPUTED_REGIONS = {
    ("GE", "Abkhazia"), ("GE", "South Ossetia"), ("MD", "Transnistria"), ("SY", "Quneitra"),
    ("IN", "Jammu and Kashmir"), ("-1", "Kashmir"), ("PK", "Northern Areas"),
    ("PK", "Azad Kashmir"), ("IN", "Arunachal Pradesh"), ("UA", "Luhans'k"), ("UA", "Donets'k"),
    ("PS", "West Bank"), ("PS", "Gaza Strip"),
}  # fmt: skip

STATES = {
    "Baden-Württemberg": "DE-BW", "Bayern": "DE-BY", "Berlin": "DE-BE", "Brandenburg": "DE-BB",
    "Bremen": "DE-HB", "Hamburg": "DE-HH", "Hessen": "DE-HE", "Mecklenburg-Vorpommern": "DE-MV",
    "Niedersachsen": "DE-NI", "Nordrhein-Westfalen": "DE-NW", "Rheinland-Pfalz": "DE-RP",
    "Saarland": "DE-SL", "Sachsen": "DE-SN", "Sachsen-Anhalt": "DE-ST",
    "Schleswig-Holstein": "DE-SH", "Thüringen": "DE-TH",
}  # fmt: skip

# Natural Earth has Kosovo's border with Serbia, the zones have its other borders. There its shape is widened by
# this number of degrees, so that it reaches them.
LETTING_OUT = 0.25


class Area(NamedTuple):
    kind: str
    code: str


class Layer(NamedTuple):
    """A group of lines that are simplified together."""

    rings: Iterable[tuple[Area, list[tuple[float, float]]]]
    grid: int
    tolerance: float
    outer: float  # the tolerance of lines with no area beyond them


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("zones", "coast", "areas", "codes", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    areas: list[Area] = []
    cells = Cells()
    for layer in _layers(options):
        for arc in _arcs(layer, areas):
            cells.add(arc, layer.grid)
    made = options.output.with_name(f".{options.output.name}-{os.getpid()}")
    made.write_bytes(_file(areas, cells))
    os.replace(made, options.output)
    size = options.output.stat().st_size / 1e6
    print(f"    {options.output.name}: {len(areas)} areas, {size:.1f} MB", file=sys.stderr)


def _layers(options: argparse.Namespace) -> Iterator[Layer]:
    codes = _codes(options.codes)
    yield Layer(_countries(options.zones, codes), BORDER_GRID, BORDER, WATERS)
    yield Layer(_land(options.coast), COAST_GRID, COAST, COAST)
    yield Layer(_disputed_zones(options.zones), BORDER_GRID, REGION, REGION)
    for kind in (OVERLAY, DISPUTED, STATE):
        yield Layer(_drawn(options.areas, kind), REGION_GRID, REGION, REGION)


def _arcs(layer: Layer, areas: list[Area]) -> list[Arc]:
    numbers = {area: number for number, area in enumerate(areas)}

    def snapped() -> Iterator[tuple[int, list[Point]]]:
        for area, ring in layer.rings:
            if area not in numbers:
                numbers[area] = len(areas)
                areas.append(area)
            points = [(round(x * layer.grid), round(y * layer.grid)) for x, y in ring]
            points = [b for a, b in zip([points[-1], *points], points) if a != b]
            if len(points) > 2:
                yield numbers[area], points

    return arcs.arcs(snapped(), layer.tolerance, layer.outer, layer.grid)


def _codes(file: Path) -> dict[str, str]:
    """The country of each zone."""
    found = {}
    for line in file.read_text("utf-8").splitlines():
        code, names = line.split("\t")
        found.update(dict.fromkeys(names.split(), code))
    return found


def _countries(wheel: Path, codes: dict[str, str]):
    for zone, xs, ys in zones.rings(wheel):
        yield Area(COUNTRY, codes[zone]), _degrees(xs, ys)


def _disputed_zones(wheel: Path):
    for zone, xs, ys in zones.rings(wheel):
        if zone in DISPUTED_ZONES:
            yield Area(DISPUTED, ""), _degrees(xs, ys)


def _degrees(xs: array, ys: array) -> list[tuple[float, float]]:
    return [(x / 1e7, y / 1e7) for x, y in zip(xs, ys)]


def _land(wheel: Path):
    for shore in gshhg.shores(wheel, "h"):
        if shore.layer == "land" and shore.area >= SMALLEST_ISLAND:
            yield Area(LAND, ""), list(zip(shore.numbers[::2], shore.numbers[1::2]))


def _drawn(folder: Path, kind: str):
    if kind == OVERLAY:
        shapes = {area.code: area.polygons for area in natural_earth.countries(folder)}
        (ring,) = rings(shapes["XK"][0])
        shared = {point for polygon in shapes["RS"] for ring in rings(polygon) for point in ring}
        yield Area(OVERLAY, "XK RS"), _let_out(ring, shared)
        return
    for region in natural_earth.regions(folder):
        is_disputed = (region.code, region.name) in DISPUTED_REGIONS
        state = STATES.get(region.name) if region.code == "DE" else None
        for polygon in region.polygons:
            for ring in rings(polygon):
                if kind == DISPUTED and is_disputed:
                    yield Area(DISPUTED, ""), ring
                elif kind == STATE and state:
                    yield Area(STATE, state), ring


def _let_out(ring: list[tuple[float, float]], shared: set) -> list[tuple[float, float]]:
    """The ring with all points except `shared` ones moved away from its centre."""
    x = sum(point[0] for point in ring) / len(ring)
    y = sum(point[1] for point in ring) / len(ring)

    def moved(point: tuple[float, float]) -> tuple[float, float]:
        dx, dy = point[0] - x, point[1] - y
        length = (dx * dx + dy * dy) ** 0.5
        share = 1 + LETTING_OUT / length
        return x + dx * share, y + dy * share

    return [point if point in shared else moved(point) for point in ring]


def _file(areas: list[Area], cells: Cells) -> bytes:
    """Writes a text header with a digest of the content, then the index (unsigned 32-bit numbers) and the
    records of the cells (signed 16-bit numbers), both little-endian."""
    index, records = cells.packed()
    body = _little(index) + _little(records)
    names = [f"{area.kind} {area.code}".strip() for area in areas]
    head = [
        "farol-countries 1", hashlib.sha256(body).hexdigest()[:32], ATTRIBUTION,
        f"{len(areas)} {len(index)} {len(records)}", *names,
    ]  # fmt: skip
    text = "".join(line + "\n" for line in head).encode()
    return text + body


def _little(numbers: array) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


if __name__ == "__main__":
    main()
