"""The synthetic lists of the measurement, each made once."""

import json
import random
import struct

import osmium
import pyarrow
from pyarrow import parquet as files

MAPPING = {
    "source": {"code": "bench", "name": "A list", "licence": "CC0-1.0", "attribution": "A list"},
    "key": "{ref}",
    "keep": "none",
    "fields": {
        "category": {"from": "kind", "values": {"Camera": "camera_fixed", "Reader": "alpr"}},
        "name": [{"template": "{label}"}],
        "description": [{"from": "remark"}],
        "height": [{"from": "height"}],
        "started_on": [{"from": "since"}],
        "longitude": {"from": "lon"},
        "latitude": {"from": "lat"},
    },
}
NAMES = ("ref", "kind", "label", "remark", "height", "since", "lon", "lat")


GEO = {"version": "1.1.0", "primary_column": "geometry", "columns": {
    "geometry": {"encoding": "WKB", "geometry_types": ["Point"]}}}


def mapping(folder, has_geometry=False):
    """The mapping file of the lists, or of those with geometries in place of two columns."""
    fields = {name: rule for name, rule in MAPPING["fields"].items()
              if not has_geometry or name not in ("longitude", "latitude")}
    path = folder / ("lists-geo-mapping.json" if has_geometry else "lists-mapping.json")
    path.write_text(json.dumps(MAPPING | {"fields": fields}))
    return path


def rows(count):
    """Devices in Portugal and Spain, at places that differ by more than the distance of a duplicate."""
    chance = random.Random(3)
    for number in range(count):
        yield (
            f"R-{number:07}", "Camera" if number % 3 else "Reader", f"Device {number} at street {number % 9_000}",
            "" if number % 4 else f"A remark about device {number}, seen from the road", round(2 + chance.random() * 6, 2),
            f"20{10 + number % 15}-0{number % 9 + 1}-15", round(-9 + chance.random() * 12, 6),
            round(36.5 + chance.random() * 6.5, 6))


def made(path, write):
    """The file, written under another name first, so that an interrupted run leaves no half of it."""
    if not path.exists():
        print(f"==> Making {path.name} (once)", flush=True)
        new = path.with_name("new-" + path.name)
        new.unlink(missing_ok=True)
        write(new)
        new.rename(path)
    return path


def csv(folder, count):
    def write(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(NAMES) + "\n")
            for row in rows(count):
                file.write(",".join(f'"{value}"' if "," in str(value) else str(value) for value in row) + "\n")
    return made(folder / f"lists-{count}.csv", write)


def geoparquet(folder, count):
    """The same devices, with points as WKB."""
    def write(path):
        columns = dict(zip(NAMES, zip(*rows(count))))
        places = zip(columns.pop("lon"), columns.pop("lat"))
        columns["geometry"] = [struct.pack("<BIdd", 1, 1, *place) for place in places]
        table = pyarrow.table(columns).replace_schema_metadata({"geo": json.dumps(GEO)})
        files.write_table(table, path, compression="zstd")
    return made(folder / f"lists-{count}.geo.parquet", write)


def osm(folder, count):
    """Eight nodes for each way, one element in 10,000 a surveillance camera."""
    def write(path):
        with osmium.SimpleWriter(str(path)) as writer:
            chance = random.Random(5)
            nodes, ways = count * 8 // 9, count // 9
            for number in range(nodes):
                tags = {"man_made": "surveillance", "surveillance:type": "camera"} if number % 10_000 == 0 else \
                    {"highway": "crossing"} if number % 30 == 0 else {}
                writer.add_node(osmium.osm.mutable.Node(
                    id=number + 1, version=1, tags=tags,
                    location=(-9 + chance.random() * 12, 36.5 + chance.random() * 6.5)))
            for number in range(ways):
                tags = {"building": "yes"} if number % 3 else {"highway": "residential", "name": f"Street {number}"}
                writer.add_way(osmium.osm.mutable.Way(
                    id=number + 1, version=1, nodes=[number * 8 + part + 1 for part in range(7)], tags=tags))
    return made(folder / f"lists-{count}.osm.pbf", write)
