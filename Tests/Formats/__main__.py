"""Imports the same list in every format, and files that attack their readers, with the built programs.

Each good file must give the devices of the GeoJSON file, so that the import after it changes nothing. Each
attack must be refused with its sentence, or give only its true rows, within the limits of memory. A running server
gets the attacks from contributors, and from a web site that it imports lists from.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

import attacks  # noqa: E402
import lists  # noqa: E402
import parquets  # noqa: E402
import scheduled  # noqa: E402
import served  # noqa: E402

HOME = HERE.parents[1]
MEGABYTES = 200.0

# Runs a program and notes how it ended and its peak memory. A small program, because the memory of a child is
# counted from the size of its parent.
MEASURE = """
import os, sys
child = os.fork()
if child == 0:
    os.execve(sys.argv[2], sys.argv[2:], {})
_, status, used = os.wait4(child, 0)
with open(sys.argv[1], "w") as notes:
    print(os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024, file=notes)
"""


class Program:
    def __init__(self, program, folder):
        self.program, self.database = Path(program).resolve(), folder / "farol.db"
        self.formats = self.program.parent / "farol-formats"

    def imported(self, path, mapping, *more):
        """The exit code and all output of `farol import`."""
        ended = subprocess.run(
            [self.program, "import", "--home", HOME, "--database", self.database, "--mapping",
             mapping, *more, path], capture_output=True, text=True, timeout=300,
            env={"PATH": os.environ["PATH"]})
        return ended.returncode, ended.stdout + ended.stderr

    def read(self, path, seconds):
        """The exit code, standard output and error, and the peak megabytes of farol-formats."""
        options = json.dumps({"name": path.name, "seconds": seconds})
        notes = self.database.parent / "notes"
        with open(path, "rb") as file:
            child = subprocess.Popen(
                [sys.executable, "-SI", "-c", MEASURE, notes, self.formats, options], stdin=file,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output, errors = child.communicate()
        code, memory = notes.read_text().split()
        return int(code), output, errors.decode(), float(memory)


def good_files(folder):
    """Each file with its mapping."""
    def file(name, content):
        (folder / name).write_bytes(content)
        return folder / name

    def mapping(name, content):
        return file(name, json.dumps(content).encode())

    plain, columns = mapping("plain.json", lists.MAPPING), mapping("columns.json", lists.TABLE_MAPPING)
    yield file("list.geojson", lists.geojson()), plain, True
    for name, driver in (("list.gpkg", "GPKG"), ("list.fgb", "FlatGeobuf"), ("list.kml", "LIBKML")):
        lists.frame().to_file(folder / name, driver=driver)
        yield folder / name, plain, False
    lists.frame(3035).to_file(folder / "projected.gpkg", driver="GPKG")
    yield folder / "projected.gpkg", plain, False
    lists.zipped(folder / "list.kmz", {"doc.kml": folder / "list.kml", "files/a.png": b""})
    yield folder / "list.kmz", plain, False
    lists.zipped(folder / "shape.zip", lists.shapefile(folder / "shape"))
    yield folder / "shape.zip", plain, False
    parts = {f"folder/{name}": part for name, part in lists.shapefile(folder / "utm", 32629).items()}
    lists.zipped(folder / "utm.zip", parts)
    yield folder / "utm.zip", plain, False
    for name in parquets.COMPRESSIONS:
        parquets.geo(folder / f"{name}.parquet", compression=None if name == "none" else name)
        yield folder / f"{name}.parquet", plain, False
    parquets.geo(folder / "box.parquet", schema_version="1.1.0", write_covering_bbox=True)
    yield folder / "box.parquet", plain, False
    parquets.geo(folder / "projected.parquet", 3035)
    yield folder / "projected.parquet", plain, False
    parquets.plain(folder / "plain.parquet")
    yield folder / "plain.parquet", columns, False
    parquets.unstated(folder / "bytes.parquet")
    yield folder / "bytes.parquet", mapping("bytes.json", lists.BYTES_MAPPING), False
    lists.xlsx(folder / "list.xlsx", [("Devices", lists.table())])
    yield folder / "list.xlsx", columns, False
    yield file("list.csv", lists.csv()), columns, False
    for ending in ("bz2", "xz"):
        yield file(f"list.csv.{ending}", lists.compressed(ending, lists.csv())), columns, False
        yield file(f"list.geojson.{ending}", lists.compressed(ending, lists.geojson())), plain, False
    lists.zipped(folder / "csv.zip", {"data/list.csv": lists.csv(), "README.pdf": b"%PDF"})
    yield folder / "csv.zip", columns, False
    lists.zipped(folder / "geojson.zip", {"list.geojson": lists.geojson()})
    yield folder / "geojson.zip", plain, False
    yield file("list.gpx", lists.gpx()), mapping("gpx.json", lists.GPX_MAPPING), False


def check_good(program, folder):
    wrong = []
    for path, mapping, is_first in good_files(folder):
        code, said = program.imported(path, mapping)
        expected = f"{lists.COUNT} added, 0 changed, 0 unchanged" if is_first else \
            f"0 added, 0 changed, {lists.COUNT} unchanged"
        is_right = code == 0 and expected in said and "0 refused" in said
        print(f"{'ok   ' if is_right else 'WRONG'} {path.name}", flush=True)
        if not is_right:
            wrong.append(f"{path.name}: {code} {said[-900:]}")
    return wrong


def check_osm(program, folder):
    """The binary format gives the devices of the XML file."""
    wrong = []
    # Devices of other lists at the same places would be matched.
    program.database = folder / "osm.db"
    for name in ("list.osm", "list.osm.pbf"):
        lists.osm(folder / name)
        code, said = program.imported(folder / name, "osm")
        expected = "122 added" if name == "list.osm" else "0 added, 0 changed, 122 unchanged"
        is_right = code == 0 and expected in said
        # Of the elements that are no devices, the binary format passes none on.
        if name == "list.osm.pbf":
            is_right = is_right and ": 122 rows" in said
        print(f"{'ok   ' if is_right else 'WRONG'} {name}", flush=True)
        if not is_right:
            wrong.append(f"{name}: {code} {said[-900:]}")
    return wrong


def check_attacks(program, folder, site):
    """`site` are the files of the certificate and the key of a web site; None without a network of its own."""
    wrong = []
    secret = folder / "secret.txt"
    secret.write_text(attacks.SECRET)
    hostile = folder / "attacks"
    hostile.mkdir()
    found = attacks.make(hostile, secret)
    for attack in found:
        path = hostile / attack.name
        # The largest bombs are refused after six seconds of a debug build.
        code, output, errors, memory = program.read(path, 20)
        faults = []
        if attacks.SECRET.encode() in output or attacks.SECRET in errors:
            faults.append("the secret was read")
        if memory > MEGABYTES:
            faults.append(f"{memory:.0f} MB")
        if attack.code and not (code == 2 and errors.startswith(attack.code + " ")):
            faults.append(f"{code} {errors[:200]!r} instead of {attack.code}")
        if not attack.code and attack.limits and code not in (0, 2):
            faults.append(f"ended with {code}: {errors[:200]!r}")
        if attack.sentence:
            ended, said = program.imported(path, folder / "plain.json", "--dry-run")
            if ended == 0 or attack.sentence not in said:
                faults.append(f"farol import: {ended} {said[-400:]!r}")
        print(f"{'WRONG' if faults else 'ok   '} {attack.name}: {code}, {memory:.0f} MB, {errors.strip()[:90]}",
              flush=True)
        wrong += [f"{attack.name}: {fault}" for fault in faults]
    os.environ["FAROL_PROGRAM"] = str(program.program)
    mapping = lists.MAPPING | {"source": served.SOURCE}
    wrong += served.check(hostile, found, attacks.SECRET, mapping)
    if site is None:
        return wrong
    return wrong + scheduled.check(site, hostile, found, attacks.SECRET, mapping)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(HOME / ".build/debug/farol"))
    program = parser.parse_args().program
    cause = scheduled.network.cannot()
    if cause:
        print(f"Not tested: lists from a web site, because this machine allows no network of its own ({cause})")
    else:
        scheduled.network.enclose()
    with tempfile.TemporaryDirectory(prefix="farol-formats-") as name:
        folder = Path(name)
        farol = Program(program, folder)
        site = None if cause else scheduled.network.prepare(folder)
        wrong = check_good(farol, folder) + check_osm(farol, folder) + check_attacks(farol, folder, site)
    for fault in wrong:
        print(fault, file=sys.stderr)
    return 1 if wrong else 0


sys.exit(main())
