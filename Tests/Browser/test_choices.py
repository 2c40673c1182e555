"""Choices: options for a device, a letter, a ledger in the browser, and moving it into an account."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW, PHONE
from support.keeping import WritingTest, known


def see_rights(page, device):
    """Opens the rights on the page of a device. If the record has no country, the reader selects it."""
    page.goto(f"/devices/{device}")
    expect(page.locator("#want-country, .right").first).to_be_visible()
    if page.locator("#want-country").count():
        page.locator("#want-country").select_option("PT")
    expect(page.locator(".right").first).to_be_visible()


class ChoiceTest(WritingTest):
    _placed = 0

    def add_device_in_portugal(self, **properties):
        ChoiceTest._placed += 1
        return self.add_device(place=[-8.5 + ChoiceTest._placed * 0.01, 39.0], **{
            "operator": {"name": "Exemplo, Lda.", "kind": "company", "contact": "privacy@farol.example"}} | properties)

    def want(self, page, device, right="access"):
        """Starts the exercise of a right on the page of a device, which opens the page of the choice."""
        see_rights(page, device)
        page.locator(f"#want-right-{right}").click()
        page.wait_for_url("**/choices/*")
        expect(page.locator(".letter-body")).not_to_be_empty()

    def say(self, page, event, **values):
        page.locator(".acts").get_by_role("button", name=event, exact=True).click()
        form = page.locator(".acts form")
        for name, value in values.items():
            field = form.locator(f"[name={name}]")
            field.select_option(value) if name in ("reason", "channel") else field.fill(value)
        form.locator("button[type=submit]").click()


class VisitorTests(ChoiceTest):
    def test_a_visitor_starts_writes_sends_and_is_refused(self):
        page = self.page_of()
        self.want(page, self.add_device_in_portugal(name="Camera of the market hall"))
        expect(page.locator(".letter-shown [role=status]")).to_have_text("Still missing: your name")
        page.get_by_label("Your name").fill("A. Person")
        expect(page.locator(".letter-body")).to_contain_text("A. Person")
        mail = page.locator(".letter-ways a[href^=mailto]")
        self.assertIn("privacy@farol.example", mail.get_attribute("href"))
        self.assertIn("A.%20Person", mail.get_attribute("href"))
        self.say(page, "I sent it")
        expect(page.locator("#now-title")).to_have_text("Waiting for an answer")
        expect(page.locator("#now")).to_be_focused()
        self.say(page, "Operator refused", reason="no_data", note="Nothing, they say.")
        expect(page.locator("#now-title")).to_have_text("The operator refused")
        expect(page.locator(".letter-subject")).to_contain_text("recusado")
        expect(page.locator(".letter-meaning-subject")).to_contain_text("refused")
        expect(page.locator(".letter-address")).to_contain_text("CNPD")
        page.goto("/choices")
        expect(page.locator(".ledger-row")).to_contain_text("Camera of the market hall")
        asked = [url for url in self.witness.requests if "/api/choices" in url]
        self.assertEqual(asked, [], "a visitor's ledger is nobody's business")

    def test_a_letter_in_the_language_of_the_authority_has_its_translation_beside_it(self):
        page = self.page_of()
        self.want(page, self.add_device(place=[6.63, 46.52], name="Camera at the station"))
        expect(page.locator(".letter-body")).to_have_attribute("id", "letter-body")
        expect(page.locator(".letter-body")).to_contain_text("Madame, Monsieur,")
        expect(page.locator(".letter-meaning")).to_contain_text("Dear Sir or Madam,")
        languages = page.get_by_label("Language of the letter")
        self.assertEqual(languages.locator("option").all_inner_texts(),
                         ["German", "French", "Italian", "English", "Portuguese"])
        page.get_by_label("Your name").fill("A. Person")
        page.keyboard.press("Tab")
        for part in (".letter-body", ".letter-meaning"):
            expect(page.locator(part)).to_contain_text("A. Person")
        languages.select_option("en")
        expect(page.locator(".letter-body")).to_contain_text("Dear Sir or Madam,")
        expect(page.locator(".letter-meaning")).to_have_count(0)
        page.reload()
        expect(page.locator(".letter-body")).to_contain_text("Dear Sir or Madam,")
        page.get_by_role("link", name="Print for the post").click()
        expect(page.locator(".print-letter")).to_have_attribute("lang", "en")

    def test_near_a_border_the_reader_chooses_the_country(self):
        page = self.page_of()
        device = self.add_device(place=[8.7509, 47.6908], name="Camera at the customs office")
        page.goto(f"/devices/{device}")
        countries = page.locator(".legal-place")
        expect(countries).to_contain_text("near the border between Germany and Switzerland")
        expect(page.locator("#want-country-DE")).to_be_checked()
        expect(page.locator("#can-law")).to_have_text("Your legal rights: GDPR, Germany")
        page.locator("#want-country-DE").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#can-law")).to_have_text("Your legal rights: FADP, Switzerland")
        expect(page.locator("#want-country-CH")).to_be_focused()
        page.locator("#want-right-access").click()
        page.wait_for_url("**/choices/*")
        expect(page.locator(".letter-body")).to_contain_text("Ort: bei Diessenhofen, Schweiz")
        expect(page.locator(".letter-meaning")).to_contain_text("Place: near Diessenhofen, Switzerland")

    def test_without_a_contact_the_page_names_next_steps(self):
        page = self.page_of()
        self.want(page, self.add_device(place=[7.10, 46.80], name="Camera without an operator"))
        steps = page.locator(".next-steps li")
        expect(steps).to_have_count(4)
        expect(steps.first).to_contain_text("Look for a sign.")
        expect(page.locator(".next-steps a[href='https://www.zefix.ch/']")).to_be_visible()
        expect(page.locator(".next-steps")).to_contain_text("Datenschutz- und Öffentlichkeitsbeauftragter")
        expect(page.get_by_role("link", name="Add it to the device")).to_be_visible()

    def test_in_the_united_states_the_rights_depend_on_the_operator_and_the_state(self):
        page = self.page_of()
        device = self.add_device(place=[-119.75, 36.8], name="Reader at the crossing", category="alpr")
        page.goto(f"/devices/{device}")
        expect(page.locator("#can-law")).to_have_text("Your legal rights: law of California, United States")
        expect(page.locator(".rights-for")).to_have_text(
            ["If a public body operates it, such as the police", "If a company operates it"])
        expect(page.locator(".can")).to_contain_text("has not been checked by a lawyer yet")
        expect(page.locator("#want-region")).to_have_count(0)
        page.locator("#want-right-records").click()
        page.wait_for_url("**/choices/*")
        expect(page.locator(".letter-body")).to_contain_text("Under the California Public Records Act")
        page.goto(f"/devices/{self.add_device(place=[-96.53, 33.80], name='Reader at the bridge')}")
        expect(page.locator("#want-region")).to_be_visible()
        page.locator("#want-region").select_option("US-OK")
        expect(page.locator("#can-law")).to_have_text("Your legal rights: law of Oklahoma, United States")
        page.locator("#want-right-records").click()
        page.wait_for_url("**/choices/*")
        expect(page.locator(".letter-body")).to_contain_text("Under the Oklahoma Open Records Act")

    def test_no_response_is_overdue_and_the_complaint_is_ready(self):
        page = self.page_of()
        self.want(page, self.add_device_in_portugal())
        page.get_by_label("Your name").fill("A. Person")
        self.say(page, "I sent it")
        expect(page.locator("#now-title")).to_have_text("Waiting for an answer")
        address = page.url
        page.clock.set_fixed_time("2040-01-10T10:00:00Z")
        page.goto(address)
        expect(page.locator("#now-title")).to_have_text("No answer in time")
        expect(page.locator(".letter-part .segments label")).to_have_count(3)
        page.goto("/choices")
        expect(page.locator(".group-due .choice-state")).to_have_text("Overdue")

    def test_a_saved_ledger_is_restored_unchanged_in_another_browser(self):
        page = self.page_of()
        self.want(page, self.add_device_in_portugal())
        self.say(page, "I sent it", note="By hand.")
        page.goto("/choices")
        with page.expect_download() as caught:
            page.get_by_role("button", name="Save to a file").click()
        saved = caught.value.path()
        other = self.page_of()
        other.goto("/choices")
        other.locator("#ledger-file").set_input_files(saved)
        expect(other.locator(".ledger-row")).to_have_count(1)
        with other.expect_download() as caught:
            other.get_by_role("button", name="Save to a file").click()
        first, second = (json.loads(Path(path).read_text())["choices"] for path in (saved, caught.value.path()))
        self.assertEqual(first, second)

    def test_the_page_says_so_if_the_law_is_not_known(self):
        page = self.page_of()
        page.goto(f"/devices/{self.add_device(by='maria')}")
        expect(page.locator(".can-unknown")).to_be_visible()
        expect(page.locator(".want")).to_have_count(0)

    def test_frequent_options_come_first_and_the_others_are_folded(self):
        page = self.page_of(size=PHONE)
        see_rights(page, self.add_device_in_portugal())
        self.assertEqual(page.locator(".right:visible .want").count(), 3)
        page.locator(".rights-more > summary").press("Enter")
        expect(page.locator("#want-right-contest")).to_be_visible()

    def test_works_by_keyboard(self):
        page = self.page_of()
        see_rights(page, self.add_device_in_portugal())
        page.locator("#want-right-erase").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/choices/*")
        page.locator(".acts button").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".acts select[name=channel]")).to_be_focused()

    def test_meets_wcag_at_320_pixels(self):
        found = []
        device = self.add_device_in_portugal()
        for language in ("en", "pt"):
            page = self.page_of(size=NARROW, language=language)
            self.want(page, device)
            paths = [page.url, f"{page.url}/letter", "/choices", f"/devices/{device}"]
            for path in paths:
                page.goto(path)
                expect(page.locator(".letter-body, .print-letter, .ledger-row, .asked").first).to_be_visible()
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    found += [f"{path} {language} {theme}: {fault}" for fault in violations(page)]
                self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320, path)
        self.assertEqual(found, [])


class AccountTests(ChoiceTest):
    allowed_errors = (r"status of 401",)  # the session request after signing out

    def test_a_ledger_moves_into_the_account_only_after_a_question(self):
        page = self.page_of()
        page.clock.set_fixed_time("2026-01-31T10:00:00Z")
        device = self.add_device_in_portugal()
        self.want(page, device)
        known("jorge").enter(page.context)
        page.evaluate("() => localStorage.setItem('farol.signed-in', '1')")
        page.goto("/choices")
        expect(page.locator(".ledger-mover")).to_be_visible()
        page.locator(".ledger-mover button").click()
        page.get_by_role("button", name="Leave them here").click()
        expect(page.locator(".ledger-mover")).to_be_visible()
        page.locator(".ledger-mover button").click()
        page.locator("dialog.ask").get_by_role("button", name="Move into my account").click()
        expect(page.locator(".ledger-mover")).to_have_count(0)
        expect(page.locator(".ledger-row")).not_to_have_count(0)
        self.assertIsNone(page.evaluate("() => localStorage.getItem('farol.choices')"))
        moved = known("jorge").send("GET", f"/api/choices?device={device}", expect=200)[2]["choices"]
        self.assertEqual([choice["created_at"] for choice in moved], ["2026-01-31T10:00:00Z"])

    def test_my_requests_show_the_name_that_the_page_of_the_device_has(self):
        device = self.add_device(name="Camera", place=[8.5412, 47.3725])
        page = self.page_of("maria", size=PHONE)
        self.want(page, device)
        shown = page.locator(".choice-head .said a")
        expect(shown).to_have_text(re.compile("^Fixed camera near "))
        name = shown.text_content()
        self.assertIn(name, page.title())
        page.goto("/choices")
        expect(page.locator(".ledger-device").filter(has_text=name)).to_have_count(1)
        page.goto(f"/devices/{device}")
        expect(page.locator("h1")).to_have_text(name)

    def test_my_requests_about_deleted_devices_leave_the_console_empty(self):
        devices = [self.add_device(name="Camera", place=[8.5512 + step / 200, 47.3825]) for step in range(3)]
        page = self.page_of("maria", size=PHONE)
        for device in devices:
            self.want(page, device)
        admin = known("eraser").become_admin()
        admin.send("POST", "/api/admin/deletions", {
            "id": devices[1], "confirm": True, "reason": "A test."}, expect=200)
        asked = []
        page.on("request", lambda request: asked.append(request.url) if "/devices/items" in request.url else None)
        page.goto("/choices")
        names = page.locator(".ledger-device").filter(has_text=re.compile("^Fixed camera"))
        expect(names.filter(has_text="near")).not_to_have_count(0)
        # The town of a device that is gone is not known.
        expect(names.filter(has_not_text="near")).to_have_count(1)
        self.assertEqual(len([url for url in asked if "ids=" in url]), 1, asked)
        self.assertEqual([url for url in asked if "/devices/items/" in url], [])

    def test_signing_out_asks_what_to_do_with_a_ledger_in_the_browser(self):
        page = self.page_of()
        self.want(page, self.add_device_in_portugal())
        known("leaving_keeper").enter(page.context)
        page.goto("/choices")
        self.sign_out(page)
        page.keyboard.press("Escape")
        expect(page.locator("dialog.ask")).to_have_count(0)
        self.sign_out(page)
        page.get_by_role("button", name="Delete them and sign out").click()
        expect(page.locator(".toast")).to_have_text("You are signed out")
        page.goto("/choices")
        expect(page.locator(".ledger-empty")).to_be_visible()

    def sign_out(self, page):
        page.locator(".menu-button").click()
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator("dialog.ask")).to_contain_text("kept in this browser")
