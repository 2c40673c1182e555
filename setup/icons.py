"""Collects the icons of terms from Debian's bootstrap-icons in one file of symbols.

    icons.py --names interface.json --package DIR --output FILE

Each symbol's id is the name of `interface.json`; a page shows one by `<use href="FILE#name">`.
"""

import argparse
import json
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

SVG = "http://www.w3.org/2000/svg"
NOTICE = " Bootstrap Icons, Copyright 2019-2021 The Bootstrap Authors, MIT licence: see LICENCE-icons.txt "


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", type=Path, required=True)
    parser.add_argument("--package", type=Path, required=True, help="the package, unpacked")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    listed = json.loads(options.names.read_text("utf-8"))
    xml.register_namespace("", SVG)
    sprite = xml.Element(f"{{{SVG}}}svg")
    sprite.append(xml.Comment(NOTICE))
    for name, file in sorted(listed["icons"].items()):
        sprite.append(_symbol(name, options.package / listed["folder"] / f"{file}.svg"))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(xml.tostring(sprite, encoding="utf-8") + b"\n")
    licence = options.package / "usr/share/doc/bootstrap-icons/copyright"
    options.output.with_name("LICENCE-icons.txt").write_bytes(licence.read_bytes())


def _symbol(name: str, file: Path) -> xml.Element:
    if not file.exists():
        sys.exit(f"bootstrap-icons has no {file.name}, which interface.json names for {name}.")
    drawing = xml.parse(file).getroot()
    symbol = xml.Element(f"{{{SVG}}}symbol", {"id": name, "viewBox": drawing.get("viewBox", "0 0 16 16")})
    for shape in drawing:
        shape.tail = None
        symbol.append(shape)
    return symbol


if __name__ == "__main__":
    main()
