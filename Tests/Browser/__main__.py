"""Runs the browser tests: `python Tests/Browser [-v] [NAME…]`, all of them without a name.

A name is a module or a part of it: `test_search`, `test_search.SearchTests`.
"""

import sys
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Result(unittest.TextTestResult):
    """Says each test's name as the sentence it is, and how long it took."""

    def getDescription(self, test):
        name = getattr(test, "_testMethodName", str(test))
        return f"{type(test).__name__}: {name.removeprefix('test_').replace('_', ' ')}"

    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test):
        unittest.TestResult.addSuccess(self, test)
        self.stream.writeln(f"ok ({time.monotonic() - self.began:.1f} s)")
        self.stream.flush()


def main(names):
    loader = unittest.TestLoader()
    if names:
        suite = loader.loadTestsFromNames(names)
    else:
        suite = loader.discover(str(HERE), top_level_dir=str(HERE))
    runner = unittest.TextTestRunner(verbosity=2, resultclass=Result)
    result = runner.run(suite)
    failed = len(result.failures) + len(result.errors)
    skipped = len(result.skipped)
    passed = result.testsRun - failed - skipped
    words = f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")
    print(f"==> Browsers: {words}", file=sys.stderr)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main([name for name in sys.argv[1:] if not name.startswith("-")]))
