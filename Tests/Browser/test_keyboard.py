"""All functions work by keyboard."""

from playwright.sync_api import expect

from support.case import FUNCHAL, SELVAGEM, BrowserTest
from support.map_probe import MapProbe

# The focused element, and whether its focus is visible.
FOCUS = """() => {
  const element = document.activeElement;
  const edge = element.getBoundingClientRect();
  const label = element.closest('label');
  const shown = [element, element.nextElementSibling, label, element.parentElement].filter(Boolean);
  return {
    name: element.getAttribute('aria-label') ?? (label ?? element).textContent.trim().slice(0, 40),
    path: `${element.tagName}#${element.id}.${element.className}`,
    body: element === document.body,
    seen: shown.some((one) => {
      const style = getComputedStyle(one);
      return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1)
        || style.boxShadow.includes('inset');
    }),
    inside: edge.bottom > 0 && edge.top < innerHeight && edge.right > 0 && edge.left < innerWidth,
  };
}"""


class KeyboardTests(BrowserTest):
    def tab_to(self, page, wanted, most=60):
        for _ in range(most):
            page.keyboard.press("Tab")
            focus = page.evaluate(FOCUS)
            if wanted in focus["name"] or wanted in focus["path"]:
                return focus
        self.fail(f"the Tab key does not reach {wanted}")

    def test_the_main_walk_needs_no_mouse(self):
        page = self.open(SELVAGEM)
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate(FOCUS)["name"], "Skip to the list of devices")
        page.keyboard.press("Enter")
        expect(page.locator("#list-title")).to_be_focused()
        self.tab_to(page, "device-row")
        page.keyboard.press("Enter")
        expect(page.locator("#card h2")).to_have_text("Warden’s hut camera")
        self.until(lambda: page.evaluate("() => document.querySelector('#card').contains(document.activeElement)"),
                   "the focus to follow into the card")
        self.tab_to(page, "View full details")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text("Warden’s hut camera")
        page.go_back()
        self.settled(page)
        expect(page.locator("#card h2")).to_have_text("Warden’s hut camera")

    def test_escape_closes_the_card_and_returns_the_focus_to_its_row(self):
        page = self.open(SELVAGEM)
        page.locator(".device-row").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#card .card-acts")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#card")).to_be_hidden()
        expect(page.locator(".device-row").first).to_be_focused()

    def test_the_map_moves_and_zooms_by_keyboard(self):
        page = self.open(FUNCHAL)
        self.tab_to(page, "maplibregl-canvas")
        zoom, _, longitude = self.view(page)
        page.keyboard.press("ArrowRight")
        self.until(lambda: self.view(page)[2] > longitude, "the map to move east")
        page.keyboard.press("+")
        self.until(lambda: self.view(page)[0] > zoom + 0.9, "the map to come closer")

    def test_tab_goes_around_the_page_and_every_focus_is_visible(self):
        page = self.open(FUNCHAL)
        stops, hidden, outside = [], [], []
        for _ in range(60):
            page.keyboard.press("Tab")
            focus = page.evaluate(FOCUS)
            if focus["body"] and stops:
                break
            stops.append(focus["path"])
            if not focus["seen"]:
                hidden.append(focus["path"] + focus["name"])
            if not focus["inside"]:
                outside.append(focus["path"] + focus["name"])
        else:
            self.fail(f"the Tab key never leaves the page: {stops[-6:]}")
        self.assertGreater(len(stops), 15)
        self.assertEqual(hidden, [], "focus that cannot be seen")
        self.assertEqual(outside, [], "focus outside the window")

    def test_shift_tab_leaves_the_map_backwards(self):
        page = self.open(FUNCHAL)
        self.tab_to(page, "maplibregl-canvas")
        page.keyboard.press("Shift+Tab")
        self.assertNotIn("maplibregl-canvas", page.evaluate(FOCUS)["path"])

    def test_the_open_filters_keep_the_focus(self):
        page = self.open(FUNCHAL)
        page.locator(".filters-open").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog", name="Filters")).to_be_visible()
        for _ in range(45):
            page.keyboard.press("Tab")
            self.assertTrue(page.evaluate(
                "() => document.activeElement === document.body"
                " || document.querySelector('dialog.filters').contains(document.activeElement)"))
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="Filters")).to_be_hidden()

    def test_the_definition_of_a_term_opens_and_closes_by_keyboard(self):
        device = self.farol().device("Warden’s hut camera")
        page = self.open(f"/devices/{device['id']}")
        term = page.locator("button.term, button.chip").first
        term.focus()
        page.keyboard.press("Enter")
        bubble = page.locator(".bubble:popover-open")
        expect(bubble).to_be_visible()
        page.keyboard.press("Escape")
        expect(bubble).to_have_count(0)
        expect(term).to_be_focused()

    def test_the_live_region_announces_the_result_of_a_move(self):
        page = self.open(FUNCHAL)
        self.until(lambda: " here" in page.locator("#announcer").text_content(),
                   "the announcement")
        MapProbe(page).settle()
