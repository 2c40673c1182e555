"""Runs tests with names in the form of sentences, and reports how many passed."""

import re
import sys
import time
import unittest
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[3] / "setup"))
from second_try import MOST_TRIED_AGAIN  # noqa: E402


class Result(unittest.TextTestResult):
    """Prints the name of each test as a sentence, and its duration."""

    def getDescription(self, test):
        case = getattr(test, "test_case", test)
        name = getattr(case, "_testMethodName", str(case))
        words = f"{type(case).__name__}: {name.removeprefix('test_').replace('_', ' ')}"
        return words if case is test else f"{words} {test._subDescription()}"

    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test):
        unittest.TestResult.addSuccess(self, test)
        self.stream.writeln(f"ok ({time.monotonic() - self.began:.1f} s)")
        self.stream.flush()


class Tally(NamedTuple):
    """The number of tests, the failed and the skipped ones, and those that passed only on the second attempt."""

    ran: int = 0
    failed: tuple[str, ...] = ()
    skipped: int = 0
    again: tuple[str, ...] = ()

    def with_more(self, other):
        return Tally(self.ran + other.ran, (*self.failed, *other.failed), self.skipped + other.skipped,
                     (*self.again, *other.again))

    def __str__(self):
        passed = self.ran - len(self.failed) - self.skipped
        words = f"{passed} passed, {len(self.failed)} failed"
        return words + (f", {self.skipped} skipped" if self.skipped else "")

    @property
    def exit_code(self):
        return 1 if self.failed or self.ran <= self.skipped else 0


def run_names(names, stream=None):
    """Runs the named modules, classes or tests."""
    return run_suite(unittest.TestLoader().loadTestsFromNames(names), stream)


def run_suite(suite, stream=None):
    result = unittest.TextTestRunner(stream, verbosity=2, resultclass=Result).run(suite)
    # A test with subtests counts as one, even if several of them failed.
    failed = dict.fromkeys(name_of(test) for test, _ in result.failures + result.errors)
    # A class whose set-up fails has run no test but counts as failed.
    return Tally(max(result.testsRun, len(failed)), tuple(failed), len(result.skipped))


def name_of(test):
    """The name with which a test can be run; for a failed set-up, the name of the class."""
    name = getattr(test, "test_case", test).id()
    set_up = re.fullmatch(r"(?:setUp|tearDown)(?:Class|Module) \((.+)\)", name)
    return set_up[1] if set_up else name


def tried_again(tally, run_again):
    """Runs the failed tests a second time, alone. A test that passes then counts as passed.

    Machines are shared, and a browser can be delayed for longer than a test waits. The report lists tests
    that needed a second attempt, so that they can be investigated."""
    if not 0 < len(tally.failed) <= MOST_TRIED_AGAIN:
        return tally
    print(f"==> A second try: {', '.join(tally.failed)}", file=sys.stderr, flush=True)
    still = tuple(name for name in tally.failed if run_again(name).exit_code)
    passed = tuple(name for name in tally.failed if name not in still)
    return tally._replace(failed=still, again=(*tally.again, *passed))


def run(title, folder, names):
    """Runs the named tests, or all tests of a folder, and returns the exit code."""
    if names:
        return report(title, run_names(names))
    loader = unittest.TestLoader()
    tally = run_suite(loader.discover(str(folder), top_level_dir=str(folder)))
    return report(title, tried_again(tally, lambda name: run_names([name])))


def report(title, tally):
    """Prints the result and returns the exit code."""
    for name in tally.again:
        print(f"==> Passed only when tried again: {name}", file=sys.stderr)
    for name in tally.failed:
        print(f"==> Failed: {name}", file=sys.stderr)
    print(f"==> {title}: {tally}", file=sys.stderr)
    return tally.exit_code
