"""QGIS without a window: its OAPIF provider, in the system's Python."""

import json
import os
import re
import tempfile
import unittest
from pathlib import Path

from reading import HERE, SUBSETS, cameras_in_geneva, conditions, devices, needs_package, output, root, snippet

PYTHON = "/usr/bin/python3"


def in_qgis(program):
    """The output of a program that QGIS runs, with a separate profile."""
    with tempfile.TemporaryDirectory() as home:
        return output(
            PYTHON, HERE / "qgis_session.py", program,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "HOME": home, "XDG_RUNTIME_DIR": home,
                              "QGIS_CUSTOM_CONFIG_PATH": home, "PYTHONPATH": ""})


def in_utc(match):
    """A comparison of a time as an expression of QGIS."""
    moment = match[3].replace("/", "-").replace(" ", "T").rstrip("Z") + "Z"
    return f"{match[1]} {match[2]} to_datetime('{moment}')"


@needs_package("qgis")
class QGISTests(unittest.TestCase):
    def counts(self, wanted):
        """The ids that QGIS finds for each requested box and expression."""
        program = Path(tempfile.mkdtemp(prefix="farol-qgis-")) / "count.py"
        program.write_text(f"ROOT = {root()!r}\nWANTED = json.loads({json.dumps(wanted)!r})\n" + """
from qgis.core import QgsFeatureRequest, QgsRectangle, QgsVectorLayer
layer = QgsVectorLayer(f"url='{ROOT}' typename='devices' pageSize='1000'", "Devices", "OAPIF")
assert layer.isValid(), layer.error().summary()
found = []
for box, where in WANTED:
    request = QgsFeatureRequest()
    if box:
        request.setFilterRect(QgsRectangle(*box))
    if where:
        request.setFilterExpression(where)
    found.append([feature["id"] for feature in layer.getFeatures(request)])
print(json.dumps({"count": layer.featureCount(), "found": found}))
""")
        return json.loads(in_qgis(program).splitlines()[-1])

    def test_it_reads_every_device_and_is_told_how_many_there_are(self):
        answer = self.counts([[None, None]])
        self.assertEqual(answer["count"], len(devices()))
        self.assertEqual(sorted(answer["found"][0]), sorted(feature["id"] for feature in devices()))

    def test_it_reads_the_subsets_that_a_plain_look_finds(self):
        wanted = [[subset.box, " AND ".join(f"\"{name}\" = '{value}'" for name, value in subset.values.items())]
                  for subset in SUBSETS]
        for subset, found in zip(SUBSETS, self.counts(wanted)["found"], strict=True):
            with self.subTest(subset.name):
                self.assertEqual(set(found), subset.ids)

    def test_every_comparison_of_every_type_finds_what_a_plain_look_finds(self):
        # QGIS 3.22 guesses the types from the first page, keeps an unknown number as another value, and compares itself.
        found = [(where, ids) for where, ids in conditions(devices(properties="*"))
                 if not re.search("units|approximate|/", where)]
        wanted = [[None, re.sub(r"(_at|_confirmed) (<=?|>=?|=) '([^']*)'", in_utc, where)] for where, _ in found]
        for (where, ids), answer in zip(found, self.counts(wanted)["found"], strict=True):
            with self.subTest(where):
                self.assertEqual(set(answer), ids)

    def test_the_snippet_of_the_page_counts_the_cameras(self):
        words = in_qgis(snippet("qgis.py"))
        self.assertEqual(words.split()[:2], [str(cameras_in_geneva()), "devices"])
