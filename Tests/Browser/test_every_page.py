"""Every page of the gallery in both languages, from 320 to 1440 pixels, light and dark, signed in and out.

No violation of WCAG 2.2 A or AA, no message in the console, no request to another server, no sideways scroll, and no
key or code in place of words. The pages are those of the reference pictures.
"""

import os
import re

from playwright.sync_api import Error

from support.axe import violations
from support.case import BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.gallery import ACCOUNT_SCENES, DEVICE_SCENES, MAP_SCENES, ORDER_SCENES, SCENES, VISITOR_SCENES, world
from support.layout import DRAWN, WIDER_THAN_WINDOW
from support.map_probe import MapProbe
from support.waiting import until

# The widths and themes that axe checks in each language: each width with each theme, each theme in both languages.
# `make test` checks a page with one of the two, in turns; `make test-more` with both.
LOOKS = {
    "en": (("320", NARROW, "dark"), ("1440", DESKTOP, "light")),
    "pt": (("320", NARROW, "light"), ("1440", DESKTOP, "dark")),
}
ALL_LOOKS = bool(os.environ.get("FAROL_TEST_MORE"))

# Visible words that are keys of translations or codes of the server. Code, names of files, titles of other sites and
# texts of users may contain such words.
RAW_WORDS = r"""() => {
  const raw = /\b[a-z]+(?:_[a-z]+)+\b|\b[a-z]+(?:\.[a-z_]+){2,}\b/g;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement: element } = walker.currentNode;
    const words = data.match(raw);
    const mayBeRaw = 'code, pre, bdi, .said, script, style, textarea, .letter-paper, .docs, a[href^="http"]';
    if (!words || element.closest(mayBeRaw)) continue;
    if (element.checkVisibility({ visibilityProperty: true })) found.push(...words);
  }
  return found;
}"""


class EveryPageTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        world()

    def farol(self):
        return world().farol

    def opened(self, scene, who, **options):
        """The page of a scene for a person, or for a visitor, with the stream of changes held back."""
        page = self.new_page(size=PHONE, is_first_visit=scene.is_first_visit, **options)
        page.route("**/api/live?*", lambda route: route.fulfill(status=204))
        if who:
            world().people[who].enter(page.context)
        page.goto(scene.path(world()))
        return page

    def rest(self, page):
        """Waits until nothing is loading."""
        page.wait_for_load_state("networkidle")
        if page.locator("#list-title").count():
            MapProbe(page).settle()
        until(lambda: page.evaluate(
            "() => document.querySelector('main [aria-busy=true], main .skeleton-row') === null"), "the page to rest")

    def faults(self, page, scene, looks):
        """The faults of a page that was opened at 390 pixels."""
        found = [f"raw words: {words}" for words in page.evaluate(RAW_WORDS)]
        found += [f"390: wider than the window: {fault}" for fault in page.evaluate(WIDER_THAN_WINDOW)]
        if scene.alike:
            page.evaluate("(alike) => document.querySelectorAll(alike).forEach((one) => one.remove())", scene.alike)
        for name, size, theme in looks:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=theme)
            page.evaluate(DRAWN)
            # A fragment scrolls the page, and the bar then covers a part of it.
            page.evaluate("() => scrollTo(0, 0)")
            found += [f"{name}, {theme}: {fault}" for fault in violations(page)]
            found += [f"{name}: wider than the window: {fault}" for fault in page.evaluate(WIDER_THAN_WINDOW)]
        return found

    def close(self, page):
        self.pages.remove(page)
        page.context.close()

    def check(self, scenes, language):
        found = []
        for place, scene in enumerate(scenes):
            looks = LOOKS[language] if ALL_LOOKS else LOOKS[language][place % 2:][:1]
            self.allowed_errors = (*self.allowed_errors, *scene.errors)
            with self.subTest(scene.name):
                page = self.opened(scene, scene.who, language=language)
                page.locator(scene.ready).first.wait_for(state="visible")
                self.rest(page)
                if scene.steps:
                    scene.steps(page)
                found += [f"{scene.name}: {fault}" for fault in self.faults(page, scene, looks)]
                self.close(page)
        self.assertEqual(found, [])


class MapTests(EveryPageTest):
    def test_in_english(self):
        self.check(MAP_SCENES, "en")

    def test_in_portuguese(self):
        self.check(MAP_SCENES, "pt")


class VisitorTests(EveryPageTest):
    def test_in_english(self):
        self.check(VISITOR_SCENES, "en")

    def test_in_portuguese(self):
        self.check(VISITOR_SCENES, "pt")


class DeviceTests(EveryPageTest):
    def test_in_english(self):
        self.check(DEVICE_SCENES, "en")

    def test_in_portuguese(self):
        self.check(DEVICE_SCENES, "pt")


class AccountTests(EveryPageTest):
    def test_in_english(self):
        self.check(ACCOUNT_SCENES, "en")

    def test_in_portuguese(self):
        self.check(ACCOUNT_SCENES, "pt")


class OrderTests(EveryPageTest):
    def test_in_english(self):
        self.check(ORDER_SCENES, "en")

    def test_in_portuguese(self):
        self.check(ORDER_SCENES, "pt")


class OtherVisitorTests(EveryPageTest):
    """Pages for everybody as a signed-in user sees them, and pages of an account as a visitor sees them."""

    allowed_errors = (r"status of 40[134]",)  # a page that is not for this person says so

    def test_every_page_is_sound_for_somebody_else(self):
        found = []
        seen = set()
        for scene in SCENES:
            path = re.sub(r"[#].*", "", scene.path(world()))
            if path in seen:
                continue
            seen.add(path)
            self.allowed_errors = (*self.allowed_errors, *scene.errors)
            with self.subTest(scene.name):
                page = self.opened(scene, None if scene.who else "clara")
                until(lambda: self.has_heading(page), f"a heading of {scene.name}")
                self.rest(page)
                found += [f"{scene.name}: {fault}" for fault in self.faults(page, scene, LOOKS["en"][:1])]
                self.close(page)
        self.assertEqual(found, [])

    def has_heading(self, page):
        """Also after a page has led to another one."""
        try:
            return page.locator("h1, h2, .embed-title, .figure h3").filter(visible=True).count() > 0
        except Error:
            return False
