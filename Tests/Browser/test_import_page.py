"""The page of one import: file, source, mapping, counts, rows with notes, devices on a map, and undo."""

import json
import re

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW, PHONE
from support.order import ModerationTest

DESKTOP = {"width": 1440, "height": 900}
_made = []


def csv_list(prefix, rows=24):
    """A list with a flagged height and a row without a position."""
    lines = ["id;Name;Latitude;Longitude;Height"]
    lines += [f"{prefix}-{number};{prefix} camera {number};{41.1 + number / 100:.2f};{-8.6 + number / 50:.2f};3"
              for number in range(1, rows + 1)]
    lines.append(f"{prefix}-flag;{prefix} flagged camera;41.15;-8.61;very high")
    lines.append(f"{prefix}-none;{prefix} lost camera;;;3")
    return {"name": f"{prefix}-cameras.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}


class ImportPageTests(ModerationTest):
    def through_the_wizard(self, prefix, rows=24, **options):
        """A page that has just imported a list, at the end of the wizard."""
        page = self.administration("/imports/new", **options)
        page.locator("#wizard-file").set_input_files(csv_list(prefix, rows))
        page.get_by_label("Kind of all devices").select_option("camera_fixed")
        page.get_by_label("Licence of the list").fill("CC-BY-4.0")
        page.get_by_label("Address of the list").fill("https://example.org/cameras")
        page.get_by_role("button", name="Run test").click()
        page.get_by_role("button", name="Import", exact=True).click(timeout=60_000)
        expect(page.get_by_role("heading", name="Result of the import")).to_be_visible(timeout=60_000)
        return page

    def shared(self):
        """The number of an import that no test changes."""
        if not _made:
            page = self.through_the_wizard("Shared")
            page.get_by_role("link", name="Everything about this import").click()
            expect(page.locator("[data-part=mapping]")).to_be_visible(timeout=60_000)
            _made.append(int(page.url.rsplit("/", 1)[1]))
        return _made[0]

    def opened(self, number, **options):
        page = self.administration(f"/imports/{number}", **options)
        expect(page.locator("[data-part=mapping] table")).to_be_visible(timeout=60_000)
        return page

    def facts(self, page, part):
        pairs = page.locator(f"[data-part={part}] .facts > div").evaluate_all(
            "rows => rows.map((row) => [row.querySelector('dt').textContent, row.querySelector('dd').textContent])")
        return dict(pairs)

    def test_the_wizard_leads_to_the_page_of_the_import(self):
        page = self.through_the_wizard("Led")
        page.get_by_role("link", name="Everything about this import").click()
        expect(page).to_have_url(re.compile(r"/admin/imports/\d+$"))
        expect(page.locator(".import-page h2")).to_have_text("Led-cameras.csv")
        expect(page.get_by_role("link", name="Imports", exact=True)).to_have_attribute("aria-current", "true")

    def test_devices_that_a_newer_list_lacks_leave_the_map_and_return(self):
        self.through_the_wizard("Lacking")
        page = self.through_the_wizard("Lacking", rows=20)
        page.get_by_role("link", name="Everything about this import").click()
        part = page.locator("[data-part=gone]")
        expect(part.locator("summary")).to_have_text("No longer in the list: 4", timeout=60_000)
        for act, chips, words in [("withdraw", 4, "Withdrawn"), ("restore", 0, None), ("remove", 4, "Removed")]:
            part.locator(f"[data-act={act}]").click()
            page.locator("dialog[open] button").last.click()
            expect(part.locator(".chip")).to_have_count(chips, timeout=60_000)
            if words:
                expect(part.locator(".chip").first).to_have_text(words)
        self.assertEqual(violations(page), [])

    def test_file_source_and_counts_are_stated(self):
        page = self.opened(self.shared())
        facts = self.facts(page, "facts")
        self.assertEqual(facts["File"], "Shared-cameras.csv")
        self.assertRegex(facts["Size"], r"^1(\.\d)? kB$")
        self.assertEqual(facts["Imported by"], "chief")
        self.assertEqual(facts["Licence"], "CC-BY-4.0")
        expect(page.locator("[data-part=facts] a[href='https://example.org/cameras']")).to_be_visible()
        counts = self.facts(page, "counts")
        self.assertEqual([counts[name] for name in ("rows", "added", "flagged", "refused")], ["26", "25", "1", "1"])
        since = self.facts(page, "since")
        self.assertEqual(since["Devices on the map now"], "25")

    def test_the_mapping_is_shown_and_downloaded(self):
        page = self.opened(self.shared())
        mapping = page.locator("[data-part=mapping]")
        expect(mapping.locator("tr").filter(has_text="Kind of device")).to_contain_text("always “camera_fixed”")
        expect(mapping.locator("tr").filter(has_text="Height above ground").locator("code")).to_have_text("Height")
        mapping.get_by_text("Text of the mapping file").click()
        text = mapping.locator("pre")
        expect(text).to_contain_text('"licence": "CC-BY-4.0"')
        with page.expect_download() as download:
            page.get_by_role("button", name="Download the mapping file").click()
        self.assertEqual(download.value.suggested_filename, "shared-cameras.json")
        with open(download.value.path(), encoding="utf-8") as file:
            self.assertEqual(json.load(file), json.loads(text.inner_text()))

    def test_rows_have_their_reason_and_lead_to_their_device(self):
        page = self.opened(self.shared())
        rows = page.locator("[data-part=rows]")
        expect(rows.locator("tbody tr")).to_have_count(2)
        flagged = rows.locator("tbody tr").filter(has_text="flagged")
        expect(flagged.locator("th")).to_contain_text("25")
        expect(flagged).to_contain_text("Height")
        device = self.farol().device("Shared flagged camera")
        expect(flagged.get_by_role("link", name="Open the device of row 25")).to_have_attribute(
            "href", f"/devices/{device['id']}")
        rows.get_by_label("Show").select_option("refused")
        expect(rows.locator("tbody tr")).to_have_count(1)
        expect(rows.locator("tbody tr")).to_contain_text("The row has no coordinates.")
        expect(rows.locator("tbody a")).to_have_count(0)
        expect(rows).to_contain_text("1 of 1")

    def test_the_devices_are_on_a_small_map_and_in_a_list(self):
        page = self.opened(self.shared())
        devices = page.locator("[data-part=devices]")
        canvas = devices.get_by_role("group", name="Map of the devices of this import").locator("canvas")
        expect(canvas).to_be_visible()
        expect(devices).to_contain_text("Flagged: 1")
        devices.locator("summary").filter(has_text="List of the devices").click()
        expect(devices.locator("tbody tr")).to_have_count(20)
        expect(devices).to_contain_text("20 of 25")
        devices.get_by_role("button", name="Show more").focus()
        page.keyboard.press("Enter")
        expect(devices.locator("tbody tr")).to_have_count(25)
        expect(devices.locator("tbody tr").nth(20).locator("a")).to_be_focused()
        expect(devices.locator("tbody tr").filter(has_text="Shared flagged camera")).to_contain_text("added · flagged")

    def test_a_point_of_the_small_map_names_its_device(self):
        page = self.through_the_wizard("Point")
        page.get_by_role("link", name="Everything about this import").click()
        area = page.locator(".wizard-map")
        expect(area.locator("canvas")).to_be_visible(timeout=60_000)
        area.scroll_into_view_if_needed()
        # Points lie on a line; the map finds one of them.
        chosen = page.locator(".import-chosen")
        box = area.bounding_box()

        def pointed():
            for share in range(2, 98, 2):
                x, y = box["x"] + box["width"] * share / 100, box["y"] + box["height"] * (1 - share / 100)
                page.mouse.click(x, y)
                if chosen.inner_text():
                    return True
            return False

        self.until(pointed, "a point of the map that can be chosen")
        expect(chosen.locator("a")).to_have_attribute("href", re.compile(r"^/devices/[0-9a-f-]{36}$"))
        expect(chosen).to_contain_text("added")

    def test_an_import_is_undone_with_the_keyboard_after_a_question(self):
        page = self.through_the_wizard("Undone", size=NARROW)
        page.get_by_role("link", name="Everything about this import").click()
        expect(page.locator("[data-part=since]")).to_be_visible(timeout=60_000)
        changed = self.farol().device("Undone camera 3")["id"]
        with self.farol().database() as database:
            database.execute(
                "INSERT INTO revision (device_rowid, number, kind, made_at) "
                "SELECT rowid, 2, 'edit', '2026-11-26T10:00:00Z' FROM device WHERE id = ?", (changed,))
            database.execute("UPDATE device SET revision = 2 WHERE id = ?", (changed,))
        page.reload()
        expect(page.locator("[data-part=since]")).to_be_visible(timeout=60_000)
        self.assertEqual(self.facts(page, "since")["Of these, changed by people since"], "1")
        page.locator("[data-act=undo]").focus()
        page.keyboard.press("Enter")
        question = page.get_by_role("dialog")
        expect(question).to_contain_text("24 devices leave the map.")
        expect(question).to_contain_text("What people have changed on 1 device since remains.")
        page.keyboard.press("Escape")
        expect(page.locator("[data-act=undo]")).to_be_focused()
        self.assertEqual(self.facts(page, "since")["Devices on the map now"], "25")
        page.keyboard.press("Enter")
        question.get_by_label("Reason").fill("The wrong list")
        question.get_by_role("button", name="Undo the import").click()
        since = page.locator("[data-part=since]")
        expect(since).to_contain_text("24 devices left the map.", timeout=60_000)
        expect(since).to_contain_text("1 device stayed, because people have changed it.")
        expect(since).to_contain_text("The wrong list")
        expect(since.get_by_role("link", name="chief")).to_be_visible()
        expect(page.locator(".import-state .chip")).to_have_text("undone")
        expect(page.locator(".import-page h2")).to_be_focused()
        expect(page.locator("[data-act=undo]")).to_have_count(0)

    def test_a_test_has_a_page_without_undo_and_without_a_map(self):
        page = self.administration("/imports/new")
        page.locator("#wizard-file").set_input_files(csv_list("Trial"))
        page.get_by_label("Kind of all devices").select_option("camera_fixed")
        page.get_by_label("Licence of the list").fill("CC-BY-4.0")
        page.get_by_role("button", name="Run test").click()
        with page.expect_popup() as opened:
            page.get_by_role("link", name="Everything about this import").click(timeout=60_000)
        trial = opened.value
        expect(trial.locator("[data-part=mapping] table")).to_be_visible(timeout=60_000)
        expect(trial.locator(".import-state")).to_contain_text("Test only: nothing was changed.")
        expect(trial.locator("[data-part=devices], [data-act=undo]")).to_have_count(0)
        expect(trial.locator("[data-part=rows] tbody a")).to_have_count(0)

    def test_the_list_of_imports_leads_to_their_pages(self):
        number = self.shared()
        page = self.administration("/imports")
        page.locator(f".account-list a[href='/admin/imports/{number}']").click()
        expect(page.locator(".import-page h2")).to_have_text("Shared-cameras.csv")

    def test_an_import_that_does_not_exist_says_so(self):
        self.allowed_errors = (r"status of 404",)
        page = self.administration("/imports/999999")
        expect(page.locator(".import-state .field-fault")).not_to_be_empty()

    def test_the_page_meets_wcag_and_fits_from_320_to_1440_pixels(self):
        number = self.shared()
        found = []
        for language in ("en", "pt"):
            for name, size in (("320", NARROW), ("390", PHONE), ("1440", DESKTOP)):
                page = self.opened(number, size=size, language=language)
                # The credits of the map come later.
                for summary in page.locator("[data-part] details:not(.credits) > summary").all():
                    summary.click()
                expect(page.locator("[data-part=devices] tbody tr").first).to_be_visible()
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    found += [f"{language} {name} {theme}: {fault}" for fault in violations(page)]
                self.assertLessEqual(*page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]"))
        self.assertEqual(found, [])
