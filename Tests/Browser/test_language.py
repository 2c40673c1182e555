"""English and Portuguese, light and dark."""

import json
import re

from playwright.sync_api import expect

from support.case import FUNCHAL, SELVAGEM, BrowserTest
from support.chromium import DESKTOP, PHONE
from support.farol import HOME
from support.map_probe import MapProbe


def catalogue(language):
    return json.loads((HOME / f"public/locale/{language}.json").read_text())


# All text that is visible or read out.
WORDS = """() => {
  const words = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.nodeType === 3) {
      const holder = node.parentElement;
      if (node.textContent.trim() && !holder.closest('script, style, noscript, [lang]:not(html)')) {
        words.push(node.textContent.trim());
      }
    } else if (!node.closest('noscript')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        if (node.getAttribute(name)) words.push(node.getAttribute(name));
      }
    }
  }
  return words;
}"""


class LanguageTests(BrowserTest):
    def english_left(self, page):
        """English texts of the catalogue that a Portuguese page still shows."""
        english, portuguese = catalogue("en"), catalogue("pt")
        same = {english[key] for key in english if portuguese.get(key) == english[key]}
        sentences = {words for words in english.values() if "{" not in words} - same
        sentences -= set(portuguese.values())
        return [words for words in page.evaluate(WORDS) if words in sentences]

    def test_uses_the_language_of_the_browser(self):
        page = self.open(FUNCHAL, language="pt")
        self.assertEqual(page.evaluate("() => document.documentElement.lang"), "pt-PT")
        self.waits_for_title(page, " aqui$")
        self.assertEqual(self.english_left(page), [])

    def test_the_credits_the_hint_and_the_search_of_the_map_are_in_portuguese(self):
        page = self.open(FUNCHAL, language="pt", size=PHONE)
        credits = page.locator(".credits").first
        expect(credits).to_contain_text("Costa: GSHHG")
        expect(credits).to_contain_text("Feito com Natural Earth")
        search = page.locator("#search")
        room = search.evaluate("(one) => { one.value = one.placeholder; return [one.scrollWidth, one.clientWidth]; }")
        self.assertLessEqual(*room, "the placeholder is cut off")
        hint = page.evaluate("() => keptMaps[0]._getUIString('CooperativeGesturesHandler.WindowsHelpText')")
        self.assertEqual(hint, catalogue("pt")["map.gesture.windows"])

    def test_the_switch_changes_every_word_and_is_remembered(self):
        page = self.open(SELVAGEM)
        MapProbe(page).click_at(-15.8662, 30.1406)
        expect(page.locator("#card .card-acts")).to_be_visible()
        page.get_by_role("button", name="Menu").click()
        page.get_by_text("Português").click()
        expect(page.locator("html")).to_have_attribute("lang", "pt-PT")
        self.settled(page)
        expect(page.locator("#card .card-acts")).to_be_visible()
        self.assertEqual(self.english_left(page), [])
        page.locator(".filters-open").click()
        expect(page.locator("dialog.filters")).to_be_visible()
        self.assertEqual(self.english_left(page), [])

        device = self.farol().device("Warden’s hut camera")
        page.goto(f"/devices/{device['id']}")
        expect(page.locator("h1")).to_have_text("Warden’s hut camera")
        expect(page.locator("html")).to_have_attribute("lang", "pt-PT")
        # The server writes text in the language of the browser. It stays until the scripts have loaded.
        self.until(lambda: not self.english_left(page), "every word to be Portuguese")
        page.goto("/about")
        expect(page.locator("h1")).to_have_text(catalogue("pt")["about.title"].replace("{name}", "Farol"))
        self.assertEqual(self.english_left(page), [])

        page.get_by_role("button", name="Menu").click()
        page.get_by_text("English").click()
        expect(page.locator("html")).to_have_attribute("lang", re.compile("^en"))
        expect(page.locator("h1")).to_have_text("About Farol")

    def test_terms_and_errors_are_in_the_language_of_the_reader(self):
        page = self.open(FUNCHAL, language="pt")
        terms = {term["code"]: term["label"] for term in
                 self.farol().get("/api/taxonomies/categories?lang=pt")["terms"]}
        rows = page.locator(".device-row")
        expect(rows.filter(has_text=terms["camera_fixed"]).first).to_be_visible()

    def test_no_page_shows_an_untranslated_key(self):
        keys = set(catalogue("en"))
        device = self.farol().device("Market hall camera")
        for path in (FUNCHAL, f"/devices/{device['id']}", "/about", "/nowhere-at-all"):
            with self.subTest(path):
                self.allowed_errors = (r"status of 404",)
                page = self.open(path)
                expect(page.locator("#menu-place button").first).to_be_visible()
                looks_like_key = [words for words in page.evaluate(WORDS)
                                  if words in keys and "." in words
                                  or re.fullmatch(r"[a-z]+(\.[a-z_]+)+", words)]
                self.assertEqual(looks_like_key, [])
                self.assertNotRegex(page.title(), r"^\w+(\.\w+)+$")

    def test_pages_that_start_with_their_own_words_need_no_others_at_first(self):
        self.allowed_errors = (r"ERR_FAILED",)
        keys = [key for key in catalogue("en") if "." in key]
        device = self.farol().device("Market hall camera")
        for path, ready in ((FUNCHAL, "#list-title"), (f"/devices/{device['id']}", "#section-sure"),
                            ("/statistics", "#by-category .chart.is-drawn svg"), (f"/embed{FUNCHAL[1:]}", ".embed-title"),
                            ("/embed?chart=category", ".chart.is-drawn svg")):
            for size in (PHONE, DESKTOP):
                with self.subTest(path, size=size):
                    page = self.new_page(size=size)
                    page.route(re.compile(r"/assets/(en|pt)-\w+\.json$"), lambda route: route.abort("failed"))
                    page.goto(path)
                    expect(page.locator(ready).first).to_be_visible()
                    if path == FUNCHAL:
                        self.settled(page)
                        if size == PHONE:
                            page.locator(".sheet-step").first.click()
                        page.locator(".device-row").first.click()
                        expect(page.locator("#card .card-acts")).to_be_visible()
                    shown = page.evaluate(WORDS)
                    self.assertEqual([words for words in shown if any(key in words for key in keys)], [])

    def test_a_module_that_is_loaded_later_has_its_words(self):
        page = self.open(FUNCHAL)
        page.locator(".add-button").click()
        expect(page.get_by_text(catalogue("en")["add.place.title"]).first).to_be_visible()


class ThemeTests(BrowserTest):
    def background(self, page):
        return page.evaluate("() => getComputedStyle(document.body).backgroundColor")

    def test_follows_the_theme_of_the_system(self):
        page = self.open(FUNCHAL, theme="dark")
        dark, dark_map = self.background(page), MapProbe(page).background()
        page.emulate_media(color_scheme="light")
        self.until(lambda: self.background(page) != dark, "a light page")
        self.until(lambda: MapProbe(page).background() != dark_map, "a light map")

    def test_the_switch_overrides_the_theme_of_the_system_and_is_remembered(self):
        page = self.open(FUNCHAL, theme="light")
        light = self.background(page)
        page.get_by_role("button", name="Menu").click()
        page.get_by_text("Dark", exact=True).click()
        self.until(lambda: self.background(page) != light, "a dark page")
        page.reload()
        self.settled(page)
        self.assertNotEqual(self.background(page), light)
        page.goto("/about")
        self.assertNotEqual(self.background(page), light)
