"""A street map with one straight street, in the schema of OpenMapTiles."""

import math
import sqlite3

ZOOM = 14
EXTENT = 4096


def _number(value):
    """A variable-length integer."""
    written = b""
    while value > 0x7F:
        written += bytes([value & 0x7F | 0x80])
        value >>= 7
    return written + bytes([value])


def _bytes(field, value):
    return _number(field << 3 | 2) + _number(len(value)) + value


def _integer(field, value):
    return _number(field << 3) + _number(value)


def _zigzag(value):
    return _number(value * 2 if value >= 0 else -value * 2 - 1)


def _layer(name, key, value, line):
    """A layer with one line (Mapbox Vector Tile 2.1)."""
    (x, y), (right, down) = line
    geometry = _number(1 << 3 | 1) + _zigzag(x) + _zigzag(y) + _number(1 << 3 | 2) + _zigzag(right - x) + _zigzag(down - y)
    feature = _bytes(2, _number(0) + _number(0)) + _integer(3, 2) + _bytes(4, geometry)
    return _bytes(3, (
        _integer(15, 2) + _bytes(1, name.encode()) + _bytes(2, feature) + _bytes(3, key.encode())
        + _bytes(4, _bytes(1, value.encode())) + _integer(5, EXTENT)))


def street_map(path, name, longitude, latitude):
    """An MBTiles file of the tile around a position, with a street through it from west to east."""
    x = (longitude + 180) / 360 * 2**ZOOM
    y = (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * 2**ZOOM
    column, row = int(x), int(y)
    height = round((y - row) * EXTENT)
    line = ((0, height), (EXTENT, height))
    tile = _layer("transportation", "class", "minor", line) + _layer("transportation_name", "name", name, line)
    file = sqlite3.connect(path)
    with file:
        file.executescript(
            "CREATE TABLE metadata (name TEXT, value TEXT);"
            "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);")
        file.executemany("INSERT INTO metadata VALUES (?, ?)", [
            ("format", "pbf"), ("minzoom", str(ZOOM)), ("maxzoom", str(ZOOM)), ("attribution", "© Example"),
            ("json", '{"vector_layers": [{"id": "transportation"}, {"id": "transportation_name"}]}')])
        file.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (ZOOM, column, 2**ZOOM - 1 - row, tile))
    file.close()
