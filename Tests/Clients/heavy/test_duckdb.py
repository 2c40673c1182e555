"""DuckDB with its extension httpfs, which reads Parquet and CSV over HTTP in parts, without a download."""

import json
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from reading import GENEVA, devices, output, root
from support.farol import HOME

PYTHON = HOME / "data/.httpfs/bin/python"
# The file comes from the package; DuckDB checks its signature.
LOAD = """
import sys, duckdb, duckdb_ext
from pathlib import Path
file, = Path(duckdb_ext.__path__[0]).glob(f"extensions/v{duckdb.__version__}/*/httpfs.duckdb_extension")
duckdb.execute(f"LOAD '{file}'")
"""


@unittest.skipUnless(PYTHON.exists(), "DuckDB with httpfs is not installed")
class DuckDBTests(unittest.TestCase):
    def rows(self, *queries):
        """The rows of each query, from one session of DuckDB."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "query.py")
            program.write_text(
                f"{LOAD}\nimport json\nfor query in {list(queries)!r}:\n"
                "    print(json.dumps(duckdb.execute(query).fetchall()))\n")
            return [json.loads(line) for line in output(PYTHON, program).splitlines()]

    def test_a_table_over_http_has_every_device(self):
        ids = sorted(feature["id"] for feature in devices())
        for file in (f"read_parquet('{root()}/exports/devices.parquet')", f"'{root()}/exports/devices.csv'"):
            with self.subTest(file):
                self.assertEqual([row[0] for row in self.rows(f"SELECT CAST(id AS VARCHAR) FROM {file} ORDER BY 1")[0]], ids)

    def test_a_query_reads_columns_and_groups_of_an_export_with_a_filter(self):
        west, south, east, north = GENEVA
        expected = Counter(
            feature["properties"]["category"] for feature in devices()
            if west <= feature["geometry"]["coordinates"][0] <= east
            and south <= feature["geometry"]["coordinates"][1] <= north)
        box = ",".join(map(str, GENEVA))
        found, again = self.rows(
            f"SELECT category, count(*) FROM read_parquet('{root()}/exports/devices.parquet?bbox={box}') GROUP BY 1",
            f"SELECT category, count(*) FROM read_parquet('{root()}/exports/devices.parquet') "
            f"WHERE bbox.xmin BETWEEN {west} AND {east} AND bbox.ymin BETWEEN {south} AND {north} GROUP BY 1")
        self.assertEqual(dict(found), expected)
        self.assertEqual(dict(again), expected)
