"""Operators: registration, their devices, the inbox, and answers through the link of a letter."""

import atexit
import re
from pathlib import Path

from playwright.sync_api import expect

from support.accounts import PASSWORD, assign_role, confirmed_person
from support.axe import violations
from support.case import BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.farol import Farol, new_folder
from support.smtp import PostOffice
from test_choices import see_rights

ITEMS = "/api/collections/devices/items"
DOMAIN = "harbour.example"
NAME = "Harbour Authority"
CONTACT = f"privacy@{DOMAIN}"

_world = {}


class OperatorTest(BrowserTest):
    """Tests on one server with a real mail server; users and the organisation are created on first use."""

    allowed_errors = (r"status of 40[1349]", r"status of 412", r"status of 422")
    _placed = 0

    @property
    def office(self):
        if "office" not in _world:
            _world["office"] = PostOffice()
            atexit.register(_world["office"].close)
        return _world["office"]

    def farol(self):
        if "farol" not in _world:
            _world["farol"] = Farol(new_folder())
            _world["farol"].settings = self.office.settings
            _world["farol"].start()
            atexit.register(_world["farol"].stop)
        return _world["farol"]

    def person(self, username, role=None):
        people = _world.setdefault("people", {})
        if username not in people:
            people[username] = confirmed_person(self.farol(), username)
            if role:
                with self.farol().database() as database:
                    assign_role(database, username, role)
        return people[username]

    def page_of(self, person=None, **options):
        page = self.new_page(farol=self.farol(), **options)
        if person:
            person.enter(page.context)
        return page

    def add_device(self, operator=None, **properties):
        """A device in the centre of Portugal."""
        OperatorTest._placed += 1
        body = {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [-8.4 + OperatorTest._placed * 0.02, 39.4]},
            "properties": {
                "name": f"Quay camera {OperatorTest._placed}", "category": "camera_fixed", "precision": "exact"}
                    | properties
            | ({"operator": {"name": operator, "kind": "company"}} if operator else {})}
        return self.person("maria").send("POST", ITEMS, body, expect=201)[2]["id"]

    def organisation(self):
        """The account of an approved organisation, created through the API."""
        if "operator" not in _world:
            operator = self.person("harbour")
            operator.send("POST", "/api/operators", {
                "name": NAME, "kind": "public", "domain": DOMAIN, "website": f"https://{DOMAIN}",
                "contact": f"info@{DOMAIN}", "data_protection_contact": CONTACT}, expect=201)
            desk = f"desk@{DOMAIN}"
            operator.send("POST", "/api/operators/mine/check", {"method": "email", "address": desk}, expect=200)
            token = self.office.link(desk, "/operator/check").split("token=")[1]
            operator.send("POST", "/api/operators/check", {"token": token}, expect=200)
            own = operator.send("GET", "/api/operators/mine", expect=200)[2]
            identifier = own["id"]
            chief = self.person("chief", "admin")
            chief.send("POST", f"/api/admin/operators/{identifier}", {
                "decision": "approve", "version": own["version"], "note": "Known from the telephone book."}
                    | chief.proof(), expect=200)
            _world["operator"] = operator
            _world["id"] = identifier
        return _world["operator"]

    def prove(self, place, person):
        """Fills in the password and a code if a form asks for them again."""
        place.locator("input[name=password]").fill(PASSWORD)
        place.locator("input[name=code]").fill(person.code())

    def claimed_device(self, **properties):
        operator, device = self.organisation(), self.add_device(**properties)
        state = operator.send("POST", f"{ITEMS}/{device}/operator", {}, expect=201)[2]["state"]
        self.assertEqual(state, "standing")
        return device

    def send_through_farol(self, page, device, right="access", name="Ana Sousa"):
        """Starts the exercise of a right, fills in the letter and has Farol deliver it."""
        see_rights(page, device)
        button = page.locator(f"#want-right-{right}")
        if not button.is_visible():
            page.locator(".rights-more > summary").click()
        button.click()
        page.wait_for_url("**/choices/*")
        expect(page.locator(".letter-body")).not_to_be_empty()
        page.get_by_label("Your name").fill(name)
        page.locator("#by-farol").click()
        expect(page.locator("#now-title")).to_have_text("Waiting for an answer")

    def answer(self, page, event, **values):
        page.locator(f"#answer-{event}").click()
        form = page.locator("#answer form")
        for name, value in values.items():
            field = form.locator(f"[name={name}]")
            field.select_option(value) if name == "reason" else field.fill(value)
        with page.expect_response(lambda response: response.request.method == "POST"):
            form.locator("button[type=submit]").click()


class StoryTests(OperatorTest):
    def test_from_the_choice_to_the_complaint(self):
        operator = self.registers_and_shows_that_the_domain_is_its_own()
        self.an_admin_approves_it()
        device = self.says_that_a_device_is_its_own(operator)
        person = self.page_of(self.person("ana"), size=PHONE)
        self.send_through_farol(person, device)
        expect(person.locator(".events")).to_contain_text("Through Farol")
        other = self.opens_the_reply_link("post@quay.example", "Ana Sousa")
        self.refuses(other)
        self.the_complaint_is_ready(person)

    def registers_and_shows_that_the_domain_is_its_own(self):
        page = self.page_of(self.person("quay"), size=PHONE)
        page.goto("/operators")
        page.get_by_role("link", name="Register your organisation").click()
        form = page.locator("form.form")
        form.locator("[name=name]").fill("Quay Company")
        form.locator("[name=domain]").fill("https://www.quay.example/")
        form.locator("[name=contact]").fill("post@quay.example")
        form.locator("button[type=submit]").click()
        expect(page.locator(".check-part")).to_be_visible()
        page.locator("[name=address]").fill("someone@elsewhere.example")
        page.get_by_role("button", name="Send the e-mail").click()
        expect(page.locator(".check-part .complaint:visible")).to_have_text("Enter an address at quay.example.")
        page.locator("[name=address]").fill("desk@quay.example")
        page.get_by_role("button", name="Send the e-mail").click()
        desk = self.page_of()
        desk.goto(self.office.link("desk@quay.example", "/operator/check"))
        self.assertNotIn("token", self.address(desk))
        desk.get_by_role("button", name="Confirm").click()
        expect(desk.locator("h1")).to_have_text("The domain is confirmed")
        page.reload()
        expect(page.locator(".step-now")).to_contain_text("Approved")
        return page

    def an_admin_approves_it(self):
        chief = self.person("chief", "admin")
        page = self.page_of(chief)
        page.goto("/admin/operators")
        row = page.locator(".fact-section").filter(has_text="Quay Company")
        expect(row).to_contain_text("Checked by e-mail to its domain")
        row.locator("[data-decision=approve]").click()
        expect(row.locator("input[name=password]")).to_be_focused()
        self.prove(row, chief)
        row.locator("[data-decision=approve]").click()
        expect(page.locator(".toast")).to_have_text("Approved")
        self.office.says("quay@example.org", "is now registered")

    def says_that_a_device_is_its_own(self, page):
        # The session from before the approval stays valid.
        device = self.add_device()
        page.goto(f"/devices/{device}")
        page.locator("#claim-device").click()
        expect(page.locator("#state-practice")).to_be_visible()
        return device

    def opens_the_reply_link(self, to, name):
        page = self.page_of(size=DESKTOP)
        page.goto(self.office.link(to, "/reply"))
        expect(page.locator(".request-letter")).to_contain_text(name)
        self.assertNotIn("token", self.address(page))
        expect(page.locator(".reply-what h2")).to_have_text("You answer for Quay Company, without an account")
        self.assertNotIn("ana@example.org", page.content(), "nothing of the person but the letter")
        return page

    def refuses(self, page):
        page.locator("#answer-refused").click()
        page.locator("#answer form button[type=submit]").click()
        expect(page.locator("#answer .form-trouble")).to_be_focused()
        page.locator("#answer [name=reason]").select_option("other")
        page.locator("#answer form button[type=submit]").click()
        expect(page.locator("#answer .complaint:visible")).to_have_text("Give the reason in your own words.")
        page.locator("#answer [name=note]").fill("The recordings are gone.")
        page.locator("#answer form button[type=submit]").click()
        expect(page.locator("h1")).to_be_focused()
        expect(page.locator(".events")).to_contain_text("The recordings are gone.")
        page.reload()
        expect(page.locator(".events")).to_contain_text("The recordings are gone.")

    def the_complaint_is_ready(self, page):
        self.office.says("ana@example.org", "The operator refuses and gives a reason.")
        page.reload()
        expect(page.locator("#now-title")).to_have_text("The operator refused")
        expect(page.locator(".events")).to_contain_text("through the reply link")
        expect(page.locator(".events blockquote")).to_have_text("The recordings are gone.")
        expect(page.locator(".letter-subject")).to_contain_text("recusado")
        expect(page.locator(".letter-address")).to_contain_text("CNPD")
        page.goto("/choices")
        expect(page.locator(".group-refused .choice-state")).to_have_text("Refused")


class FileCheckTests(OperatorTest):
    """The other way to prove control of a domain. `Tests/MailTests` covers reading files from real sites. Names under
    .example do not resolve, so here the check finds no server."""

    URL = "https://pier.example/.well-known/farol.txt"

    def test_a_file_on_its_site_proves_control_of_the_domain(self):
        person = self.person("pier")
        person.send("POST", "/api/operators", {
            "name": "Pier Company", "kind": "company", "domain": "pier.example", "contact": "post@pier.example"},
            expect=201)
        page = self.page_of(person, size=PHONE)
        page.goto("/operators/register")
        part = page.locator(".check-part")
        part.get_by_role("button", name="Create the file").click()
        expect(part.locator(".check-address")).to_have_text(self.URL)
        self.the_file_holds_the_line(page, part)
        part.locator("#check-file").click()
        expect(part.get_by_role("status").filter(has_text=self.URL)).to_have_text(
            f"The server name of {self.URL} does not exist.")
        page.reload()
        part.get_by_role("button", name="Create the file").click()
        page.route("**/api/operators/mine/check/file", self.find_the_file)
        part.locator("#check-file").click()
        expect(part).to_have_count(0)
        expect(page.locator(".step-now")).to_contain_text("Approved")
        desk = self.page_of(self.person("chief", "admin"))
        desk.goto("/admin/operators")
        expect(desk.locator(".fact-section").filter(has_text="Pier Company")).to_contain_text(
            "Checked by a file on its website")

    def the_file_holds_the_line(self, page, part):
        line = part.locator(".check-content").inner_text()
        self.assertRegex(line, r"^farol-verification=[\w-]{20,}$")
        with page.expect_download() as download:
            part.get_by_role("button", name="farol.txt").click()
        self.assertEqual(download.value.suggested_filename, "farol.txt")
        self.assertEqual(Path(download.value.path()).read_text(), line + "\n")

    def find_the_file(self, route):
        """The database change and the response of the server after it has read the file."""
        with self.farol().database() as database:
            database.execute(
                "UPDATE organisation SET check_method = 'file', checked_at = created_at, check_note = ? "
                "WHERE domain = 'pier.example'", [self.URL])
        route.fulfill(json=self.person("pier").send("GET", "/api/operators/mine", expect=200)[2])


class LettersTests(OperatorTest):
    """Letters are sent only to an address whose owner has confirmed it, not to any address that an operator types."""

    def test_a_contact_at_another_domain_is_confirmed_by_mail(self):
        person = self.person("wharf")
        person.send("POST", "/api/operators", {
            "name": "Wharf Company", "kind": "company", "domain": "wharf.example",
            "contact": "lawyer@elsewhere.example"}, expect=201)
        page = self.page_of(person, size=PHONE)
        page.goto("/operators/register")
        letters = page.locator("#letters")
        expect(letters).to_contain_text("Letters to your organisation are sent to the address of your account.")
        expect(letters).to_contain_text("lawyer@elsewhere.example is public, but no letter is sent there")
        letters.get_by_role("button", name="Confirm lawyer@elsewhere.example").click()
        expect(letters.get_by_role("status")).to_contain_text("Sent to lawyer@elsewhere.example.")
        lawyer = self.page_of()
        lawyer.goto(self.office.link("lawyer@elsewhere.example", "/operator/check"))
        self.assertNotIn("token", self.address(lawyer))
        lawyer.get_by_role("button", name="Confirm").click()
        expect(lawyer.locator("h1")).to_have_text("The address is confirmed")
        page.reload()
        expect(letters).to_contain_text("Letters to your organisation are sent to lawyer@elsewhere.example.")
        expect(letters.get_by_role("button")).to_have_count(0)

    def test_an_organisation_that_changes_during_the_review_is_shown_again(self):
        person = self.person("mole")
        person.send("POST", "/api/operators", {
            "name": "Mole Club", "kind": "company", "domain": "mole.example", "contact": "post@mole.example"},
            expect=201)
        chief = self.person("chief", "admin")
        desk = self.page_of(chief)
        desk.goto("/admin/operators")
        row = desk.locator(".fact-section").filter(has_text="mole.example")
        row.locator("textarea").fill("Known to everybody.")
        self.prove(row, chief)
        person.send("PATCH", "/api/operators/mine", {"name": "Ministry of Moles"}, expect=200)
        row.locator("[data-decision=approve]").click()
        expect(row.locator("h3")).to_have_text("Ministry of Moles")
        expect(row.locator(".field-fault")).to_contain_text("This has changed since you looked at it.")
        expect(row.locator("textarea")).to_have_value("Known to everybody.")
        self.prove(row, chief)
        row.locator("[data-decision=approve]").click()
        expect(row).to_have_count(0)


class InboxTests(OperatorTest):
    def test_a_request_is_extended_and_then_honoured(self):
        device = self.claimed_device(name="Slow camera")
        person = self.page_of(self.person("rui"))
        self.send_through_farol(person, device, "erase", "Rui Costa")
        page = self.page_of(self.organisation(), size=PHONE)
        page.goto("/operator")
        row = page.locator(".group-open .ledger-row").filter(has_text="Slow camera")
        row.locator(".ledger-link").click()
        expect(page.locator(".request-letter")).to_contain_text("Rui Costa")
        self.answer(page, "extended", reason="complexity", note="Many cameras.")
        expect(page.locator(".request-standing .choice-state")).to_have_text("Extended")
        expect(page.locator("#answer-extended")).to_have_count(0)
        person.reload()
        expect(person.locator(".events")).to_contain_text("The request is complicated")
        expect(person.locator(".events")).to_contain_text("in Farol")
        self.answer(page, "honoured", note="All is erased.")
        expect(page.locator("#answer-title")).to_have_text("You have complied")
        page.goto("/operator")
        expect(page.locator(".group-done")).to_contain_text("Slow camera")
        person.goto("/choices")
        expect(person.locator(".group-won .choice-state")).to_have_text("Honoured")

    def test_the_person_says_whether_a_request_is_done(self):
        device = self.claimed_device(name="Forgetful camera")
        person = self.page_of(self.person("olga"), size=PHONE)
        self.send_through_farol(person, device, "access", "Olga Reis")
        page = self.page_of(self.organisation())
        self.opens(page, "Forgetful camera")
        self.answer(page, "honoured", note="It is in the post.")
        person.reload()
        expect(person.locator("#now-title")).to_have_text("Is it done?")
        person.get_by_role("button", name="No, it is not done").click()
        person.get_by_label("What is missing?").fill("Nothing has arrived.")
        person.get_by_role("button", name="Save event").click()
        expect(person.locator("#now-title")).to_contain_text("you say it is not")
        expect(person.locator(".letter-body")).to_contain_text("Nothing has arrived.")
        expect(person.locator(".letter-address")).to_contain_text("CNPD")
        expect(person.locator("#objection")).to_contain_text(f"{NAME} has your objection in its inbox")
        expect(person.locator("#objection .button")).to_have_count(0)
        self.office.says(CONTACT, "Nothing has arrived.")
        self.opens(page, "Forgetful camera")
        expect(page.locator("#answer blockquote")).to_have_text("Nothing has arrived.")
        self.answer(page, "honoured", note="Sent again.")
        person.reload()
        person.get_by_role("button", name="Yes, it is done").click()
        expect(person.locator("#now-title")).to_have_text("Done")
        expect(person.locator(".acts button")).to_have_count(0)

    def test_an_operator_without_an_organisation_is_not_mailed_and_the_page_says_so(self):
        device = self.add_device(operator="Nobody Registered", name="Unanswered camera")
        person = self.page_of(self.person("rosa"), size=PHONE)
        see_rights(person, device)
        person.locator("#want-right-access").click()
        person.wait_for_url("**/choices/*")
        expect(person.locator(".letter-body")).to_contain_text("/reply#token=")
        link = re.search(r"https?://\S+/reply#token=\S+", person.locator(".letter-body").text_content())[0]
        person.get_by_label("Your name").fill("Rosa Lima")
        person.locator(".acts").get_by_role("button", name="I sent it", exact=True).click()
        person.get_by_role("button", name="Save event").click()
        expect(person.locator("#now-title")).to_have_text("Waiting for an answer")
        desk = self.page_of()
        desk.goto(link)
        self.answer(desk, "honoured")
        person.reload()
        person.get_by_role("button", name="No, it is not done").click()
        expect(person.get_by_text("Farol does not send it by e-mail.")).to_be_visible()
        person.get_by_label("What is missing?").fill("Nothing has arrived.")
        person.get_by_role("button", name="Save event").click()
        said = person.locator("#objection")
        expect(said).to_contain_text("Farol has not sent your objection")
        person.context.grant_permissions(["clipboard-read", "clipboard-write"])
        said.get_by_role("button", name="Copy the objection").click()
        expect(said).to_contain_text("Copied")
        copied = person.evaluate("navigator.clipboard.readText()")
        self.assertRegex(copied, r"^Re: .+\n\nNothing has arrived\.\n\n")
        self.assertIn("/reply#token=", copied)
        desk.reload()
        expect(desk.locator("blockquote").filter(has_text="Nothing has arrived.")).to_be_visible()

    def opens(self, page, name):
        """Opens an open request about a device in the inbox."""
        page.goto("/operator")
        page.locator(".group-open .ledger-row").filter(has_text=name).locator(".ledger-link").click()
        expect(page.locator(".request-letter")).to_be_visible()

    def test_the_most_urgent_request_comes_first(self):
        person = self.page_of(self.person("rita"))
        for name in ("First camera", "Late camera"):
            self.send_through_farol(person, self.claimed_device(name=name), name="Rita Reis")
        page = self.page_of(self.organisation())
        page.clock.set_fixed_time("2040-01-10T10:00:00Z")
        page.goto("/operator")
        expect(page.locator(".group-due").first.locator("h2")).to_have_text("Overdue: answer these first")
        expect(page.locator(".group-due .choice-state").first).to_have_text("Overdue")

    def test_only_operators_have_an_inbox(self):
        page = self.page_of(self.person("nuno"))
        page.goto("/operator")
        expect(page.locator("h1")).to_have_text("This page is for operators")
        page = self.page_of()
        page.goto("/operator")
        expect(page.locator("h1")).to_have_text("Sign in as your organisation")


class ReplyLinkTests(OperatorTest):
    def test_the_requester_may_omit_the_link(self):
        device = self.add_device(operator="Nobody Registered")
        page = self.page_of(self.person("lia"))
        see_rights(page, device)
        page.locator("#want-right-access").click()
        page.wait_for_url("**/choices/*")
        expect(page.locator(".letter-body")).to_contain_text("/reply#token=")
        expect(page.locator("#by-farol")).to_have_count(0)
        page.locator("#reply-link").uncheck()
        expect(page.locator(".letter-body")).not_to_contain_text("/reply#token=")

    def test_a_link_without_a_key_or_with_a_wrong_one_shows_an_error(self):
        page = self.page_of()
        page.goto("/reply")
        expect(page.locator("h1")).to_have_text("This link is incomplete")
        page.goto("/operators")
        page.goto(f"/reply#token={'a' * 43}")
        expect(page.locator("h1")).to_have_text("This link is not valid")
        self.assertNotIn("aaaa", self.address(page))


class StatementTests(OperatorTest):
    def test_the_statement_of_an_operator_is_next_to_the_observations(self):
        device = self.claimed_device(name="Spoken camera", data_collected=["video"])
        page = self.page_of(self.organisation(), size=PHONE)
        page.goto(f"/devices/{device}")
        page.locator("#state-practice").click()
        page.locator("#open-legal_basis").click()
        page.locator("#body-legal_basis label, #body-legal_basis button").filter(
            has_text=re.compile("public task", re.I)).first.click()
        page.get_by_label("Note for the public").fill("We look at it only after an accident.")
        page.locator("#statement-save").click()
        page.wait_for_url(f"**/devices/{device}")
        reader = self.page_of()
        reader.goto(f"/devices/{device}")
        expect(reader.locator(".operator-head")).to_contain_text("We look at it only after an accident.")
        said = reader.locator("#section-why ~ dl .operator-says")
        expect(said).to_contain_text("Stated by the operator")
        expect(said).to_contain_text(re.compile("public task", re.I))
        expect(reader.locator("#section-what ~ dl dd").first).to_contain_text("Video")

    def test_a_choice_offered_by_the_operator_can_be_used(self):
        device = self.claimed_device(name="Kind camera")
        self.organisation().send("PUT", f"{ITEMS}/{device}/statement", {
            "choices": [{"kind": "opt_out", "channel": "email", "target": CONTACT, "instructions": "Write to us."}]},
            expect=200)
        page = self.page_of(self.person("ines"))
        see_rights(page, device)
        expect(page.locator(".can .said-by")).to_have_text("Stated by the operator")
        page.locator("#want-offered-opt_out-operator").click()
        page.wait_for_url("**/choices/*")
        expect(page.locator("h1")).to_be_visible()

    def test_a_moderator_decides_if_users_observed_another_name(self):
        device = self.add_device(operator="Somebody Else", name="Disputed camera")
        page = self.page_of(self.organisation())
        page.goto(f"/devices/{device}")
        page.locator("#claim-device").click()
        expect(page.locator(".own-device .section-note")).to_contain_text("a moderator reviews the claim first")
        desk = self.page_of(self.person("vera", "moderator"))
        desk.goto("/moderation/operator-claims")
        row = desk.locator(".fact-section").filter(has_text="Disputed camera")
        expect(row).to_contain_text("Somebody Else")
        row.locator("[data-decision=refuse]").click()
        expect(row.locator(".field-fault")).to_be_visible()
        row.locator("[data-decision=approve]").click()
        expect(row).to_have_count(0)
        page.reload()
        expect(page.locator(".operator-head")).to_contain_text(NAME)
        expect(page.locator("#state-practice")).to_be_visible()


class OwnDevicesTests(OperatorTest):
    def test_an_operator_finds_its_devices_and_claims_all_with_one_tap(self):
        for number in range(2):
            self.add_device(operator=NAME, name=f"Named camera {number}")
        page = self.page_of(self.organisation(), size=PHONE)
        page.goto("/operators/register")
        part = page.locator("#own-devices")
        expect(part).to_contain_text("Named camera 1")
        count = part.locator("li").count()
        part.get_by_role("button", name=f"These {count} devices are ours").click()
        expect(part).to_contain_text(f"You have claimed {count} of them.")
        expect(part.locator("li")).to_have_count(0)
        expect(page.locator("#own-devices-title")).to_be_focused()

    def test_one_decision_answers_the_claims_of_one_name(self):
        names = [f"Borrowed camera {number}" for number in range(3)]
        for name in names:
            device = self.add_device(operator="Harbour Friends", name=name)
            self.organisation().send("POST", f"{ITEMS}/{device}/operator", {}, expect=201)
        desk = self.page_of(self.person("vera", "moderator"))
        desk.goto("/moderation/operator-claims")
        row = desk.locator(".fact-section").filter(has_text="Harbour Friends")
        expect(row).to_have_count(1)
        for name in names:
            expect(row.get_by_role("link", name=name, exact=True)).to_be_visible()
        row.locator("[data-decision=approve]").click()
        expect(row).to_have_count(0)
        for name in names:
            device = self.farol().get(f"{ITEMS}/{self.farol().device(name)['id']}")
            self.assertEqual(device["properties"]["registered_operator"]["name"], NAME)

    def test_the_contact_of_an_operator_is_public(self):
        self.organisation()
        page = self.page_of()
        page.goto(f"/operators/{_world['id']}")
        expect(page.locator("main dl").first).to_contain_text(f"info@{DOMAIN}")

    def test_the_inbox_says_that_the_contact_is_public(self):
        page = self.page_of(self.organisation(), size=PHONE)
        page.goto("/operator")
        notice = page.locator("#public-contact")
        expect(notice).to_contain_text(f"Anyone can see this contact on your public page: info@{DOMAIN}.")
        notice.get_by_role("link", name="Change the contact").click()
        expect(page.locator("#details-title")).to_be_visible()


class RecordsTests(OperatorTest):
    def test_an_operator_receives_and_sends_record_requests_under_its_name(self):
        operator = self.organisation()
        page = self.page_of(self.person("rita"))
        page.goto(f"/operators/{_world['id']}")
        page.get_by_role("button", name="Ask for records").click()
        form = page.locator("#ask form")
        form.locator("[name=reason]").fill("I study who runs the cameras of harbours.")
        form.get_by_label("devices added").check()
        form.locator("[type=submit]").click()
        expect(page.locator(".toast")).to_contain_text(f"Your request to {NAME} was sent")
        page.goto("/data-requests")
        asking = page.locator("#requests-asking .request")
        expect(asking.get_by_role("heading")).to_have_text(f"Your request to {NAME}")
        expect(asking).not_to_contain_text("harbour)")
        operator.send("POST", "/api/data-requests", {
            "username": "rita", "reason": "We want to know who reports our devices.", "fields": ["devices"],
            "days": 30}, expect=201)
        page.reload()
        asked = page.locator("#requests-asked .request")
        expect(asked.get_by_role("heading")).to_have_text(f"{NAME} (harbour) requests your records")


class PageTests(OperatorTest):
    def test_every_page_meets_wcag(self):
        operator, device = self.organisation(), self.claimed_device(name="Seen camera")
        operator.send(
            "PUT", f"{ITEMS}/{device}/statement", {"legal_basis": "public_task", "note": "We say so."}, expect=200)
        person = self.page_of(self.person("zita"))
        self.send_through_farol(person, device, name="Zita Gil")
        choice = person.url.split("#")[0]
        request = operator.send("GET", "/api/operator/requests", expect=200)[2]["requests"][0]["id"]
        reply = self.office.link(CONTACT, "/reply", "Zita Gil")
        waiting = self.add_device(operator="Another Name", name="Waiting camera")
        operator.send("POST", f"{ITEMS}/{waiting}/operator", {}, expect=201)
        newcomer, chief, vera = self.person("otto"), self.person("chief", "admin"), self.person("vera", "moderator")
        newcomer.send(
            "POST", "/api/operators",
            {"name": "Otto", "kind": "company", "domain": "otto.example", "contact": "o@otto.example"})
        pages = [
            (None, "/operators", ".operator-card"), (None, f"/operators/{_world['id']}", ".facts"),
            (None, "/operators/register", ".ledger-how"),
            (self.person("pia"), "/operators/register", "form.form"), (newcomer, "/operators/register", ".check-part"),
            (operator, "/operators/register", ".steps"),
            (operator, "/operator", ".ledger-row"), (operator, f"/operator/requests/{request}", ".request-letter"),
            (None, reply, ".request-letter"),
            (None, "/operator/check", "h1"), (chief, "/admin/operators", ".operator-decision"),
            (vera, "/moderation/operator-claims", ".operator-decision"),
            (operator, f"/devices/{device}", "#state-practice"),
            (operator, f"/devices/{device}/statement", ".edit-row"), (self.person("zita"), choice, ".letter-body"),
        ]
        found = []
        for language, theme in (("en", "dark"), ("pt", "light")):
            for who, path, there in pages:
                page = self.page_of(who, size=NARROW, language=language, theme=theme)
                page.goto(path)
                expect(page.locator(there).first).to_be_visible()
                if there == ".request-letter":
                    page.locator("#answer button").last.click()
                    # The head of the page covers what is scrolled below it.
                    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
                found += [f"{path} {language} {theme}: {fault}" for fault in violations(page)]
                self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), NARROW["width"], path)
                page.context.close()
                self.pages.remove(page)
        self.assertEqual(found, [])
