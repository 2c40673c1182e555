"""Filters: one state for the map, the list and the address."""

import re

from playwright.sync_api import expect

from support.case import FUNCHAL, MARKET, BrowserTest, PhoneTest
from support.map_probe import MapProbe


class FilterTests(BrowserTest):
    def open_filters(self, page):
        page.get_by_role("button", name="Filters").click()
        dialog = page.get_by_role("dialog", name="Filters")
        expect(dialog).to_be_visible()
        return dialog

    def tick(self, dialog, group, name):
        part = dialog.locator("details", has_text=group)
        if part.get_attribute("open") is None:
            part.locator("summary").click()
        part.locator("label").filter(has_text=name).first.click()

    def test_a_filter_changes_the_map_the_list_and_the_address(self):
        page = self.open(FUNCHAL)
        before = self.count(page)
        dialog = self.open_filters(page)
        self.tick(dialog, "What it is", "Fixed camera")
        expect(dialog.get_by_role("button", name="Show 2 devices")).to_be_visible()
        dialog.get_by_role("button", name="Show 2 devices").click()
        expect(dialog).to_be_hidden()

        self.waits_for_title(page, "^2 cameras here$")
        self.assertEqual(self.names(page), ["Market hall camera", "Market door camera"])
        self.assertEqual(self.query(page)["category"], "camera_fixed")
        self.settled(page)
        self.until(lambda: MapProbe(page).total() == 2, "two devices on the map")
        self.assertGreater(before, 2)

        page.locator(".active-filters").get_by_role("button", name="Remove the filter Fixed camera").click()
        self.waits_for_title(page, f"^{before} .+ here$")
        self.assertNotIn("category", self.query(page))
        self.settled(page)
        self.until(lambda: MapProbe(page).total() == before, "all devices on the map")

    def test_two_values_of_a_filter_widen_and_two_filters_narrow(self):
        page = self.open(FUNCHAL)
        dialog = self.open_filters(page)
        self.tick(dialog, "What it is", "Webcam")
        self.waits_for_title(page, "^1 camera here$")
        self.tick(dialog, "What it is", "Fixed camera")
        self.waits_for_title(page, "^3 cameras here$")
        self.tick(dialog, "What it collects", "Video")
        self.waits_for_title(page, "^2 cameras here$")
        self.assertEqual(self.query(page)["category"], "camera_fixed,webcam")
        self.assertEqual(self.query(page)["data_collected"], "video")

    def test_the_count_of_each_filter_matches_the_api(self):
        ticks = [
            ("Verification", "Reported", {"status": "reported"}),
            ("Operator type", "Public body", {"operator_kind": "public"}),
            ("What it collects", "Photo", {"data_collected": "still_image"}),
        ]
        page = self.open(FUNCHAL)
        box = self.asked_box(page)
        dialog = self.open_filters(page)
        for group, name, query in ticks:
            with self.subTest(name):
                expected = self.farol().items(bbox=box, **query)["numberMatched"]
                self.tick(dialog, group, name)
                field, code = next(iter(query.items()))
                self.until(lambda: self.query(page).get(field) == code, "the address to say so")
                expect(page.locator("#list-title")).to_have_text(re.compile(f"^{expected} "))
                dialog.get_by_role("button", name="Reset all").click()
                self.until(lambda: field not in self.query(page), "the reset")
        self.waits_for_title(page, f"^{self.farol().items(bbox=box)['numberMatched']} ")

    def test_the_number_beside_a_value_is_that_of_the_api(self):
        page = self.open("/?setting=indoor" + FUNCHAL[1:])
        box = self.asked_box(page)
        dialog = self.open_filters(page)
        for name, field, code in (
                ("Fixed camera", "category", "camera_fixed"), ("Webcam", "category", "webcam"),
                ("Video", "data_collected", "video"), ("Outdoors", "setting", "outdoor"),
                ("Public body", "operator_kind", "public"), ("Unknown", "operator_kind", "unknown"),
                ("Unknown", "choices", "unknown"), ("Fresh", "freshness", "fresh"),
                ("No longer there", "status", "removed")):
            with self.subTest(f"{name} in {field}"):
                query = {"bbox": box, "setting": "indoor"} | {field: code}
                number = self.farol().items(**query)["numberMatched"]
                option = dialog.locator(f".option:has(input[name={field}][value={code}])")
                expect(option.locator(".option-count")).to_have_text(str(number))

    def test_the_numbers_follow_the_other_filters(self):
        page = self.open(FUNCHAL)
        dialog = self.open_filters(page)
        webcam = dialog.locator(".option:has(input[value=webcam])")
        expect(webcam.locator(".option-count")).to_have_text("1")
        self.tick(dialog, "Indoors or outdoors", "Indoors")
        expect(webcam.locator(".option-count")).to_have_text("0")

    def test_values_without_devices_come_last_and_are_dimmed(self):
        page = self.open(FUNCHAL)
        dialog = self.open_filters(page)
        options = dialog.locator("details").first.locator(".option")
        numbers = [int(text) for text in options.locator(".option-count").all_inner_texts()]
        full = [number for number in numbers if number]
        self.assertEqual(numbers, full + [0] * (len(numbers) - len(full)))
        self.assertTrue(0 < len(full) < len(numbers))
        expect(dialog.locator("details").first.locator(".option.is-empty")).to_have_count(numbers.count(0))

    def test_one_tap_chooses_all_cameras_and_is_one_filter(self):
        page = self.open(FUNCHAL)
        dialog = self.open_filters(page)
        group = dialog.get_by_role("button", name="All cameras")
        number = int(group.locator(".option-count").inner_text())
        group.click()
        expect(group).to_have_attribute("aria-pressed", "true")
        self.waits_for_title(page, f"^{number} .+ here$")
        page.keyboard.press("Escape")
        expect(page.locator(".active-filters li")).to_have_text(["All cameras"])
        expect(page.locator("#filter-bar .filters-open .count")).to_have_text("1")
        page.get_by_role("button", name="Remove the filter All cameras").click()
        self.until(lambda: "category" not in self.query(page), "no filter")

    def test_reset_removes_all_filters(self):
        page = self.open("/?category=webcam&operator_kind=company&q=vista" + MARKET[1:].replace("17.00", "14.00"))
        self.waits_for_title(page, "^1 camera here$")
        page.locator(".active-filters").get_by_role("button", name="Reset all").click()
        self.until(lambda: not self.query(page), "an address without filters")
        self.until(lambda: self.count(page) > 5, "all devices in view")
        expect(page.locator(".active-filters li")).to_have_count(0)

    def test_a_filter_without_a_match_shows_a_message_and_can_be_removed(self):
        page = self.open("/?category=toy" + FUNCHAL[1:])
        expect(page.locator("#list")).to_contain_text("No device here matches these filters")
        page.locator("#list").get_by_role("button", name="Reset all").click()
        self.until(lambda: self.count(page) > 5, "all devices in view")

    def test_escape_closes_the_filters_and_returns_the_focus(self):
        page = self.open(FUNCHAL)
        page.locator(".filters-open").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog", name="Filters")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="Filters")).to_be_hidden()
        expect(page.locator(".filters-open")).to_be_focused()

    def test_there_is_a_filter_for_each_supported_property(self):
        page = self.open(FUNCHAL)
        dialog = self.open_filters(page)
        for group in ("What it is", "What it collects", "Choices it offers", "Verification",
                      "Last checked"):
            expect(dialog.locator("summary", has_text=group)).to_be_visible()


class LinkedFilterTests(BrowserTest):
    def opened(self, path, last):
        page = self.new_page()
        page.add_init_script(f"localStorage.setItem('farol.view', '{last}')")
        page.goto(path)
        return self.settled(page)

    def shown(self, page):
        """Zoom, latitude and longitude of the map; the address has none before the map moves."""
        return page.evaluate("() => [keptMaps[0].getZoom(), keptMaps[0].getCenter().lat, keptMaps[0].getCenter().lng]")

    def test_a_link_without_a_view_opens_where_the_devices_of_its_filter_are(self):
        page = self.opened("/?category=toy", "map=12.00/20.0000/-40.0000")
        self.assertEqual(self.count(page), 1)
        zoom, latitude, longitude = self.shown(page)
        self.assertAlmostEqual(latitude, 37.80, delta=0.2)
        self.assertAlmostEqual(longitude, -25.62, delta=0.3)
        self.assertGreater(zoom, 8)

    def test_the_last_view_stays_if_it_shows_devices_of_the_filter(self):
        page = self.opened("/?category=alpr", "map=14.00/32.6480/-16.9080")
        zoom, latitude, longitude = self.shown(page)
        self.assertEqual((round(zoom), round(latitude, 2), round(longitude, 2)), (14, 32.65, -16.91))
        self.assertGreater(self.count(page), 0)

    def test_a_filter_without_devices_opens_at_the_last_view(self):
        page = self.opened("/?operator=Nobody+Anywhere", "map=12.00/20.0000/-40.0000")
        self.assertEqual(round(self.shown(page)[1]), 20)
        self.assertEqual(self.count(page), 0)


class PhoneFilterTests(PhoneTest):
    def test_filters_are_in_reach_while_the_sheet_is_low(self):
        page = self.open(FUNCHAL)
        page.get_by_role("button", name="Filters").tap()
        dialog = page.get_by_role("dialog", name="Filters")
        dialog.get_by_role("button", name="All cameras").tap()
        dialog.locator(".dialog-foot .primary").tap()
        expect(page.get_by_role("button", name="Filters, 1 active")).to_be_focused()
        expect(page.locator("#panel")).to_have_attribute("data-stop", "peek")
        self.assertIn("camera_fixed", self.query(page)["category"])

    def test_filters_work_on_a_phone(self):
        page = self.open(FUNCHAL)
        page.get_by_role("button", name="Show more of the list").click()
        page.get_by_role("button", name="Filters").tap()
        dialog = page.get_by_role("dialog", name="Filters")
        dialog.locator("label").filter(has_text="Fixed camera").first.tap()
        dialog.locator(".dialog-foot .primary").tap()
        expect(dialog).to_be_hidden()
        self.until(lambda: self.query(page).get("category") == "camera_fixed", "the filter")
        self.settled(page)
        self.assertEqual(
            self.count(page), self.farol().items(
                bbox=self.asked_box(page), category="camera_fixed")["numberMatched"])
