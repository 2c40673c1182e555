"""Exports as other programs read them: cells of CSV files and workbooks, and values as the text of a cell."""

import csv
import io
import json
import tempfile
import warnings
import zipfile
from datetime import date, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pandas
from csvw import CSVW

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def table(content):
    """The rows of a CSV file by their first cell. Its apostrophes before formulas are not part of the text."""
    found = {}
    for row in csv.DictReader(io.StringIO(content.decode(), newline="")):
        row = {name: cell[1:] if cell[:2] in ("'=", "'+", "'-", "'@") else cell for name, cell in row.items()}
        found[next(iter(row.values()))] = row
    return found


def described_table(content, description):
    """Whether csvw finds that a CSV file is as its description says, what is wrong with it, and its rows."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        file, about = Path(folder, "table.csv"), Path(folder, "table.csv-metadata.json")
        file.write_bytes(content)
        about.write_text(json.dumps(description | {"url": "table.csv"}))
        read = CSVW(str(file), md_url=str(about), validate=True)
        is_valid = read.is_valid
        rows = list(read.tables[0].iterdicts()) if is_valid else []
    return is_valid, [str(one.message) for one in found], rows


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


def plain(value, cell):
    """A value that a program has read, as the text or the number of a CSV cell, which shows whether a time is a day."""
    if value is None or value is pandas.NaT or (isinstance(value, float) and pandas.isna(value)):
        return ""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "true" if value else "false"
    if isinstance(value, pandas.Timestamp):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ" if "T" in cell else "%Y-%m-%d")
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str) else float(value)
