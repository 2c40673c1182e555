"""Forms during an outage: each shows a message, keeps the typed text, and sends it when the server is back."""

from playwright.sync_api import expect

from support.accounts import confirmed_person
from support.case import BrowserTest
from support.farol import own_farol
from support.pictures import as_file

ITEMS = "/api/collections/devices/items"
SENTENCE = "We are having connection problems, please wait for a while"
REPEATED = "is sent automatically when the connection is back"
BACK = "The connection is back and nothing was lost"


class FormOutageTest(BrowserTest):
    """A server that each test stops and starts again, with users and one device."""

    allowed_errors = (r"ERR_CONNECTION_REFUSED", r"ERR_FAILED")
    _placed = 0

    @classmethod
    def setUpClass(cls):
        cls.server = own_farol().start()
        cls.addClassCleanup(cls.server.stop)
        cls.people = {name: confirmed_person(cls.server, name) for name in ("ana", "bruno", "chief")}
        with cls.server.database() as database:
            database.execute(
                "UPDATE account SET role = 'admin', totp_secret = randomblob(20), totp_confirmed_at = created_at "
                "WHERE username = 'chief'")

    def setUp(self):
        super().setUp()
        if self.server.process is None:
            self.server.start()

    def farol(self):
        return self.server

    def add_device(self, name="Quay camera", by="ana", **properties):
        FormOutageTest._placed += 1
        body = {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [-8.4 + FormOutageTest._placed * 0.02, 39.4]},
                "properties": {"name": name, "category": "camera_fixed", "precision": "exact"} | properties}
        return self.people[by].send("POST", ITEMS, body, expect=201)[2]["id"]

    def page_of(self, username=None):
        page = self.new_page(with_map=False)
        if username:
            self.people[username].enter(page.context)
        return page

    def flag_dialog(self, device):
        """The dialog for flagging a device, filled in."""
        page = self.page_of("bruno")
        page.goto(f"/devices/{device}")
        page.get_by_role("button", name="Report a problem").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("It was never there").check()
        dialog.get_by_role("textbox").fill("It is a birdhouse")
        return page, dialog

    def through_an_outage(self, act, place, words=REPEATED):
        """Runs an action without a server, checks the message at `place`, and starts the server again."""
        self.server.stop()
        act()
        expect(place).to_contain_text(SENTENCE)
        expect(place).to_contain_text(words)
        self.server.start()

    def stored(self, statement, *values):
        with self.server.database() as database:
            return database.execute(statement, values).fetchall()


class DeviceFormTests(FormOutageTest):
    def test_a_verdict_with_its_note_is_sent_when_the_server_is_back(self):
        device = self.add_device()
        page = self.page_of("bruno")
        page.goto(f"/devices/{device}")
        page.locator(".claims-none > summary").click()
        claim = page.locator("#claim-present")
        claim.get_by_role("button", name="Confirm", exact=True).click()
        claim.locator("summary").click()
        claim.locator("textarea").fill("Seen from the quay")
        self.through_an_outage(claim.get_by_role("button", name="I have seen it").click, claim.get_by_role("alert"))
        expect(page.locator("#claim-present .claim-mine")).to_contain_text("You confirmed this")
        self.assertEqual(self.stored("SELECT verdict, note FROM verdict"), [("confirm", "Seen from the quay")])

    def test_a_flag_keeps_its_reason_and_its_note(self):
        device = self.add_device()
        _, dialog = self.flag_dialog(device)
        self.through_an_outage(
            dialog.get_by_role("button", name="Send to the moderators").click, dialog.get_by_role("alert"))
        expect(dialog).to_have_count(0)
        self.assertEqual(self.stored("SELECT note FROM flag WHERE target_id = ?", device), [("It is a birdhouse",)])

    def test_a_closed_dialog_sends_nothing_later(self):
        device = self.add_device()
        page, dialog = self.flag_dialog(device)
        self.server.stop()
        dialog.get_by_role("button", name="Send to the moderators").click()
        expect(dialog.get_by_role("alert")).to_contain_text(SENTENCE)
        page.keyboard.press("Escape")
        self.server.start()
        expect(page.locator(".notice")).to_have_count(0)
        self.assertEqual(self.stored("SELECT count(*) FROM flag WHERE target_id = ?", device), [(0,)])

    def test_a_report_without_an_account_arrives(self):
        device = self.add_device()
        page = self.page_of()
        page.goto(f"/report?device={device}")
        page.get_by_label("It shows personal data").check()
        page.get_by_role("textbox").first.fill("One sees into our bedroom")
        self.through_an_outage(
            page.locator("main [type=submit]").click, page.locator("main .complaint[role=alert]:visible"))
        self.until(
            lambda: self.stored("SELECT note FROM flag WHERE target_id = ?", device) == [
                ("One sees into our bedroom",)], "the report")

    def test_an_edit_is_saved(self):
        device = self.add_device()
        page = self.page_of("ana")
        page.goto(f"/devices/{device}/edit")
        page.locator("#open-name").click()
        page.locator("#body-name input").fill("Pier camera")
        self.through_an_outage(
            page.get_by_role("button", name="Save", exact=False).last.click,
            page.locator("main .complaint[role=alert], main [role=alert]").last)
        page.wait_for_url(f"**/devices/{device}")
        expect(page.locator("h1")).to_have_text("Pier camera")

    def test_an_edit_with_a_lost_response_is_not_a_conflict(self):
        device = self.add_device()
        page = self.page_of("ana")
        page.goto(f"/devices/{device}/edit")
        page.locator("#open-name").click()
        page.locator("#body-name input").fill("Pier camera")

        lost = []

        def lose_the_answer(route):
            if route.request.method != "PATCH" or lost:
                route.continue_()
                return
            lost.append(route.fetch().status)
            self.server.stop()
            route.abort("connectionrefused")
        page.route(f"**{ITEMS}/{device}", lose_the_answer)
        self.allowed_errors = (*self.allowed_errors, r"status of 412")
        page.get_by_role("button", name="Save", exact=False).last.click()
        expect(page.locator("main [role=alert]").last).to_contain_text(SENTENCE)
        self.server.start()
        page.wait_for_url(f"**/devices/{device}")
        expect(page.locator("h1")).to_have_text("Pier camera")
        self.assertEqual(
            self.stored(
                "SELECT count(*) FROM revision JOIN device ON device.rowid = device_rowid WHERE device.id = ?", device),
                [(2,)])

    def test_an_old_version_is_restored(self):
        device = self.add_device()
        _, headers, _ = self.people["ana"].send("GET", f"{ITEMS}/{device}")
        self.people["ana"].send("PATCH", f"{ITEMS}/{device}", {"properties": {"name": "Other"}}, {
            "Content-Type": "application/merge-patch+json", "If-Match": headers["ETag"]}, expect=200)
        page = self.page_of("ana")
        page.goto(f"/devices/{device}/history")
        page.locator("#restore-1").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("textbox").fill("It was right before")
        self.through_an_outage(dialog.locator(".primary").click, dialog.get_by_role("alert"))
        expect(page.locator("#revision-3")).to_contain_text("It was right before")

    def test_photos_are_added_and_described(self):
        device = self.add_device()
        page = self.page_of("ana")
        page.goto(f"/devices/{device}")
        page.locator("#photos-add").click()
        dialog = page.get_by_role("dialog")
        dialog.locator("input[type=file]").first.set_input_files(as_file())
        dialog.locator(".photo-list input").first.fill("The mast")
        self.through_an_outage(dialog.locator(".dialog-foot .primary").click, dialog.get_by_role("alert"))
        expect(page.locator(".gallery img")).to_have_attribute("alt", "The mast")
        page.locator("#photos-change").click()
        page.locator("[id^=describe-]").first.click()
        dialog.get_by_role("textbox").fill("The mast from the quay")
        self.through_an_outage(dialog.locator(".primary").click, dialog.get_by_role("alert"))
        expect(page.locator(".photo-row .said")).to_have_text("The mast from the quay")


class OwnFormTests(FormOutageTest):
    def test_account_settings_sessions_and_export_work(self):
        bruno = self.people["bruno"]
        bruno.cookie = bruno.csrf = None  # another browser
        bruno.sign_in()
        page = self.page_of("bruno")
        page.goto("/account")
        expect(page.locator("#sessions li").nth(1)).to_be_visible()
        requests = page.locator("#requests")
        self.through_an_outage(page.locator("#allow-requests").click, requests.get_by_role("alert"))
        expect(requests.get_by_role("alert")).to_be_hidden()
        self.until(
            lambda: self.stored("SELECT data_requests FROM account WHERE username = 'bruno'") == [(0,)], "the setting")
        export = page.locator("#export")
        with page.expect_download() as file:
            self.through_an_outage(export.get_by_role("button").click, export.get_by_role("status"))
        self.assertRegex(file.value.suggested_filename, "json$")
        sessions = page.locator("#sessions li")
        before = sessions.count()
        self.through_an_outage(sessions.get_by_role("button").first.click, page.locator(".toast"))
        expect(sessions).to_have_count(before - 1)

    def test_a_form_that_must_not_arrive_twice_asks_the_user_to_send_again(self):
        page = self.page_of("ana")
        page.goto("/account")
        part = page.locator("#research")
        part.get_by_role("button", name="Request access").click()
        part.get_by_label("Project").fill("Cameras of towns")
        part.get_by_label("What is it for?").fill("How many cameras say who runs them, town by town.")
        part.get_by_label("Until when?").fill(
            page.evaluate("() => new Date(Date.now() + 90 * 864e5).toISOString().slice(0, 10)"))
        self.through_an_outage(
            part.locator("[type=submit]").click, part.locator(".form-trouble"), "What you typed is still here")
        expect(part.locator(".form-trouble")).to_contain_text(BACK)
        expect(part.get_by_label("Project")).to_have_value("Cameras of towns")
        part.locator("[type=submit]").click()
        expect(part).to_contain_text("Waiting for a decision")

    def test_sign_out_ends_the_session_when_the_server_is_back(self):
        person = confirmed_person(self.server, "leaver")
        page = self.new_page(with_map=False)
        person.enter(page.context)
        page.goto("/about")
        page.locator(".menu-button").click()
        self.server.stop()
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator(".toast")).to_contain_text(SENTENCE)
        self.server.start()
        expect(page.locator(".toast")).to_contain_text("signed out")
        self.assertEqual(
            self.stored(
                "SELECT count(*) FROM session JOIN account ON account.rowid = account_rowid WHERE username = 'leaver'"),
                [(0,)])

    def test_the_letter_of_a_choice_is_kept(self):
        device = self.add_device(
            operator={"name": "Exemplo, Lda.", "kind": "company", "contact": "privacy@farol.example"})
        choice = self.people["ana"].send(
            "POST", "/api/choices", {"device": device, "kind": "access", "language": "en", "country": "PT"},
            expect=201)[2]["id"]
        page = self.page_of("ana")
        page.goto(f"/choices/{choice}")
        expect(page.locator(".letter-body")).not_to_be_empty()
        part = page.locator("#letter")
        self.through_an_outage(
            lambda: page.get_by_label("Your name").fill("Ana Sousa"), part.locator(".letter-shown [role=status]"))
        self.until(
            lambda: "Ana Sousa" in str(self.people["ana"].send("GET", f"/api/choices/{choice}", expect=200)[2]),
            "the name to be kept")
        expect(part.locator(".letter-shown [role=status]")).not_to_contain_text(SENTENCE)


class PowerFormTests(FormOutageTest):
    def test_a_deletion_is_carried_out(self):
        device = self.add_device("Lonely camera")
        page = self.page_of("chief")
        page.goto("/admin/devices")
        result = page.locator(".deletion-result")
        page.locator("#delete-what").fill("Lonely camera")
        self.through_an_outage(page.locator(".deletion [type=submit]").click, result.get_by_role("alert"))
        result.get_by_label("Reason").fill("Asked for by its owner")
        result.get_by_role("button", name="Delete").click()
        self.through_an_outage(
            page.get_by_role("dialog").get_by_role("button", name="Delete").click, result.get_by_role("alert"))
        expect(result).to_contain_text("“Lonely camera” was deleted.")
        self.assertEqual(self.stored("SELECT count(*) FROM device WHERE id = ?", device), [(0,)])

    def test_a_moderation_decision_keeps_its_reason_and_asks_to_be_sent_again(self):
        device = self.add_device("Flagged camera")
        self.people["bruno"].send(
            "POST", "/api/flags", {"target": {"type": "device", "id": device}, "reason": "gone", "note": "x"},
            expect=201)
        page = self.page_of("chief")
        page.goto("/moderation?kind=flag")
        page.locator(".queue-row").filter(has_text="Flagged camera").click()
        page.get_by_label("Reason", exact=True).fill("It is gone indeed")
        fault = page.locator("#reason-fault")
        self.through_an_outage(page.get_by_role("button", name="Hide").click, fault, "What you typed is still here")
        expect(fault).to_contain_text(BACK)
        expect(page.get_by_label("Reason", exact=True)).to_have_value("It is gone indeed")
        page.get_by_role("button", name="Hide").click()
        expect(page.locator(".undo-strip")).to_contain_text("Hidden.")

    def test_the_lists_for_admins_load_when_the_server_is_back(self):
        page = self.page_of("chief")
        for path, there in (
            ("/admin", ".cards"), ("/admin/accounts", ".account-list li"), ("/admin/imports", ".account-list li"),
            ("/moderation/log", "tbody tr")):
            with self.subTest(path):
                page.goto("/about")
                page.route("**/api/admin/**", lambda route: route.abort("connectionrefused"))
                page.route("**/api/moderation/**", lambda route: route.abort("connectionrefused"))
                page.goto(path)
                expect(page.locator(".notice")).to_be_visible()
                page.unroute("**/api/admin/**")
                page.unroute("**/api/moderation/**")
                expect(page.locator(there).first).to_be_visible()
