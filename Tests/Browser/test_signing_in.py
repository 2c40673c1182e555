"""Sessions in tabs and browsers, tokens for programs, profiles, and user input as plain text."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.chromium import DESKTOP
from support.people import PASSWORD, AccountTest, confirm, sign_in, sign_up, submit, submit_in

HOSTILE = "<img src=x onerror=hurt=1>\u0301\u0301 & <b>bold</b>"


class SessionTests(AccountTest):
    def test_visitors_cause_no_session_request_and_get_no_cookie(self):
        page = self.new_page()
        for path in ("/about", "/terms", "/sign-in", "/sign-up"):
            page.goto(path)
            page.locator(".menu-button").click()
            expect(page.get_by_role("link", name="Create an account").first).to_be_visible()
        self.assertEqual([one for one in self.witness.requests if one.startswith("/api/session")], [])
        self.assertEqual(page.context.cookies(), [])

    def test_all_tabs_agree_on_the_signed_in_user(self):
        page = self.new_page()
        sign_up(page, "two.tabs", "tabs@example.org")
        second = page.context.new_page()
        second.goto("/about")
        second.locator(".menu-button").click()
        expect(second.locator(".menu-name")).to_contain_text("two.tabs")
        page.locator(".menu-button").click()
        page.get_by_role("button", name="Sign out", exact=True).click()
        expect(second.locator(".menu-account")).to_contain_text("Sign in")
        cookies = page.context.cookies()
        self.assertEqual(cookies, [])
        sign_in(page, "two.tabs")
        expect(second.locator(".menu-name")).to_contain_text("two.tabs")
        cookie = page.context.cookies()[0]
        self.assertTrue(cookie["httpOnly"])
        self.assertEqual((cookie["sameSite"], cookie["path"]), ("Lax", "/"))

    def test_a_session_ended_elsewhere_ends_here(self):
        page = self.new_page()
        sign_up(page, "ends", "ends@example.org")
        other = self.new_page()
        sign_in(other, "ends")
        page.goto("/account")
        expect(page.locator("#sessions .things li")).to_have_count(2)
        page.get_by_role("button", name="Sign out everywhere else").click()
        expect(page.locator("#sessions .things li")).to_have_count(1)
        other.goto("/account")
        other.wait_for_url("**/sign-in?then=*")

    def test_the_return_path_never_leads_to_another_site(self):
        page = self.new_page()
        sign_up(page, "no.way", "noway@example.org")
        for then, wanted in ((f"//{self.server.address[7:]}.evil.example/", "/"), ("https://evil.example/", "/"),
                             ("/terms#terms-rights", "/terms")):
            page.context.clear_cookies()
            page.evaluate("() => localStorage.clear()")
            page.goto("/sign-in?then=" + then.replace("#", "%23"))
            sign_in(page, "no.way")
            page.wait_for_url(lambda url: urlsplit(url).path == wanted)

    def test_repeated_wrong_passwords_show_when_to_try_again(self):
        self.allowed_errors += (r"status of 429",)
        page = self.open("/sign-in", wait=False)
        page.locator("[name=login]").fill("nobody.here")
        for _ in range(11):
            page.locator("[name=password]").fill("a wrong guess")
            with page.expect_response("**/api/session"):
                submit(page)
            expect(page.locator("form[aria-busy=false]")).to_be_visible()
        expect(self.trouble(page)).to_contain_text("Try again in 15 minutes, at ")
        expect(page.locator("[name=login]")).to_have_value("nobody.here")

    def test_sign_in_works_by_keyboard(self):
        page = self.new_page(size=DESKTOP)
        sign_up(page, "keys.only", "keys@example.org")
        page.context.clear_cookies()
        page.evaluate("() => localStorage.clear()")
        page.goto("/sign-in")
        expect(page.locator("form")).to_be_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # skips to the content
        page.keyboard.press("Tab")
        expect(page.locator("[name=login]")).to_be_focused()
        page.keyboard.type("keys.only")
        page.keyboard.press("Tab")
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: urlsplit(url).path == "/")


class KeyTests(AccountTest):
    def test_user_input_is_shown_as_text(self):
        page = self.new_page()
        sign_up(page, "hostile", "hostile@example.org")
        confirm(page, self.server, "hostile@example.org")
        page.goto("/account")
        part = page.locator("#tokens")
        part.get_by_role("button", name="Create a token").click()
        part.locator("[name=name]").fill(HOSTILE)
        part.get_by_label("Contribute").check()
        submit_in(part)
        expect(part.locator(".fresh h3")).to_have_text(HOSTILE)
        token = part.locator(".fresh code.secret").inner_text()
        self.assertRegex(token, r"^farol_[\w-]{43}$")
        expect(part.locator(".things li").first).to_contain_text(HOSTILE)
        expect(part.locator(".things li").first).to_contain_text("Read and Contribute")
        page.reload()
        expect(part.locator(".things li").first).to_contain_text(HOSTILE)
        self.assertNotIn(token, page.content())
        self.assertIsNone(page.evaluate("() => globalThis.hurt ?? null"))
        self.assertEqual(page.locator("main img, main b").count(), 0)
        part.get_by_role("button", name="Revoke").click()
        expect(part).to_contain_text("You have no tokens.")

        def hostile(route):
            answer = route.fetch()
            body = answer.json()
            body["username"] = HOSTILE
            body["recent"] = [
                {"device": {"id": "01935f6e-0000-7000-8000-000000000000", "name": HOSTILE, "category": "webcam"},
                 "revision": 1, "kind": "add", "made_at": "2026-11-20T10:00:00Z"}]
            route.fulfill(response=answer, json=body)

        page.route("**/api/people/*", hostile)
        page.goto("/people/hostile")
        expect(page.locator("h1")).to_have_text(HOSTILE)
        expect(page.locator(".things a").first).to_have_text(HOSTILE)
        self.assertIsNone(page.evaluate("() => globalThis.hurt ?? null"))
        self.assertEqual(page.locator("main img, main b").count(), 0)

    def test_a_profile_is_public_and_an_unknown_name_has_none(self):
        self.allowed_errors += (r"status of 404",)
        page = self.new_page()
        sign_up(page, "seen.by.all", "seen@example.org")
        other = self.new_page()
        other.goto("/people/seen.by.all")  # not confirmed, so it has no profile yet
        self.heading(other, "No account has this name")
        confirm(page, self.server, "seen@example.org")
        other.reload()
        self.heading(other, "seen.by.all")
        expect(other.locator(".tally").first).to_contain_text("devices added")
        expect(other.locator("main")).not_to_contain_text("example.org")
        expect(other.get_by_role("link", name="My account")).to_have_count(0)
