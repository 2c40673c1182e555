"""WCAG 2.2 A and AA of what opens on the map page, reflow, target sizes, reduced motion. test_every_page has the pages."""

import re

from playwright.sync_api import expect

from support.axe import violations
from support.case import FUNCHAL, SELVAGEM, BrowserTest
from support.chromium import PHONE
from support.layout import DRAWN, SIZES, SMALL_TARGETS, WIDER_THAN_WINDOW
from support.map_probe import MapProbe

# The main controls of the map page: 44 px on a touch screen.
MAIN_CONTROLS = ("#search", ".menu-button", ".filters-open", ".map-button", "#locate", ".device-row",
                 ".card-close", ".card-acts .button", ".sheet-step", "dialog.filters .option",
                 ".dialog-foot .button")


class MapStateTests(BrowserTest):
    """Runs a check on states of the map page that test_every_page does not open, in all sizes and themes."""

    def states(self, language):
        """Opens each state once and yields its name and the page."""
        page = self.open(FUNCHAL, language=language, has_touch=True)
        page.set_viewport_size(PHONE)
        page.locator(".sheet-step").first.click()
        yield "list", page
        page.locator(".device-row").first.click()
        expect(page.locator("#card .card-acts")).to_be_visible()
        yield "card", page
        page.locator("#search").fill("mar")
        expect(page.locator("[role=option]").first).to_be_visible()
        yield "search", page

    def check_all(self, language):
        found = []
        for state, page in self.states(language):
            size_before = page.viewport_size
            for size_name, size in SIZES.items():
                page.set_viewport_size(size)
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    page.evaluate(DRAWN)
                    found += [f"{state}, {size_name}, {theme}: {fault}" for fault in violations(page)]
                found += [f"{state}, {size_name}: wider than the window: {fault}"
                          for fault in page.evaluate(WIDER_THAN_WINDOW)]
            page.emulate_media(color_scheme="light")
            page.set_viewport_size(size_before)
        self.assertEqual(sorted(set(found)), [])

    def test_meets_wcag_in_english(self):
        self.check_all("en")

    def test_meets_wcag_in_portuguese(self):
        self.check_all("pt")


class ReflowTests(BrowserTest):
    def test_at_200_percent_nothing_scrolls_sideways(self):
        # At a zoom of 200 %, a window of 1280 pixels is 640 wide for the page, and one of 640 is 320.
        self.allowed_errors = (r"status of 404",)
        device = self.farol().device("Market hall camera")
        for width, height in ((720, 450), (320, 350)):
            page = self.new_page(size={"width": width, "height": height}, device_scale_factor=2)
            for path in (FUNCHAL, f"/devices/{device['id']}", "/about", "/statistics"):
                with self.subTest(f"{path} at {width}"):
                    page.goto(path)
                    expect(page.locator("#menu-place button").first).to_be_visible()
                    self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [])

    def test_text_at_double_size_fits(self):
        page = self.open(FUNCHAL, size={"width": 390, "height": 844})
        page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [])
        page.locator(".sheet-step").first.click()
        expect(page.locator(".filters-open")).to_be_visible()


class TargetTests(BrowserTest):
    def small(self, page, state):
        """Targets below 24 pixels, and main controls below 44."""
        found = [f"{state}: {one} < 24" for one in page.evaluate(SMALL_TARGETS, 24)]
        for one in page.locator(", ".join(MAIN_CONTROLS)).all():
            edge = one.bounding_box() if one.is_visible() else None
            if edge and min(edge["width"], edge["height"]) < 43.5:
                name = one.get_attribute("aria-label") or one.inner_text()[:20]
                found.append(f"{state}: {name} {edge['width']:.0f}×{edge['height']:.0f} < 44")
        return found

    def test_every_control_is_large_enough_for_a_finger(self):
        page = self.open(SELVAGEM, size=PHONE)
        found = self.small(page, "map")
        page.locator(".sheet-step").first.click()
        found += self.small(page, "list")
        page.locator(".device-row").first.tap()
        expect(page.locator("#card .card-acts")).to_be_visible()
        found += self.small(page, "card")
        page.locator(".card-close").tap()
        page.locator(".filters-open").tap()
        expect(page.locator("dialog.filters")).to_be_visible()
        found += self.small(page, "filters")
        self.assertEqual(found, [])


class StillnessTests(BrowserTest):
    LONGEST = """() => Math.max(0, ...[...document.querySelectorAll('*')].flatMap((one) => {
      const style = getComputedStyle(one);
      return [style.transitionDuration, style.animationDuration].flatMap((text) => text.split(',').map(parseFloat));
    }))"""

    def test_reduced_motion_disables_flights_and_transitions(self):
        page = self.open(FUNCHAL, reduced_motion="reduce")
        self.assertLess(page.evaluate(self.LONGEST), 0.02)
        page.evaluate("""() => {
          globalThis.steps = 0;
          keptMaps[0].on('move', () => { steps += 1; });
        }""")
        page.get_by_role("combobox").fill("berlin")
        page.get_by_role("option", name=re.compile("^Berlin")).first.click()
        self.until(lambda: abs(self.view(page)[1] - 52.5) < 0.5, "the map to reach Berlin")
        self.assertLessEqual(page.evaluate("() => steps"), 3)
        MapProbe(page).settle()

    def test_the_default_has_flights(self):
        page = self.open(FUNCHAL, reduced_motion="no-preference")
        page.evaluate("""() => {
          globalThis.steps = 0;
          keptMaps[0].on('move', () => { steps += 1; });
        }""")
        page.get_by_role("button", name="Zoom in").click()
        self.until(lambda: self.view(page)[0] > 14.9, "the map to come closer")
        self.assertGreater(page.evaluate("() => steps"), 1)
