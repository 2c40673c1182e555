"""Debian's Chromium, driven by Playwright, drawing the map in software."""

import atexit
import os
from pathlib import Path

from playwright.sync_api import sync_playwright

RESULTS = Path(__file__).resolve().parents[3] / "test-results"

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 700}

WITH_MAP = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
WITHOUT_MAP = ["--disable-gpu", "--disable-3d-apis", "--disable-software-rasterizer"]

# Keeps every map the page makes, so that tests can ask what is drawn where.
KEEP_MAPS = """
(() => {
  let library;
  Object.defineProperty(globalThis, 'maplibregl', {
    configurable: true,
    get: () => library,
    set(given) {
      const kept = globalThis.keptMaps = [];
      class KeptMap extends given.Map {
        constructor(options) { super(options); kept.push(this); }
      }
      library = Object.create(given, { Map: { value: KeptMap } });
    },
  });
})();
"""

_playwright = None
_browsers = {}


def browser(with_map=True):
    """The one Chromium of this run, with WebGL or without."""
    global _playwright
    if _playwright is None:
        _playwright = sync_playwright().start()
        atexit.register(close_all)
    if with_map not in _browsers:
        _browsers[with_map] = _playwright.chromium.launch(
            executable_path=os.environ.get("FAROL_CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", *(WITH_MAP if with_map else WITHOUT_MAP)])
    return _browsers[with_map]


def close_all():
    for one in _browsers.values():
        one.close()
    _browsers.clear()
    if _playwright:
        _playwright.stop()


class Chromium:
    """Chromium as the walk wants it, in a window of a given size."""

    name = "Chromium"

    def __init__(self, width, height, with_map=True):
        self.held = browser(with_map).new_context(
            viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce",
            service_workers="block")
        self.page = self.held.new_page()

    def goto(self, url):
        self.page.goto(url)

    def evaluate(self, expression):
        return self.page.evaluate(expression)

    def click(self, x, y):
        self.page.mouse.click(x, y)

    def type(self, text):
        self.page.keyboard.type(text)

    def back(self):
        self.page.go_back()

    def close(self):
        self.held.close()
