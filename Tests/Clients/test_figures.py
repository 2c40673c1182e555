"""The benchmarks keep the rows of their runs, and docs/reference/performance.md shows the newest ones."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support.farol import HOME

BENCH = HOME / "bench"
# Programs that measure nothing themselves.
TOOLS = {"figures", "more_streets.py", "routes_browser.py"}
TABLE = """
| Request | requests/s | p50, p99 ms | note |
|---|--:|--:|---|
| one device | **9,506** | 0.81, 1.96 | fast |
| aim | 1 | | |
"""


class FigureTests(unittest.TestCase):
    maxDiff = None

    def test_the_page_has_the_newest_rows(self):
        """`make figures` writes the page again after a benchmark."""
        made = subprocess.run([BENCH / "figures"], check=True, capture_output=True, text=True, timeout=30).stdout
        self.assertEqual((HOME / "docs/reference/performance.md").read_text(), made)

    def test_every_benchmark_keeps_its_rows(self):
        programs = [file for file in BENCH.iterdir() if file.is_file() and os.access(file, os.X_OK) and file.name not in TOOLS]
        folders = [file.parent for file in BENCH.glob("*/__main__.py")]
        self.assertGreater(len(programs) + len(folders), 9)
        for one in programs + folders:
            text = one.read_text() if one.is_file() else "".join(file.read_text() for file in one.glob("*.py"))
            with self.subTest(one.name):
                self.assertRegex(text, r"rows\.show\(\"|\bkeep\(")

    def test_every_file_of_rows_is_explained(self):
        readme = (BENCH / "results/README.md").read_text()
        for file in (BENCH / "results").glob("*.jsonl"):
            with self.subTest(file.name):
                self.assertIn(f"`{file.name}`", readme)
                for line in file.read_text().splitlines():
                    self.assertLessEqual({"run", "machine"}, json.loads(line).keys())

    def test_a_run_appends_the_rows_of_its_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(2):
                subprocess.run(
                    [sys.executable, "-B", "-c", "import rows, sys; rows.show('tried', sys.argv[1], devices=5)", TABLE],
                    check=True, capture_output=True, cwd=BENCH, env=os.environ | {"FAROL_RESULTS": folder}, timeout=30)
            rows = [json.loads(line) for line in (Path(folder) / "tried.jsonl").read_text().splitlines()]
        self.assertEqual(len(rows), 2)
        for row in rows:
            self.assertTrue(row.pop("run") and row.pop("machine"))
            self.assertEqual(row, {
                "devices": 5, "Request": "one device", "requests/s": 9506, "p50, p99 ms": [0.81, 1.96], "note": "fast"})


if __name__ == "__main__":
    unittest.main()
