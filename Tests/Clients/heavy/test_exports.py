"""Every export of the whole sample, read by two programs that share no code and compared with the CSV file, cell by
cell. The CSV file is the measure; its own second reader is DuckDB."""

import csv
import io
import json
import sqlite3
import struct
import subprocess
import tempfile
import unittest
from functools import cache
from pathlib import Path
from urllib.request import urlopen
from xml.etree import ElementTree

import duckdb
import geopandas
import osmium
import pyogrio

import reading  # noqa: F401 (adds the folder of the light clients)
from exported import described_table, named, plain, sheets, table
from support.farol import HOME, PROGRAM, Farol, new_folder

POSITION = ("longitude", "latitude")
TIMES = ("created_at", "updated_at", "last_confirmed")
LISTS = ("data_collected", "bearings", "purposes", "shared_with", "choices", "assumed")


@cache
def export(name):
    with urlopen(f"{ExportTests.farol.address}/api/exports/{name}", timeout=300) as response:
        return response.read()


class File:
    """An export in a file of its own, because most programs read only files."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name, self.name)
        path.write_bytes(export(self.name))
        return path

    def __exit__(self, *_):
        self.folder.cleanup()


class ExportTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.farol = Farol(new_folder())
        subprocess.run([str(PROGRAM), "import", "--sample"], env=cls.farol.environment(), cwd=HOME, check=True,
                       capture_output=True)
        cls.farol.start()
        cls.addClassCleanup(cls.farol.stop)
        cls.expected = table(export("devices.csv"))

    def compare(self, rows):
        """Compares rows, as dictionaries of any values, with those of the CSV file."""
        seen = set()
        for row in rows:
            self.assertNotIn(row["id"], seen)
            seen.add(row["id"])
            for name, cell in self.expected[row["id"]].items():
                self.compare_cell(cell, row.get(name), f"{row['id']} {name}")
        self.assertEqual(len(seen), len(self.expected))

    def test_csv_by_csvw_and_its_description(self):
        described = json.loads(export("devices.csv-metadata.json"))
        is_valid, faults, rows = described_table(export("devices.csv"), described)
        self.assertTrue(is_valid, faults[:5])
        self.assertEqual({row["id"] for row in rows}, set(self.expected))

    def compare_cell(self, cell, value, where):
        text = plain(value, cell)
        if isinstance(text, float):
            self.assertTrue(cell, where)
            self.assertAlmostEqual(float(cell), text, places=7, msg=where)
        elif text != cell:
            self.assertEqual(text, cell, where)

    def test_csv_by_duckdb(self):
        with File("devices.csv") as path:
            rows = duckdb.sql(f"SELECT * FROM read_csv('{path}', all_varchar=true, header=true, nullstr='')")
            names, found = rows.columns, rows.fetchall()
        formulas = ("'=", "'+", "'-", "'@")
        self.compare({name: cell[1:] if cell and cell[:2] in formulas else cell for name, cell in zip(names, row)}
                     for row in found)

    def test_geojson_by_python(self):
        self.compare(flat(feature) for feature in json.loads(export("devices.geojson"))["features"])

    def test_geojson_by_gdal(self):
        with File("devices.geojson") as path:
            self.compare(frame_rows(path, nested=True))

    def test_lines_of_geojson_by_python(self):
        self.compare(flat(json.loads(line)) for line in export("devices.geojsonl").splitlines())

    def test_lines_of_geojson_by_gdal(self):
        with File("devices.geojsonl") as path:
            self.compare(frame_rows(path, nested=True))

    def test_geopackage_by_sqlite(self):
        with File("devices.gpkg") as path, sqlite3.connect(path) as database:
            database.row_factory = sqlite3.Row
            geometry = {row["table_name"]: row["column_name"]
                        for row in database.execute("SELECT table_name, column_name FROM gpkg_geometry_columns")}
            columns = database.execute("PRAGMA table_info(devices)").fetchall()
            switches = {row["name"] for row in columns if row["type"] == "BOOLEAN"}
            found = [sqlite_row(row, geometry["devices"], switches)
                     for row in database.execute("SELECT * FROM devices")]
        self.compare(found)

    def test_geopackage_by_gdal(self):
        with File("devices.gpkg") as path:
            self.compare(frame_rows(path))

    def test_flatgeobuf_by_two_versions_of_gdal(self):
        """No other program for FlatGeobuf is in the packages of Debian or PyPI."""
        with File("devices.fgb") as path:
            self.compare(frame_rows(path))
            lines = reading.output("ogr2ogr", "-f", "GeoJSONSeq", "-lco", "COORDINATE_PRECISION=15", "/vsistdout/",
                                   path).splitlines()
        self.compare(written_by_ogr2ogr(json.loads(line)) for line in lines)

    def test_geoparquet_by_apache_arrow(self):
        with File("devices.parquet") as path:
            self.compare(rows_of(geopandas.read_parquet(path)))

    def test_geoparquet_by_duckdb(self):
        with File("devices.parquet") as path:
            # The Python types of DuckDB's times need a further package.
            replaced = ", ".join(
                f"strftime({name} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') AS {name}" for name in TIMES)
            rows = duckdb.sql(f"SELECT * EXCLUDE (geometry, bbox) REPLACE ({replaced}), bbox.xmin AS longitude, "
                              f"bbox.ymin AS latitude FROM read_parquet('{path}')")
            names, found = rows.columns, rows.fetchall()
        self.compare(dict(zip(names, row)) for row in found)

    def test_workbook_by_python(self):
        self.compare(named(sheets(export("devices.xlsx"))["devices"]))

    def test_workbook_by_gdal(self):
        with File("devices.xlsx") as path:
            frame = pyogrio.read_dataframe(path, layer="devices", read_geometry=False)
            self.compare(dict(row) for _, row in frame.iterrows())

    def test_openstreetmap_xml_by_python_and_osmium(self):
        expected = {(element["type"], element["id"]): element.get("tags", {})
                    for element in json.loads(export("devices.osm.json"))["elements"]}
        expected = {key: tags for key, tags in expected.items() if tags}
        read = {}
        for element in ElementTree.fromstring(export("devices.osm")):
            tags = {tag.get("k"): tag.get("v") for tag in element.iter("tag")}
            if tags:
                read[element.tag, int(element.get("id"))] = tags
        self.assertEqual(read, expected)
        names = {"n": "node", "w": "way", "r": "relation"}
        with File("devices.osm") as path:
            found = {(names[one.type_str()], one.id): dict(one.tags)
                     for one in osmium.FileProcessor(str(path)) if one.tags}
        self.assertEqual(found, expected)


def frame_rows(path, nested=False):
    """The rows that GDAL reads. In GeoJSON it returns lists and objects as JSON."""
    for row in rows_of(pyogrio.read_dataframe(path)):
        yield from_gdal(row) if nested else row


def written_by_ogr2ogr(feature):
    """The columns of a feature that ogr2ogr has converted: it writes text that looks like JSON as JSON."""
    found = {name: compact(value) if isinstance(value, (dict, list)) else value
             for name, value in feature["properties"].items()}
    return {**found, **dict(zip(POSITION, feature["geometry"]["coordinates"]))}


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rows_of(frame):
    """The rows of a frame, with the position as numbers."""
    for row in frame.to_dict("records"):
        point = row.pop("geometry")
        row["longitude"], row["latitude"] = point.x, point.y
        yield row


def from_gdal(row):
    """A feature as GeoJSON has it, from the columns of GDAL, flattened."""
    properties = {}
    for name, value in row.items():
        if name in POSITION or name == "id":
            continue
        if name in TIMES or name.endswith("_on"):
            value = plain(value, "T" if name in TIMES else "") or None
        elif isinstance(value, float) and value != value:
            value = None
        elif isinstance(value, str) and name in ("operator", "source", "refs", "tags"):
            value = json.loads(value)
        elif hasattr(value, "tolist"):
            value = value.tolist()
        elif isinstance(value, str) and value.startswith("[") and name in LISTS:
            value = json.loads(value)
        properties[name] = value
    return flat({"id": row["id"], "geometry": {"coordinates": [row[name] for name in POSITION]},
                 "properties": properties})


def flat(feature):
    """A feature with the columns of the CSV file."""
    found = dict(feature["properties"])
    operator, source = found.pop("operator", None) or {}, found.pop("source", None) or {}
    tags, refs = found.pop("tags", None), found.pop("refs", None) or {}
    contact = operator.get("contact") or {}
    return {
        **{name: joined(value) if isinstance(value, list) else value for name, value in found.items()},
        # A feature has no such property: its id is enough.
        "id": feature["id"], "url": f"{ExportTests.farol.address}/devices/{feature['id']}",
        **dict(zip(POSITION, feature["geometry"]["coordinates"])),
        "operator": operator.get("name"), "operator_kind": operator.get("kind", "unknown"),
        "operator_contact": operator.get("contact") if not isinstance(contact, dict) else None,
        "operator_privacy_policy": operator.get("privacy_policy"),
        "operator_data_protection_contact": operator.get("data_protection_contact"),
        "source": source.get("name"), "source_url": source.get("url"), "attribution": source.get("attribution"),
        "licence": found.get("licence"), "refs": ";".join(
            f"{name}:{key}" for name, keys in refs.items() for key in keys),
        "tags": compact(tags) if tags else None,
    }


def joined(values):
    """A list as one cell of a table."""
    return ";".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)


def sqlite_row(row, geometry, switches):
    """A row of a GeoPackage, whose point is read from its binary form (GeoPackage 1.3, clause 2.1.3)."""
    found = {name: bool(value) if name in switches and value is not None else value
             for name, value in dict(row).items()}
    blob = found.pop(geometry)
    envelope = [0, 32, 48, 48, 64][blob[3] >> 1 & 7]
    found["longitude"], found["latitude"] = struct.unpack_from("<2d", blob, 8 + envelope + 5)
    for name in TIMES:
        found[name] = found[name] and found[name].replace(".000Z", "Z")  # the format has milliseconds
    return found
