"""Requesting research access on the account page, and the decision on the page of admins."""

from playwright.sync_api import expect

from support.order import ModerationTest


class ResearchTests(ModerationTest):
    def ask(self, page):
        part = page.locator("#research")
        part.get_by_role("button", name="Request access").click()
        part.get_by_label("Project").fill("Cameras of towns")
        part.get_by_label("What is it for?").fill("How many cameras say who runs them, town by town.")
        part.get_by_label("Until when?").fill(page.evaluate(
            "() => new Date(Date.now() + 90 * 864e5).toISOString().slice(0, 10)"))
        part.get_by_role("button", name="Request access").click()
        expect(part).to_contain_text("Waiting for a decision")
        return part

    def test_access_is_requested_granted_and_used_for_a_token(self):
        self.known("maria")
        page = self.page_of("maria")
        page.goto("/account")
        part = self.ask(page)
        expect(part.get_by_role("button", name="Request access")).to_be_hidden()
        desk = self.administration("/research")
        row = desk.locator(".fact-section").filter(has_text="Cameras of towns")
        expect(row).to_contain_text("town by town")
        row.get_by_label("Your reason, sent to the person").fill("A good purpose")
        row.get_by_role("button", name="Grant").click()
        expect(row).to_have_count(0)
        self.waits_for_mail("maria@example.org", "A good purpose")
        page.reload()
        expect(part).to_contain_text("Granted until")
        expect(part).to_contain_text("A good purpose")
        tokens = page.locator("#tokens")
        tokens.get_by_role("button", name="Create a token").first.click()
        expect(tokens.get_by_label("Read as a researcher")).to_be_visible()

    def test_the_user_deletes_a_request(self):
        self.known("rui")
        page = self.page_of("rui")
        page.goto("/account")
        part = self.ask(page)
        part.get_by_role("button", name="Erase: Cameras of towns").click()
        expect(part).to_contain_text("You have not requested access.")
