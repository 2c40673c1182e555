"""Devices that need a look, and the way to a first contribution."""

import re

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import DESKTOP, NARROW, PHONE
from support.keeping import WritingTest


class LookTests(WritingTest):
    def at(self, place, username=None, **options):
        """The page, after the reader has shared this position."""
        page = self.page_of(username, permissions=["geolocation"], geolocation={
            "longitude": place[0], "latitude": place[1], "accuracy": 10}, **options)
        page.goto("/look")
        page.get_by_role("button", name="Use my location").click()
        expect(page.locator("#look-title")).to_be_visible()
        return page

    def item(self, page, name):
        return page.locator(".look-list > li").filter(has_text=name)

    def test_lists_what_needs_a_look_the_nearest_first_with_its_reasons(self):
        self.add_device(name="Far gate", place=[60.01, -40.0])
        self.add_device(name="Near gate", place=[60.0001, -40.0], operator={"name": "Parking", "kind": "company"},
                        data_collected=["video"])
        page = self.at([60.0, -40.0])
        names = page.locator(".look-list h3").all_inner_texts()
        self.assertEqual([name for name in names if "gate" in name], ["Near gate", "Far gate"])
        near = self.item(page, "Near gate").locator(".look-reasons")
        expect(near).to_contain_text("Not confirmed by anyone yet")
        expect(near).not_to_contain_text("Operator unknown")
        expect(self.item(page, "Far gate").locator(".look-reasons")).to_contain_text("Operator unknown")

    def test_a_confirmed_device_without_gaps_is_not_listed(self):
        place = [61.0, -41.0]
        device = self.add_device(name="Sure gate", place=place, operator={"name": "Parking", "kind": "company"},
                                 data_collected=["video"])
        self.add_device(name="Other gate", place=[61.001, -41.0])
        for name in ("jorge", "anabela"):
            self.known(name).send("POST", f"/api/collections/devices/items/{device}/claims", {
                "claim": "present", "verdict": "confirm", "basis": "seen"}, expect=200)
        page = self.at(place)
        expect(self.item(page, "Other gate")).to_have_count(1)
        expect(self.item(page, "Sure gate")).to_have_count(0)

    def test_one_tap_confirms_and_the_steps_remember_it(self):
        device = self.add_device(name="Tap gate", place=[62.0, -42.0])
        page = self.at([62.0, -42.0], "jorge")
        steps = page.locator(".look-steps li")
        expect(steps.nth(0)).to_have_class("is-done")
        expect(steps.nth(1)).not_to_have_class("is-done")
        item = self.item(page, "Tap gate")
        item.get_by_role("button", name="Yes").click()
        expect(item.locator(".look-thanks")).to_contain_text("Thank you")
        expect(item.locator(".look-thanks")).to_be_focused()
        expect(steps.nth(1)).to_have_class("is-done")
        self.assertEqual(self.device(device)["properties"]["claims"][0]["confirmations"], 1)
        page.reload()
        expect(steps.nth(1)).to_have_class("is-done")
        item = self.item(page, "Tap gate")
        page.get_by_role("button", name="Use my location").click()
        item.get_by_role("link", name="Add the operator").click()
        page.wait_for_url(f"**/devices/{device}/edit?field=operator")
        page.goto("/look")
        expect(steps.nth(2)).to_have_class("is-done")

    def test_a_visitor_reads_why_an_account_is_needed_and_nothing_is_sent(self):
        device = self.add_device(name="Visitor gate", place=[63.0, -43.0])
        page = self.at([63.0, -43.0])
        expect(page.locator(".look").get_by_role("link", name="Create an account")).to_have_attribute(
            "href", "/sign-up?then=%2Flook")
        item = self.item(page, "Visitor gate")
        item.get_by_role("button", name="Yes").click()
        expect(item.get_by_role("link", name="Sign in")).to_be_focused()
        self.assertEqual(self.device(device)["properties"]["claims"][0]["confirmations"], 0)

    def test_a_link_names_the_position_and_a_place_can_be_typed(self):
        self.add_device(name="Link gate", place=[64.0, -44.0])
        page = self.page_of()
        page.goto("/look?near=64,-44")
        expect(self.item(page, "Link gate")).to_have_count(1)
        field = page.get_by_role("combobox", name="Or a place")
        field.fill("Lisboa")
        page.get_by_role("option").filter(has_text="Lisboa").or_(
            page.get_by_role("option").filter(has_text="Lisbon")).first.click()
        expect(field).to_have_value(re.compile("Lisb"))
        expect(page.locator("#look-title")).to_contain_text("look")
        expect(self.item(page, "Link gate")).to_have_count(0)

    def test_a_refused_position_shows_a_message(self):
        page = self.page_of(permissions=[])
        page.goto("/look")
        page.get_by_role("button", name="Use my location").click()
        expect(page.get_by_role("alert").filter(has_text="did not share your location")).to_be_visible()

    def test_it_is_accessible_in_every_size_theme_and_language(self):
        self.add_device(name="Sized gate", place=[65.0, -45.0])
        for size in (DESKTOP, PHONE, NARROW):
            for theme, language in (("dark", "pt"), ("light", "en")):
                page = self.page_of(size=size, theme=theme, language=language)
                page.goto("/look?near=65,-45")
                expect(self.item(page, "Sized gate")).to_have_count(1)
                self.assertEqual(violations(page), [], f"{size} {theme}")
                self.assertTrue(page.evaluate(
                    "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
