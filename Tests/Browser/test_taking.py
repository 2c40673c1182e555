"""Downloading the data from the map and from the about page."""

import csv
import io
import json
import re
import zipfile

from playwright.sync_api import expect

from support.acts import unfold
from support.case import FUNCHAL, BrowserTest


class TakingTests(BrowserTest):
    allowed_errors = (r"503",)

    def open_dialog(self, page):
        unfold(page, page.locator(".take-open").first).click()
        dialog = page.get_by_role("dialog", name="Download data")
        expect(dialog).to_be_visible()
        return dialog

    def taken(self, page, dialog):
        with page.expect_download() as download:
            dialog.get_by_role("button", name="Start download").click()
        with open(download.value.path(), "rb") as file:
            return download.value.suggested_filename, file.read()

    def test_downloads_the_filtered_map_as_a_table(self):
        page = self.open("/?category=camera_fixed" + FUNCHAL[FUNCHAL.index("#"):])
        names = self.names(page)
        dialog = self.open_dialog(page)
        expect(dialog.get_by_text(f"{len(names)} devices", exact=True)).to_be_visible()
        name, content = self.taken(page, dialog)
        self.assertRegex(name, r"^devices-\d{4}-\d\d-\d\d\.csv$")
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
        self.assertEqual(sorted(row["name"] for row in rows), sorted(names))
        self.assertTrue(all(row["licence"] for row in rows))
        expect(dialog.get_by_text(f"Done: {len(names)} devices in {name}.")).to_be_visible()
        self.assertEqual(dialog.get_by_role("progressbar").evaluate("bar => bar.value / bar.max"), 1)

    def test_downloads_everything_as_geojson_by_keyboard(self):
        page = self.open(FUNCHAL)
        dialog = self.open_dialog(page)
        dialog.get_by_role("radio", name="In the visible part of the map").focus()
        page.keyboard.press("ArrowDown")
        expect(dialog.get_by_role("radio", name="Everywhere")).to_be_checked()
        dialog.get_by_role("radio", name=re.compile(r"^Table \(CSV\)")).focus()
        page.keyboard.press("ArrowDown")
        expect(dialog.get_by_role("radio", name="Table for Excel (CSV)")).to_be_checked()
        page.keyboard.press("ArrowDown")
        expect(dialog.get_by_role("radio", name="Spreadsheet (XLSX)")).to_be_checked()
        page.keyboard.press("ArrowDown")
        total = self.farol().items()["numberMatched"]
        expect(dialog.locator(".take-count")).to_have_text(f"{total:,} devices")
        name, content = self.taken(page, dialog)
        self.assertTrue(name.endswith(".geojson"), name)
        self.assertEqual(len(json.loads(content)["features"]), total)
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(page.get_by_role("button", name="Download data")).to_be_focused()

    def test_downloads_the_map_as_a_spreadsheet(self):
        page = self.open(FUNCHAL)
        names = self.names(page)
        dialog = self.open_dialog(page)
        dialog.get_by_text("Spreadsheet (XLSX)").click()
        name, content = self.taken(page, dialog)
        self.assertTrue(name.endswith(".xlsx"), name)
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            sheet = file.read("xl/worksheets/sheet1.xml").decode()
        self.assertEqual(sheet.count("<row "), len(names) + 1)

    def test_the_address_of_the_file_can_be_copied(self):
        page = self.open(FUNCHAL)
        dialog = self.open_dialog(page)
        dialog.get_by_text("GeoPackage").click()
        href = dialog.get_by_role("link", name="Address of this file").get_attribute("href")
        self.assertRegex(href, r"^/api/exports/devices\.gpkg\?bbox=")

    def test_a_file_that_cannot_be_created_shows_an_error(self):
        page = self.open(FUNCHAL)
        page.route("**/api/exports/**", lambda route: route.fulfill(
            status=503, content_type="application/problem+json",
            body=json.dumps({"status": 503, "detail": "The server is busy."})))
        dialog = self.open_dialog(page)
        dialog.get_by_role("button", name="Start download").click()
        expect(dialog.get_by_text("The server is busy.")).to_be_visible()
        expect(dialog.get_by_role("button", name="Start download")).to_be_visible()

    def test_the_about_page_opens_the_download_too(self):
        page = self.open("/about", wait=False)
        dialog = self.open_dialog(page)
        expect(dialog.get_by_role("radio", name="Everywhere")).to_have_count(0)
        name, _ = self.taken(page, dialog)
        self.assertTrue(name.endswith(".csv"), name)
