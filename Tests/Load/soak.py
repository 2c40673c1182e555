"""Mixed load for minutes: the memory of Farol must not grow and must stay below its limit.

FAROL_DATABASE names a database; the test serves a copy. Without it, the test generates a synthetic world.
"""

import argparse
import asyncio
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Faults")]

import attacks  # noqa: E402
from instance import HOME, Instance  # noqa: E402
from visitors import Mixture, addresses, crowd, randomness  # noqa: E402

# Megabytes: the maximum in total, and the permitted growth from the second quarter to the last.
MOST, GROWTH = 150, 6
EVERY = 10


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--people", type=int, default=64)
    parser.add_argument("--pace", type=float, default=0.1)
    parser.add_argument("--devices", type=int, default=1_000_000)
    return parser.parse_args()


class MemoryWatch(threading.Thread):
    """Records the memory of the server every ten seconds."""

    def __init__(self, process, every):
        super().__init__(daemon=True)
        self.path = f"/proc/{process}/status"
        self.every = every
        self.ending = threading.Event()
        self.begun = time.monotonic()
        self.seen = []

    def run(self):
        while not self.ending.wait(self.every):
            self.note()

    def note(self):
        fields = dict(line.split(":", 1) for line in open(self.path))
        held, most = (int(fields[name].split()[0]) / 1_024 for name in ("VmRSS", "VmHWM"))
        self.seen.append((time.monotonic() - self.begun, held, most))
        print(f"{self.seen[-1][0]:5.0f} s  {held:6.1f} MB", file=sys.stderr, flush=True)


def main():
    chosen = options()
    attacks.descriptors()
    scratch = Path(tempfile.mkdtemp(prefix="farol-soak-"))
    instance = Instance(Path(chosen.program).resolve(), scratch)
    try:
        given = os.environ.get("FAROL_DATABASE", "")
        if given and Path(given).exists():
            copy(given, instance.database)
        instance.prepare()
        if not (given and Path(given).exists()):
            instance.run("generate", "--devices", str(chosen.devices), "--seed", "6")
            # Generating data uses memory that serving does not.
            instance.stop()
            instance.start()
        mixture = Mixture(instance, randomness(7))
        watch = MemoryWatch(instance.process.pid, min(EVERY, chosen.minutes * 60 / 12))
        watch.start()
        tally = asyncio.run(crowd(
            instance.port, addresses(64, 1), mixture, chosen.people, chosen.minutes * 60, chosen.pace,
            writers=2))
        watch.ending.set()
        watch.join()
        return report(chosen, instance, tally, watch.seen)
    finally:
        instance.end()
        shutil.rmtree(scratch, ignore_errors=True)


def copy(source, target):
    """A copy of a database with its log, made while no process writes to it."""
    with sqlite3.connect(f"file:{source}?mode=ro", uri=True) as old, sqlite3.connect(target) as new:
        old.backup(new)


def report(chosen, instance, tally, seen):
    held = [one for _, one, _ in seen]
    quarter = max(1, len(held) // 4)
    early = statistics.median(held[quarter:2 * quarter] or held)
    late = statistics.median(held[-quarter:])
    rows = [
        ("minutes", f"{chosen.minutes:g}"),
        ("devices", instance.ask("GET", "/api/statistics").json.get("total", "–")),
        ("connections", chosen.people),
        ("requests", tally.asked),
        ("not served", tally.asked - tally.served),
        ("p50, p99", f"{tally.percentile(0.5):.1f} ms, {tally.percentile(0.99):.1f} ms"),
        ("resident, first and last", f"{held[0]:.1f} MB, {held[-1]:.1f} MB"),
        ("resident, second and last quarter", f"{early:.1f} MB, {late:.1f} MB"),
        ("resident, most", f"{max(most for _, _, most in seen):.1f} MB"),
    ]
    print("\n".join(["| what | how much |", "|---|---|"] + [f"| {a} | {b} |" for a, b in rows]))
    is_kept = True
    for condition, words in (
        (tally.served == tally.asked, f"not all were served: {tally.statuses} {tally.faults}"),
        (late - early <= GROWTH, f"memory grew by {late - early:.1f} MB from the second quarter to the last"),
        (max(held) < MOST, f"memory reached {max(held):.1f} MB"),
    ):
        if not condition:
            is_kept = False
            print(f"broken: {words}")
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
