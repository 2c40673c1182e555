"""Reads the CSV file of a snapshot, and draws a bar chart as SVG. Needs Python 3.11 and no packages."""

import csv
import gzip
from html import escape
from pathlib import Path


def devices(path):
    """Yields each device of `devices.csv` or of a snapshot `2026-11-21.csv.gz` as a dictionary of texts."""
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file)


def values(text):
    """Splits a list column. An empty text means unknown."""
    return text.split(";") if text else []


def bars(path, title, rows, note=""):
    """Draws `rows`, pairs of a label and a number, as horizontal bars with their numbers."""
    left, width, height = 260, 420, 22
    longest = max((number for _, number in rows), default=0) or 1
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 120}" height="{height * len(rows) + 80}"'
        ' font-family="sans-serif" font-size="13">',
        f'<title>{escape(title)}</title>', '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="24" font-size="16">{escape(title)}</text>']
    for place, (label, number) in enumerate(rows):
        y = 40 + place * height
        length = width * number / longest
        lines += [
            f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{escape(label[:36])}</text>',
            f'<rect x="{left}" y="{y + 2}" width="{length:.1f}" height="{height - 6}" fill="#1f6f8b"/>',
            f'<text x="{left + length + 6:.1f}" y="{y + 15}">{number:,}</text>']
    lines += [f'<text x="10" y="{height * len(rows) + 66}" fill="#555">{escape(note)}</text>', "</svg>"]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
