"""The start of the map page: text is readable before the map is drawn, even if the map never loads."""

import re

from playwright.sync_api import expect

from support.case import FUNCHAL, KINDS, SELVAGEM, BrowserTest
from support.chromium import DESKTOP, PHONE
from support.map_probe import MapProbe

LIBRARY = "**/maplibre-gl-*.js"
LISTS = "/api/collections/devices/items?"
MARKERS = "keptMaps[0].listImages().filter((id) => /^cluster\\/light\\/\\w+\\/[a-z]+12\\/0$/.test(id))"
SYMBOLS = f"() => {MARKERS}.length"
LOOKS = f"() => new Set({MARKERS}.map((id) => keptMaps[0].getImage(id).data.data.join())).size"
MOST_REQUESTS = 15  # before the first tile, two of them for the module that draws the map
# Counts how often the map is drawn until it is ready: MapLibre clears the canvas once each time.
COUNT_PICTURES = """
(() => {
  const { clear } = WebGL2RenderingContext.prototype;
  globalThis.pictures = 0;
  WebGL2RenderingContext.prototype.clear = function (what) {
    if (what & this.COLOR_BUFFER_BIT && !document.querySelector('#map.is-drawn')) globalThis.pictures += 1;
    clear.call(this, what);
  };
})();
"""
# The layers of all features on the map, without the graticule, which is drawn later and only where no other feature is.
SHOWN = """(isDrawnAgain) => {
  const map = globalThis.keptMaps[0];
  if (isDrawnAgain) map.redraw();
  return map.queryRenderedFeatures().filter(({ source }) => source !== 'graticule').map(({ layer }) => layer.id).sort();
}"""


class StartTests(BrowserTest):
    # These tests block the map library.
    allowed_errors = (r"ERR_FAILED", r"was preloaded using link preload")

    def hold(self, page, what=LIBRARY):
        """Holds requests for a file back until the returned function is called.

        A page that requests the file early does not finish loading before that.
        """
        held = []
        page.route(what, lambda route: held.append(route))

        def let_come():
            for route in held:
                route.continue_()
            held.clear()
            page.unroute(what)

        return let_come

    def lists(self):
        return [path for path in self.witness.requests if path.startswith(LISTS)]

    def test_the_list_appears_before_the_map_and_is_requested_once(self):
        for size in (DESKTOP, PHONE):
            with self.subTest(width=size["width"]):
                page = self.new_page(size=size)
                let_come = self.hold(page)
                page.goto(FUNCHAL, wait_until="domcontentloaded")
                expect(page.locator(".device-row").first).to_be_attached()
                self.assertEqual(page.evaluate("() => typeof maplibregl"), "undefined")
                names, count = self.names(page), self.count(page)
                # The icons load after the text.
                self.until(lambda: "data:image/svg" in page.evaluate(
                    "() => getComputedStyle(document.querySelector('.device-row .icon')).maskImage"),
                    "the symbols to be drawn")
                let_come()
                self.settled(page)
                self.assertEqual((self.names(page), self.count(page)), (names, count))
                self.assertEqual(len(self.lists()), 1, self.lists())

    def test_a_selection_before_the_map_is_drawn_is_shown_on_it(self):
        page = self.new_page()
        let_come = self.hold(page)
        page.goto(SELVAGEM, wait_until="domcontentloaded")
        page.locator(".device-row").filter(has_text="Warden’s hut camera").click()
        expect(page.locator("#card h2")).to_have_text("Warden’s hut camera")
        let_come()
        self.settled(page)
        self.until(MapProbe(page).chosen, "the chosen device to stand out on the map")
        expect(page.locator("#card h2")).to_have_text("Warden’s hut camera")

    def test_the_map_opens_where_the_user_went_before_it_was_drawn(self):
        page = self.new_page()
        let_come = self.hold(page)
        page.goto(FUNCHAL, wait_until="domcontentloaded")
        expect(page.locator(".device-row").first).to_be_visible()
        page.get_by_role("combobox").fill("30.1406, -15.8662")
        page.get_by_role("option").filter(has_text="30").first.click()
        expect(page.locator(".device-row").filter(has_text="Warden’s hut camera")).to_be_visible()
        let_come()
        self.settled(page)
        zoom, latitude, longitude = self.view(page)
        self.assertAlmostEqual(latitude, 30.1406, places=3)
        self.assertAlmostEqual(longitude, -15.8662, places=3)
        self.assertAlmostEqual(MapProbe(page).zoom(), zoom, places=1)

    def test_a_library_that_failed_once_is_loaded_again(self):
        page = self.new_page()
        page.route(LIBRARY, lambda route: route.abort("failed"))
        page.goto(FUNCHAL)
        expect(page.locator(".device-row").first).to_be_visible()
        # for two seconds, until the page checks whether the server is reachable
        expect(page.locator(".notice")).to_be_visible()
        page.unroute(LIBRARY)
        self.settled(page)
        self.assertGreater(MapProbe(page).total(), 0)
        self.assertFalse(page.locator(".no-map-notice").is_visible())

    def test_without_the_library_the_list_replaces_the_map(self):
        page = self.new_page()
        page.route(LIBRARY, lambda route: route.abort("failed"))
        page.goto(FUNCHAL)
        expect(page.locator(".no-map-notice")).to_be_visible()
        self.assertEqual(self.count(page), self.farol().items(bbox=self.asked_box(page))["numberMatched"])

    def test_a_list_that_does_not_load_does_not_delay_the_map(self):
        page = self.new_page()
        let_come = self.hold(page, re.compile(re.escape(LISTS)))
        page.goto(FUNCHAL)
        expect(page.locator("#map.is-drawn")).to_be_attached()
        self.assertEqual(page.locator(".device-row").count(), 0)
        let_come()
        expect(page.locator(".device-row").first).to_be_visible()

    def test_files_for_later_load_after_the_visible_content(self):
        page = self.new_page(service_workers="allow")
        let_come = self.hold(page)
        page.goto(FUNCHAL, wait_until="domcontentloaded")
        expect(page.locator(".device-row").first).to_be_visible()
        registered = "async () => Boolean(await navigator.serviceWorker.getRegistration())"
        self.assertFalse(page.evaluate(registered))
        let_come()
        self.settled(page)
        self.until(lambda: page.evaluate(registered), "the service worker to be registered")

    def test_clusters_get_the_symbols_of_their_categories(self):
        page = self.open(KINDS)
        self.until(lambda: page.evaluate(SYMBOLS) > 1, "clusters of several kinds")
        self.until(lambda: page.evaluate(LOOKS) == page.evaluate(SYMBOLS), "a look of its own for each kind")

    def test_the_first_picture_is_complete_and_drawn_once(self):
        page = self.new_page()
        page.add_init_script(COUNT_PICTURES)
        page.goto(FUNCHAL, wait_until="commit")
        page.wait_for_selector("#map.is-drawn")
        pictures, shown = page.evaluate("() => globalThis.pictures"), page.evaluate(SHOWN, False)
        self.assertEqual(pictures, 1)
        self.assertGreater(len(shown), 0)
        self.assertEqual(page.evaluate(SHOWN, True), shown)

    def test_the_library_is_requested_while_the_script_of_the_page_is_loading(self):
        page = self.new_page()
        let_come = self.hold(page, "**/assets/main-*.js")
        with page.expect_request(LIBRARY):
            page.goto(FUNCHAL, wait_until="commit")
        self.assertEqual(len(self.lists()), 1)
        let_come()
        self.settled(page)

    def test_few_requests_precede_the_first_tile(self):
        for language in ("en", "pt"):
            with self.subTest(language):
                self.open(KINDS, language=language)
                asked = self.witness.requests
                first = next(place for place, path in enumerate(asked) if ".mvt" in path)
                self.assertLessEqual(first, MOST_REQUESTS, asked[:first])
                self.assertEqual([path for path in asked if path.startswith("/api/taxonomies")], [])

    def test_words_are_in_the_language_that_the_reader_selected_not_in_that_of_the_page(self):
        page = self.new_page(language="en")
        page.add_init_script("localStorage.setItem('farol.language', 'pt')")
        page.goto(KINDS)
        self.settled(page)
        expect(page.locator("#list-title")).to_contain_text("aqui")
        status = next(term["label"] for term in self.farol().get("/api/taxonomies/statuses?lang=pt")["terms"]
                        if term["code"] == "reported")
        expect(page.locator("#list")).to_contain_text(status)
        self.assertEqual([path for path in self.witness.requests if path.endswith("locale/en.json")], [])
