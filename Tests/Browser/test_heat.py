"""The heat map: counts in squares over the map, updated with filters and view, and described in text."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from support.axe import violations
from support.case import FUNCHAL, KINDS, OCEAN, BrowserTest, PhoneTest

CELLS = """() => {
  const map = globalThis.keptMaps[0];
  if (!map.getLayer('heat-cells')) return null;
  return map.getSource('heat').serialize().data.features.map((cell) => cell.properties.count);
}"""
# The square with the most devices, and a point of the window inside it where nothing covers the map.
DENSEST = """() => {
  const map = globalThis.keptMaps[0];
  const { features } = map.getSource('heat').serialize().data;
  const best = features.reduce((best, one) => (one.properties.count > best.properties.count ? one : best));
  const [[west, south], , [east, north]] = best.geometry.coordinates[0];
  const edge = map.getContainer().getBoundingClientRect();
  const parts = [0.5, 0.1, 0.9, 0.3, 0.7];
  for (const [right, up] of parts.flatMap((right) => parts.map((up) => [right, up]))) {
    const { x, y } = map.project([west + (east - west) * right, south + (north - south) * up]);
    if (document.elementFromPoint(edge.left + x, edge.top + y) !== map.getCanvas()) continue;
    return { count: best.properties.count, x: edge.left + x, y: edge.top + y, at: [x, y] };
  }
  return null;
}"""
HAS_DEVICES = "() => Boolean(globalThis.keptMaps[0].getLayer('devices'))"


class HeatTest(BrowserTest):
    def turn(self, page, way="Counted squares"):
        """Opens the layers menu and selects the way to show devices."""
        pad = page.locator("#layers-pad")
        if pad.is_hidden():
            page.get_by_role("button", name="Layers").click()
        pad.locator("label", has_text=way).click()

    def cells(self, page):
        return page.evaluate(CELLS)

    def asked(self, page):
        """The latest request for cells. Playwright reports requests while a command runs."""
        page.evaluate("() => null")
        requests = [path for path in self.witness.requests if path.startswith("/api/statistics?") and "grid=" in path]
        return requests[-1] if requests else None

    def asked_for(self, page, name):
        return parse_qs(urlsplit(self.asked(page)).query)[name][0]

    def waits_for_cells(self, page):
        """The counts of the cells, as soon as they match the API."""
        def told():
            grid = self.farol().get(self.asked(page))["grid"]
            return sorted(self.cells(page)) == sorted(cell["count"] for cell in grid["cells"])
        self.until(told, "the cells")
        return self.cells(page)


class HeatTests(HeatTest):
    def test_is_off_at_first_and_its_state_is_in_the_address(self):
        page = self.open(FUNCHAL)
        self.assertIsNone(self.cells(page))
        self.assertIsNone(self.asked(page))
        self.turn(page)
        self.assertGreater(sum(self.waits_for_cells(page)), 0)
        self.assertEqual(self.query(page)["heat"], "1")
        self.assertFalse(page.evaluate(HAS_DEVICES))
        page.go_back()
        self.until(lambda: self.cells(page) is None, "the heat map to go")
        self.assertTrue(page.evaluate(HAS_DEVICES))
        expect(page.locator(".heat-legend")).to_be_hidden()

    def test_a_link_restores_it_and_filters_change_it(self):
        page = self.open("/?heat=1" + FUNCHAL[1:])
        everything = sum(self.waits_for_cells(page))
        page.get_by_role("button", name="Filters").click()
        dialog = page.get_by_role("dialog", name="Filters")
        dialog.locator("label").filter(has_text="Fixed camera").first.click()
        self.until(lambda: "camera_fixed" in self.asked(page), "the filter to be asked for")
        cameras = sum(self.waits_for_cells(page))
        box = self.asked_for(page, "bbox")
        self.assertEqual(cameras, self.farol().items(bbox=box, category="camera_fixed")["numberMatched"])
        self.assertGreater(everything, cameras)

    def test_follows_the_map(self):
        page = self.open("/?heat=1" + KINDS[1:])
        self.waits_for_cells(page)
        box, grid = self.asked_for(page, "bbox"), int(self.asked_for(page, "grid"))
        page.get_by_role("button", name="Zoom out").click()
        self.until(lambda: self.asked_for(page, "bbox") != box, "the next box")
        self.assertEqual(int(self.asked_for(page, "grid")), grid - 1)
        self.waits_for_cells(page)

    def test_the_legend_explains_the_colours_and_describes_the_maximum(self):
        page = self.open("/?heat=1" + FUNCHAL[1:])
        cells = self.waits_for_cells(page)
        legend = page.get_by_role("group", name="Heat map legend")
        expect(legend).to_contain_text(f"Devices in {len(cells)} squares, at most {max(cells)} in one")
        expect(legend.locator("li").first).to_have_text(re.compile(r"^1"))
        self.assertEqual(violations(page), [])

    def test_says_so_if_there_is_no_device(self):
        page = self.open("/?heat=1" + OCEAN[1:])
        expect(page.locator(".heat-legend")).to_contain_text("No device in view")

    def test_is_turned_on_by_keyboard(self):
        page = self.open(FUNCHAL)
        page.get_by_role("button", name="Layers").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("radio", name="Devices and groups")).to_be_focused()
        page.keyboard.press("ArrowUp")
        self.waits_for_cells(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Layers")).to_be_focused()
        self.until(lambda: "squares" in page.locator("#announcer").text_content(), "the announcement")


class SquareTests(HeatTest):
    """A tap on a square shows its content and further actions."""

    def densest(self, page):
        """The square with the most devices: the count, and its position in the window."""
        self.waits_for_cells(page)
        return page.evaluate(DENSEST)

    def test_a_tap_shows_the_count_and_leads_to_the_list_and_closer(self):
        page = self.open("/?heat=1" + FUNCHAL[1:])
        square = self.densest(page)
        card = page.get_by_role("region", name="Layers")
        page.mouse.click(square["x"], square["y"])
        expect(
            card.get_by_role(
                "heading", name=re.compile(rf"^{square['count']} devices? in this square"))).to_be_focused()
        self.assertEqual(violations(page), [])
        card.get_by_role("button", name="List these devices").click()
        self.waits_for_title(page, rf"^{square['count']} devices? at this spot$")
        expect(card).to_be_hidden()
        page.mouse.click(square["x"], square["y"])
        zoom = self.view(page)[0]
        card.get_by_role("button", name="Zoom in").click()
        self.until(lambda: self.view(page)[0] > zoom + 1, "the map to come closer")

    def test_a_tap_outside_all_squares_shows_nothing(self):
        page = self.open("/?heat=1" + OCEAN[1:])
        expect(page.locator(".heat-legend")).to_contain_text("No device in view")
        window = page.locator("#map-canvas").bounding_box()
        page.mouse.click(window["x"] + window["width"] / 2, window["y"] + window["height"] / 2)
        expect(page.locator(".context-card")).to_be_hidden()

    def test_the_middle_of_the_map_works_by_keyboard(self):
        page = self.open("/?heat=1#map=14.00/32.6480/-16.9080")
        square = self.densest(page)
        page.evaluate("([x, y]) => keptMaps[0].jumpTo({ center: keptMaps[0].unproject([x, y]) })", square["at"])
        self.settled(page)
        self.waits_for_cells(page)
        page.get_by_role("button", name="Layers").focus()
        page.keyboard.press("Enter")
        middle = page.get_by_role("button", name="Features at the centre of the map")
        middle.focus()
        page.keyboard.press("Enter")
        heading = page.get_by_role("region", name="Layers").get_by_role("heading")
        expect(heading).to_have_text(re.compile(r"devices? in this square"))
        expect(heading).to_be_focused()
        page.keyboard.press("Escape")
        expect(middle).to_be_focused()

    def test_shows_nothing_after_it_is_turned_off(self):
        page = self.open("/?heat=1" + FUNCHAL[1:])
        square = self.densest(page)
        page.mouse.click(square["x"], square["y"])
        card = page.locator(".context-card")
        expect(card).to_be_visible()
        self.turn(page, "Devices and groups")
        expect(card).to_be_hidden()


class SmoothHeatTests(HeatTest):
    def test_the_heat_map_shows_density_without_markers_squares_or_counts(self):
        page = self.open("/?heat=smooth" + FUNCHAL[1:])
        layers = "() => keptMaps[0].getStyle().layers.filter(({ source }) => source === 'heat').map(({ type }) => type)"
        self.until(lambda: page.evaluate(layers) == ["heatmap"], "the density")
        points = """() => keptMaps[0].getSource('heat').serialize().data.features.map(({ properties }) => properties.count)"""
        self.until(lambda: page.evaluate(points), "the points")
        cells = self.farol().get(self.asked(page))["grid"]["cells"]
        self.assertEqual(sorted(page.evaluate(points)), sorted(cell["count"] for cell in cells))
        for layer in ("clusters", "devices", "bearings"):
            self.assertFalse(page.evaluate("(id) => Boolean(keptMaps[0].getLayer(id))", layer), layer)
        expect(page.locator(".heat-legend")).to_contain_text("The stronger the colour, the more devices")
        self.assertEqual(violations(page), [])

    def test_a_radio_button_selects_it_and_the_address_holds_it(self):
        page = self.open(FUNCHAL)
        self.turn(page, "Heat map")
        self.until(lambda: self.query(page).get("heat") == "smooth", "the address to say so")
        self.turn(page, "Counted squares")
        self.until(lambda: self.query(page)["heat"] == "1", "the squares in the address")
        self.waits_for_cells(page)
        self.turn(page, "Devices and groups")
        self.until(lambda: page.evaluate(HAS_DEVICES), "the devices")
        self.assertNotIn("heat", self.query(page))

    def test_place_names_stay_readable_above_it(self):
        page = self.open("/?heat=smooth" + FUNCHAL[1:])
        order = page.evaluate("() => keptMaps[0].getStyle().layers.map(({ id }) => id)")
        self.assertLess(order.index("heat-smooth"), order.index("place-city"))


class PhoneHeatTests(PhoneTest):
    def test_on_a_phone_the_legend_does_not_cover_the_buttons(self):
        page = self.open("/?heat=1" + FUNCHAL[1:])
        legend = page.locator(".heat-legend")
        expect(legend.locator("li").first).to_be_visible()
        edge, buttons = legend.bounding_box(), page.locator(".map-buttons").bounding_box()
        self.assertGreater(
            edge["y"], page.locator(".topbar").bounding_box()["y"] + page.locator(".topbar").bounding_box()["height"])
        self.assertTrue(edge["x"] + edge["width"] <= buttons["x"] or edge["y"] + edge["height"] <= buttons["y"])
