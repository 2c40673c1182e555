"""Outages: a short message, no loss of typed text, and automatic recovery."""

import signal

from playwright.sync_api import expect

from support.adding import Adding
from support.case import FUNCHAL, SELVAGEM, BrowserTest
from support.farol import own_farol

SENTENCE = {
    "en": "We are having connection problems, please wait for a while",
    "pt": "Estamos com problemas de ligação, aguarde um momento, por favor",
}
SAVED = {"en": "Offline, showing saved data", "pt": "Sem ligação"}


class OutageTests(BrowserTest):
    allowed_errors = (r"ERR_FAILED", r"ERR_CONNECTION_REFUSED", r"was preloaded using link preload")  # also for routes that the tests interrupt

    def setUp(self):
        super().setUp()
        self.server = own_farol().start()
        self.addCleanup(self.server.stop)

    def farol(self):
        return self.server

    def outage(self, page, language="en"):
        return page.get_by_role("status").filter(has_text=SENTENCE[language])

    def test_the_map_shows_a_message_keeps_the_text_and_recovers_by_itself(self):
        page = self.open(FUNCHAL)
        names = self.names(page)
        self.server.stop()
        page.get_by_role("combobox").fill("pier")
        expect(self.outage(page)).to_be_visible()
        self.assertEqual(page.locator(".notice p").first.inner_text(), SENTENCE["en"])
        page.get_by_role("button", name="Zoom in").click()
        expect(page.get_by_role("combobox")).to_have_value("pier")
        self.assertEqual(self.names(page), names)

        self.server.start()
        expect(self.outage(page)).to_have_count(0)
        expect(page.get_by_role("combobox")).to_have_value("pier")
        self.settled(page)
        box = self.asked_box(page)
        self.assertEqual(self.count(page), self.server.items(bbox=box)["numberMatched"])

    def test_the_message_is_in_portuguese_too(self):
        page = self.open(FUNCHAL, language="pt")
        self.server.stop()
        page.get_by_role("combobox").fill("cais")
        expect(self.outage(page, "pt")).to_be_visible()
        self.assertEqual(page.locator(".notice p").first.inner_text(), SENTENCE["pt"])

    def test_a_filter_selected_during_the_outage_applies_afterwards(self):
        page = self.open(FUNCHAL)
        page.locator(".filters-open").click()
        dialog = page.locator("dialog.filters")
        expect(dialog.locator("label").first).to_be_visible()
        self.server.stop()
        dialog.locator("label").filter(has_text="Webcam").first.click()
        expect(page.locator(".notice")).to_be_attached()
        self.assertEqual(self.query(page)["category"], "webcam")
        self.server.start()
        self.waits_for_title(page, "^1 camera here$")
        self.assertEqual(self.names(page), ["Harbour webcam"])

    def test_the_page_of_a_device_shows_a_message_and_loads_afterwards(self):
        device = self.server.device("Warden’s hut camera")
        page = self.open(SELVAGEM)
        # The page loads but its data do not.
        page.route("**/api/collections/devices/items/*", lambda route: route.abort("connectionrefused"))
        page.goto(f"/devices/{device['id']}")
        expect(self.outage(page)).to_be_visible()
        page.unroute("**/api/collections/devices/items/*")
        expect(page.locator("h1")).to_have_text("Warden’s hut camera")
        expect(self.outage(page)).to_have_count(0)

    def test_a_first_visit_keeps_the_devices_in_view_for_offline_use(self):
        page = self.open(SELVAGEM, service_workers="allow")
        names = self.names(page)
        self.until(lambda: page.evaluate("""async () => {
          const kept = await (await caches.open('farol-answers-1')).keys();
          const tiles = await (await caches.open('farol-tiles-1')).keys();
          return kept.some(({ url }) => url.includes('/items?')) && tiles.length > 1;
        }"""), "the answers of the first visit to be kept")
        self.server.stop()
        page.reload()
        expect(page.locator(".notice-saved")).to_have_text("Offline, showing saved data")
        self.settled(page)
        self.assertEqual(self.names(page), names)
        page.goto("/statistics")
        expect(page.locator("h1")).to_have_text("Statistics")
        expect(page.locator(".figure-trouble").first).to_be_visible()
        self.server.start()

    def test_a_page_that_is_not_saved_says_so_and_opens_afterwards(self):
        page = self.open(SELVAGEM, service_workers="allow")
        self.until(lambda: page.evaluate("() => Boolean(navigator.serviceWorker.controller)"),
                   "the service worker to take over")
        self.server.stop()
        page.goto("/terms")
        expect(page.locator("h1")).to_have_text("This page is not saved on this device")
        expect(page.get_by_role("link", name="Go to the map")).to_be_visible()
        self.server.start()
        expect(page.locator("h1")).to_have_text("Terms and privacy notice")

    def test_every_page_has_an_offline_answer(self):
        page = self.open(SELVAGEM, service_workers="allow")
        self.until(lambda: page.evaluate("() => Boolean(navigator.serviceWorker.controller)"),
                   "the service worker to take over")
        self.server.stop()
        for path in ("/operators", "/watches", "/mapping-days", "/inbox", "/moderation", "/admin", "/places/2267827",
                     "/together/1", "/lists", "/account"):
            with self.subTest(path):
                page.goto(path)
                expect(page.locator("h1")).to_have_text("This page is not saved on this device")
        self.server.start()

    def test_offline_the_last_view_comes_with_its_list_and_a_waiting_draft(self):
        page = self.saved()
        names = self.names(page)
        adding = Adding(page).begin()
        expect(page.locator(".crosshair")).to_be_visible()
        adding.next().asks("What is it?").kind("webcam").asks("What do you call it?")
        self.server.stop()
        adding.done().asks("Last step: an account")
        page.goto("/")
        expect(page.locator(".drafts-button")).to_have_text("1 device waits to be sent")
        self.settled(page)
        self.assertEqual(self.names(page), names)
        self.server.start()

    def test_after_an_outage_list_and_map_are_read_again(self):
        page = self.saved()
        self.server.stop()
        page.reload()
        expect(page.locator(".notice-saved")).to_be_visible()
        self.settled(page)
        before = len(self.witness.requests)
        self.server.start()
        expect(self.outage(page)).to_have_count(0)
        for part in ("/api/collections/devices/items?", "/api/tiles/devices/"):
            self.until(lambda: any(part in url for url in self.witness.requests[before:]), f"{part} to be read again")

    def saved(self):
        """A page that the service worker has stored with all its data."""
        page = self.open(SELVAGEM, service_workers="allow")
        page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        self.until(lambda: page.evaluate("() => Boolean(navigator.serviceWorker.controller)"),
                   "the service worker to take over")
        page.reload()  # now the service worker serves and stores everything
        return self.settled(page)

    def test_a_server_that_does_not_answer_for_seconds_is_replaced_by_saved_data(self):
        page = self.saved()
        names = self.names(page)
        self.server.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.server.process.send_signal, signal.SIGCONT)
        page.reload(wait_until="commit")
        expect(page.locator(".row-name").first).to_have_text(names[0])
        self.assertEqual(self.names(page), names)

    def test_offline_a_reload_shows_the_page_and_saved_data_with_a_notice(self):
        page = self.saved()
        title, names = self.title(page), self.names(page)
        self.server.stop()
        page.reload()
        expect(self.outage(page)).to_be_visible()
        expect(page.locator(".notice-saved")).to_have_text("Offline, showing saved data")
        self.settled(page)
        self.assertEqual(self.title(page), title)
        self.assertEqual(self.names(page), names)
        self.assertTrue(page.evaluate("() => document.querySelector('#map.is-drawn') !== null"))

        page.goto("/about")
        expect(page.locator("h1")).to_have_text("About Farol")
        self.server.start()
        expect(self.outage(page)).to_have_count(0)
