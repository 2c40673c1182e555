"""The map page on a phone: what opens over the map, the actions of the list, the menu, and a phone held sideways."""

from playwright.sync_api import expect

from support.axe import violations
from support.case import FUNCHAL, BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE

SIDEWAYS = {"width": 844, "height": 390}
# The controls of the map that another one or the edge of the window covers.
COVERED = """() => [...document.querySelectorAll('.button-stack button, .add-button, .map-legend summary, #search')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })).filter((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return !(seen && (one.contains(seen) || seen.contains(one)));
  }).map((one) => one.className)"""


class OverTheMapTests(BrowserTest):
    def legend(self, page):
        return page.locator(".map-legend summary")

    def test_one_part_is_open_at_a_time_and_a_tap_on_the_map_closes_it(self):
        for size in (PHONE, DESKTOP):
            with self.subTest(width=size["width"]):
                page = self.open(FUNCHAL, size=size)
                legend, pad = page.locator(".map-legend[open]"), page.locator("#layers-pad")
                self.legend(page).click()
                expect(legend).to_have_count(1)
                page.locator(".map-layers").click()
                expect(pad).to_be_visible()
                expect(legend).to_have_count(0)
                self.legend(page).focus()
                page.keyboard.press("Enter")
                expect(legend).to_have_count(1)
                expect(pad).to_be_hidden()
                expect(page.locator(".map-layers")).to_have_attribute("aria-expanded", "false")
                page.locator(".map-move").click()
                expect(page.locator("#pan-pad")).to_be_visible()
                expect(legend).to_have_count(0)
                box = page.locator("#map-canvas").bounding_box()
                page.mouse.click(box["x"] + box["width"] * 0.35, box["y"] + 140)
                expect(page.locator("#pan-pad")).to_be_hidden()

    def test_escape_closes_what_is_open_wherever_the_focus_is(self):
        page = self.open(FUNCHAL)
        for opener, part in ((".map-legend summary", ".map-legend .legend"), (".map-move", "#pan-pad"),
                             (".map-layers", "#layers-pad")):
            with self.subTest(part):
                page.locator(opener).click()
                expect(page.locator(part)).to_be_visible()
                page.locator("#list-title").focus()
                page.keyboard.press("Escape")
                expect(page.locator(part)).to_be_hidden()


class ListActionsTests(BrowserTest):
    def test_filters_watch_and_more_are_one_row(self):
        for size in (PHONE, NARROW):
            for language in ("en", "pt"):
                with self.subTest(width=size["width"], language=language):
                    page = self.open(FUNCHAL, size=size, language=language)
                    page.locator(".sheet-step").first.click()
                    expect(page.locator("#panel")).to_have_attribute("data-stop", "half")
                    buttons = page.locator(".filter-bar > .button:visible")
                    expect(buttons).to_have_count(3)
                    rows = {round(one.bounding_box()["y"]) for one in buttons.all()}
                    self.assertEqual(len(rows), 1)
                    expect(page.locator(".more-acts .button:visible")).to_have_count(0)
                    page.locator(".filter-bar .more-open").click()
                    expect(page.locator(".filter-bar .more-acts .button:visible")).to_have_count(4)
                    page.keyboard.press("Escape")
                    expect(page.locator(".more-acts .button:visible")).to_have_count(0)
                    self.assertEqual(violations(page), [])

    def test_a_wide_screen_has_one_row_too(self):
        for language in ("en", "pt"):
            with self.subTest(language):
                page = self.open(FUNCHAL, language=language)
                buttons = page.locator(".filter-bar > .button:visible")
                expect(buttons).to_have_count(3)
                self.assertEqual(len({round(one.bounding_box()["y"]) for one in buttons.all()}), 1)
                page.locator(".filter-bar .more-open").click()
                actions = page.locator(".filter-bar .more-acts .button:visible")
                expect(actions).to_have_count(4)
                self.assertEqual(violations(page), [])
                # Escape closes them wherever the focus is, and so does a click on the map.
                page.locator("#list-title").focus()
                page.keyboard.press("Escape")
                expect(actions).to_have_count(0)
                page.locator(".filter-bar .more-open").click()
                expect(actions).to_have_count(4)
                box = page.locator("#map-canvas").bounding_box()
                page.mouse.click(box["x"] + box["width"] * 0.35, box["y"] + 140)
                expect(actions).to_have_count(0)


class MenuTests(BrowserTest):
    def test_the_pages_are_in_named_groups_with_targets_for_a_finger(self):
        for size in (PHONE, NARROW):
            with self.subTest(width=size["width"]):
                page = self.open(FUNCHAL, size=size)
                page.locator(".menu-button").click()
                groups = page.locator("#menu .menu-group")
                expect(groups.locator("h2")).to_have_text(
                    ["For me", "Take part", "The map and its data", "Learn and about"])
                mine = page.get_by_role("region", name="For me")
                for name in ("My requests", "Watched areas", "Visits", "Quiet routes", "Exposure diary"):
                    expect(mine.get_by_role("link", name=name)).to_have_count(1)
                links = page.locator("#menu a:visible")
                self.assertGreater(links.count(), 15)
                for height in links.evaluate_all("(links) => links.map((one) => one.getBoundingClientRect().height)"):
                    self.assertGreaterEqual(height, 44)
                # Two columns: all pages fit on a phone without scrolling far.
                lefts = {round(one.bounding_box()["x"]) for one in mine.get_by_role("link").all()}
                self.assertEqual(len(lefts), 2)
                self.assertEqual(violations(page), [])


class SidewaysTests(BrowserTest):
    def test_a_phone_held_sideways_covers_no_control(self):
        for theme in ("light", "dark"):
            with self.subTest(theme):
                page = self.open(FUNCHAL, size=SIDEWAYS, theme=theme)
                self.assertEqual(page.evaluate(COVERED), [])
                self.assertFalse(page.locator(".credits").evaluate("(credits) => credits.open"))
                page.locator(".credits summary").click()
                expect(page.locator(".credits")).to_contain_text("Natural Earth")
                buttons = page.locator(".filter-bar > .button:visible")
                self.assertEqual(len({round(one.bounding_box()["y"]) for one in buttons.all()}), 1)
                self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), SIDEWAYS["width"])
