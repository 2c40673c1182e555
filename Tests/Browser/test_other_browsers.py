"""The main walk in Firefox ESR and WebKitGTK: the same text and the same state as in Chromium."""

import unittest

from support.chromium import RESULTS, Chromium
from support.farol import shared_farol
from support.firefox import Firefox
from support.walk import Walk
from support.webkit import WebKit


_expected = {}


def expected_walk(width, height, has_map):
    """The result of Chromium in a window of this size."""
    key = (width, height, has_map)
    if key not in _expected:
        reference = Chromium(width, height, with_map=has_map)
        try:
            _expected[key] = Walk(reference, shared_farol()).all()
        finally:
            reference.close()
    return _expected[key]


class OtherBrowsers:
    """The expectations for another browser, used as a mixin by one test case for each browser."""

    browser = None

    def test_the_main_walk_has_the_same_result_as_in_chromium(self):
        other = self.browser()
        try:
            if hasattr(other, "resize"):
                other.resize(1300, 862)  # the inner size of the WebKit window
            walk = Walk(other, shared_farol())
            try:
                seen = walk.all()
            except Exception:
                RESULTS.mkdir(exist_ok=True)
                other.picture(RESULTS / f"walk-{other.name}.png")
                raise
            width, height = other.evaluate("[innerWidth, innerHeight]")
            complaints = other.complaints()
        finally:
            other.close()
        expected = expected_walk(width, height, seen["map"])
        for step in expected:
            with self.subTest(step):
                self.assertEqual(seen[step], expected[step])
        self.assertTrue(seen["map"], "the map is not drawn")
        self.assertEqual(complaints, [])


class FirefoxTests(OtherBrowsers, unittest.TestCase):
    browser = Firefox


class WebKitTests(OtherBrowsers, unittest.TestCase):
    browser = WebKit
