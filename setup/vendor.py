"""Extracts the browser libraries, and no other file, from the wheels that contain them.

    vendor.py --output DIR WHEEL…
"""

import argparse
import hashlib
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple


class Member(NamedTuple):
    wheel: str  # the beginning of the wheel's file name
    path: str
    sha256: str
    name: str  # in the output folder


MEMBERS = (
    Member(
        "panel-1.9.4-",
        "panel/dist/bundled/deckglplot/maplibre-gl/dist/maplibre-gl.js",
        "45a9b07a9189ce56054c620a947ccf41e291e58c95e9b61533b740aaa65ee5cb",
        "maplibre-gl-5.24.0.js",
    ),
    Member(
        "panel-1.9.4-",
        "panel/dist/bundled/echarts/echarts@6.0.0/dist/echarts.min.js",
        "baa8dfe7e1d9336b98e8986ba7e20ea15e7cdbea1ef42a59d59478632fa45a1d",
        "echarts-6.0.0.min.js",
    ),
    Member(
        "maplibre-0.3.6-",
        "maplibre/srcjs/maplibre-gl.css",
        "792ac997dcf6ae6f643eb4e2dee4630c85e7056526bd8fb85ffe83c67d6c41b4",
        "maplibre-gl-5.3.0.css",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("wheels", type=Path, nargs="+")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for member in MEMBERS:
        wheel = next(path for path in options.wheels if path.name.startswith(member.wheel))
        content = _content(wheel, member)
        if member.name.endswith(".css"):
            content = needed_rules(content.decode()).encode()
        (options.output / member.name).write_bytes(content)


def _content(wheel: Path, member: Member) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        content = archive.read(member.path)
    digest = hashlib.sha256(content).hexdigest()
    if digest != member.sha256:
        sys.exit(f"{member.path} in {wheel.name} has an unexpected digest ({digest}).")
    return content


# Nine tenths of MapLibre's style sheet, compressed, are drawings of buttons and pop-ups that Farol replaces.
UNUSED = ("maplibregl-ctrl", "maplibregl-popup", "maplibregl-user-location")


def needed_rules(sheet: str) -> str:
    """The sheet without the rules that apply only to unused elements."""
    kept, depth, start = "", 0, 0
    for index, character in enumerate(sheet):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                kept += _needed_rule(sheet[start : index + 1])
                start = index + 1
    return kept


def _needed_rule(rule: str) -> str:
    head, _, block = rule.partition("{")
    if "@media" in head:
        inner = needed_rules(block[:-1])
        return f"{head}{{{inner}}}" if inner else ""
    is_unused = all(any(name in selector for name in UNUSED) for selector in head.split(","))
    return "" if is_unused else rule


if __name__ == "__main__":
    main()
