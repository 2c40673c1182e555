"""Photos of a device: view, add, reorder, describe, replace, delete."""

from playwright.sync_api import expect

from support.accounts import Person
from support.axe import violations
from support.chromium import NARROW
from support.keeping import ITEMS, WritingTest, writable_farol
from support.pictures import as_file


class PhotoTest(WritingTest):
    def with_photos(self, *alts, by="maria"):
        """A device with photos; returns its id and the ids of the photos."""
        device = self.add_device(by=by)
        colours = [(200, 60, 40), (40, 160, 80), (40, 80, 200), (220, 200, 40)]
        return device, [self.add_photo(device, by, alt, colours[number % 4]) for number, alt in enumerate(alts)]

    def open_page(self, device, username=None, **options):
        page = self.page_of(username, **options)
        page.goto(f"/devices/{device}")
        expect(page.locator("#section-photos")).to_be_visible()
        return page

    def photos(self, device):
        return [(photo["id"], photo["alt"]) for photo in self.device(device)["properties"]["photos"]]

    def change(self, page):
        page.get_by_role("button", name="Change photos").click()
        expect(page.locator(".photo-rows")).to_be_visible()


class LookingTests(PhotoTest):
    def test_the_large_view_is_navigated_and_closed_by_keyboard(self):
        device, ids = self.with_photos("The gate from the street", "The sign beside it", "")
        page = self.open_page(device)
        expect(page.locator(".gallery img").first).to_have_attribute("alt", "The gate from the street")
        thumb = page.locator(f"#photo-{ids[0]}")
        thumb.focus()
        page.keyboard.press("Enter")
        viewer = page.get_by_role("dialog", name="Photos of this device")
        expect(viewer).to_contain_text("Photo 1 of 3")
        page.keyboard.press("ArrowRight")
        expect(viewer).to_contain_text("The sign beside it")
        self.assertTrue(
            self.until(
                lambda: viewer.locator("img").evaluate("(one) => one.complete && one.naturalWidth > 0"), "the photo"))
        page.keyboard.press("End")
        expect(viewer).to_contain_text("Photo 3 of 3")
        expect(viewer.locator("img")).to_have_attribute("alt", "Photo without a description")
        for _ in range(8):
            page.keyboard.press("Tab")
            self.assertTrue(
                page.evaluate(
                    "() => document.activeElement === document.body "
                    "|| Boolean(document.activeElement.closest('.viewer'))"))
        self.assertEqual(violations(page), [])
        page.keyboard.press("Escape")
        expect(viewer).to_have_count(0)
        expect(thumb).to_be_focused()

    def test_without_photos_the_page_invites_to_add_one(self):
        page = self.open_page(self.add_device())
        expect(page.locator(".photos")).to_contain_text("No photo yet")
        page.locator(".photos").get_by_role("link", name="Add photos").click()
        page.wait_for_url("**/sign-in?then=*")


class AddingTests(PhotoTest):
    def choose(self, page, *files):
        page.get_by_role("button", name="Add photos").click()
        dialog = page.get_by_role("dialog", name="Add photos")
        dialog.locator("input[type=file][multiple]").set_input_files(list(files))
        return dialog

    def test_two_photos_are_described_and_sent(self):
        device = self.add_device(by="maria")
        page = self.open_page(device, "jorge")
        dialog = self.choose(
            page, *[as_file(f"{n}.png", colour=(n * 90, 40, 40), width=320, height=240) for n in (1, 2)])
        expect(dialog.locator(".photo-card")).to_have_count(2)
        for number, words in enumerate(("From the left", "From the right")):
            dialog.get_by_role("textbox").nth(number).fill(words)
        self.assertEqual(violations(page), [])
        dialog.get_by_role("button", name="Send 2 photos").click()
        expect(page.locator(".gallery img")).to_have_count(2)
        self.assertEqual([alt for _, alt in self.photos(device)], ["From the left", "From the right"])
        expect(page.locator("#photos-add")).to_be_focused()

    def test_a_file_that_is_not_an_image_is_refused_with_a_message(self):
        page = self.open_page(self.add_device(by="maria"), "jorge")
        dialog = self.choose(page, {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": b"<svg onload='hurt=1'/>"})
        expect(dialog.locator(".complaint:visible")).to_have_count(1)
        expect(dialog.locator(".photo-card")).to_have_count(0)

    def test_a_photo_refused_by_the_server_stays_with_the_reason_and_the_description(self):
        self.allowed_errors = (r"status of 409",)
        device, _ = self.with_photos(*[f"{number}" for number in range(12)])
        page = self.open_page(device, "jorge")
        dialog = self.choose(page, as_file(colour=(1, 2, 3)))
        dialog.get_by_role("textbox").fill("One too many")
        dialog.get_by_role("button", name="Send 1 photo").click()
        expect(dialog.locator(".photo-card")).to_contain_text("already has 12 photos")
        expect(dialog.get_by_role("textbox")).to_have_value("One too many")

    def test_a_photo_of_a_new_user_waits_and_only_they_see_it(self):
        new = Person(writable_farol(), "newcomer").sign_up()
        with self.farol().database() as database:
            database.execute("UPDATE account SET confirmed_at = created_at WHERE username = 'newcomer'")
        new.sign_in()
        device = self.add_device(by="maria")
        page = self.page_of()
        new.enter(page.context)
        page.goto(f"/devices/{device}")
        dialog = self.choose(page, as_file(colour=(1, 200, 3)))
        dialog.get_by_role("button", name="Send 1 photo").click()
        expect(page.locator(".gallery")).to_contain_text("Only you can see this photo until it has been reviewed")
        other = self.open_page(device)
        expect(other.locator(".photos")).to_contain_text("No photo yet")


class ChangingTests(PhotoTest):
    def test_arrow_keys_reorder_photos(self):
        device, ids = self.with_photos("one", "two", "three")
        page = self.open_page(device, "maria")
        self.change(page)
        page.locator(f"#handle-{ids[0]}").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.locator(f"#handle-{ids[0]}")).to_be_focused()
        expect(page.locator("#announcer")).to_contain_text("Now photo 3 of 3")
        page.locator(f"#earlier-{ids[2]}").click()
        page.get_by_role("button", name="Save this order").click()
        self.until(lambda: [alt for _, alt in self.photos(device)] == ["three", "two", "one"], "the order")
        newest = self.farol().get(f"{ITEMS}/{device}/history")["revisions"][0]
        self.assertEqual(newest["changed"], ["photos"])

    def test_the_pointer_drags_photos(self):
        device, ids = self.with_photos("one", "two", "three")
        page = self.open_page(device, "maria")
        self.change(page)
        start = page.locator(f"#handle-{ids[2]}").bounding_box()
        goal = page.locator(".photo-row").first.bounding_box()
        page.mouse.move(start["x"] + 10, start["y"] + 10)
        page.mouse.down()
        page.mouse.move(start["x"] + 10, goal["y"] + goal["height"] * 1.5, steps=6)
        page.mouse.move(start["x"] + 10, goal["y"] + goal["height"] / 2, steps=6)
        page.mouse.up()
        page.get_by_role("button", name="Save this order").click()
        self.until(lambda: [alt for _, alt in self.photos(device)] == ["three", "one", "two"], "the order")

    def test_photos_are_described_replaced_and_deleted(self):
        device, ids = self.with_photos("one", "two", "three")
        before = self.device(device)["properties"]["photos"][1]["url"]
        page = self.open_page(device, "maria")
        self.change(page)
        page.locator(f"#describe-{ids[0]}").click()
        dialog = page.get_by_role("dialog", name="Describe this photo")
        dialog.get_by_role("textbox").fill("The gate in the evening")
        dialog.get_by_role("button", name="Save the description").click()
        expect(dialog).to_have_count(0)
        expect(page.locator(".photo-rows")).to_contain_text("The gate in the evening")
        page.locator(f"#replace-{ids[1]}").click()
        dialog = page.get_by_role("dialog", name="Replace this photo")
        dialog.locator("input[type=file][multiple]").set_input_files(as_file(colour=(9, 9, 200), width=200, height=100))
        expect(dialog.get_by_role("textbox")).to_have_value("two")
        dialog.get_by_role("button", name="Send 1 photo").click()
        expect(dialog).to_have_count(0)
        self.until(lambda: self.device(device)["properties"]["photos"][1]["url"] != before, "the other picture")
        page.locator(f"#delete-{ids[2]}").click()
        page.get_by_role("dialog", name="Delete this photo").get_by_role("button", name="Delete this photo").click()
        expect(page.locator(".photo-row")).to_have_count(2)
        self.assertEqual(self.photos(device), [(ids[0], "The gate in the evening"), (ids[1], "two")])
        kinds = [entry["changed"] for entry in self.farol().get(f"{ITEMS}/{device}/history")["revisions"][:3]]
        self.assertEqual(kinds, [["photos"]] * 3)

    def test_other_users_may_add_but_not_change(self):
        device, _ = self.with_photos("one", "two")
        page = self.open_page(device, "jorge")
        expect(page.get_by_role("button", name="Add photos")).to_be_visible()
        expect(page.get_by_role("button", name="Change photos")).to_have_count(0)

    def test_meets_wcag_and_fits_a_small_phone(self):
        device, _ = self.with_photos("one " + "x" * 280, "two")
        found = []
        for language, words in (("en", "Change photos"), ("pt", "Alterar fotografias")):
            page = self.open_page(device, "maria", size=NARROW, language=language)
            page.get_by_role("button", name=words).click()
            expect(page.locator(".photo-rows")).to_be_visible()
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                found += [f"{language} {theme}: {fault}" for fault in violations(page)]
            self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)
        self.assertEqual(found, [])
