"""Rows of the list: names, places, distances and ages that tell devices apart."""

import re

from playwright.sync_api import expect

from support.accounts import confirmed_person
from support.axe import violations
from support.case import FUNCHAL, BrowserTest
from support.chromium import NARROW, PHONE
from support.farol import own_farol
from support.keeping import ITEMS, WritingTest
from support.street_tiles import street_map

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

    def test_other_pages_show_the_same_name(self):
        device = self.add_device(by="lucia", name="Camera", place=[8.5411, 47.3731])
        for language, name in (("en", "Fixed camera near Lindenhof"), ("pt", "Câmara fixa perto de Lindenhof")):
            page = self.page_of("lucia", language=language)
            for path, part in ((f"/devices/{device}/history", "main"), (f"/devices/{device}/edit", "main .lead"),
                               (f"/report?device={device}", "#report-about"), ("/people/lucia", ".recent")):
                with self.subTest(path, language=language):
                    page.goto(path)
                    expect(page.locator(part).first).to_contain_text(name)

    def test_the_search_finds_the_name_in_the_data_and_shows_both(self):
        self.add_device(name="Dome or turning camera", category="camera_ptz", place=[8.4902, 47.3752])
        page = self.open(LIMMAT, language="pt")
        page.get_by_role("combobox").fill("Dome or turning")
        found = page.get_by_role("option").filter(has_text="Câmara rotativa ou em cúpula perto de Albisrieden").first
        expect(found).to_contain_text("Dome or turning camera")
        self.add_device(name="Webcam, Limmat Roads", category="webcam", place=[8.5203, 47.4053],
                        operator={"name": "Limmat Roads", "kind": "public"})
        page.get_by_role("combobox").fill("Limmat Roads")
        found = page.get_by_role("option").filter(has_text="Webcam, Limmat Roads")
        expect(found).to_have_count(1)
        self.assertEqual(found.inner_text().count("Limmat Roads"), 1)

    def test_a_long_made_name_fits_a_narrow_screen(self):
        self.add_device(name="Dome or turning camera", category="camera_ptz", place=[8.4900, 47.3740])
        page = self.open("/#map=16.00/47.37400/8.49000", size=NARROW, language="pt")
        page.get_by_role("button", name="Mostrar mais da lista").click()
        name = page.locator(FIRST).locator(".row-name")
        expect(name).to_have_text("Câmara rotativa ou em cúpula perto de Albisrieden")
        self.assertLessEqual(name.evaluate("(one) => one.scrollHeight - one.clientHeight"), 1)


class SameNameTests(BrowserTest):
    """Three cameras of one name within 20 metres, in a street that the map knows."""

    QUAY = [-30.0020, 5.0010]

    @classmethod
    def setUpClass(cls):
        cls.server = own_farol()
        street_map(cls.server.streets() / "quay.mbtiles", "Quay Street", *cls.QUAY)
        cls.server.start()
        maria = confirmed_person(cls.server, "maria")
        cls.ids = []
        for east, north, bearing in ((0, 0.00008, 0), (0.00009, -0.00008, 90), (0.00018, 0.00008, 225)):
            cls.ids.append(maria.send("POST", ITEMS, {
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": [cls.QUAY[0] + east, cls.QUAY[1] + north]},
                "properties": {
                    "name": "Camera", "category": "camera_fixed", "precision": "exact", "bearings": [bearing],
                    "duplicate_reason": "They stand beside each other."},
            }, expect=201)[2]["id"])

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def farol(self):
        return self.server

    def facts(self, page, identifier):
        return page.locator(f'.device-row[data-id="{identifier}"] .row-facts')

    def test_rows_name_the_street_its_side_and_the_direction(self):
        for language, words in (("en", ("Quay Street, north side", "Faces north", "Quay Street, south side", "Faces east")),
                                ("pt", ("Quay Street, lado norte", "Virado a norte", "Quay Street, lado sul", "Virado a este"))):
            with self.subTest(language):
                page = self.open(f"/#map=17.00/{self.QUAY[1]}/{self.QUAY[0]}", language=language)
                first, second = self.facts(page, self.ids[0]), self.facts(page, self.ids[1])
                for part, word in zip((first, first, second, second), words):
                    expect(part).to_contain_text(word)

    def test_a_page_of_devices_that_need_a_look_shows_each_on_a_small_map(self):
        for language, on_map, street in (("en", "Show number 2 on the small map", "Quay Street, south side"),
                                         ("pt", "Mostrar o número 2 no mapa pequeno", "Quay Street, lado sul")):
            with self.subTest(language):
                page = self.open(f"/look?near={self.QUAY[0]},{self.QUAY[1]}", size=PHONE, language=language)
                expect(page.locator(".look-list > li")).to_have_count(3)
                expect(page.locator(".look .wizard-map canvas")).to_be_visible()
                places = {page.locator(f"#look-{number} .look-street").inner_text() for number in (1, 2, 3)
                          if expect(page.locator(f"#look-{number} .look-street")).not_to_be_empty() is None}
                self.assertIn(street, places)
                drawn = """(layer) => keptMaps[0].queryRenderedFeatures({ layers: [layer] }).length"""
                page.get_by_role("button", name=on_map).click()
                self.until(lambda: page.evaluate("() => keptMaps[0].getZoom()") > 18, "the map to come closer")
                self.until(lambda: page.evaluate(drawn, "mapping-points") >= 2, "the cameras beside each other")
                self.assertGreaterEqual(page.evaluate(drawn, "mapping-sights"), 2)
                self.assertEqual(violations(page), [])


class PhotoRowTests(WritingTest):
    def test_a_row_shows_the_first_photo(self):
        place = [-30.202, 5.201]
        device = self.add_device(name="Pictured camera", place=place)
        self.add_photo(device)
        self.add_device(name="Other camera", place=[place[0] + 0.001, place[1]])
        page = self.open(f"/#map=16.00/{place[1]}/{place[0]}")
        photo = page.locator(f'.device-row[data-id="{device}"] .row-photo')
        expect(photo).to_be_visible()
        self.until(lambda: photo.evaluate("(photo) => photo.naturalWidth") > 0, "the photo to load")
        expect(page.locator(".row-photo")).to_have_count(1)
