"""Scheduled imports: made from an import or a mapping, changed, run, paused and deleted."""

import json
import re

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW
from support.order import ModerationTest
from test_import_page import csv_list

# A name that no server has, so that a run fails without leaving the machine.
ADDRESS = "https://lists.farol.invalid/cameras.csv"


class ScheduleTests(ModerationTest):
    def opened(self, **options):
        page = self.administration("/imports", **options)
        expect(page.locator(".schedules [data-act=schedule]")).to_be_visible()
        return page

    def add(self, page, name, mapping="osm"):
        page.get_by_role("button", name="Add a scheduled import").click()
        expect(page.get_by_role("heading", name="Add a scheduled import")).to_be_focused()
        form = page.locator(".schedule-form")
        form.get_by_label("Name", exact=True).fill(name)
        form.get_by_label("Address of the list").fill(ADDRESS)
        form.get_by_label("Column mapping").select_option(mapping)
        form.get_by_role("button", name="Save").click()
        return self.row(page, name)

    def row(self, page, name):
        row = page.locator(".schedule").filter(has=page.get_by_role("heading", name=name, exact=True))
        expect(row).to_be_visible()
        return row

    def test_a_schedule_is_added_changed_paused_and_deleted(self):
        page = self.opened()
        row = self.add(page, "City cameras")
        expect(row).to_contain_text("Every week on Monday at 03:00 UTC")
        expect(row).to_contain_text("Reports to chief")
        expect(row).to_contain_text("Next run:")
        row.get_by_role("button", name="Edit").click()
        form = page.locator(".schedule-form")
        expect(form.get_by_label("Day of the month")).to_be_hidden()
        form.get_by_label("How often").select_option("month")
        expect(form.get_by_label("Day of the week")).to_be_hidden()
        form.get_by_label("Day of the month").select_option("28")
        form.get_by_label("Hour (UTC)").select_option("22")
        expect(form.get_by_label("Column mapping")).to_have_value("kept")
        form.get_by_role("button", name="Save").click()
        expect(row).to_contain_text("Every month on day 28 at 22:00 UTC")
        row.get_by_role("button", name="Pause").click()
        expect(row).to_contain_text("Paused")
        expect(row).not_to_contain_text("Next run:")
        row.get_by_role("button", name="Resume").click()
        expect(row).to_contain_text("Next run:")
        row.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        expect(row).to_be_visible()
        row.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(row).to_have_count(0)
        expect(page.locator("#schedules")).to_be_focused()

    def test_a_run_that_fails_says_why(self):
        page = self.opened()
        row = self.add(page, "Unreachable")
        row.get_by_role("button", name="Run now").click()
        expect(row.locator(".chip")).to_have_text("failed", timeout=60_000)
        expect(row.locator(".field-fault")).to_have_text(
            re.compile("There is no server with this name|did not answer in time"))
        expect(row).to_contain_text("1 failure in succession")

    def test_a_held_list_is_imported_after_a_confirmation(self):
        page = self.opened()
        self.add(page, "Held")

        def held(route):
            answer = route.fetch()
            if route.request.method != "GET":
                return route.fulfill(response=answer)
            body = answer.json()
            for one in body["schedules"]:
                if one["name"] == "Held":
                    one["last_run"] = {
                        "ran_at": "2026-11-21T03:00:00Z", "outcome": "held", "problem": "fewer_rows",
                        "sentence": "The new list has 3 rows. The last import had 40.", "import": 7}
            return route.fulfill(response=answer, json=body)

        page.route("**/api/admin/import-schedules", held)
        page.reload()
        row = self.row(page, "Held")
        expect(row).to_contain_text("The new list has 3 rows. The last import had 40.")
        expect(row.get_by_role("link", name="Report of the last run")).to_have_attribute("href", "/admin/imports/7")
        sent = []
        page.on("request", lambda request: sent.append(request.post_data) if request.url.endswith("/run") else None)
        row.get_by_role("button", name="Import anyway").click()
        page.get_by_role("dialog").get_by_role("button", name="Import anyway").click()
        expect(page.get_by_text("The run has started.")).to_be_visible()
        self.assertEqual([json.loads(text) for text in sent], [{"confirmed": True}])

    def test_the_wizard_ends_with_a_schedule_that_takes_over_its_mapping(self):
        page = self.administration("/imports/new")
        page.locator("#wizard-file").set_input_files(csv_list("Repeated"))
        page.get_by_label("Kind of all devices").select_option("camera_fixed")
        page.get_by_label("Licence of the list").fill("CC-BY-4.0")
        page.get_by_label("Address of the list").fill("https://example.org/cameras")
        page.get_by_role("button", name="Run test").click()
        page.get_by_role("button", name="Import", exact=True).click(timeout=60_000)
        page.get_by_role("link", name="Repeat this import from a URL").click(timeout=60_000)
        form = page.locator(".schedule-form")
        expect(form.get_by_label("Name", exact=True)).to_have_value("Repeated-cameras.csv")
        expect(page).to_have_url(re.compile("/admin/imports$"))
        form.get_by_label("Address of the list").fill(ADDRESS)
        with page.expect_request(lambda one: one.method == "POST" and one.url.endswith("/import-schedules")) as sent:
            form.get_by_role("button", name="Save").click()
        mapping = json.loads(sent.value.post_data)["mapping"]
        self.assertEqual(mapping["source"]["licence"], "CC-BY-4.0")
        self.assertIn("category", mapping["fields"])
        self.row(page, "Repeated-cameras.csv")
        # The page of the import leads to the same form.
        page.locator(".account-list li a").filter(has_text="Repeated-cameras.csv").click()
        page.get_by_role("link", name="Repeat this import from a URL").click(timeout=60_000)
        expect(form.get_by_label("Column mapping")).to_have_value("repeated")

    def test_wrong_choices_are_named_at_their_fields(self):
        page = self.opened()
        page.get_by_role("button", name="Add a scheduled import").click()
        form = page.locator(".schedule-form")
        form.get_by_label("Name", exact=True).fill("Wrong")
        form.get_by_label("Address of the list").fill("http://lists.example/cameras.csv")
        form.get_by_label("Column mapping").select_option("file")
        form.get_by_role("button", name="Save").click()
        expect(form.locator(".complaint").filter(has_text="must begin with https://")).to_be_visible()
        expect(form.locator(".complaint").filter(has_text="Choose a file first.")).to_be_visible()
        form.get_by_label("Another mapping file").set_input_files(
            {"name": "mapping.json", "mimeType": "application/json", "buffer": b"[]"})
        expect(form.locator(".complaint").filter(has_text="not a mapping file")).to_be_visible()
        # The server judges the content of the file.
        self.allowed_errors = (r"status of 422",)
        form.get_by_label("Address of the list").fill("https://127.0.0.1/cameras.csv")
        form.get_by_label("Another mapping file").set_input_files(
            {"name": "mapping.json", "mimeType": "application/json", "buffer": b'{"fields": {}}'})
        form.get_by_role("button", name="Save").click()
        expect(form.locator(".complaint").filter(has_text="a host name without port")).to_be_visible()
        expect(form.locator(".complaint").filter(has_text="The mapping is not valid")).to_be_visible()
        form.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Add a scheduled import")).to_be_focused()

    def test_a_schedule_is_paused_with_the_keyboard_and_keeps_the_focus(self):
        page = self.opened()
        row = self.add(page, "By keys")
        pause = row.get_by_role("button", name="Pause")
        pause.focus()
        page.keyboard.press("Enter")
        expect(row).to_contain_text("Paused")
        self.assertTrue(page.evaluate("() => document.activeElement.dataset.of?.length > 0"))

    def test_the_page_meets_wcag_and_fits_small_phones(self):
        found = []
        for language, words in (("en", "Add a scheduled import"), ("pt", "Acrescentar uma importação periódica")):
            page = self.opened(size=NARROW, language=language)
            page.get_by_role("button", name=words).click()
            expect(page.locator(".schedule-form form")).to_be_visible()
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                found += [f"{language} {theme}: {fault}" for fault in violations(page)]
            self.assertLessEqual(*page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]"))
        self.assertEqual(found, [])
