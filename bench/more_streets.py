#!/usr/bin/env python3
"""Makes a large extract out of a small one: `bench/more_streets.py EXTRACT.osm.pbf COLUMNS ROWS OUTPUT.osm.pbf`.

The streets are there COLUMNS times ROWS times, side by side. Each copy is connected to its neighbours by bridges between
the streets at its borders. Needs osmium-tool.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

BRIDGES = 12  # between two neighbours
GAP = 0.002  # degrees between two copies


def main():
    extract, columns, rows, output = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    with tempfile.TemporaryDirectory() as name:
        selected, listed = Path(name) / "selected.osm.pbf", Path(name) / "more.opl"
        run("tags-filter", extract, "w/highway", "-o", selected)
        lines = run("cat", selected, "-f", "opl", "-o", "-").decode().splitlines()
        nodes = [line for line in lines if line[0] == "n"]
        ways = [line for line in lines if line[0] == "w"]
        places = {}
        for line in nodes:
            found = re.search(r"^n(\d+) .*x(-?[\d.]+) y(-?[\d.]+)", line)
            if found:
                places[int(found[1])] = (float(found[2]), float(found[3]))
        numbers = {node: number for number, node in enumerate(places, 1)}
        used = {int(node) for way in ways for node in re.findall(r"[N,]n(\d+)", way)} & places.keys()
        xs, ys = zip(*places.values())
        width, height = max(xs) - min(xs) + GAP, max(ys) - min(ys) + GAP
        tags = {line: re.search(r" T(\S*)", line)[1] for line in nodes + ways}
        step = len(places) + 1
        sides = {side: border(used, places, side) for side in ("west", "east", "south", "north")}
        with open(listed, "w") as file:
            for copy in range(columns * rows):
                column, row = copy % columns, copy // columns
                for line in nodes:
                    node = int(re.match(r"n(\d+)", line)[1])
                    x, y = places[node]
                    file.write(f"n{copy * step + numbers[node]} v1 T{tags[line]} "
                               f"x{x + column * width:.7f} y{y + row * height:.7f}\n")
            way_number = 0
            for copy in range(columns * rows):
                for line in ways:
                    way_number += 1
                    refs = [int(node) for node in re.findall(r"[N,]n(\d+)", line)]
                    listed_refs = ",".join(f"n{copy * step + numbers[node]}" for node in refs if node in numbers)
                    file.write(f"w{way_number} v1 T{tags[line]} N{listed_refs}\n")
                for other, here, there in ((copy + 1, "east", "west"), (copy + columns, "north", "south")):
                    if here == "east" and copy % columns == columns - 1 or other >= columns * rows:
                        continue
                    for one, two in zip(sides[here], sides[there]):
                        way_number += 1
                        file.write(f"w{way_number} v1 Thighway=residential "
                                   f"Nn{copy * step + numbers[one]},n{other * step + numbers[two]}\n")
        run("cat", listed, "--overwrite", "-o", output)


def border(used, places, side):
    """Nodes at a side of the extract, in order along it."""
    axis, sign = (0 if side in ("west", "east") else 1), (1 if side in ("west", "south") else -1)
    near = sorted(used, key=lambda node: sign * places[node][axis])[:BRIDGES]
    return sorted(near, key=lambda node: places[node][1 - axis])


def run(*arguments):
    return subprocess.run(["osmium", *map(str, arguments)], check=True, stdout=subprocess.PIPE).stdout


if __name__ == "__main__":
    main()
