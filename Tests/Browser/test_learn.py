"""The learning pages: the introduction, the glossary, a page for each category, and definitions in place."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.axe import violations
from support.case import BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.layout import SIZES, SMALL_TARGETS, WIDER_THAN_WINDOW

PAGES = ("/learn", "/learn/glossary", "/learn/alpr", "/learn/other")
OPEN = ".bubble:popover-open"


class LearnPageTests(BrowserTest):
    def test_every_page_links_to_the_introduction_in_its_menu_and_footer(self):
        device = self.farol().device("Market hall camera")
        page = self.open("/about")
        for path in ("/about", "/terms", "/sign-in", f"/devices/{device['id']}", "/learn"):
            with self.subTest(path):
                page.goto(path)
                expect(page.locator("#menu-place button").first).to_be_visible()
                foot = page.get_by_role("contentinfo")
                expect(foot.get_by_role("link", name="Privacy and connected devices")).to_be_visible()
        for path in ("/about", "/"):
            page.goto(path)
            page.locator(".menu-button").click()
            page.locator("#menu").get_by_role("link", name="Privacy and connected devices").click()
            expect(page.locator("h1")).to_have_text("Privacy and connected devices")
            self.assertEqual(urlsplit(self.address(page)).path, "/learn")

    def test_the_introduction_links_to_every_category_and_the_glossary(self):
        page = self.open("/learn")
        expect(page.locator(".kinds a")).to_have_count(24)
        page.locator(".kinds").get_by_role("link", name="Number-plate reader").click()
        expect(page.locator("h1")).to_have_text("Number-plate reader")
        for heading in ("What it is", "How to recognise it", "Often mistaken for", "What it collects",
                        "What you can do", "Sources"):
            expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        self.assertGreater(page.locator("h1 .icon").bounding_box()["width"], 20)
        page.get_by_role("link", name="Show them on the map").click()
        self.settled(page)
        expect(page.locator("#filter-bar")).to_contain_text("Number-plate reader")

    def test_the_pages_are_readable_without_scripts(self):
        page = self.new_page(java_script_enabled=False, language="pt")
        for path, words in (("/learn", "Os seus direitos"), ("/learn/glossary", "Dados pessoais"),
                            ("/learn/toy", "Com que se confunde")):
            with self.subTest(path):
                page.goto(path)
                expect(page.locator("main")).to_contain_text(words)
                self.assertEqual(page.evaluate("() => document.documentElement.lang"), "pt")
                self.assertTrue(page.get_by_role("contentinfo").get_by_role("link", name="Glossário").is_visible())
        page.goto("/learn/toy")
        page.locator("main a", has_text="crianças").first.click()
        self.assertEqual(self.address(page).split("/learn")[1], "/glossary#term-children")

    def test_the_selected_language_applies_here_too(self):
        page = self.open("/learn/glossary", language="en")
        expect(page.locator("h1")).to_have_text("Glossary")
        page.locator(".menu-button").click()
        page.locator("#menu").get_by_text("Português").click()
        expect(page.locator("h1")).to_have_text("Glossário")
        page.goto("/learn/toy")
        expect(page.locator("h1")).to_have_text("Brinquedo ligado")
        page.goto("/learn/toy?lang=en")  # a link contains its language
        expect(page.locator("h1")).to_have_text("Connected toy")

    def test_the_glossary_is_searched_while_typing(self):
        page = self.open("/learn/glossary", language="pt")
        box = page.get_by_role("searchbox")
        all_terms = page.locator(".letter dl > div").count()
        self.assertGreaterEqual(all_terms, 60)
        box.fill("oposicao")  # without its diacritics
        expect(page.get_by_role("status").first).to_contain_text("1 palavra encontrada")
        expect(page.locator("#term-right_to_object")).to_be_visible()
        expect(page.locator(".letter:visible")).to_have_count(1)
        box.press("Enter")
        self.assertTrue(self.address(page).endswith("#term-right_to_object"))
        box.fill("zzzz")
        expect(page.get_by_role("status").first).to_contain_text("Nenhuma palavra")
        box.press("Escape")
        expect(page.locator(".letter dl > div:visible")).to_have_count(all_terms)

    def test_every_link_and_button_is_large_enough_for_a_finger(self):
        page = self.open("/learn/glossary", size=NARROW)
        for path in PAGES:
            page.goto(path)
            expect(page.locator("#menu-place button").first).to_be_visible()
            self.assertEqual(page.evaluate(SMALL_TARGETS, 24), [], path)


class DefinitionTests(BrowserTest):
    def device_page(self, **options):
        device = self.farol().device("Market hall camera")
        page = self.open(f"/devices/{device['id']}", **options)
        expect(page.locator("h1")).to_have_text("Market hall camera")
        page.locator(".unknown-facts summary").click()
        return page

    def test_the_definition_of_a_label_opens_by_keyboard(self):
        page = self.device_page()
        label = page.locator(".unknown-facts li").get_by_role("button", name="Legal basis claimed")
        label.focus()
        page.keyboard.press("Enter")
        bubble = page.get_by_role("dialog", name="Legal basis")
        expect(bubble).to_be_visible()
        expect(bubble).to_be_focused()
        expect(bubble).to_contain_text("The GDPR has six")
        expect(label).to_have_attribute("aria-expanded", "true")
        described = bubble.get_attribute("aria-describedby")
        expect(page.locator(f"#{described}")).to_contain_text("The legal reason")
        links = bubble.get_by_role("link")
        self.assertTrue(links.nth(0).get_attribute("href").endswith("/learn/glossary#term-legal_basis"))
        self.assertTrue(links.nth(1).get_attribute("href").startswith("https://eur-lex.europa.eu/"))
        page.keyboard.press("Tab")  # the close button
        page.keyboard.press("Tab")
        expect(links.nth(0)).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator(OPEN)).to_have_count(0)
        expect(label).to_be_focused()
        expect(label).to_have_attribute("aria-expanded", "false")

    def test_the_definition_of_a_label_opens_by_tap_and_links_to_more(self):
        page = self.device_page(size=PHONE, language="pt")
        page.locator(".unknown-facts li").get_by_role("button", name="Finalidades").tap()
        bubble = page.locator(OPEN)
        expect(bubble).to_contain_text("O uso que se dá aos dados")
        edge = bubble.bounding_box()
        self.assertGreaterEqual(edge["x"], 0)
        self.assertLessEqual(edge["x"] + edge["width"], PHONE["width"])
        bubble.get_by_role("link", name="Mais no glossário").tap()
        expect(page.locator("#term-purpose")).to_be_visible()
        self.assertTrue(self.address(page).endswith("/learn/glossary#term-purpose"))

    def test_a_category_links_to_its_page(self):
        page = self.device_page()
        page.locator("dd").get_by_role("button", name="Fixed camera").click()
        page.locator(OPEN).get_by_role("link", name="More about this kind").click()
        expect(page.locator("h1")).to_have_text("Fixed camera")

    def test_terms_in_a_text_open_in_place(self):
        page = self.open("/learn/alpr", size=PHONE)
        word = page.locator("main").get_by_role("button", name="infrared light")
        word.tap()
        expect(page.locator(OPEN)).to_contain_text("Light that eyes do not see")
        page.locator(OPEN).get_by_role("button", name="Close").tap()
        expect(page.locator(OPEN)).to_have_count(0)

    def test_the_filters_explain_their_terms(self):
        page = self.open()
        page.locator(".filters-open").click()
        explain = page.locator(".facet[open]").get_by_role("button", name="Explain these terms").first
        meaning = page.locator(".facet[open] .meaning").first
        expect(meaning).to_be_hidden()
        box = page.locator(".facet[open] input").first
        self.assertEqual(box.get_attribute("aria-describedby"), meaning.get_attribute("id"))
        explain.focus()
        page.keyboard.press("Enter")
        expect(meaning).to_be_visible()
        expect(meaning).to_contain_text("A camera that always points in the same direction")
        for size in (NARROW, PHONE, DESKTOP):
            page.set_viewport_size(size)
            self.assertEqual(violations(page), [])
            self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [])
        page.keyboard.press("Enter")
        expect(meaning).to_be_hidden()

    def test_an_open_definition_meets_wcag(self):
        page = self.device_page()
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            for size in SIZES.values():
                page.set_viewport_size(size)
                page.locator(".unknown-facts li").get_by_role("button", name="How long it is kept").click()
                expect(page.locator(OPEN)).to_be_visible()
                self.assertEqual(violations(page), [])
                self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [])
                page.keyboard.press("Escape")
