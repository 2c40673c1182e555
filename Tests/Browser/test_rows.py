"""Rows of the list: names, places, distances and ages that tell devices apart."""

import re

from playwright.sync_api import expect

from support.case import FUNCHAL, BrowserTest
from support.chromium import NARROW
from support.keeping import WritingTest

LIMMAT = "/#map=16.00/47.37100/8.54100"
FIRST = ".device-row >> nth=0"


class RowTests(BrowserTest):
    def test_a_row_states_the_town_the_distance_and_the_age(self):
        page = self.open(FUNCHAL)
        row = page.locator(".device-row", has_text="Market hall camera")
        expect(row.locator(".row-kind")).to_have_text("Fixed camera · Câmara Municipal do Funchal")
        expect(row.locator(".row-facts")).to_contain_text(
            re.compile(r"Santa Luzia\s*\d{3} m east\s*Faces south-east\s*Imported today"))

    def test_the_list_begins_in_the_middle_of_the_map(self):
        page = self.open(FUNCHAL)
        distances = [re.search(r"([\d.]+) (k?)m\b", text)
                     for text in page.locator(".device-row .row-facts").all_inner_texts()]
        metres = [float(one.group(1)) * (1_000 if one.group(2) else 1) for one in distances]
        self.assertEqual(metres, sorted(metres))
        self.assertGreater(len(metres), 5)
        expect(page.locator(".list-order")).to_have_text("Nearest to the middle of the map first")

    def test_a_wide_view_states_countries_instead_of_distances(self):
        page = self.open("/#map=4.00/40.0000/-10.0000")
        expect(page.locator(".row-facts", has_text="Portugal").first).to_be_visible()
        expect(page.locator(".list-order")).to_have_count(0)
        self.assertNotIn("sortby", self.witness.last("/api/collections/devices/items?"))

    def test_the_list_with_its_places_and_kinds_takes_one_request(self):
        page = self.open(FUNCHAL)
        expect(page.locator(".device-row .row-facts", has_text="Santa Luzia").first).to_be_visible()
        expect(page.locator("#list-title")).to_contain_text("cameras")
        asked = [url for url in self.witness.requests
                 if re.match(r"/api/(places|statistics|collections/devices/items)", url)]
        self.assertEqual(len(asked), 1, asked)
        self.assertIn("with=kinds%2Cplaces", asked[0])

    def test_the_next_page_brings_its_places_along(self):
        page = self.open("/#map=4.00/40.0000/-10.0000")
        shown = page.locator(".device-row").count()
        page.get_by_role("button", name="Show more").click()
        expect(page.locator(".device-row").nth(shown).locator(".row-facts")).to_contain_text(re.compile(r"\w"))
        self.assertEqual([url for url in self.witness.requests if "/api/places/nearest" in url], [])


class OldDeviceTests(WritingTest):
    def test_devices_that_nobody_has_seen_for_years_come_after_the_others(self):
        place = [-30.002, 5.001]
        old = self.add_device(name="Old webcam", category="webcam", place=place, observed_on="2011-05-01")
        self.add_device(name="New camera", place=[place[0] + 0.001, place[1]])
        page = self.open(f"/#map=16.00/{place[1]}/{place[0]}")
        expect(page.locator(".row-name")).to_have_text(["New camera", "Old webcam"])
        expect(page.locator(".list-old")).to_have_text("Last seen more than 8 years ago")
        expect(page.locator(".list-old + ul .device-row")).to_have_attribute("data-id", old)
        expect(page.locator(FIRST).locator(".row-facts")).to_contain_text("Added today")


class MadeNameTests(WritingTest):
    def test_a_name_made_from_the_category_is_shown_in_the_language_of_the_reader_with_its_place(self):
        device = self.add_device(name="Camera", place=[8.5410, 47.3719])
        for language, name in (("en", "Fixed camera near Lindenhof"), ("pt", "Câmara fixa perto de Lindenhof")):
            with self.subTest(language):
                page = self.open(LIMMAT, language=language)
                expect(page.locator(FIRST).locator(".row-name")).to_have_text(name)
                expect(page.locator(FIRST).locator(".row-kind")).to_have_count(0)
                page.locator(FIRST).click()
                expect(page.locator("#card h2")).to_have_text(name)
                page.goto(f"/devices/{device}")
                expect(page.locator("h1")).to_have_text(name)
                self.assertIn(name, page.title())

    def test_a_long_made_name_fits_a_narrow_screen(self):
        self.add_device(name="Dome or turning camera", category="camera_ptz", place=[8.4900, 47.3740])
        page = self.open("/#map=16.00/47.37400/8.49000", size=NARROW, language="pt")
        page.get_by_role("button", name="Mostrar mais da lista").click()
        name = page.locator(FIRST).locator(".row-name")
        expect(name).to_have_text("Câmara rotativa ou em cúpula perto de Albisrieden")
        self.assertLessEqual(name.evaluate("(one) => one.scrollHeight - one.clientHeight"), 1)
