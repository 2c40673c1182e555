"""The open map follows changes of others."""

from playwright.sync_api import expect

from support.case import FUNCHAL
from support.neighbour import NeighbourTest

ELSEWHERE = [6.14, 46.2]


class LiveTests(NeighbourTest):
    def listening(self, **options):
        """A page whose stream of changes is open."""
        page = self.new_page(**options)
        with page.expect_response(lambda response: "/api/live?" in response.url and response.status == 200):
            page.goto(FUNCHAL)
        return self.settled(page)

    def news(self, page):
        return page.locator(".list-news")

    def test_a_new_device_appears_in_list_and_count_without_reloading(self):
        page = self.listening()
        before = self.count(page)
        page.mouse.move(1_000, 10)
        self.add("Camera of a neighbour")
        expect(page.locator(".row-name", has_text="Camera of a neighbour")).to_be_visible()
        self.assertEqual(self.count(page), before + 1)
        expect(page.locator("#announcer")).to_have_text("1 new device here")
        expect(self.news(page)).to_be_hidden()

    def test_a_change_loads_the_tiles_of_devices_again_and_no_other_tiles(self):
        page = self.listening()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        self.add("Another camera of a neighbour")
        expect(page.locator(".row-name", has_text="Another camera of a neighbour")).to_be_visible()
        self.until(lambda: any("/api/tiles/devices/" in url for url in asked), "tiles with the new device")
        self.settled(page)
        self.assertEqual([url for url in asked if "/basemap/" in url or "/streets/" in url], [])

    def test_a_list_that_is_being_read_does_not_jump(self):
        page = self.listening()
        page.locator(".device-row").nth(1).focus()
        names = self.names(page)
        self.add("First of two")
        expect(self.news(page)).to_have_text("1 new device here")
        self.add("Second of two")
        expect(self.news(page)).to_have_text("2 new devices here")
        self.assertEqual(self.names(page), names)
        self.news(page).press("Enter")
        expect(page.locator(".row-name", has_text="Second of two")).to_be_visible()
        expect(self.news(page)).to_be_hidden()
        expect(page.locator("#list-title")).to_be_focused()

    def test_a_device_elsewhere_changes_nothing(self):
        page = self.listening()
        page.locator(".device-row").nth(1).focus()
        self.add("Camera in Geneva", ELSEWHERE)
        self.add("Camera here")
        expect(self.news(page)).to_have_text("1 new device here")

    def test_what_happened_while_offline_is_shown_afterwards(self):
        page = self.listening()
        page.mouse.move(1_000, 10)
        page.context.set_offline(True)
        self.server.stop()
        self.server.start()
        self.add("Camera of a quiet hour")
        page.context.set_offline(False)
        expect(page.locator(".row-name", has_text="Camera of a quiet hour")).to_be_visible(timeout=60_000)

    def test_a_hidden_page_does_not_listen(self):
        page = self.listening()
        streams = []
        page.on("request", lambda request: "/api/live?" in request.url and streams.append(request.url))
        hide = "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });" \
            " document.dispatchEvent(new Event('visibilitychange')); }"
        page.evaluate(hide, True)
        self.add("Camera of a hidden hour")
        page.wait_for_timeout(1_000)
        self.assertFalse(page.locator(".row-name", has_text="Camera of a hidden hour").count())
        page.evaluate(hide, False)
        expect(page.locator(".row-name", has_text="Camera of a hidden hour")).to_be_visible()
        # It continues where it stopped.
        self.assertIn("after=", streams[-1])

    def test_it_speaks_portuguese_and_fits_a_small_phone(self):
        page = self.listening(language="pt", size={"width": 320, "height": 640})
        before = self.count(page)
        self.add("Baliza nova")
        expect(page.locator("#announcer")).to_have_text("1 aparelho novo aqui")
        expect(page.locator("#list-title")).to_contain_text(str(before + 1))
        self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)
