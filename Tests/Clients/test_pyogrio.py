"""pyogrio, and therefore GDAL's driver for OGC API – Features, in the way geopandas uses it."""

import unittest
from urllib.parse import urlencode

import geopandas
import pandas
import pyogrio

from clauses import ask
from instance import devices, farol, root
from subsets import GENEVA, SUBSETS, conditions


def source():
    return "OAPIF:" + root()


class PyogrioTests(unittest.TestCase):
    def read(self, **options):
        return pyogrio.read_dataframe(source(), layer="devices", **options)

    def test_it_finds_the_one_layer_of_points(self):
        layers = pyogrio.list_layers(source())
        self.assertEqual([list(layer) for layer in layers], [["devices", "Point"]])

    def test_it_is_told_how_many_there_are_without_reading_them(self):
        self.assertEqual(pyogrio.read_info(source(), layer="devices")["features"], len(devices()))

    def test_it_reads_every_device_once_page_by_page(self):
        frame = self.read(PAGE_SIZE=500)
        self.assertEqual(len(frame), len(devices()))
        self.assertEqual(set(frame["id"]), {feature["id"] for feature in devices()})

    def test_each_device_has_all_its_properties(self):
        frame = self.read(bbox=GENEVA).set_index("id")
        whole = {feature["id"]: feature["properties"]
                 for feature in farol().items(bbox=",".join(map(str, GENEVA)), limit=1_000, properties="*")["features"]}
        named = set(ask("/api/collections/devices/schema").json["properties"]) - {"id", "geometry"}
        self.assertEqual(named, set(next(iter(whole.values()))))
        self.assertEqual(named - set(frame.columns), set())
        self.assertEqual(set(frame.index), set(whole))
        for identifier, row in frame.iterrows():
            for name in ("licence", "country", "manufacturer"):
                found = None if pandas.isna(row[name]) else row[name]
                self.assertEqual(found, whole[identifier][name], name)
            self.assertEqual(row["source"], whole[identifier]["source"])
        self.assertEqual(frame["licence"].isna().sum(), 0)

    def test_subsets_are_those_that_a_plain_look_finds(self):
        for subset in SUBSETS:
            with self.subTest(subset.name):
                frame = self.read(bbox=subset.box, where=subset.where)
                self.assertEqual(set(frame.get("id", [])), subset.ids)
                self.assertEqual(len(frame), len(subset.ids))

    def test_each_field_has_its_type_whatever_the_first_page_holds(self):
        info = pyogrio.read_info(source(), layer="devices")
        types = dict(zip(info["fields"], info["ogr_types"], strict=True))
        expected = {
            "name": "OFTString", "units": "OFTInteger", "height": "OFTReal", "field_of_view": "OFTReal",
            "observed_on": "OFTDate", "stale_on": "OFTDate", "started_on": "OFTString", "created_at": "OFTDateTime",
            "updated_at": "OFTDateTime", "last_confirmed": "OFTDateTime", "approximate": "OFTInteger",
            "data_collected": "OFTStringList", "revision": "OFTInteger", "operator": "OFTString"}
        self.assertEqual({name: types[name] for name in expected}, expected)

    def test_every_comparison_of_every_type_finds_what_a_plain_look_finds(self):
        for where, ids in conditions(devices(properties="*")):
            with self.subTest(where):
                self.assertEqual(set(self.read(where=where, PAGE_SIZE=2_000).get("id", [])), ids)
                self.assertTrue(0 < len(ids) < len(devices()) or "last_confirmed" in where, len(ids))

    def test_a_time_of_which_gdal_sends_only_the_day_is_refused(self):
        with self.assertRaisesRegex(Exception, "GDAL sent only the day"):
            self.read(where="created_at > '2026-11-21 10:00:00'")

    def test_exports_are_read_in_parts_without_a_download(self):
        """`/vsicurl/` asks for the length and then for parts."""
        west, south, east, north = GENEVA
        wanted = {feature["id"] for feature in devices() if west <= feature["geometry"]["coordinates"][0] <= east
                  and south <= feature["geometry"]["coordinates"][1] <= north}
        for ending in ("gpkg", "fgb", "geojson", "csv"):
            with self.subTest(ending):
                file = f"/vsicurl/{root()}/exports/devices.{ending}"
                frame = pyogrio.read_dataframe(file, bbox=GENEVA if ending in ("gpkg", "fgb") else None)
                if ending in ("gpkg", "fgb"):
                    self.assertEqual(set(frame["id"]), wanted)
                else:
                    self.assertEqual(len(frame), len(devices()))

    def test_one_page_is_read_as_the_geojson_that_it_is(self):
        for subset in SUBSETS[:3]:
            with self.subTest(subset.name):
                query = urlencode(subset.query | {"limit": 1_700})
                frame = geopandas.read_file(f"{root()}/collections/devices/items?{query}")
                self.assertEqual(set(frame.get("id", [])), subset.ids)

    def test_positions_and_values_come_as_they_are_written(self):
        frame = self.read(bbox=GENEVA).set_index("id")
        features = {feature["id"]: feature for feature in devices()}
        self.assertGreater(len(frame), 100)
        for identifier, row in frame.iterrows():
            feature = features[identifier]
            self.assertEqual([row.geometry.x, row.geometry.y], feature["geometry"]["coordinates"])
            self.assertEqual(row["name"], feature["properties"]["name"])

    def test_web_mercator_comes_from_the_server_when_asked_for(self):
        here = self.read(bbox=GENEVA).to_crs(3857).set_index("id").sort_index()
        url = "http://www.opengis.net/def/crs/EPSG/0/3857"
        box = ",".join(str(edge) for edge in GENEVA)
        there = farol().items(bbox=box, crs=url, limit=1_000)
        found = {feature["id"]: feature["geometry"]["coordinates"] for feature in there["features"]}
        self.assertEqual(set(found), set(here.index))
        for identifier, point in here.geometry.items():
            self.assertAlmostEqual(found[identifier][0], point.x, delta=0.01)
            self.assertAlmostEqual(found[identifier][1], point.y, delta=0.01)

    def test_the_driver_for_ogc_api_tiles_reads_the_devices_of_a_zoom_level(self):
        """GDAL before 3.7.1 has no vector tiles in this driver (docs/how-to/clients.md)."""
        tiles = f"OGCAPI:{root()}/collections/devices"
        layers = [name for name, _ in pyogrio.list_layers(tiles)]
        self.assertEqual(layers[:3], ["Zoom level 0", "Zoom level 1", "Zoom level 2"])
        frame = pyogrio.read_dataframe(tiles, layer="Zoom level 0")
        self.assertEqual(frame.crs, "EPSG:3857")
        # GDAL reads the first layer of a tile: its clusters, without its single devices.
        self.assertGreater(frame["count"].sum(), 0.99 * len(devices()))
