"""Measures what each Swift test suite costs, by running it alone, and proposes the suites that `make test-quick` skips.

    suite_costs.py measure PROGRAM TABLE [WORD…]   runs each suite, or those whose names contain a word
    suite_costs.py propose TABLE SECONDS           prints the suites to skip so that the others need at most SECONDS of
                                                   processor time

PROGRAM is the test program that SwiftPM builds. In a run of all suites, the duration that a test reports includes the
time it waits for other tests. Here a suite has both cores, and its duration is its own.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

RUN = ("--testing-library", "swift-testing")
LONG = 4.5  # seconds; such a suite is in the list even if `make test-quick` runs it
LONGEST = 900  # seconds; a suite that takes longer counts as failed


class Cost(NamedTuple):
    suite: str
    seconds: float  # until the suite ends, without the start of the program
    processor: float  # seconds of processor time, of its child processes too
    tests: int
    result: str


def main() -> None:
    match sys.argv[1:]:
        case ["measure", program, table, *words]:
            measure(program, Path(table), words)
        case ["propose", table, seconds]:
            propose(read(Path(table)), float(seconds))
        case _:
            sys.exit(__doc__)


def measure(program: str, table: Path, words: list[str]) -> None:
    """Measures the suites and replaces their lines in the table after each, so that an interrupted run is not lost."""
    counts = suites(program)
    chosen = [name for name in counts if not words or any(word in name for word in words)]
    costs = {cost.suite: cost for cost in read(table) if cost.suite in counts}
    start = run(program, "^no suite has this name$")
    for number, name in enumerate(chosen, 1):
        # SwiftPM and the test program match `Target.Suite/test`, where the suite may contain others.
        seconds, processor, result = run(program, f"^{re.escape(name)}[./]")
        costs[name] = Cost(
            name, max(0.0, seconds - start[0]), max(0.0, processor - start[1]), counts[name], result)
        write(table, costs.values())
        print(f"{number}/{len(chosen)} {costs[name].seconds:7.1f} s  {name} {result}", file=sys.stderr, flush=True)


def suites(program: str) -> dict[str, int]:
    """The suites with their numbers of tests. A test outside of any suite counts as a suite."""
    done = subprocess.run([program, *RUN, "--list-tests"], capture_output=True, text=True, check=True)
    counts: dict[str, int] = {}
    for line in done.stdout.splitlines():
        if found := re.match(r"(\w+\.(?:\w+|`[^`]+`))(?:/|\()", line):
            counts[found[1]] = counts.get(found[1], 0) + 1
    return counts


def run(program: str, pattern: str) -> tuple[float, float, str]:
    """Seconds and processor seconds of one run, and its result."""
    before, began = os.times(), time.monotonic()
    try:
        done = subprocess.run(
            [program, *RUN, "--filter", pattern], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, timeout=LONGEST)
        result = "passed" if done.returncode in (0, 69) else "failed"  # 69: no test matches
    except subprocess.TimeoutExpired:
        result = "failed"
    after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - began, processor, result


def read(table: Path) -> list[Cost]:
    lines = table.read_text("utf-8").splitlines()[1:] if table.exists() else []
    rows = (line.split("\t") for line in lines)
    return [Cost(row[0], float(row[1]), float(row[2]), int(row[3]), row[4]) for row in rows]


def write(table: Path, costs) -> None:
    rows = sorted(costs, key=lambda cost: -cost.seconds)
    lines = ["\t".join(Cost._fields)]
    lines += [f"{row.suite}\t{row.seconds:.2f}\t{row.processor:.2f}\t{row.tests}\t{row.result}" for row in rows]
    table.write_text("\n".join(lines) + "\n", "utf-8")


def propose(costs: list[Cost], budget: float) -> None:
    """Skips first what needs the most processor time: suites that wait for something else share the cores."""
    left = sum(cost.processor for cost in costs)
    skipped: set[str] = set()
    for cost in sorted(costs, key=lambda cost: -cost.processor):
        if left <= budget:
            break
        left -= cost.processor
        skipped.add(cost.suite)
    for cost in sorted(costs):
        if cost.suite in skipped or cost.seconds >= LONG:
            print(f"{cost.suite:<46}{cost.seconds:6.1f}{'' if cost.suite in skipped else ' quick'}")
    print(f"# {len(costs)} suites; those that remain need {left:.0f} s of processor time.")


if __name__ == "__main__":
    main()
