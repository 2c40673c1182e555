"""A browser that cannot draw the map still shows the list with all its functions."""

from playwright.sync_api import expect

from support.case import FUNCHAL, KINDS, SELVAGEM, BrowserTest
from support.chromium import PHONE


class WithoutWebGLTests(BrowserTest):
    # The browser reports that it has no WebGL.
    allowed_errors = (r"WebGL", r"webgl", r"GPU", r"3D")

    def open(self, path=FUNCHAL, **options):
        return super().open(path, with_map=False, **options)

    def test_the_list_replaces_the_map_and_gives_the_reason(self):
        page = self.open(FUNCHAL)
        expect(page.locator(".no-map-notice")).to_contain_text("This browser cannot draw the map")
        self.assertEqual(
            self.count(page), self.farol().items(bbox=self.asked_box(page))["numberMatched"])
        self.assertIn("Market hall camera", self.names(page))

    def test_buttons_move_and_enlarge_the_area(self):
        page = self.open(FUNCHAL)
        before = self.view(page)
        page.get_by_role("button", name="Zoom out").click()
        self.until(lambda: self.view(page)[0] == before[0] - 1, "a wider area")
        page.get_by_role("button", name="Move north").click()
        self.until(lambda: self.view(page)[1] > before[1], "an area further north")
        self.settled(page)
        self.assertEqual(
            self.count(page), self.farol().items(bbox=self.asked_box(page))["numberMatched"])

    def test_search_cards_and_pages_work(self):
        page = self.open(KINDS)
        page.get_by_role("combobox").fill("hut camera")
        page.get_by_role("option", name="Warden’s hut camera").click()
        expect(page.locator("#card h2")).to_have_text("Warden’s hut camera")
        page.get_by_role("link", name="View full details").click()
        expect(page.locator("h1")).to_have_text("Warden’s hut camera")
        # The page detects only by trying that there can be no map.
        expect(page.locator(".device-map")).to_have_count(0)

    def test_a_phone_shows_the_complete_list(self):
        page = self.open(SELVAGEM, size=PHONE)
        expect(page.locator(".device-row").first).to_be_visible()
        self.assertLessEqual(*page.evaluate(
            "() => [document.documentElement.scrollWidth, innerWidth]"))
