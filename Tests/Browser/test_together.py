"""Operators that devices name, and requests that people make together, with accounts."""

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import DESKTOP, NARROW, PHONE
from test_operators import OperatorTest


class NamedOperatorTests(OperatorTest):
    def test_from_the_list_to_the_devices_of_an_operator(self):
        first = self.add_device("Koko Chicken")
        self.add_device("Koko Chicken")
        self.add_device("KOKO  Chicken AG")
        self.add_device("Bela & Filhos, Lda.")
        page = self.page_of(size=PHONE)
        page.goto("/operators")
        rows = page.locator(".operator-row")
        expect(rows.filter(has_text="Koko Chicken")).to_contain_text("3 devices")
        page.get_by_label("Search by name").fill("chick")
        expect(rows).to_have_count(1)
        self.assertIn("q=chick", self.address(page))
        rows.get_by_role("link").click()
        expect(page.locator("h1")).to_have_text("Koko Chicken")
        self.assertTrue(self.address(page).endswith("/operators/named/koko-chicken"))
        expect(page.locator(".operator-checked")).to_contain_text("only by the devices on the map")
        expect(page.locator("#spellings-title + p + ul li")).to_have_count(2)
        page.get_by_role("link", name="Claim this organisation").click()
        page.wait_for_url("**/operators/register?name=*")
        page.goto(f"/devices/{first}")
        link = page.locator(".device-operator a")
        expect(link).to_have_attribute("href", "/operators/named/Koko%20Chicken")
        link.click()
        page.wait_for_url("**/operators/named/*")
        expect(page.locator("h1")).to_have_text("Koko Chicken")

    def test_claiming_fills_in_the_name(self):
        self.add_device("Market Cameras SA")
        page = self.page_of(self.person("claimer"))
        page.goto("/operators/named/market-cameras")
        page.get_by_role("link", name="Claim this organisation").click()
        expect(page.locator("form [name=name]")).to_have_value("Market Cameras SA")

    def test_a_name_on_a_household_device_is_no_link(self):
        device = self.add_device("Maria Exemplo", category="doorbell_camera")
        page = self.page_of()
        page.goto(f"/devices/{device}")
        expect(page.get_by_text("Maria Exemplo").first).to_be_visible()
        expect(page.get_by_role("link", name="Maria Exemplo")).to_have_count(0)
        page.goto("/operators/named/Maria%20Exemplo")
        expect(page.locator("h1")).to_have_text("Operator not found")

    def test_a_moderator_merges_operators_and_undoes_it(self):
        self.add_device("North Cameras")
        self.add_device("NC Holding")
        page = self.page_of(self.person("mia", "moderator"), size=DESKTOP)
        page.goto("/operators/named/nc-holding")
        page.get_by_label("Merge into the operator (name)").fill("North Cameras")
        page.get_by_role("button", name="Merge").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Reason").fill("The same imprint")
        dialog.get_by_role("button", name="Decide").click()
        page.wait_for_url("**/operators/named/*orth*")
        expect(page.locator(".lead")).to_contain_text("2 devices")
        page.goto("/moderation/log")
        row = page.locator(".log tbody tr").filter(has_text="nc-holding → north-cameras").first
        row.get_by_role("button", name="Undo").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Reason").fill("Two companies")
        dialog.get_by_role("button", name="Undo").click()
        expect(row).to_contain_text("Undone")
        page.goto("/operators/named/nc-holding")
        expect(page.locator("h1")).to_have_text("NC Holding")


class TogetherTests(OperatorTest):

    def test_a_request_is_made_common_and_others_join_it(self):
        device = self.add_device("Metro Exemplo AG")
        ana, rui = self.person("ana"), self.person("rui")
        choice = ana.send(
            "POST", "/api/choices", {"device": device, "kind": "access", "language": "en", "country": "PT"},
            expect=201)[2]["id"]
        page = self.page_of(ana, size=PHONE)
        page.goto(f"/choices/{choice}")
        expect(page.locator("#now-title")).to_be_visible()
        expect(page.locator("#together-title")).to_have_count(0)
        ana.send("POST", f"/api/choices/{choice}/events", {"event": "sent", "channel": "email"}, expect=200)
        page.reload()
        page.get_by_role("button", name="Make this request common").click()
        page.wait_for_url("**/together/*")
        expect(page.locator("#together-now")).to_have_text("Fewer than ten people have asked so far")
        expect(page.locator(".together-own")).to_contain_text("You are taking part.")
        address = self.address(page)

        visitor = self.page_of(size=NARROW)
        visitor.goto(address)
        expect(visitor.get_by_role("link", name="Sign in to join")).to_be_visible()
        self.assertEqual(violations(visitor), [])
        for username in ("ana", "rui"):
            self.assertNotIn(username, visitor.locator("main").inner_text().lower())

        other = self.page_of(rui, size=PHONE)
        other.goto("/operators/named/metro-exemplo")
        other.get_by_role("button", name="Join with your own letter").click()
        other.wait_for_url("**/choices/*")
        expect(other.locator(".letter-body")).not_to_be_empty()
        own = self.address(other).split("/choices/")[1].split("#")[0]
        self.assertNotEqual(own, choice)
        rui.send("POST", f"/api/choices/{own}/events", {"event": "sent", "channel": "email"}, expect=200)

        with self.farol().database() as database:
            database.execute(
                """UPDATE common_request SET people = 37, counted_on = date('now'), shown_on = date('now'),
                due_on = date('now', '+30 days')""")
        other.goto(address)
        expect(other.locator(".together-own")).to_contain_text("You are taking part.")
        page.goto(f"/choices/{choice}")
        expect(page.get_by_role("link", name="Page of the common request")).to_be_visible()
