"""The life of a camera on the map, seen by the users who add, flag, moderate and leave.

Sign up → mail → confirm → add with a photo → edit → history → flag → moderate → restore → delete the
account: one story on one server, every step on its page.
"""

import re

from playwright.sync_api import expect

from support.adding import Adding
from support.chromium import DESKTOP, PHONE
from support.order import ModerationTest
from support.people import PASSWORD, confirm, fill_sign_up, submit, submit_in
from support.pictures import as_file

EMPTY = "/#map=17.00/-12.70000/-16.95000"
EMAIL = "carolina@example.org"


class StoryTests(ModerationTest):
    allowed_errors = (r"status of 40[14]",)  # not signed in, and hidden devices

    def test_from_sign_up_to_deletion_of_the_account(self):
        page = self.signs_up_after_describing_a_camera()
        device = self.confirms_and_it_is_on_the_map(page)
        self.corrects_the_name(page, device)
        self.another_user_flags_it(device)
        desk = self.a_moderator_looks_at_the_photo_and_hides_the_device(page, device)
        self.the_decision_is_undone(desk, page, device)
        self.an_older_version_is_restored(page, device)
        self.deletes_the_account_and_the_camera_stays(page, device)

    def signs_up_after_describing_a_camera(self):
        page = self.open(EMPTY, size=PHONE)
        adding = Adding(page).begin().here().kind("camera_fixed").asks("What do you call it?")
        page.locator(".add-body input").fill("Camera at the mill")
        adding.until_asks("Do you have a photo?")
        page.locator(".photo-button input").nth(1).set_input_files(as_file(width=640, height=480))
        page.locator(".photo-card input").fill("A camera above the door of a mill")
        adding.finish().next().asks("Last step: an account")
        page.locator(".delivery-links .primary").click()
        fill_sign_up(page, "carolina", EMAIL)
        submit(page)
        expect(page.locator(".resend")).to_be_visible()
        page.get_by_role("link", name="Continue").click()
        adding.asks("Confirm your e-mail")
        self.assertEqual(self.farol().items(q="Camera at the mill")["numberMatched"], 0)
        return page

    def confirms_and_it_is_on_the_map(self, page):
        other = page.context.new_page()
        self.pages.append(other)
        confirm(other, self.farol(), EMAIL)
        Adding(page).asks("It is on the map")
        page.get_by_role("button", name="Show on the map").click()
        expect(page.locator("#card h2")).to_have_text("Camera at the mill")
        device = self.farol().device("Camera at the mill")["id"]
        page.goto(f"/devices/{device}")
        # The author of a new account sees the photo at once; others see it after a moderator accepts it.
        expect(page.locator(".gallery img")).to_have_attribute("alt", "A camera above the door of a mill")
        expect(page.locator(".photos")).to_contain_text("Only you can see this photo until it has been reviewed")
        self.assertEqual(self.said(device, "photos"), [])
        return device

    def corrects_the_name(self, page, device):
        page.get_by_role("button", name="More actions").first.click()
        page.get_by_role("link", name="Correct it").click()
        page.locator("#open-name").click()
        page.locator("#body-name").get_by_role("textbox").fill("Camera at the old mill")
        page.locator("#edit-save").click()
        page.wait_for_url(f"**/devices/{device}")
        expect(page.locator("h1")).to_have_text("Camera at the old mill")
        page.goto(f"/devices/{device}/history")
        newest = page.locator(".revisions > li").first
        expect(newest).to_contain_text("Changed: Name")
        expect(newest.get_by_role("link", name="carolina")).to_be_visible()

    def another_user_flags_it(self, device):
        page = self.page_of("jorge", size=PHONE)
        page.goto(f"/devices/{device}")
        expect(page.locator("h1")).to_have_text("Camera at the old mill")
        expect(page.locator(".gallery img")).to_have_count(0)
        page.get_by_role("button", name="More actions").first.click()
        page.get_by_role("button", name=re.compile("^Report a problem")).first.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label(re.compile("personal data")).check()
        dialog.get_by_role("textbox").fill("One sees who comes to the mill")
        dialog.locator("button.primary").click()
        expect(page.locator(".toast")).to_be_visible()

    def a_moderator_looks_at_the_photo_and_hides_the_device(self, page, device):
        desk = self.moderation("photo")
        self.choose(desk, "Camera at the old mill")
        shown = desk.locator(".item-photo img")
        expect(shown).to_have_attribute("alt", "A camera above the door of a mill")
        self.until(lambda: shown.evaluate("(one) => one.complete && one.naturalWidth > 0"), "the photo to be there")
        desk.get_by_role("button", name="Reviewed and correct.").click()
        desk.get_by_role("button", name="Accept").click()
        expect(desk.locator(".undo-strip")).to_contain_text("Accepted.")
        self.until(lambda: len(self.said(device, "photos")) == 1, "the photo to be public")
        desk.goto("/moderation?kind=flag")
        self.choose(desk, "Camera at the old mill")
        expect(desk.locator(".queue-panel")).to_contain_text("One sees who comes to the mill")
        desk.get_by_role("button", name="It shows personal data.").click()
        desk.get_by_role("button", name="Hide").click()
        expect(desk.locator(".undo-strip")).to_contain_text("Hidden.")
        self.waits_for_mail(EMAIL, "It shows personal data.")
        self.waits_for_mail("jorge@example.org", "personal data")
        visitor = self.page_of()
        visitor.goto(f"/devices/{device}")
        expect(visitor.locator("main")).not_to_contain_text("Camera at the old mill")
        page.goto(f"/devices/{device}")
        expect(page.locator("h1")).to_have_text("Camera at the old mill")
        return desk

    def the_decision_is_undone(self, desk, page, device):
        desk.goto("/moderation/log")
        row = desk.locator("tbody tr").filter(has_text="Camera at the old mill").filter(has_text="Hide")
        row.get_by_role("button", name="Undo").click()
        desk.get_by_role("dialog").get_by_role("textbox").fill("Nobody can be told apart on it")
        desk.get_by_role("dialog").get_by_role("button", name="Undo").click()
        expect(row).to_contain_text("Undone")
        self.waits_for_mail(EMAIL, "Nobody can be told apart on it")
        visitor = self.page_of(size=DESKTOP)
        visitor.goto(f"/devices/{device}")
        expect(visitor.locator(".gallery img")).to_have_count(1)

    def an_older_version_is_restored(self, page, device):
        page.goto(f"/devices/{device}/history")
        page.locator("#restore-2").click()
        dialog = page.get_by_role("dialog", name="Restore version 2?")
        dialog.get_by_role("textbox").fill("The first name was right")
        dialog.get_by_role("button", name="Restore").click()
        expect(page.locator(".revisions > li").first).to_contain_text("restored")
        self.assertEqual(self.said(device, "name"), "Camera at the mill")
        self.assertEqual(len(self.said(device, "photos")), 1, "restoring a name takes no photo away")

    def deletes_the_account_and_the_camera_stays(self, page, device):
        page.goto("/account#delete")
        part = page.locator("#delete")
        part.get_by_role("button", name="Delete my account").click()
        part.locator("[name=password]").fill(PASSWORD)
        submit_in(part)
        expect(page.locator("main h1")).to_have_text("Your account is deleted")
        self.assertEqual(self.said(device, "name"), "Camera at the mill")
        page.goto("/people/carolina")
        expect(page.locator("main h1")).to_have_text("No account has this name")
        page.goto(f"/devices/{device}/history")
        expect(page.locator(".revisions > li").first).to_be_visible()
        self.assertNotIn("carolina", page.locator("main").inner_text())
        with self.farol().database() as database:
            left = database.execute(
                "SELECT count(*) FROM account WHERE username = 'carolina' OR email = ?", (EMAIL,)).fetchone()
        self.assertEqual(left, (0,))
