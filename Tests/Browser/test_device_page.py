"""The page of one device: known values, unknown values, and devices that do not exist."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import BrowserTest
from support.chromium import PHONE


class DevicePageTests(BrowserTest):
    def open_device(self, name, **options):
        device = self.farol().device(name)
        page = self.open(f"/devices/{device['id']}", **options)
        expect(page.locator("h1")).to_have_text(name)
        return page

    def fact(self, page, section, term):
        part = page.locator("section").filter(has=page.get_by_role("heading", name=section, exact=True))
        row = part.locator("dl > div").filter(has=page.get_by_text(term, exact=True))
        return row.locator("dd")

    def test_shows_known_values(self):
        page = self.open_device("Market hall camera")
        expect(self.fact(page, "What it collects", "Data collected")).to_contain_text("Video")
        expect(self.fact(page, "Operator", "Name")).to_have_text("Câmara Municipal do Funchal")
        expect(self.fact(page, "Operator", "Kind")).to_contain_text("Public body")
        expect(self.fact(page, "Where it is", "Setting")).to_contain_text("Indoor")
        expect(self.fact(page, "Where it is", "Height")).to_have_text("4 m")
        expect(self.fact(page, "Where it is", "Faces")).to_contain_text("120° (south-east)")
        expect(self.fact(page, "The device itself", "Manufacturer")).to_have_text("Axis")
        expect(self.fact(page, "The device itself", "Units")).to_have_text("2")
        expect(self.fact(page, "About this record", "Licence")).to_contain_text("CC0")
        expect(page.locator("main")).to_contain_text("Looks over the fish stalls")

    def test_unknown_values_are_folded_behind_their_number_with_one_button(self):
        page = self.open_device("Something on the corner")
        part = page.locator(".unknown-facts")
        rows = part.locator("li")
        expect(rows.first).to_be_hidden()
        part.locator("summary").click()
        for term in ("Is there a notice?", "How long it is kept", "Legal basis claimed", "Height", "Manufacturer"):
            with self.subTest(term):
                expect(rows.filter(has_text=term)).to_be_visible()
        expect(part.locator("summary")).to_have_text(f"{rows.count()} details that are not recorded yet")
        part.get_by_role("link", name="Add what you know").click()
        expect(page.locator("h1")).to_have_text("Correct this device")

    def test_what_a_reader_can_do_comes_before_what_is_unknown(self):
        page = self.open_device("Something on the corner")
        headings = page.locator(".device-sections h2")
        expect(headings.filter(has_text="What you can do")).to_be_visible()
        order = headings.all_inner_texts()
        self.assertLess(order.index("What you can do"), order.index("Not recorded yet"))
        self.assertEqual(order[-1], "About this record")

    def test_unknown_values_are_never_shown_as_no(self):
        page = self.open_device("Something on the corner")
        values = [text.strip() for text in page.locator("main dd").all_inner_texts()]
        self.assertNotIn("No", values)
        self.assertNotIn("null", values)
        self.assertNotIn("", values)

    def test_marks_assumed_values(self):
        device = self.farol().get(
            f"/api/collections/devices/items/{self.farol().device('Market hall camera')['id']}")
        assumed = device["properties"].get("assumed") or []
        page = self.open_device("Market hall camera")
        self.assertEqual(page.locator("button.assumed").count() > 0, bool(assumed))

    def test_a_household_device_shows_only_an_area(self):
        page = self.open_device("Doorbell of a house")
        expect(page.locator("main")).to_contain_text("The circle covers the whole area")
        expect(self.fact(page, "Operator", "Kind")).to_contain_text("Private household")

    def test_says_who_runs_it_and_where_it_is_before_the_actions(self):
        page = self.open_device("Market hall camera")
        head = page.locator(".device-words")
        expect(head.locator(".device-operator")).to_have_text("Operator: Câmara Municipal do Funchal")
        expect(head.locator(".device-town")).to_contain_text("Madeira, Portugal")
        page = self.open_device("Something on the corner")
        page.locator(".device-operator").get_by_role("link", name="Do you know?").click()
        page.wait_for_url("**/edit?field=operator")

    def test_nobody_asks_who_runs_a_household(self):
        page = self.open_device("Doorbell of a house")
        expect(page.locator(".device-town")).to_be_visible()
        expect(page.locator(".device-operator")).to_have_count(0)

    def test_a_phone_shows_one_action_and_the_others_after_a_tap(self):
        page = self.open_device("Market hall camera", size=PHONE)
        acts = page.locator(".device-acts .button:visible")
        expect(acts).to_have_count(2)
        expect(acts.first).to_have_text("Show on the map")
        more = page.get_by_role("button", name="More actions")
        more.click()
        expect(more).to_have_attribute("aria-expanded", "true")
        for name in ("Correct it", "History"):
            expect(page.get_by_role("link", name=name)).to_be_visible()
        expect(page.get_by_role("button", name="Report a problem")).to_be_visible()
        page.keyboard.press("Escape")
        expect(more).to_be_focused()
        expect(acts).to_have_count(2)
        more.click()
        page.locator("h1").click()
        expect(acts).to_have_count(2)

    def test_claims_without_an_answer_are_one_line(self):
        page = self.open_device("Something on the corner")
        line = page.locator(".claims-none > summary")
        expect(line).to_have_text("Nobody has confirmed or disputed its 4 claims yet")
        expect(page.locator("#claim-present")).to_be_hidden()
        line.click()
        expect(page.locator("#claim-present")).to_be_visible()

    def test_the_history_and_the_edit_page_call_it_as_the_page_does(self):
        device = next(device for device in self.farol().items(limit=500)["features"]
                      if device["properties"]["name"].startswith("Traffic counter in a window"))
        page = self.open(f"/devices/{device['id']}", language="pt")
        expect(page.locator("h1")).not_to_have_text(re.compile("^Traffic counter"))
        name = page.locator("h1").inner_text()
        for part in ("history", "edit"):
            page.goto(f"/devices/{device['id']}/{part}")
            expect(page.locator(".edit-title .lead")).to_have_text(name)

    def test_the_back_link_leads_to_the_device_on_the_map(self):
        page = self.open_device("Market hall camera")
        page.get_by_role("link", name="Show on the map").click()
        self.settled(page)
        expect(page.locator("#card h2")).to_have_text("Market hall camera")
        self.assertEqual(urlsplit(self.address(page)).path, "/")

    def test_a_device_that_never_existed_has_a_page_that_says_so(self):
        self.allowed_errors = (r"status of 404",)
        for path in ("/devices/01900000-0000-7000-8000-000000000000", "/devices/not-an-id"):
            with self.subTest(path):
                page = self.new_page()
                answer = page.goto(path)
                self.assertEqual(answer.status, 404)
                expect(page.locator("h1")).to_be_visible()
                expect(page.locator("main")).not_to_contain_text("undefined")
                page.get_by_role("link", name="Go to the map and search").click()
                self.settled(page)

    def test_its_text_is_complete_without_scripts(self):
        device = self.farol().device("Market hall camera")
        page = self.open(f"/devices/{device['id']}", java_script_enabled=False)
        expect(page.locator("main")).to_contain_text("Market hall camera")
        self.assertIn("Market hall camera", page.title())
