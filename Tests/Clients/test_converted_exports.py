"""The exports that farol-formats writes, read by other programs and compared with the CSV file, cell by cell."""

import csv
import io
import tempfile
import unittest
from datetime import datetime, timezone
from pathlib import Path
from urllib.request import urlopen

import duckdb
import geopandas
import pyogrio
from pyarrow import parquet

from exported import named, plain, sheets, table
from instance import root


def get(path):
    with urlopen(root() + path) as answer:
        return answer.read()


class ConvertedExportTests(unittest.TestCase):
    def check(self, cell, value, name):
        if isinstance(value, float):
            self.assertAlmostEqual(float(cell), value, places=7, msg=name)
        else:
            self.assertEqual(cell, value, name)

    def test_a_workbook_has_every_cell_of_the_csv_file(self):
        expected = table(get("/exports/devices.csv"))
        book = sheets(get("/exports/devices.xlsx"))
        self.assertEqual(list(book), ["devices", "about"])
        rows = named(book["devices"])
        self.assertEqual([row["id"] for row in rows], list(expected))
        for row in rows:
            for name, cell in expected[row["id"]].items():
                if cell:
                    self.check(cell, row[name], name)
                else:
                    self.assertNotIn(name, row)

    def test_statistics_as_a_workbook_have_every_cell_of_the_csv_table(self):
        path = "/statistics?group_by=country,category&f="
        rows = csv.DictReader(io.StringIO(get(path + "csv").decode(), newline=""))
        book = named(sheets(get(path + "xlsx"))["list"])
        expected = list(rows)
        self.assertEqual(len(book), len(expected))
        for row, cells_of_row in zip(book, expected):
            for name, cell in cells_of_row.items():
                self.check(cell, row.get(name, ""), name)

    def test_gdal_reads_every_cell_of_a_flatgeobuf(self):
        expected = table(get("/exports/devices.csv"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "devices.fgb"
            path.write_bytes(get("/exports/devices.fgb"))
            frame = pyogrio.read_dataframe(path).set_index("id")
            west = pyogrio.read_dataframe(path, bbox=(-180, -90, 0, 90))
        self.assertEqual(set(frame.index), set(expected))
        self.assertEqual(set(west["id"]), {key for key, row in expected.items() if float(row["longitude"]) <= 0})
        self.check_frame(frame, expected)

    def test_geopandas_reads_every_cell_of_a_geoparquet_file(self):
        expected = table(get("/exports/devices.csv"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "devices.parquet"
            path.write_bytes(get("/exports/devices.parquet"))
            frame = geopandas.read_parquet(path).set_index("id")
            facts = parquet.read_metadata(path).metadata
        self.assertEqual(frame.crs, "OGC:CRS84")
        self.assertEqual(list(frame.index), list(expected))
        self.check_frame(frame, expected)
        self.assertTrue(facts[b"query"].endswith(b"/api/exports/devices.parquet"))
        for name in (b"title", b"licence", b"attribution", b"exported_at"):
            self.assertTrue(facts[name], name)

    def test_duckdb_reads_every_cell_of_a_geoparquet_file(self):
        """With a reader that shares no code with Apache Arrow."""
        expected = table(get("/exports/devices.csv"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "devices.parquet"
            path.write_bytes(get("/exports/devices.parquet"))
            file = f"read_parquet('{path}')"
            # The Python types of DuckDB's times need a further package.
            times = [name for name, kind, *_ in duckdb.sql(f"DESCRIBE SELECT * FROM {file}").fetchall()
                     if kind == "TIMESTAMP WITH TIME ZONE"]
            replaced = ", ".join(f"epoch({name}) AS {name}" for name in times)
            rows = duckdb.sql(
                f"SELECT * EXCLUDE (geometry, bbox) REPLACE ({replaced}), bbox.xmin AS longitude, "
                f"bbox.ymin AS latitude FROM {file}")
            names = rows.columns
            found = {row[names.index("id")]: dict(zip(names, row)) for row in rows.fetchall()}
        self.assertEqual(set(times), {"created_at", "updated_at", "last_confirmed"})
        self.assertEqual(set(names), set(next(iter(expected.values()))))
        self.assertEqual(list(found), list(expected))
        for identifier, row in found.items():
            for name, cell in expected[identifier].items():
                value = row[name]
                if name in times and value is not None:
                    value = datetime.fromtimestamp(value, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
                self.check(cell, plain(value, cell), name)

    def check_frame(self, frame, expected):
        """Compares each cell and point of a frame, indexed by id, with the rows of the CSV file."""
        for identifier, row in frame.iterrows():
            known = expected[identifier]
            self.assertAlmostEqual(row.geometry.x, float(known["longitude"]), places=7)
            self.assertAlmostEqual(row.geometry.y, float(known["latitude"]), places=7)
            for name, cell in known.items():
                if name in ("id", "longitude", "latitude"):
                    continue
                self.check(cell, plain(row[name], cell), name)
