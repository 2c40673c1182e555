"""Runs the browser tests: `python Tests/Browser [NAME…]`. Without a name it runs all of them.

A name is a module or a part of it: `test_search`, `test_search.SearchTests`. With `--jobs 2` and no
name, two modules run at a time.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from support.runner import report, run
from support.workers import SWITCH, run_side_by_side, work

TITLE = "Browsers"
HERE = Path(__file__).resolve().parent


def main():
    arguments = argparse.ArgumentParser(prog="Tests/Browser")
    arguments.add_argument("names", nargs="*", metavar="NAME")
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument(SWITCH, action="store_true", dest="is_worker", help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.is_worker:
        return work()
    # The built files that browsers get; takes a moment if nothing has changed.
    subprocess.run([str(HERE.parents[1] / "setup/front.py")], check=True)
    if asked.jobs > 1 and not asked.names:
        return report(TITLE, run_side_by_side(str(HERE), asked.jobs))
    return run(TITLE, HERE, asked.names)


if __name__ == "__main__":
    sys.exit(main())
