"""docs/reference/cli.md is that of the program, and its examples work."""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support.farol import HOME, PROGRAM

PAGE = HOME / "docs/reference/cli.md"
LIST = HOME / "seed/sample/osm-surveillance-switzerland/cameras.json.gz"
# Lines that are not run here, with the reason.
NOT_RUN = {
    "farol serve --listen 127.0.0.1:8080": "runs until it is stopped; every other test starts it",
    "farol settle erased-farol1.jsonl erased-farol2.jsonl": "needs a restored PostgreSQL: Tests/Cluster",
    "farol copy data/farol.db postgresql://farol@db.example.org/farol": "needs PostgreSQL: Tests/Engines",
    "farol basemap madeira.osm.pbf --output data/streets/madeira.mbtiles": "needs an extract and tilemaker",
}
BACKUP = "backups/farol-2026-11-21T03-00-00Z"


class CommandPageTests(unittest.TestCase):
    def test_the_page_of_commands_is_that_of_the_program(self):
        """`make cli-page` writes the page again after a change of a command."""
        dump = subprocess.run(
            [PROGRAM, "--experimental-dump-help"], check=True, capture_output=True, text=True, timeout=30).stdout
        made = subprocess.run(
            [sys.executable, HOME / "setup/cli_page.py"], input=dump, check=True, capture_output=True, text=True,
            timeout=30).stdout
        self.assertEqual(PAGE.read_text(), made)

    def test_every_example_works(self):
        lines = re.findall(r"^    (farol .*)$", PAGE.read_text(), re.M)
        self.assertLessEqual(set(NOT_RUN), set(lines))
        with tempfile.TemporaryDirectory() as name:
            self.folder = Path(name)
            (self.folder / "cameras.json").write_bytes(gzip.decompress(LIST.read_bytes()))
            shutil.copy(HOME / "seed/streets/liechtenstein.osm.pbf", self.folder)
            (self.folder / "password.txt").write_text("a long walk in the hills\n")
            wanted = [line for line in lines if line not in NOT_RUN]
            # A backup comes before the commands that read it.
            wanted.sort(key=lambda line: BACKUP in line)
            for line in wanted:
                with self.subTest(line):
                    if line.startswith("farol admin promote"):
                        self.run_line(
                            "farol admin create --username rui --email rui@example.org --password-stdin <password.txt")
                    backups = sorted((self.folder / "backups").glob("farol-*"))
                    self.run_line(line.replace(BACKUP, f"backups/{backups[-1].name}") if backups else line)

    def run_line(self, line):
        environment = os.environ | {
            "FAROL_HOME": str(HOME), "FAROL_DATABASE": str(self.folder / "farol.db"), "PROGRAM": str(PROGRAM)}
        done = subprocess.run(
            ["bash", "-euc", f'farol() {{ "$PROGRAM" "$@"; }}\n{line}'],
            cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, f"{line}: {done.stdout[-300:]} {done.stderr[-600:]}")


if __name__ == "__main__":
    unittest.main()
