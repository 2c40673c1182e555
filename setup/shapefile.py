"""Reads the lines and the attribute table of an ESRI shapefile, with the standard library only."""

import struct
from collections.abc import Iterator
from pathlib import Path

Position = tuple[float, float]

POLYLINE = 3


def lines(path: Path) -> Iterator[tuple[dict[str, str], list[list[Position]]]]:
    """Every polyline of `path` (a name without extension), with its attributes as trimmed text."""
    for attributes, content in zip(
        _table(path.with_suffix(".dbf")), _records(path), strict=True
    ):
        (shape,) = struct.unpack_from("<i", content)
        if shape == POLYLINE:
            yield attributes, _parts(content)


def _records(path: Path) -> Iterator[bytes]:
    """The records at the offsets of the index, because an edited file has gaps between records."""
    data = path.with_suffix(".shp").read_bytes()
    index = path.with_suffix(".shx").read_bytes()
    for offset, words in struct.iter_unpack(">ii", index[100:]):
        yield data[offset * 2 + 8 : (offset + words) * 2 + 8]


def _parts(content: bytes) -> list[list[Position]]:
    part_count, point_count = struct.unpack_from("<ii", content, 36)
    starts = struct.unpack_from(f"<{part_count}i", content, 44)
    numbers = struct.unpack_from(f"<{point_count * 2}d", content, 44 + part_count * 4)
    points = list(zip(numbers[::2], numbers[1::2]))
    return [points[a:b] for a, b in zip(starts, (*starts[1:], point_count))]


def _table(path: Path) -> Iterator[dict[str, str]]:
    data = path.read_bytes()
    row_count, header_size, row_size = struct.unpack_from("<xxxxIHH", data)
    fields = []
    offset = 32
    while data[offset] != 0x0D:
        name = data[offset : offset + 11].split(b"\0")[0].decode("ascii")
        fields.append((name, data[offset + 16]))
        offset += 32
    for row in range(row_count):
        start = header_size + row * row_size + 1  # skips the first byte, which marks a deleted row
        attributes = {}
        for name, width in fields:
            text = data[start : start + width].rstrip(b" \0")
            attributes[name] = text.decode("utf-8", "replace").strip()
            start += width
        yield attributes
