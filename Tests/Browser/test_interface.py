"""The page about the API and its HTML responses for readers."""

from playwright.sync_api import expect

from support.axe import violations
from support.case import BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.layout import WIDER_THAN_WINDOW

ITEMS = "/api/collections/devices/items"
PAGES = ("/api/docs", "/api?f=html", "/api/collections?f=html", "/api/collections/devices?f=html",
         "/api/collections/devices/queryables?f=html", f"{ITEMS}?f=html&limit=3")


class InterfacePageTests(BrowserTest):
    def test_is_searched_while_typing_by_keyboard(self):
        page = self.open("/api/docs")
        page.locator("h1").click()
        page.keyboard.press("/")
        box = page.get_by_role("searchbox")
        expect(box).to_be_focused()
        page.keyboard.type("bbox antimeridian")
        expect(page.locator("#getDevices")).to_be_visible()
        expect(page.locator("#signIn")).to_be_hidden()
        expect(page.locator("#docs-found")).to_contain_text("found")
        page.keyboard.press("Enter")
        expect(page.locator(".operation[open]")).to_have_count(1)
        box.focus()
        page.keyboard.press("Escape")
        expect(page.locator("#signIn")).to_be_visible()
        box.fill("no operation has this")
        expect(page.locator("#docs-found")).to_have_text("No operation or schema matches.")

    def test_an_address_opens_the_named_part(self):
        page = self.open("/api/docs#getDevice")
        expect(page.locator("#getDevice")).to_have_attribute("open", "")
        page.goto("/api/docs#shape-device")
        expect(page.locator("#shape-device")).to_have_attribute("open", "")

    def test_is_readable_without_scripts_and_in_portuguese(self):
        page = self.new_page(java_script_enabled=False, language="pt")
        page.goto("/api/docs")
        expect(page.locator("h1")).to_have_text("API")
        page.locator("#getDevices > summary").click()
        expect(page.locator("#getDevices")).to_contain_text("Parâmetros")

    def test_links_lead_from_the_collections_to_a_device(self):
        page = self.open("/api/docs")
        page.get_by_role("link", name="Browse the collections").click()
        page.get_by_role("link", name="Devices").first.click()
        expect(page.locator("h1")).to_have_text("Devices")
        page.goto(f"{ITEMS}?f=html&limit=3")
        expect(page.locator(".resource-table tbody tr")).to_have_count(3)
        page.get_by_role("link", name="Next page").first.click()
        expect(page.locator(".resource-table tbody tr")).to_have_count(3)
        name = page.locator(".resource-table tbody th a").first
        words = name.inner_text()
        name.click()
        expect(page.locator("h1")).to_have_text(words)

    def test_fits_the_window_and_everything_is_reachable(self):
        # The page of the interface has 24,000 elements, which axe checks for ten seconds.
        checked = ((DESKTOP, "light"), (NARROW, "dark"))
        for size in (DESKTOP, PHONE, NARROW):
            for scheme in ("light", "dark"):
                page = self.new_page(size=size, theme=scheme)
                for path in PAGES:
                    with self.subTest(path, size=size, scheme=scheme):
                        page.goto(path)
                        expect(page.locator("#menu-place button").first).to_be_visible()
                        self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [])
                        if (size, scheme) in checked:
                            self.assertEqual(violations(page), [])
