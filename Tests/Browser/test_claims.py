"""Confirming and disputing: two taps, a change of mind, and the question whether a device still exists."""

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW
from support.keeping import WritingTest


class ClaimTests(WritingTest):
    def open_page(self, device, username=None, **options):
        page = self.page_of(username, **options)
        page.goto(f"/devices/{device}")
        self.unfold(page)
        return page

    def unfold(self, page):
        """Opens the claims, which are one line while nobody has said anything."""
        expect(page.locator("#section-sure")).to_be_visible()
        none = page.locator(".claims-none:not([open]) > summary")
        if none.count():
            none.click()
        expect(page.locator("#claim-present")).to_be_visible()

    def two_taps(self, page, claim, verdict, basis):
        item = page.locator(f"#claim-{claim}")
        item.get_by_role("button", name=verdict, exact=True).click()
        item.get_by_role("button", name=basis).click()
        return item

    def test_two_users_confirm_with_two_taps_each(self):
        device = self.add_device(by="maria")
        page = self.open_page(device, "jorge")
        item = self.two_taps(page, "present", "Confirm", "I have seen it")
        expect(item).to_contain_text("1 person confirms it")
        expect(item).to_contain_text("You confirmed this")
        expect(item).to_be_focused()
        expect(item.locator(".verdict")).to_have_text("Not decided yet")
        other = self.open_page(device, "anabela")
        item = self.two_taps(other, "present", "Confirm", "I have seen it")
        expect(item).to_contain_text("2 people confirm it")
        expect(item.locator(".verdict")).to_have_text("Confirmed")
        expect(other.locator(".device-status")).to_contain_text("Confirmed")
        self.assertEqual(self.said(device, "status"), "confirmed")

    def test_a_user_may_change_a_verdict_and_add_a_note(self):
        device = self.add_device(by="maria")
        page = self.open_page(device, "jorge")
        self.two_taps(page, "data", "Confirm", "There is a sign")
        expect(page.locator("#claim-data .claim-mine")).to_contain_text("You confirmed this")
        item = page.locator("#claim-data")
        item.get_by_role("button", name="Dispute", exact=True).click()
        item.get_by_text("Add a note first").click()
        item.get_by_role("textbox").fill("The sign is about another one")
        item.get_by_role("button", name="I looked there myself").click()
        expect(page.locator("#claim-data .claim-mine")).to_contain_text("You disputed this")
        expect(page.locator("#claim-data .verdict")).to_have_text("Disputed")
        with self.farol().database() as database:
            notes = database.execute(
                "SELECT note FROM verdict JOIN device ON device.rowid = device_rowid WHERE device.id = ?", (device,
                    )).fetchall()
        self.assertEqual(notes, [("The sign is about another one",)])

    def test_a_visitor_signs_in_and_returns_to_the_question(self):
        device = self.add_device(by="maria")
        page = self.open_page(device)
        page.locator("#claim-function").get_by_role("button", name="Dispute", exact=True).click()
        page.locator("#claim-function").get_by_role("link", name="Sign in").click()
        page.wait_for_url("**/sign-in?then=*")
        back = self.query(page)["then"]
        self.known("jorge").enter(page.context)
        page.goto(back)
        expect(page.locator("#claim-function-how")).to_be_visible()
        expect(page.locator("#claim-function-how")).to_contain_text("How do you know it is wrong?")
        # A link never submits a verdict.
        self.assertEqual(self.device(device)["properties"]["claims"][1]["disputes"], 0)
        self.until(lambda: "say=" not in self.address(page), "the address without the question")

    def test_a_dispute_says_what_follows_and_who_decides(self):
        page = self.open_page(self.add_device(by="maria"), "jorge")
        item = page.locator("#claim-present")
        item.get_by_role("button", name="Dispute", exact=True).click()
        expect(item.locator(".claim-how")).to_contain_text("until other people confirm it again")
        expect(item.locator(".claim-how")).to_contain_text("Contributors decide")

    def test_an_answer_that_does_not_count_yet_does_not_contradict_the_count(self):
        page = self.open_page(self.add_device(by="maria"), "maria")
        self.two_taps(page, "present", "Dispute", "I looked there myself")
        item = page.locator("#claim-present")
        expect(item.locator(".claim-mine")).to_contain_text("You disputed this")
        expect(item.locator(".claim-mine")).to_contain_text("because you added this device")
        expect(item).not_to_contain_text("No confirmations or disputes yet")

    def test_a_user_who_said_that_it_is_gone_is_not_asked_again(self):
        device = self.add_device(by="maria")
        with self.farol().database() as database:
            database.execute("UPDATE device SET stale_on = '2021-01-01' WHERE id = ?", (device,))
        page = self.open_page(device, "jorge")
        page.get_by_role("button", name="No, it is gone").click()
        expect(page.locator("#claim-present .claim-mine")).to_contain_text("You disputed this")
        expect(page.locator(".still-there")).to_have_count(0)

    def test_the_rule_is_one_tap_away(self):
        page = self.open_page(self.add_device(by="maria"))
        page.get_by_text("How is the status decided?").click()
        expect(page.locator(".rule li")).to_have_count(6)

    def test_works_by_keyboard(self):
        device = self.add_device(by="maria")
        page = self.open_page(device, "jorge")
        page.locator("#claim-operator").get_by_role("button", name="Confirm", exact=True).focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        expect(page.locator("#claim-operator").get_by_role("button", name="I have seen it")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#claim-operator .claim-mine")).to_be_visible()

    def test_meets_wcag_with_an_open_question(self):
        device = self.add_device(by="maria")
        found = []
        for language in ("en", "pt"):
            page = self.open_page(device, "jorge", size=NARROW, language=language)
            page.locator("#claim-present .claim-confirm").click()
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                found += [f"{language} {theme}: {fault}" for fault in violations(page)]
            self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)
        self.assertEqual(found, [])


class StillThereTests(WritingTest):
    def due_device(self, **properties):
        """A device without a confirmation within the period of its category."""
        device = self.add_device(by="maria", **properties)
        with self.farol().database() as database:
            database.execute(
                "UPDATE device SET stale_on = '2020-01-01', created_at = '2018-01-01T00:00:00Z' WHERE id = ?", (device,
                    ))
        return device

    def test_a_due_device_asks_and_one_tap_answers(self):
        device = self.due_device()
        page = self.page_of("jorge")
        page.goto(f"/devices/{device}")
        asks = page.get_by_role("region", name="Is it still there?")
        expect(asks).to_be_visible()
        asks.get_by_role("button", name="Yes, I have seen it").click()
        expect(asks).to_have_count(0)
        expect(page.locator("#claim-present")).to_contain_text("1 person confirms it")
        self.assertGreater(self.said(device, "stale_on"), "2026")

    def test_the_card_over_the_map_asks_too(self):
        device = self.due_device(place=[28.0, -31.5])
        page = self.page_of("jorge")
        page.goto(f"/?device={device}#map=15.00/-31.50000/28.00000")
        asks = page.locator("#card").get_by_role("region", name="Is it still there?")
        asks.get_by_role("button", name="No, it is gone").click()
        expect(page.locator("#card")).to_contain_text("Disputed")
        self.assertEqual(self.device(device)["properties"]["claims"][0]["disputes"], 1)

    def test_a_visitor_is_asked_to_sign_in(self):
        page = self.page_of()
        page.goto(f"/devices/{self.due_device()}")
        page.get_by_role("button", name="Yes, I have seen it").click()
        asks = page.locator(".still-there")
        expect(asks).to_contain_text("An account makes sure that each person counts once")
        asks.get_by_role("link", name="Sign in").click()
        page.wait_for_url("**/sign-in?then=*")
        self.assertIn("say=present.confirm", self.query(page)["then"])
        expect(page.locator("main")).to_contain_text("Sign in to confirm or dispute a device")

    def test_recent_and_removed_devices_do_not_ask(self):
        page = self.page_of()
        for device in (self.add_device(by="maria"), self.due_device()):
            with self.farol().database() as database:
                database.execute("UPDATE device SET status = 'removed' WHERE id = ? AND stale_on < '2021'", (device,))
            page.goto(f"/devices/{device}")
            expect(page.locator("#section-sure")).to_be_visible()
            expect(page.locator(".still-there")).to_have_count(0)
