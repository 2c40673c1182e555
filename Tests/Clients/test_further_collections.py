"""Further collections from files that GDAL wrote. GDAL reads back the same content."""

import tempfile
import unittest
from pathlib import Path

import geopandas
import pandas
import pyogrio
from owslib.ogcapi.features import Features
from shapely.geometry import LineString, Point, box

from support.accounts import Person
from support.farol import Farol, new_folder
from support.layers import bring_in

KINDS = ["park", "Schloß", "harbour, old", None]


def made_up():
    """Areas, lines and points with attributes of every type, some unknown, and one feature without a
    geometry."""
    shapes = [box(x, y, x + 0.7, y + 0.7) for x in range(12) for y in range(40, 45)]
    shapes += [LineString([(x, 46), (x + 2, 47)]) for x in range(10)]
    shapes += [Point(-x, 10) for x in range(20)] + [None]
    count = len(shapes)
    frame = geopandas.GeoDataFrame({
        "label": [f"Nº {number}" for number in range(count)],
        "kind": pandas.Series([KINDS[number % 4] for number in range(count)], dtype=object),
        "people": [number * 7 for number in range(count)],
        "share": [number / 8 for number in range(count)],
        "open": [number % 3 == 0 for number in range(count)],
    }, geometry=shapes, crs=4326)
    return frame


class FurtherCollectionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.farol = Farol(new_folder()).start()
        cls.addClassCleanup(cls.farol.stop)
        admin = Person(cls.farol, "root_admin").sign_up().grow_old().sign_in().become_admin()
        cls.frame = made_up()
        with tempfile.TemporaryDirectory() as folder:
            for file, driver in (("a.gpkg", "GPKG"), ("b.geojson", "GeoJSON")):
                path = Path(folder) / file
                pyogrio.write_dataframe(cls.frame, path, driver=driver, layer="a" if driver == "GPKG" else None)
                bring_in(admin, driver.lower(), path.read_bytes(), file)
            table = cls.frame.assign(wkt=[shape and shape.wkt for shape in cls.frame.geometry])
            bring_in(admin, "csv", table.drop(columns="geometry").to_csv(index=False).encode(), "c.csv")

    def read(self, layer, **options):
        return pyogrio.read_dataframe(f"OAPIF:{self.farol.address}/api", layer=layer, **options)

    def test_each_is_a_layer_beside_the_devices(self):
        names = Features(self.farol.address + "/api").feature_collections()
        self.assertEqual(sorted(names), ["csv", "devices", "geojson", "gpkg"])

    def test_every_feature_comes_back_with_its_place_and_its_values(self):
        for layer in ("gpkg", "geojson", "csv"):
            with self.subTest(layer):
                found = self.read(layer, PAGE_SIZE=30).set_index("label")
                self.assertEqual(set(found.index), set(self.frame["label"]))
                for _, row in self.frame.iterrows():
                    other = found.loc[row["label"]]
                    if row.geometry is None:
                        self.assertIsNone(other.geometry)
                    else:
                        self.assertTrue(row.geometry.equals(other.geometry), row["label"])
                    self.assertEqual(row["kind"] or "-", "-" if pandas.isna(other["kind"]) else other["kind"])
                    self.assertEqual(
                        (row["people"], row["share"], row["open"]),
                        (other["people"], other["share"], bool(other["open"])))

    def test_subsets_are_those_that_geopandas_finds(self):
        frame = self.frame
        subsets = [
            ({"where": "people > 100 AND people <= 300"}, (frame.people > 100) & (frame.people <= 300)),
            ({"where": "kind = 'Schloß'"}, frame.kind == "Schloß"),
            ({"where": "kind = 'harbour, old' AND share < 5.5"}, (frame.kind == "harbour, old") & (frame.share < 5.5)),
            ({"where": "kind IS NULL"}, frame.kind.isna()),
            ({"bbox": (1.5, 41.2, 3.1, 46.5)}, frame.intersects(box(1.5, 41.2, 3.1, 46.5))),
            ({"bbox": (-5.5, 9, -2, 11), "where": "open = 1"}, frame.intersects(box(-5.5, 9, -2, 11)) & frame.open),
        ]
        for layer in ("gpkg", "geojson", "csv"):
            for asked, wanted in subsets:
                with self.subTest(layer, **{name: str(value) for name, value in asked.items()}):
                    found = self.read(layer, **asked)
                    self.assertGreater(wanted.sum(), 0)
                    self.assertEqual(set(found["label"]), set(frame[wanted]["label"]))
