"""Merges sets of vector tiles and checks the size of every tile."""

import gzip
import json
import sqlite3
import zlib
from pathlib import Path


class TileTooLarge(Exception):
    pass


def merge(parts: list[Path], output: Path, limit: int, metadata: dict[str, str]) -> None:
    """Writes `output` with the layers of all `parts`, in their order.

    A vector tile is a sequence of layers, so tiles are merged by concatenating their bytes.
    No tile may exceed `limit` bytes as stored (gzip).
    """
    output.unlink(missing_ok=True)
    file = sqlite3.connect(output)
    file.executescript(
        """
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT);
        CREATE TABLE tile_part (zoom_level, tile_column, tile_row, part, tile_data,
          PRIMARY KEY (zoom_level, tile_column, tile_row, part)) WITHOUT ROWID;
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
          tile_data BLOB, PRIMARY KEY (zoom_level, tile_column, tile_row));
        """
    )
    described = [_read_part(file, number, part) for number, part in enumerate(parts)]
    _join(file, limit)
    file.execute("DROP TABLE tile_part")
    _describe(file, described, metadata)
    file.commit()
    file.execute("VACUUM")
    file.close()


def _read_part(file: sqlite3.Connection, number: int, part: Path) -> dict[str, str]:
    file.execute("ATTACH ? AS part", (str(part),))
    file.execute(
        "INSERT INTO tile_part SELECT zoom_level, tile_column, tile_row, ?, tile_data "
        "FROM part.tiles",
        (number,),
    )
    described = dict(file.execute("SELECT name, value FROM part.metadata"))
    file.commit()
    file.execute("DETACH part")
    return described


def _join(file: sqlite3.Connection, limit: int) -> None:
    place, layers = None, []
    rows = file.execute(
        "SELECT zoom_level, tile_column, tile_row, tile_data FROM tile_part "
        "ORDER BY zoom_level, tile_column, tile_row, part"
    )
    for *here, data in rows:
        if here != place:
            _store(file, place, layers, limit)
            place, layers = here, []
        layers.append(data)
    _store(file, place, layers, limit)


def _store(
    file: sqlite3.Connection, place: list[int] | None, layers: list[bytes], limit: int
) -> None:
    if place is None:
        return
    tile = layers[0]
    if len(layers) > 1:
        joined = b"".join(zlib.decompress(layer, wbits=47) for layer in layers)
        tile = gzip.compress(joined, 9, mtime=0)
    if len(tile) > limit:
        raise TileTooLarge(f"tile {place} has {len(tile)} bytes, more than {limit}")
    file.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (*place, tile))


def _describe(
    file: sqlite3.Connection, parts: list[dict[str, str]], metadata: dict[str, str]
) -> None:
    zooms = file.execute("SELECT min(zoom_level), max(zoom_level) FROM tiles").fetchone()
    layers = [layer for part in parts for layer in json.loads(part["json"])["vector_layers"]]
    described = {
        "format": "pbf",
        "type": "baselayer",
        "minzoom": str(zooms[0]),
        "maxzoom": str(zooms[1]),
        "bounds": "-180,-85.05113,180,85.05113",
        "center": "0,20,1",
        "json": json.dumps({"vector_layers": layers}, separators=(",", ":")),
        **metadata,
    }
    file.executemany("INSERT INTO metadata VALUES (?, ?)", described.items())
