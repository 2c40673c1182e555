"""Proposed lists: a contributor proposes one, a moderator accepts a part of it, and undoes that."""

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW
from support.proposing import FILE, ROWS, ProposingTest


class ProposalTests(ProposingTest):
    def on_map(self):
        names = [feature["properties"]["name"] for feature in self.farol().items(limit=1000)["features"]]
        return sorted(name for name in names if name.startswith(("Mole camera", "Madrid camera")))

    def withdraw_all(self):
        with self.farol().database() as database:
            database.execute("DELETE FROM proposal")

    def setUp(self):
        super().setUp()
        self.withdraw_all()

    def test_a_list_is_proposed_accepted_in_part_seen_on_the_map_and_undone(self):
        page = self.wizard()
        page.locator("[data-act=test]").click()
        report = page.locator(".import-report")
        expect(report).to_contain_text("Far from the other devices of the list")
        expect(report.locator(".import-notes tbody tr")).to_have_count(1)
        expect(report.locator(".lists-devices tbody tr")).to_have_count(6)
        self.assertEqual([], self.on_map())
        page.locator("#lists-comment").fill("From the port, in spring")
        page.locator("[data-act=send]").click()
        page.wait_for_url("**/lists/*-*")
        expect(page.locator("main")).to_contain_text("Waits for a decision")
        self.assertEqual([], self.on_map())
        identifier = page.url.rsplit("/", 1)[1]

        desk = self.decision(identifier)
        expect(desk.locator("main")).to_contain_text("From the port, in spring")
        expect(desk.locator("main")).not_to_contain_text("291 000 001")
        desk.get_by_label("Accept Madrid camera").uncheck()
        expect(desk.locator("[data-act=accept]")).to_have_text("Accept 5 devices")
        desk.locator("[data-act=accept]").click()
        expect(desk.locator(".complaint")).to_have_text("Write why some devices are not accepted.")
        desk.locator("#lists-reason").fill("Madrid is not on the mole")
        desk.locator("[data-act=accept]").click()
        expect(desk.locator(".import-page > p[role=status]")).to_have_text("Accepted in part: 5 of 6")
        self.assertEqual([f"Mole camera {number}" for number in range(1, 6)], self.on_map())

        page.reload()
        expect(page.locator("main")).to_contain_text("Accepted in part: 5 of 6")
        expect(page.locator("main")).to_contain_text("Madrid is not on the mole")
        desk.goto("/moderation/log")
        expect(desk.locator("tbody tr").first).to_contain_text("Accept a proposed list")
        expect(desk.locator("tbody tr").first).to_contain_text("pier.csv")

        desk.goto(f"/moderation/lists/{identifier}")
        desk.locator("[data-act=undo]").click()
        desk.locator("dialog textarea, dialog input").first.fill("The wrong year")
        desk.locator("dialog").get_by_role("button", name="Undo the acceptance").click()
        expect(desk.locator(".import-page > p[role=status]")).to_have_text("Acceptance undone")
        self.assertEqual([], self.on_map())

    def test_a_moderator_who_comes_second_sees_the_decision_of_the_first(self):
        self.allowed_errors = (r"status of 409",)
        identifier, _ = self.proposed()
        first = self.decision(identifier, "vera")
        second = self.decision(identifier, "walt")
        first.locator("#lists-reason").fill("Out of date")
        first.locator("[data-act=refuse]").click()
        expect(first.locator(".import-page > p[role=status]")).to_have_text("Refused")
        second.locator("[data-act=accept]").click()
        expect(second.locator(".import-page > p[role=status]")).to_have_text("Refused")
        expect(second.locator("body")).to_contain_text("Another moderator has already decided this.")
        self.assertEqual([], self.on_map())

    def test_a_contributor_withdraws_a_list(self):
        _, page = self.proposed()
        page.locator("[data-act=withdraw]").click()
        page.locator("dialog").get_by_role("button", name="Withdraw the list").click()
        page.wait_for_url("**/lists")
        expect(page.locator("main")).to_contain_text("You have not proposed a list.")

    def test_the_licence_is_asked_for_before_anything_is_sent(self):
        page = self.wizard()
        page.locator("select[name=licence]").select_option("")
        page.locator("[data-act=test]").click()
        expect(page.locator(".wizard .form-trouble")).to_be_visible()
        page.locator(".wizard .form-trouble a").first.click()
        expect(page.locator("select[name=licence]")).to_be_focused()

    def test_the_keyboard_alone_selects_and_decides(self):
        identifier, _ = self.proposed()
        page = self.decision(identifier)
        page.locator("[data-act=none]").focus()
        page.keyboard.press("Enter")
        expect(page.locator("[data-act=accept]")).to_be_hidden()
        box = page.get_by_label("Accept Mole camera 1")
        box.focus()
        page.keyboard.press("Space")
        expect(page.locator("[data-act=accept]")).to_have_text("Accept 1 device")
        page.locator("#lists-reason").focus()
        page.keyboard.type("Only one is there")
        page.locator("[data-act=accept]").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".import-page h2")).to_be_focused()
        self.assertEqual(["Mole camera 1"], self.on_map())
        page.locator("[data-act=undo]").click()
        page.locator("dialog textarea, dialog input").first.fill("Test")
        page.locator("dialog").get_by_role("button", name="Undo the acceptance").click()
        expect(page.locator(".import-page > p[role=status]")).to_have_text("Acceptance undone")

    def test_the_pages_are_accessible_and_fit_on_narrow_screens(self):
        identifier, _ = self.proposed()
        for language in ("en", "pt"):
            for theme in ("light", "dark"):
                mine = self.page_of("maria", size=NARROW, language=language, theme=theme)
                for path in ("/lists", f"/lists/{identifier}"):
                    mine.goto(path)
                    expect(mine.locator("main :is(.account-list li, tbody tr)").first).to_be_visible()
                    self.judge(mine)
                self.with_role("vera", "moderator")
                desk = self.page_of("vera", size=NARROW, language=language, theme=theme)
                desk.goto(f"/moderation/lists/{identifier}")
                expect(desk.locator("[data-act=accept]")).to_be_visible()
                self.judge(desk)

    def judge(self, page):
        self.assertEqual([], violations(page))
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), NARROW["width"])
