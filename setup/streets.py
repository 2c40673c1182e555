"""Runs tilemaker on an OpenStreetMap extract, in the OpenMapTiles schema.

    streets.py --extract FILE --examples DIR --work DIR --output FILE
"""

import argparse
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

ATTRIBUTION = "© OpenMapTiles © OpenStreetMap contributors"

# Below this zoom the base map is sufficient.
MINIMUM_ZOOM = 6

# The layers that the map draws (public/js/map/street-schemas.js). Without the others, above all points of interest,
# a tile of a town is a sixth smaller.
DRAWN = {
    "building", "housenumber", "landcover", "landuse", "park", "place", "transportation", "transportation_name", "water",
    "waterway",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("extract", "examples", "work", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    config, made = options.work / "config.json", options.work / "streets.mbtiles"
    config.write_text(json.dumps(_config(options.examples / "config-openmaptiles.json")))
    log = options.work / "tilemaker.log"
    command = [
        "nice", "tilemaker", f"--input={options.extract}", f"--output={made}", f"--config={config}",
        f"--process={options.examples / 'process-openmaptiles.lua'}", f"--bbox={_box(options.extract)}",
    ]  # fmt: skip
    status = _run(command, log)
    if status < 0:
        # tilemaker 2.2 was seen to crash (signal 11) while its threads read an extract that it reads otherwise.
        made.unlink(missing_ok=True)
        status = _run([*command, "--threads=1"], log)
    if status != 0 or not _describe(made):
        last = log.read_text("utf-8", "replace").replace("\r", "\n").strip().rsplit("\n", 1)[-1]
        sys.exit(f"tilemaker could not build tiles from {options.extract.name}: {last}")
    os.replace(made, options.output)


def _run(command: list[str], log: Path) -> int:
    """The exit status of a command, negative for a signal."""
    with log.open("wb") as file:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file).returncode


def _config(example: Path) -> dict:
    """The example configuration without the layers that need shapefiles: the base map draws the sea."""
    config = json.loads(example.read_text("utf-8"))
    layers = config["layers"].items()
    config["layers"] = {name: layer for name, layer in layers if "source" not in layer}
    for name, layer in config["layers"].items():
        # tilemaker's script writes to every layer, so each must exist: this one has no zoom.
        if layer.get("write_to", name) not in DRAWN:
            layer["minzoom"] = config["settings"]["maxzoom"] + 1
    config["settings"] |= {"minzoom": MINIMUM_ZOOM, "name": "Farol streets"}
    config["settings"]["filemetadata"] = {"type": "overlay", "format": "pbf"}
    return config


def _box(extract: Path) -> str:
    """The bounding box west,south,east,north: that of the extract's header, otherwise that of its content."""
    for options in (["-g", "header.boxes"], ["-e", "-g", "data.bbox"]):
        result = subprocess.run(
            ["osmium", "fileinfo", "--no-progress", *options, str(extract)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        if result.returncode != 0:
            sys.exit(f"{extract.name} is not an OpenStreetMap extract: {result.stderr.strip()}")
        numbers = re.findall(r"-?\d+(?:\.\d+)?", result.stdout)
        if len(numbers) >= 4:
            return ",".join(numbers[:4])
    sys.exit(f"{extract.name} contains nothing that can be drawn.")


def _describe(path: Path) -> bool:
    """Writes the attribution to the file. Returns whether the file contains tiles."""
    if not path.exists():
        return False
    file = sqlite3.connect(path)
    with file:
        file.execute("DELETE FROM metadata WHERE name = 'attribution'")
        file.execute("INSERT INTO metadata (name, value) VALUES ('attribution', ?)", (ATTRIBUTION,))
        (count,) = file.execute("SELECT count(*) FROM tiles").fetchone()
    file.close()
    return count > 0


if __name__ == "__main__":
    main()
