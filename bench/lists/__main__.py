"""Measures the import of large lists and the export of a million devices: rows a second and peak memory.

    make bench-lists
    .venv/bin/python bench/lists --rows 1000000 --objects 12000000 --farol .build/release/farol

The inputs are synthetic and made once, in data/bench. docs/reference/performance.md explains the figures. Prints a
table; exits with 1 if an aim was missed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).resolve().parent), str(HOME / "bench")]

import inputs  # noqa: E402
import report  # noqa: E402
import rows  # noqa: E402
import world  # noqa: E402

# Notes the peak memory of a program and of the programs that it starts. A small program itself, because the memory
# of a child is counted from the size of its parent.
MEASURE = """
import os, sys
child = os.fork()
if child == 0:
    os.execve(sys.argv[2], sys.argv[2:], {})
_, status, used = os.wait4(child, 0)
with open(sys.argv[1], "w") as notes:
    print(os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024, used.ru_utime + used.ru_stime, file=notes)
"""

# Aims: rows a second, and megabytes of the largest process.
AIMS = {
    "import of CSV": (25_000, 200), "import of GeoParquet": (25_000, 200),
    "reading of GeoParquet by farol-formats": (100_000, 200), "search of .osm.pbf": (1_000_000, 200),
    "export as CSV": (200_000, None), "export as GeoParquet": (150_000, None),
}


class Bench:
    def __init__(self, farol, folder):
        self.farol, self.folder = str(Path(farol).resolve()), folder
        self.rows = []

    def run(self, name, count, *arguments, program=None, input=None, output=subprocess.PIPE):
        """Runs the program once and keeps its rate."""
        notes = self.folder / "notes"
        started = time.monotonic()
        ended = subprocess.run(
            [sys.executable, "-SI", "-c", MEASURE, notes, program or self.farol, *map(str, arguments)],
            stdin=input, stdout=output, stderr=subprocess.STDOUT)
        seconds = time.monotonic() - started
        code, memory, cpu = notes.read_text().split()
        if code != "0":
            sys.exit(f"{name} ended with {code}: {(ended.stdout or b'').decode(errors='replace')[-2000:]}")
        rate, aim = count / seconds, AIMS[name]
        is_met = rate >= aim[0] and (aim[1] is None or float(memory) <= aim[1])
        self.rows.append((name, count, seconds, rate, aim[0], float(cpu), float(memory), is_met))
        print(f"{name}: {rate:,.0f} a second, {float(memory):.0f} MB", flush=True)

    def imported(self, name, count, path, mapping):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            self.run(name, count, "import", "--home", HOME, "--database", Path(folder) / "farol.db",
                     "--mapping", mapping, path)

    def read(self, name, count, path):
        """Only the confined program, whose rows nobody reads."""
        with open(path, "rb") as file:
            self.run(name, count, json.dumps({"name": path.name, "seconds": 600}), input=file,
                     output=subprocess.DEVNULL, program=str(Path(self.farol).parent / "farol-formats"))

    def exported(self, name, format, count, database):
        # A file, because GeoParquet is complete before it is sent.
        path = self.folder / f"devices.{format}"
        try:
            self.run(name, count, "export", "--home", HOME, "--database", database, "--format", format, path)
        finally:
            path.unlink(missing_ok=True)

    def table(self):
        lines = [
            f"{report.machine()}", "",
            "| what | rows or objects | seconds | a second | aim | CPU s | peak MB |", "|---|---|---|---|---|---|---|"]
        for name, count, seconds, rate, aim, cpu, memory, is_met in self.rows:
            mark = "" if is_met else " (missed)"
            lines.append(f"| {name} | {count:,} | {seconds:.1f} | {rate:,.0f}{mark} | {aim:,} | {cpu:.1f} "
                         f"| {memory:.0f} |")
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--farol", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of each list, and devices of an export")
    parser.add_argument("--objects", type=int, default=12_000_000, help="nodes and ways of the .osm.pbf file")
    parser.add_argument("--only", choices=["csv", "parquet", "osm", "export"], action="append")
    options = parser.parse_args()
    wanted = options.only or ["csv", "parquet", "osm", "export"]
    folder = HOME / "data/bench"
    folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.farol, folder)
    mapping = inputs.mapping(folder)
    if "csv" in wanted:
        bench.imported("import of CSV", options.rows, inputs.csv(folder, options.rows), mapping)
    if "parquet" in wanted:
        path = inputs.geoparquet(folder, options.rows)
        bench.imported("import of GeoParquet", options.rows, path, inputs.mapping(folder, has_geometry=True))
        bench.read("reading of GeoParquet by farol-formats", options.rows, path)
    if "osm" in wanted:
        path = inputs.osm(folder, options.objects)
        bench.imported("search of .osm.pbf", options.objects, path, "osm")
    if "export" in wanted:
        path = world.make(str(HOME), str(folder), bench.farol, options.rows, dict(os.environ))
        count = world.World(path).one(f"SELECT count(*) FROM device WHERE hidden = 0 AND status IN {world.STANDING}")
        bench.exported("export as CSV", "csv", count, path)
        bench.exported("export as GeoParquet", "parquet", count, path)
    rows.show("lists", "\n" + bench.table())
    return 0 if all(row[-1] for row in bench.rows) else 1


sys.exit(main())
