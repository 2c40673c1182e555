"""Changes valid lists at random and reads each with farol-formats: it must give rows or a refusal, and never crash.

    setup/fuzz-formats.sh 60
    .venv/bin/python Tests/Formats/mutated.py --program .build-address/debug/farol-formats --seconds 60 --seed 7

The program should be built with the address sanitizer. A file that reveals a fault is kept in test-results/fuzz; the
exit code is then 1. Names of formats after the options select them.
"""

import argparse
import concurrent.futures
import io
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

import lists  # noqa: E402
import parquets  # noqa: E402
import pyarrow  # noqa: E402

HOME = HERE.parents[1]
KEPT = HOME / "test-results/fuzz"
# Of the whole run of one file. Twice the limit of processor time, as the server allows.
PATIENCE = 60
LIMIT = 20
CODES = {"unknown", "damaged", "incomplete", "unpacks_too_much", "memory", "coordinates", "encoding", "several", "missing",
         "empty", "view", "encrypted", "places"}
# The sanitizer takes more memory than the program may have, so the limits of memory are not set. `hard_rss_limit_mb`
# ends a process that a file brings to allocate gigabytes, which the real limit refuses.
SANITIZER = "detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=1500:handle_segv=1"
NUMBERS = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF,
           0xFFFFFFFFFFFFFFFF)
WORDS = (b"NaN", b"1e999", b"-1e-999", b"99999999999999999999", b"&x;", b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"]]>", b"\0",
         b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b'"', b"\\", b"\x1f", b"{", b"[", b"POINT EMPTY")


def seeds(folder):
    """Valid files by the name of their format; the extension is that of the file."""
    for name, driver in (("gpkg", "GPKG"), ("fgb", "FlatGeobuf"), ("kml", "LIBKML")):
        lists.frame().head(20).to_file(folder / f"list.{name}", driver=driver)
        yield name, (folder / f"list.{name}").read_bytes()
    lists.zipped(folder / "list.kmz", {"doc.kml": folder / "list.kml"})
    yield "kmz", (folder / "list.kmz").read_bytes()
    yield "gpx", lists.gpx()
    for name, crs in (("shape.zip", 4326), ("utm.zip", 32629)):
        lists.zipped(folder / name, lists.shapefile(folder / name.replace(".", "-"), crs))
        yield name, (folder / name).read_bytes()
    lists.xlsx(folder / "list.xlsx", [("Devices", lists.table()[:20])])
    yield "xlsx", (folder / "list.xlsx").read_bytes()
    for ending in ("xz", "bz2"):
        yield f"csv.{ending}", lists.compressed(ending, lists.csv())
    lists.zipped(folder / "csv.zip", {"list.csv": lists.csv()})
    yield "csv.zip", (folder / "csv.zip").read_bytes()
    lists.osm(folder / "list.osm.pbf", "pbf,pbf_compression=none")
    yield "osm.pbf", (folder / "list.osm.pbf").read_bytes()
    parquets.geo(folder / "geo.parquet", compression=None)
    yield "geo.parquet", (folder / "geo.parquet").read_bytes()
    yield "types.parquet", parquets.written(types(), compression="none", use_dictionary=False)
    yield "codes.parquet", parquets.written(types(), compression="zstd")


def types():
    """A table with a column of each type that is written as JSON."""
    return pyarrow.table({
        "text": ["a", "é", None], "large": pyarrow.array(["a", "b", "c"], pyarrow.large_string()),
        "whole": [1, -2, None], "unsigned": pyarrow.array([1, 2, 2**64 - 1], pyarrow.uint64()),
        "real": [0.5, float("nan"), float("inf")], "half": pyarrow.array([1, 2, 3], pyarrow.float16()),
        "flag": [True, False, None], "day": pyarrow.array([0, -1, 90_000], pyarrow.date32()),
        "time": pyarrow.array([0, 1, 2**40], pyarrow.timestamp("us", "UTC")),
        "plain_time": pyarrow.array([0, -1, 2**40], pyarrow.timestamp("ns")),
        "clock": pyarrow.array([0, 1, 86_399_999], pyarrow.time32("ms")),
        "price": pyarrow.array([1, 2, 3], pyarrow.decimal128(10, 2)),
        "list": [[1, 2], [], None], "texts": [["a"], [None], []],
        "parts": [{"a": 1, "b": "x"}, {"a": None, "b": None}, None],
        "map": pyarrow.array([[("a", 1)], [], None], pyarrow.map_(pyarrow.string(), pyarrow.int64())),
        "bytes": [b"a", b"\xff", None], "code": pyarrow.array(["a", "b", "a"]).dictionary_encode()})


def changed(content, chance):
    """The bytes with some changes."""
    content = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        place = chance.randrange(len(content) + 1) if content else 0
        length = min(chance.choice((1, 2, 4, 8, 64, 1_024)), len(content) - place)
        kind = chance.randrange(8)
        if kind == 0 and length:
            content[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            content[place:place + length] = chance.randbytes(length)
        elif kind == 2:
            size = chance.choice((1, 2, 4, 8))
            number = chance.choice(NUMBERS) & (1 << 8 * size) - 1
            content[place:place + size] = number.to_bytes(size, chance.choice(("little", "big")))
        elif kind == 3:
            content[place:place] = content[place:place + length] * chance.choice((1, 2, 50))
        elif kind == 4:
            del content[place:place + length]
        elif kind == 5:
            content[place:place] = chance.choice(WORDS)
        elif kind == 6 and chance.random() < 0.3:
            del content[place:]
        else:
            numbers = list(re.finditer(rb"\d+", content[place:place + 4_096]))
            if numbers:
                found = chance.choice(numbers)
                content[place + found.start():place + found.end()] = chance.choice(
                    WORDS + tuple(str(number).encode() for number in NUMBERS))
    return bytes(content)


def changed_archive(content, chance):
    """The archive with one changed file, and the right checksum."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        victim = chance.choice(names)
        for name in names:
            part = old.read(name)
            new.writestr(name, changed(part, chance) if name == victim else part)
    return result.getvalue()


def changed_footer(content, chance):
    """The Parquet file with changed metadata, and the right length."""
    length = struct.unpack("<I", content[-8:-4])[0]
    footer = changed(content[-8 - length:-8], chance)
    return content[:-8 - length] + footer + struct.pack("<I", len(footer)) + b"PAR1"


def changed_meaning(chance):
    """A GeoParquet file that says something else about its geometry."""
    meaning = json.dumps(parquets.column(
        encoding="WKB", crs=chance.choice((None, {"type": "GeographicCRS", "name": "x"}, {"id": {"code": 3035}})),
        covering={"bbox": {"xmin": ["box", "xmin"]}}))
    text = changed(meaning.encode(), chance).decode(errors="replace")
    try:
        return parquets.with_geo(json.loads(text))
    except (ValueError, RecursionError):
        return parquets.with_geo({"primary_column": text})


def variant(name, content, chance):
    if name.endswith((".zip", "kmz", "xlsx")) and chance.random() < 0.8:
        return changed_archive(content, chance)
    if name.endswith("parquet") and chance.random() < 0.5:
        return changed_meaning(chance) if name.startswith("geo") and chance.random() < 0.4 else \
            changed_footer(content, chance)
    return changed(content, chance)


def fault(program, name, content):
    """What the program did wrong; None if nothing."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        try:
            done = subprocess.run(
                [program, json.dumps({"name": f"list.{name}", "seconds": LIMIT})], stdin=file, capture_output=True,
                timeout=PATIENCE, env={"ASAN_OPTIONS": SANITIZER})
        except subprocess.TimeoutExpired:
            return f"did not end in {PATIENCE} s"
    errors = done.stderr.decode(errors="replace")
    # The limits of processor time and of memory.
    if done.returncode in (-24, -9) or "rss limit exhausted" in errors:
        return None
    if done.returncode == 2:
        code = errors.split("\n")[0].split(" ")[0]
        return None if code in CODES else f"a refusal that is none: {errors[:300]!r}"
    if done.returncode != 0:
        return f"ended with {done.returncode}: {errors[:3_000]}"
    return fault_of_rows(done.stdout)


def fault_of_rows(output):
    """What the server could not read."""
    head, _, rest = output.partition(b"\n")
    try:
        kind = json.loads(head)["rows"]
    except (ValueError, KeyError, TypeError):
        return f"a first line that is none: {head[:300]!r}"
    if kind == "bytes":
        return None
    if rest and not rest.endswith(b"\n"):
        return "the last row has no end"
    for line in rest.splitlines() if b"\r" not in rest else rest.split(b"\n"):
        try:
            if line and not isinstance(json.loads(line.decode(errors="replace")), dict):
                return f"a row that is no object: {line[:300]!r}"
        except ValueError as cause:
            return f"a row that is no JSON: {cause}: {line[:300]!r}"
    return None


def run(program, name, content, number):
    chance = random.Random(number)
    mutant = variant(name, content, chance)
    return mutant, fault(program, name, mutant)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build-address/debug/farol-formats"))
    parser.add_argument("--seconds", type=float, default=60, help="for each format")
    parser.add_argument("--seed", type=int, default=None, help="default: another each time")
    parser.add_argument("formats", nargs="*")
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.randrange(1 << 32)
    program = str(Path(chosen.program).resolve())
    KEPT.mkdir(parents=True, exist_ok=True)
    found = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, content in seeds(Path(folder)):
            if chosen.formats and name not in chosen.formats:
                continue
            if wrong := fault(program, name, content):
                sys.exit(f"{name}: the valid file fails: {wrong}")
            until, count, faults = time.monotonic() + chosen.seconds, 0, {}
            while time.monotonic() < until:
                numbers = range(seed + count, seed + count + 16)
                for mutant, wrong in pool.map(lambda number: run(program, name, content, number), numbers):
                    if wrong and wrong[:80] not in faults:
                        path = KEPT / f"formats-{len(faults)}.{name}"
                        path.write_bytes(mutant)
                        faults[wrong[:80]] = f"{path.relative_to(HOME)}: {wrong}"
                count += 16
            print(f"{name:14} {count} files{', BROKEN' if faults else ''}", flush=True)
            for wrong in faults.values():
                print(wrong, file=sys.stderr)
            found += len(faults)
    print(f"seed {seed}")
    return 1 if found else 0


sys.exit(main())
