"""Runs the analyses of docs/guides/data-users.md on an export, which has the columns of a snapshot."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.request import urlopen
from xml.etree import ElementTree

from support.farol import HOME

from instance import devices, farol

EXAMPLES = HOME / "Tests/Clients/examples"


class AnalysisTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.snapshot = cls.folder / "devices.csv"
        with urlopen(farol().address + "/api/exports/devices.csv", timeout=60) as answer:
            cls.snapshot.write_bytes(answer.read())

    def run_example(self, name, *arguments):
        """The printed text of an analysis. Its picture must be XML with a bar for each row."""
        picture = self.folder / f"{name}.svg"
        text = subprocess.run(
            [sys.executable, EXAMPLES / f"{name}.py", self.snapshot, *arguments, picture],
            check=True, capture_output=True, text=True, timeout=60).stdout
        bars = ElementTree.parse(picture).findall("{http://www.w3.org/2000/svg}rect")
        self.assertGreater(len(bars), 1)
        return text

    def counted(self, text):
        return sum(int(number.replace(",", "")) for number in re.findall(r"^ *([\d,]+)  ", text, re.M))

    def test_sources_count_every_device_once(self):
        self.assertEqual(self.counted(self.run_example("sources")), len(devices()))

    def test_knowledge_has_every_category(self):
        text = self.run_example("knowledge", "data_collected")
        self.assertEqual(
            {line.split()[0] for line in text.splitlines()},
            {feature["properties"]["category"] for feature in devices()})

    def test_freshness_counts_the_devices_of_the_category(self):
        text = self.run_example("freshness", "2026-11-21", "webcam")
        wanted = sum(1 for feature in devices() if feature["properties"]["category"] == "webcam")
        self.assertEqual(self.counted(text), wanted)

    def test_the_guide_names_each_example_as_it_is_run(self):
        guide = (HOME / "docs/guides/data-users.md").read_text()
        for file in EXAMPLES.glob("*.py"):
            with self.subTest(file.name):
                self.assertIn(f"`Tests/Clients/examples/{file.name}`", guide)


if __name__ == "__main__":
    unittest.main()
