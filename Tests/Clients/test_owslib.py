"""OWSLib's client of OGC API – Features."""

import unittest

from owslib.ogcapi.features import Features

from instance import devices, root
from subsets import SUBSETS


class OWSLibTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Features(root())

    def all_ids(self, **query):
        """The ids of every page, following the links to the next page."""
        page = self.client.collection_items("devices", limit=1_000, **query)
        matched, ids = page["numberMatched"], []
        while True:
            ids += [feature["id"] for feature in page["features"]]
            following = next((link for link in page["links"] if link["rel"] == "next"), None)
            if following is None:
                break
            cursor = following["href"].split("cursor=")[1].split("&")[0]
            page = self.client.collection_items("devices", limit=1_000, cursor=cursor, **query)
        self.assertEqual(matched, len(ids))
        return ids

    def test_the_landing_page_leads_to_the_definition_and_the_collection(self):
        self.assertTrue(Features(root()).api()["openapi"].startswith("3.0"))
        self.assertEqual(self.client.feature_collections(), ["devices"])
        self.assertEqual(self.client.collection("devices")["id"], "devices")

    def test_it_sees_which_standards_are_followed(self):
        classes = self.client.conformance()["conformsTo"]
        self.assertIn("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core", classes)

    def test_queryables_name_what_the_devices_have(self):
        named = set(self.client.collection_queryables("devices")["properties"])
        one = self.client.collection_item("devices", devices()[0]["id"])
        self.assertIn("geometry", named)
        self.assertLessEqual({"category", "status", "country", "updated_at"}, named & set(one["properties"]))

    def test_it_reads_every_device_once_page_by_page(self):
        ids = self.all_ids()
        self.assertEqual(len(ids), len(devices()))
        self.assertEqual(set(ids), {feature["id"] for feature in devices()})

    def test_subsets_are_those_that_a_plain_look_finds(self):
        for subset in SUBSETS:
            with self.subTest(subset.name):
                box = {"bbox": list(subset.box)} if subset.box else {}
                self.assertEqual(set(self.all_ids(**box, **subset.values)), subset.ids)

    def test_only_one_of_the_subsets_is_empty(self):
        self.assertEqual([subset.name for subset in SUBSETS if not subset.ids], ["nothing at all"])

    def test_one_device_is_the_one_of_the_list(self):
        feature = devices()[-1]
        found = self.client.collection_item("devices", feature["id"])
        self.assertEqual(found["id"], feature["id"])
        self.assertEqual(found["geometry"], feature["geometry"])
