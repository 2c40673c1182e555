"""The query page: conditions, their text in CQL2, the number of devices, and the result in its four forms."""

import unittest
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import expect

from support.axe import violations
from support.case import BrowserTest
from support.chromium import NARROW


class QueryTests(BrowserTest):
    def query(self, filter="", **options):
        address = f"/query?filter={quote(filter)}" if filter else "/query"
        page = self.open(address + options.pop("more", ""), wait=False, **options)
        expect(page.locator(".query-count")).not_to_have_text("")
        return page

    def matching(self, filter):
        return self.farol().items(filter=filter, limit=1)["numberMatched"]

    def expect_count(self, page, filter):
        number = self.matching(filter)
        expect(page.locator(".query-count")).to_have_text(f"{number:,} device{'' if number == 1 else 's'}")
        return number

    def filter_of(self, page):
        return parse_qs(urlsplit(page.url).query).get("filter", [""])[0]

    def test_conditions_chosen_by_keyboard_become_text_number_and_table(self):
        page = self.query()
        page.get_by_role("button", name="Add a condition").press("Enter")
        row = page.get_by_role("group", name="Condition 1")
        expect(row.get_by_label("Property")).to_be_focused()
        row.get_by_label("Value", exact=True).select_option("camera_fixed")
        page.get_by_role("button", name="Add a condition").press("Enter")
        second = page.get_by_role("group", name="Condition 2")
        second.get_by_label("Property").select_option("name")
        second.get_by_label("Value", exact=True).press_sequentially("mar'ket")
        expected = "category IN ('camera_fixed') AND CASEI(name) LIKE CASEI('%mar''ket%')"
        expect(page.get_by_label("The query in CQL2")).to_have_value(expected)
        self.expect_count(page, expected)
        second.get_by_label("Value", exact=True).fill("market")
        expected = expected.replace("mar''ket", "market")
        number = self.expect_count(page, expected)
        self.assertGreater(number, 0)
        expect(page.locator(".query-table tbody tr")).to_have_count(number)
        self.assertEqual(self.filter_of(page), expected)
        page.get_by_text("at least one", exact=True).click()
        self.expect_count(page, expected.replace(" AND ", " OR "))

    def test_a_link_restores_conditions_and_a_removed_one_no_longer_counts(self):
        page = self.query("units >= 1 AND status IN ('reported')")
        rows = page.locator(".query-row")
        expect(rows).to_have_count(2)
        expect(rows.nth(0).get_by_label("Value", exact=True)).to_have_value("1")
        page.get_by_role("button", name="Remove Condition 1").click()
        self.expect_count(page, "status IN ('reported')")
        expect(page.get_by_label("The query in CQL2")).to_have_value("status IN ('reported')")

    def test_text_beyond_conditions_works_and_a_fault_is_told_where_it_is(self):
        page = self.query("NOT (category = 'camera_fixed') OR units > 3")
        expect(page.get_by_text("cannot be shown as a list of conditions")).to_be_visible()
        self.expect_count(page, "NOT (category = 'camera_fixed') OR units > 3")
        self.allowed_errors = (*self.allowed_errors, "status of 400")
        text = page.get_by_label("The query in CQL2")
        text.fill("units > AND")
        alert = page.locator(".query-form .complaint")
        expect(alert).to_contain_text("character")
        expect(text).to_have_attribute("aria-invalid", "true")
        expect(page.locator(".query-count")).to_have_text("No result")
        text.fill("")
        expect(alert).to_be_hidden()
        self.expect_count(page, "TRUE")

    def test_an_area_is_chosen_by_the_name_of_a_place(self):
        page = self.query("S_INTERSECTS(geometry, BBOX(1, 2, 3, 4))")
        field = page.get_by_role("combobox", name="Area")
        expect(field).to_have_value("Area around 3.000, 2.000")
        field.fill("Funchal")
        page.locator(".area-list [role=option]").first.click()
        expect(field).to_have_value("Funchal")
        expect(page.locator(".query-text")).not_to_have_value("S_INTERSECTS(geometry, BBOX(1, 2, 3, 4))")
        self.assertGreater(self.expect_count(page, page.locator(".query-text").input_value()), 0)

    def test_the_result_is_a_map_a_chart_and_text_for_programs(self):
        filter = "category IN ('camera_fixed', 'wifi_hotspot')"
        page = self.query(filter)
        page.locator(".query-looks").get_by_text("Map", exact=True).click()
        expect(page.locator(".query-map .embed-title")).to_contain_text("here")
        page.locator(".query-looks").get_by_text("Chart", exact=True).click()
        page.get_by_label("Devices by").select_option("status")
        expect(page.locator("#by-status .figure-details").first).to_be_visible()
        page.locator(".query-looks").get_by_text("Program", exact=True).click()
        expect(page.locator(".query-snippet")).to_have_count(5)
        self.assertEqual(parse_qs(urlsplit(page.url).query), {"filter": [filter], "look": ["code"], "by": ["status"]})

    def test_the_map_and_the_statistics_count_the_same_devices(self):
        filter = "CASEI(name) LIKE CASEI('%camera%') AND units IS NULL"
        page = self.query(filter)
        number = self.matching(filter)
        statistics = page.locator(".query-acts").get_by_role("link", name="Statistics").get_attribute("href")
        world = page.locator(".query-acts").get_by_role("link", name="Show on the map").get_attribute("href")
        page.goto(statistics)
        expect(page.locator(".whole-number")).to_have_text(f"{number:,}")
        chip = page.get_by_role("button", name="Remove the filter Query")
        expect(chip).to_be_visible()
        chip.click()
        expect(page.locator(".whole-number")).not_to_have_text(f"{number:,}")
        page.goto(f"{world}#map=3.00/36.0/-20.0")
        self.settled(page)
        self.assertEqual(self.filter_of(page), filter)
        self.assertEqual(self.count(page), number)

    def test_columns_are_chosen_and_stay_in_the_address(self):
        page = self.query("category IN ('camera_fixed')")
        page.get_by_text("Columns", exact=True).click()
        page.get_by_label("Manufacturer", exact=True).check()
        expect(page.locator(".query-table thead")).to_contain_text("Manufacturer")
        page.reload()
        expect(page.locator(".query-table thead")).to_contain_text("Manufacturer")

    def test_further_pages_are_loaded_without_losing_the_place(self):
        page = self.query()
        rows = page.locator(".query-table tbody tr")
        expect(rows).to_have_count(50)
        page.get_by_role("button", name="Load more").click()
        expect(rows).to_have_count(100)
        expect(rows.nth(50).locator("a")).to_be_focused()

    def test_it_meets_wcag_and_fits_320_pixels(self):
        filter = "category IN ('camera_fixed') AND units >= 1 AND data_collected IS NOT NULL"
        for look in ("table", "map", "chart", "code"):
            for theme in ("light", "dark"):
                with self.subTest(look, theme=theme):
                    page = self.query(filter, more=f"&look={look}", size=NARROW, theme=theme, language="pt")
                    page.wait_for_timeout(500)
                    self.assertEqual(violations(page), [])
                    self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)


if __name__ == "__main__":
    unittest.main()
