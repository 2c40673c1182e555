"""The exports that farol-formats writes, read by other programs and compared with the CSV file, cell by cell."""

import csv
import io
import tempfile
import unittest
import zipfile
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from urllib.request import urlopen
from xml.etree import ElementTree

import duckdb
import geopandas
import pandas
import pyogrio
from pyarrow import parquet

from instance import root

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def get(path):
    with urlopen(root() + path) as answer:
        return answer.read()


def table(path):
    """The rows of a CSV file by their first cell. Its apostrophes before formulas are not part of the text."""
    found = {}
    for row in csv.DictReader(io.StringIO(get(path).decode(), newline="")):
        row = {name: cell[1:] if cell[:2] in ("'=", "'+", "'-", "'@") else cell for name, cell in row.items()}
        found[next(iter(row.values()))] = row
    return found


def sheets(content):
    """Each sheet of a workbook as a list of rows, read with the standard library."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        book = ElementTree.fromstring(file.read("xl/workbook.xml"))
        names = [sheet.get("name") for sheet in book.iter(MAIN + "sheet")]
        return {name: [cells(row) for row in ElementTree.fromstring(
            file.read(f"xl/worksheets/sheet{number}.xml")).iter(MAIN + "row")]
            for number, name in enumerate(names, 1)}


def cells(row):
    """The values of a row by the letters of their columns."""
    found = {}
    for cell in row.iter(MAIN + "c"):
        letters = cell.get("r").rstrip("0123456789")
        if cell.get("t") == "inlineStr":
            found[letters] = "".join(text.text or "" for text in cell.iter(MAIN + "t"))
        elif cell.get("t") == "b":
            found[letters] = "true" if cell.find(MAIN + "v").text == "1" else "false"
        elif cell.get("s") in ("2", "3"):
            moment = datetime(1899, 12, 30) + timedelta(days=float(cell.find(MAIN + "v").text))
            moment += timedelta(milliseconds=500)
            found[letters] = moment.strftime("%Y-%m-%d" if cell.get("s") == "2" else "%Y-%m-%dT%H:%M:%SZ")
        else:
            found[letters] = float(cell.find(MAIN + "v").text)
    return found


def named(rows):
    head = rows[0]
    return [{name: row[letters] for letters, name in head.items() if letters in row} for row in rows[1:]]


class ConvertedExportTests(unittest.TestCase):
    def check(self, cell, value, name):
        if isinstance(value, float):
            self.assertAlmostEqual(float(cell), value, places=7, msg=name)
        else:
            self.assertEqual(cell, value, name)

    def test_a_workbook_has_every_cell_of_the_csv_file(self):
        expected = table("/exports/devices.csv")
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
        expected = table("/exports/devices.csv")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "devices.fgb"
            path.write_bytes(get("/exports/devices.fgb"))
            frame = pyogrio.read_dataframe(path).set_index("id")
            west = pyogrio.read_dataframe(path, bbox=(-180, -90, 0, 90))
        self.assertEqual(set(frame.index), set(expected))
        self.assertEqual(set(west["id"]), {key for key, row in expected.items() if float(row["longitude"]) <= 0})
        self.check_frame(frame, expected)

    def test_geopandas_reads_every_cell_of_a_geoparquet_file(self):
        expected = table("/exports/devices.csv")
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
        expected = table("/exports/devices.csv")
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
                self.check(cell, self.plain(value, cell), name)

    def check_frame(self, frame, expected):
        """Compares each cell and point of a frame, indexed by id, with the rows of the CSV file."""
        for identifier, row in frame.iterrows():
            known = expected[identifier]
            self.assertAlmostEqual(row.geometry.x, float(known["longitude"]), places=7)
            self.assertAlmostEqual(row.geometry.y, float(known["latitude"]), places=7)
            for name, cell in known.items():
                if name in ("id", "longitude", "latitude"):
                    continue
                self.check(cell, self.plain(row[name], cell), name)

    @staticmethod
    def plain(value, cell):
        if value is None or value is pandas.NaT or (isinstance(value, float) and pandas.isna(value)):
            return ""
        if isinstance(value, bool) or type(value).__name__ == "bool":
            return "true" if value else "false"
        if isinstance(value, pandas.Timestamp):
            return value.strftime("%Y-%m-%dT%H:%M:%SZ" if "T" in cell else "%Y-%m-%d")
        if isinstance(value, date):
            return value.isoformat()
        return value if isinstance(value, str) else float(value)
