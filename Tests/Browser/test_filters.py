"""Filters: one state for the map, the list and the address."""

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

        self.waits_for_title(page, "^2 devices in view$")
        self.assertEqual(self.names(page), ["Market hall camera", "Market door camera"])
        self.assertEqual(self.query(page)["category"], "camera_fixed")
        self.settled(page)
        self.until(lambda: MapProbe(page).total() == 2, "two devices on the map")
        self.assertGreater(before, 2)

        page.locator(".active-filters").get_by_role("button", name="Remove the filter Fixed camera").click()
        self.waits_for_title(page, f"^{before} devices in view$")
        self.assertNotIn("category", self.query(page))
        self.settled(page)
        self.until(lambda: MapProbe(page).total() == before, "all devices on the map")

    def test_two_values_of_a_filter_widen_and_two_filters_narrow(self):
        page = self.open(FUNCHAL)
        dialog = self.open_filters(page)
        self.tick(dialog, "What it is", "Webcam")
        self.waits_for_title(page, "^1 device in view$")
        self.tick(dialog, "What it is", "Fixed camera")
        self.waits_for_title(page, "^3 devices in view$")
        self.tick(dialog, "What it collects", "Video")
        self.waits_for_title(page, "^2 devices in view$")
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
                expect(page.locator("#list-title")).to_contain_text(f"{expected} device")
                dialog.get_by_role("button", name="Reset all").click()
                self.until(lambda: field not in self.query(page), "the reset")
        self.waits_for_title(page, f"^{self.farol().items(bbox=box)['numberMatched']} devices")

    def test_reset_removes_all_filters(self):
        page = self.open("/?category=webcam&operator_kind=company&q=vista" + MARKET[1:].replace("17.00", "14.00"))
        self.waits_for_title(page, "^1 device in view$")
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


class PhoneFilterTests(PhoneTest):
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
