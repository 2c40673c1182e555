"""Satellite images: off by default, switched on in the menu of layers, credited only then."""

import base64
import sqlite3

from playwright.sync_api import expect

from support.case import FUNCHAL, BrowserTest
from support.farol import own_farol

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkaPj/HwAEhAKAZ0kyMwAAAABJRU5ErkJggg==")
HAS_IMAGES = "() => Boolean(keptMaps[0].getLayer('satellite'))"


def images(path):
    """An MBTiles file with one image for the world."""
    file = sqlite3.connect(path)
    with file:
        file.executescript(
            "CREATE TABLE metadata (name TEXT, value TEXT);"
            "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);")
        file.executemany("INSERT INTO metadata VALUES (?, ?)", [
            ("format", "png"), ("minzoom", "0"), ("maxzoom", "0"), ("attribution", "© Example Agency")])
        file.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", (PIXEL,))
    file.close()


class SatelliteTests(BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.server = own_farol()
        images(cls.server.folder / "images.mbtiles")
        cls.server.settings["FAROL_SATELLITE"] = str(cls.server.folder / "images.mbtiles")
        cls.server.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def farol(self):
        return self.server

    def test_images_are_requested_and_credited_only_while_they_are_on(self):
        page = self.open(FUNCHAL)
        credit = page.locator(".credits .satellite-credit")
        expect(credit).to_be_hidden()
        self.assertFalse(page.evaluate(HAS_IMAGES))
        self.assertEqual([url for url in self.witness.requests if url.startswith("/streets/")], [])

        page.get_by_role("button", name="Layers").click()
        page.get_by_role("checkbox", name="Satellite images").check()
        self.until(lambda: page.evaluate(HAS_IMAGES), "the images")
        expect(credit).to_be_visible()
        expect(credit).to_contain_text("© Example Agency")
        self.until(lambda: any(url.startswith("/streets/images-") for url in self.witness.requests), "a tile")

        page.reload()
        self.settled(page)
        self.assertTrue(page.evaluate(HAS_IMAGES), "after a reload")
        page.get_by_role("button", name="Layers").click()
        page.get_by_role("checkbox", name="Satellite images").uncheck()
        self.until(lambda: not page.evaluate(HAS_IMAGES), "no images")
        expect(credit).to_be_hidden()

    def test_names_of_places_are_above_the_images(self):
        page = self.open("/?layers=satellite" + FUNCHAL[1:])
        order = page.evaluate("() => keptMaps[0].getStyle().layers.map(({ id, type }) => [id, type])")
        names = [name for name, _ in order]
        self.assertLess(names.index("land"), names.index("satellite"))
        self.assertGreater(names.index("place-city"), names.index("satellite"))

    def test_an_instance_without_images_has_no_switch(self):
        page = self.open(FUNCHAL, farol=super().farol())
        page.get_by_role("button", name="Layers").click()
        expect(page.get_by_role("checkbox", name="Satellite images")).to_have_count(0)
