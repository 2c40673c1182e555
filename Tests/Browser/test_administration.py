"""Administration: overview, roles, deletions, imports and their reversal."""

import gzip
import re
import tempfile

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW
from support.farol import HOME
from support.keeping import ITEMS, known
from support.order import ModerationTest

LIST = HOME / "seed/sample/berlin-eco-counter/ecocounter.geojson.gz"


class OverviewTests(ModerationTest):
    def test_the_overview_counts_existing_items(self):
        self.add_device(name="Counted gate")
        page = self.administration()
        # All devices are new: in the response some were added on another day, but all within this month.
        page.route("**/api/admin/overview", self.with_an_earlier_day)
        page.reload()
        devices = page.locator(".cards section").filter(has=page.get_by_role("heading", name="Devices"))
        expect(devices.locator("dd").first).to_have_text(re.compile(r"^[1-9][\d,]*$"))
        expect(devices.locator(".bars")).to_have_count(1)
        expect(devices.locator(".bars span")).to_have_count(30)
        expect(devices.locator("p.series")).to_have_text(re.compile(r"^[\d,]+ added in the last 12 months \(\w+ 20\d\d\)$"))
        devices.locator("summary").first.click()
        expect(devices.locator("tbody").first.locator("tr")).to_have_count(30)
        expect(page.get_by_role("link", name="To the queue")).to_have_attribute("href", "/moderation")

    def test_what_waits_comes_first_and_empty_cards_last(self):
        self.add_device(name="Waiting gate")
        page = self.administration()
        page.route("**/api/admin/overview", lambda route: self.with_(route, {
            "queue": {"open": 3, "oldest_at": None, "by_kind": {"flag": 2, "list": 1}},
            "errors": [{"at": "2026-11-20T10:00:00Z", "message": "A fault", "count": 1}],
            "imports": [], "mail": {"waiting": 0, "failed": 0, "oldest_at": None}}))
        page.route("**/api/admin/operators?*", lambda route: route.fulfill(
            json={"operators": [], "next": None, "counts": {"waiting": 2}}))
        page.reload()
        waiting = page.locator(".admin-waiting")
        expect(waiting.get_by_role("link", name="2 organisations ask to be registered")).to_have_attribute(
            "href", "/admin/operators")
        expect(waiting.get_by_role("link", name="2 items in the moderation queue")).to_be_visible()
        expect(waiting.get_by_role("link", name="1 proposed list")).to_be_visible()
        cards = page.locator(".cards > section").evaluate_all("(all) => all.map((one) => one.id)")
        self.assertEqual(cards[:2], ["admin-queue", "admin-errors"])
        self.assertLess(cards.index("admin-devices"), cards.index("admin-mail"), "nothing to show comes last")
        counts = page.locator("#admin-devices > dl").first.locator("dd").all_inner_texts()
        zeros = [text == "0" for text in counts]
        self.assertEqual(zeros, sorted(zeros))

    def with_(self, route, changes):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | changes)

    def with_an_earlier_day(self, route):
        answer = route.fetch()
        overview = answer.json()
        overview["devices"]["per_day"][0]["count"] = 3
        route.fulfill(response=answer, json=overview)

    def test_meets_wcag_and_fits_a_small_phone(self):
        found = []
        for language in ("en", "pt"):
            for part, there in (
                ("", ".cards"), ("/accounts", ".account-list li"), ("/devices", ".deletion"),
                ("/imports", ".account-list li")):
                page = self.administration(part, size=NARROW, language=language)
                expect(page.locator(there).first).to_be_visible()
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    found += [f"{part} {language} {theme}: {fault}" for fault in violations(page)]
                self.assertLessEqual(*page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]"), part)
        self.assertEqual(found, [])


class AccountTests(ModerationTest):
    def test_an_account_is_found_and_gets_a_role_with_a_reason(self):
        person = self.newcomer()
        page = self.administration("/accounts")
        page.get_by_label("Username").fill(person.username)
        row = page.locator(".account-list li")
        expect(row).to_have_count(1)
        row.get_by_role("button", name="Change").click()
        row.get_by_label("Role").select_option("moderator")
        row.get_by_role("button", name="Save").click()
        expect(row.get_by_role("alert")).to_have_text("Give a short reason.")
        row.get_by_label("Reason").fill("Knows the town well")
        row.get_by_role("button", name="Save").click()
        expect(row.locator("input[name=password]")).to_be_focused()
        self.prove(row)
        row.locator("input[name=password]").fill("not my password")
        self.allowed_errors = (r"status of 422",)
        row.get_by_role("button", name="Save").click()
        expect(row.get_by_role("alert")).to_contain_text("password")
        self.prove(row)
        row.get_by_role("button", name="Save").click()
        expect(page.locator(".toast")).to_contain_text("The account was changed.")
        expect(page.locator(".account-list .chip").first).to_have_text("moderator")
        page.get_by_label("Role").first.select_option("operator")
        expect(page.locator(".account-list li")).to_have_count(0)

    def test_an_organisation_gets_an_account_and_a_user_is_suspended(self):
        person, other = self.newcomer(), self.newcomer()
        page = self.administration("/accounts")
        page.get_by_label("Username").fill(person.username)
        row = page.locator(".account-list li")
        expect(row).to_have_count(1)
        row.get_by_role("button", name="Change").click()
        row.get_by_label("Role").select_option("operator")
        row.get_by_label("Organisation represented").fill("Town of the Lighthouse")
        row.get_by_label("Kind").select_option("public")
        row.get_by_label("Reason").fill("Wrote from the town hall")
        self.prove(row)
        row.get_by_role("button", name="Save").click()
        expect(page.locator(".toast")).to_contain_text("The account was changed.")
        with self.farol().database() as database:
            found = database.execute(
                "SELECT operator.name, operator.kind FROM account JOIN operator ON operator.rowid = operator_rowid "
                "WHERE username = ?", (person.username,)).fetchone()
        self.assertEqual(found, ("Town of the Lighthouse", "public"))
        page.get_by_label("Username").fill(other.username)
        expect(row.get_by_role("link", name=other.username)).to_be_visible()
        row.get_by_role("button", name="Change").click()
        row.get_by_label("Suspended").check()
        row.get_by_label("Reason").fill("Made things up")
        expect(row.locator("input[name=password]")).to_be_hidden()
        row.get_by_role("button", name="Save").click()
        expect(row.locator(".chip").filter(has_text="suspended")).to_be_visible()

    def test_the_last_admin_cannot_be_demoted(self):
        self.allowed_errors = (r"status of 4(03|09|22)",)
        page = self.administration("/accounts")
        page.get_by_label("Username").fill("chief")
        row = page.locator(".account-list li")
        expect(row).to_have_count(1)
        row.get_by_role("button", name="Change").click()
        row.get_by_label("Role").select_option("contributor")
        row.get_by_label("Reason").fill("Enough")
        self.prove(row)
        row.get_by_role("button", name="Save").click()
        expect(row.get_by_role("alert")).not_to_be_empty()
        expect(page.locator(".account-list .chip").first).to_have_text("admin")


class KeyTests(ModerationTest):
    def test_a_token_with_admin_rights_needs_password_and_code_and_is_announced_by_mail(self):
        self.allowed_errors = (r"status of 422",)
        self.with_role("chief", "admin")
        page = self.page_of("chief")
        page.goto("/account#tokens")
        keys = page.locator("#tokens")
        keys.get_by_role("button", name="Create a token").click()
        form = keys.locator("form")
        form.locator("[name=name]").fill("Night job")
        proof = form.locator(".proof")
        expect(proof).to_be_hidden()
        form.get_by_label("Administer").check()
        expect(proof).to_be_visible()
        expect(form.locator("[name=expires_in_days]")).to_have_value("30")
        expect(form.locator("option[value='90']")).to_be_disabled()
        self.assertEqual(violations(page), [])
        form.get_by_role("button", name="Create a token").click()
        expect(form.locator(".form-trouble")).to_be_visible()
        self.prove(form)
        form.locator("[name=code]").fill("000000")
        form.get_by_role("button", name="Create a token").click()
        expect(form.locator(".form-trouble")).to_contain_text("code")
        self.prove(form)
        form.get_by_role("button", name="Create a token").click()
        expect(keys.locator(".secret")).to_have_text(re.compile("^farol_"))
        self.waits_for_mail("chief@example.org", "Night job")

    def test_a_plain_token_needs_neither(self):
        self.with_role("chief", "admin")
        page = self.page_of("chief")
        page.goto("/account#tokens")
        keys = page.locator("#tokens")
        keys.get_by_role("button", name="Create a token").click()
        form = keys.locator("form")
        form.locator("[name=name]").fill("QGIS")
        form.get_by_label("Administer").check()
        form.get_by_label("Administer").uncheck()
        expect(form.locator(".proof")).to_be_hidden()
        form.get_by_role("button", name="Create a token").click()
        expect(keys.locator(".secret")).to_have_text(re.compile("^farol_"))


class DeletionTests(ModerationTest):
    def look(self, page, words):
        page.get_by_label("Name or id of the device").fill(words)
        page.get_by_role("button", name="Find device").click()
        return page.locator(".deletion-result")

    def test_one_of_two_devices_with_a_name_is_deleted_and_restored(self):
        self.allowed_errors = (r"status of 4(04|10)",)
        first, second = self.add_device(name="Twin gate"), self.add_device(name="Twin gate")
        page = self.administration("/devices")
        result = self.look(page, "Twin gate")
        expect(result.locator("h2")).to_have_text("Several devices have this name: which one?")
        row = result.locator("li").filter(has_text=second)
        row.get_by_role("button", name="Delete").click()
        expect(result.get_by_role("alert")).to_have_text("Give a short reason.")
        result.get_by_label("Reason").fill("Asked for by its owner")
        row.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        self.assertEqual(self.said(second, "name"), "Twin gate")
        row.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(result).to_contain_text("“Twin gate” was deleted.")
        expect(self.look(page, second)).to_contain_text("This device was already deleted")
        self.assertEqual(self.said(first, "name"), "Twin gate")
        expect(self.look(page, "No such gate anywhere")).to_contain_text("No device has this name or id.")
        page.goto("/moderation/log")
        row = page.locator("tbody tr").filter(has_text="Delete").first
        expect(row).to_contain_text("Asked for by its owner")
        expect(row).to_contain_text("Twin gate")
        expect(row).not_to_contain_text(second)
        row.get_by_role("button", name="Undo").click()
        page.get_by_role("dialog").get_by_role("textbox").fill("The owner thought again")
        page.get_by_role("dialog").get_by_role("button", name="Undo").click()
        expect(row).to_contain_text("Undone")
        self.assertEqual(self.said(second, "name"), "Twin gate")

    def test_a_device_is_deleted_under_its_displayed_name(self):
        self.allowed_errors = (r"status of 410",)
        device = self.add_device(name="Camera", place=[8.5413, 47.3741])
        page = self.administration("/devices")
        result = self.look(page, device)
        expect(result.locator("h3")).to_have_text(re.compile("^Fixed camera near "))
        name = result.locator("h3").text_content().strip()
        expect(result.locator(".item-map")).to_have_attribute("aria-label", re.compile(re.escape(name)))
        result.get_by_label("Reason").fill("Asked for by its owner")
        result.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("dialog")).to_contain_text(name)
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(result).to_contain_text(f"“{name}” was deleted.")

    def test_devices_with_the_same_name_are_distinguished_and_the_question_names_the_target(self):
        bare = self.add_device(name="Namesake", place=[21, -31])
        rich = self.add_device(name="Namesake", by="rita", category="webcam", place=[22.5, -32.25])
        self.add_photo(rich, by="rita")
        known("maria").send(
            "POST", f"{ITEMS}/{rich}/claims", {"claim": "present", "verdict": "confirm", "basis": "seen"}, expect=200)
        page = self.administration("/devices")
        result = self.look(page, "Namesake")
        rows = result.locator("li")
        expect(rows).to_have_count(2)
        for words in (bare, "Fixed camera", "-31.00000, 21.00000", "maria", "0 photos, 0 confirmations and disputes"):
            expect(rows.nth(0)).to_contain_text(words)
        told = (rich, "Webcam", "-32.25000, 22.50000", "rita", "1 photo, 1 confirmation or dispute")
        for words in told:
            expect(rows.nth(1)).to_contain_text(words)
            expect(rows.nth(0)).not_to_contain_text(words)
        expect(result.get_by_role("group", name="Position of “Namesake”").locator("canvas")).to_have_count(2)
        result.get_by_label("Reason").fill("Test")
        rows.nth(1).get_by_role("button", name="Delete").click()
        question = page.get_by_role("dialog")
        expect(question.locator("h2")).to_have_text("Delete “Namesake”?")
        for words in told:
            expect(question).to_contain_text(words)
        page.keyboard.press("Escape")
        self.assertEqual(self.said(rich, "name"), "Namesake")


class ImportTests(ModerationTest):
    def test_a_dry_run_of_an_import_changes_nothing(self):
        before = self.farol().items(limit=1)["numberMatched"]
        page = self.administration("/imports")
        page.get_by_role("button", name="Run test").click()
        expect(page.locator(".import-form .field-fault")).to_have_text("Choose a file first.")
        page.locator("#import-file").set_input_files(LIST)
        page.get_by_role("button", name="Run test").click()
        report = page.locator(".import-report")
        expect(report).to_contain_text("Test only: nothing was changed.", timeout=60_000)
        expect(report).to_contain_text("done", timeout=60_000)
        self.assertEqual(self.farol().items(limit=1)["numberMatched"], before)

    def test_an_import_has_a_report_and_can_be_reverted(self):
        page = self.administration("/imports")
        text = '{"type":"FeatureCollection","features":[' + ",".join(
            '{"type":"Feature","geometry":{"type":"Point","coordinates":[%s,-44]},'
            '"properties":{"id":"x%d","titel":"Imported %d"}}'
            % (70 + n / 100, n, n) for n in range(5)) + "]}"
        self.allowed_errors = (r"status of 422",)
        page.locator("#import-file").set_input_files(
            {"name": "unknown.geojson", "mimeType": "application/geo+json", "buffer": text.encode()})
        page.get_by_role("button", name="Import", exact=True).click()
        expect(page.locator(".import-form .field-fault")).not_to_be_empty()
        page.locator("#import-file").set_input_files(LIST)
        page.get_by_role("button", name="Import", exact=True).click()
        report = page.locator(".import-report")
        expect(report.locator("h2")).to_have_text(LIST.name, timeout=60_000)
        expect(report.locator(".chip")).to_have_text("done", timeout=60_000)
        # The list is already imported, so nothing is duplicated.
        expect(report.locator(".facts > div").filter(has_text="unchanged").locator("dd")).to_have_text("30")
        row = page.locator(".account-list li").first
        row.get_by_role("button", name="Undo").click()
        page.get_by_role("dialog").get_by_role("button", name="Undo").click()
        expect(report.locator(".chip")).to_have_text("undone", timeout=60_000)

    def test_an_import_that_ends_early_says_what_is_on_the_map_and_is_undone_there(self):
        text = gzip.decompress(LIST.read_bytes()).decode()
        text = text.replace('"name": "', '"name": "cut-').replace('"segment_id"', '"segmentid"')
        page = self.administration("/imports")
        page.locator("#import-file").set_input_files({
            "name": "cut.geojson", "mimeType": "application/geo+json", "buffer": text[:len(text) // 2].encode()})
        page.locator("#import-mapping").select_option("berlin-eco-counter")
        page.get_by_role("button", name="Import", exact=True).click()
        report = page.locator(".import-report")
        expect(report.locator(".chip")).to_have_text("failed", timeout=60_000)
        expect(report).to_contain_text(re.compile(r"ended early\. The first \d+ rows are on the map: \d+ added"))
        expect(report.locator(".import-missing li")).to_have_text("segment_id – similar: segmentid")
        report.locator("summary").filter(has_text="Columns used").click()
        expect(report.locator(".import-columns").first).to_contain_text("counter")
        self.assertEqual(violations(page), [])
        report.get_by_role("button", name="Undo").click()
        page.get_by_role("dialog").get_by_role("button", name="Undo").click()
        expect(report.locator(".chip")).to_have_text("undone", timeout=60_000)

    def test_a_file_that_is_too_large_is_not_sent(self):
        page = self.administration("/imports")
        sent = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        with tempfile.NamedTemporaryFile(suffix=".csv") as file:
            file.truncate(68 << 20)
            page.locator("#import-file").set_input_files(file.name)
            page.get_by_role("button", name="Run test").click()
            expect(page.locator(".import-form .field-fault")).to_contain_text("68 MB; at most 64 MB")
            expect(page.locator("#import-file")).to_be_focused()
        self.assertEqual([url for url in sent if "imports" in url], [])
