"""Places with borders: the same count on the map, in the statistics and on the page of the place."""

import json
import re
import subprocess
from pathlib import Path

from playwright.sync_api import expect

from support.acts import unfold
from support.axe import violations
from support.case import BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.farol import HOME, own_farol
from support.layout import BEYOND_CARD

# The town of Funchal with a border that leaves out some devices within its box, and a district that the gazetteer lacks.
TOWN = [[-16.94, 32.63], [-16.885, 32.635], [-16.909, 32.65], [-16.9, 32.67], [-16.935, 32.67]]
DISTRICT = [[-16.94, 32.63], [-16.885, 32.635], [-16.909, 32.65]]

_farol = None


def feature(number, level, name, corners):
    return json.dumps({
        "type": "Feature", "id": f"a{number}",
        "geometry": {"type": "Polygon", "coordinates": [[*corners, corners[0]]]},
        "properties": {"boundary": "administrative", "admin_level": str(level), "name": name},
    })


def farol_with_borders():
    """The single server of this file, with the borders that set-up makes of two features."""
    global _farol
    if _farol is None:
        _farol = own_farol()
        subprocess.run(
            ["python3", "-B", HOME / "setup/borders.py", "extract", "--places", _farol.folder / "places.db",
             "--date", "2026-05-01", "--output", _farol.streets() / "few.borders.db"],
            input="\n".join([feature(1, 7, "Funchal", TOWN), feature(2, 9, "Lado Sul", DISTRICT)]), text=True,
            check=True, capture_output=True)
        _farol.start()
    return _farol


def number(text):
    return int(re.sub(r"\D", "", text))


class PlaceTests(BrowserTest):
    @classmethod
    def tearDownClass(cls):
        global _farol
        if _farol:
            _farol.stop()
            _farol = None

    def farol(self):
        return farol_with_borders()

    def town(self):
        return next(place for place in self.farol().get("/api/places?q=Funchal")["places"] if place["bordered"])

    def total(self, place):
        return self.farol().get(f"/api/statistics?place={place['id']}")["total"]

    def test_a_town_and_its_operators_are_two_taps_from_the_map(self):
        page = self.open("/", size=PHONE)
        page.get_by_role("combobox").fill("Funchal")
        page.get_by_role("listbox").get_by_role("option", name=re.compile("^Funchal")).first.click()
        # The field and the town: the list has the number, and below it are the operators.
        expect(page.locator("#list-title")).to_have_text(re.compile(r"^Funchal: \d+ "))
        expect(page.locator(".about-operators")).to_have_text(re.compile(
            r"^Operators: \w.* \d+.*\. The operator of \d+ devices? is unknown\.$"))
        page.get_by_role("link", name="Funchal: how many, and whose?").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Funchal")
        expect(page.get_by_role("heading", name="Operators")).to_be_visible()

    def test_map_statistics_and_page_count_the_same_devices_under_one_name(self):
        place = self.town()
        total = self.total(place)
        self.assertGreater(total, 5)
        box = ",".join(map(str, place["bbox"]))
        self.assertGreater(self.farol().get(f"/api/statistics?bbox={box}")["total"], total)
        page = self.open(f"/?place={place['id']}", size=DESKTOP)
        expect(page.locator("#list-title")).to_have_text(re.compile(rf"^Funchal: {total} "))
        unfold(page, page.locator(".statistics-link")).click()
        expect(page.locator(".whole-number")).to_have_text(str(total))
        expect(page.locator(".whole-words")).to_contain_text("Funchal")
        page.goto(f"/places/{place['id']}")
        expect(page.locator(".place-total")).to_have_text(f"{total} devices on the map")
        expect(page.locator(".place-table .is-own td").first).to_have_text(str(total))

    def test_the_page_has_figures_with_shares_and_what_is_unknown(self):
        place = self.town()
        answer = self.farol().get(f"/api/statistics?place={place['id']}&group_by=operator")
        page = self.open(f"/places/{place['id']}", wait=False)
        operators = page.locator("section", has=page.get_by_role("heading", name="Operators"))
        unknown = next(group["count"] for group in answer["groups"] if group["operator"] is None)
        expect(operators.locator("li", has_text="Unknown").locator(".place-bar-number")).to_contain_text(str(unknown))
        expect(page.get_by_text("Counted inside the border. Border: © OpenStreetMap contributors.")).to_be_visible()
        expect(page.get_by_role("link", name="Lado Sul")).to_be_visible()
        expect(page.locator(".place-citation")).to_contain_text(f"/places/{place['id']}")

    def test_a_place_without_a_border_is_an_area_around_it_without_a_density(self):
        other = self.farol().get("/api/places?q=Lisbon")["places"][0]
        self.assertFalse(other["bordered"])
        page = self.open(f"/places/{other['id']}", wait=False)
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Area around {other['name']}")
        expect(page.get_by_text("per km²")).to_have_count(0)

    def test_the_page_is_accessible_and_fits_small_screens(self):
        path = f"/places/{self.town()['id']}"
        for size in (NARROW, PHONE, DESKTOP):
            for theme in ("light", "dark"):
                page = self.open(path, wait=False, theme=theme, size=size)
                expect(page.get_by_role("heading", name="Cite")).to_be_visible()
                self.assertEqual(violations(page), [])
                width = page.evaluate("document.documentElement.scrollWidth")
                self.assertLessEqual(width, page.viewport_size["width"])
        for language in ("en", "pt"):
            page = self.open(path, wait=False, size=NARROW, language=language)
            expect(page.locator(".place-table .is-own")).to_be_visible()
            self.assertEqual(page.evaluate(BEYOND_CARD), [])

    def test_following_and_the_feed_have_symbols_of_their_own(self):
        page = self.open(f"/places/{self.town()['id']}", wait=False)
        acts = page.locator(".place-acts")
        symbols = [acts.get_by_role("link", name=name).locator(".icon").get_attribute("data-icon")
                   for name in ("Follow", "Feed")]
        self.assertEqual(len(set(symbols)), 2, symbols)

    def test_a_watch_of_the_browser_has_the_border_of_the_place(self):
        page = self.open(f"/?place={self.town()['id']}")
        self.until(lambda: any("/border?" in url for url in self.witness.requests), "the border on the map")
        self.settled(page)
        asked = len([url for url in self.witness.requests if "/border?" in url])
        page.get_by_role("button", name="Watch this area").click()
        dialog = page.get_by_role("dialog", name="Watch this area")
        expect(dialog.get_by_role("radio", name="Funchal")).to_be_checked()
        dialog.get_by_role("button", name="Watch", exact=True).click()
        expect(dialog.get_by_role("link", name="See watched areas")).to_be_visible()
        # The map had the border already: the watch makes no request that would reveal its area.
        self.assertEqual(len([url for url in self.witness.requests if "/border?" in url]), asked)
        with page.expect_download() as download:
            page.goto("/local-watches")
            page.get_by_role("button", name="Save to a file").click()
        area = json.loads(Path(download.value.path()).read_text())["watches"][0]["area"]
        self.assertEqual(area["type"], "place")
        self.assertEqual(len(area["border"]), 1)
        for corner, expected in zip(sorted(area["border"][0]), sorted(TOWN)):
            for edge, wanted in zip(corner, expected):
                self.assertAlmostEqual(edge, wanted, places=3)

    def test_an_unknown_place_says_so(self):
        self.allowed_errors = (r"status of 404",)
        page = self.open("/places/999999999999", wait=False)
        expect(page.get_by_role("heading", level=1)).to_have_text("There is no such place")
