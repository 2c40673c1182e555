"""osmium, the library behind most programs for OpenStreetMap files."""

import json
import tempfile
import unittest
from pathlib import Path
from urllib.request import urlopen

import osmium

from instance import farol


def exported(name):
    with urlopen(f"{farol().address}/api/exports/{name}", timeout=60) as response:
        return response.read()


class OsmiumTests(unittest.TestCase):
    def test_it_reads_every_element_of_the_xml_with_the_tags_of_the_json(self):
        expected = {
            (element["type"], element["id"]): element["tags"]
            for element in json.loads(exported("devices.osm.json"))["elements"]}
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "devices.osm")
            file.write_bytes(exported("devices.osm"))
            names = {"n": "node", "w": "way", "r": "relation"}
            found = {
                (names[element.type_str()], element.id): dict(element.tags)
                for element in osmium.FileProcessor(str(file)) if element.tags}
        self.assertEqual(found, {key: tags for key, tags in expected.items() if tags})
        self.assertGreater(len(found), 1_000)

    def test_a_way_is_at_the_place_of_its_node(self):
        expected = {
            element["id"]: (element["center"]["lon"], element["center"]["lat"])
            for element in json.loads(exported("devices.osm.json"))["elements"]
            if element["type"] == "way"}
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "devices.osm")
            file.write_bytes(exported("devices.osm"))
            nodes, found = {}, {}
            # `with_locations` would leave out nodes with negative ids.
            for element in osmium.FileProcessor(str(file)):
                if element.is_node():
                    nodes[element.id] = (element.lon, element.lat)
                elif element.is_way():
                    found[element.id] = nodes[element.nodes[0].ref]
        self.assertEqual(found, expected)
        self.assertTrue(found)
