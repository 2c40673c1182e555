"""Follows pages as a reader would who has only the page: the first import, the first client, a restore after a loss.
test_followed_pages.py of the browser tests follows the first map and the week of a moderator.

The commands and files come from the pages; only the program, the folder and the address are those of the test.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support.accounts import Person
from support.documents import saved, section, shell
from support.farol import HOME, PROGRAM, new_folder, own_farol

class Reader(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.database = new_folder() / "farol.db"
        self.environment = {}

    def run_shell(self, text, status=0):
        done = subprocess.run(
            ["bash", "-uc", "set -e -o pipefail; " + text], cwd=self.folder, capture_output=True, text=True, timeout=120,
            env=os.environ | {"FAROL_HOME": str(HOME), "FAROL_DATABASE": str(self.database)} | self.environment)
        self.assertEqual(done.returncode, status, f"{text}\n{done.stdout[-500:]}{done.stderr[-800:]}")
        return done.stdout + done.stderr


class FirstImportTests(Reader):
    PAGE = "tutorials/first-import.md"

    def step(self, heading):
        return section(self.PAGE, heading)

    def command(self, heading):
        return shell(self.step(heading)).replace(".build/release/farol", str(PROGRAM))

    def test_the_list_of_the_tutorial_is_checked_imported_corrected_and_undone(self):
        for heading in ("1. The list", "2. The mapping file"):
            for name, content in saved(self.step(heading)).items():
                (self.folder / name).write_text(content)
        check = self.command("3. Check without storing").split("\n")
        said = self.run_shell(check[0])
        self.assertIn(check[1], said)
        self.assertTrue((self.folder / "notes.csv").read_text().count("\n") >= 3)
        said = self.run_shell(self.command("4. Import"))
        self.assertRegex(said, r"2 added, 0 changed, 0 unchanged.*2 refused")
        number = re.search(r"\(import (\d+)\)", said)[1]
        # Step 5 asks for another title of C1, and coordinates of C4.
        file = self.folder / "my-cameras.csv"
        coordinates = re.search(r"`([\d.]+,-[\d.]+)`", self.step("5. Correct and repeat"))[1]
        file.write_text(file.read_text().replace("Camera at the market", "Camera at the market hall")
                        .replace("Exemplo,,,", f"Exemplo,{coordinates},"))
        said = self.run_shell(self.command("4. Import"))
        self.assertRegex(said, r"1 added, 1 changed, 1 unchanged")
        listed, undo = self.command("6. Undo").split("\n")[:2]
        self.assertIn("my-cameras", self.run_shell(listed))
        said = self.run_shell(undo.replace(" 9", f" {number}"))
        self.assertIn("2 devices withdrawn", said)


class FirstClientTests(Reader):
    PAGE = "tutorials/first-api-client.md"

    def test_the_tutorial_reads_filters_caches_writes_and_changes(self):
        server = own_farol()
        server.start()
        self.addCleanup(server.stop)
        person = Person(server, "reader").sign_up().grow_old().sign_in()
        token = person.send("POST", "/api/account/tokens", {"name": "tutorial", "scopes": ["contribute"]}, expect=201)[2]

        def step(heading):
            return section(self.PAGE, heading).replace("http://127.0.0.1:8080", server.address)

        self.assertIn('"FeatureCollection"', self.run_shell(shell(step("1. Read devices"))))
        self.assertIn('"numberMatched"', self.run_shell(shell(step("2. Filter"))))
        for name, content in saved(step("3. Read all pages")).items():
            (self.folder / name).write_text(content)
        self.assertRegex(self.run_shell(f"{sys.executable} cameras.py"), r"^\d+ cameras")
        self.assertIn("304", self.run_shell(shell(step("4. Use a cache"))))
        # The last two steps share variables.
        said = self.run_shell(
            shell(step("5. Write a device")).replace("farol_…", token["token"]) + "\n" + shell(step("6. Change it")))
        self.assertIn("201", said)
        self.assertIn("Q6100-E", said)
        self.assertIn('"kind": "edit"', said)


class RestoreTests(Reader):
    def test_a_lost_database_comes_back_from_the_backup(self):
        lines = shell(section("how-to/operations.md", "Backup, restore and moving"))
        backup, check, _, restore = (
            line.split("  #")[0].strip().replace("FAROL", str(PROGRAM)).replace("/var/backups/farol", "backups")
            for line in lines.split("\n")[:4])
        self.run_shell(f"{PROGRAM} generate --devices 40 --database {self.database}")
        self.run_shell(backup)
        name = next((self.folder / "backups").glob("farol-*")).name
        self.run_shell(check.replace("NAME", name))
        # The machine and its disk are lost.
        self.database = new_folder() / "farol.db"
        self.run_shell(restore.replace("NAME", name))
        self.run_shell(f"{PROGRAM} check")
        self.run_shell(f"{PROGRAM} export all.csv")
        self.assertEqual((self.folder / "all.csv").read_text().count("\n"), 41)
        # It refuses to overwrite.
        self.run_shell(restore.replace("NAME", name), status=1)


if __name__ == "__main__":
    unittest.main()
