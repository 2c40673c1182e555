"""Malicious names, and names that are difficult to draw, are shown as plain text."""

import html
import json

from playwright.sync_api import expect

from support.case import NAMES, BrowserTest
from support.chromium import NARROW
from support.farol import FIXTURES

RIGHT_TO_LEFT = "Camera \u202egnp.exe\u202c of the \u2066square"


def hostile():
    features = json.loads((FIXTURES / "devices.geojson").read_text())["features"]
    return [feature["properties"]["name"] for feature in features
            if feature["properties"]["key"].startswith("name-")]


class NameTests(BrowserTest):
    def unharmed(self, page):
        self.assertIsNone(page.evaluate("() => globalThis.hurt ?? null"))
        self.assertEqual(page.locator("#main img, #main script, main b, .suggestions img").count(), 0)

    def fits(self, page):
        self.assertLessEqual(*page.evaluate(
            "() => [document.documentElement.scrollWidth, innerWidth]"))

    def test_lists_and_cards_show_names_as_text(self):
        page = self.open(NAMES, size=NARROW)
        page.get_by_role("button", name="Show more of the list").click()
        stored = {feature["properties"]["name"] for feature in
                  self.farol().items(bbox=self.asked_box(page), limit=50)["features"]}
        self.assertEqual(set(page.locator(".row-name").all_text_contents()), stored)
        # An import reads the entities of HTML.
        self.assertGreaterEqual(len(stored & set(map(html.unescape, hostile()))), 8)
        for name in page.locator(".row-name").all_text_contents():
            with self.subTest(name):
                # The map moves to a selected device, and the list follows.
                page.evaluate("(hash) => { location.hash = hash; }", NAMES[1:])
                page.locator(".device-row").filter(has_text=name).first.click()
                expect(page.locator("#card h2")).to_have_text(name)
                self.fits(page)
                page.locator(".card-close").click()
        self.unharmed(page)

    def test_device_pages_and_titles_show_names_as_text(self):
        found = self.farol().items(bbox="-31.3,39.4,-31.1,39.5", limit=50)["features"]
        page = self.new_page(size=NARROW)
        for feature in found:
            name = feature["properties"]["name"]
            with self.subTest(name):
                page.goto(f"/devices/{feature['id']}")
                expect(page.locator("h1")).to_have_text(name)
                title = page.evaluate("() => document.title")
                self.assertTrue(title.startswith(name) and title.endswith("Farol"), title)
                self.fits(page)
                self.unharmed(page)

    def test_search_shows_names_as_text(self):
        page = self.open(NAMES)
        page.get_by_role("combobox").fill("onerror")
        expect(page.get_by_role("option").filter(has_text="<img src=x")).to_be_visible()
        page.get_by_role("combobox").fill("<img src=x onerror=hurt=1>")
        expect(page.get_by_role("option").filter(has_text="Show all devices")).to_be_visible()
        self.unharmed(page)

    def test_words_from_an_address_are_text_too(self):
        page = self.open("/?q=%3Cimg%20src%3Dx%20onerror%3D%22hurt%3D1%22%3E" + NAMES[1:])
        expect(page.locator(".active-filters")).to_contain_text("<img src=x")
        self.unharmed(page)

    def test_a_direction_override_does_not_affect_the_text_next_to_it(self):
        page = self.new_page()

        def changed(route):
            answer = route.fetch()
            body = answer.json()
            for feature in body["features"]:
                feature["properties"]["name"] = RIGHT_TO_LEFT
            route.fulfill(response=answer, json=body)

        page.route("**/api/collections/devices/items?*", changed)
        page.goto(NAMES)
        self.settled(page)
        row = page.locator(".device-row").first
        expect(row.locator(".row-name")).to_have_text(RIGHT_TO_LEFT)
        # The text next to the name still runs from left to right.
        kind = row.locator(".row-kind")
        self.assertEqual(kind.evaluate("(one) => getComputedStyle(one).direction"), "ltr")
        self.assertNotEqual(
            row.locator(".row-name").evaluate("(one) => getComputedStyle(one).display"), "inline")
        edges = [row.locator(part).bounding_box()["x"] for part in (".row-name", ".row-kind")]
        self.assertAlmostEqual(*edges, delta=1)
