"""The search field for places, devices, categories and coordinates."""

import re

from playwright.sync_api import expect

from support.case import FUNCHAL, OCEAN, BrowserTest
from support.chromium import PHONE
from support.map_probe import MapProbe

# The box around the outlined place, or null.
OUTLINED = """() => {
  const data = keptMaps[0].getSource('outline')?._data;
  const ring = (data?.geojson ?? data)?.features[0]?.geometry.coordinates;
  return ring ? [...ring[0], ...ring[2]] : null;
}"""


# Not the row that searches for the word.
FUNCHAL_ROW = re.compile("^Funchal")


class SearchTests(BrowserTest):
    allowed_errors = (r"ERR_FAILED",)  # of the requests that a test interrupts

    def search(self, page, words):
        page.get_by_role("combobox").fill(words)
        return page.get_by_role("listbox")

    def test_a_place_moves_the_map(self):
        page = self.open(OCEAN)
        found = self.search(page, "camara de lob")
        found.get_by_role("option", name="Câmara de Lobos").first.click()
        self.until(lambda: abs(self.view(page)[1] - 32.65) < 0.05, "the map to reach Câmara de Lobos")
        _, latitude, longitude = self.view(page)
        self.assertAlmostEqual(latitude, 32.65, delta=0.05)
        self.assertAlmostEqual(longitude, -16.97, delta=0.08)

    def test_the_name_of_a_device_gives_a_list_and_selecting_opens_it(self):
        page = self.open(OCEAN)
        found = self.search(page, "pier camera")
        expect(found.get_by_role("option", name="Pier camera north")).to_be_visible()
        found.get_by_role("option", name="Pier camera south").click()
        expect(page.locator("#card h2")).to_have_text("Pier camera south")
        self.until(lambda: abs(self.view(page)[1] - 33.0627) < 0.01, "the map to reach the pier")
        self.assertEqual(
            self.query(page)["device"], self.farol().device("Pier camera south")["id"])

    def test_a_category_becomes_a_filter(self):
        page = self.open(FUNCHAL)
        found = self.search(page, "number-pl")
        found.get_by_role("option", name="Number-plate readers Show only these").click()
        self.waits_for_title(page, "^1 plate reader here$")
        self.assertEqual(self.names(page), ["Car park plate reader"])
        self.assertEqual(self.query(page)["category"], "alpr")
        expect(page.locator(".active-filters")).to_contain_text("Number-plate reader")

    def test_everyday_words_of_both_languages_find_a_category(self):
        page = self.open(FUNCHAL)
        for typed, category in (
                ("CCTV", "Fixed cameras"), ("facial recognition", "Face-recognition cameras"),
                ("hidden microphone", "Microphones and sound sensors"), ("speed trap", "Speed and red-light cameras"),
                ("radar de trânsito", "Speed and red-light cameras"), ("videovigil", "Fixed cameras")):
            with self.subTest(typed):
                found = self.search(page, typed).get_by_role("option", name=category)
                expect(found).to_contain_text("Also called")
        found.click()
        self.until(lambda: self.query(page).get("category") == "camera_fixed", "the filter")

    def test_all_cameras_are_one_suggestion(self):
        page = self.open(FUNCHAL)
        self.search(page, "cameras").get_by_role("option", name="All cameras").click()
        expect(page.locator(".active-filters li")).to_have_text(["All cameras"])
        self.assertIn("Harbour dome", self.names(page))
        self.assertNotIn("Market Wi-Fi", self.names(page))

    def test_an_empty_search_offers_the_own_position_the_last_places_and_groups(self):
        page = self.open(FUNCHAL)
        box = page.get_by_role("combobox")
        box.click()
        groups = [term["label"] for term in self.farol().get("/api/taxonomies/category_groups")["terms"]]
        expect(page.get_by_role("option").locator(".suggestion-words > .said:first-child")).to_have_text(
            ["Devices near me", *groups])
        # Nothing was chosen.
        box.press("Enter")
        self.assertNotIn("category", self.query(page))
        self.search(page, "camara de lob").get_by_role("option", name="Câmara de Lobos").first.click()
        page.get_by_role("button", name="Clear the search").click()
        expect(page.get_by_role("option", name="Câmara de Lobos")).to_contain_text("Madeira")
        expect(page.get_by_role("listbox")).to_contain_text("Recent places")
        page.reload()
        self.settled(page)
        box.click()
        page.get_by_role("option", name="Câmara de Lobos").click()
        expect(box).to_have_value("Câmara de Lobos")

    def test_enter_waits_for_the_answer(self):
        page = self.open(FUNCHAL)
        waiting = []
        page.route("**/api/places?q=*", lambda route: waiting.append(route))
        box = page.get_by_role("combobox")
        box.fill("geneva")
        box.press("Enter")
        self.until(lambda: waiting, "the request for places")
        expect(page.get_by_role("listbox")).to_contain_text("Searching…")
        self.assertEqual({"words", "category"} & set(self.query(page)), set())
        waiting[0].continue_()
        self.until(lambda: abs(self.view(page)[1] - 46.2) < 0.2, "the map to reach Geneva")
        expect(box).to_have_value("Geneva")
        self.assertEqual({"words", "category"} & set(self.query(page)), set())

    def test_enter_does_not_search_for_a_name_when_the_places_are_missing(self):
        page = self.open(FUNCHAL)
        page.route("**/api/places?q=*", lambda route: route.abort())
        box = page.get_by_role("combobox")
        box.fill("geneva")
        box.press("Enter")
        expect(page.get_by_role("listbox")).to_contain_text("The places could not be searched")
        expect(page.get_by_role("option", name="Show all devices with “geneva”")).to_be_visible()
        self.assertNotIn("words", self.query(page))

    def test_a_kind_and_a_place_are_understood_together(self):
        for typed in ("plate readers in Funchal", "leitores de matrículas no Funchal", "funchal plate readers"):
            with self.subTest(typed):
                page = self.open(OCEAN)
                box = page.get_by_role("combobox")
                box.fill(typed)
                expect(page.get_by_role("option").first).to_contain_text("Number-plate readers in Funchal")
                box.press("Enter")
                self.until(lambda: abs(self.view(page)[1] - 32.65) < 0.1, "the map to reach Funchal")
                self.assertEqual(self.query(page)["category"], "alpr")
                expect(box).to_have_value("Funchal")
                expect(page.locator(".active-filters")).to_contain_text("Number-plate reader")

    def test_cameras_near_me_are_around_the_own_position(self):
        for language, typed, kind, near in (
                ("en", "cameras near me", "All cameras", "Near me"),
                ("pt", "câmaras perto de mim", "Todas as câmaras", "Perto de mim")):
            with self.subTest(typed):
                page = self.open(OCEAN, language=language)
                page.context.grant_permissions(["geolocation"])
                page.context.set_geolocation({"longitude": -16.9042, "latitude": 32.6486})
                self.search(page, typed).get_by_role("option", name=f"{kind} {near.lower()}").click()
                self.until(lambda: abs(self.view(page)[1] - 32.6486) < 0.05, "the map to reach the position")
                expect(page.locator(".active-filters li")).to_have_text([kind, near])

    def test_an_address_that_is_not_found_gives_its_town(self):
        page = self.open(OCEAN)
        found = self.search(page, "Avenida Inventada 10 Funchal").get_by_role("option")
        expect(found.first).to_have_text(re.compile("^Funchal.*The address was not found"))

    def test_a_city_comes_before_the_region_of_the_same_name_and_is_told_apart(self):
        page = self.open(OCEAN)
        places = self.search(page, "zürich").get_by_role("option")
        expect(places.nth(0)).to_have_text(re.compile("^Zürich, city *Switzerland"))
        expect(places.nth(1)).to_have_text(re.compile("^Zürich, canton *Switzerland"))

    def test_quarters_have_names_as_people_say_them(self):
        page = self.open(OCEAN)
        found = self.search(page, "albisried").get_by_role("option")
        expect(found.first).to_have_text(re.compile("^Albisrieden *Zürich, Switzerland"))

    def test_the_chosen_place_stays_in_the_box_and_is_outlined(self):
        page = self.open(OCEAN)
        self.search(page, "funchal").get_by_role("option", name=FUNCHAL_ROW).first.click()
        self.until(lambda: abs(self.view(page)[1] - 32.65) < 0.1, "the map to reach Funchal")
        box = page.get_by_role("combobox")
        expect(box).to_have_value("Funchal")
        place = self.farol().get(f"/api/places?id={self.query(page)['place']}")["places"][0]
        self.until(lambda: page.evaluate(OUTLINED) == place["bbox"], "the outline of Funchal")

        page.reload()
        self.settled(page)
        expect(box).to_have_value("Funchal")
        self.until(lambda: page.evaluate(OUTLINED) == place["bbox"], "the outline after a reload")

        page.get_by_role("button", name="Clear the search").click()
        expect(box).to_have_value("")
        self.until(lambda: page.evaluate(OUTLINED) is None, "no outline")
        self.assertNotIn("place", self.query(page))
        page.go_back()
        expect(box).to_have_value("Funchal")

    def test_a_category_is_filtered_in_the_chosen_place(self):
        page = self.open(OCEAN)
        self.search(page, "funchal").get_by_role("option", name=FUNCHAL_ROW).first.click()
        self.until(lambda: "place" in self.query(page), "the place in the address")
        self.search(page, "webcam").get_by_role("option", name="Webcams").click()
        expect(page.get_by_role("combobox")).to_have_value("Funchal")
        self.assertEqual(self.query(page)["category"], "webcam")

    def test_a_chosen_place_raises_the_list_on_a_phone(self):
        page = self.open(FUNCHAL, size=PHONE)
        expect(page.locator("#panel")).to_have_attribute("data-stop", "peek")
        page.get_by_role("combobox").fill("berlin")
        page.get_by_role("option", name=re.compile("^Berlin")).first.click()
        expect(page.locator("#panel")).to_have_attribute("data-stop", "half")
        expect(page.locator(".device-row").first).to_be_in_viewport()

    def test_a_sentence_becomes_chips_that_the_user_removes(self):
        for language, typed, kind, near in (("en", "webcams in Funchal", "Webcam", "Near me"),
                                            ("pt", "webcams no Funchal", "Webcam", "Perto de mim")):
            with self.subTest(language):
                page = self.open(OCEAN, language=language, permissions=["geolocation"],
                                 geolocation={"latitude": 32.6486, "longitude": -16.9042})
                box = page.get_by_role("combobox")
                box.fill(typed)
                page.keyboard.press("Enter")
                chips = page.locator(".active-filters .chip:not(.chip-reset)")
                expect(chips).to_have_text([kind, "Funchal"])
                self.until(lambda: abs(self.view(page)[1] - 32.65) < 0.1, "the map to reach Funchal")
                chips.nth(1).click()
                expect(box).to_have_value("")
                expect(chips).to_have_text([kind])
                chips.first.click()
                expect(chips).to_have_count(0)
                box.fill("near me" if language == "en" else "perto de mim")
                page.keyboard.press("Enter")
                expect(chips).to_have_text([near])
                chips.first.click()
                expect(chips).to_have_count(0)

    def test_an_address_without_streets_leads_to_its_town_and_says_so(self):
        page = self.open(OCEAN)
        found = self.search(page, "Bahnhofstrasse 10 Zürich")
        expect(found.get_by_role("option").first).to_contain_text("Zürich")
        expect(found.get_by_role("option").first).to_contain_text("The address was not found; this is its town")

    def test_enter_at_once_also_says_that_the_address_was_not_found(self):
        page = self.open(OCEAN, size=PHONE)
        page.locator("#search").fill("Bahnhofstrasse 10 Zürich")
        page.keyboard.press("Enter")
        expect(page.locator("#list-title")).to_contain_text("Zürich")
        expect(page.locator(".toast")).to_have_text("The address was not found; this is its town.")

    def test_an_exact_town_is_before_the_beginning_of_a_kind(self):
        page = self.open(OCEAN)
        found = self.search(page, "Mobile")
        expect(found.get_by_role("option").first).to_contain_text("Alabama")

    def test_typed_coordinates_move_the_map(self):
        for typed in ("32.6486, -16.9042", "32° 38' 55\" N 16° 54' 15\" W", "geo:32.6486,-16.9042"):
            with self.subTest(typed):
                page = self.open(OCEAN)
                # The earlier list stays visible for a moment, so wait for the suggestion itself.
                self.search(page, typed).get_by_role("option", name="Go to this position").click()
                self.until(lambda: self.view(page)[1:] == (32.6486, -16.9042)
                           or abs(self.view(page)[1] - 32.6486) < 0.0005, "the map to reach the spot")
                self.assertAlmostEqual(self.view(page)[2], -16.9042, delta=0.0005)

    def test_other_words_filter_the_map_and_the_list(self):
        page = self.open(FUNCHAL)
        self.search(page, "harbour").get_by_role("option", name="Show all devices").click()
        self.waits_for_title(page, "^2 .+ here$")
        self.assertEqual(sorted(self.names(page)), ["Harbour dome", "Harbour webcam"])
        self.assertEqual(self.query(page)["q"], "harbour")
        self.settled(page)
        self.until(lambda: MapProbe(page).total() == 2, "two devices on the map")

    def test_words_without_a_match_show_a_message(self):
        page = self.open(FUNCHAL)
        self.search(page, "zzqqxx").get_by_role("option", name="Show all devices").click()
        self.waits_for_title(page, "^No devices here$")
        expect(page.locator("#list")).to_contain_text("No device here matches these filters")

    def test_the_keyboard_selects_a_suggestion(self):
        page = self.open(OCEAN)
        box = page.get_by_role("combobox")
        box.fill("tide gauge")
        expect(page.get_by_role("option", name="Pier tide gauge")).to_be_visible()
        chosen = page.locator("[role=option][aria-selected=true]")
        for _ in range(8):
            page.keyboard.press("ArrowDown")
            if "Pier tide gauge" in chosen.inner_text():
                break
        self.assertEqual(box.get_attribute("aria-activedescendant"), chosen.get_attribute("id"))
        page.keyboard.press("Enter")
        expect(page.locator("#card h2")).to_have_text("Pier tide gauge")

    def test_escape_closes_the_suggestions_and_keeps_the_text(self):
        page = self.open(FUNCHAL)
        found = self.search(page, "pier")
        expect(found.get_by_role("option").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(found).to_be_hidden()
        expect(page.get_by_role("combobox")).to_have_value("pier")

    def test_a_response_after_escape_does_not_reopen_the_suggestions(self):
        page = self.open(FUNCHAL)
        held = []
        page.route("**/api/places?*", lambda route: held.append(route))
        with page.expect_request("**/api/places?*"):
            found = self.search(page, "pier")
        expect(found).to_be_visible()
        page.keyboard.press("Escape")
        expect(found).to_be_hidden()
        with page.expect_response("**/api/places?*"):
            held[0].continue_()
        page.wait_for_timeout(300)
        expect(found).to_be_hidden()
        page.unroute("**/api/places?*")
        page.keyboard.press("ArrowDown")
        expect(found).to_contain_text("Pier hotspot")
