"""The map and the charts in frames on other sites: shown without cookies, and no other page can be framed."""

import re

from playwright.sync_api import expect

from support.acts import unfold
from support.axe import violations
from support.case import MARKET, BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.host_site import HostSite
from support.keeping import WritingTest

MADEIRA = "bbox=-17.3,32.4,-16.2,33.2"


class FramedTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.site = HostSite()
        self.addCleanup(self.site.stop)

    def tearDown(self):
        for witness in self.watched:
            witness.foreign = [url for url in witness.foreign if not url.startswith(self.site.address)]
        super().tearDown()

    def framed(self, page, address, width=600, height=420):
        """The frame of a page of Farol on the other site."""
        page.goto(self.site.show(
            f'<iframe src="{self.farol().address}{address}" title="Farol" width="{width}" height="{height}"></iframe>'))
        return page.frame_locator("iframe")


class EmbedTests(FramedTest):
    def test_another_site_shows_the_map_with_its_filters_and_its_view(self):
        page = self.new_page()
        frame = self.framed(page, "/embed?category=webcam" + MARKET[1:])
        expect(frame.locator(".embed-title")).to_have_text(re.compile(r"\d|No devices here"))
        expect(frame.locator("canvas")).to_be_visible()
        self.until(lambda: self.witness.last("/api/collections/devices/items?"), "the devices to be counted")
        self.assertIn("category=webcam", self.witness.last("/api/collections/devices/items?"))
        link = frame.get_by_role("link", name="Open in Farol")
        self.assertRegex(link.get_attribute("href"), r"^/\?category=webcam#map=17")
        with page.context.expect_page() as opened:
            link.click()
        self.settled(opened.value)
        self.assertEqual(self.view(opened.value)[0], 17)

    def test_no_other_page_can_be_framed(self):
        self.allowed_errors = ("frame-ancestors", "refused to connect", "ERR_BLOCKED_BY_RESPONSE")
        page = self.new_page()
        for path in ("/", "/statistics", "/sign-in", "/learn"):
            self.framed(page, path)
            page.wait_for_timeout(300)  # the refusal changes nothing that one could wait for
            frame = page.frames[1]
            self.assertNotIn(self.farol().address, frame.evaluate("() => location.href"), path)

    def test_a_chart_is_drawn_with_its_table_and_link(self):
        page = self.new_page()
        frame = self.framed(page, f"/embed?chart=category&{MADEIRA}", height=560)
        expect(frame.locator(".chart.is-drawn svg")).to_be_visible()
        expect(frame.locator(".embed-foot a")).to_have_attribute("href", f"/statistics?{MADEIRA}")
        frame.get_by_text("View as a table").click()
        expect(frame.get_by_role("row").nth(1)).to_be_visible()
        self.assertEqual(frame.locator(".figure-close").count(), 0)

    def test_every_kind_of_chart_can_be_embedded(self):
        page = self.new_page()
        for chart in ("time", "cross", "compare&compare=country:PT&compare=country:ES"):
            page.goto(f"/embed?chart={chart}")
            expect(page.locator(".chart.is-drawn svg, .figure-empty").first).to_be_visible()
        page.goto("/embed?chart=nonsense")
        expect(page.locator("main")).to_contain_text("This chart does not exist")

    def test_a_tapped_device_is_named_with_a_link_to_its_page(self):
        page = self.new_page()
        page.goto("/embed" + MARKET[1:])
        expect(page.locator(".embed-title")).not_to_be_empty()
        self.until(lambda: page.evaluate(
            "() => globalThis.keptMaps?.[0]?.loaded() && keptMaps[0].areTilesLoaded()"), "the map")
        point = page.evaluate("""() => {
          const map = keptMaps[0];
          const [feature] = map.queryRenderedFeatures({ layers: ['devices'] });
          const { x, y } = map.project(feature.geometry.coordinates);
          return { x, y, id: feature.properties.id };
        }""")
        page.mouse.click(point["x"], point["y"])
        link = page.locator(".embed-card a")
        expect(link).to_have_attribute("href", f"/devices/{point['id']}")
        expect(link).to_be_focused()
        page.locator(".embed-card").get_by_role("button", name="Close").click()
        expect(page.locator(".embed-card")).to_be_hidden()

    def test_without_webgl_a_sentence_and_the_link_remain(self):
        page = self.new_page(with_map=False)
        page.goto("/embed")
        expect(page.locator(".embed-words")).to_be_visible()
        expect(page.get_by_role("link", name="Open in Farol")).to_be_visible()

    def test_it_is_accessible_in_every_size_theme_and_language(self):
        for size in (DESKTOP, PHONE, NARROW):
            for theme, language, name in (("dark", "pt", "Abrir em Farol"), ("light", "en", "Open in Farol")):
                page = self.new_page(size=size)
                for path in (f"/embed?theme={theme}&lang={language}{MARKET[1:]}",
                             f"/embed?chart=category&theme={theme}&lang={language}"):
                    page.goto(path)
                    expect(page.locator(".embed-title:not(:empty), .chart.is-drawn").first).to_be_visible()
                    expect(page.get_by_role("link", name=name)).to_be_visible()
                    self.assertEqual(page.evaluate("() => document.documentElement.dataset.theme"), theme)
                    self.assertEqual(violations(page), [], f"{size} {path}")
                    self.assertTrue(page.evaluate(
                        "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"), path)


class CookieTests(FramedTest, WritingTest):
    def test_a_frame_sends_no_cookie_and_stores_nothing_even_for_a_signed_in_user(self):
        page = self.page_of("maria")
        sent = []
        page.context.on("request", lambda request: sent.append(request))
        frame = self.framed(page, "/embed" + MARKET[1:])
        expect(frame.locator(".embed-title")).to_have_text(re.compile(r"\d|No devices"))
        asked = [request for request in sent if re.search(r"/(api|basemap|streets|healthz)\b", request.url)]
        self.assertGreater(len(asked), 3)
        for request in asked:
            self.assertNotIn("cookie", request.all_headers(), request.url)
        self.assertFalse(any("/api/session" in request.url for request in sent))
        names = page.frames[1].evaluate("() => Object.keys(localStorage)")
        # Those that the test itself wrote.
        self.assertLessEqual(set(names), {"farol.met", "farol.signed-in"})
        stored = page.frames[1].evaluate("async () => (await indexedDB.databases()).length")
        self.assertEqual(stored, 0)


class SnippetTests(BrowserTest):
    def code(self, page):
        return page.locator(".embed-code").inner_text()

    def test_the_map_writes_the_html_of_its_view_and_filters(self):
        page = self.open("/?category=webcam" + MARKET[1:])
        unfold(page, page.locator(".embed-open")).click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Embed this map")
        self.assertIn(f'src="{self.farol().address}/embed?category=webcam#map=17', self.code(page))
        self.assertIn('height="420"', self.code(page))
        dialog.get_by_label("Height").select_option("560")
        dialog.get_by_label("Colours").select_option("dark")
        dialog.get_by_label("Language").select_option("pt")
        for part in ('height="560"', "theme=dark", "lang=pt"):
            self.assertIn(part, self.code(page))
        with page.context.expect_page() as opened:
            dialog.get_by_role("link", name="Preview").click()
        expect(opened.value.get_by_role("link", name="Abrir em Farol")).to_be_visible()

    def test_a_chart_writes_its_own_html(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False)
        figure = page.locator("#by-operator")
        figure.scroll_into_view_if_needed()
        figure.get_by_role("button", name="Embed").click()
        expect(page.get_by_role("dialog")).to_contain_text("Embed this chart")
        self.assertIn("/embed?bbox=-17.3,32.4,-16.2,33.2&amp;chart=operator\"", self.code(page))
        page.keyboard.press("Escape")
        expect(figure.get_by_role("button", name="Embed")).to_be_focused()

    def test_the_html_can_be_copied(self):
        page = self.open(MARKET, permissions=["clipboard-read", "clipboard-write"])
        unfold(page, page.locator(".embed-open")).click()
        page.get_by_role("button", name="Copy the HTML").click()
        expect(page.get_by_role("dialog")).to_contain_text("Copied")
        self.assertEqual(page.evaluate("() => navigator.clipboard.readText()"), self.code(page))

    def test_the_dialog_is_accessible_on_a_narrow_screen(self):
        page = self.open(MARKET, size=NARROW)
        page.locator(".sheet-step").first.click()
        unfold(page, page.locator(".embed-open")).click()
        self.assertEqual(violations(page), [])
