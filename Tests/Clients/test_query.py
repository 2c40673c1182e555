"""The text for programs that the query page shows: each program finds the devices that a list with the filter has."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import duckdb
from support.farol import HOME

from instance import farol

FILTER = "category IN ('camera_fixed', 'webcam') AND CASEI(name) LIKE CASEI('%a%') AND created_at >= DATE('2020-01-01')"
CODE = """
import { snippets } from '%s/public/js/query/snippets.js';
console.log(JSON.stringify(snippets(process.argv[1], new URLSearchParams({ filter: process.argv[2] }))));
"""


class QueryTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run(
            ["node", "--input-type=module", "--eval", CODE % HOME, farol().address, FILTER],
            capture_output=True, text=True, check=True)
        cls.code = {snippet["id"]: snippet["code"] for snippet in json.loads(done.stdout)}
        found = farol().items(filter=FILTER, limit=10_000)["features"]
        cls.kinds = Counter(feature["properties"]["category"] for feature in found)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_shell(self, lines):
        done = subprocess.run(
            ["bash", "-euc", lines], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_filter_finds_some_devices_of_each_kind_but_not_all(self):
        self.assertEqual(set(self.kinds), {"camera_fixed", "webcam"})
        self.assertLess(self.kinds.total(), farol().items(limit=1)["numberMatched"])

    def test_the_address_is_a_page_of_the_list(self):
        page = farol().get(self.code["address"].removeprefix(farol().address))
        self.assertEqual(page["numberMatched"], self.kinds.total())
        self.assertIn("manufacturer", page["features"][0]["properties"])

    def test_curl_gets_the_whole_file(self):
        self.run_shell(self.code["curl"])
        features = json.loads((self.folder / "devices.geojson").read_text())["features"]
        self.assertEqual(Counter(feature["properties"]["category"] for feature in features), self.kinds)

    def test_geopandas_counts_the_same(self):
        done = subprocess.run(
            [sys.executable, "-c", self.code["python"]], env=os.environ, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        for kind, count in self.kinds.items():
            self.assertRegex(done.stdout, rf"(?m)^{kind} +{count}$")

    def test_duckdb_counts_the_same(self):
        *download, command = self.code["duckdb"].split("\n")
        self.run_shell("\n".join(download))
        query = re.fullmatch(r'duckdb -c "(.*)"', command)[1].replace("devices.csv", str(self.folder / "devices.csv"))
        self.assertEqual(dict(duckdb.sql(query).fetchall()), dict(self.kinds))


if __name__ == "__main__":
    unittest.main()
