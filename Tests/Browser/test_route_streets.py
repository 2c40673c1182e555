"""Quiet routes in the streets of Liechtenstein, served by Farol itself: offline, and as far as the letters."""

import re
import subprocess
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.accounts import confirmed_person
from support.case import BrowserTest
from support.farol import HOME, PROGRAM, own_farol
from support.neighbour import ITEMS

VADUZ = [9.5209, 47.1410]
SCHAAN = [9.5087, 47.1650]
MIDDLE = [9.5155, 47.1530]


class StreetsTest(BrowserTest):
    allowed_errors = (r"ERR_FAILED", r"ERR_CONNECTION_REFUSED", r"ERR_INTERNET_DISCONNECTED", r"ERR_INCOMPLETE_CHUNKED")

    def setUp(self):
        super().setUp()
        self.server = own_farol()
        subprocess.run([PROGRAM, "streets", HOME / "seed/streets/liechtenstein.osm.pbf", "--output",
                        self.server.streets() / "liechtenstein.graph"], check=True, capture_output=True)
        self.server.start()
        self.addCleanup(self.server.stop)

    def farol(self):
        return self.server

    def start(self, **options):
        page = self.open("/routes", with_map=False, **options)
        expect(page.locator("[data-act=go]")).to_be_visible()
        return page

    def find(self, page, start=VADUZ, end=SCHAAN):
        for name, place in (("from", start), ("to", end)):
            field = page.locator(f'[data-stop="{name}"] input')
            field.fill(f"{place[1]}, {place[0]}")
            field.press("Enter")
        page.locator("[data-act=go]").click()
        expect(page.locator("#route-result")).to_be_focused()

    def test_a_region_that_was_loaded_works_offline_after_a_reload(self):
        page = self.start(service_workers="allow")
        page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        page.reload()
        self.find(page)
        length = page.locator(".route-card").first.locator(".route-figures").inner_text()
        page.context.set_offline(True)
        self.server.stop()
        page.reload()
        self.find(page)
        self.assertEqual(page.locator(".route-card").first.locator(".route-figures").inner_text(), length)
        # Another way in the same pieces was never computed before.
        self.find(page, SCHAAN, MIDDLE)
        # A region that was not loaded.
        page.locator('[data-stop="to"] input').fill("47.0, 9.0")
        page.locator('[data-stop="to"] input').press("Enter")
        expect(page.locator(".route-said")).to_contain_text("This server has no streets for this area.")

    def test_the_operators_of_a_way_lead_to_letters_with_place_and_time(self):
        person = confirmed_person(self.server, "neighbour")
        page = self.start()
        self.find(page)
        line = page.evaluate("""() => document.querySelector('[data-act=geo]').href""")
        longitude, latitude = reversed([float(part) for part in line.removeprefix("geo:").split(",")])
        person.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
            "properties": {"name": "Camera of the bank", "category": "camera_ptz", "data_collected": ["video"],
                           "operator": {"name": "Bank of the valley", "kind": "company"}}}, expect=201)
        page = self.start()
        sent = []
        page.on("request", lambda request: sent.append(request))
        self.find(page)
        page.locator("[data-act=ask]").click()
        dialog = page.get_by_role("dialog", name="Ask for your data")
        dialog.get_by_label("When you went this way").fill("2026-11-20T08:15")
        dialog.get_by_role("button", name="Begin the letters").click()
        page.wait_for_url(re.compile("/choices/"))
        letter = page.locator(".letter-paper").first
        # In the language of the place.
        expect(letter).to_contain_text("Ort: bei Schaan, Liechtenstein (47.16")
        expect(letter).to_contain_text("Wann ich dort war: 20.11.2026, 08:15")
        for request in sent:
            self.assertIn(request.method, ("GET", "HEAD"))
            self.assertNotIn("2026-11-20", request.url)
            for place in (VADUZ, SCHAAN):
                self.assertNotIn(f"{place[0]:.3f}", request.url)

    def test_the_requests_for_real_streets_do_not_depend_on_the_journey(self):
        asked = []
        for start, end in ((VADUZ, SCHAAN), (SCHAAN, MIDDLE), ([9.5230, 47.1380], [9.5110, 47.1600])):
            page = self.start()
            paths = set()
            page.on("request", lambda request, paths=paths: paths.add(
                urlsplit(request.url)._replace(scheme="", netloc="").geturl()))
            self.find(page, start, end)
            asked.append({path for path in paths if path.startswith(("/street-graphs/", "/api/collections"))})
        self.assertGreater(len(asked[0]), 5)
        self.assertEqual(asked[0], asked[1])
        self.assertEqual(asked[0], asked[2])
