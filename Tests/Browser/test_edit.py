"""Editing a device: the form, concurrent edits, deleted devices, errors, outages."""

import re

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW
from support.keeping import ITEMS, WritingTest, known


class EditTest(WritingTest):
    def begin(self, page, device, field=None):
        page.goto(f"/devices/{device}/edit" + (f"?field={field}" if field else ""))
        expect(page.locator(".edit-form")).to_be_visible()
        return page

    def open(self, page, question):
        page.locator(f"#open-{question}").click()
        expect(page.locator(f"#body-{question}")).to_be_visible()
        return page.locator(f"#body-{question}")

    def type_name(self, page, name):
        self.open(page, "name").get_by_role("textbox").fill(name)

    def save(self, page):
        page.locator("#edit-save").click()

    def is_saved(self, page, device):
        page.wait_for_url(f"**/devices/{device}")
        expect(page.locator(".toast")).to_contain_text("Saved")


class FormTests(EditTest):
    def test_a_name_a_choice_and_a_comment_are_saved_as_one_revision(self):
        device = self.add_device(name="Old gate camera")
        page = self.begin(self.page_of("jorge"), device)
        self.type_name(page, "New gate camera")
        signage = self.open(page, "signage")
        signage.get_by_role("radio").first.focus()
        page.keyboard.press("Space")
        page.get_by_label(re.compile(r"^Why\?")).fill("I stood before it today")
        expect(page.locator(".edit-count")).to_contain_text("2 changes")
        self.save(page)
        self.is_saved(page, device)
        expect(page.locator("h1")).to_have_text("New gate camera")
        self.assertEqual(self.said(device, "name"), "New gate camera")
        self.assertEqual(self.said(device, "revision"), 2)
        newest = self.farol().get(f"{ITEMS}/{device}/history")["revisions"][0]
        self.assertEqual(newest["comment"], "I stood before it today")
        self.assertEqual(newest["author"], "jorge")

    def test_the_pencil_next_to_a_fact_opens_only_that_question(self):
        device = self.add_device()
        page = self.page_of("jorge")
        page.goto(f"/devices/{device}")
        page.locator(".unknown-facts summary").click()
        page.get_by_role("link", name="Correct: Manufacturer").click()
        expect(page.locator(".edit-row:visible")).to_have_count(1)
        expect(page.locator("#body-manufacturer input")).to_be_focused()
        page.keyboard.type("Axis")
        self.save(page)
        self.is_saved(page, device)
        self.assertEqual(self.said(device, "manufacturer"), "Axis")

    def test_what_is_unfolded_stays_so_if_the_page_is_drawn_again(self):
        device = self.add_device()
        page = self.page_of("jorge")
        held = []
        page.route("**/api/session", lambda route: held.append(route))
        page.goto(f"/devices/{device}")
        page.locator(".unknown-facts summary").click()
        link = page.get_by_role("link", name="Correct: Manufacturer").element_handle()
        self.assertTrue(held)
        for route in held:
            route.continue_()
        page.wait_for_function("link => !link.isConnected", arg=link)
        expect(page.get_by_role("link", name="Correct: Manufacturer")).to_be_visible()

    def test_an_assumed_value_stays_assumed_until_a_user_confirms_it(self):
        device = self.add_device(data_collected=["video"], assumed=["data_collected"])
        page = self.begin(self.page_of("jorge"), device)
        row = page.locator("#row-data_collected")
        expect(row).to_contain_text("assumed")
        row.get_by_role("button", name=re.compile("This is correct")).click()
        expect(row.get_by_role("button", name=re.compile("This is correct"))).to_be_focused()
        self.save(page)
        self.is_saved(page, device)
        self.assertEqual(self.said(device, "assumed"), [])
        self.assertEqual(self.said(device, "data_collected"), ["video"])

    def test_a_reverted_answer_is_not_a_change(self):
        device = self.add_device(name="Gate")
        page = self.begin(self.page_of("jorge"), device)
        self.type_name(page, "Door")
        expect(page.locator("#row-name")).to_contain_text("Before: Gate")
        page.get_by_role("button", name=re.compile("^Restore original value")).click()
        expect(page.locator("#body-name input")).to_have_value("Gate")
        self.save(page)
        expect(page.locator("#edit-trouble")).to_contain_text("No changes yet")

    def test_a_place_is_moved_by_keyboard(self):
        device = self.add_device()
        page = self.begin(self.page_of("jorge"), device, "place")
        cross = page.locator(".crosshair")
        cross.focus()
        before = self.device(device)["geometry"]["coordinates"]
        for _ in range(3):
            page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".place-field")).to_contain_text("towards east")
        self.save(page)
        self.is_saved(page, device)
        after = self.device(device)["geometry"]["coordinates"]
        self.assertGreater(after[0], before[0])
        self.assertAlmostEqual(after[1], before[1], places=5)

    def test_typed_coordinates_move_the_place_if_no_map_can_be_drawn(self):
        device = self.add_device()
        page = self.begin(self.page_of("jorge", with_map=False), device, "place")
        expect(page.locator(".place-field")).to_contain_text("cannot draw the map")
        page.get_by_label("Latitude and longitude").fill("-30.5, 21.25")
        self.save(page)
        self.is_saved(page, device)
        self.assertEqual(self.device(device)["geometry"]["coordinates"], [21.25, -30.5])

    def test_only_the_author_sees_the_true_place_of_an_imprecise_device(self):
        device = self.add_device(by="maria", precision="1km", place=[21.1234, -30.4321])
        public = self.device(device)["geometry"]["coordinates"]
        page = self.begin(self.page_of("maria"), device, "place")
        expect(page.get_by_label("Latitude and longitude")).to_have_value("-30.432100, 21.123400")
        expect(page.locator(".place-field")).to_contain_text("You see the exact position")
        self.allowed_errors = (r"status of 403",)
        other = self.begin(self.page_of("jorge"), device, "place")
        expect(other.get_by_label("Latitude and longitude")).to_have_value(f"{public[1]:.6f}, {public[0]:.6f}")
        expect(other.locator(".place-field")).to_contain_text("Only the author knows")

    def test_a_typed_number_is_saved_as_it_was_typed(self):
        device = self.add_device(height=-300)  # deeper than the form proposes
        page = self.begin(self.page_of("jorge"), device)
        height = self.open(page, "height").get_by_role("textbox")
        expect(height).to_have_value("−300")
        height.fill("3,27")
        self.save(page)
        self.is_saved(page, device)
        self.assertEqual(self.said(device, "height"), 3.27)

    def test_a_number_that_is_not_whole_is_refused_where_only_whole_ones_count(self):
        device = self.add_device()
        page = self.begin(self.page_of("jorge"), device)
        row = self.open(page, "units")
        row.get_by_role("textbox").fill("2.5")
        self.save(page)
        expect(row).to_contain_text("A whole number from 1 to 10,000.")
        row.get_by_role("textbox").fill("3")
        self.save(page)
        self.is_saved(page, device)
        self.assertEqual(self.said(device, "units"), 3)

    def test_errors_are_next_to_their_fields(self):
        self.allowed_errors = (r"status of 422", r"status of 400")
        device = self.add_device()
        page = self.begin(self.page_of("jorge"), device)
        row = self.open(page, "operator")
        row.get_by_role("textbox").first.fill("Town")
        row.get_by_text("Contacts", exact=False).first.click()
        row.get_by_label(re.compile("^Contact")).fill("http://no spaces allowed")
        self.save(page)
        expect(page.locator("#row-operator .complaint:visible")).to_have_count(1)
        self.assertEqual(self.said(device, "revision"), 1)


class VisitorTests(EditTest):
    def test_a_visitor_signs_in_last_and_finds_the_form_unchanged(self):
        device = self.add_device(name="Pier camera")
        page = self.begin(self.page_of(), device)
        self.type_name(page, "Pier dome")
        page.get_by_label(re.compile(r"^Why\?")).fill("It is a dome")
        expect(page.locator("#edit-save")).to_have_text("Sign in and save")
        self.save(page)
        page.wait_for_url("**/sign-in?then=*")
        known("jorge").enter(page.context)
        page.goto(f"/devices/{device}/edit")
        expect(page.locator(".edit-notice")).to_contain_text("were restored")
        expect(page.locator("#row-name")).to_contain_text("Pier dome")
        expect(page.get_by_label(re.compile(r"^Why\?"))).to_have_value("It is a dome")
        self.save(page)
        self.is_saved(page, device)
        self.assertEqual(self.said(device, "name"), "Pier dome")

    def test_a_draft_is_not_shown_to_another_user(self):
        device = self.add_device(name="Pier camera")
        page = self.begin(self.page_of("maria"), device)
        self.type_name(page, "Secret thought")
        page.goto("about:blank")
        page.context.clear_cookies()
        known("jorge").enter(page.context)
        self.begin(page, device)
        expect(page.locator(".edit-form")).not_to_contain_text("Secret thought")


class TwoPeopleTests(EditTest):
    """Two browsers and two users with one device."""

    allowed_errors = (r"status of 412",)

    def both(self, device):
        return [self.begin(self.page_of(name), device) for name in ("maria", "jorge")]

    def test_changes_of_different_fields_are_both_saved(self):
        device = self.add_device(name="Gate", model="A")
        one, other = self.both(device)
        self.type_name(one, "North gate")
        self.save(one)
        self.is_saved(one, device)
        self.open(other, "model").get_by_role("textbox").fill("B")
        self.save(other)
        expect(other.locator("h1")).to_contain_text("Another person changed this device")
        expect(other.locator(".merge")).to_contain_text("Gate → After North gate")
        expect(other.locator(".merge-people")).to_contain_text("maria")
        other.get_by_role("button", name="Save merged version").click()
        self.is_saved(other, device)
        self.assertEqual((self.said(device, "name"), self.said(device, "model")), ("North gate", "B"))

    def test_a_field_changed_by_both_is_a_conflict_and_nothing_is_lost(self):
        for take, expected in (("Mine", "East gate"), ("Theirs", "West gate")):
            with self.subTest(take):
                device = self.add_device(name="Gate")
                one, other = self.both(device)
                self.type_name(one, "West gate")
                self.save(one)
                self.is_saved(one, device)
                self.type_name(other, "East gate")
                other.get_by_label(re.compile(r"^Why\?")).fill("The sun rises there")
                self.save(other)
                question = other.locator(".merge-question")
                expect(question).to_contain_text("West gate")
                expect(question).to_contain_text("East gate")
                other.get_by_role("button", name="Save merged version").click()
                expect(other.locator(".merge .complaint")).to_contain_text("Choose a value for: Name")
                expect(question.get_by_role("radio").first).to_be_focused()
                self.assertEqual(violations(other), [])
                question.get_by_label(re.compile(f"^{take}")).check()
                other.get_by_role("button", name="Save merged version").click()
                other.wait_for_url(f"**/devices/{device}")
                self.assertEqual(self.said(device, "name"), expected)
                # The history contains the other version, whichever was selected.
                names = {self.farol().get(f"{ITEMS}/{device}/history/{number}")["feature"]["properties"]["name"]
                         for number in range(1, self.said(device, "revision") + 1)}
                self.assertIn("West gate", names)

    def test_additions_of_both_to_a_list_can_be_merged(self):
        device = self.add_device(data_collected=["video"])
        other = self.begin(self.page_of("jorge"), device)
        self.change(device, "maria", data_collected=["video", "speech"])
        self.open(other, "data_collected")
        other.locator("#body-data_collected").get_by_text("Identifying marks", exact=True).click()
        self.save(other)
        other.locator(".merge-question").get_by_label(re.compile("^Both together")).check()
        other.get_by_role("button", name="Save merged version").click()
        self.is_saved(other, device)
        self.assertEqual(len(self.said(device, "data_collected")), 3)

    def test_a_third_user_may_save_in_between(self):
        device = self.add_device(name="Gate")
        page = self.begin(self.page_of("jorge"), device)
        self.type_name(page, "East gate")
        self.change(device, "maria", name="West gate")
        self.save(page)
        page.locator(".merge-question").get_by_label(re.compile("^Mine")).check()
        self.change(device, "maria", name="South gate")
        page.get_by_role("button", name="Save merged version").click()
        expect(page.locator(".merge-question")).to_contain_text("South gate")
        page.locator(".merge-question").get_by_label(re.compile("^Mine")).check()
        page.get_by_role("button", name="Save merged version").click()
        self.is_saved(page, device)
        self.assertEqual(self.said(device, "name"), "East gate")

    def test_a_stored_draft_is_applied_to_later_changes_of_others(self):
        device = self.add_device(name="Gate", model="A")
        page = self.begin(self.page_of("jorge"), device)
        self.type_name(page, "East gate")
        self.change(device, "maria", model="B")
        page.reload()
        expect(page.locator(".edit-notice")).to_contain_text("Another person has changed this in the meantime: Model")
        self.save(page)
        self.is_saved(page, device)
        self.assertEqual((self.said(device, "name"), self.said(device, "model")), ("East gate", "B"))


class LostTests(EditTest):
    def test_without_a_connection_the_draft_is_kept_and_saved_later_by_itself(self):
        self.allowed_errors = (r"Failed to load resource",)
        device = self.add_device(name="Gate")
        page = self.begin(self.page_of("jorge"), device)
        self.type_name(page, "Far gate")
        page.context.set_offline(True)
        self.save(page)
        expect(page.locator("#edit-trouble")).to_contain_text(
            "We are having connection problems, please wait for a while")
        expect(page.locator("#edit-trouble")).to_contain_text("kept in this browser")
        page.context.set_offline(False)
        self.is_saved(page, device)
        self.assertEqual(self.said(device, "name"), "Far gate")

    def test_a_deleted_device_shows_author_and_reason_and_keeps_the_draft(self):
        self.allowed_errors = (r"status of 410", r"status of 404")
        device = self.add_device(name="Gate")
        page = self.begin(self.page_of("jorge"), device)
        self.type_name(page, "My careful words")
        # The response for a device that an admin deleted. Another test covers the deletion.
        page.route(f"**{ITEMS}/{device}", lambda route: route.fulfill(
            status=410, content_type="application/problem+json",
            json={"type": "/problems/gone", "title": "Deleted", "status": 410, "deleted_at": "2026-11-20T10:00:00Z",
                  "deleted_by": "moderator", "reason": "merged",
                  "merged_into": self.add_device(name="The one that stays")}))
        self.save(page)
        expect(page.locator("h1")).to_have_text("This device was deleted")
        expect(page.locator("main")).to_contain_text("20 November 2026 by a moderator")
        expect(page.locator("main")).to_contain_text("merged into another record")
        expect(page.locator("textarea")).to_have_value("Name: My careful words")
        self.assertEqual(violations(page), [])
        page.get_by_role("link", name="Open the merged record").click()
        expect(page.locator("h1")).to_have_text("The one that stays")


class LooksTests(EditTest):
    def test_meets_wcag_and_fits_a_small_phone(self):
        device = self.add_device(description="x" * 400, data_collected=["video"], assumed=["data_collected"])
        found = []
        for language in ("en", "pt"):
            page = self.begin(self.page_of("jorge", size=NARROW, language=language), device)
            for question in ("name", "category", "operator", "choices", "bearings", "place", "retention", "precision"):
                self.open(page, question)
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                found += [f"{language} {theme}: {fault}" for fault in violations(page)]
            wide = page.evaluate("() => document.documentElement.scrollWidth")
            self.assertLessEqual(wide, 320)
            page.context.close()
        self.pages.clear()
        self.assertEqual(found, [])
