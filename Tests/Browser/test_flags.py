"""Flagging a problem, with and without an account."""

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW
from support.keeping import WritingTest


class FlagTest(WritingTest):
    def flags(self, target):
        with self.farol().database() as database:
            return database.execute(
                "SELECT kind, target_type, reason, note, email FROM flag WHERE target_id = ?", (target,)).fetchall()


class FlagTests(FlagTest):
    def open_dialog(self, device, username):
        page = self.page_of(username)
        page.goto(f"/devices/{device}")
        page.get_by_role("button", name="Report a problem").click()
        return page, page.get_by_role("dialog", name="What is wrong with this device?")

    def test_a_device_is_flagged_with_a_reason_and_a_note(self):
        device = self.add_device(by="maria")
        page, dialog = self.open_dialog(device, "jorge")
        dialog.get_by_role("button", name="Send to the moderators").click()
        expect(dialog).to_contain_text("Choose a reason.")
        expect(dialog.get_by_role("radio").first).to_be_focused()
        dialog.get_by_label("It was never there").check()
        dialog.get_by_role("textbox").fill("It is a birdhouse")
        self.assertEqual(violations(page), [])
        dialog.get_by_role("button", name="Send to the moderators").click()
        expect(page.locator(".toast")).to_contain_text("A moderator will review it")
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("button", name="Report a problem")).to_be_focused()
        self.assertEqual(self.flags(device), [("flag", "device", "never_there", "It is a birdhouse", None)])

    def test_a_visitor_sees_both_options(self):
        device = self.add_device(by="maria")
        page, dialog = self.open_dialog(device, None)
        expect(dialog.get_by_role("link", name="Sign in")).to_be_visible()
        dialog.get_by_role("link", name="Report without an account").click()
        page.wait_for_url(f"**/report?device={device}")

    def test_a_photo_is_flagged_from_its_large_view(self):
        device = self.add_device(by="maria")
        photo = self.add_photo(device, alt="A face")
        page = self.page_of("jorge")
        page.goto(f"/devices/{device}")
        page.locator(".gallery-button").click()
        page.get_by_role("button", name="What is wrong with this photo?").click()
        dialog = page.get_by_role("dialog", name="What is wrong with this photo?")
        dialog.get_by_label("It shows personal data").check()
        dialog.get_by_role("button", name="Send to the moderators").click()
        expect(page.locator(".toast")).to_be_visible()
        self.assertEqual(self.flags(photo), [("flag", "photo", "personal_data", None, None)])

    def test_an_account_is_flagged_from_its_profile(self):
        maria = self.known("maria")
        page = self.page_of("jorge")
        page.goto("/people/maria")
        page.get_by_role("button", name="Report this person").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("It is advertising or nonsense").check()
        dialog.get_by_role("button", name="Send to the moderators").click()
        expect(page.locator(".toast")).to_be_visible()
        self.assertEqual(self.flags(maria.id), [("flag", "account", "spam", None, None)])


class ReportTests(FlagTest):
    def test_a_visitor_reports_a_device_and_sees_the_next_steps(self):
        device = self.add_device(by="maria", name="Camera of my neighbour")
        page = self.page_of()
        page.goto(f"/report?device={device}")
        expect(page.locator("#report-about")).to_contain_text("Camera of my neighbour")
        expect(page.locator(".next-steps li")).to_have_count(4)
        page.get_by_role("button", name="Send the report").click()
        expect(page.locator("main")).to_contain_text("Choose a reason.")
        page.get_by_label("It shows personal data").check()
        page.get_by_label("Describe the problem").fill("This is my house")
        page.get_by_label("Your e-mail address, if you want an answer").fill("neighbour@example.org")
        page.get_by_role("button", name="Send the report").click()
        expect(page.locator("h1")).to_contain_text("Your report was sent to the moderators")
        expect(page.locator("h1")).to_be_focused()
        self.assertEqual(
            self.flags(device), [("report", "device", "personal_data", "This is my house", "neighbour@example.org")])

    def test_asks_for_the_link_of_the_device_if_the_address_has_none(self):
        device = self.add_device(by="maria")
        page = self.page_of()
        page.goto("/report")
        page.get_by_role("textbox").fill("my neighbour's camera")
        page.get_by_role("button", name="Continue").click()
        expect(page.locator("main")).to_contain_text("This is not the address of a device's page")
        page.get_by_role("textbox").fill(f"{self.farol().address}/devices/{device}?lang=en")
        page.get_by_role("button", name="Continue").click()
        expect(page.locator("#report-about")).to_contain_text("Gate camera")

    def test_keeps_the_typed_text_without_a_connection(self):
        self.allowed_errors = (r"Failed to load resource",)
        device = self.add_device(by="maria")
        page = self.page_of()
        page.goto(f"/report?device={device}")
        page.get_by_label("It is gone").check()
        page.get_by_label("Describe the problem").fill("Gone since May")
        page.context.set_offline(True)
        page.get_by_role("button", name="Send the report").click()
        expect(page.locator("main .complaint:visible")).to_contain_text("We are having connection problems")
        expect(page.get_by_label("Describe the problem")).to_have_value("Gone since May")

    def test_meets_wcag_and_fits_a_small_phone(self):
        device = self.add_device(by="maria")
        found = []
        for language in ("en", "pt"):
            for address in ("/report", f"/report?device={device}"):
                page = self.page_of(size=NARROW, language=language)
                page.goto(address)
                expect(page.locator("main .button").first).to_be_visible()
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    found += [f"{address} {language} {theme}: {fault}" for fault in violations(page)]
                self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)
        self.assertEqual(found, [])
