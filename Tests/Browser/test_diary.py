"""The exposure diary: everything in the browser, and no request that tells where somebody was."""

import re
from datetime import timedelta
from time import monotonic
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import DESKTOP, NARROW
from support.layout import WIDER_THAN_WINDOW
from support.neighbour import ITEMS, NeighbourTest
from support.walks import FORMATS, gpx, recently, walk

DIARY = "/diary"
STREET = [-16.955, 32.685]
# Requests that every page makes at some moment, whatever the reader does.
SETUP = ("/assets/", "/api/settings", "/api/tiles/devices.json", "/api/taxonomies", "/api/session")
CELLS = re.compile(r"^/api/collections/devices/items\?bbox=-?[\d.]+,-?[\d.]+,-?[\d.]+,-?[\d.]+&limit=10000"
                   r"&properties=bearings,field_of_view,setting,stale_on$")


class DiaryTest(NeighbourTest):
    def setUp(self):
        super().setUp()
        self.cameras = [self.device("Camera at the corner", 0.001, "camera_ptz", ["video"], "Town of Funchal"),
                        self.device("Camera at the bridge", 0.003, "camera_ptz", ["video"], "Town of Funchal"),
                        self.device("Reader at the bridge", 0.004, "alpr", ["plate", "still_image"], "Bridge company"),
                        self.device("Nameless camera", 0.005, "camera_ptz", ["video"], None)]

    def device(self, name, east, category, data, operator):
        properties = {"name": name, "category": category, "data_collected": data}
        if operator:
            properties["operator"] = {"name": operator, "kind": "public"}
        _, _, device = self.person.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [STREET[0] + east, STREET[1]]},
            "properties": properties}, expect=201)
        return device["id"]

    def street(self, **more):
        """A walk along the devices."""
        return walk([STREET, [STREET[0] + 0.007, STREET[1]]], **more)

    def start(self, **options):
        page = self.open(DIARY, **options)
        expect(page.locator("#diary-add")).to_be_visible()
        return page

    def read(self, page, text, name="walk.gpx"):
        page.locator("#diary-file").set_input_files({"name": name, "mimeType": "", "buffer": text.encode()})
        expect(page.locator(".diary-said p")).not_to_have_count(0)
        expect(page.locator("[data-act=stop_reading]")).to_have_count(0)
        return page.locator(".diary-said p").last


class DiaryTests(DiaryTest):
    def test_every_format_tells_the_same(self):
        points = self.street()
        for name, form in FORMATS.items():
            with self.subTest(name):
                page = self.start()
                said = self.read(page, form(points), name)
                expect(said).to_contain_text("1 day read.")
                expect(said).to_contain_text("You passed devices 4 times.")
                sentence = page.locator("section[aria-labelledby=summary] .diary-sentence")
                expect(sentence).to_contain_text("3 turning and dome cameras and 1 number-plate reader")
                expect(sentence).to_contain_text("2 operators are known.")
                expect(page.locator(".exposure-operators").first).to_contain_text("Town of Funchal")
                expect(page.locator(".exposure-operators + .section-note, .section-note").first).to_contain_text(
                    "1 without a known operator")

    def requests_of(self, points, **options):
        """What the page asks for while a walk is read."""
        page = self.start(**options)
        page.context.add_cookies([{"name": "probe", "value": "1", "url": self.server.address}])
        sent = []
        page.on("request", lambda request: sent.append(request))
        said = self.read(page, gpx(points))
        expect(said).to_contain_text("1 day read.")
        return page, sent

    def test_the_requests_are_the_same_for_every_walk_in_the_region(self):
        walks = [
            self.street(),
            walk([[-16.99, 32.51], [-16.80, 32.52]], seconds=120),
            walk([[-16.76, 32.74], [-16.77, 32.73], [-16.76, 32.72]], start=recently(3)),
        ]
        asked = []
        for points in walks:
            _, sent = self.requests_of(points)
            paths = sorted(urlsplit(request.url)._replace(scheme="", netloc="").geturl() for request in sent)
            cells = [path for path in paths if path.startswith("/api/collections")]
            self.assertEqual(len(cells), 9)
            for request in sent:
                self.assertEqual(request.method, "GET")
                self.assertIsNone(request.post_data)
            for path in cells:
                self.assertRegex(path, CELLS)
                # Quarters of a degree: the request contains nothing finer.
                for edge in parse_qs(urlsplit(path).query)["bbox"][0].split(","):
                    self.assertEqual(float(edge) * 4 % 1, 0, path)
            for request in sent:
                if "/api/collections" in request.url:
                    headers = request.all_headers()
                    self.assertNotIn("cookie", headers)
                    self.assertEqual(headers.get("referer", ""), "")
            asked.append([path for path in paths if not path.startswith(SETUP)])
        self.assertEqual(asked[0], asked[1])
        self.assertEqual(asked[0], asked[2])

    def test_decoys_are_loaded_on_request_and_stay_the_same(self):
        page = self.start()
        page.get_by_label("Hide my area").check()
        sent = []
        page.on("request", lambda request: sent.append(request.url))
        seen = []
        for _ in range(2):
            sent.clear()
            self.read(page, gpx(self.street()))
            seen.append(sorted(url for url in sent if "bbox=" in url))
            page.reload()
            expect(page.get_by_label("Hide my area")).to_be_checked()
        self.assertGreaterEqual(len(seen[0]), 18)
        self.assertEqual(seen[0], seen[1])

    def test_bad_files_get_one_clear_sentence_and_the_page_goes_on(self):
        page = self.start()
        good = self.street()
        bad = {
            "empty.gpx": (" \n", "There is no recorded way in this file."),
            "photo.jpg": ("\ufffd\ufffdJFIF", "This is not a recorded way"),
            "page.html": ("<html><p>hello</p></html>", "This is not a recorded way"),
            "broken.gpx": (gpx(good).replace("</trkseg>", "</trk>"), "This file is damaged"),
            "cut.gpx": ("<gpx><trk><trkseg><trkpt", "This file ends in the middle"),
            "broken.json": ('{"locations": [{"latitudeE7": oops}]}', "This file is damaged"),
            "untimed.gpx": (re.sub("<time>.*?</time>", "", gpx(good)), "This file has no times"),
            "nowhere.gpx": (gpx([(500, 95, time) for _, _, time in good]), "are not on the earth"),
            "old.gpx": (gpx([(x, y, time.replace(year=1970)) for x, y, time in good]), "before 1990 or in the future"),
        }
        for name, (text, words) in bad.items():
            said = self.read(page, text, name)
            expect(said).to_contain_text(words)
            expect(said).to_have_class("complaint")
        half = gpx(good)
        said = self.read(page, half[:len(half) * 2 // 3], "half.gpx")
        expect(said).to_contain_text("The file ends in the middle; what came before was read.")
        backwards = good[:10] + [(x, y, time.replace(hour=9)) for x, y, time in good[10:]]
        said = self.read(page, gpx(backwards), "clock.gpx")
        expect(said).to_contain_text("The clock in the file runs backwards at one place")
        said = self.read(page, gpx(walk([[179.999, -16.5], [180, -16.5]]) + walk([[-180, -16.5], [-179.999, -16.5]],
                                   start=recently().replace(hour=12))), "fiji.gpx")
        expect(said).to_contain_text("1 day read.")

    def test_a_file_of_200_megabytes_does_not_stop_the_page(self):
        page = self.start(with_map=False)
        file = self.server.folder / "large.gpx"
        points = "".join(
            f'<trkpt lat="32.685000" lon="{STREET[0] + second * 1e-5:.6f}"><ele>12.5</ele><time>HOUR:{second // 60:02}:'
            f"{second % 60:02}Z</time></trkpt>\n" for second in range(3_600))
        with open(file, "w", encoding="utf-8") as out:
            out.write('<?xml version="1.0"?><gpx version="1.1"><trk>')
            for hour in range(600):
                time = recently(30) + timedelta(hours=hour)
                out.write(f"<trkseg>{points.replace('HOUR', time.strftime('%Y-%m-%dT%H'))}</trkseg>")
            out.write("</trk></gpx>")
        self.assertGreater(file.stat().st_size, 200_000_000)
        page.evaluate("""() => {
          window.tasks = [];
          new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
            .observe({ type: 'longtask' });
          window.shares = [];
          const bar = document.querySelector('.paper progress');
          new MutationObserver(() => window.shares.push(bar.value)).observe(bar, { attributes: true });
        }""")
        page.locator("#diary-file").set_input_files(file)
        stop = page.get_by_role("button", name="Stop")
        expect(stop).to_be_visible()
        start = monotonic()
        # The page answers meanwhile.
        page.get_by_label("Hide my area").check()
        page.get_by_label("Hide my area").uncheck()
        expect(page.locator("progress")).to_be_visible()
        expect(page.locator(".diary-said p")).to_contain_text("26 days read.", timeout=300_000)
        tasks, shares = page.evaluate("[window.tasks, window.shares]")
        self.assertGreater(len(set(shares)), 5, "progress was shown")
        print(f"{monotonic() - start:.0f} s; longest task of the page {max(tasks, default=0):.0f} ms")
        self.assertLess(max(tasks, default=0), 500)
        # A user may stop it.
        page.locator("#diary-file").set_input_files(file)
        stop.click()
        expect(page.locator(".diary-said p")).to_contain_text("Stopped. Nothing was read.")

    def test_a_passphrase_keeps_others_out(self):
        page = self.start()
        self.read(page, gpx(self.street()))
        page.get_by_role("button", name="Encrypt", exact=True).click()
        dialog = page.get_by_role("dialog", name="Encrypt the diary")
        dialog.get_by_role("textbox").fill("four quiet streets")
        dialog.get_by_role("button", name="Encrypt").click()
        expect(page.get_by_text("The diary is encrypted with your passphrase.")).to_be_visible()
        page.reload()
        expect(page.get_by_role("heading", name="The diary is locked")).to_be_visible()
        raw = page.evaluate("""() => new Promise((resolve) => {
          indexedDB.open('farol-diary').onsuccess = ({ target }) => {
            target.result.transaction('box').objectStore('box').getAll().onsuccess = (event) => {
              target.result.close();
              resolve(JSON.stringify(event.target.result));
            };
          };
        })""")
        self.assertNotIn("Funchal", raw)
        self.assertNotIn("camera", raw)
        page.get_by_label("Passphrase").fill("something else")
        page.get_by_role("button", name="Unlock").click()
        expect(page.get_by_role("alert")).to_have_text("This passphrase does not open the diary.")
        page.get_by_label("Passphrase").fill("four quiet streets")
        page.keyboard.press("Enter")
        expect(page.locator("#summary")).to_be_visible()
        # Changes stay encrypted.
        page.get_by_label("Forget a day after").select_option("365")
        page.reload()
        expect(page.get_by_role("heading", name="The diary is locked")).to_be_visible()

    def test_one_button_erases_everything(self):
        page = self.start()
        self.read(page, gpx(self.street()))
        page.get_by_role("button", name="Erase the diary").click()
        page.get_by_role("dialog").get_by_role("button", name="Erase the diary").click()
        expect(page.locator("#summary")).to_have_count(0)
        page.reload()
        expect(page.locator("#diary-add")).to_be_visible()
        expect(page.locator("#summary")).to_have_count(0)
        self.assertIsNone(page.evaluate("localStorage.getItem('farol.diary')"))

    def test_the_diary_moves_as_a_file(self):
        page = self.start()
        self.read(page, gpx(self.street()))
        with page.expect_download() as caught:
            page.get_by_role("button", name="Export").click()
        text = open(caught.value.path(), encoding="utf-8").read()
        other = self.start()
        other.locator("#diary-import").set_input_files(
            {"name": "farol-diary.json", "mimeType": "application/json", "buffer": text.encode()})
        expect(other.locator("section[aria-labelledby=summary] .diary-sentence")).to_contain_text("3 turning and dome")
        other.locator("#diary-import").set_input_files(
            {"name": "x.json", "mimeType": "application/json", "buffer": b"{}"})
        expect(other.get_by_text("This file is not a diary of Farol.")).to_be_visible()

    def test_old_days_are_forgotten_unless_that_is_changed(self):
        page = self.start()
        said = self.read(page, gpx(self.street(start=recently(200))))
        expect(said).to_contain_text("One day is older than the diary remembers")
        expect(page.locator("#summary")).to_have_count(0)
        page.get_by_label("Forget a day after").select_option("365")
        self.read(page, gpx(self.street(start=recently(200))))
        expect(page.locator("#summary")).to_be_visible()

    def test_a_threshold_tells(self):
        page = self.start()
        page.get_by_label("More than, in a day").fill("3")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_text("A day passes more than 3: devices")).to_be_visible()
        self.read(page, gpx(self.street()))
        expect(page.locator(".diary-exceeded")).to_contain_text("4 (devices), more than 3.")
        page.get_by_role("button", name="Remove").click()
        expect(page.locator(".diary-exceeded")).to_have_count(0)

    def test_letters_begin_with_the_time_and_the_server_does_not_learn_it(self):
        page, sent = self.requests_of(self.street())
        page.get_by_role("button", name="Ask these 2 for your data").click()
        dialog = page.get_by_role("dialog", name="Ask for your data")
        expect(dialog.get_by_role("checkbox")).to_have_count(2)
        dialog.get_by_label("Bridge company").uncheck()
        dialog.get_by_role("button", name="Begin the letters").click()
        page.wait_for_url(re.compile("/choices/"))
        field = page.get_by_label("When you were there")
        if not field.is_visible():
            page.locator(".more-fields summary").click()
        day = recently()
        expect(field).to_have_value(re.compile(rf"^{day.day:02}\D.*{day.year}\D+{day:%H}:\d\d"))
        expect(page.locator(".letter-paper").first).to_contain_text(str(day.year))
        for request in sent:
            said = request.url + (request.post_data or "")
            self.assertNotIn(day.strftime("%Y-%m-%d"), said)
            self.assertIn(request.method, ("GET", "HEAD"))

    def test_the_calendar_and_the_periods_work_with_the_keyboard(self):
        page = self.start()
        self.read(page, gpx(self.street()) )
        self.read(page, gpx(self.street(start=recently(20))), "older.gpx")
        days = page.locator(".diary-calendar button")
        expect(days).to_have_count(2)
        days.last.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#summary")).to_be_focused()
        expect(page.locator("#summary")).to_contain_text(str(recently(20).year))
        page.locator("#period-month").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#period-year")).to_be_checked()
        expect(page.locator("#period-year")).to_be_focused()
        expect(page.locator(".diary-places li")).not_to_have_count(0)

    def test_recording_keeps_passes_and_no_place(self):
        page = self.start(permissions=["geolocation"], geolocation={"longitude": STREET[0], "latitude": STREET[1]})
        page.get_by_role("button", name="Record from here").click()
        expect(page.locator(".diary-said")).to_contain_text("Recording while this page stays open")
        for step in range(1, 4):
            page.context.set_geolocation({"longitude": STREET[0] + step * 0.0005, "latitude": STREET[1]})
            page.wait_for_timeout(600)
        page.get_by_role("button", name="Stop recording").click()
        expect(page.locator(".diary-said")).to_contain_text("The recording has ended.")
        expect(page.locator("section[aria-labelledby=summary] .diary-sentence")).to_contain_text(
            "1 turning or dome camera")

    def test_both_languages_and_narrow_windows_are_accessible(self):
        for size, language, theme in ((NARROW, "pt", "dark"), (DESKTOP, "en", "light"), (NARROW, "en", "light")):
            page = self.start(size=size, language=language, theme=theme)
            self.read(page, gpx(self.street()))
            expect(page.locator("#summary")).to_be_visible()
            self.assertEqual(violations(page), [])
            self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [])

    def test_without_the_server_nothing_is_added(self):
        page = self.start()
        page.context.set_offline(True)
        said = self.read(page, gpx(self.street()))
        expect(said).to_contain_text("The devices of the region could not be loaded, so nothing was added")
        expect(page.locator("#summary")).to_have_count(0)
