"""Base classes of browser tests."""

import re
import unittest
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from support.chromium import DESKTOP, KEEP_MAPS, PHONE, RESULTS, SHELL, browser
from support.farol import shared_farol
from support.map_probe import MapProbe
from support.waiting import PATIENCE, until
from support.witness import Witness

expect.set_options(timeout=PATIENCE * 1000)

# The location of the test devices: «#map=zoom/latitude/longitude».
FUNCHAL = "/#map=14.00/32.6480/-16.9080"
MARKET = "/#map=17.00/32.64860/-16.90420"
PIER = "/#map=15.00/33.06270/-16.31710"
SELVAGEM = "/#map=15.00/30.14060/-15.86620"
KINDS = "/#map=10.50/37.7700/-25.6500"
NAMES = "/#map=12.00/39.4500/-31.1820"
OCEAN = "/#map=8.00/20.000/-40.000"

LOCALES = {"en": "en-GB", "pt": "pt-PT"}


class BrowserTest(unittest.TestCase):
    """A test in Chromium. It fails if a page reports an error or sends a request to another server."""

    maxDiff = None
    allowed_errors = ()  # regular expressions for errors that the test causes

    def farol(self):
        return shared_farol()

    def new_page(self, size=DESKTOP, language="en", theme="light", with_map=True, farol=None, program=SHELL,
                 is_first_visit=False, **more):
        """A page in its own context, closed after the test."""
        farol = farol or self.farol()
        touch = size["width"] < 800
        context = browser(with_map, program).new_context(**({
            "base_url": farol.address, "viewport": size, "locale": LOCALES[language],
            "color_scheme": theme, "has_touch": touch, "service_workers": "block",
            "reduced_motion": "reduce",
        } | more))
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(KEEP_MAPS)
        if not is_first_visit:
            context.add_init_script("try { localStorage.setItem('farol.met', '1'); } catch { /* refused */ }")
        self.witness = Witness(context, farol)
        self.watched.append(self.witness)
        page = context.new_page()
        self.pages.append(page)
        return page

    def open(self, path=FUNCHAL, wait=True, **options):
        """A new page at an address. On the map page it waits for the map and the list."""
        page = self.new_page(**options)
        page.goto(path)
        if wait and urlsplit(path).path == "/":
            self.settled(page)
        return page

    def settled(self, page):
        """Waits until the map is idle and the list is up to date."""
        MapProbe(page).settle()
        return page

    def setUp(self):
        self.pages = []
        self.watched = []

    def run(self, result=None):
        self.kept_result = result
        return super().run(result)

    def tearDown(self):
        if self.has_failed():
            self.take_pictures()
        errors = [error for witness in self.watched for error in witness.errors
                  if not any(re.search(allowed, error) for allowed in self.allowed_errors)]
        foreign = [url for witness in self.watched for url in witness.foreign]
        for page in self.pages:
            page.context.close()
        self.assertEqual(foreign, [], "requests to another server")
        self.assertEqual(errors, [], "complaints of the browser")

    def has_failed(self):
        """Whether this test has already failed."""
        result = self.kept_result
        return any(test is self for test, _ in [*result.failures, *result.errors]) \
            or any(error for _, error in getattr(getattr(self, "_outcome", None), "errors", []) or []) \
            or getattr(getattr(self, "_outcome", None), "success", True) is False

    def take_pictures(self):
        RESULTS.mkdir(exist_ok=True)
        for number, page in enumerate(self.pages):
            name = f"{type(self).__name__}-{self._testMethodName}-{number}.png"[-150:]
            try:
                page.screenshot(path=str(RESULTS / name), timeout=20_000)
            except Exception as error:  # the browser has crashed: the failure itself is more informative
                print(f"no picture: {error}")

    # The content of the map page.

    def title(self, page):
        return page.locator("#list-title").inner_text()

    def count(self, page):
        """The number in the title of the list."""
        title = self.title(page)
        if title in ("No devices here", "Nenhum aparelho aqui"):
            return 0
        return int(re.sub(r"\D", "", re.match(r"[\d\s.,]*", title)[0]) or -1)

    def names(self, page):
        return page.locator(".device-row .row-name").all_inner_texts()

    def waits_for_title(self, page, pattern):
        expect(page.locator("#list-title")).to_have_text(re.compile(pattern))

    def address(self, page):
        """The current address; `page.url` may be out of date."""
        return page.evaluate("() => location.href")

    def query(self, page):
        """The query of the address, with the first value of each name."""
        parts = urlsplit(self.address(page))
        return {name: values[0] for name, values in parse_qs(parts.query).items()}

    def view(self, page):
        """Zoom, latitude and longitude in the address."""
        parts = urlsplit(self.address(page))
        return tuple(float(part) for part in parts.fragment.removeprefix("map=").split("/"))

    def asked_box(self, page):
        """The bounding box of the latest request for the list."""
        self.settled(page)
        asked = self.witness.last("/api/collections/devices/items?bbox=") \
            or self.witness.last("/api/collections/devices/items?")
        return parse_qs(urlsplit(asked).query)["bbox"][0]

    def until(self, condition, what, **options):
        def told():
            # Handlers of routes run only while Playwright waits for something.
            if self.pages and not self.pages[-1].is_closed():
                self.pages[-1].wait_for_timeout(1)
            return condition()
        return until(told, what, **options)


class PhoneTest(BrowserTest):
    """The same on a phone."""

    def new_page(self, size=PHONE, **options):
        return super().new_page(size=size, **options)
