"""Moderation: a queue with one item per screen, decisions with a reason, and undo."""

import re

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW, PHONE
from support.keeping import known
from support.order import ModerationTest


class QueueTests(ModerationTest):
    def test_a_flag_leads_to_hiding_and_the_log_undoes_it(self):
        device = self.add_device(name="Flagged gate")
        self.flag("jorge", "device", device, "personal_data", "One sees into a bedroom")
        page = self.moderation("flag")
        self.choose(page, "Flagged gate")
        panel = page.locator(".queue-panel")
        expect(panel).to_contain_text("It shows personal data")
        expect(panel).to_contain_text("One sees into a bedroom")
        expect(panel.get_by_role("link", name="maria")).to_have_attribute("href", "/people/maria")
        page.get_by_role("button", name="Hide").click()
        expect(panel.locator(".field-fault")).to_have_text("Give a short reason.")
        expect(page.get_by_label("Reason", exact=True)).to_be_focused()
        page.get_by_role("button", name="It shows personal data.").click()
        page.get_by_role("button", name="Hide").click()
        expect(page.locator(".undo-strip")).to_contain_text("Hidden.")
        expect(page.locator(".queue-row").filter(has_text="Flagged gate")).to_have_count(0)
        self.allowed_errors = (r"status of 404",)
        visitor = self.page_of()
        visitor.goto(f"/devices/{device}")
        expect(visitor.locator("main")).not_to_contain_text("Flagged gate")
        self.waits_for_mail("maria@example.org", "It shows personal data.")

        page.get_by_role("link", name="Log").click()
        row = page.locator("tbody tr").filter(has_text="Flagged gate").first
        expect(row).to_contain_text("Hide")
        expect(row).to_contain_text("vera")
        row.get_by_role("button", name="Undo").click()
        page.get_by_role("dialog").get_by_role("textbox").fill("It is a public street after all")
        page.get_by_role("dialog").get_by_role("button", name="Undo").click()
        expect(row).to_contain_text("Undone")
        visitor.goto(f"/devices/{device}")
        expect(visitor.locator("h1")).to_have_text("Flagged gate")

    def test_an_action_can_be_undone_where_it_was_taken(self):
        device = self.add_device(name="Hasty gate")
        self.flag("jorge", "device", device)
        page = self.moderation("flag")
        self.choose(page, "Hasty gate")
        page.get_by_role("button", name="The device is gone.").click()
        page.get_by_role("button", name="Hide").click()
        page.locator(".undo-strip button").click()
        expect(page.locator(".queue-row").filter(has_text="Hasty gate")).to_have_count(1)
        self.assertEqual(self.said(device, "name"), "Hasty gate")

    def test_a_device_that_changes_during_the_review_is_shown_again(self):
        device = self.add_device(name="Patient gate")
        self.flag("jorge", "device", device)
        page = self.moderation("flag")
        self.choose(page, "Patient gate")
        maria, path = known("maria"), f"/api/collections/devices/items/{device}"
        tag = maria.send("GET", path, expect=200)[1]["ETag"]
        maria.send("PATCH", path, {"properties": {"name": "A bedroom window"}},
                   {"If-Match": tag, "Content-Type": "application/merge-patch+json"}, expect=200)
        self.allowed_errors = (r"status of 412",)
        reason = page.get_by_label("Reason", exact=True)
        reason.fill("All is well")
        page.locator("[data-act=dismiss]").click()
        expect(page.locator("#item-title")).to_have_text("A bedroom window")
        expect(page.locator(".queue-panel .field-fault")).to_contain_text("This has changed since you looked at it.")
        expect(reason).to_have_value("All is well")
        page.locator("[data-act=dismiss]").click()
        expect(page.locator(".queue-row").filter(has_text="A bedroom window")).to_have_count(0)

    def test_a_first_contribution_is_read_and_accepted_by_keyboard(self):
        person = self.newcomer()
        place = [60.5, -41.25]
        person.send("POST", "/api/collections/devices/items", {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": place},
            "properties": {"name": "First of mine", "category": "camera_fixed", "precision": "100m"}}, expect=201)
        page = self.moderation("contribution")
        for _ in range(20):
            if page.locator("#item-title").inner_text() == "First of mine":
                break
            page.keyboard.press("j")
        expect(page.locator("#item-title")).to_have_text("First of mine")
        panel = page.locator(".queue-panel")
        expect(panel.locator(".changes")).to_contain_text("Fixed camera")
        expect(panel.locator(".changes")).to_contain_text("Within 100 m")
        # Only moderators see the true position.
        expect(panel).to_contain_text("-41.25000, 60.50000")
        expect(panel).to_contain_text("new account")
        page.keyboard.press("c")
        expect(page.get_by_label("Reason", exact=True)).to_be_focused()
        page.keyboard.type("Looked at: ajar")  # typed letters are not shortcuts
        expect(page.get_by_label("Reason", exact=True)).to_have_value("Looked at: ajar")
        page.keyboard.press("Tab")
        page.keyboard.press("a")
        expect(page.locator(".undo-strip")).to_contain_text("Accepted.")
        page.get_by_role("button", name="Undo", exact=True).click()
        expect(page.locator(".queue-row").filter(has_text="First of mine")).to_have_count(1)

    def test_accepting_needs_no_typed_reason_and_hiding_does(self):
        person = self.newcomer()
        person.send("POST", "/api/collections/devices/items", {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [61.5, -41.25]},
            "properties": {"name": "Plain first", "category": "camera_fixed"}}, expect=201)
        page = self.moderation("contribution")
        self.choose(page, "Plain first")
        page.locator("[data-act=hide]").click()
        expect(page.locator(".queue-panel .field-fault")).to_have_text("Give a short reason.")
        page.locator("[data-act=accept]").click()
        expect(page.locator(".undo-strip")).to_contain_text("Accepted.")
        expect(page.locator(".queue-row").filter(has_text="Plain first")).to_have_count(0)
        page.goto("/moderation/log")
        row = page.locator("tbody tr").first
        expect(row).to_contain_text("Accept")
        expect(row).to_contain_text("first contribution: Plain first")
        page.set_viewport_size(NARROW)
        self.assertLessEqual(*page.locator(".table-holder").evaluate("(one) => [one.scrollWidth, one.clientWidth]"))
        expect(row).to_contain_text("Plain first")

    def test_shortcuts_can_be_turned_off(self):
        self.flag("jorge", "device", self.add_device(name="Quiet gate"))
        page = self.moderation("flag")
        self.choose(page, "Quiet gate")
        page.get_by_label("Keyboard shortcuts").uncheck()
        page.locator("#item-title").focus()
        page.keyboard.press("d")
        expect(page.locator(".field-fault").first).to_be_hidden()
        page.reload()
        expect(page.get_by_label("Keyboard shortcuts")).not_to_be_checked()
        page.get_by_label("Keyboard shortcuts").check()

    def test_all_contributions_of_an_account_are_counted_before_they_are_reverted(self):
        person = self.newcomer()
        devices = [person.send("POST", "/api/collections/devices/items", {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [61 + step / 10, -42]},
            "properties": {"name": f"Bogus {step}", "category": "camera_fixed", "precision": "exact"}}, expect=201)[2][
                "id"]
            for step in range(3)]
        self.flag("jorge", "account", person.username, "spam", "All invented")
        page = self.moderation("flag")
        self.choose(page, f"The account {person.username}")
        page.get_by_label("Reason", exact=True).fill("All invented")
        page.get_by_role("button", name="Undo everything").click()
        more = page.locator(".decision-more")
        expect(more).to_contain_text("on 3 devices")
        more.get_by_role("button", name="Undo all of it now").click()
        expect(page.locator(".undo-strip")).to_contain_text("Everything was undone.")
        self.assertEqual(self.farol().items(q="Bogus")["numberMatched"], 0)
        page.locator(".undo-strip button").click()
        self.until(lambda: self.farol().items(q="Bogus")["numberMatched"] == 3, "everything to be back")
        self.assertEqual(len(devices), 3)

    def test_a_suspension_ends_after_some_days_and_is_shown_on_every_page(self):
        person = self.newcomer()
        self.flag("jorge", "account", person.username, "offensive", "Rude words")
        page = self.moderation("flag")
        self.choose(page, f"The account {person.username}")
        page.get_by_label("Reason", exact=True).fill("Rude words")
        page.get_by_role("button", name="Suspend the person").click()
        page.get_by_label("For how long").select_option("7")
        page.get_by_role("button", name="Suspend now").click()
        expect(page.locator(".undo-strip")).to_contain_text("suspended")
        status, _, problem = person.send("POST", "/api/flags", {
            "target": {"type": "account", "id": "maria"}, "reason": "other"})
        self.assertEqual((status, problem["type"]), (403, "/problems/suspended"))
        theirs = self.new_page(farol=self.farol())
        person.enter(theirs.context)
        theirs.goto("/account")
        expect(theirs.locator("main")).to_contain_text("Rude words")

    def test_a_part_of_a_photo_is_redacted_by_typed_numbers(self):
        device = self.add_device(name="Camera with a face")
        photo = self.add_photo(device, alt="A face behind a window")
        self.flag("jorge", "photo", photo, "personal_data", "One sees a face")
        page = self.moderation("flag")
        self.choose(page, "Camera with a face")
        page.get_by_role("button", name="It shows personal data.").click()
        page.get_by_role("button", name="Black out parts").click()
        more = page.locator(".decision-more")
        more.get_by_role("button", name="Black out now").click()
        expect(page.locator(".decision .field-fault").first).to_have_text("Draw at least one rectangle.")
        more.get_by_role("button", name="Add a rectangle").click()
        for label, percent in (("left", "0"), ("top", "0"), ("width", "50"), ("height", "100")):
            more.get_by_label(label).fill(percent)
        more.get_by_role("button", name="Black out now").click()
        expect(page.locator(".undo-strip")).to_contain_text("Blacked out.")
        self.assertEqual(self.colours(page, device), ["black", "red"])
        page.locator(".undo-strip button").click()
        self.until(lambda: self.colours(page, device) == ["red", "red"], "the photo of before")

    def colours(self, page, device):
        """The colours at the left and the right of the photo from the server."""
        [photo] = self.said(device, "photos")
        return page.evaluate("""async (address) => {
          const picture = await createImageBitmap(await (await fetch(address)).blob());
          const canvas = new OffscreenCanvas(picture.width, picture.height);
          const context = canvas.getContext('2d', { willReadFrequently: true });
          context.drawImage(picture, 0, 0);
          return [0.25, 0.75].map((part) => {
            const [red] = context.getImageData(picture.width * part, picture.height / 2, 1, 1).data;
            return red > 150 ? 'red' : red < 30 ? 'black' : String(red);
          });
        }""", photo["url"])

    def test_two_devices_are_merged(self):
        stays, goes = self.add_device(name="Gate north"), self.add_device(name="Gate north again")
        self.flag("jorge", "device", goes, "duplicate", "The same")
        page = self.moderation("flag")
        self.choose(page, "Gate north again")
        page.get_by_role("button", name="This device is already on the map.").click()
        page.get_by_role("button", name="Merge with another").click()
        page.get_by_label("The device that stays").fill("nonsense")
        page.get_by_role("button", name="Merge now").click()
        expect(page.locator(".decision .field-fault").first).to_have_text("That is not the address of a device.")
        page.get_by_label("The device that stays").fill(f"{self.farol().address}/devices/{stays}")
        page.get_by_role("button", name="Merge now").click()
        expect(page.locator(".undo-strip")).to_contain_text("Merged.")
        self.allowed_errors = (r"status of 410",)
        visitor = self.page_of()
        visitor.goto(f"/devices/{goes}")
        expect(visitor.locator(f"main a[href='/devices/{stays}']")).to_be_visible()

    def test_on_a_phone_the_item_replaces_the_list_and_the_list_returns(self):
        self.flag("jorge", "device", self.add_device(name="Small gate"))
        page = self.moderation("flag", size=PHONE)
        expect(page.locator(".queue-panel")).to_be_hidden()
        self.choose(page, "Small gate")
        expect(page.locator(".queue-side")).to_be_hidden()
        page.get_by_role("button", name="Back to the queue").click()
        expect(page.locator(".queue-row").filter(has_text="Small gate")).to_be_focused()

    def test_meets_wcag_and_fits_a_small_phone(self):
        self.flag("jorge", "device", self.add_device(name="Narrow gate"), "personal_data", "x" * 400)
        found = []
        for language in ("en", "pt"):
            page = self.moderation(size=NARROW, language=language)
            self.choose(page, "Narrow gate")
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                found += [f"{language} {theme}: {fault}" for fault in violations(page)]
            self.assertLessEqual(*page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]"))
            page.goto("/moderation/log")
            expect(page.locator("tbody tr").first).to_be_visible()
            found += [f"{language} log: {fault}" for fault in violations(page)]
            self.assertLessEqual(*page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]"))
        self.assertEqual(found, [])


class GateTests(ModerationTest):
    def test_users_without_access_see_the_missing_requirement(self):
        for username, words in ((None, "Sign in to continue"), ("maria", "Your account cannot open this page")):
            for path in ("/moderation", "/admin"):
                page = self.page_of(username)
                page.goto(path)
                expect(page.locator("main h1")).to_have_text(words)
        self.with_role("tomas", "moderator")
        with self.farol().database() as database:
            database.execute("UPDATE account SET totp_confirmed_at = NULL, totp_secret = NULL WHERE username = 'tomas'")
        page = self.page_of("tomas")
        page.goto("/moderation")
        expect(page.locator("main h1")).to_have_text("Your role needs a second factor")

    def test_user_input_is_shown_as_text(self):
        words = '<img src=x onerror="hurt=1">\u202eevil'
        device = self.add_device(name="Marked gate")
        with self.farol().database() as database:
            database.execute("UPDATE device SET name = ? WHERE id = ?", (words, device))
        self.flag("jorge", "device", device, "other", "<script>hurt=1</script>")
        page = self.moderation("flag")
        page.locator(".queue-row").filter(has_text="onerror").click()
        expect(page.locator(".queue-panel")).to_contain_text("<script>hurt=1</script>")
        self.assertIsNone(page.evaluate("() => globalThis.hurt ?? null"))
        self.assertEqual(page.locator("main :is(script, img)").count(), 0)


class ReportTests(ModerationTest):
    def test_a_resident_reports_without_an_account_and_gets_an_answer(self):
        device = self.add_device(name="Our doorbell")
        page = self.page_of(size=PHONE)
        page.goto(f"/report?device={device}")
        expect(page.locator("#report-about")).to_contain_text("Our doorbell")
        page.get_by_label(re.compile("personal data")).check()
        page.get_by_role("textbox").first.fill("This is our house; nobody asked us")
        page.get_by_label(re.compile("e-mail address")).fill("household@example.net")
        page.locator("main button.primary").click()
        expect(page.locator("main h1")).to_be_focused()
        self.waits_for_mail("household@example.net", "A moderator will review")
        desk = self.moderation("report")
        self.choose(desk, "Our doorbell")
        expect(desk.locator(".queue-panel")).to_contain_text("a visitor without an account")
        expect(desk.locator(".queue-panel")).not_to_contain_text("said")
        desk.get_by_role("button", name="It shows personal data.").click()
        desk.get_by_role("button", name="Hide").click()
        expect(desk.locator(".undo-strip")).to_contain_text("Hidden.")
        self.waits_for_mail("household@example.net", "It shows personal data.")

    def test_equal_reports_are_counted_as_one_item_and_are_not_on_the_profile(self):
        device = self.add_device(name="Reported twice", by="maria")
        for _ in range(2):
            page = self.page_of()
            page.goto(f"/report?device={device}")
            page.get_by_label(re.compile("personal data")).check()
            page.get_by_role("textbox").first.fill("This is my window")
            page.locator("main button.primary").click()
            expect(page.locator("main h1")).to_be_focused()
        desk = self.moderation("report")
        self.choose(desk, "Reported twice")
        reasons = desk.locator(".queue-panel .reasons li")
        expect(reasons).to_have_count(1)
        expect(reasons).to_contain_text("reported 2 times")
        expect(desk.locator(".queue-panel")).to_contain_text(re.compile(r"Flags: \d+ \(\d+ anonymous\)"))
        page = self.page_of()
        page.goto("/people/maria")
        flags = page.get_by_role("region", name="Flags")
        expect(flags).to_contain_text("times upheld")
        expect(flags.locator("dt")).to_have_count(1)
