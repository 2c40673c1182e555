"""Quiet routes: computed in the browser, on the handmade village of the tests of the search (Tests/Front/routes)."""

import json
import re
import subprocess
from math import cos, radians
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import DESKTOP, NARROW, PHONE
from support.layout import WIDER_THAN_WINDOW
from support.neighbour import ITEMS, NeighbourTest
from test_diary import SETUP

ROUTES = "/routes"
ROOT = Path(__file__).resolve().parent.parent.parent
SOUTH_WEST = (-76.5572, 39.29)
NORTH = 0.1 / 111.19508
EAST = NORTH / cos(radians(SOUTH_WEST[1]))
WRITE = """
import { hamletBytes, villageBytes } from './Tests/Front/routes/pieces.js';
console.log(JSON.stringify([...villageBytes(), hamletBytes()].map((bytes) => Buffer.from(bytes).toString('base64'))));
"""
# A street in the piece after the next of the village, which nothing connects with it.
HAMLET = [-76.405, 39.295]


def at(column, row):
    """A place in the village, in blocks of 100 m."""
    return [round(SOUTH_WEST[0] + column * EAST, 6), round(SOUTH_WEST[1] + row * NORTH, 6)]


def words(place):
    return f"{place[1]}, {place[0]}"


class RoutesTest(NeighbourTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = subprocess.run(["node", "--input-type=module", "-e", WRITE], cwd=ROOT, check=True, capture_output=True)
        from base64 import b64decode
        *village, hamlet = (b64decode(text) for text in json.loads(made.stdout))
        cls.village = {(1176 + place, 1561): piece for place, piece in enumerate(village)}
        cls.hamlet = {(1178, 1561): hamlet}

    def setUp(self):
        super().setUp()
        self.pieces = dict(self.village)
        self.broken = set()  # pieces that fail to load
        self.graphs = [{"id": "0123456789abcdef", "name": "village", "version": 1, "zoom": 12, "nodes": 81, "edges": 144,
                        "url": "/street-graphs/0123456789abcdef/{x}/{y}.piece",
                        "bounds": [-76.8, 39.2, -76.4, 39.4], "attribution": "the tests"}]

    def device(self, name, place, category="camera_ptz", data=("video",), operator="Town of Baltimore"):
        _, _, device = self.person.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": place},
            "properties": {"name": name, "category": category, "data_collected": list(data),
                           "operator": {"name": operator, "kind": "public"}}}, expect=201)
        return device["id"]

    def serve(self, context):
        """The village in place of the graphs of the server."""
        context.route("**/api/street-graphs", lambda route: route.fulfill(json={"graphs": self.graphs}))

        def piece(route):
            x, y = (int(number) for number in re.search(r"/(\d+)/(\d+)\.piece", route.request.url).groups())
            if (x, y) in self.broken:
                route.fulfill(status=500, body="")
            elif (x, y) in self.pieces:
                route.fulfill(body=self.pieces[x, y], content_type="application/octet-stream")
            else:
                route.fulfill(status=204, body="")
        context.route("**/street-graphs/*/*/*.piece", piece)

    def start(self, path=None, **options):
        page = self.new_page(**options)
        self.serve(page.context)
        page.goto(path or ROUTES)
        expect(page.locator("[data-act=go]")).to_be_visible()
        return page

    def choose(self, page, end, place):
        field = page.locator(f'[data-stop="{end}"] input')
        field.fill(words(place))
        field.press("Enter")
        expect(field).to_have_value(re.compile(r"\d"))

    def ways(self, page, start=(0, 2), end=(8, 2)):
        self.choose(page, "from", at(*start))
        self.choose(page, "to", at(*end))
        page.locator("[data-act=go]").click()
        expect(page.locator("#route-result")).to_be_focused()


class RouteTests(RoutesTest):
    allowed_errors = NeighbourTest.allowed_errors + (r"status of 500", r"Math\.nothing is not a function")

    def test_the_quiet_way_goes_around_a_camera(self):
        self.device("Camera at the crossing", at(4, 2))
        page = self.start()
        self.ways(page)
        quiet, shortest = page.locator("[data-route=quiet]"), page.locator("[data-route=shortest]")
        expect(quiet.locator(".route-figures")).to_contain_text("1 km")
        expect(quiet.locator(".route-figures")).to_contain_text("0 devices")
        expect(shortest.locator(".route-figures")).to_contain_text("800 m")
        expect(shortest).to_contain_text("1 turning or dome camera")
        expect(page.locator(".route-result .diary-sentence")).to_contain_text("100% less exposure")
        page.get_by_text("Step by step").click()
        expect(page.locator("[data-turn=start]")).to_contain_text("Start on")
        expect(page.locator("[data-turn=arrive]")).to_have_text(re.compile("You are there"))
        # The slider changes the answer at once.
        slider = page.locator("#quietness")
        slider.focus()
        page.keyboard.press("Home")
        expect(page.locator("[data-route=only] .route-figures")).to_contain_text("800 m")
        expect(slider).to_be_focused()

    def test_everything_works_with_the_keyboard(self):
        self.device("Camera at the crossing", at(4, 2))
        page = self.start()
        page.locator("[data-stop=from] input").focus()
        page.keyboard.type(words(at(0, 2)))
        page.keyboard.press("Enter")
        page.locator("[data-stop=to] input").focus()
        page.keyboard.type(words(at(8, 2)))
        page.keyboard.press("Enter")
        page.locator("#mode-walking").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#mode-wheelchair")).to_be_checked()
        page.locator("[data-act=go]").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#route-result")).to_be_focused()
        expect(page.locator("[data-route=quiet]")).to_be_visible()
        with page.expect_download() as caught:
            page.locator("[data-act=gpx]").focus()
            page.keyboard.press("Enter")
        text = Path(caught.value.path()).read_text(encoding="utf-8")
        self.assertIn("<trkpt", text)
        for place in (at(0, 2), at(8, 2)):
            self.assertNotIn(f'lon="{place[0]:.6f}"', text)

    def requests_of(self, start, end):
        """The requests while a way is found, without those of the picture of the map."""
        page = self.start(with_map=False)
        page.context.add_cookies([{"name": "probe", "value": "1", "url": self.server.address}])
        sent = []
        page.on("request", lambda request: sent.append(request))
        self.ways(page, start, end)
        return sent

    def test_the_requests_tell_neither_ends_nor_way(self):
        self.device("Camera at the crossing", at(4, 2))
        asked = []
        for start, end in (((0, 2), (8, 2)), ((7, 7), (1, 1)), ((3, 0), (5, 8))):
            sent = self.requests_of(start, end)
            own = [request for request in sent if not urlsplit(request.url).path.startswith("/assets/")]
            paths = sorted({urlsplit(request.url)._replace(scheme="", netloc="").geturl() for request in own})
            pieces = [urlsplit(request.url).path for request in own if "/street-graphs/" in request.url]
            cells = sorted(request.url for request in own if "bbox=" in request.url and "/api/live" not in request.url)
            self.assertTrue(pieces)
            self.assertTrue(any("bbox=" in path for path in paths))
            for request in own:
                self.assertEqual(request.method, "GET")
                self.assertIsNone(request.post_data)
                box = parse_qs(urlsplit(request.url).query).get("bbox", [""])[0]
                for edge in filter(None, box.split(",")):
                    self.assertEqual(float(edge) * 4 % 1, 0, request.url)
                if "bbox=-180" not in request.url and ("bbox=" in request.url or "street-graphs" in request.url):
                    self.assertNotIn("cookie", request.all_headers(), request.url)
                for place in (at(*start), at(*end)):
                    for number in place:
                        self.assertNotIn(f"{number:.3f}", request.url)
            # The stream of changes of the whole world begins sooner or later.
            others = [path for path in paths if not path.startswith(SETUP) and "/api/live?bbox=-180" not in path]
            # The pieces come in an order that the journey does not change, and each request as often.
            asked.append((pieces, cells, others))
        self.assertEqual(asked[0], asked[1])
        self.assertEqual(asked[0], asked[2])

    def test_an_area_without_streets_explains_how_to_add_them(self):
        self.graphs = []
        page = self.start()
        self.choose(page, "from", at(0, 2))
        self.choose(page, "to", at(8, 2))
        page.locator("[data-act=go]").click()
        expect(page.locator(".route-said")).to_contain_text("This server has no streets for this area.")
        expect(page.locator(".route-said")).to_contain_text("Its operator adds them from an extract of OpenStreetMap")
        expect(page.locator(".route-said code")).to_have_text("farol streets EXTRACT.osm.pbf")

    def test_bad_ends_and_pieces_get_one_clear_sentence(self):
        page = self.start()
        page.locator("[data-act=go]").click()
        expect(page.locator(".route-said")).to_contain_text("Choose a place for each end")
        self.choose(page, "from", at(0, 2))
        self.choose(page, "to", [-76.45, 39.22])
        page.locator("[data-act=go]").click()
        expect(page.locator(".route-said")).to_contain_text("No street that you can use is within 1 km")
        self.choose(page, "to", [2.35, 48.85])
        expect(page.locator(".route-said")).to_contain_text("This server has no streets for this area.")
        self.broken = set(self.pieces)
        other = self.start()
        self.choose(other, "from", at(0, 2))
        self.choose(other, "to", at(8, 2))
        other.locator("[data-act=go]").click()
        expect(other.locator(".route-said")).to_contain_text("could not be loaded; try again")
        self.broken = set()
        other.locator("[data-act=go]").click()
        expect(other.locator("#route-result")).to_be_focused()

    def fault(self, page, end=(8, 2)):
        """The sentence for a way from the village."""
        self.choose(page, "from", at(0, 2))
        self.choose(page, "to", at(*end) if isinstance(end, tuple) else end)
        page.locator("[data-act=go]").click()
        said = page.locator(".route-said")
        expect(said).to_have_class(re.compile("complaint"))
        expect(page.locator("[data-act=go]")).to_be_enabled()
        return said

    def test_towns_without_a_street_between_them(self):
        self.pieces |= self.hamlet
        page = self.start(with_map=False)
        expect(self.fault(page, HAMLET)).to_have_text("The streets do not connect these places.")
        # Each town in a separate file.
        self.graphs.append(self.graphs[0] | {"id": "fedcba9876543210", "bounds": [9.4, 47, 9.7, 47.3],
                                             "url": "/street-graphs/fedcba9876543210/{x}/{y}.piece"})
        page = self.start(with_map=False)
        expect(self.fault(page, [9.52, 47.14])).to_have_text("The streets do not connect these places.")
        # The page goes on.
        self.choose(page, "to", at(8, 2))
        expect(page.locator("[data-route=only] .route-figures")).to_contain_text("800 m")

    def test_pieces_of_another_version_or_damaged(self):
        whole = dict(self.pieces)
        page = self.start(with_map=False)
        for change, sentence in (
                (lambda piece: piece[:4] + b"\2" + piece[5:], "have a newer format; load this page again."),
                (lambda piece: piece[:len(piece) // 2], "arrived damaged; try again."),
                (lambda piece: b"<html>", "arrived damaged; try again."),
                (lambda piece: piece[:24] + b"\xff" * 4 + piece[28:], "is larger than this page reads")):
            self.pieces = {place: change(piece) for place, piece in whole.items()}
            expect(self.fault(page)).to_contain_text(sentence)
        # One piece of a renewed file and one piece of the file before.
        first, second = whole.items()
        self.pieces = dict([first, (second[0], second[1][:16] + b"renewed!" + second[1][24:])])
        expect(self.fault(page)).to_contain_text("The streets were renewed meanwhile; try again.")
        self.pieces = whole
        page.locator("[data-act=go]").click()
        expect(page.locator("#route-result")).to_be_focused()

    def test_a_way_to_where_it_begins(self):
        page = self.start(with_map=False)
        self.ways(page, (3, 2), (3, 2))
        expect(page.locator("[data-route=only] .route-figures")).to_contain_text("0 m")
        expect(page.locator("[data-act=geo]")).to_have_attribute("href", re.compile(r"^geo:39\.29\d+,-76\.55\d+$"))

    def test_a_renewed_file_of_streets_is_found_again(self):
        self.broken = set(self.pieces)
        page = self.start(with_map=False)
        expect(self.fault(page)).to_contain_text("could not be loaded; try again")
        self.broken = set()
        self.graphs = [self.graphs[0] | {"id": "1111111111111111",
                                         "url": "/street-graphs/1111111111111111/{x}/{y}.piece"}]
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.locator("[data-act=go]").click()
        expect(page.locator("#route-result")).to_be_focused()
        self.assertFalse([url for url in asked if "/0123456789abcdef/" in url])

    def with_other_scripts(self, old, new):
        """A page whose scripts have other words, in modules as in the built files."""
        page = self.new_page(with_map=False)
        self.serve(page.context)
        changed = []

        def script(route):
            answer = route.fetch()
            text = answer.text()
            if old in text:
                changed.append(route.request.url)
            route.fulfill(response=answer, body=text.replace(old, new))
        page.context.route("**/*.js", script)
        page.goto(ROUTES)
        expect(page.locator("[data-act=go]")).to_be_visible()
        return page, changed

    def test_memory_that_runs_out(self):
        # The arrays of the search are larger than a browser allows.
        page, changed = self.with_other_scripts("Int32Array(Math.max(16,", "Int32Array(Math.max(2**40,")
        expect(self.fault(page)).to_have_text(
            "This browser has too little memory for so many streets; choose nearer places.")
        self.assertEqual(len(changed), 1, changed)

    def test_a_fault_of_the_program_is_told_and_the_page_goes_on(self):
        page, changed = self.with_other_scripts("Int32Array(Math.max(16,", "Int32Array(Math.nothing(16,")
        expect(self.fault(page)).to_contain_text("because of a fault in this page")
        self.assertEqual(len(changed), 1, changed)

    def test_the_way_follows_the_slider_while_it_moves(self):
        self.device("Camera at the crossing", at(4, 2))
        page = self.start(with_map=False)
        self.ways(page)
        page.get_by_text("Step by step").click()
        found = page.evaluate("""async () => {
          const slider = document.querySelector('#quietness');
          const seen = [];
          for (let step = 0; step < 80; step += 1) {
            slider.value = String(step % 40 < 20 ? 0 : 100);
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            await new Promise((resolve) => { setTimeout(resolve, 25); });
            const now = document.querySelectorAll('.route-card').length;
            if (seen.at(-1) !== now) seen.push(now);
          }
          return seen;
        }""")
        # Two cards, one, two, one…: the answer changed while the slider moved.
        self.assertGreaterEqual(len(found), 3, found)
        expect(page.locator(".route-steps")).to_have_attribute("open", "")

    def test_stops_are_added_removed_and_reversed(self):
        page = self.start()
        self.choose(page, "from", at(0, 0))
        self.choose(page, "to", at(2, 2))
        page.locator("[data-act=add-stop]").click()
        self.choose(page, "1", at(2, 0))
        page.locator("[data-act=go]").click()
        expect(page.locator("[data-route=only] .route-figures")).to_contain_text("400 m")
        for _ in range(4):
            page.locator("[data-act=add-stop]").click()
        expect(page.locator("[data-act=add-stop]")).to_be_hidden()
        for _ in range(4):
            page.locator("[data-stop='2'] [data-act=remove]").click()
        page.locator("[data-act=swap]").click()
        expect(page.locator("[data-stop=from] input")).to_have_value(re.compile(r"39\.2918"))

    def test_a_new_device_computes_the_way_again(self):
        page = self.start()
        self.ways(page)
        expect(page.locator("[data-route=only]")).to_be_visible()
        page.wait_for_timeout(1_000)  # the stream of changes is open
        self.device("New camera", at(4, 2))
        expect(page.locator("[data-route=quiet]")).to_be_visible(timeout=30_000)

    def test_the_operators_passed_lead_to_requests(self):
        self.device("Camera at the crossing", at(4, 2))
        page = self.start()
        page.locator("#longer").fill("0")
        self.ways(page)
        page.locator("[data-act=ask]").click()
        dialog = page.get_by_role("dialog", name="Ask for your data")
        expect(dialog).to_contain_text("Town of Baltimore")
        expect(dialog.get_by_label("When you went this way")).to_have_value(re.compile(r"\d{4}-\d\d-\d\dT"))

    def test_how_watched_a_drawn_way_is(self):
        self.device("Camera at the crossing", at(4, 2))
        page = self.start(path=f"{ROUTES}#past={at(4, 2)[0]},{at(4, 2)[1]}")
        page.locator(".is-drawn, canvas").first.wait_for()
        page.locator("[data-act=watched]").click()
        page.get_by_role("button", name="Crosshair in the middle of the map").press("Enter")
        page.keyboard.press("ArrowRight")
        page.get_by_role("button", name="Take this place").click()
        page.get_by_role("button", name="Done").click()
        expect(page.locator("#route-result")).to_have_text("How watched is this way?")
        expect(page.locator(".route-result .diary-sentence")).to_contain_text("1 turning or dome camera")
        with page.expect_download() as caught:
            page.locator("[data-act=picture]").click()
        self.assertEqual(Path(caught.value.path()).read_bytes()[:4], b"\x89PNG")

    def test_it_works_offline_once_loaded(self):
        self.device("Camera at the crossing", at(4, 2))
        page = self.start()
        self.ways(page)
        page.context.set_offline(True)
        self.choose(page, "to", at(6, 6))
        page.locator("#mode-cycling").check(force=True)
        page.locator("[data-act=go]").click()
        expect(page.locator(".route-card").first.locator(".route-figures")).to_contain_text("1 km")

    def test_both_languages_and_narrow_windows_are_accessible(self):
        self.device("Camera at the crossing", at(4, 2))
        for size, language, theme in ((NARROW, "pt", "dark"), (DESKTOP, "en", "light"), (PHONE, "en", "dark")):
            page = self.start(size=size, language=language, theme=theme)
            self.ways(page)
            self.assertEqual(violations(page), [])
            self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [])


class EntryTests(RoutesTest):
    def test_a_long_press_on_a_phone_leads_here(self):
        page = self.open(f"/#map=16.00/{at(4, 2)[1]}/{at(4, 2)[0]}", size=PHONE, is_mobile=True)
        link = page.get_by_role("link", name="Quiet way here")
        devtools = page.context.new_cdp_session(page)
        touch = lambda kind, *points: devtools.send(  # noqa: E731
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
        # A finger that moves the map, and one that only taps.
        touch("touchStart", (200, 300))
        touch("touchMove", (220, 330))
        page.wait_for_timeout(900)
        touch("touchEnd")
        touch("touchStart", (200, 300))
        touch("touchEnd")
        page.wait_for_timeout(900)
        expect(link).to_have_count(0)
        touch("touchStart", (200, 300))
        expect(link).to_be_visible()
        touch("touchEnd")
        page.wait_for_timeout(600)
        self.assertRegex(link.get_attribute("href"), r"^/routes#to=-76\.5\d+%2C39\.\d+$")
        self.serve(page.context)
        link.tap()
        page.wait_for_url(re.compile("/routes#to="))
        expect(page.locator("[data-stop=to] input")).to_have_value(re.compile(r"^39\.2\d+, -76\.5\d+$"))

    def test_a_searched_place_leads_here(self):
        for size in (DESKTOP, PHONE):
            page = self.open("/", size=size)
            page.get_by_role("combobox").fill("Funchal")
            page.get_by_role("option").filter(has_text=re.compile("^Funchal")).first.click()
            link = page.locator(".way-here")
            expect(link).to_have_text("Quiet way here")
            link.click()
            page.wait_for_url(re.compile("/routes#to="))
            expect(page.locator("[data-stop=to] input")).to_have_value("Funchal")

    def test_the_menu_and_a_device_lead_here(self):
        device = self.device("Camera at the crossing", at(4, 2))
        page = self.new_page()
        self.serve(page.context)
        page.goto(f"/devices/{device}")
        page.get_by_role("link", name="Quiet way past it").click()
        page.wait_for_url(re.compile("/routes#past="))
        expect(page.locator(".route-said")).to_contain_text("The map shows the device.")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("link", name="Exposure diary").first.click()
        page.wait_for_url(re.compile("/diary$"))

    def test_the_menu_of_a_place_on_the_map_leads_here(self):
        page = self.open(f"/#map=16.00/{at(4, 2)[1]}/{at(4, 2)[0]}")
        canvas = page.locator("#map-canvas canvas")
        canvas.click(button="right", position={"x": 600, "y": 400})
        link = page.get_by_role("link", name="Quiet way here")
        expect(link).to_be_focused()
        page.keyboard.press("Escape")
        expect(link).to_have_count(0)
        canvas.focus()
        page.keyboard.press("Shift+F10")
        expect(link).to_be_focused()
        self.assertRegex(link.get_attribute("href"), r"^/routes#to=-76\.5\d+%2C39\.29\d+$")
