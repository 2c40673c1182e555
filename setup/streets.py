"""Runs tilemaker over an OpenStreetMap extract, in the OpenMapTiles schema.

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

# Below this zoom the base map says all there is to say.
MINIMUM_ZOOM = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("extract", "examples", "work", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    config, made = options.work / "config.json", options.work / "streets.mbtiles"
    config.write_text(json.dumps(_config(options.examples / "config-openmaptiles.json")))
    log = options.work / "tilemaker.log"
    with log.open("wb") as file:
        result = subprocess.run(
            [
                "nice", "tilemaker", f"--input={options.extract}", f"--output={made}",
                f"--config={config}", f"--process={options.examples / 'process-openmaptiles.lua'}",
                f"--bbox={_box(options.extract)}",
            ],
            stdin=subprocess.DEVNULL, stdout=file, stderr=file,
        )  # fmt: skip
    if result.returncode != 0 or not _describe(made):
        last = log.read_text("utf-8", "replace").replace("\r", "\n").strip().rsplit("\n", 1)[-1]
        sys.exit(f"tilemaker could make no tiles of {options.extract.name}; it said: {last}")
    os.replace(made, options.output)


def _config(example: Path) -> dict:
    """The example without the layers that want shapefiles: the base map draws the sea."""
    config = json.loads(example.read_text("utf-8"))
    layers = config["layers"].items()
    config["layers"] = {name: layer for name, layer in layers if "source" not in layer}
    config["settings"] |= {"minzoom": MINIMUM_ZOOM, "name": "Farol streets"}
    config["settings"]["filemetadata"] = {"type": "overlay", "format": "pbf"}
    return config


def _box(extract: Path) -> str:
    """west,south,east,north as the extract says, or else around all that is in it."""
    for options in (["-g", "header.boxes"], ["-e", "-g", "data.bbox"]):
        result = subprocess.run(
            ["osmium", "fileinfo", "--no-progress", *options, str(extract)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        if result.returncode != 0:
            sys.exit(f"{extract.name} is no OpenStreetMap extract: {result.stderr.strip()}")
        numbers = re.findall(r"-?\d+(?:\.\d+)?", result.stdout)
        if len(numbers) >= 4:
            return ",".join(numbers[:4])
    sys.exit(f"{extract.name} holds nothing that could be drawn.")


def _describe(path: Path) -> bool:
    """Writes whom to thank into the file; whether it holds tiles at all."""
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
