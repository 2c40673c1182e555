"""GDAL's own programs as Debian packages them: ogrinfo and ogr2ogr, through the driver OAPIF."""

import csv
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from reading import SUBSETS, conditions, devices, needs, output, root


@needs("ogr2ogr")
class GDALTests(unittest.TestCase):
    def source(self):
        return "OAPIF:" + root()

    def converted(self, *options):
        """The ids in the output of ogr2ogr for the devices."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "devices.csv"
            output("ogr2ogr", "-f", "CSV", file, self.source(), "devices", *options,
                   "--config", "OGR_OAPIF_PAGE_SIZE", "1000")
            with open(file, newline="") as text:
                return {row["id"] for row in csv.DictReader(text)}

    def test_ogrinfo_tells_the_layer_its_extent_and_how_many_there_are(self):
        words = output("ogrinfo", "-so", self.source(), "devices")
        self.assertEqual(int(re.search(r"Feature Count: (\d+)", words)[1]), len(devices()))
        self.assertIn("Geometry: Point", words)
        self.assertIn("category: String", words)

    def test_ogr2ogr_takes_every_device(self):
        self.assertEqual(self.converted(), {feature["id"] for feature in devices()})

    def test_ogr2ogr_takes_the_subsets_that_a_plain_look_finds(self):
        for subset in SUBSETS:
            with self.subTest(subset.name):
                box = ["-spat", *subset.box] if subset.box else []
                where = ["-where", subset.where] if subset.where else []
                self.assertEqual(self.converted(*box, *where), subset.ids)

    def test_fields_have_their_types_whatever_the_first_page_holds(self):
        words = output("ogrinfo", "-so", self.source(), "devices")
        for field in ("units: Integer (0.0)", "height: Real (0.0)", "field_of_view: Real (0.0)", "observed_on: Date",
                      "created_at: DateTime", "last_confirmed: DateTime", "approximate: Integer(Boolean)",
                      "data_collected: StringList"):
            self.assertIn(field, words)

    def test_every_comparison_of_every_type_finds_what_a_plain_look_finds(self):
        for where, ids in conditions(devices(properties="*")):
            with self.subTest(where):
                self.assertEqual(self.converted("-where", where), ids)

    def test_a_box_of_an_exported_geopackage_is_read_in_parts(self):
        subset = SUBSETS[0]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "devices.csv"
            remote = f"/vsicurl/{root()}/exports/devices.gpkg"
            output("ogr2ogr", "-f", "CSV", file, remote, "devices", "-spat", *subset.box)
            with open(file, newline="") as text:
                self.assertEqual({row["id"] for row in csv.DictReader(text)}, subset.ids)

    def test_ogr2ogr_makes_a_geopackage_of_them(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "devices.gpkg"
            output("ogr2ogr", "-f", "GPKG", file, self.source(), "devices")
            words = output("ogrinfo", "-so", file, "devices")
            self.assertEqual(int(re.search(r"Feature Count: (\d+)", words)[1]), len(devices()))

    def test_each_device_has_its_licence_and_source(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "devices.csv"
            output("ogr2ogr", "-f", "CSV", file, self.source(), "devices", "-limit", "50")
            with open(file, newline="") as text:
                rows = list(csv.DictReader(text))
        self.assertEqual(len(rows), 50)
        for row in rows:
            self.assertTrue(row["licence"] and row["source"], row)
        self.assertLessEqual({"country", "manufacturer", "data_collected"}, set(rows[0]))

    def test_the_driver_for_ogc_api_tiles_has_no_objection_to_the_matrix_set(self):
        """The driver of GDAL 3.6 was built without vector tiles, so it finds no layer (docs/how-to/clients.md)."""
        ended = subprocess.run(["ogrinfo", "-so", f"OGCAPI:{root()}/collections/devices", "-oo", "API=TILES"],
                               env=os.environ | {"CPL_DEBUG": "ON"}, capture_output=True, text=True, timeout=60)
        words = ended.stdout + ended.stderr
        self.assertIn("/api/tileMatrixSets/WebMercatorQuad", words)
        self.assertNotIn("ERROR", words)
