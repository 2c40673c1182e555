"""The life of an account: sign-up, confirmation, second factor, recovery, changes, deletion."""

import json
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.chromium import PHONE
from support.mailbox import Mailbox
from support.one_time import code
from support.people import PASSWORD, AccountTest, fill_sign_up, submit, submit_in

ANOTHER = "other words that hold well"


class LifeTests(AccountTest):
    def test_from_sign_up_to_deletion(self):
        page = self.open("/about", size=PHONE)
        page.locator(".menu-button").click()
        page.get_by_role("link", name="Create an account").click()
        self.signs_up(page)
        self.confirms_in_another_browser(page)
        secret, codes = self.sets_up_a_second_factor(page)
        self.signs_out_and_in_again(page, secret)
        self.recovers(page, codes)
        self.changes(page, codes)
        self.downloads_everything(page)
        self.deletes_the_account(page, codes)

    def signs_up(self, page):
        page.wait_for_url("**/sign-up?then=%2Fabout")
        fill_sign_up(page, "ana.maria", "ana@example.org")
        submit(page)
        self.heading(page, "Check your e-mail")
        expect(page.locator(".address")).to_have_text("ana@example.org")
        expect(page.get_by_role("button", name="Send the e-mail again")).to_have_attribute("aria-disabled", "true")

    def confirms_in_another_browser(self, page):
        other = self.new_page()
        other.goto(Mailbox(self.server).link("ana@example.org", "/confirm"))
        submit(other)
        self.heading(other, "Your address is confirmed")
        expect(other.locator("main")).to_contain_text("ana.maria")
        expect(other.locator("#content").get_by_role("link", name="Sign in", exact=True)).to_be_visible()
        # The first browser detects it by itself, and returns to the earlier page.
        self.heading(page, "Your address is confirmed")
        page.get_by_role("link", name="Continue").click()
        page.wait_for_url("**/about")

    def sets_up_a_second_factor(self, page):
        page.goto("/account#second-factor")
        part = page.locator("#second-factor")
        part.get_by_role("button", name="Set up a second factor").click()
        part.locator("[name=password]").fill(PASSWORD)
        submit_in(part)
        drawing = part.get_by_role("img", name="QR code for your authenticator app")
        expect(drawing).to_be_visible()
        secret = part.locator("code.secret").inner_text().replace(" ", "")
        self.assertRegex(secret, r"^[A-Z2-7]{32}$")
        part.locator("[name=code]").fill("000000")
        submit_in(part)
        expect(part.locator(".form-trouble:visible")).to_be_visible()
        part.locator("[name=code]").fill(code(secret))
        submit_in(part)
        expect(part.locator(".codes li")).to_have_count(10)
        codes = part.locator(".codes code").all_inner_texts()
        with page.expect_download() as download:
            part.get_by_role("button", name="Download").click()
        kept = open(download.value.path(), encoding="utf-8").read()
        self.assertTrue(all(one in kept for one in codes) and "ana.maria" in kept)
        part.get_by_role("button", name="I have saved them").click()
        expect(part).to_contain_text("10 recovery codes are left.")
        expect(page.locator(".codes")).to_have_count(0)
        return secret, codes

    def signs_out_and_in_again(self, page, secret):
        page.locator(".menu-button").click()
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.wait_for_url("**/sign-in?then=*")
        page.locator("[name=login]").fill("ANA@example.org")
        page.locator("[name=password]").fill("not the password")
        submit(page)
        expect(self.trouble(page)).to_contain_text("incorrect")
        expect(page.locator("[name=login]")).to_have_value("ANA@example.org")
        page.locator("[name=password]").fill(PASSWORD)
        submit(page)
        self.heading(page, "One more step")
        expect(page.locator("[name=code]")).to_be_focused()
        page.locator("[name=code]").fill(code(secret, steps_ahead=1))
        submit(page)
        page.wait_for_url("**/account*")

    def recovers(self, page, codes):
        # The account page would go to /sign-in by itself as soon as it noticed that its session is gone.
        page.goto("about:blank")
        page.context.clear_cookies()
        page.goto("/recover")
        page.locator("main [name=login]").fill("ana.maria")
        submit(page)
        self.heading(page, "Check your e-mail")
        page.goto(Mailbox(self.server).link("ana@example.org", "/reset"))
        page.locator("main [name=password]").fill("ana.maria")
        submit(page)
        expect(self.trouble(page)).to_contain_text("Your name or address cannot be your password")
        page.locator("main [name=password]").fill(ANOTHER)
        submit(page)
        self.heading(page, "Your password was changed")
        page.get_by_role("link", name="Sign in", exact=True).first.click()
        page.wait_for_url("**/sign-in")
        page.locator("[name=login]").fill("ana.maria")
        page.locator("[name=password]").fill(ANOTHER)
        submit(page)
        page.get_by_role("button", name="Use a recovery code instead").click()
        page.locator("[name=code]").fill(codes[0])
        submit(page)
        page.wait_for_url(lambda url: urlsplit(url).path == "/")

    def changes(self, page, codes):
        page.goto("/account")
        profile = page.locator("#profile")
        profile.get_by_role("button", name="Change: Username").click()
        profile.locator("[name=username]").fill("ana.m")
        profile.locator("[name=current_password]").fill("wrong words")
        submit_in(profile)
        expect(profile.locator(".complaint:visible")).to_have_text("The password is incorrect.")
        profile.locator("[name=current_password]").fill(ANOTHER)
        submit_in(profile)
        expect(profile.locator("bdi").first).to_have_text("ana.m")

        profile.get_by_role("button", name="Change: E-mail address").click()
        profile.locator("[name=email]").fill("ana@elsewhere.example")
        profile.locator("[name=current_password]").fill(ANOTHER)
        submit_in(profile)
        expect(profile).to_contain_text("Not confirmed yet: ana@elsewhere.example")
        link = Mailbox(self.server).link("ana@elsewhere.example", "/confirm-email")
        other = self.new_page()
        other.goto(link)
        submit(other)
        self.heading(other, "Your new address is confirmed")
        page.reload()
        expect(profile.locator("dd").nth(1)).to_contain_text("ana@elsewhere.example")
        expect(profile).not_to_contain_text("ana@example.org")

        profile.get_by_role("button", name="Change: Language").click()
        profile.locator("select").select_option("pt")
        submit_in(profile)
        expect(profile).to_contain_text("Português")

        profile.get_by_role("button", name="Change: Password").click()
        profile.locator("[name=password]").fill(PASSWORD)
        profile.locator("[name=current_password]").fill(ANOTHER)
        submit_in(profile)
        expect(page.locator(".toast")).to_contain_text("Your password was changed")
        expect(page.locator("#sessions .things li")).to_have_count(1)

    def downloads_everything(self, page):
        with page.expect_download() as download:
            page.get_by_role("button", name="Download everything").click()
        taken = json.loads(open(download.value.path(), encoding="utf-8").read())
        self.assertIn("ana@elsewhere.example", json.dumps(taken))
        self.assertNotIn("argon2", json.dumps(taken))

    def deletes_the_account(self, page, codes):
        part = page.locator("#delete")
        part.get_by_role("button", name="Delete my account").click()
        part.locator("[name=password]").fill(PASSWORD)
        part.locator("[name=code]").fill(codes[1])
        submit_in(part)
        self.heading(page, "Your account is deleted")
        self.assertEqual(page.context.cookies(), [])
        # Nothing of the person is left. Whether the introduction was closed and visits to the map were counted says
        # nothing about them; a map that was left before it had started counts no visit.
        left = page.evaluate("() => Object.keys(localStorage)")
        self.assertEqual([name for name in left if name not in ("farol.install", "farol.met")], [])
        page.goto("/people/ana.m")
        self.heading(page, "No account has this name")
        page.goto("/sign-in")
        page.locator("[name=login]").fill("ana.m")
        page.locator("[name=password]").fill(PASSWORD)
        submit(page)
        expect(self.trouble(page)).to_contain_text("incorrect")

    def tearDown(self):
        self.allowed_errors += (r"status of 4(04|22)",)
        secrets = [one for witness in self.watched for one in witness.requests
                   if "token=" in one or "ana" in one.split("/people/")[0]]
        self.assertEqual(secrets, [], "what is private stands in the address of a request")
        super().tearDown()
