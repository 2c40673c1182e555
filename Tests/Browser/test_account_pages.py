"""The account pages: WCAG 2.2 A and AA, reflow and target sizes, in every state."""

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import PHONE
from support.layout import SIZES, SMALL_TARGETS, WIDER_THAN_WINDOW
from support.people import PASSWORD, AccountTest, confirm, sign_up, submit

TOKEN = "#token=" + "A" * 43


class AccountPageTests(AccountTest):
    allowed_errors = (r"status of 4(01|04|09|22)",)

    def signed_out(self, page):
        page.goto("/sign-up")
        expect(page.locator("form")).to_be_visible()
        yield "sign-up"
        page.locator(".terms-in-place summary").click()
        expect(page.locator(".terms-in-place h3").first).to_be_visible()
        submit(page)
        expect(page.locator(".form-trouble")).to_be_focused()
        yield "sign-up with faults"
        page.goto("/sign-in")
        page.locator("[name=login]").fill("nobody")
        page.locator("[name=password]").fill("nothing")
        submit(page)
        expect(page.locator(".form-trouble")).to_be_focused()
        yield "sign-in with a fault"
        for path, ready in (("/recover", "form"), ("/reset" + TOKEN, "form"), ("/confirm" + TOKEN, "form"),
                            ("/confirm-email" + TOKEN, "form"), ("/terms", "h2"), ("/people/nobody", ".refusal")):
            page.goto("about:blank")
            page.goto(path)
            expect(page.locator(f"main {ready}").first).to_be_visible()
            yield path.split("#")[0]

    def signed_in(self, page, username, language):
        sign_up(page, username, f"{username}@example.org")
        yield "sent"
        page.goto("/account")
        expect(page.locator("#tokens .things li")).to_be_visible()
        yield "account, not confirmed"
        if language == "en":
            confirm(page, self.server, f"{username}@example.org")
            yield "confirmed"
            page.goto(f"/people/{username}")
            expect(page.locator(".tally").first).to_be_visible()
            yield "person"
            page.goto("/account")
        for part in ("#profile", "#tokens", "#delete"):
            page.locator(f"{part} button").last.click()
        factor = page.locator("#second-factor")
        factor.get_by_role("button").first.click()
        factor.locator("[name=password]").fill(PASSWORD)
        factor.locator("[type=submit]").click()
        expect(factor.locator(".qr")).to_be_visible()
        page.locator("h1").click()
        yield "account with all open"
        page.locator(".menu-button").click()
        expect(page.locator(".menu-name")).to_be_visible()
        yield "menu"

    def suspended(self, page, language):
        def route(given):
            answer = given.fetch()
            body = answer.json()
            body["account"] |= {
                "suspended": {"until": "2027-01-01T00:00:00Z", "reason": "Names of neighbours\nin three entries"},
                "second_factor": {"enabled": False, "required": True, "recovery_codes_left": 0}, "role": "moderator"}
            given.fulfill(response=answer, json=body)

        page.route("**/api/session", route)
        page.goto("/account")
        expect(page.locator(".missing-notice")).to_have_count(2 if language == "en" else 3)  # confirmed in English only
        yield "suspended"

    def check(self, page, state, found):
        before = page.viewport_size
        for name, size in SIZES.items():
            page.set_viewport_size(size)
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                found += [f"{state}, {name}, {theme}: {fault}" for fault in violations(page)]
            found += [f"{state}, {name}: wider than the window: {fault}" for fault in page.evaluate(WIDER_THAN_WINDOW)]
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(before)
        found += [f"{state}: too small: {one}" for one in page.evaluate(SMALL_TARGETS, 24)]

    def check_all(self, language):
        found = []
        page = self.new_page(size=PHONE, language=language)
        for states in (
            self.signed_out(page), self.signed_in(page, f"looks.{language}", language), self.suspended(page, language)):
            for state in states:
                self.check(page, state, found)
        self.assertEqual(sorted(set(found)), [])

    def test_meets_wcag_in_english(self):
        self.check_all("en")

    def test_meets_wcag_in_portuguese(self):
        self.check_all("pt")

    def test_text_at_double_size_fits(self):
        page = self.new_page(size=PHONE)
        for path in ("/sign-up", "/sign-in", "/terms"):
            page.goto(path)
            expect(page.locator("main h1")).to_be_visible()
            page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
            self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [], path)

    def test_no_page_shows_an_untranslated_key(self):
        for language in ("en", "pt"):
            page = self.new_page(language=language)
            for path in (
                "/sign-up", "/sign-in", "/recover", "/reset" + TOKEN, "/confirm" + TOKEN, "/terms", "/people/nobody"):
                page.goto("about:blank")
                page.goto(path)
                expect(page.locator("main h1")).to_be_visible()
                words = page.locator("body").inner_text()
                self.assertNotRegex(
                    words, r"\b(account|form|person|terms|menu|error)\.[a-z_]+", f"{path} in {language}")
