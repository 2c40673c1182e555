"""A power cut: unsynced writes may be present, missing or partly written.

The shim records every change and every sync of the database files while clients write. From this trace the test builds
the possible states of the disk, and opens each.
"""

import os
import random
import shutil
import sqlite3
import threading
from collections import defaultdict
from pathlib import Path

from cases import case
from instance import Instance, hold
from shim import Disk

# The number of cuts whose state SQLite opens, and of those that Farol itself serves.
CUTS, SERVED = 100, 4
# The unit that a disk writes atomically.
SECTOR = 512


@case("power cut", f"{CUTS} states of the disk, in which unsynced data is present, missing or partly written")
def power(bench):
    scratch = bench.folder()
    data = scratch / "data"
    data.mkdir()
    trace = scratch / "trace"
    disk = Disk(bench.shim, scratch, data, trace)
    base = scratch / "base"
    instance = Instance(bench.program, scratch, data, disk)
    instance.prepare(before=lambda: shutil.copytree(data, base))
    acknowledged = write_along(instance, trace)
    instance.kill()
    records = read_trace(trace)
    chance = random.Random(20_261_121)
    cuts = sorted(chance.sample(range(records_before(records, acknowledged[0][0]), len(records)), CUTS))
    lost = 0
    for number, cut in enumerate(cuts):
        place = scratch / "after"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(base, place)
        lay_out(records[:cut], data, place, chance)
        promised = {identity for size, identity in acknowledged if size <= records[cut - 1].end}
        lost += len(promised - devices(place / "farol.db"))
        if number % (CUTS // SERVED) == 0:
            serve(bench, scratch, place, promised)
    hold(lost == 0, f"{lost} acknowledged writes were lost")
    hold(sees_a_loss(records, acknowledged, data, base, scratch, chance),
         "a disk that syncs nothing loses nothing: this test sees nothing")
    return {"acknowledged": len(acknowledged), "changes and syncs": len(records)}


def write_along(instance, trace):
    """Lets four clients write for a while: (length of the trace at the acknowledgement, id)."""
    acknowledged, lock = [], threading.Lock()

    def write():
        for _ in range(60):
            answer = instance.add()
            hold(answer.status == 201, f"a write was answered {answer.status}")
            with lock:
                acknowledged.append((os.path.getsize(trace), answer.json["id"]))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hold(len(acknowledged) == 240, "not every write was acknowledged")
    return sorted(acknowledged)


def sees_a_loss(records, acknowledged, data, base, scratch, chance):
    """Whether the test detects a disk that ignores syncs."""
    place = scratch / "forgetful"
    shutil.copytree(base, place)
    lay_out([record for record in records if record.kind != "s"], data, place, chance)
    try:
        return bool({identity for _, identity in acknowledged} - devices(place / "farol.db"))
    except (sqlite3.DatabaseError, AssertionError):
        return True


class Record:
    def __init__(self, kind, path, offset, bytes, end):
        self.kind, self.path, self.offset, self.bytes, self.end = kind, path, offset, bytes, end


def read_trace(trace):
    found, data, place = [], trace.read_bytes(), 0
    while place < len(data):
        line = data.index(b"\n", place)
        kind, offset, count, length = data[place:line].split()
        start = line + 1 + int(length)
        place = start + int(count)
        found.append(Record(
            kind.decode(), data[line + 1:start].decode(), int(offset), data[start:place], place))
    return found


def records_before(records, size):
    return sum(record.end <= size for record in records)


def lay_out(records, data, place, chance):
    """Builds one possible state of the disk after these records.

    Changes before a later sync of their file are present. Each other change is present, missing, or present in some of
    its sectors.
    """
    synced = defaultdict(int)
    for number, record in enumerate(records):
        if record.kind == "s":
            synced[record.path] = number
    for number, record in enumerate(records):
        path = place / Path(record.path).relative_to(data)
        if path.name.endswith("-shm") or record.kind == "s":
            continue  # SQLite makes the index of its log anew
        whole = number < synced[record.path]
        if record.kind == "u":
            path.unlink(missing_ok=True)
        elif record.kind == "t":
            if whole or chance.random() < 0.5:
                with open(path, "r+b" if path.exists() else "w+b") as file:
                    file.truncate(record.offset)
        else:
            put(path, record, whole or chance.random() < 0.4, chance)


def put(path, record, whole, chance):
    path.parent.mkdir(parents=True, exist_ok=True)
    torn = not whole and chance.random() < 0.5
    with open(path, "r+b" if path.exists() else "w+b") as file:
        for start in range(0, len(record.bytes), SECTOR):
            if whole or torn and chance.random() < 0.5:
                file.seek(record.offset + start)
                file.write(record.bytes[start:start + SECTOR])


def devices(database):
    """The ids in a database that SQLite recovers and finds sound."""
    connection = sqlite3.connect(database)
    try:
        found = connection.execute("PRAGMA quick_check").fetchall()
        hold(found == [("ok",)], f"the database is damaged: {found[:3]}")
        return {row[0] for row in connection.execute("SELECT id FROM device")}
    finally:
        connection.close()


def serve(bench, scratch, place, promised):
    """Farol itself starts on this state, has all acknowledged data and finds no error."""
    instance = Instance(bench.program, scratch, place)
    instance.start()
    for identity in promised:
        answer = instance.ask("GET", f"/api/collections/devices/items/{identity}")
        hold(answer.status == 200, f"an acknowledged device is answered {answer.status}")
    hold(instance.stop() == 0, "it did not stop well")
    code, words = instance.check()
    hold(code == 0, f"farol check: {words.strip()}")
