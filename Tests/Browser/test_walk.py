"""The street walk on a phone: the way to the nearest device, answers without a connection, the picture at the end."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import DESKTOP, NARROW, PHONE
from support.keeping import WritingTest
from support.layout import SMALL_TARGETS, WIDER_THAN_WINDOW

LATER = {"operator": {"name": "Parking", "kind": "company"}, "signage": "clear"}


class WalkTests(WritingTest):
    allowed_errors = (r"ERR_INTERNET_DISCONNECTED",)

    def at(self, place, username="jorge", **options):
        """The walk of a person who stands here."""
        page = self.page_of(username, **{"size": PHONE, "permissions": ["geolocation"], "geolocation": self.here(place)}
                            | options)
        page.goto("/walk")
        return page

    def here(self, place):
        return {"longitude": place[0], "latitude": place[1], "accuracy": 8}

    def begin(self, page):
        page.get_by_role("button", name="Start the walk").click()
        expect(page.locator("#walk-name")).to_be_visible()
        return page

    def go(self, page, place):
        page.context.set_geolocation(self.here(place))

    def present(self, device):
        """Confirmations and disputes of the claim that a device is there."""
        claim = self.device(device)["properties"]["claims"][0]
        return claim["confirmations"], claim["disputes"]

    def test_leads_to_the_nearest_device_and_sends_neither_the_position_nor_a_route(self):
        self.add_device(name="Far door", place=[70.004, -40.0])
        self.add_device(name="Near door", place=[70.001, -40.0])
        page = self.begin(self.at([70.0, -40.0]))
        expect(page.locator("#walk-name")).to_have_text("Near door")
        expect(page.locator(".walk-metres")).to_have_text("85 m")
        expect(page.locator(".walk-way")).to_contain_text("To the east.")
        self.assertEqual(page.locator(".walk-needle").get_attribute("transform"), "rotate(90)")
        page.evaluate("""() => dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute', {
            absolute: true, alpha: 0 }))""")
        expect(page.locator(".walk-way")).to_have_text("On the right")
        self.go(page, [70.0038, -40.0])
        expect(page.locator("#walk-name")).to_have_text("Far door")
        self.go(page, [70.00395, -40.0])
        expect(page.locator(".walk-way")).to_have_text("You are there. Look around.")
        for url in self.witness.requests:
            query = parse_qs(urlsplit(url).query)
            self.assertNotIn("near", query if "/items" in url else {})
            for edge in ",".join(query.get("bbox", [])).split(","):
                self.assertLessEqual(len(edge.partition(".")[2]), 2, url)

    def test_answers_given_offline_are_sent_once_when_the_connection_is_back(self):
        first = self.add_device(name="Shop", place=[71.001, -40.0], **LATER)
        second = self.add_device(name="Bank", place=[71.002, -40.0], **LATER)
        page = self.begin(self.at([71.0, -40.0]))
        page.context.set_offline(True)
        page.get_by_role("button", name="Yes", exact=True).click()
        expect(page.locator("#walk-name")).to_have_text("Bank")
        expect(page.locator("#walk-name")).to_be_focused()
        page.get_by_role("button", name="Gone").click()
        expect(page.locator("#walk-none")).to_be_visible()
        expect(page.locator(".walk-tally")).to_have_text("2 devices checked")
        page.get_by_role("button", name="End the walk").click()
        expect(page.get_by_role("heading", name="You checked 2 devices; here is your street")).to_be_focused()
        expect(page.locator("main")).to_contain_text("2 answers are sent as soon as possible.")
        self.assertEqual(self.present(first), (0, 0))
        page.context.set_offline(False)
        self.until(lambda: (self.present(first), self.present(second)) == ((1, 0), (0, 1)), "both answers")
        expect(page.locator("main")).to_contain_text("All answers were sent.")
        posted = [url for url in self.witness.requests if url.endswith("/claims")]
        self.assertEqual(len(posted), 2, posted)

    def test_the_page_itself_opens_offline_and_continues(self):
        self.add_device(name="Kept door", place=[72.001, -40.0], **LATER)
        page = self.at([72.0, -40.0], service_workers="allow")
        page.evaluate("() => navigator.serviceWorker.ready")
        page.reload()
        self.until(lambda: page.evaluate("() => navigator.serviceWorker.controller !== null"), "the service worker")
        self.begin(page)
        page.context.set_offline(True)
        page.reload()
        self.begin(page)
        page.get_by_role("button", name="Yes", exact=True).click()
        expect(page.locator(".walk-tally")).to_have_text("1 device checked")
        page.reload()
        expect(page.get_by_role("button", name="Continue the walk")).to_be_visible()

    def test_a_wrong_tap_is_undone_and_never_sent(self):
        device = self.add_device(name="Undo door", place=[73.001, -40.0], **LATER)
        page = self.begin(self.at([73.0, -40.0]))
        page.get_by_role("button", name="Gone").click()
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#walk-name")).to_have_text("Undo door")
        page.get_by_role("button", name="Yes", exact=True).click()
        self.until(lambda: self.present(device) == (1, 0), "the second answer")

    def test_operator_and_notice_are_carried_along_the_street(self):
        self.add_device(name="First pole", place=[74.001, -40.0])
        second = self.add_device(name="Second pole", place=[74.002, -40.0])
        third = self.add_device(name="Third pole", place=[74.003, -40.0], operator={"name": "Bank", "kind": "company"})
        page = self.begin(self.at([74.0, -40.0]))
        page.get_by_role("button", name="Yes", exact=True).click()
        expect(page.get_by_role("heading", name="Is there a notice?")).to_be_focused()
        page.get_by_label("Notice", exact=True).select_option(label="A clear notice")
        page.get_by_label("Operator").fill("Harbour Authority")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#walk-name")).to_have_text("Second pole")
        page.get_by_role("button", name="Yes", exact=True).click()
        question = page.locator(".walk-notice")
        expect(question.get_by_role("heading")).to_have_text("Same operator, same notice?")
        expect(question).to_contain_text("Harbour Authority")
        expect(question).to_contain_text("First pole")
        question.get_by_role("button", name="Yes, the same").click()
        expect(page.locator("#walk-name")).to_have_text("Third pole")
        page.get_by_role("button", name="Yes", exact=True).click()
        expect(page.locator(".walk-notice").get_by_role("heading")).to_have_text("Same notice?")
        page.locator(".walk-notice").get_by_role("button", name="No, it differs").click()
        page.get_by_label("Notice", exact=True).select_option(label="No notice")
        page.get_by_role("button", name="Save").click()
        self.until(lambda: self.said(third, "signage") == "none", "the notice of the third")
        self.assertEqual(self.said(third, "operator")["name"], "Bank")
        self.until(lambda: self.said(second, "signage") == "clear", "the notice of the second")
        self.assertEqual(self.said(second, "operator")["name"], "Harbour Authority")

    def test_a_visitor_answers_and_the_answers_wait_for_the_account(self):
        device = self.add_device(name="Visitor door", place=[75.001, -40.0], **LATER)
        page = self.begin(self.at([75.0, -40.0], None))
        page.get_by_role("button", name="Yes", exact=True).click()
        page.get_by_role("button", name="End the walk").click()
        expect(page.locator("main")).to_contain_text("1 answer waits in this browser until you sign in.")
        self.assertEqual(self.present(device), (0, 0))
        self.known("anabela").enter(page.context)
        page.goto("/about")
        self.until(lambda: self.present(device) == (1, 0), "the answer of the visitor")

    def test_signing_out_asks_about_answers_that_are_not_sent(self):
        self.allowed_errors = (r"ERR_FAILED",)
        self.add_device(name="Unsent door", place=[75.501, -40.0], **LATER)
        page = self.begin(self.at([75.5, -40.0], "leaving_walker"))
        page.route("**/claims", lambda route: route.abort())
        page.get_by_role("button", name="Yes", exact=True).click()
        expect(page.locator(".walk-tally")).to_have_text("1 device checked")
        page.locator(".menu-button").click()
        page.get_by_role("button", name="Sign out").click()
        dialog = page.locator("dialog.ask")
        expect(dialog).to_contain_text("1 answer of a street walk is not sent yet")
        dialog.get_by_role("button", name="Delete and sign out").click()
        expect(page.locator(".toast")).to_have_text("You are signed out")
        self.assertIsNone(page.evaluate("() => localStorage.getItem('farol.walk')"))

    def test_the_picture_is_downloaded_and_holds_no_place_or_time(self):
        self.add_device(name="Picture door", place=[76.001, -40.0], **LATER)
        page = self.begin(self.at([76.0, -40.0]))
        page.get_by_role("button", name="Yes", exact=True).click()
        page.get_by_role("button", name="End the walk").click()
        picture = page.locator(".walk-picture img")
        expect(picture).to_have_attribute("alt", re.compile("1 still there, 0 gone"))
        with page.expect_download() as download:
            page.get_by_role("link", name="Download the picture").click()
        data = open(download.value.path(), "rb").read()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        for chunk in (b"eXIf", b"tEXt", b"iTXt", b"tIME", b"zTXt"):
            self.assertNotIn(chunk, data)
        kept = page.evaluate("""() => new Promise((resolve) => {
          const request = indexedDB.open('farol-walk');
          request.onsuccess = () => {
            const asked = request.result.transaction('answer').objectStore('answer').getAll();
            asked.onsuccess = () => resolve(asked.result);
          };
        })""")
        self.assertEqual([sorted(one) for one in kept], [[
            "account", "count", "device", "facts", "name", "nextAt", "position", "stage", "trouble", "verdict"]])
        self.assertEqual(kept[0]["position"], [76.001, -40])

    def test_different_and_skipped_devices(self):
        device = self.add_device(name="Odd door", place=[77.001, -40.0], **LATER)
        self.add_device(name="Other door", place=[77.003, -40.0], **LATER)
        page = self.begin(self.at([77.0, -40.0]))
        page.get_by_role("button", name="It looks different").click()
        expect(page.get_by_role("link", name="Correct the facts")).to_have_attribute(
            "href", f"/devices/{device}/edit")
        expect(page.get_by_role("link", name="Dispute what it does")).to_have_attribute(
            "href", f"/devices/{device}?say=function.dispute#claim-function")
        page.get_by_role("button", name="Skip").click()
        expect(page.locator("#walk-name")).to_have_text("Other door")
        page.get_by_role("button", name="Skip").click()
        page.get_by_role("button", name="Show skipped devices").click()
        expect(page.locator("#walk-name")).to_have_text("Odd door")
        page.locator("[data-lead]").filter(has_text="Other door").click()
        expect(page.locator("#walk-name")).to_have_text("Other door")
        self.go(page, [77.0006, -40.0])
        expect(page.locator("#walk-name")).to_have_text("Other door")

    def test_a_refused_position_shows_a_message_and_the_list(self):
        page = self.page_of("jorge", size=PHONE, permissions=[])
        page.goto("/walk")
        page.get_by_role("button", name="Start the walk").click()
        expect(page.get_by_role("alert").filter(has_text="did not share your location")).to_be_visible()

    def test_the_whole_walk_by_keyboard(self):
        device = self.add_device(name="Key door", place=[78.001, -40.0], **LATER)
        page = self.at([78.0, -40.0])
        page.get_by_role("button", name="Start the walk").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#walk-name")).to_be_visible()
        expect(page.locator("#announcer")).to_contain_text("Key door: 85 m. To the east.")
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("() => document.activeElement.textContent.trim()") == "Yes":
                break
        page.keyboard.press("Enter")
        expect(page.locator("#walk-none")).to_be_focused()
        self.until(lambda: self.present(device) == (1, 0), "the answer")

    def test_it_is_accessible_in_every_size_theme_and_language(self):
        self.add_device(name="Sized door", place=[79.001, -40.0])
        words = {"en": ("Start the walk", "Yes", "End the walk"), "pt": ("Começar o passeio", "Sim", "Terminar o passeio")}
        for size in (DESKTOP, PHONE, NARROW):
            for theme, language in (("dark", "pt"), ("light", "en")):
                start, yes, end = words[language]
                page = self.at([79.0, -40.0], size=size, theme=theme, language=language)
                self.sound(page, f"start {size} {theme}")
                page.get_by_role("button", name=start).click()
                expect(page.locator("#walk-name")).to_be_visible()
                self.sound(page, f"target {size} {theme}")
                page.get_by_role("button", name=yes, exact=True).click()
                expect(page.locator(".walk-notice")).to_be_visible()
                self.sound(page, f"notice {size} {theme}")
                page.get_by_role("button", name=end).click()
                expect(page.locator(".walk-picture img")).to_be_visible()
                self.sound(page, f"end {size} {theme}")

    def sound(self, page, what):
        self.assertEqual(violations(page), [], what)
        self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [], what)
        self.assertEqual(page.evaluate(SMALL_TARGETS, 24), [], what)
