"""Causes each fault for real and checks the promises of Farol.

docs/reference/faults.md lists them. Prints a table; exits with 1 if a promise was broken.
"""

import argparse
import os
import sys
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import instance  # noqa: E402
from cases import ALL, Bench  # noqa: E402
import disk  # noqa: E402, F401
import clock  # noqa: E402, F401
import files  # noqa: E402, F401
import names  # noqa: E402, F401
import photos  # noqa: E402, F401
import post  # noqa: E402, F401
import postgresql  # noqa: E402, F401
import power  # noqa: E402, F401
import process  # noqa: E402, F401
import sockets  # noqa: E402, F401
import visits  # noqa: E402, F401


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(instance.HOME / ".build/release/farol"))
    parser.add_argument("--brief", action="store_true", help="run only the short cases, about a minute in total")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the cases")
    parser.add_argument("names", nargs="*", help="words in the names of the cases to run")
    return parser.parse_args()


def main():
    chosen = options()
    bench = Bench(str(Path(chosen.program).resolve()), chosen.keep)
    rows, broken = [], 0
    try:
        for one in picked(chosen):
            begun = time.monotonic()
            try:
                found = ", ".join(f"{name} {value}" for name, value in (one.run(bench) or {}).items())
                outcome = f"kept{': ' + found if found else ''}"
            except Exception as fault:
                broken += 1
                outcome = f"**BROKEN**: {fault}"
                if not isinstance(fault, instance.Broken):
                    traceback.print_exc()
            finally:
                instance.end_all()
            seconds = time.monotonic() - begun
            bench.sweep()
            print(f"{one.name}: {outcome} ({seconds:.1f} s)", file=sys.stderr, flush=True)
            rows.append(f"| {one.name} | {one.what} | {outcome} |")
    finally:
        bench.close()
    print("\n".join(["| fault | cause | promises |", "|---|---|---|"] + rows))
    return 1 if broken else 0


def picked(chosen):
    for one in ALL:
        if chosen.names and not any(word in one.name for word in chosen.names):
            continue
        if chosen.brief and not one.is_brief:
            continue
        if one.needs_root and os.geteuid() != 0:
            print(f"{one.name}: skipped: only root may mount file systems", file=sys.stderr)
            continue
        if reason := one.unless():
            print(f"{one.name}: skipped: {reason}", file=sys.stderr)
            continue
        yield one


if __name__ == "__main__":
    sys.exit(main())
