"""Exports the whole sample from one instance, imports it into another one and compares both, in every format.

A file for OpenStreetMap has only some of the values, so its two exports are compared. Exits with status 1 when a value is
lost, a point is more precise, or an id is invented.
"""

import argparse
import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TABLES = ["csv", "geojson", "geojsons", "geojsonl", "gpkg", "fgb", "parquet", "xlsx"]
FOR_OSM = ["osm", "osm.json"]
EVERY_STATUS = "status=reported,confirmed,disputed,removed,not_a_device"
# The history of a record belongs to its instance. A device without a confirmation is due from its addition there.
OWN = {"created_at", "updated_at", "revision", "stale_on"}
# A sheet of the whole sample has more cells than the process that reads it may hold in memory.
PARTS = ["-180,-90,-95,90", "-95,-90,0,90", "0,-90,180,90"]


class Instance:
    """A database and the commands on it."""

    def __init__(self, program, path):
        self.program, self.path = program, path

    def attempt(self, *arguments):
        return subprocess.run(
            [self.program, arguments[0], "--database", self.path, *arguments[1:]], capture_output=True, text=True)

    def run(self, *arguments):
        done = self.attempt(*arguments)
        if done.returncode:
            raise SystemExit(f"farol {' '.join(map(str, arguments))}: {done.stdout}{done.stderr}")
        return done.stdout

    def export(self, file, status=EVERY_STATUS):
        self.run("export", "--filter", status, file)
        return file

    def devices(self, folder):
        """The values of all devices by id."""
        file = self.export(folder / f"{self.path.stem}.csv")
        with open(file, newline="", encoding="utf-8") as lines:
            rows = {row["id"]: {name: value for name, value in row.items() if name not in OWN}
                    for row in csv.DictReader(lines)}
        file.unlink()
        return rows


def elements(file):
    """The elements of a file, without the numbers that hold only inside it."""
    found = json.loads(file.read_text())["elements"]
    return sorted(json.dumps({name: value for name, value in one.items() if name != "id" or value > 0}, sort_keys=True)
                  for one in found)


def differences(sent, got):
    """One sentence for each kind of difference."""
    if sent.keys() != got.keys():
        yield f"{len(sent.keys() - got.keys())} devices are lost, {len(got.keys() - sent.keys())} invented"
    columns = {}
    for one in sent.keys() & got.keys():
        for name, value in sent[one].items():
            if got[one].get(name) != value:
                columns.setdefault(name, []).append((one, value, got[one].get(name)))
    for name, found in sorted(columns.items()):
        yield f"{name} differs in {len(found)} devices, such as {found[0]}"


def refusal(other, file, folder):
    """A fault unless a sheet that is too large is refused whole, with the reason."""
    done = other.attempt("import", "--mapping", "farol", file)
    told = done.stdout + done.stderr
    if done.returncode == 0 or "too much memory" not in told or other.devices(folder):
        yield f"{file.name} is not refused whole: {told}"


def counts(told):
    return {name: int(number.replace(",", "")) for number, name in re.findall(r"([\d,]+) (added|changed|refused)", told)}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", required=True, type=Path)
    options.add_argument("--only", nargs="+", default=TABLES + FOR_OSM, help="endings of the formats")
    given = options.parse_args()
    program = given.program.resolve()
    faults = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        first = Instance(program, folder / "first.db")
        first.run("import", "--sample")
        before = first.devices(folder)
        for ending in given.only:
            file = first.export(folder / f"devices.{ending}", EVERY_STATUS if ending in TABLES else "")
            other = Instance(program, folder / f"other-{ending}.db")
            mapping = "farol" if ending in TABLES else "osm"
            parts = [file]
            if ending == "xlsx":
                faults += refusal(other, file, folder)
                parts = [first.export(folder / f"part-{place}.xlsx", f"{EVERY_STATUS}&bbox={box}")
                         for place, box in enumerate(PARTS)]
            for part in parts:
                other.run("import", "--mapping", mapping, part)
            if ending in TABLES:
                found = list(differences(before, other.devices(folder)))
            else:
                pair = [one.export(folder / f"{one.path.stem}.osm.json", "") for one in (first, other)]
                lost = set(elements(pair[0])) ^ set(elements(pair[1]))
                found = [f"{len(lost)} elements differ, such as {min(lost)}"] if lost else []
            told = "".join(first.run("import", "--mapping", mapping, part) for part in parts)
            if first.devices(folder) != before:
                found.append(f"its import into the same instance has changed it: {counts(told)}")
            print(f"{ending}: {'; '.join(found) or 'all equal'}", flush=True)
            faults += found
            for left in {*folder.glob("*other*"), file, *parts}:
                left.unlink()
    sys.exit(1 if faults else 0)


main()
