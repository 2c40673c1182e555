"""Areas that only the browser watches."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from support.axe import violations
from support.case import FUNCHAL
from support.chromium import NARROW
from support.neighbour import NeighbourTest

NEARBY = [-16.96, 32.70]  # in the same cell, outside of the area
CHANGES = re.compile(r"/api/cells/\d+/changes(\?day=\d{4}-\d\d-\d\d(&cursor=[\w-]+)?)?")
WATCHES = "/local-watches"


class LocalWatchTests(NeighbourTest):
    def begin(self, page, label="Our street"):
        """Watches what the map shows."""
        page.get_by_role("button", name="Watch this area").click()
        dialog = page.get_by_role("dialog", name="Watch this area")
        dialog.get_by_label("Name of this watch").fill(label)
        with page.expect_response(lambda response: "/api/cells/" in response.url):
            dialog.get_by_role("button", name="Watch", exact=True).click()
        expect(dialog.get_by_role("link", name="See watched areas")).to_be_focused()
        return page

    def watching(self, **options):
        return self.begin(self.open(FUNCHAL, **options))

    def check(self, page):
        """Reads the feeds now, and waits for the end."""
        page.evaluate("() => { const said = document.querySelector('#announcer'); if (said) said.textContent = ''; }")
        page.locator("[data-act=check]").click()
        expect(page.locator("#announcer")).not_to_be_empty()

    def names(self, page):
        return page.locator(".watch-items a").all_inner_texts()

    def test_a_watch_finds_what_was_added_meanwhile(self):
        page = self.watching()
        self.add("Beacon at the corner")
        self.add("Beacon in the next valley", NEARBY)
        page.goto(WATCHES)
        self.check(page)
        expect(page.locator(".watch h3")).to_have_text(re.compile(r"^1 new since \d\d:\d\d$"))
        self.assertEqual(self.names(page), ["Beacon at the corner"])
        expect(page.locator(".watch-items")).to_contain_text("New")
        # Other pages report it, too.
        page.goto(FUNCHAL)
        expect(page.locator(".watch-news")).to_have_text(re.compile("^Watched areas: 1 new since"))
        page.goto(WATCHES)
        page.get_by_role("button", name="Mark as seen: “Our street”").click()
        expect(page.locator(".watch h3")).to_have_text("Nothing new")
        expect(page.get_by_role("heading", name="Our street")).to_be_focused()
        expect(page.locator(".watch-old summary")).to_have_text("1 seen earlier")
        self.check(page)
        expect(page.locator("#announcer")).to_have_text("Nothing new")

    def test_no_request_reveals_the_area(self):
        page = self.watching()
        page.context.add_cookies([{"name": "probe", "value": "1", "url": self.server.address}])
        sent = []
        page.on("request", lambda request: sent.append(request))
        self.add("Beacon at the corner")
        page.goto(WATCHES)
        self.check(page)
        expect(page.locator(".watch-items a")).to_have_text("Beacon at the corner")
        reads = [request for request in sent if "/api/cells/" in request.url]
        cells = {urlsplit(request.url).path for request in reads}
        self.assertEqual(len(cells), 9)
        for request in reads:
            parts = urlsplit(request.url)
            self.assertRegex(parts.path + (f"?{parts.query}" if parts.query else ""), CHANGES)
            headers = request.all_headers()
            self.assertNotIn("cookie", headers)
            self.assertEqual(headers.get("referer", ""), "")
        # Other requests have the cookie.
        self.assertTrue(any("probe" in request.all_headers().get("cookie", "") for request in sent))
        # Another area with its middle in the same cell sends the same requests.
        self.assertEqual(cells, {f"/api/cells/{row * 1440 + column}/changes"
                                 for row in (489, 490, 491) for column in (651, 652, 653)})
        for request in sent:
            self.assertNotIn("Our street", request.url + (request.post_data or ""))
            query = parse_qs(urlsplit(request.url).query)
            self.assertEqual([name for name in query if name not in ("lang", "day", "cursor")], [], request.url)

    def test_what_happened_while_offline_is_found_afterwards(self):
        page = self.watching()
        page.goto(WATCHES)
        self.check(page)
        page.context.set_offline(True)
        self.add("Beacon of a quiet hour")
        page.locator("[data-act=check]").click()
        expect(page.locator(".look > [role=status]")).to_contain_text("cannot be reached")
        expect(page.locator(".watch h3")).to_have_text("Nothing new")
        page.context.set_offline(False)
        expect(page.locator(".look > [role=status]")).to_contain_text("Last checked", timeout=60_000)
        self.check(page)
        self.assertEqual(self.names(page), ["Beacon of a quiet hour"])

    def test_the_filters_of_the_list_apply(self):
        page = self.begin(self.open(FUNCHAL.replace("/#", "/?category=alpr#")))
        self.add("Beacon")
        self.add("Reader at the bridge", category="alpr")
        page.goto(WATCHES)
        self.check(page)
        expect(page.locator(".watch h3")).to_contain_text("1 new")
        self.assertEqual(self.names(page), ["Reader at the bridge"])
        expect(page.locator(".watch > .watch-facts")).to_contain_text("plate reader")

    def test_everything_works_with_the_keyboard(self):
        page = self.open(FUNCHAL)
        page.get_by_role("button", name="Watch this area").focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Watch this area")
        expect(dialog).to_be_visible()
        dialog.get_by_role("radio").first.focus()
        page.keyboard.press("ArrowDown")
        expect(dialog.get_by_label("Radius")).to_be_visible()
        page.keyboard.press("Tab")
        expect(dialog.get_by_role("button", name="Draw the area on the map")).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        expect(dialog.get_by_label("Name of this watch")).to_be_focused()
        page.keyboard.press("Control+A")
        page.keyboard.type("Circle")
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name="See watched areas")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Watched areas")
        expect(page.locator(".watch > .watch-facts")).to_contain_text("Circle with a radius of 2 km")
        page.get_by_role("button", name="Rename “Circle”").focus()
        page.keyboard.press("Enter")
        expect(page.locator("dialog input")).to_have_value("Circle")
        page.locator("dialog input").fill("School")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="School")).to_be_visible()
        # The dialog returns the focus when it closes.
        expect(page.locator("dialog")).to_have_count(0)
        page.get_by_role("button", name="Pause “School”").press("Enter")
        expect(page.locator(".watch .chip")).to_have_text("Paused")
        self.add("Beacon during the pause")
        page.get_by_role("button", name="Resume “School”").press("Enter")
        expect(page.locator(".watch .chip")).to_have_count(0)
        page.get_by_role("button", name="Delete “School”").press("Enter")
        page.get_by_role("button", name="Delete", exact=True).press("Enter")
        expect(page.get_by_role("heading", level=1)).to_be_focused()
        expect(page.locator("#content")).to_contain_text("watches no area yet")

    def test_a_file_takes_watches_to_another_browser(self):
        page = self.watching()
        page.goto(WATCHES)
        with page.expect_download() as caught:
            page.get_by_role("button", name="Save to a file").click()
        saved = Path(caught.value.path()).read_text()
        self.assertEqual(json.loads(saved)["watches"][0]["label"], "Our street")
        other = self.open(WATCHES, wait=False)
        self.load(other, saved)
        expect(other.get_by_role("heading", name="Our street")).to_be_visible()
        expect(other.locator(".toast")).to_have_text("1 watched area was added.")
        self.load(other, saved)  # not twice
        expect(other.locator(".toast")).to_have_text("0 watched areas were added.")
        expect(other.locator(".watch")).to_have_count(1)
        self.load(other, "<html>")
        expect(other.locator(".toast")).to_contain_text("not a list of watched areas")
        self.load(other, " " * 1_000_001)
        expect(other.locator(".toast")).to_contain_text("too large")
        rude = json.loads(saved)
        rude["watches"] = [rude["watches"][0] | {"label": "\u202eeman<b>\u0000"}, {"label": "broken"}]
        self.load(other, json.dumps(rude))
        expect(other.locator(".watch h2").last).to_have_text("eman<b>")
        expect(other.locator(".toast")).to_contain_text("1 entry is not valid")

    def load(self, page, text):
        page.locator("#watches-file").set_input_files(
            {"name": "watches.json", "mimeType": "application/json", "buffer": text.encode()})

    def test_an_area_that_is_too_large_is_refused(self):
        page = self.open("/#map=5.00/40.0000/-8.0000")
        page.get_by_role("button", name="Watch this area").click()
        dialog = page.get_by_role("dialog", name="Watch this area")
        expect(dialog.get_by_role("alert")).to_contain_text("too large")
        dialog.get_by_label("Name of this watch").fill("Too much")
        dialog.get_by_role("button", name="Watch", exact=True).click()
        expect(dialog.get_by_label("Name of this watch")).to_be_visible()
        dialog.get_by_label("A circle around the middle of the map").check()
        expect(dialog.get_by_role("alert")).to_be_hidden()

    def test_a_notification_is_asked_for_on_a_click_only(self):
        page = self.watching()
        page.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'default' });"
                             " globalThis.asked = 0; Notification.requestPermission = async () => { asked += 1;"
                             " return 'denied'; };")
        page.goto(WATCHES)
        self.check(page)
        self.assertEqual(page.evaluate("() => asked"), 0)
        page.get_by_role("button", name="Notify me in this browser").click()
        expect(page.locator(".toast")).to_contain_text("does not allow notifications")
        self.assertEqual(page.evaluate("() => asked"), 1)

    def test_it_fits_a_small_phone_in_both_languages_and_themes(self):
        for language, theme in (("en", "dark"), ("pt", "light")):
            page = self.open(FUNCHAL, language=language, theme=theme, size=NARROW)
            page.locator(".sheet-step").first.click()
            page.locator(".watch-open").click()
            dialog = page.locator("dialog.watch-dialog")
            dialog.locator("input[type=text]").fill("Rua da Escola " * 5)
            self.assertEqual(violations(page), [])
            dialog.locator("button[type=submit]").click()
            expect(dialog.locator("a.button")).to_be_focused()
            self.add(f"A beacon with a long name that does not fit into one line of a small phone ({language})")
            page.goto(WATCHES)
            self.check(page)
            expect(page.locator(".watch-items a")).to_have_count(1)
            self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)
            self.assertEqual(violations(page), [])

    def move(self, page):
        page.get_by_role("button", name="Move “Our street” to my account").click()
        return page.locator("dialog")

    def test_a_watch_moves_to_the_account_only_after_a_confirmation(self):
        page = self.watching()
        page.goto(WATCHES)
        sent = []
        page.on("request", lambda request: sent.append((request.method, urlsplit(request.url).path)))
        dialog = self.move(page)
        expect(dialog).to_contain_text("Sign in first")
        dialog.get_by_role("button", name="Keep in this browser only").click()
        self.person.enter(page.context)
        page.reload()
        dialog = self.move(page)
        expect(dialog).to_contain_text("the exact area: Rectangle of")
        expect(dialog).to_contain_text("the name “Our street”")
        dialog.get_by_role("button", name="Keep in this browser only").click()
        self.assertNotIn(("POST", "/api/watches"), sent)
        self.move(page).get_by_role("button", name="Move to my account").click()
        expect(page.locator(".toast")).to_contain_text("“Our street” is now in “My watches”")
        expect(page.locator("#content")).to_contain_text("watches no area yet")
        expect(page.get_by_role("heading", level=1)).to_be_focused()
        _, _, body = self.person.send("GET", "/api/watches", expect=200)
        self.assertEqual([(one["label"], one["area"]["type"], one["mail"]) for one in body["watches"]],
                         [("Our street", "box", "daily")])

    def begin_drawing(self, page):
        page.locator(".watch-open").click()
        page.locator("dialog [data-act=draw]").click()
        bar = page.locator(".draw-bar")
        expect(bar).to_be_visible()
        return bar

    def test_an_area_is_drawn_with_the_mouse(self):
        page = self.open(FUNCHAL)
        bar = self.begin_drawing(page)
        box = page.locator("#map-canvas").bounding_box()
        middle = (box["x"] + box["width"] / 2 + 60, box["y"] + box["height"] / 2)
        corners = [(-100, -120), (100, -120), (-100, 120), (100, 120)]
        for x, y in corners:
            page.mouse.click(middle[0] + x, middle[1] + y)
            page.wait_for_timeout(350)  # else two clicks zoom
        expect(bar).to_contain_text("4 corners. The edges cross each other.")
        expect(bar.get_by_role("button", name="Use this area")).to_be_disabled()
        bar.get_by_role("button", name="Remove the last corner").click()
        expect(bar).to_contain_text("3 corners.")
        bar.get_by_role("button", name="Use this area").click()
        dialog = page.get_by_role("dialog", name="Watch this area")
        expect(dialog.get_by_label("The area that you drew")).to_be_checked()
        expect(dialog).to_contain_text("Polygon with 3 corners")
        dialog.get_by_label("Name of this watch").fill("Triangle")
        dialog.get_by_role("button", name="Watch", exact=True).click()
        dialog.get_by_role("link", name="See watched areas").click()
        expect(page.locator(".watch > .watch-facts")).to_contain_text("Polygon with 3 corners")

    def test_an_area_is_drawn_with_the_keyboard_and_found(self):
        page = self.open(FUNCHAL)
        page.locator(".watch-open").press("Enter")
        page.locator("dialog [data-act=draw]").press("Enter")
        expect(page.locator(".crosshair")).to_be_focused()
        for keys in (["ArrowUp"] * 2, ["ArrowRight"] * 2, ["ArrowDown"] * 4, ["ArrowLeft"] * 2):
            for key in keys:
                page.keyboard.press(f"Shift+{key}")
            page.keyboard.press("Enter")
        bar = page.locator(".draw-bar")
        expect(bar.get_by_role("status")).to_contain_text("4 corners.")
        page.keyboard.press("Backspace")
        expect(bar.get_by_role("status")).to_contain_text("3 corners.")
        bar.get_by_role("button", name="Use this area").press("Enter")
        dialog = page.get_by_role("dialog", name="Watch this area")
        expect(dialog.get_by_label("The area that you drew")).to_be_checked()
        # Escape keeps the dialog as it was.
        dialog.get_by_role("button", name="Draw it again").press("Enter")
        expect(page.locator(".crosshair")).to_be_focused()
        page.keyboard.press("Escape")
        expect(dialog.get_by_label("The area that you drew")).to_be_checked()
        expect(page.locator(".draw-bar")).to_have_count(0)

    def test_an_area_is_drawn_on_a_small_phone(self):
        for language, theme in (("en", "dark"), ("pt", "light")):
            page = self.open(FUNCHAL, language=language, theme=theme, size=NARROW)
            page.locator(".sheet-step").first.click()
            bar = self.begin_drawing(page)
            for _ in range(2):
                bar.locator("[data-draw=corner]").click()
                page.locator(".crosshair").focus()
                page.keyboard.press("Shift+ArrowRight")
            page.keyboard.press("Shift+ArrowDown")
            bar.locator("[data-draw=corner]").click()
            expect(bar.locator("[data-draw=done]")).to_be_enabled()
            self.assertEqual(violations(page), [])
            self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)
            bar.locator("[data-draw=done]").click()
            expect(page.locator("dialog [value=drawn]")).to_be_checked()
