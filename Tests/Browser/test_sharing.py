"""Signs, feeds, printing and the hint to install."""

from playwright.sync_api import expect

from support.acts import unfold
from support.axe import violations
from support.case import FUNCHAL, MARKET, BrowserTest, PhoneTest
from support.chromium import NARROW
from support.keeping import WritingTest


class SignTests(WritingTest):
    def open_sign(self, device, **options):
        page = self.page_of(**options)
        page.goto(f"/devices/{device}")
        unfold(page, page.locator("#sign-device")).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        return page

    def is_drawn(self, page):
        return page.locator(".sign-preview").evaluate("(image) => image.complete && image.naturalWidth > 0")

    def test_the_dialog_shows_the_sign_and_downloads_it(self):
        page = self.open_sign(self.add_device())
        self.until(lambda: self.is_drawn(page), "the preview")
        page.get_by_label("Language").select_option("fr")
        page.get_by_label("Paper").select_option("a5")
        expect(page.locator(".sign-preview")).to_have_attribute("alt", "Preview of the sign: Français, A5")
        self.until(lambda: self.is_drawn(page), "the preview in French")
        with page.expect_download() as download:
            page.get_by_role("link", name="Download PDF").click()
        self.assertEqual(download.value.suggested_filename, "sign-a5-fr.pdf")
        with open(download.value.path(), "rb") as file:
            self.assertTrue(file.read().startswith(b"%PDF-"))
        with page.expect_download() as download:
            page.get_by_role("link", name="Download SVG").click()
        with open(download.value.path(), encoding="utf-8") as file:
            self.assertIn("<svg", file.read())

    def test_the_sign_begins_in_the_language_of_the_page(self):
        page = self.open_sign(self.add_device(), language="pt")
        self.assertEqual(page.get_by_label("Língua").input_value(), "pt")

    def test_the_dialog_is_accessible_and_returns_the_focus(self):
        page = self.open_sign(self.add_device(), size=NARROW, theme="dark")
        self.until(lambda: self.is_drawn(page), "the preview")
        self.assertEqual(violations(page), [])
        page.keyboard.press("Escape")
        expect(page.locator("#sign-device")).to_be_focused()

    def test_a_removed_device_offers_no_sign(self):
        device = self.add_device()
        for name in ("jorge", "anabela"):
            self.known(name).send("POST", f"/api/collections/devices/items/{device}/claims", {
                "claim": "present", "verdict": "dispute", "basis": "seen"}, expect=200)
        page = self.page_of()
        page.goto(f"/devices/{device}")
        expect(page.locator(".device-status")).to_contain_text("Removed")
        self.assertEqual(page.locator("#sign-device").count(), 0)


class FeedTests(BrowserTest):
    def test_the_list_links_to_the_feed_of_its_filters_and_area(self):
        page = self.open("/?category=webcam" + MARKET[1:])
        link = unfold(page, page.locator(".feed-link"))
        link.focus()
        address = link.get_attribute("href")
        self.assertRegex(address, r"^/api/feeds/devices\.atom\?category=webcam&bbox=")
        feed = self.farol().get(address, raw=True).decode()
        self.assertIn("<feed", feed)


class PrintTests(BrowserTest):
    def prints(self, page):
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")

    def test_the_map_is_printed_above_its_list_without_controls(self):
        page = self.open(FUNCHAL)
        self.prints(page)
        copy = page.locator("#map .map-copy")
        expect(copy).to_be_visible()
        colours = copy.evaluate("""(canvas) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          const found = new Set();
          for (let i = 0; i < data.length; i += 400) found.add(`${data[i]} ${data[i + 1]} ${data[i + 2]} ${data[i + 3]}`);
          return found.size;
        }""")
        self.assertGreater(colours, 2, "the copy shows the map")
        expect(page.locator(".device-row").first).to_be_visible()
        self.assertLess(copy.bounding_box()["y"], page.locator(".device-row").first.bounding_box()["y"])
        for control in (".topbar", ".map-buttons", "#add-place", ".filters-open", ".embed-open", ".feed-link"):
            expect(page.locator(control).first).to_be_hidden()
        page.evaluate("() => dispatchEvent(new Event('afterprint'))")
        expect(copy).to_have_count(0)

    def test_a_dark_page_prints_dark_on_white_and_is_dark_again_afterwards(self):
        page = self.open("/statistics", wait=False, theme="dark")
        expect(page.locator("#by-category .chart.is-drawn")).to_be_visible()
        ink = "() => getComputedStyle(document.body).color"
        dark = page.evaluate(ink)
        self.prints(page)
        self.assertEqual(page.evaluate(ink), "rgb(0, 0, 0)")
        self.assertEqual(page.evaluate("() => document.documentElement.dataset.theme"), "light")
        expect(page.locator(".page-bar")).to_be_hidden()
        expect(page.locator(".figure-embed").first).to_be_hidden()
        page.emulate_media(media="screen")
        page.evaluate("() => dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.evaluate(ink), dark)
        self.assertIsNone(page.evaluate("() => document.documentElement.dataset.theme ?? null"))

    def test_a_dark_map_prints_light(self):
        page = self.open(FUNCHAL, theme="dark")
        self.prints(page)
        copy = page.locator("#map .map-copy")
        expect(copy).to_be_visible()
        brightness = copy.evaluate("""(canvas) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          let sum = 0;
          for (let i = 0; i < data.length; i += 4) sum += data[i] + data[i + 1] + data[i + 2];
          return sum / (data.length / 4) / 3;
        }""")
        self.assertGreater(brightness, 180)

    def test_all_charts_are_printed_whole_and_fit_the_paper(self):
        page = self.open("/statistics", wait=False, theme="dark", reduced_motion="no-preference")
        # The page has not been scrolled.
        self.until(lambda: page.evaluate("""() => document.querySelectorAll('.figure').length > 4
          && !document.querySelector('.figure-skeleton, .figure-body[aria-busy]')"""), "all figures")
        self.prints(page)
        charts = page.locator(".chart.is-drawn:visible").all()
        self.assertGreater(len(charts), 2)
        for chart in charts:
            # Printed before the next frame, so a movement would be at its start: bars without a length.
            longest = chart.evaluate("""(chart) => Math.max(0, ...[...chart.querySelectorAll('path')]
              .map((path) => path.getBBox()).filter(({ height }) => height > 8).map(({ width }) => width))""")
            self.assertGreater(longest, 100)
            self.assertLessEqual(chart.locator("svg").bounding_box()["width"], 640)

    def test_a_device_is_printed_with_its_map_and_facts(self):
        page = self.open(MARKET)
        identifier = page.locator(".device-row").first.get_attribute("data-id")
        page.goto(f"/devices/{identifier}")
        expect(page.locator("#device-map canvas")).to_be_visible()
        expect(page.locator(".facts").first).to_be_visible()
        self.prints(page)
        expect(page.locator("#device-map .map-copy")).to_be_visible()
        expect(page.locator(".device-acts")).to_be_hidden()
        expect(page.locator(".facts").first).to_be_visible()


OFFER = """() => {
  const event = new Event('beforeinstallprompt', { cancelable: true });
  globalThis.prompted = 0;
  event.prompt = async () => { prompted += 1; };
  event.userChoice = Promise.resolve({ outcome: 'accepted' });
  dispatchEvent(event);
}"""


class InstallHintTests(PhoneTest):
    def visit(self, visits):
        page = self.new_page()
        page.add_init_script(f"localStorage.getItem('farol.install') ?? localStorage.setItem('farol.install', '{visits}')")
        page.goto(FUNCHAL)
        self.settled(page)
        page.locator(".sheet-step").first.click()
        page.evaluate(OFFER)
        return page

    def test_the_second_visit_offers_to_install_and_the_first_does_not(self):
        first = self.visit(0)
        self.assertEqual(first.locator(".install-hint").count(), 0)
        second = self.visit(1)
        hint = second.locator(".install-hint")
        hint.get_by_role("button", name="Install").click()
        self.until(lambda: second.evaluate("() => prompted") == 1, "the browser to be asked")
        expect(hint).to_be_hidden()

    def test_a_closed_hint_does_not_return(self):
        page = self.visit(4)
        page.locator(".install-hint").get_by_role("button", name="Not now").click()
        expect(page.locator(".install-hint")).to_have_count(0)
        page.reload()
        self.settled(page)
        page.evaluate(OFFER)
        self.assertEqual(page.locator(".install-hint").count(), 0)

    def test_the_menu_installs_only_while_the_browser_offers_it(self):
        page = self.open(FUNCHAL)
        page.locator(".menu-button").click()
        entry = page.get_by_role("button", name="Install Farol as an app")
        expect(entry).to_be_hidden()
        page.evaluate(OFFER)
        expect(entry).to_be_visible()
        entry.click()
        self.until(lambda: page.evaluate("() => prompted") == 1, "the browser to be asked")
        expect(entry).to_be_hidden()
