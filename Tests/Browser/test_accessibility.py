"""WCAG 2.2 A and AA on every page, size, theme and language; reflow, target sizes, reduced motion."""

import re

from playwright.sync_api import expect

from support.axe import violations
from support.case import FUNCHAL, SELVAGEM, BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.map_probe import MapProbe

SIZES = {"390×844": PHONE, "320×700": NARROW, "1440×900": DESKTOP}

WIDER_THAN_WINDOW = """() => {
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over <= 0) return [];
  const wide = [...document.querySelectorAll('body *')].filter((one) => {
    const edge = one.getBoundingClientRect();
    return edge.width > 0 && edge.right > innerWidth + 1;
  });
  return [`${over} px`, ...wide.slice(0, 5).map((one) => `${one.tagName}.${one.className}`)];
}"""

# Visible buttons, links and checkboxes that are too small for a finger. Links inside a sentence and
# covered elements do not count (WCAG 2.5.8).
SMALL_TARGETS = """(least) => {
  const small = [];
  const targets = 'button, a[href], summary, label:has(input), input:not(.visually-hidden), select, [role=option]';
  for (const one of document.querySelectorAll(targets)) {
    const edge = one.getBoundingClientRect();
    if (!edge.width || !edge.height || !one.checkVisibility({ visibilityProperty: true })) continue;
    const isInSentence = [...one.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (one.closest('[inert]')) continue;
    if (one.matches('a') && (isInSentence || one.closest('p, li > span, dd, .credits'))) continue;
    const x = edge.left + edge.width / 2;
    const y = edge.top + edge.height / 2;
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
    const top = document.elementFromPoint(x, y);
    if (!top || !(one.contains(top) || top.contains(one))) continue;
    if (edge.width < least - 0.5 || edge.height < least - 0.5) {
      const size = `${Math.round(edge.width)}×${Math.round(edge.height)}`;
      small.push(`${one.tagName}.${one.className} ${size} ${one.textContent.trim().slice(0, 20)}`);
    }
  }
  return small;
}"""

# Waits until a new size or state is drawn and all movements have ended.
DRAWN = """async () => {
  const moving = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
  await Promise.all(moving.map((one) => one.finished.catch(() => null)));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""

# The main controls of the map page: 44 px on a touch screen.
MAIN_CONTROLS = ("#search", ".menu-button", ".filters-open", ".map-button", "#locate", ".device-row",
                 ".card-close", ".card-acts .button", ".sheet-step", "dialog.filters .option",
                 ".dialog-foot .button")


class EveryPageTests(BrowserTest):
    """Runs a check on all states of all pages, sizes and themes in one language."""

    def states(self, language):
        """Opens each state of the pages once and yields its name and the page."""
        page = self.open(FUNCHAL, language=language, has_touch=True)
        yield "map", page
        page.set_viewport_size(PHONE)
        page.locator(".sheet-step").first.click()
        yield "list", page
        page.locator(".filters-open").click()
        expect(page.locator("dialog.filters")).to_be_visible()
        yield "filters", page
        page.keyboard.press("Escape")
        page.locator(".device-row").first.click()
        expect(page.locator("#card .card-acts")).to_be_visible()
        yield "card", page
        page.locator("#search").fill("mar")
        expect(page.locator("[role=option]").first).to_be_visible()
        yield "search", page
        page.keyboard.press("Escape")
        page.locator(".menu-button").click()
        expect(page.locator("#menu")).to_be_visible()
        yield "menu", page
        device = self.farol().device("Market hall camera")
        page.goto(f"/devices/{device['id']}")
        expect(page.locator("h1")).to_have_text("Market hall camera")
        yield "device", page
        page.goto(f"/devices/{device['id']}/edit")
        page.locator("#open-name").click()
        expect(page.locator("#body-name input")).to_be_focused()
        yield "form", page
        page.goto(f"/devices/{device['id']}/history")
        expect(page.locator(".revisions")).to_be_visible()
        yield "history", page
        page.goto(f"/report?device={device['id']}")
        expect(page.locator("#report-about a")).to_be_visible()
        yield "report", page
        page.goto("/about")
        expect(page.locator("table")).to_be_visible()
        yield "about", page
        page.goto("/statistics")
        expect(page.locator("#by-category .chart.is-drawn")).to_be_visible()
        yield "statistics", page
        page.goto("/no/such/page")
        expect(page.locator("#menu-place button").first).to_be_visible()
        yield "lost", page

    def check_all(self, language):
        self.allowed_errors = (r"status of 404",)
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
