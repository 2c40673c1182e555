"""A user requests the records of another user: on the pages, with a real mail server."""

import json
import time
from pathlib import Path

from playwright.sync_api import expect

from support.accounts import confirmed_person
from support.axe import violations
from support.case import BrowserTest
from support.chromium import NARROW
from support.farol import Farol, new_folder
from support.keeping import ITEMS
from support.smtp import PostOffice

WHY = "I study how maps of cameras grow, at a university, for my thesis."


class DataRequestTest(BrowserTest):
    allowed_errors = (r"status of 4(04|09)",)  # users who accept no requests, and ended requests
    people = 0

    @classmethod
    def setUpClass(cls):
        cls.office = PostOffice()
        cls.addClassCleanup(cls.office.close)
        cls.server = Farol(new_folder())
        cls.server.settings = cls.office.settings
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)

    def farol(self):
        return self.server

    def pair(self):
        """Two unrelated users: the requester, and the owner of the records, who has one device."""
        DataRequestTest.people += 1
        asker, asked = (confirmed_person(self.server, f"{name}{DataRequestTest.people}") for name in ("rita", "maria"))
        asked.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [-8.5 + DataRequestTest.people / 50, 39.0]},
            "properties": {"name": "Camera of the market", "category": "camera_fixed", "precision": "exact"}},
            expect=201)
        # Records are available only after the second in which they were created.
        time.sleep(1 - time.time() % 1)
        return asker, asked

    def page_of(self, person, **options):
        page = self.new_page(**options)
        person.enter(page.context)
        return page

    def ask(self, asker, asked, fields=("devices", "photos"), subscribe=False):
        """Through the API, for tests that do not cover the form."""
        _, _, request = asker.send("POST", "/api/data-requests", {
            "username": asked.username, "reason": WHY, "fields": list(fields), "days": 30, "subscribe": subscribe},
            expect=201)
        return request["id"]

    def accept(self, asked, identifier, **limits):
        asked.send("POST", f"/api/data-requests/{identifier}/answer", {"accept": True} | limits, expect=200)

    def card(self, page, identifier):
        return page.locator(f"#request-{identifier}")

    def toast(self, page, words):
        expect(page.locator(".toast")).to_contain_text(words)


class WayTests(DataRequestTest):
    def test_from_the_request_to_the_revocation(self):
        asker, asked = self.pair()
        page = self.page_of(asker)
        page.goto(f"/people/{asked.username}")
        page.get_by_role("button", name="Ask for records").click()
        form = page.locator("#ask form")
        form.locator("[type=submit]").click()
        expect(form.locator(".form-trouble")).to_be_focused()
        form.locator("[name=reason]").fill(WHY)
        form.get_by_label("devices added").check()
        form.get_by_label("photos").check()
        form.locator("[type=submit]").click()
        self.toast(page, f"Your request to {asked.username} was sent")

        mail = self.office.wait(asked.email, "requests your records")
        text = mail["parts"][0]["text"]
        self.assertIn(asker.username, text)
        self.assertIn("/data-requests", text)
        self.assertNotIn(WHY, text)
        self.assertNotIn(asker.email, text)

        hers = self.page_of(asked)
        hers.goto("/data-requests")
        card = hers.locator(".request").first
        expect(card).to_contain_text(WHY)
        expect(card.locator(".choice-state")).to_have_text("Waiting")
        card.get_by_role("button", name="Accept, with limits").click()
        card.get_by_label("photos").uncheck()
        card.locator("[name=note]").fill("Good luck!")
        card.locator("form [type=submit]").click()
        self.toast(hers, "Accepted")
        expect(card.locator(".choice-state")).to_have_text("Accepted")
        expect(card).to_be_focused()
        expect(card).to_contain_text("The records have not been viewed yet.")
        self.office.wait(asker.email, "accepted your request")

        page.goto("/data-requests")
        granted = page.locator("#requests-asking .request")
        expect(granted).to_contain_text("Good luck!")
        granted.get_by_role("button", name="Show the records").click()
        expect(granted.locator(".records li")).to_have_count(1)
        expect(granted.locator(".records")).to_contain_text("Camera of the market")
        with page.expect_download() as caught:
            granted.get_by_role("button", name="Save to a file").click()
        saved = json.loads(Path(caught.value.path()).read_text())
        self.assertEqual(
            [(one["field"], one["device"]["name"]) for one in saved["records"]], [("devices", "Camera of the market")])

        hers.goto("/data-requests")
        card.locator("summary").click()
        expect(card.locator(".looks li").first).to_contain_text("one record (devices added)")
        card.get_by_role("button", name="Revoke access").click()
        card.get_by_role("button", name="Revoke now").click()
        self.toast(hers, "The access was revoked.")
        expect(card.locator(".choice-state")).to_have_text("Revoked")
        self.office.wait(asker.email, "has revoked your access")

        granted.get_by_role("button", name="Save to a file").click()
        expect(granted.locator("[role=status]")).to_contain_text("You cannot read these records")
        page.reload()
        expect(granted.locator(".choice-state")).to_have_text("Revoked")
        expect(granted.get_by_role("button")).to_have_count(0)

    def test_a_refusal_is_sent_with_its_note(self):
        asker, asked = self.pair()
        identifier = self.ask(asker, asked)
        hers = self.page_of(asked)
        hers.goto(f"/data-requests#request-{identifier}")
        card = self.card(hers, identifier)
        expect(card).to_be_focused()
        card.get_by_role("button", name="Refuse").click()
        card.locator("[name=note]").fill("Not now.")
        card.locator("form [type=submit]").click()
        expect(card.locator(".choice-state")).to_have_text("Refused")
        expect(card.get_by_role("button")).to_have_count(0)
        self.office.wait(asker.email, "refused your request")
        page = self.page_of(asker)
        page.goto("/data-requests")
        expect(self.card(page, identifier)).to_contain_text("Not now.")

    def test_the_requester_may_withdraw(self):
        asker, asked = self.pair()
        identifier = self.ask(asker, asked)
        page = self.page_of(asker)
        page.goto("/data-requests")
        card = self.card(page, identifier)
        card.get_by_role("button", name="Withdraw the request").click()
        card.locator("form [type=submit]").click()
        expect(card.locator(".choice-state")).to_have_text("Withdrawn")
        self.office.wait(asked.email, "has withdrawn the request")

    def test_thirty_days_without_an_answer_are_a_refusal(self):
        asker, asked = self.pair()
        identifier = self.ask(asker, asked)
        with self.server.database() as database:
            database.execute(
                "UPDATE data_request SET asked_at = ?, lapses_at = ? WHERE id = ?",
                ["2026-01-01T00:00:00Z", "2026-01-31T00:00:00Z", identifier])
        page = self.page_of(asker)
        page.goto("/data-requests")
        expect(self.card(page, identifier).locator(".choice-state")).to_have_text("Refused (no answer)")

    def test_later_records_are_included_only_if_allowed(self):
        asker, asked = self.pair()
        identifier = self.ask(asker, asked, ["devices"], subscribe=True)
        self.accept(asked, identifier, subscribe=True)
        page = self.page_of(asker)
        page.goto("/data-requests")
        card = self.card(page, identifier)
        card.get_by_role("button", name="Show the records").click()
        expect(card.locator(".records li")).to_have_count(1)
        asked.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [-7.9, 41.0]},
            "properties": {"name": "Camera of the pier", "category": "camera_fixed", "precision": "exact"}}, expect=201)
        more = card.get_by_role("button", name="Check for new records")

        def has_come():
            more.click()
            expect(more).not_to_have_attribute("aria-disabled", "true")
            return card.locator(".records li").count() == 2

        self.until(has_come, "the new device to be among the records")
        expect(card.locator(".records")).to_contain_text("Camera of the pier")


class RefusalTests(DataRequestTest):
    def test_a_user_who_accepts_no_requests_gets_none(self):
        asker, asked = self.pair()
        hers = self.page_of(asked)
        hers.goto("/account#requests")
        box = hers.get_by_label("Allow requests for my records")
        expect(box).to_be_checked()
        box.uncheck()
        self.toast(hers, "Saved")
        hers.reload()
        expect(box).not_to_be_checked()
        page = self.page_of(asker)
        page.goto(f"/people/{asked.username}")
        page.get_by_role("button", name="Ask for records").click()
        form = page.locator("#ask form")
        form.locator("[name=reason]").fill(WHY)
        form.get_by_label("devices added").check()
        form.locator("[type=submit]").click()
        expect(form.locator(".form-trouble")).to_contain_text("does not accept requests for records")
        subjects = [mail["headers"]["Subject"] for mail in self.office.mails(asked.email)]
        self.assertEqual([subject for subject in subjects if "records" in subject], [])

    def test_a_third_user_sees_nothing(self):
        asker, asked = self.pair()
        identifier = self.ask(asker, asked)
        other, _ = self.pair()
        page = self.page_of(other)
        page.goto(f"/data-requests#request-{identifier}")
        expect(page.locator("#requests-asked")).to_be_visible()
        expect(page.locator(".request")).to_have_count(0)
        other.send("GET", f"/api/data-requests/{identifier}/records", expect=404)

    def test_a_visitor_signs_in_first(self):
        _, asked = self.pair()
        page = self.new_page()
        page.goto("/data-requests")
        page.wait_for_url("**/sign-in?then=*")
        page.goto(f"/people/{asked.username}")
        expect(page.locator("#ask a[href^='/sign-in']")).to_be_visible()


class LookTests(DataRequestTest):
    def test_works_by_keyboard(self):
        asker, asked = self.pair()
        identifier = self.ask(asker, asked)
        hers = self.page_of(asked)
        hers.goto("/data-requests")
        card = self.card(hers, identifier)
        card.get_by_role("button", name="Refuse").focus()
        hers.keyboard.press("Enter")
        expect(card.locator("[name=note]")).to_be_focused()
        hers.keyboard.press("Tab")
        hers.keyboard.press("Enter")
        expect(card.locator(".choice-state")).to_have_text("Refused")

    def test_meets_wcag_at_320_pixels(self):
        asker, asked = self.pair()
        self.accept(asked, self.ask(asker, asked))
        third, _ = self.pair()
        self.ask(third, asked)
        found = []
        for language in ("en", "pt"):
            page = self.page_of(asked, size=NARROW, language=language)
            for path, shown in (
                ("/data-requests", ".request"), (f"/people/{asker.username}", "#ask"),
                ("/account#requests", "#requests")):
                page.goto(path)
                expect(page.locator(shown).first).to_be_visible()
                if path == "/data-requests":
                    page.locator(".request button").first.click()
                elif shown == "#ask":
                    page.locator("#ask button").click()
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    found += [f"{path} {language} {theme}: {fault}" for fault in violations(page)]
                self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320, path)
        self.assertEqual(found, [])
