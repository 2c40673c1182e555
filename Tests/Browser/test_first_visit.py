"""The first visit: the introduction, the part of the world that the map opens with, and the main pages."""

import re

from playwright.sync_api import expect

from support.axe import violations
from support.case import FUNCHAL, BrowserTest, PhoneTest
from support.chromium import DESKTOP, NARROW, PHONE

SHORT = {"width": 320, "height": 568}
MARKET_DOOR = {"latitude": 32.64858, "longitude": -16.90425, "accuracy": 10}

# The given elements that the introduction overlaps, or whose middles another element covers: it must leave them free.
COVERED = """(names) => names.filter((name) => {
  const one = document.querySelector(name);
  if (!one || !one.checkVisibility({ visibilityProperty: true })) return false;
  const { left, top, width, height } = one.getBoundingClientRect();
  if (top < document.querySelector('#welcome').getBoundingClientRect().bottom && !one.closest('.topbar')) return true;
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  return !(one.contains(seen) || seen?.contains(one));
})"""
ESSENTIAL = ["#search", ".menu-button", "#locate", ".add-button", ".scale", "#sheet-handle", ".map-legend summary",
             ".button-stack button:first-child"]


# Whether the middle of the visible map is on land.
ON_LAND = """() => {
  const map = keptMaps[0];
  return map.queryRenderedFeatures(map.project(map.getCenter())).some(({ layer }) => /^land/.test(layer.id));
}"""


class FirstVisit(BrowserTest):
    def open(self, path=FUNCHAL, **options):
        return super().open(path, is_first_visit=True, **options)

    def introduction(self, page):
        return page.get_by_role("region", name="Farol")


class IntroductionTests(FirstVisit):
    def test_says_the_name_one_sentence_and_offers_three_ways_to_begin(self):
        page = self.open()
        part = self.introduction(page)
        expect(part.get_by_role("heading", name="Farol")).to_be_visible()
        expect(part).to_contain_text("An open map of the cameras")
        expect(part.get_by_role("button", name="Look around me")).to_be_visible()
        expect(part.get_by_role("link", name="What are these devices?")).to_have_attribute("href", "/learn#kinds")
        expect(part.get_by_role("link", name="My rights")).to_have_attribute("href", "/choices#rights")
        self.assertEqual(violations(page), [])

    def test_is_in_portuguese_as_well(self):
        page = self.open(language="pt")
        expect(self.introduction(page).get_by_role("link", name="Os meus direitos")).to_be_visible()

    def test_is_gone_after_it_is_closed_also_on_the_next_visit(self):
        page = self.open()
        self.introduction(page).get_by_role("button", name="Close the introduction").click()
        expect(self.introduction(page)).to_have_count(0)
        page.reload()
        self.settled(page)
        expect(self.introduction(page)).to_have_count(0)

    def test_is_gone_after_any_use_of_the_page(self):
        uses = {
            "a click on the map": lambda page: page.mouse.click(1_000, 600),
            "the wheel": lambda page: (page.mouse.move(1_000, 600), page.mouse.wheel(0, 40)),
            "typing": lambda page: page.locator("#search").press("a"),
            "a row of the list": lambda page: page.locator(".device-row").first.click(),
        }
        for name, use in uses.items():
            with self.subTest(name):
                page = self.open()
                expect(self.introduction(page)).to_be_visible()
                use(page)
                expect(self.introduction(page)).to_have_count(0)

    def test_stays_while_the_focus_only_moves_and_closes_by_escape(self):
        page = self.open()
        part = self.introduction(page)
        for name in ("Close the introduction", "Look around me", "What are these devices?", "My rights"):
            self.until(lambda: self.tabs_to(page, name), f"the focus on {name}")
        expect(part).to_be_visible()
        page.keyboard.press("Escape")
        expect(part).to_have_count(0)
        expect(page.locator("#list-title")).to_be_focused()

    def tabs_to(self, page, name):
        page.keyboard.press("Tab")
        return page.evaluate("(name) => (document.activeElement.ariaLabel ?? document.activeElement.textContent) === name",
                             name)

    def test_looking_around_asks_for_the_position_only_then(self):
        page = self.open("/#map=8.00/20.000/-40.000", permissions=["geolocation"], geolocation=MARKET_DOOR)
        self.introduction(page).get_by_role("button", name="Look around me").click()
        self.until(lambda: abs(self.view(page)[1] - 32.64858) < 0.001, "the map to come here")
        # The other doors stay until the page is used otherwise.
        expect(self.introduction(page).get_by_role("link", name="My rights")).to_be_visible()
        page.locator(".device-row").first.click()
        expect(self.introduction(page)).to_have_count(0)

    def test_the_doors_are_still_there_after_one_of_them(self):
        page = self.open()
        self.introduction(page).get_by_role("link", name="What are these devices?").click()
        expect(page.locator("#kinds")).to_be_in_viewport()
        page.go_back()
        expect(self.introduction(page).get_by_role("link", name="My rights")).to_be_visible()

    def test_my_rights_are_those_of_the_country_and_a_way_to_begin(self):
        for language, zone, right, words in (
                ("en", "Europe/Berlin", "Right of access", "GDPR"),
                ("pt", "Europe/Lisbon", "Direito de acesso", "RGPD")):
            with self.subTest(zone):
                page = self.open(language=language, timezone_id=zone)
                page.locator("#welcome a[href='/choices#rights']").click()
                part = page.locator("#rights")
                expect(part).to_contain_text(words)
                expect(part.locator("dt").filter(has_text=right)).to_be_visible()
                expect(part).to_be_in_viewport()
                expect(part.locator(".button.primary")).to_have_attribute("href", "/")
                self.assertEqual(violations(page), [])

    def test_with_no_device_around_the_map_shows_the_nearest_one_and_its_distance(self):
        far = {"latitude": 32.6300, "longitude": -16.9500, "accuracy": 10}
        for size in (DESKTOP, PHONE):
            with self.subTest(width=size["width"]):
                page = self.open("/#map=8.00/20.000/-40.000", size=size, permissions=["geolocation"], geolocation=far)
                self.introduction(page).get_by_role("button", name="Look around me").click()
                expect(page.locator(".toast")).to_contain_text(
                    re.compile(r"Nearest: [\d.,]+ k?m (north|south|east|west)"))
                self.settled(page)
                self.assertGreater(self.count(page), 0)
                page.get_by_role("button", name="Remove the filter Near me").click()
                expect(page.get_by_role("button", name="Remove the filter Near me")).to_have_count(0)

    def test_does_not_appear_over_a_device_of_a_link(self):
        device = self.farol().device("Market hall camera")
        page = self.open(f"/?device={device['id']}" + FUNCHAL[1:])
        expect(page.locator("#card h2")).to_have_text("Market hall camera")
        expect(self.introduction(page)).to_have_count(0)


class SmallIntroductionTests(FirstVisit, PhoneTest):
    def test_covers_no_essential_part_of_the_map_on_a_narrow_phone(self):
        for size in (NARROW, SHORT, PHONE):
            for language in ("en", "pt"):
                with self.subTest(size=size, language=language):
                    page = self.open(size=size, language=language)
                    expect(page.locator("#welcome")).to_be_visible()
                    self.assertEqual(page.evaluate(COVERED, ESSENTIAL), [])
                    # Many lists have many credits: on a phone they are folded from the start.
                    self.assertFalse(page.locator(".credits").evaluate("(credits) => credits.open"))
                    room = page.locator("#welcome").bounding_box()
                    self.assertLess(room["height"], size["height"] * 0.45)


class OpeningTests(BrowserTest):
    """The view that the map opens with."""

    def drawn(self, page):
        """Zoom, latitude and longitude of the map. The address names them only after a move."""
        return page.evaluate("""() => {
          const { lng, lat } = keptMaps[0].getCenter();
          return [keptMaps[0].getZoom(), lat, lng];
        }""")

    def test_opens_with_the_devices_of_the_country_of_the_time_zone(self):
        page = self.open("/", timezone_id="Europe/Berlin")
        zoom, latitude, longitude = self.drawn(page)
        self.assertAlmostEqual(latitude, 52.5, delta=1.5)
        self.assertAlmostEqual(longitude, 13.4, delta=1.5)
        self.assertGreater(zoom, 6)
        self.assertGreater(self.count(page), 0)

    def test_the_language_decides_where_the_zone_has_no_country(self):
        page = self.open("/", timezone_id="UTC", locale="de-DE")
        self.assertAlmostEqual(self.drawn(page)[2], 13.4, delta=1.5)

    def test_a_sparse_country_opens_with_its_continent_and_without_devices_with_the_fullest_one(self):
        # There are no test devices in Spain and in Asia.
        for zone, locale in (("Europe/Madrid", "es-ES"), ("Asia/Tokyo", "ja-JP"), ("Asia/Kolkata", "en-IN")):
            for size in (DESKTOP, PHONE):
                with self.subTest(zone=zone, width=size["width"]):
                    page = self.open("/", timezone_id=zone, locale=locale, size=size)
                    zoom, latitude, longitude = self.drawn(page)
                    self.assertAlmostEqual(longitude, 10.5, delta=1)
                    self.assertAlmostEqual(latitude, 50, delta=3)
                    self.assertLess(zoom, 5)
                    self.assertGreater(self.count(page), 100)
                    self.assertTrue(page.evaluate(ON_LAND), "land in the middle of the map")

    def test_the_introduction_leaves_the_frame_free_on_a_phone(self):
        page = BrowserTest.open(self, "/", timezone_id="Asia/Tokyo", locale="ja-JP", size=PHONE, is_first_visit=True)
        below = page.locator("#welcome").bounding_box()
        top = page.evaluate("() => keptMaps[0].project([10.5, 61]).y")  # the northern edge of Europe's frame
        self.assertGreater(top, below["y"] + below["height"] - 40)

    def test_opens_where_the_last_visit_ended(self):
        page = self.open("/#map=9.00/38.7000/-27.2000")
        page.get_by_role("button", name="Zoom in").click()
        self.until(lambda: self.view(page)[0] > 9.9, "the map to come closer")
        view = self.view(page)
        page.goto("about:blank")
        page.goto("/")
        self.settled(page)
        for now, before in zip(self.drawn(page), view):
            self.assertAlmostEqual(now, before, places=1)

    def test_the_view_of_a_link_wins(self):
        page = self.open("/#map=9.00/38.7000/-27.2000", timezone_id="Europe/Berlin")
        self.assertAlmostEqual(self.view(page)[2], -27.2, places=2)
        self.assertIsNone(self.witness.last("/api/statistics?country="))

    def test_only_a_first_visit_loads_the_countries_of_time_zones(self):
        def is_loaded():
            return any("/first-visit" in path for path in self.witness.requests)

        page = self.open()
        page.get_by_role("button", name="Zoom in").click()
        self.until(lambda: self.view(page)[0] > 14.9, "the map to come closer")
        page.goto("about:blank")
        page.goto("/")
        self.settled(page)
        self.assertFalse(is_loaded())
        self.open("/")
        self.assertTrue(is_loaded())

    def test_an_address_with_a_place_opens_there(self):
        place = self.farol().get("/api/places?q=Funchal")["places"][0]
        for wherefrom in ({"is_first_visit": True}, {"is_first_visit": False}):
            with self.subTest(**wherefrom):
                page = BrowserTest.open(self, f"/?place={place['id']}", timezone_id="Europe/Berlin", **wherefrom)
                zoom, latitude, longitude = self.drawn(page)
                self.assertAlmostEqual(latitude, place["latitude"], delta=0.1)
                self.assertAlmostEqual(longitude, place["longitude"], delta=0.1)
                self.assertGreater(zoom, 9)
        self.assertIsNone(self.witness.last("/api/statistics?country="))

    def test_an_address_with_an_unknown_place_opens_as_without(self):
        self.allowed_errors = (r"status of 400",)
        page = self.open("/?place=999999999", timezone_id="Europe/Berlin")
        self.assertAlmostEqual(self.drawn(page)[2], 13.4, delta=1.5)

    def test_a_place_for_a_new_device_is_not_kept(self):
        page = self.open("/#map=9.00/38.7000/-27.2000")
        kept = "() => localStorage.getItem('farol.view')"
        page.get_by_role("button", name="Zoom in").click()
        self.until(lambda: "10.00" in (page.evaluate(kept) or ""), "the view to be kept")
        page.goto("/?add=new#map=16.00/32.6480/-16.9080")
        page.locator(".add").wait_for()
        self.settled_map(page)
        self.assertIn("10.00", page.evaluate(kept))

    def settled_map(self, page):
        self.until(lambda: page.evaluate("() => Boolean(globalThis.keptMaps?.[0]?.loaded())"), "the map")


class MainPagesTests(BrowserTest):
    def test_a_wide_screen_shows_the_main_pages_outside_the_menu(self):
        page = self.open()
        pages = page.get_by_role("navigation", name="Main pages")
        expect(pages.get_by_role("link", name="Map")).to_have_attribute("aria-current", "page")
        for name in ("Learn", "My requests", "Operators", "Statistics", "About", "Sign in"):
            expect(pages.get_by_role("link", name=name, exact=True)).to_be_in_viewport()
        pages.get_by_role("link", name="About").click()
        expect(page.locator("h1")).to_be_visible()
        expect(page.get_by_role("navigation", name="Main pages").get_by_role("link", name="About")).to_have_attribute(
            "aria-current", "page")

    def test_signing_in_returns_to_the_view(self):
        page = self.open()
        page.get_by_role("navigation", name="Main pages").get_by_role("link", name="Sign in").click()
        page.wait_for_url(re.compile(r"/sign-in\?.*map%3D14"))

    def test_a_narrow_screen_has_them_in_the_menu_only(self):
        page = self.open(size={"width": 800, "height": 700})
        expect(page.get_by_role("navigation", name="Main pages")).to_be_hidden()
        page.get_by_role("button", name="Menu").click()
        expect(page.get_by_role("link", name="Statistics").last).to_be_visible()
