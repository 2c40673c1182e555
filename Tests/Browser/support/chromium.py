"""Debian's Chromium, controlled by Playwright, with a map drawn in software."""

import atexit
import os
from pathlib import Path

from playwright.sync_api import sync_playwright

RESULTS = Path(__file__).resolve().parents[3] / "test-results"

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 700}

# SwiftShader draws only the map. If it composited the page too, it would occupy half a core even while the page
# is idle.
WITH_MAP = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"]
WITHOUT_MAP = ["--disable-gpu", "--disable-3d-apis", "--disable-software-rasterizer"]

# Chromium without windows and menus: opening a page takes a sixth of the work.
SHELL = os.environ.get("FAROL_CHROMIUM", "/usr/bin/chromium-headless-shell")
# The complete Chromium: only it checks whether a page can be installed; the shell reports no obstacle for any page.
WHOLE = "/usr/bin/chromium"

# Stores every map that the page creates, so that tests can query it. The map is drawn with half as many pixels in each
# direction, because the processor draws them: this halves the work of Chromium's GPU process. Positions, sizes and
# features of the map stay the same; no test reads the pixels of the map.
KEEP_MAPS = """
(() => {
  let library;
  Object.defineProperty(globalThis, 'maplibregl', {
    configurable: true,
    get: () => library,
    set(given) {
      const kept = globalThis.keptMaps = [];
      class KeptMap extends given.Map {
        constructor(options) { super({ ...options, validateStyle: true, pixelRatio: 0.5 }); kept.push(this); }
      }
      library = Object.create(given, { Map: { value: KeptMap } });
    },
  });
})();
"""

_playwright = None
_browsers = {}


def browser(with_map=True, program=SHELL):
    """The single Chromium of this kind in this run, with or without WebGL."""
    global _playwright
    if _playwright is None:
        _playwright = sync_playwright().start()
        atexit.register(close_all)
    if (with_map, program) not in _browsers:
        _browsers[with_map, program] = _playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", *(WITH_MAP if with_map else WITHOUT_MAP)])
    return _browsers[with_map, program]


def close_all():
    for one in _browsers.values():
        one.close()
    _browsers.clear()
    if _playwright:
        _playwright.stop()


class Chromium:
    """Chromium for the walk, in a window of a given size."""

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
