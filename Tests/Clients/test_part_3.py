"""OGC API – Features, Part 3 (19-079r2): queryables and filters, clause by clause.

Each test names its requirement of `/req`. Separate tests cover single predicates of CQL2 (`ConditionTests`).
"""

import json
import unittest

from clauses import CRS84, EPSG_4326, REL, WEB_MERCATOR, ask, collections, items_of, parameters
from instance import ITEMS, devices
from subsets import GENEVA, has, within

SIMPLE = {"string", "number", "integer", "boolean"}
HOTSPOTS = "category = 'wifi_hotspot'"


def expected(*tests):
    return {one["id"] for one in devices() if all(test(one) for test in tests)}


class QueryablesTests(unittest.TestCase):
    def test_a_collection_links_to_its_queryables(self):
        """queryables/queryables-link"""
        for collection in collections():
            links = [one for one in collection["links"] if one["rel"] == f"{REL}queryables"]
            self.assertEqual([one["type"] for one in links], ["application/schema+json"])
            self.assertEqual(ask(links[0]["href"]).status, 200)
        links = ask(ITEMS, limit=1).headers.get_all("Link")
        self.assertEqual(sum(f'rel="{REL}queryables"' in one for one in links), 1)

    def test_queryables_are_a_json_schema_at_their_own_address(self):
        """queryables/get-queryables-op, queryables/get-queryables-response"""
        for collection in collections():
            path = f"/api/collections/{collection['id']}/queryables"
            answer = ask(path, accept="application/schema+json", f="json")
            self.assertEqual((answer.status, answer.type), (200, "application/schema+json"))
            schema = answer.json
            self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
            self.assertTrue(schema["$id"].endswith(path), schema["$id"])
            self.assertEqual(schema["type"], "object")
            self.assertFalse(schema["additionalProperties"])
            for name, one in schema["properties"].items():
                is_spatial = one.get("format", "").startswith("geometry-")
                self.assertTrue(is_spatial != ("type" in one), name)

    def test_a_filter_may_name_each_of_them_and_nothing_else(self):
        """queryables/expression-construction"""
        for collection in collections():
            queryables = ask(f"/api/collections/{collection['id']}/queryables").json["properties"]
            for name in queryables:
                answer = ask(items_of(collection), limit=1, filter=f'"{name}" IS NULL')
                self.assertEqual(answer.status, 200, f"{name}: {answer.body[:200]}")
            answer = ask(items_of(collection), filter="no_such_thing = 1")
            self.assertEqual(answer.status, 400)
            self.assertIn("no_such_thing", answer.json["detail"])

    def test_each_simple_one_is_a_parameter_of_the_items(self):
        """queryables-query-parameters/parameters A"""
        queryables = ask("/api/collections/devices/queryables").json["properties"]
        defined = parameters(ITEMS)
        for name, one in queryables.items():
            if one.get("type") in SIMPLE:
                self.assertEqual(defined[name]["in"], "query", name)

    def test_the_parameter_matches_what_the_features_say(self):
        """queryables-query-parameters/parameters B"""
        queryables = ask("/api/collections/devices/queryables").json["properties"]
        asked = set()
        for name, one in queryables.items():
            value = next((said(feature, name) for feature in devices()
                          if said(feature, name) not in (None, "")), None)
            if one.get("type") not in SIMPLE or value is None:
                continue
            written = value if isinstance(value, str) else json.dumps(value)
            with self.subTest(name):
                answer = ask(ITEMS, limit=10_000, **{name: written})
                found = {feature["id"] for feature in answer.json["features"]}
                self.assertEqual(found, expected(lambda one: said(one, name) == value))
            asked.add(name)
        self.assertLessEqual({"category", "name", "operator", "status", "updated_at"}, asked)


def said(feature, name):
    """The value of a queryable in a feature; for an operator, its name."""
    value = feature["properties"].get(name)
    return value.get("name") if isinstance(value, dict) else value


class FilterTests(unittest.TestCase):
    def ids(self, **query):
        answer = ask(ITEMS, limit=10_000, **query)
        self.assertEqual(answer.status, 200, answer.body[:300])
        return {feature["id"] for feature in answer.json["features"]}

    def test_the_parameters_are_defined_as_the_standard_writes_them(self):
        """filter/filter-param, filter/filter-lang-param A, filter/filter-crs-param"""
        defined = parameters(ITEMS)
        for name in ("filter", "filter-lang", "filter-crs"):
            one = defined[name]
            self.assertEqual((one["in"], one["required"], one["style"], one["schema"]["type"]),
                             ("query", False, "form", "string"), name)
        self.assertEqual(defined["filter-crs"]["schema"]["format"], "uri")

    def test_the_languages_are_named_and_text_is_the_default(self):
        """filter/filter-lang-param B and C"""
        schema = parameters(ITEMS)["filter-lang"]["schema"]
        self.assertEqual((set(schema["enum"]), schema["default"]),
                         ({"cql2-text", "cql2-json", "cql-text"}, "cql2-text"))
        written = json.dumps({"op": "=", "args": [{"property": "category"}, "wifi_hotspot"]})
        both = [self.ids(filter=HOTSPOTS), self.ids(filter=HOTSPOTS, filter_lang="cql2-text"),
                self.ids(filter=written, filter_lang="cql2-json")]
        for one in both:
            self.assertEqual(one, expected(has(category="wifi_hotspot")))
        self.assertEqual(ask(ITEMS, filter=written).status, 400)
        self.assertEqual(ask(ITEMS, filter=HOTSPOTS, filter_lang="ecql-text").status, 400)

    def test_positions_in_a_filter_are_longitude_and_latitude(self):
        """filter/filter-crs-wgs84"""
        written = "S_INTERSECTS(geometry, BBOX({},{},{},{}))".format(*GENEVA)
        self.assertEqual(self.ids(filter=written), expected(within(GENEVA)))
        self.assertEqual(self.ids(filter=written, filter_crs=CRS84), expected(within(GENEVA)))

    def test_positions_in_a_filter_are_in_the_system_that_is_named(self):
        """filter/filter-crs-param"""
        west, south, east, north = GENEVA
        written = f"S_INTERSECTS(geometry, BBOX({south},{west},{north},{east}))"
        self.assertEqual(self.ids(filter=written, filter_crs=EPSG_4326), expected(within(GENEVA)))
        for uri in ("http://www.opengis.net/def/crs/EPSG/0/25832", "4326"):
            self.assertEqual(ask(ITEMS, filter=written, filter_crs=uri).status, 400)

    def test_other_parameters_hold_together_with_the_filter(self):
        """filter/mixing-expressions"""
        box = ",".join(str(edge) for edge in GENEVA)
        kind = has(category="camera_fixed")
        self.assertGreater(len(expected(within(GENEVA), kind)), 3)
        self.assertEqual(self.ids(bbox=box, filter="category = 'camera_fixed'"),
                         expected(within(GENEVA), kind))
        self.assertEqual(self.ids(category="wifi_hotspot", filter="category = 'camera_fixed'"), set())
        self.assertEqual(self.ids(category="wifi_hotspot", bbox=box, filter="name IS NOT NULL"),
                         expected(within(GENEVA), has(category="wifi_hotspot")))
        answer = ask(ITEMS, datetime="../1990-01-01T00:00:00Z", filter=HOTSPOTS)
        self.assertEqual((answer.status, answer.json["numberMatched"]), (200, 0))

    def test_only_features_of_which_it_is_true_are_answered(self):
        """filter/response: features for which the filter is false or unknown are left out"""
        stated = self.ids(filter="manufacturer = 'x' OR NOT (manufacturer = 'x')")
        unknown = self.ids(filter="manufacturer IS NULL")
        self.assertEqual(stated & unknown, set())
        self.assertEqual(stated | unknown, expected())
        self.assertGreater(len(unknown), 0)

    def test_all_pages_of_a_filter_hold_what_matches_once(self):
        """filter/response, across the links to the next page"""
        answer, found = ask(ITEMS, limit=97, filter="status = 'reported' AND category LIKE 'camera%'"), []
        matched = answer.json["numberMatched"]
        while True:
            found += [feature["id"] for feature in answer.json["features"]]
            following = answer.links("next")
            if not following:
                break
            answer = ask(following[0]["href"])
            self.assertEqual(answer.json["numberMatched"], matched)
        self.assertEqual(len(found), matched)
        self.assertEqual(set(found), expected(
            has(status="reported"), lambda one: one["properties"]["category"].startswith("camera")))

    def test_what_is_no_filter_is_refused_and_named(self):
        """filter/response, 7.5: an invalid expression is a client error"""
        for written in ("category =", "(", "category == 'a'", "category = 'a", "1", "category",
                        "category = 5 AND", "S_INTERSECTS(geometry, POINT(1))", "name LIKE 5", ""):
            answer = ask(ITEMS, filter=written)
            self.assertEqual(answer.status, 400, written)
            self.assertEqual(answer.type, "application/problem+json")
            self.assertIn("filter", answer.body.decode(), written)

    def test_geometry_in_web_mercator_is_answered_together_with_a_filter(self):
        """filter/mixing-expressions, with `crs` of Part 2"""
        answer = ask(ITEMS, limit=1, filter=HOTSPOTS, crs=WEB_MERCATOR)
        self.assertEqual(answer.headers["Content-Crs"], f"<{WEB_MERCATOR}>")
        self.assertEqual(answer.json["numberMatched"], len(expected(has(category="wifi_hotspot"))))
