"""OGC API – Features, Part 2 (18-058r1): coordinate reference systems, clause by clause.

Each test names its requirement of `/req/crs`.
"""

import math
import unittest

from clauses import CRS84, EPSG_4326, WEB_MERCATOR, ask, collections, items_of, parameters
from instance import ITEMS, devices
from subsets import BERLIN, GENEVA, within

RADIUS = 6_378_137.0


def mercator(longitude, latitude):
    """The position in EPSG:3857 (EPSG guidance note 7-2, method 1024)."""
    return (RADIUS * math.radians(longitude),
            RADIUS * math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2)))


def box(west, south, east, north):
    return f"{west},{south},{east},{north}"


class Part2Tests(unittest.TestCase):
    def ids(self, **query):
        answer = ask(ITEMS, limit=10_000, **query)
        self.assertEqual(answer.status, 200, answer.body[:300])
        found = {feature["id"] for feature in answer.json["features"]}
        self.assertEqual(answer.json["numberMatched"], len(found))
        return found

    def test_systems_are_named_by_uri(self):
        """crs-uri"""
        for collection in collections():
            for uri in collection["crs"]:
                self.assertRegex(uri, r"^http://www\.opengis\.net/def/crs/[^/]+/[^/]+/[^/]+$")

    def test_each_collection_lists_its_systems_the_default_first(self):
        """fc-md-crs-list"""
        for collection in collections():
            self.assertEqual(collection["crs"], [CRS84, EPSG_4326, WEB_MERCATOR])
            alone = ask(f"/api/collections/{collection['id']}").json
            self.assertEqual(alone["crs"], collection["crs"])

    def test_the_system_of_storage_is_one_of_the_list(self):
        """fc-md-storageCrs, fc-md-storageCrs-valid-value"""
        for collection in collections():
            self.assertIn(collection["storageCrs"], collection["crs"])

    def test_both_parameters_are_defined_as_the_standard_writes_them(self):
        """fc-bbox-crs-definition, fc-crs-definition"""
        defined = parameters(ITEMS)
        for name in ("crs", "bbox-crs"):
            one = defined[name]
            self.assertEqual((one["in"], one["required"], one["style"], one["explode"]),
                             ("query", False, "form", False), name)
            self.assertEqual((one["schema"]["type"], one["schema"]["format"]), ("string", "uri"))
        self.assertIn("crs", parameters(ITEMS + "/{id}"))

    def test_a_system_that_is_not_in_the_list_is_refused(self):
        """fc-bbox-crs-valid-value, fc-crs-valid-value"""
        for collection in collections():
            for uri in ("http://www.opengis.net/def/crs/EPSG/0/25832", "EPSG:3857", "3857", ""):
                self.assertEqual(ask(items_of(collection), crs=uri).status, 400, uri)
                answer = ask(items_of(collection), bbox=box(*GENEVA), bbox_crs=uri)
                self.assertEqual(answer.status, 400, uri)
        one = f"{ITEMS}/{devices()[0]['id']}"
        self.assertEqual(ask(one, crs="http://www.opengis.net/def/crs/EPSG/0/25832").status, 400)

    def test_a_box_without_a_system_is_in_longitude_and_latitude(self):
        """fc-bbox-crs-valid-defaultValue"""
        self.assertEqual(self.ids(bbox=box(*GENEVA)), self.ids(bbox=box(*GENEVA), bbox_crs=CRS84))

    def test_a_box_is_read_in_the_system_that_is_named(self):
        """fc-bbox-crs-action"""
        for west, south, east, north in (GENEVA, BERLIN):
            expected = {one["id"] for one in devices() if within((west, south, east, north))(one)}
            self.assertGreater(len(expected), 10)
            turned = box(south, west, north, east)
            self.assertEqual(self.ids(bbox=turned, bbox_crs=EPSG_4326), expected)
            metres = box(*mercator(west, south), *mercator(east, north))
            self.assertEqual(self.ids(bbox=metres, bbox_crs=WEB_MERCATOR), expected)

    def test_without_a_system_positions_are_longitude_and_latitude(self):
        """fc-crs-default-value"""
        plain = ask(ITEMS, bbox=box(*GENEVA), limit=50)
        named = ask(ITEMS, bbox=box(*GENEVA), limit=50, crs=CRS84)
        self.assertEqual(plain.json["features"], named.json["features"])
        for feature in plain.json["features"]:
            self.assertTrue(within(GENEVA)(feature))

    def test_positions_come_in_the_system_and_its_order_of_axes(self):
        """fc-crs-action"""
        for collection in collections():
            items = items_of(collection)
            pages = [ask(items, limit=50, crs=uri) for uri in (CRS84, EPSG_4326, WEB_MERCATOR)]
            here, turned, metres = ([position(one) for one in page.json["features"]] for page in pages)
            self.assertGreater(len(here), 0)
            for place, (longitude, latitude) in enumerate(here):
                self.assertEqual(turned[place], (latitude, longitude))
                for mine, theirs in zip(mercator(longitude, latitude), metres[place]):
                    self.assertAlmostEqual(mine, theirs, delta=0.02)

    def test_one_feature_comes_in_the_system_too(self):
        """fc-crs-action"""
        feature = devices()[0]
        longitude, latitude = feature["geometry"]["coordinates"]
        answer = ask(f"{ITEMS}/{feature['id']}", crs=EPSG_4326)
        self.assertEqual(answer.json["geometry"]["coordinates"], [latitude, longitude])

    def test_pages_that_follow_keep_the_systems(self):
        """fc-crs-action"""
        first = ask(ITEMS, limit=1, bbox=box(46.1, 6.05, 46.3, 6.3), bbox_crs=EPSG_4326, crs=WEB_MERCATOR)
        following = ask(first.links("next")[0]["href"])
        self.assertEqual(following.headers["Content-Crs"], f"<{WEB_MERCATOR}>")
        self.assertEqual(following.json["numberMatched"], first.json["numberMatched"])
        self.assertGreater(abs(following.json["features"][0]["geometry"]["coordinates"][0]), 1_000)

    def test_every_answer_of_features_names_its_system(self):
        """ogc-crs-header, ogc-crs-header-value"""
        for path in (ITEMS, f"{ITEMS}/{devices()[0]['id']}"):
            self.assertEqual(ask(path).headers["Content-Crs"], f"<{CRS84}>")
            for uri in (CRS84, EPSG_4326, WEB_MERCATOR):
                self.assertEqual(ask(path, crs=uri).headers["Content-Crs"], f"<{uri}>")
        for collection in collections():
            answer = ask(items_of(collection), limit=1, crs=WEB_MERCATOR)
            self.assertEqual(answer.headers["Content-Crs"], f"<{WEB_MERCATOR}>")

    def test_geojson_in_another_system_says_nothing_else_of_it(self):
        """geojson: no member `crs`, which RFC 7946 removed"""
        self.assertNotIn("crs", ask(ITEMS, limit=1, crs=WEB_MERCATOR).json)


def position(feature):
    """The first position of a geometry."""
    inner = feature["geometry"]["coordinates"]
    while isinstance(inner[0], list):
        inner = inner[0]
    return tuple(inner[:2])
