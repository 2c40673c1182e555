"""A restore drill: makes backups of a Farol under load, kills and damages them, and restores them.

All data acknowledged before the start of a backup must exist after its restore, photos byte for byte. A person
erased since must not. Prints a table; exits with 1 if a promise was broken.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "Crash"), str(HERE.parent / "Faults")]

from damages import DAMAGES  # noqa: E402
from drill import Broken, Drill  # noqa: E402
from stock import Stock  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--kills", type=int, default=10, help="how often a backup is killed")
    parser.add_argument("--devices", type=int, default=20_000, help="how many are generated")
    parser.add_argument("--seed", type=int, default=None, help="default: another each time")
    return parser.parse_args()


def main():
    chosen = options()
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().getrandbits(32)
    folder = Path(tempfile.mkdtemp(prefix="farol-backup-"))
    program = Path(chosen.program).resolve()
    drill = Drill(program, folder, random.Random(seed))
    rows = []
    begun = time.monotonic()
    try:
        for what, run in steps(drill, Stock(program, folder), chosen):
            rows.append((what, run()))
    except Broken as broken:
        print(f"broken: {broken}", file=sys.stderr)
        return 1
    finally:
        drill.end()
        shutil.rmtree(folder, ignore_errors=True)
    rows += [("total time", f"{time.monotonic() - begun:.0f} s"), ("seed", seed)]
    print("| step | result |\n|---|---|")
    for what, found in rows:
        print(f"| {what} | {found} |")
    return 0


def steps(drill, stock, chosen):
    """The steps of the drill in order, each with a function that returns its result."""
    yield "daily backup, made by the server", drill.prepare
    yield "backup while four clients write", drill.back_up_under_load
    yield f"backups killed with SIGKILL, {chosen.kills} times", lambda: drill.kill_backups(chosen.kills)
    yield "account deleted after the backup", drill.erase_somebody
    yield "server killed, backup restored into a new folder", drill.restore
    yield "data acknowledged before the backup", drill.verify
    yield "the erased person", drill.look_for_the_erased
    yield "restore while a server runs, and over existing data", drill.refuse_and_replace
    for what, damage in DAMAGES:
        yield f"damaged backup: {what}", lambda damage=damage: drill.refuse_damaged(damage)
    sample = ("import", "--sample")
    generated = ("generate", "--devices", chosen.devices)
    yield "the sample", lambda: stock.sound("sample", sample)
    yield f"{chosen.devices} generated devices", lambda: stock.sound("generated", generated)
    yield "the sample, with drifted full text", lambda: stock.drifted("sample")
    yield "the generated devices, with drifted full text", lambda: stock.drifted("generated")


if __name__ == "__main__":
    sys.exit(main())
