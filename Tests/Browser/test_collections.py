"""Further collections: an admin imports one, all users can show it below the devices, and it is removed."""

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW
from support.order import ModerationTest

QUARTERS = """{"type": "FeatureCollection", "features": [
  {"type": "Feature", "id": "old", "properties": {"name": "Old <b>town</b>", "people": 1912, "listed": true,
    "note": null},
    "geometry": {"type": "Polygon", "coordinates": [
      [[-17, 32.6], [-16.8, 32.6], [-16.8, 32.8], [-17, 32.8], [-17, 32.6]]]}},
  {"type": "Feature", "id": "bad", "properties": {"name": "Nowhere"},
    "geometry": {"type": "Point", "coordinates": [500, 0]}}
]}"""


SHOWN = "() => Object.keys(keptMaps[0].getStyle().sources).filter((name) => name.startsWith('context-'))"


class CollectionTests(ModerationTest):
    def bring_in(self, page, name, **fields):
        page.get_by_label("File (GeoJSON").set_input_files(
            {"name": "quarters.geojson", "mimeType": "application/geo+json", "buffer": QUARTERS.encode()})
        texts = {
            "Short name for addresses": name, "Title": f"Quarters {name}", "Licence": "CC0-1.0",
            "Attribution": "The city"}
        for label, text in {**texts, **fields}.items():
            page.get_by_label(label, exact=True).fill(text)
        page.get_by_role("button", name="Add layer").click()

    def test_a_collection_is_imported_shown_on_the_map_and_removed(self):
        page = self.administration("/collections")
        self.bring_in(page, "quarters")
        expect(page.get_by_role("heading", name="Quarters quarters was added")).to_be_focused()
        expect(page.get_by_text("1 feature").first).to_be_visible()
        expect(page.get_by_text("Skipped, position outside the valid range: 1")).to_be_visible()

        reader = self.open("/#map=11/32.7/-16.9")
        reader.get_by_role("button", name="Layers").click()
        box = reader.get_by_role("checkbox", name="Quarters quarters")
        expect(reader.locator("#layers-pad input").first).to_be_focused()
        with reader.expect_response(
            lambda answer: "/api/collections/quarters/tiles/" in answer.url and answer.status == 200):
            box.check()
        self.look_at_a_feature(reader)
        self.follow_the_address(reader)

        page.get_by_role("button", name="Remove Quarters quarters").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(page.get_by_text("Quarters quarters", exact=True)).to_have_count(0)

    def follow_the_address(self, reader):
        """The address contains the visible collections, so a reload and the back button restore them."""
        reader.goto("/?layers=quarters,gone#map=11/32.7/-16.9")
        self.settled(reader)
        box = reader.get_by_role("checkbox", name="Quarters quarters")
        reader.get_by_role("button", name="Layers").click()
        expect(box).to_be_checked()
        self.until(lambda: reader.evaluate(SHOWN) == ["context-quarters"], "the layer of the address")
        box.uncheck()
        self.until(lambda: "layers" not in self.query(reader), "the address without it")
        self.assertEqual(reader.evaluate(SHOWN), [])
        reader.go_back()
        expect(box).to_be_checked()
        self.until(lambda: reader.evaluate(SHOWN) == ["context-quarters"], "the layer to be back")
        expect(reader.get_by_role("button", name="Features at the centre of the map")).to_be_enabled()

    def look_at_a_feature(self, reader):
        """By a tap and by keyboard: the properties of the file, as text."""
        box = reader.get_by_role("checkbox", name="Quarters quarters")
        card = reader.get_by_role("region", name="Layers")
        title = card.get_by_role("heading", name="Old <b>town</b>")
        middle = reader.get_by_role("button", name="Features at the centre of the map")
        middle.focus()
        reader.wait_for_function("() => document.querySelector('.map').classList.contains('is-drawn')")
        reader.keyboard.press("Enter")
        expect(title).to_be_focused()
        expect(card.get_by_role("definition")).to_have_text(["1912", "yes"])
        reader.keyboard.press("Escape")
        expect(card).to_be_hidden()
        expect(middle).to_be_focused()
        reader.keyboard.press("Escape")
        expect(box).to_be_hidden()
        expect(reader.get_by_role("button", name="Layers")).to_be_focused()
        window = reader.locator("#map-canvas").bounding_box()
        at = (window["x"] + window["width"] / 2, window["y"] + window["height"] / 2)
        reader.mouse.click(*at)
        expect(title).to_be_visible()
        self.assertEqual(violations(reader), [])
        with reader.expect_navigation():
            card.get_by_role("link", name="View its page").click()
        expect(reader.get_by_role("heading", level=1, name="Old <b>town</b>")).to_be_visible()

    def test_errors_are_next_to_their_fields(self):
        self.allowed_errors += (r"status of 422",)
        page = self.administration("/collections")
        self.bring_in(page, "Not a name")
        expect(page.get_by_label("Short name for addresses", exact=True)).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_label("Title", exact=True)).to_have_value("Quarters Not a name")

    def test_meets_wcag_and_fits_a_small_phone(self):
        self.bring_in(self.administration("/collections"), "narrow")
        found = []
        for language in ("en", "pt"):
            page = self.administration("/collections", size=NARROW, language=language)
            expect(page.locator(".account-list li").first).to_be_visible()
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                found += [f"{language} {theme}: {fault}" for fault in violations(page)]
            self.assertLessEqual(*page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]"))
            reader = self.open("/", size=NARROW, language=language)
            reader.locator("[aria-controls=layers-pad]").click()
            found += [f"map {language}: {fault}" for fault in violations(reader)]
        self.assertEqual(found, [])
