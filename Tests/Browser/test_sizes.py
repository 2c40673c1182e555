"""Every page on a phone: no text below 14 pixels, no target below 44 pixels in either direction."""

from support.chromium import NARROW, PHONE
from support.gallery import ACCOUNT_SCENES, DEVICE_SCENES, MAP_SCENES, VISITOR_SCENES, world
from support.layout import DRAWN
from support.sizes import NARROW_TARGETS, SMALL_TEXT
from test_every_page import EveryPageTest as PageOfTheGallery

TEXT = 14
TARGET = 44


class SizeTest(PageOfTheGallery):
    def sizes(self, scenes, language):
        found = []
        for scene in scenes:
            self.allowed_errors = (*self.allowed_errors, *scene.errors)
            page = self.opened(scene, scene.who, language=language)
            page.locator(scene.ready).first.wait_for(state="visible")
            self.rest(page)
            if scene.steps:
                scene.steps(page)
            for size in (PHONE, NARROW):
                page.set_viewport_size(size)
                page.evaluate(DRAWN)
                found += [f"{scene.name}, {size['width']}: {fault}" for fault in (
                    *page.evaluate(SMALL_TEXT, TEXT), *page.evaluate(NARROW_TARGETS, TARGET))]
            self.close(page)
        self.assertEqual(found, [])


class MapSizeTests(SizeTest):
    def test_the_map(self):
        self.sizes(MAP_SCENES, "en")


class VisitorSizeTests(SizeTest):
    def test_pages_for_everybody(self):
        self.sizes(VISITOR_SCENES, "pt")


class DeviceSizeTests(SizeTest):
    def test_pages_of_a_device(self):
        self.sizes(DEVICE_SCENES, "en")


class AccountSizeTests(SizeTest):
    def test_pages_of_an_account(self):
        self.sizes(ACCOUNT_SCENES, "pt")
