"""The history of a device: authors, changes and reasons, a comparison of two versions, and restoring one."""

import re

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW
from support.keeping import ITEMS, WritingTest


class HistoryTests(WritingTest):
    def three_versions(self):
        device = self.add_device(name="Gate camera", model="A")
        self.change(device, "jorge", "It was renamed", name="North gate camera")
        _, headers, feature = self.known("maria").send("GET", f"{ITEMS}/{device}")
        longitude, latitude = feature["geometry"]["coordinates"]
        self.known("maria").send("PATCH", f"{ITEMS}/{device}", {
            "geometry": {"type": "Point", "coordinates": [longitude + 0.002, latitude]}, "properties": {"model": None}},
            {"Content-Type": "application/merge-patch+json", "If-Match": headers["ETag"]}, expect=200)
        return device

    def open_history(self, device, username=None, query="", **options):
        page = self.page_of(username, **options)
        page.goto(f"/devices/{device}/history{query}")
        expect(page.locator(".revisions")).to_be_visible()
        return page

    def test_a_short_history_has_no_holes(self):
        page = self.open_history(self.add_device(name="Young camera"))
        edges = page.evaluate("""() => [...document.querySelectorAll('main > *, .history-list > *')]
          .filter((one) => one.getClientRects().length)
          .map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])""")
        title, rest = edges[0], edges[1:]
        self.assertLess(min(top for top, _ in rest) - title[1], 40)
        parts = rest[1:]
        for (_, bottom), (top, _) in zip(parts, parts[1:]):
            self.assertLess(top - bottom, 40)

    def test_shows_author_change_date_and_reason(self):
        page = self.open_history(self.three_versions())
        expect(page.locator("#history-all")).to_have_text("3 versions")
        second = page.locator("#revision-2")
        expect(second).to_contain_text("edited")
        expect(second.get_by_role("link", name="jorge")).to_have_attribute("href", "/people/jorge")
        expect(second.locator("blockquote")).to_have_text("It was renamed")
        expect(second).to_contain_text("Changed: Name")
        expect(page.locator("#revision-3")).to_contain_text("Changed: Place and Model")
        expect(page.locator("#revision-3")).to_contain_text("current")
        expect(page.locator("#revision-1")).to_contain_text("added")

    def test_two_versions_are_compared_in_words_and_on_a_map(self):
        device = self.three_versions()
        page = self.open_history(device)
        page.get_by_label("Version", exact=True).select_option("1")
        page.get_by_label("with version").select_option("3")
        page.get_by_role("button", name="Compare").click()
        expect(page.locator("#versions-title")).to_be_focused()
        table = page.get_by_role("table")
        rows = {row.locator("th").inner_text().split("\n")[0]: row.locator("td").all_inner_texts()
                for row in table.locator("tr.is-different").all()}
        self.assertEqual(
            rows["Name (differs)"] if "Name (differs)" in rows else rows["Name"], ["Gate camera", "North gate camera"])
        self.assertEqual(next(cells for name, cells in rows.items() if name.startswith("Model")), ["A", "Unknown"])
        expect(page.locator(".movement")).to_contain_text("195 m, towards east")
        expect(page.locator(".movement-mark")).to_have_count(2)
        self.assertEqual(self.query(page), {"from": "1", "to": "3"})
        self.assertEqual(len(rows), 3)
        page.get_by_label("Also show identical fields").check()
        expect(table.locator("tbody tr th[scope=row]").filter(has_text="Setting")).to_be_visible()

    def test_an_address_opens_a_comparison_and_back_closes_it(self):
        device = self.three_versions()
        page = self.open_history(device, query="?from=2&to=3")
        expect(page.locator("#versions-title")).to_have_text("Version 2 and version 3")
        page.locator("#revision-2").get_by_role("link", name=re.compile("^What changed")).click()
        expect(page.locator("#versions-title")).to_have_text("Version 1 and version 2")
        page.go_back()
        expect(page.locator("#versions-title")).to_have_text("Version 2 and version 3")

    def test_an_old_version_is_restored_with_a_reason_as_a_new_version(self):
        device = self.three_versions()
        page = self.open_history(device, "jorge")
        page.locator("#restore-1").click()
        dialog = page.get_by_role("dialog", name="Restore version 1?")
        dialog.get_by_role("textbox").fill("The new name was a joke")
        dialog.get_by_role("button", name="Restore").click()
        expect(page.locator("#revision-4")).to_contain_text("restored")
        expect(page.locator("#revision-4")).to_be_focused()
        expect(page.locator("#revision-4 blockquote")).to_have_text("The new name was a joke")
        self.assertEqual((self.said(device, "name"), self.said(device, "model")), ("Gate camera", "A"))
        first = self.farol().get(f"{ITEMS}/{device}/history/1")["feature"]
        self.assertEqual(self.device(device)["geometry"], first["geometry"])

    def test_restoring_over_a_change_by_another_user_asks_again(self):
        self.allowed_errors = (r"status of 412",)
        device = self.three_versions()
        page = self.open_history(device, "jorge")
        page.locator("#restore-1").click()
        self.change(device, "maria", name="South gate camera")
        dialog = page.get_by_role("dialog", name="Restore version 1?")
        dialog.get_by_role("textbox").fill("My reason")
        dialog.get_by_role("button", name="Restore").click()
        expect(dialog).to_contain_text("Another person has changed the device in the meantime")
        expect(dialog.get_by_role("textbox")).to_have_value("My reason")
        self.assertEqual(self.said(device, "name"), "South gate camera")
        expect(page.locator("#revision-4")).to_be_attached()
        dialog.get_by_role("button", name="Restore").click()
        expect(page.locator("#revision-5")).to_contain_text("restored")

    def test_the_history_of_an_imprecise_device_shows_public_places_only(self):
        device = self.add_device(precision="1km", place=[25.1234, -31.4321])
        before = self.device(device)["geometry"]["coordinates"]
        _, headers, _ = self.known("maria").send("GET", f"{ITEMS}/{device}")
        self.known("maria").send("PATCH", f"{ITEMS}/{device}", {
            "geometry": {"type": "Point", "coordinates": [25.2234, -31.4321]}, "properties": {}},
            {"Content-Type": "application/merge-patch+json", "If-Match": headers["ETag"]}, expect=200)
        after = self.device(device)["geometry"]["coordinates"]
        page = self.open_history(device, query="?from=1&to=2")
        expect(page.locator(".versions-table")).to_contain_text(f"{before[1]:.5f}, {before[0]:.5f}")
        expect(page.locator(".versions-table")).to_contain_text(f"{after[1]:.5f}, {after[0]:.5f}")
        self.assertNotIn("25.1234", page.content())

    def test_meets_wcag_and_fits_a_small_phone(self):
        device = self.three_versions()
        found = []
        for language in ("en", "pt"):
            page = self.open_history(device, "jorge", query="?from=1&to=3", size=NARROW, language=language)
            expect(page.locator(".versions")).to_be_visible()
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                found += [f"{language} {theme}: {fault}" for fault in violations(page)]
            self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)
        self.assertEqual(found, [])
