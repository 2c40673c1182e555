"""Every category has an icon, and no two categories share a symbol."""

import json
import re
import unittest
import xml.etree.ElementTree as xml

from support.farol import HOME, shared_farol

ICONS = HOME / "public/icons/category"


def drawing(file):
    """The shapes of an icon with their numbers, independent of the formatting of the file."""
    shapes = []
    for element in xml.fromstring(file.read_text()).iter():
        name = element.tag.split("}")[-1]
        if name in ("path", "circle", "rect", "line", "ellipse", "polygon", "polyline", "use"):
            numbers = tuple(
                (key, re.sub(r"[\s,]+", " ", value).strip())
                for key, value in sorted(element.attrib.items()) if key != "stroke-width")
            shapes.append((name, numbers))
    return tuple(sorted(shapes))


class IconTests(unittest.TestCase):
    def setUp(self):
        self.terms = shared_farol().get("/api/taxonomies/categories")["terms"]

    def test_every_category_of_the_api_has_an_icon_with_shapes(self):
        for term in self.terms:
            with self.subTest(term["code"]):
                self.assertTrue(term.get("icon"), "no icon named")
                file = ICONS / f"{term['icon']}.svg"
                self.assertTrue(file.exists(), f"no {file.name}")
                self.assertTrue(drawing(file), "nothing is drawn")

    def test_no_two_categories_share_a_symbol(self):
        known = {}
        for term in self.terms:
            symbol = drawing(ICONS / f"{term['icon']}.svg")
            self.assertNotIn(symbol, known, f"{term['code']} looks like {known.get(symbol)}")
            known[symbol] = term["code"]
        self.assertEqual(len(known), len(self.terms))

    def test_every_icon_has_24_pixels_and_one_colour(self):
        for file in ICONS.glob("*.svg"):
            with self.subTest(file.name):
                root = xml.fromstring(file.read_text())
                self.assertEqual(root.get("viewBox"), "0 0 24 24")
                text = file.read_text()
                colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', text))
                self.assertLessEqual(colours, {"none", "currentColor"})
                self.assertNotRegex(text, r"<(script|style|image|text|foreignObject)|url\(|href")

    def test_the_seed_and_the_api_use_the_same_codes_for_categories(self):
        seed = json.loads((HOME / "seed/taxonomies/categories.json").read_text())["terms"]
        self.assertEqual([term["code"] for term in seed], [term["code"] for term in self.terms])
