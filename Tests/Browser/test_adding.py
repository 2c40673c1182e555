"""From a place to a device: all ways to choose a place, all questions, and drafts that are not lost."""

import json
import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.adding import Adding
from support.case import FUNCHAL, OCEAN, BrowserTest, PhoneTest
from support.chromium import DESKTOP, PHONE

# There are no devices here.
EMPTY = "/#map=17.00/32.70000/-16.95000"
PLACE = [-16.95, 32.7]


class PhoneAddingTests(PhoneTest):
    def test_a_visitor_gets_from_the_map_to_the_last_step_in_four_taps(self):
        page = self.open(EMPTY)
        taps = []
        for target, comes in (
            (".add-button", "Where is it?"), (".add-foot .primary", "What is it?"),
            (".kinds .answer:has(input[value=camera_fixed])", "What do you call it?"),
            (".add-foot .button:not(.primary)", "Last step: an account"),
        ):
            page.locator(target).tap()
            taps.append(target)
            expect(page.locator("#add-title")).to_have_text(comes)
        self.assertEqual(len(taps), 4)
        draft = Adding(page).draft(lambda one: one["stage"] == "waiting")
        sent = json.loads(draft["attempt"]["body"])
        self.assertEqual(sent["properties"]["category"], "camera_fixed")
        self.assertTrue(sent["properties"]["name"].startswith("Fixed camera, "), sent["properties"]["name"])
        for found, there in zip(sent["geometry"]["coordinates"], PLACE):
            self.assertAlmostEqual(found, there, places=4)
        links = page.locator(".delivery-links a")
        for link, path in zip(links.all(), ("/sign-up", "/sign-in")):
            self.assertEqual(urlsplit(link.get_attribute("href")).path, path)
            self.assertIn(draft["id"], link.get_attribute("href"))

    def test_an_empty_area_invites_to_add_the_first_device(self):
        page = self.open(OCEAN)
        page.locator(".sheet-step").first.click()
        page.get_by_role("button", name="Add the first one").click()
        Adding(page).asks("Where is it?")

    def test_a_tap_on_the_map_moves_the_crosshair(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin()
        before = page.locator("#add-position").input_value()
        page.touchscreen.tap(100, 220)
        self.until(lambda: page.locator("#add-position").input_value() != before, "the crosshair to move")
        longitude, latitude = page.evaluate("() => keptMaps[0].getCenter().toArray()")
        adding.here()
        draft = adding.draft(lambda one: one["place"])
        self.assertAlmostEqual(draft["place"][0], longitude, places=6)
        self.assertAlmostEqual(draft["place"][1], latitude, places=6)

    def test_from_a_low_zoom_the_map_zooms_in_first(self):
        page = self.open("/#map=9.00/32.7000/-16.9500")
        adding = Adding(page).begin()
        page.locator(".add-foot").get_by_role("button", name="Zoom in").click()
        self.until(lambda: page.evaluate("() => keptMaps[0].getZoom()") > 16, "the map to come closer")
        adding.asks("Where is it?").here()

    def test_from_a_low_zoom_the_form_opens_with_a_hint_and_the_own_location(self):
        page = self.open(
            "/#map=4.00/32.7000/-16.9500", geolocation={"longitude": -17.1, "latitude": 32.75},
            permissions=["geolocation"])
        adding = Adding(page).begin()
        expect(page.locator(".complaint:visible")).to_have_count(0)
        expect(page.locator("#add-hint")).to_contain_text("Start at your location")
        expect(page.locator(".add-foot .primary")).to_have_text("Use my location")
        adding.next()
        self.until(lambda: page.evaluate("() => keptMaps[0].getZoom()") > 16, "the map to come closer")
        expect(page.locator("#add-hint")).to_contain_text("The crosshair is at your location")
        expect(page.locator(".add-foot .primary")).to_have_text("Place it here")

    def test_a_photo_sets_the_place_and_is_kept_without_it(self):
        page = self.open("/#map=4.00/10.0000/10.0000")
        adding = Adding(page).begin()
        page.locator("#add-photo").set_input_files(
            {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": picture_with_a_place(page)})
        self.until(
            lambda: abs(page.evaluate("() => keptMaps[0].getCenter().lat") - 32.7) < 1e-4, "the crosshair to be there")
        self.assertAlmostEqual(page.evaluate("() => keptMaps[0].getCenter().lng"), -16.95, places=4)
        expect(page.locator("#add-hint")).to_contain_text("where the photo was taken")
        adding.here()
        draft = adding.draft(lambda one: one["place"] and one["photos"])
        self.assertNotIn(b"Exif", kept_picture(page, draft))
        adding.kind("camera_fixed").until_asks("Do you have a photo?")
        expect(page.locator(".photo-card")).to_have_count(1)

    def test_a_photo_without_a_place_is_kept_and_says_so(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin()
        page.locator("#add-photo").set_input_files(
            {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": plain_picture(page)})
        expect(page.locator("#add-hint")).to_contain_text("It contains no position")
        adding.here()
        self.assertEqual(len(adding.draft(lambda one: one["photos"])["photos"]), 1)

    def test_back_and_forward_of_the_browser_step_through_the_questions(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin().here().kind("camera_fixed").asks("What do you call it?")
        page.go_back()
        adding.asks("What is it?")
        page.go_back()
        adding.asks("Where is it?")
        expect(page.locator(".crosshair")).to_be_visible()
        page.go_back()
        expect(page.locator("#add")).to_have_count(0)
        self.settled(page)
        page.go_forward()
        expect(page.locator("#add-title")).to_be_visible()

    def test_a_household_device_is_shown_within_a_kilometre_and_its_place_stays_private(self):
        page = self.open(EMPTY)
        asked_before = len(self.witness.requests)
        adding = Adding(page).begin().here().kind("doorbell_camera").asks("What do you call it?")
        adding.next().asks("How precisely may others see its position?")
        expect(page.locator(".answer input:checked")).to_have_value("1km")
        parts = dict(adding.drawn())
        self.assertIn("cell", parts)
        self.assertNotEqual(parts["seen"], parts["point"])
        adding.finish()
        draft = adding.draft(lambda one: one["step"] == "review")
        place = [f"{edge:.4f}" for edge in draft["place"]]
        asked = [path for path in self.witness.requests[asked_before:] if path.startswith("/api/")]
        self.assertTrue(any("bbox=" in path for path in asked), "look-alikes were not looked for")
        for path in asked:
            self.assertFalse(all(edge in path for edge in place), f"the true place was told: {path}")
        # The address does not follow the crosshair either.
        self.assertEqual(
            urlsplit(self.address(page)).fragment,
            urlsplit(EMPTY).fragment.replace("32.70000", "32.700000").replace("-16.95000", "-16.950000"))

    def test_values_suggested_by_the_category_are_assumed_until_reviewed(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin().here().kind("camera_fixed").until_asks("What does it collect?")
        expect(page.locator(".add-note")).to_contain_text("Assumed")
        expect(page.locator(".answer input[value=visual]")).to_be_checked()
        page.get_by_role("button", name="keep it as assumed").click()
        adding.asks("Who is the operator?")
        self.assertEqual(adding.draft(lambda one: one["step"] == "operator")["assumed"], ["data_collected"])
        page.go_back()
        adding.asks("What does it collect?")
        page.get_by_role("button", name="This is correct").click()
        adding.asks("Who is the operator?")
        self.until(lambda: adding.drafts()[0]["assumed"] == [], "the assumption to be confirmed")

    def test_unknown_is_an_answer_and_needs_one_tap(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin().here().kind("camera_fixed").until_asks("Is there a notice on the spot?")
        adding.choose("none").asks("Which area does it cover?")
        page.go_back()
        adding.asks("Is there a notice on the spot?")
        expect(page.locator(".answer input[value=none]")).to_be_checked()
        adding.choose("").asks("Which area does it cover?")
        self.until(lambda: "signage" not in adding.drafts()[0]["properties"], "the answer to be unknown")

    def test_the_dial_turns_the_field_of_view_on_the_map(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin().here().kind("camera_fixed").until_asks("Which direction does it face?")
        self.assertNotIn("sight", [part for part, _ in adding.drawn()])
        edge = page.locator(".dial").bounding_box()
        page.mouse.click(edge["x"] + edge["width"] - 12, edge["y"] + edge["height"] / 2)
        expect(page.locator(".dial")).to_have_attribute("aria-valuenow", "90")
        rings = [shape for part, shape in adding.drawn() if part == "sight"]
        self.assertEqual(len(rings), 1)
        self.assertTrue(all(point[0] >= PLACE[0] - 1e-4 for point in rings[0][0]), "the light falls to the east")
        page.locator(".dial").focus()
        for _ in range(18):
            page.keyboard.press("ArrowRight")
        expect(page.locator(".dial")).to_have_attribute("aria-valuetext", "180° (south)")
        page.get_by_role("button", name="Another direction").click()
        self.assertEqual(len([part for part, _ in adding.drawn() if part == "sight"]), 2)
        adding.choose("90").next()
        draft = adding.draft(lambda one: one["properties"].get("field_of_view") == 90)
        self.assertEqual(draft["properties"]["bearings"], [180, 0])

    def test_a_photo_is_stored_smaller_and_without_camera_metadata(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin().here().kind("camera_fixed").until_asks("Do you have a photo?")
        page.locator(".photo-button input").nth(1).set_input_files(
            {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": picture_with_a_place(page)})
        expect(page.locator(".photo-card img")).to_be_visible()
        page.locator(".photo-card input").fill("A camera above a door")
        draft = adding.draft(lambda one: one["photos"] and one["photos"][0]["alt"])
        kept = kept_picture(page, draft)
        self.assertEqual(kept[:3], b"\xff\xd8\xff")
        self.assertNotIn(b"Exif", kept)
        page.reload()
        adding.asks("Do you have a photo?")
        expect(page.locator(".photo-card input")).to_have_value("A camera above a door")
        self.assertGreater(
            page.locator(".photo-card img").evaluate("(one) => one.decode().then(() => one.naturalWidth)"), 0)

    def test_a_file_that_is_not_an_image_is_refused_with_a_reason(self):
        page = self.open(EMPTY)
        Adding(page).begin().here().kind("camera_fixed").until_asks("Do you have a photo?")
        page.locator(".photo-button input").nth(1).set_input_files(
            {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": b"cannot be read as a picture"})
        expect(page.locator(".complaint")).to_contain_text("cannot be read as a picture")
        expect(page.locator(".photo-card")).to_have_count(0)


class DraftTests(PhoneTest):
    def test_a_draft_survives_a_reload_and_a_closed_page(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin().here().kind("alpr").asks("What do you call it?")
        page.locator(".add-body input").fill("Gate reader")
        adding.draft(lambda one: one["properties"].get("name") == "Gate reader")
        page.reload()
        adding.asks("What do you call it?")
        expect(page.locator(".add-body input")).to_have_value("Gate reader")
        other = page.context.new_page()
        self.pages.append(other)
        page.close()
        other.goto(FUNCHAL)
        expect(other.locator(".drafts-button")).to_have_text("1 draft")
        other.locator(".drafts-button").click()
        Adding(other).asks("Your drafts")
        other.locator(".draft-row").filter(has_text="Gate reader").click()
        Adding(other).asks("What do you call it?")

    def test_closing_keeps_the_draft_and_says_so(self):
        page = self.open(EMPTY)
        Adding(page).begin().here().kind("webcam").asks("What do you call it?")
        page.get_by_role("button", name="Close and keep the draft").click()
        expect(page.locator(".toast")).to_contain_text("kept in this browser")
        expect(page.locator(".drafts-button")).to_have_text("1 draft")
        expect(page.locator(".add-button")).to_be_focused()

    def test_opening_and_closing_the_form_leaves_no_draft(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin()
        page.keyboard.press("Escape")
        expect(page.locator("#add")).to_have_count(0)
        expect(page.locator(".drafts-button")).to_be_hidden()
        self.assertEqual(adding.drafts(), [])

    def test_a_draft_is_deleted_with_its_photos_after_a_question(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin().here().kind("camera_fixed").until_asks("Do you have a photo?")
        page.locator(".photo-button input").nth(1).set_input_files(
            {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": picture_with_a_place(page)})
        expect(page.locator(".photo-card")).to_have_count(1)
        page.get_by_role("button", name="Close and keep the draft").click()
        page.locator(".drafts-button").click()
        expect(page.locator(".add-note")).to_contain_text("only in this browser")
        page.get_by_role("button", name="Delete the draft").click()
        page.get_by_role("button", name="Keep", exact=True).click()
        expect(page.locator(".draft-row")).to_have_count(1)
        page.get_by_role("button", name="Delete the draft").click()
        page.get_by_role("button", name="Delete", exact=True).click()
        expect(page.locator(".draft-row")).to_have_count(0)
        self.assertEqual(adding.drafts(), [])
        self.assertEqual(page.evaluate("""async () => {
          const request = indexedDB.open('farol-drafts');
          const database = await new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
          const count = database.transaction('photo').objectStore('photo').count();
          return new Promise((resolve) => { count.onsuccess = () => resolve(count.result); });
        }"""), 0)

    def test_a_change_in_another_tab_is_not_overwritten(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin().here().kind("webcam").asks("What do you call it?")
        adding.draft(lambda one: one["step"] == "name")
        other = page.context.new_page()
        self.pages.append(other)
        other.goto(self.address(page))
        Adding(other).asks("What do you call it?")
        other.locator(".add-body input").fill("Said in the other tab")
        adding.draft(lambda one: one["properties"]["name"] == "Said in the other tab")
        expect(page.locator(".add-body input")).to_have_value("Said in the other tab")


    def test_a_draft_deleted_in_another_tab_is_removed_here_too(self):
        page = self.open(EMPTY)
        adding = Adding(page).begin().here().kind("webcam").asks("What do you call it?")
        adding.draft(lambda one: one["step"] == "name")
        other = page.context.new_page()
        self.pages.append(other)
        other.goto(FUNCHAL)
        other.locator(".drafts-button").click()
        other.get_by_role("button", name="Delete the draft").click()
        other.get_by_role("button", name="Delete", exact=True).click()
        expect(page.locator("#add")).to_have_count(0)
        expect(page.locator(".toast")).to_contain_text("deleted in another tab")


class KeyboardAddingTests(BrowserTest):
    def test_everything_works_by_keyboard(self):
        page = self.open(EMPTY, size=DESKTOP)
        page.keyboard.press("Alt+a")
        adding = Adding(page).asks("Where is it?")
        expect(page.locator("#add-title")).to_be_focused()
        for _ in range(8):
            page.keyboard.press("Tab")
            if page.evaluate("() => document.activeElement.className") == "crosshair":
                break
        expect(page.locator(".crosshair")).to_be_focused()
        west, south = page.evaluate("() => keptMaps[0].getCenter().toArray()")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+ArrowUp")
        east, north = page.evaluate("() => keptMaps[0].getCenter().toArray()")
        self.assertGreater(east, west)
        self.assertGreater(north - south, 5 * (east - west))
        zoom = page.evaluate("() => keptMaps[0].getZoom()")
        page.keyboard.press("+")
        self.until(lambda: page.evaluate("() => keptMaps[0].getZoom()") > zoom + 0.9, "the map to come closer")
        self.until(lambda: "Crosshair at 32.70" in page.locator("#announcer").text_content(), "the position to be told")
        page.keyboard.press("Enter")
        adding.asks("What is it?")
        expect(page.locator("#add-title")).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.type("number plate")
        expect(page.locator(".kinds .answer")).to_have_count(1)
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        adding.asks("What do you call it?")
        page.keyboard.press("Escape")
        expect(page.locator("#add")).to_have_count(0)
        expect(page.locator(".add-button")).to_be_focused()

    def test_arrow_keys_preview_answers_and_enter_selects_one(self):
        page = self.open(EMPTY, size=DESKTOP)
        adding = Adding(page).begin().here().kind("camera_fixed").until_asks("Is there a notice on the spot?")
        page.locator(".answer input").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        adding.asks("Is there a notice on the spot?")
        expect(page.locator(".answer input[value=none]")).to_be_checked()
        page.keyboard.press("Enter")
        adding.asks("Which area does it cover?")

    def test_the_focus_stays_in_visible_elements(self):
        page = self.open(EMPTY, size=DESKTOP)
        Adding(page).begin().here().kind("camera_fixed").asks("What do you call it?")
        for _ in range(25):
            page.keyboard.press("Tab")
            self.assertTrue(page.evaluate(
                "() => document.activeElement === document.body "
                "|| !document.activeElement.closest('.panel, .topbar, .add-place')"))


class PlacingTests(BrowserTest):
    def test_typed_coordinates_are_accepted_in_any_common_notation(self):
        page = self.open(EMPTY, size=DESKTOP)
        adding = Adding(page).begin()
        for typed in ("32.65, -16.9", "32,65 -16,9", "32° 39' 0\" N 16° 54' 0\" W", "16°54'O 32°39'N"):
            with self.subTest(typed):
                page.locator("#add-position").fill(typed)
                page.keyboard.press("Enter")
                self.until(
                    lambda: abs(page.evaluate("() => keptMaps[0].getCenter().lat") - 32.65) < 1e-6,
                    "the crosshair to be there")
                self.assertAlmostEqual(page.evaluate("() => keptMaps[0].getCenter().lng"), -16.9, places=5)
                page.evaluate("() => keptMaps[0].jumpTo({ center: [0, 10] })")
        page.locator("#add-position").fill("somewhere")
        page.keyboard.press("Enter")
        expect(page.locator(".complaint")).to_contain_text("not a position")
        adding.asks("Where is it?")

    def test_the_position_of_the_user_is_requested_only_by_the_button(self):
        page = self.open(
            EMPTY, size=DESKTOP, geolocation={"longitude": -17.1, "latitude": 32.75}, permissions=["geolocation"])
        Adding(page).begin()
        page.get_by_role("button", name="Use my location").click()
        self.until(
            lambda: abs(page.evaluate("() => keptMaps[0].getCenter().lng") + 17.1) < 1e-4, "the crosshair to be there")

    def test_a_searched_place_only_moves_the_map(self):
        page = self.open(EMPTY, size=DESKTOP)
        adding = Adding(page).begin()
        page.get_by_role("combobox").fill("machico")
        page.get_by_role("option", name=re.compile("^Machico")).first.click()
        self.until(
            lambda: abs(page.evaluate("() => keptMaps[0].getCenter().lng") + 16.77) < 0.05, "the map to be at Machico")
        adding.asks("Where is it?")

    def test_without_a_map_typed_coordinates_are_sufficient(self):
        page = self.open(EMPTY, size=PHONE, with_map=False)
        page.locator(".add-button").click()
        adding = Adding(page).asks("Where is it?")
        page.locator("#add-position").fill("32.7, -16.95")
        adding.next().asks("What is it?")
        adding.kind("camera_fixed").asks("What do you call it?")
        adding.until_asks("Which direction does it face?").until_asks("Ready to send?")


class LookAlikeTests(BrowserTest):
    def test_possible_duplicates_are_shown_before_any_other_question(self):
        device = self.farol().device("Market hall camera")
        longitude, latitude = device["geometry"]["coordinates"]
        page = self.open(f"/#map=18.00/{latitude:.6f}/{longitude:.6f}", size=DESKTOP)
        adding = Adding(page).begin().here().kind("camera_fixed").asks("Is it one of these?")
        card = page.locator(".same-card").filter(has_text="Market hall camera")
        expect(card).to_be_visible()
        self.assertGreater(page.evaluate("() => keptMaps[0].getZoom()"), 18, "a map of the devices next to each other")
        adding.next().asks("What do you call it?").finish()
        draft = adding.draft(lambda one: one["different"])
        self.assertEqual(draft["different"], "It is next to it, and both exist")

    def test_selecting_a_duplicate_opens_it_and_leaves_no_draft(self):
        device = self.farol().device("Market hall camera")
        longitude, latitude = device["geometry"]["coordinates"]
        page = self.open(f"/#map=18.00/{latitude:.6f}/{longitude:.6f}", size=DESKTOP)
        adding = Adding(page).begin().here().kind("camera_fixed").asks("Is it one of these?")
        page.locator(".same-card").filter(has_text="Market hall camera").get_by_role(
            "link", name="It is this one").click()
        expect(page.locator("h1")).to_have_text("Market hall camera")
        self.assertEqual(urlsplit(self.address(page)).path, f"/devices/{device['id']}")
        self.until(lambda: adding.drafts() == [], "the draft to be gone")

    def test_a_device_of_another_kind_is_not_a_duplicate(self):
        device = self.farol().device("Market hall camera")
        longitude, latitude = device["geometry"]["coordinates"]
        page = self.open(f"/#map=18.00/{latitude:.6f}/{longitude:.6f}", size=DESKTOP)
        Adding(page).begin().here().kind("smart_meter").asks("What do you call it?")


def kept_picture(page, draft):
    """The bytes of the first photo of a draft in this browser."""
    return bytes(page.evaluate("""async (id) => {
      const request = indexedDB.open('farol-drafts');
      const database = await new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
      const got = database.transaction('photo').objectStore('photo').get(id);
      const { picture } = await new Promise((resolve) => { got.onsuccess = () => resolve(got.result); });
      database.close();
      return [...new Uint8Array(await picture.arrayBuffer())];
    }""", draft["photos"][0]["id"]))


def plain_picture(page):
    return bytes(page.evaluate("""async () => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [400, 300];
      canvas.getContext('2d').fillRect(50, 50, 200, 100);
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg'));
      return [...new Uint8Array(await blob.arrayBuffer())];
    }"""))


def picture_with_a_place(page):
    """A JPEG with the position 32.7, -16.95 in its Exif data, as phones store it."""
    plain = plain_picture(page)

    def number(value):
        return value.to_bytes(4, "little")

    def entry(tag, kind, count, value):
        return tag.to_bytes(2, "little") + kind.to_bytes(2, "little") + number(count) + value

    def angle(hundredths):
        return b"".join(number(part) for part in (hundredths, 100, 0, 1, 0, 1))

    words = b"".join((
        b"Exif\0\0II*\0", number(8), b"\1\0", entry(0x8825, 4, 1, number(26)), number(0),
        b"\4\0", entry(1, 2, 2, b"N\0\0\0"), entry(2, 5, 3, number(80)), entry(3, 2, 2, b"W\0\0\0"),
        entry(4, 5, 3, number(104)), number(0), angle(3270), angle(1695)))
    return plain[:2] + b"\xff\xe1" + (len(words) + 2).to_bytes(2, "big") + words + plain[2:]
