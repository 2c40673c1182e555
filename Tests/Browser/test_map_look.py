"""The appearance of the map: colours, legend, clusters, controls on a phone, lines without detail."""

from playwright.sync_api import expect

from support.axe import violations
from support.case import FUNCHAL, KINDS, MARKET, OCEAN, BrowserTest, PhoneTest
from support.chromium import DESKTOP, NARROW
from support.map_probe import MapProbe

# Visible elements of the lower edge and the column of buttons that overlap.
OVERLAPS = """() => {
  const names = ['.button-stack', '.add-button', '.drafts-button', '.scale', '.credits', '.map-legend', '#panel',
    '.topbar', '.map-note:not(.map-legend)'];
  const boxes = names.flatMap((name) => {
    const one = document.querySelector(name);
    if (!one || !one.checkVisibility({ visibilityProperty: true })) return [];
    return [{ name, edge: one.getBoundingClientRect() }];
  });
  const found = [];
  boxes.forEach((one, place) => boxes.slice(place + 1).forEach((other) => {
    const [a, b] = [one.edge, other.edge];
    const isApart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    if (!isApart) found.push(`${one.name} and ${other.name}`);
  }));
  return found;
}"""
# Whether a column: every button is below the one before it.
IS_COLUMN = """() => {
  const tops = [...document.querySelectorAll('.button-stack button')].filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect());
  return tops.length > 1 && tops.every((edge, place) => place === 0 || edge.top >= tops[place - 1].bottom - 1);
}"""
DIAMETERS = "(count) => [42, 46, 52, 58][[100, 2000, 20000].filter((from) => count >= from).length]"
LINES = "() => keptMaps[0].getSource('graticule')?.serialize().data.features.length ?? 0"
DRAFTS = "localStorage.setItem('farol.drafts', '2')"
COVERS_CHOSEN = """([x, y]) => {
  const seen = document.elementFromPoint(x, y);
  return seen === keptMaps[0].getCanvas() ? null : (seen?.className || seen?.tagName);
}"""


class ClusterTests(BrowserTest):
    def test_no_clusters_overlap_and_the_counts_stay_complete(self):
        for path in ("/#map=3.00/40.000/0.000", KINDS, "/#map=9.00/32.700/-16.950", "/#map=11.00/52.5200/13.4000"):
            with self.subTest(path):
                page = self.open(path)
                probe = MapProbe(page)
                clusters = probe.clusters()
                for place, one in enumerate(clusters):
                    for other in clusters[place + 1:]:
                        least = (page.evaluate(DIAMETERS, one["count"]) + page.evaluate(DIAMETERS, other["count"])) / 2
                        apart = ((one["x"] - other["x"]) ** 2 + (one["y"] - other["y"]) ** 2) ** 0.5
                        self.assertGreaterEqual(apart + 1, least, (one, other))

    def test_a_filter_changes_the_clusters(self):
        page = self.open("/?category=webcam" + KINDS[1:])
        kinds = {cluster["category_1"] for cluster in MapProbe(page).clusters()}
        self.assertLessEqual(kinds, {"webcam"})


class LegendTests(BrowserTest):
    def test_explains_colours_shapes_rings_and_fields_of_view(self):
        page = self.open()
        legend = page.locator(".map-legend")
        expect(legend.locator(".legend")).to_be_hidden()
        legend.locator("summary").focus()
        page.keyboard.press("Enter")
        for words in ("Cameras", "Plate readers and speed cameras", "Counters and sensors", "Confirmed", "Disputed",
                      "The ring shows the share of each colour", "Field of view"):
            expect(legend).to_contain_text(words)
        expect(legend.locator("canvas")).to_have_count(6)
        self.assertEqual(violations(page), [])
        page.emulate_media(color_scheme="dark")
        self.assertEqual(violations(page), [])
        page.keyboard.press("Escape")
        expect(legend.locator(".legend")).to_be_hidden()
        expect(legend.locator("summary")).to_be_focused()

    def test_a_row_of_the_list_has_the_colour_of_its_family(self):
        page = self.open()
        row = page.locator(".device-row").filter(has_text="Car park plate reader")
        expect(row.locator(".marker")).to_have_class("marker marker-square family-plate")
        self.assertEqual(row.locator(".marker").evaluate("(one) => getComputedStyle(one).color"), "rgb(224, 101, 0)")


class FurnitureTests(PhoneTest):
    def test_nothing_covers_the_scale_and_the_buttons_form_a_column(self):
        for size in ({"width": 390, "height": 844}, NARROW):
            for language in ("en", "pt"):
                with self.subTest(size=size, language=language):
                    page = self.new_page(size=size, language=language)
                    page.add_init_script(DRAFTS)
                    page.goto(FUNCHAL)
                    self.settled(page)
                    expect(page.locator(".drafts-button")).to_be_visible()
                    self.assertEqual(page.evaluate(OVERLAPS), [])
                    self.assertTrue(page.evaluate(IS_COLUMN))
                    expect(page.locator(".credits")).not_to_have_attribute("open", "", timeout=15_000)
                    self.assertEqual(page.evaluate(OVERLAPS), [])
                    page.locator(".sheet-step").first.click()
                    self.settled(page)
                    self.assertEqual(page.evaluate(OVERLAPS), [])

    def test_the_credits_fold_into_a_symbol_and_open_again(self):
        page = self.open()
        credits = page.locator(".credits")
        expect(credits).not_to_have_attribute("open", "", timeout=15_000)
        self.assertLess(credits.bounding_box()["width"], 48)
        credits.locator("summary").tap()
        expect(credits).to_contain_text("GeoNames")

    def test_the_folded_credits_open_when_the_window_grows(self):
        page = self.open()
        words = page.locator(".credits p")
        expect(words).to_be_hidden(timeout=15_000)
        page.set_viewport_size(DESKTOP)
        expect(words).to_be_visible()

    def test_the_selected_device_lies_under_neither_controls_nor_the_sheet(self):
        for name in ("Market hall camera", "Car park plate reader", "Harbour dome"):
            with self.subTest(name):
                page = self.open(FUNCHAL)
                page.locator(".sheet-step").first.click()
                page.locator(".device-row").filter(has_text=name).click()
                expect(page.locator("#card h2")).to_have_text(name)
                self.settled(page)
                self.until(lambda: page.evaluate("() => !keptMaps[0].isMoving()"), "the map to rest")
                x, y = page.evaluate("""() => {
                  const [feature] = keptMaps[0].getSource('chosen').serialize().data.features.slice(-1);
                  const point = keptMaps[0].project(feature.geometry.coordinates);
                  return [point.x, point.y];
                }""")
                for aside, up in ((0, 0), (-18, 0), (18, 0), (0, -18), (0, 18)):
                    self.assertIsNone(page.evaluate(COVERS_CHOSEN, [x + aside, y + up]))


class LinesTests(BrowserTest):
    def test_lines_appear_only_where_the_map_has_no_detail(self):
        page = self.open("/#map=14.00/20.0000/-40.0000")
        self.until(lambda: page.evaluate(LINES) > 0, "lines over the open sea")
        page = self.open(MARKET.replace("17.00", "12.00"))
        self.assertEqual(page.evaluate(LINES), 0)

    def test_the_note_says_how_streets_are_added_and_only_where_they_would_show(self):
        page = self.open("/#map=14.00/20.0000/-40.0000")
        note = page.locator(".map-note:not(.map-legend)")
        expect(note).to_be_visible()
        note.locator("summary").click()
        expect(note).to_contain_text("The operators of this map can add a street map")
        page = self.open(OCEAN)
        expect(page.locator(".map-note:not(.map-legend)")).to_be_hidden()
