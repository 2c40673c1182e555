"""Runs the Swift tests of the debug build: `python3 setup/swift_tests.py PROGRAM [SUITE_TO_SKIP…]`.

`swift_tests.py PROGRAM --within TARGET [WORD…]` runs the suites of one target, or those of them whose names contain a
word, and prints how many tests passed.

PROGRAM is the test program that SwiftPM builds. Several processes share the suites: in one process, tests that wait for
sockets, timers or child processes hold its two threads, and a processor is idle half of the time. The suites are shared
out among more parts than processes, by the seconds of setup/slow-suites.txt: a process that ends early takes the next
part, however the seconds of this machine differ.

If a few tests fail, their suites run once more, alone: machines are shared, and another process can delay a wait.
"""

import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
from second_try import MOST_TRIED_AGAIN  # noqa: E402
from suite_costs import RUN, suites  # noqa: E402

PROCESSES = 3
# Each part prepares its own database and files, which takes some seconds.
PARTS = 9
SLOW = Path(__file__).with_name("slow-suites.txt")
# The seconds of a suite that is not in that file.
USUAL = 1.5


def main() -> int:
    program, *rest = sys.argv[1:]
    names = sorted(suites(program))
    if rest[:1] == ["--within"]:
        names = within(rest[1], rest[2:], names)
    elif unknown := set(rest) - set(names):
        print(f"There is no suite {', '.join(sorted(unknown))}.", file=sys.stderr)
        return 1
    else:
        names = [name for name in names if name not in rest]
    with tempfile.TemporaryDirectory() as folder:
        parts = shared_out(names)
        files = [Path(folder, f"{number}.xml") for number in range(len(parts))]
        with ThreadPoolExecutor(PROCESSES) as pool:
            statuses = list(pool.map(lambda part, file: start(program, part, file).wait(), parts, files))
        if rest[:1] == ["--within"]:
            print(f"==> {counts(files)}", file=sys.stderr, flush=True)
        if not any(statuses):
            return 0
        # A process that crashed wrote no results.
        if not all(file.exists() for file in files):
            return 1
        again = failed(files)
    if not again:
        return 1
    print(f"==> Second run: {', '.join(again)}", file=sys.stderr, flush=True)
    if start(program, again).wait():
        return 1
    print(f"==> Passed only in the second run; investigate: {', '.join(again)}", file=sys.stderr)
    return 0


def shared_out(names: list[str]) -> list[list[str]]:
    """The suites of each part, the slowest part first: the slowest suite first, each to the part with the least to do."""
    lines = (line.split() for line in SLOW.read_text("utf-8").splitlines() if not line.startswith("#"))
    seconds = {words[0]: float(words[1]) for words in lines if words}
    parts: list[list[str]] = [[] for _ in range(PARTS)]
    loads = [0.0] * PARTS
    for name in sorted(names, key=lambda name: -seconds.get(name, USUAL)):
        least = loads.index(min(loads))
        parts[least].append(name)
        loads[least] += seconds.get(name, USUAL)
    return [part for _, part in sorted(zip(loads, parts), reverse=True) if part]


def start(program: str, names: list[str], results: Path | None = None) -> subprocess.Popen:
    pattern = "^(" + "|".join(map(re.escape, names)) + ")[./]"
    output = ["--xunit-output", str(results)] if results else []
    return subprocess.Popen([program, *RUN, "--filter", pattern, *output], stdin=subprocess.DEVNULL)


def within(target: str, words: list[str], names: list[str]) -> list[str]:
    """The suites of a target whose names contain a word, or all of them."""
    of_target = [name.removeprefix(f"{target}.") for name in names if name.startswith(f"{target}.")]
    chosen = [name for name in of_target if not words or any(word in name for word in words)]
    return [f"{target}.{name}" for name in chosen]


def results(file: Path) -> list[ElementTree.Element]:
    """The test cases of a file. Messages of failed tests may contain control characters, which XML does not allow."""
    text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "?", file.read_text("utf-8", "replace"))
    return list(ElementTree.fromstring(text.encode()).iter("testcase"))


def counts(files: list[Path]) -> str:
    """How many tests passed, failed and were left out, in words."""
    cases = [case for file in files if file.exists() for case in results(file)]
    of_kind = {kind: sum(case.find(kind) is not None for case in cases) for kind in ("failure", "skipped")}
    passed = len(cases) - sum(of_kind.values())
    return f"{len(cases)} tests: {passed} passed, {of_kind['failure']} failed, {of_kind['skipped']} left out"


def failed(files: list[Path]) -> list[str]:
    """The suites with failed tests; none if more tests failed than are repeated."""
    cases = [case for file in files for case in results(file)]
    names = [case.get("classname") for case in cases if case.find("failure") is not None]
    return list(dict.fromkeys(names)) if len(names) <= MOST_TRIED_AGAIN else []


if __name__ == "__main__":
    sys.exit(main())
