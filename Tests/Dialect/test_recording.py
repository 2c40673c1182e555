"""What a process records, with the debug build of `farol`."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import records

HOME = Path(__file__).resolve().parents[2]
PROGRAM = HOME / ".build/debug/farol"


def imported(database, **more):
    """Starts an import of invented devices into a new database."""
    fixtures = HOME / "Tests/Browser/fixtures"
    return subprocess.Popen(
        [PROGRAM, "import", "--home", HOME, "--database", database, "--mapping", fixtures / "mapping.json",
         fixtures / "devices.geojson"],
        env={"PATH": os.environ["PATH"], **more}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class RecordingTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.records = self.folder / "records"
        self.records.mkdir()

    def finish(self, *processes):
        for process in processes:
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)

    def record(self, name="one.db"):
        return imported(self.folder / name, FAROL_RECORD_STATEMENTS=str(self.records))

    def test_a_statement_is_recorded_with_the_module_that_runs_it(self):
        self.finish(self.record())
        found = records.read(self.records)
        self.assertEqual(found["SELECT max(rowid) FROM device"], {"Devices"})
        self.assertEqual(found["PRAGMA user_version"], {"SpatialDatabase"})

    def test_processes_that_run_together_record_to_files_of_their_own(self):
        self.finish(self.record("one.db"), self.record("two.db"))
        self.assertEqual(len(list(self.records.iterdir())), 2)
        self.assertIn("SELECT max(rowid) FROM device", records.read(self.records))

    def test_a_record_that_a_killed_process_left_unfinished_is_skipped(self):
        self.finish(self.record())
        whole = records.read(self.records)
        path, = self.records.iterdir()
        path.write_bytes(path.read_bytes() + b"12 34\nSELECT unfinished")
        self.assertEqual(records.read(self.records), whole)

    def test_nothing_is_recorded_without_the_variable(self):
        self.finish(imported(self.folder / "one.db"))
        self.assertEqual(list(self.records.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
