"""Runs tests whose names are sentences, and says at the end how many passed."""

import sys
import time
import unittest
from typing import NamedTuple


class Result(unittest.TextTestResult):
    """Says each test's name as the sentence it is, and how long it took."""

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
    """How many tests ran, and how many of them failed or were left out."""

    ran: int
    failed: int
    skipped: int

    def with_more(self, other):
        return Tally(*(mine + more for mine, more in zip(self, other)))

    def __str__(self):
        passed = self.ran - self.failed - self.skipped
        words = f"{passed} passed, {self.failed} failed"
        return words + (f", {self.skipped} skipped" if self.skipped else "")

    @property
    def exit_code(self):
        return 1 if self.failed or self.ran <= self.skipped else 0


def run_names(names, stream=None):
    """Runs the named modules, classes or tests."""
    return run_suite(unittest.TestLoader().loadTestsFromNames(names), stream)


def run_suite(suite, stream=None):
    result = unittest.TextTestRunner(stream, verbosity=2, resultclass=Result).run(suite)
    # A test with subtests is one, however many of them failed.
    failed = {getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors}
    return Tally(result.testsRun, len(failed), len(result.skipped))


def run(title, folder, names):
    """Runs the named tests, or all of a folder, and answers the exit code."""
    if names:
        return report(title, run_names(names))
    loader = unittest.TestLoader()
    return report(title, run_suite(loader.discover(str(folder), top_level_dir=str(folder))))


def report(title, tally):
    """Says how it went and answers the exit code."""
    print(f"==> {title}: {tally}", file=sys.stderr)
    return tally.exit_code
