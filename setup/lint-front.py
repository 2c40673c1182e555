#!/usr/bin/env python3
"""Checks that the lines of scripts and style sheets have at most 120 columns."""

import sys
from pathlib import Path

WIDEST = 120
ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ROOT / "public"


def sources():
    yield PUBLIC / "service-worker.js"
    for folder in ("js", "css"):
        yield from sorted(path for path in (PUBLIC / folder).rglob("*") if path.suffix in {".js", ".ts", ".css"})


def main():
    faults = 0
    for path in sources():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if len(line) > WIDEST:
                print(f"{path.relative_to(ROOT)}:{number}: {len(line)} columns, at most {WIDEST}", file=sys.stderr)
                faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
