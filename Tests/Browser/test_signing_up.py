"""Sign-up: errors are shown, email addresses stay private, and typed text is never lost."""

from playwright.sync_api import expect

from support.mailbox import Mailbox
from support.people import PASSWORD, AccountTest, confirm, fill_sign_up, sign_up, submit, submit_in

ANOTHER = "other words that hold well"


class SignUpTests(AccountTest):
    def test_shows_errors_next_to_the_fields_and_in_a_focused_summary(self):
        page = self.open("/sign-up", wait=False)
        submit(page)
        expect(self.trouble(page)).to_be_focused()
        expect(self.trouble(page).locator("li")).to_have_count(4)
        page.locator("[name=username]").fill("Ana Maria")
        field = page.locator("[name=username]")
        expect(field).to_have_attribute("aria-invalid", "true")
        described = field.evaluate(
            "(one) => one.getAttribute('aria-describedby').split(' ')"
            ".map((id) => document.getElementById(id).innerText).join(' ')")
        self.assertIn("instead of a space", described)
        field.fill("Ana.Maria")
        expect(field).not_to_have_attribute("aria-invalid", "true")
        expect(self.trouble(page).locator("li")).to_have_count(3)
        self.trouble(page).get_by_role("link", name="E-mail address").click()
        expect(page.locator("[name=email]")).to_be_focused()
        page.keyboard.type("ana@example")
        page.keyboard.press("Tab")
        expect(page.locator(".complaint:visible").first).to_contain_text("Enter a complete e-mail address")

    def test_does_not_ask_the_server_whether_a_name_is_taken_before_the_form_is_sent(self):
        page = self.open("/sign-up", wait=False)
        expect(page.locator("form")).to_be_visible()
        before = len(self.witness.requests)
        fill_sign_up(page, "somebody", "somebody@example.org")
        self.assertEqual(self.witness.requests[before:], [])

    def test_reports_a_taken_name_but_not_a_taken_address(self):
        page = self.new_page()
        sign_up(page, "joana", "joana@example.org")
        confirm(page, self.server, "joana@example.org")
        other = self.new_page()
        other.goto("/sign-up")
        fill_sign_up(other, "Joana", "new@example.org")
        submit(other)
        expect(other.locator(".complaint:visible")).to_contain_text(
            "This username, or one that looks like it, is taken")
        expect(other.locator(".complaint:visible a")).to_have_attribute("href", "/recover")
        expect(other.locator("[name=email]")).to_have_value("new@example.org")
        expect(other.locator("[name=password]")).to_have_value(PASSWORD)
        other.locator("[name=username]").fill("j0-ana")
        submit(other)
        expect(other.locator(".complaint:visible")).to_contain_text("or one that looks like it")
        other.locator("[name=username]").fill("joana.two")
        other.locator("[name=email]").fill("joana@example.org")
        submit(other)
        # The same text as for a free address. The owner of the address gets a mail with a link to sign in.
        self.heading(other, "Check your e-mail")
        expect(other.locator("main")).to_contain_text("If you already had an account with this address")
        Mailbox(self.server).link("joana@example.org", "/reset")

    def test_a_mistyped_address_can_be_corrected_in_the_account(self):
        page = self.new_page()
        sign_up(page, "rui.costa", "rui@exmaple.org")
        page.get_by_role("link", name="Change it in your account").click()
        page.wait_for_url("**/account#profile")
        expect(page.locator(".missing-notice h2")).to_have_text("Confirm your address")
        profile = page.locator("#profile")
        profile.get_by_role("button", name="Change: E-mail address").click()
        profile.locator("[name=email]").fill("rui@example.org")
        profile.locator("[name=current_password]").fill(PASSWORD)
        submit_in(profile)
        expect(page.locator(".missing-notice")).to_contain_text("rui@example.org")
        confirm(page, self.server, "rui@example.org")
        page.get_by_role("link", name="Go to the map").click()

    def test_password_managers_find_the_fields_they_expect(self):
        page = self.open("/sign-up", wait=False)
        self.assertEqual(
            [
                page.locator(f"[name={name}]").get_attribute("autocomplete")
                    for name in ("username", "email", "password")],
            ["username", "email", "new-password"])
        page.goto("/sign-in")
        self.assertEqual(
            [page.locator(f"[name={name}]").get_attribute("autocomplete") for name in ("login", "password")],
            ["username", "current-password"])
        field = page.locator("[name=password]")
        field.evaluate("(one) => { const data = new DataTransfer(); data.setData('text/plain', 'x'); "
                       "globalThis.pasted = one.dispatchEvent("
                       "new ClipboardEvent('paste', { clipboardData: data, cancelable: true })); }")
        self.assertTrue(page.evaluate("() => pasted"), "pasting a password is refused")
        field.fill("seen")
        page.get_by_role("button", name="Show the password").click()
        expect(field).to_have_attribute("type", "text")

    def test_the_terms_open_in_place(self):
        page = self.open("/sign-up", wait=False)
        page.locator(".terms-in-place summary").click()
        expect(page.locator(".terms-in-place")).to_contain_text("Deleting your account")
        self.assertEqual(self.path(page), "/sign-up")


class LinkTests(AccountTest):
    def test_a_key_is_removed_from_address_and_history_at_once_and_is_in_no_request_url(self):
        page = self.new_page()
        sign_up(page, "mail.one", "one@example.org")
        link = Mailbox(self.server).link("one@example.org", "/confirm")
        token = link.split("token=")[1]
        fresh = self.new_page()
        seen = []
        fresh.on("request", lambda request: seen.append((request.url, request.headers.get("referer", ""))))
        fresh.goto(link)
        expect(fresh.get_by_role("button", name="Confirm this address")).to_be_visible()
        self.assertEqual(self.address(fresh), self.server.address + "/confirm")
        self.assertNotIn(token, fresh.evaluate("() => JSON.stringify(history.state) + document.title"))
        fresh.reload()  # such as a phone that returns from the mail app
        submit(fresh)
        self.heading(fresh, "Your address is confirmed")
        self.assertEqual(fresh.evaluate("() => Object.keys(sessionStorage)"), [])
        fresh.go_back()
        fresh.go_forward()
        self.assertFalse([one for one in seen if token in one[0].split("#")[0] or token in one[1]])

    def test_opening_a_link_confirms_nothing(self):
        page = self.new_page()
        sign_up(page, "mail.two", "two@example.org")
        link = Mailbox(self.server).link("two@example.org", "/confirm")
        for _ in range(2):
            scanner = self.new_page()
            scanner.goto(link)
            expect(scanner.get_by_role("button", name="Confirm this address")).to_be_visible()
        expect(page.locator("h1")).to_have_text("Check your e-mail")
        other = self.new_page()
        other.goto(link)
        submit(other)
        self.heading(other, "Your address is confirmed")

    def test_a_used_link_shows_how_to_continue(self):
        self.allowed_errors += (r"status of 422",)
        page = self.new_page()
        sign_up(page, "mail.three", "three@example.org")
        link = Mailbox(self.server).link("three@example.org", "/confirm")
        confirm(page, self.server, "three@example.org")
        page.goto("about:blank")
        page.goto(link)
        submit(page)
        self.heading(page, "Your address is confirmed")
        expect(page.locator(".lead")).to_contain_text("It was already confirmed")
        stranger = self.new_page()
        stranger.goto(link)
        submit(stranger)
        self.heading(stranger, "This link is no longer valid")
        stranger.locator("main [name=email]").fill("three@example.org")
        submit(stranger)
        self.heading(stranger, "Check your e-mail")

    def test_an_expired_reset_link_offers_a_new_one(self):
        self.allowed_errors += (r"status of 422",)
        page = self.new_page()
        page.goto("/reset#token=" + "A" * 43)
        page.locator("main [name=password]").fill(ANOTHER)
        submit(page)
        self.heading(page, "This link is no longer valid")
        expect(page.locator("main [name=login]")).to_be_visible()
        page.goto("/reset")
        self.heading(page, "This link is no longer valid")


class OutageTests(AccountTest):
    allowed_errors = AccountTest.allowed_errors + (r"ERR_CONNECTION_RESET",)  # a lost response

    def test_sign_up_waits_for_the_server_and_continues_by_itself(self):
        page = self.open("/sign-up", wait=False)
        fill_sign_up(page, "patient", "patient@example.org")
        self.server.stop()
        submit(page)
        expect(self.trouble(page)).to_contain_text("We are having connection problems, please wait for a while")
        expect(page.locator("[name=username]")).to_have_value("patient")
        expect(page.locator("[name=password]")).to_have_value(PASSWORD)
        self.server.start()
        self.heading(page, "Check your e-mail")

    def test_a_lost_response_is_not_reported_as_a_taken_name(self):
        page = self.open("/sign-up", wait=False)
        fill_sign_up(page, "lost.answer", "lost@example.org")

        def lose(route):
            route.fetch()
            route.abort("connectionreset")

        page.route("**/api/accounts", lose, times=1)
        submit(page)
        self.heading(page, "Check your e-mail")

    def test_a_change_is_sent_only_after_a_click(self):
        page = self.new_page()
        sign_up(page, "changing", "changing@example.org")
        page.goto("/account")
        profile = page.locator("#profile")
        profile.get_by_role("button", name="Change: Username").click()
        profile.locator("[name=username]").fill("changed")
        profile.locator("[name=current_password]").fill(PASSWORD)
        self.server.stop()
        submit_in(profile)
        expect(self.trouble(page)).to_contain_text("What you typed is still here.")
        self.server.start()
        expect(self.trouble(page)).to_contain_text("The connection is back")
        submit_in(profile)
        expect(profile.locator("bdi").first).to_have_text("changed")
