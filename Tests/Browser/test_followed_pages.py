"""Follows two pages as a reader would who has only the page: the first map, and the week of a moderator.

The commands, buttons and names come from the pages; only the program, the folder and the address are those of the test.
"""

import json
import os
import pty
import re
import shlex
import subprocess
import time

from playwright.sync_api import expect

from support.accounts import PASSWORD
from support.case import BrowserTest
from support.documents import cases, rows, section, shell, steps
from support.farol import HOME, LISTS, PROGRAM, Farol, seeded_folder
from support.keeping import ITEMS
from support.one_time import code
from support.proposing import ProposingTest

SWITZERLAND = (HOME / "seed/sample/osm-surveillance-switzerland/cameras.json.gz", "osm-surveillance-switzerland")


def quoted(step):
    """The words in quotation marks, which are those of the interface."""
    return re.findall(r'"([^"]+)"', step)


def typed(step):
    """The words in code, which the reader types."""
    return re.findall(r"`([^`]+)`", step)


class FirstMapTests(BrowserTest):
    PAGE = "tutorials/first-map.md"
    allowed_errors = (r"status of 401",)  # the password without the code
    server = None

    @classmethod
    def setUpClass(cls):
        # The lists that `make run` imports, without the lists that take minutes.
        cls.server = Farol(seeded_folder([*LISTS, SWITZERLAND])).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def farol(self):
        return self.server

    def steps(self, heading):
        return steps(section(self.PAGE, heading))

    def test_the_first_step_names_the_target_and_what_it_prints(self):
        first = section(self.PAGE, "1. Start the server")
        self.assertEqual(shell(first).split("\n")[0], "make run")
        said, address = shell(first).split("\n")[1].split("http")
        self.assertIn(f'say "{said.removeprefix("==> ")}http', (HOME / "setup/run.sh").read_text())
        self.assertIn("(Ctrl-C stops it)", address)
        makefile = (HOME / "Makefile").read_text()
        self.assertIn(f"FAROL_LISTEN ?= {address.split('/')[2]}", makefile)

    def test_a_reader_finds_a_device(self):
        search, zoom, filters, choose = self.steps("2. Find devices")
        page = self.open("/")
        page.locator("#search").fill(typed(search)[0])
        city = page.get_by_role("option", name=re.compile("^" + typed(search)[0])).first
        expect(page.get_by_role("option").first).to_have_text(city.inner_text(), use_inner_text=True)
        city.click()
        self.until(lambda: abs(self.view(page)[1] - 46.2) < 0.1, "the map to reach Geneva")
        self.settled(page)
        self.assertIn("The list beside the map has the same devices", zoom)
        button, kind, group, show = quoted(filters)
        page.get_by_role("button", name=button).click()
        part = page.get_by_role("dialog").locator("details", has_text=group)
        if part.get_attribute("open") is None:
            part.locator("summary").click()
        part.locator("label").filter(has_text=kind).first.click()
        page.get_by_role("button", name=re.compile(show.replace("…", r"[\d,]+"))).click()
        self.until(lambda: "category" in self.query(page), "the filter in the address")
        self.settled(page)
        self.waits_for_title(page, r": \d+ cameras$")
        again = self.open(self.address(page).removeprefix(self.server.address))
        self.assertEqual(self.title(again), self.title(page))
        details, unknown = quoted(choose)
        page.locator(".device-row").first.click()
        page.get_by_role("link", name=details).click()
        page.wait_for_url("**/devices/*")
        expect(page.locator("main")).to_contain_text(re.compile(unknown, re.I))

    def admin(self):
        """Runs the command of the page in a terminal. Returns the secret for the authenticator app."""
        command = shell(section(self.PAGE, "3. Create an admin")).strip()
        words = shlex.split(command)
        self.assertEqual(words[0], ".build/release/farol")
        terminal, other = pty.openpty()
        running = subprocess.Popen(
            [str(PROGRAM), *words[1:]], env=self.server.environment(), stdin=other, stdout=other, stderr=other,
            start_new_session=True)
        os.close(other)
        said = ""
        for question in ("Password: ", "Once more: "):
            while question not in said:
                said += os.read(terminal, 4096).decode()
            time.sleep(0.2)  # the terminal discards what was typed before it hides its echo
            os.write(terminal, f"{PASSWORD}\n".encode())
        try:
            while more := os.read(terminal, 4096):
                said += more.decode(errors="replace")
        except OSError:  # the program has ended
            pass
        os.close(terminal)
        self.assertEqual(running.wait(timeout=60), 0, said)
        self.assertIn("█", said, "the QR code")
        self.assertEqual(len(re.findall(r"\b[0-9a-z]{4,5}-[0-9a-z]{4,5}(?:-[0-9a-z]{4,5})*\b", said)), 10, said)
        return re.search(r"\b([A-Z2-7]{4}(?: ?[A-Z2-7]{4}){6,})\b", said)[1]

    def test_a_reader_becomes_an_admin_and_adds_a_device(self):
        secret = self.admin()
        menu, sign_in = quoted(section(self.PAGE, "3. Create an admin"))
        zoom, here, describe, edit, history = self.steps("4. Add a device")
        page = self.open("/#map=9.00/32.7000/-16.9500")
        page.get_by_role("button", name=menu, exact=True).click()
        page.get_by_role("link", name=sign_in, exact=True).first.click()
        page.locator("[name=login]").fill("ana")
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("main [type=submit]").click()
        page.locator("[name=code]").fill(code(secret))
        page.locator("main [type=submit]").click()
        page.wait_for_url(lambda url: "/sign-in" not in url)

        page.goto("/#map=9.00/32.7000/-16.9500")
        self.settled(page)
        add, closer = quoted(zoom)
        page.get_by_role("button", name=add).first.click()
        page.locator(".add-foot").get_by_role("button", name=closer).click()
        self.until(lambda: page.evaluate("() => keptMaps[0].getZoom()") > 16, "the map to come closer")
        page.locator(".add-foot").get_by_role("button", name=quoted(here)[0]).click()
        kind, done = quoted(describe)
        page.locator(".kinds .answer").filter(has_text=kind).first.click()
        name = typed(describe)[0]
        page.locator("#add").get_by_role("textbox").fill(name)
        page.get_by_role("button", name=done).click()
        view, correct, field, save = quoted(edit)
        page.get_by_role("link", name=view).click()
        page.wait_for_url("**/devices/*")
        self.assertEqual(self.server.items(q=name)["numberMatched"], 1, "public at once")
        page.get_by_role("link", name=correct, exact=True).first.click()
        row = page.locator(".edit-row").filter(has_text=field).first
        row.get_by_role("button").first.click()
        row.get_by_role("textbox").fill(f"{name}, corrected")
        page.get_by_role("button", name=save, exact=True).click()
        expect(page.locator("h1")).to_have_text(f"{name}, corrected")
        page.get_by_role("link", name=quoted(history)[0], exact=True).first.click()
        page.wait_for_url("**/history*")
        expect(page.get_by_role("button", name=re.compile("Restore version 1"))).to_be_visible()


class ModerationWeekTests(ProposingTest):
    """The days of the first week, and the ten cases with the buttons that each names."""

    PAGE = "guides/moderators.md"

    def setUp(self):
        super().setUp()
        self.cases = cases(section(self.PAGE, "Ten cases"))

    def buttons(self, case):
        """The buttons of a case, in the order in which the page names them."""
        return quoted(self.cases.pop(case))

    def press(self, page, name, reason=None):
        """Writes a reason, and presses a button with this name."""
        if reason is not None:
            page.get_by_label("Reason", exact=True).fill(reason)
        page.get_by_role("button", name=name).first.click()

    def expect_done(self, page, words):
        expect(page.locator(".undo-strip")).to_contain_text(words)

    def expect_gone(self, page, name):
        expect(page.locator(".queue-row").filter(has_text=name)).to_have_count(0)

    def flagged(self, name, reason, note, **properties):
        device = self.add_device(name=name, **properties)
        self.flag("jorge", "device", device, reason, note)
        return device

    def item(self, name, kind="flag"):
        page = self.moderation(kind)
        self.choose(page, name)
        return page

    def correct(self, page, button, device, precision):
        """Follows the item to its device, and makes its position coarser."""
        with page.context.expect_page() as opened:
            page.locator(".queue-panel").get_by_role("link", name=re.compile("^" + self.said(device, "name"))).first.click()
        edit = opened.value
        edit.get_by_role("link", name=button, exact=True).first.click()
        edit.locator("#open-precision").click()
        edit.locator("#body-precision label").filter(has_text=precision).first.click()
        edit.get_by_role("button", name="Save", exact=True).click()
        edit.wait_for_url(f"**/devices/{device}")
        edit.close()

    def test_the_ten_cases_are_decided_with_the_buttons_of_the_page(self):
        for follow in (self.gone, self.wrong_position, self.home, self.name_in_a_text, self.face, self.duplicate,
                       self.copyright, self.insult, self.advertising, self.quarrel):
            with self.subTest(follow.__name__):
                follow()
            self.close_pages()
        self.assertEqual(self.cases, {}, "cases of the page that this test does not follow")

    def test_every_action_of_the_table_is_a_button(self):
        words = json.loads((HOME / "public/locale/en.json").read_text())
        labels = {text for name, text in words.items() if name.startswith("order.act.")}
        actions = [action.strip() for row in rows(section(self.PAGE, "Actions")) for action in row[0].split(" / ")]
        self.assertGreater(len(actions), 8)
        self.assertEqual(set(actions) - labels, set())

    def test_the_first_week_from_the_second_factor_to_the_own_log(self):
        week = dict(rows(section(self.PAGE, "Your first week")))
        self.assertEqual(list(week), [str(day) for day in range(1, 8)])
        for day in (self.first_day, self.second_day, self.fourth_day, self.sixth_day, self.seventh_day):
            day()
            self.close_pages()

    def close_pages(self):
        """Each page has a map, and a browser draws only a few at a time."""
        for page in self.pages:
            page.close()

    def first_day(self):
        """The second factor, the terms and the log. Days 3 and 5 are cases: flags, and serious reasons."""
        person = self.known("tomas")
        with self.farol().database() as database:
            database.execute("UPDATE account SET role = 'moderator', totp_secret = NULL, totp_confirmed_at = NULL "
                             "WHERE username = ?", (person.username,))
        page = self.page_of("tomas")
        page.goto("/moderation")
        expect(page.locator("main h1")).to_have_text("Your role needs a second factor")
        page.locator("main a.button, main a").first.click()
        page.wait_for_url("**/account*")
        expect(page.locator("main")).to_contain_text("Second factor")
        page.goto("/terms")
        expect(page.locator("main h1")).to_be_visible()

    def second_day(self):
        for number in range(10):
            new = self.newcomer()
            new.send("POST", ITEMS, {
                "type": "Feature", "geometry": {"type": "Point", "coordinates": [64 + number / 10, -41]},
                "properties": {"name": f"First of week {number}", "category": "camera_fixed"}}, expect=201)
        page = self.moderation("contribution")
        for number in range(10):
            self.choose(page, f"First of week {number}")
            self.press(page, "Accept")
            self.expect_done(page, "Accepted.")
            self.expect_gone(page, f"First of week {number}")

    def fourth_day(self):
        device = self.add_device(name="Gate to try")
        self.flag("jorge", "photo", self.add_photo(device), "personal_data", "A plate")
        page = self.item("Gate to try")
        self.black_out(page, "Black out parts", "Black out now", "To know the tool")
        page.locator(".undo-strip button").click()
        expect(page.locator(".queue-row").filter(has_text="Gate to try")).to_have_count(1)

    def sixth_day(self):
        identifier, _ = self.proposed()
        page = self.decision(identifier)
        page.get_by_label("Accept Madrid camera").uncheck()
        page.locator("#lists-reason").fill("Madrid is not on the mole")
        page.locator("[data-act=accept]").click()
        expect(page.locator(".import-page > p[role=status]")).to_have_text("Accepted in part: 5 of 6")
        # For the other tests of this server.
        page.locator("[data-act=undo]").click()
        page.locator("dialog textarea, dialog input").first.fill("It was only a try")
        page.locator("dialog").get_by_role("button", name="Undo the acceptance").click()
        expect(page.locator(".import-page > p[role=status]")).to_have_text("Acceptance undone")

    def seventh_day(self):
        device = self.flagged("Hasty decision", "gone", "I see nothing")
        page = self.item("Hasty decision")
        self.press(page, "Hide", "It is gone.")
        self.expect_done(page, "Hidden.")
        page.get_by_role("link", name="Log").click()
        row = page.locator("tbody tr").filter(has_text="Hasty decision").first
        row.get_by_role("button", name="Undo").click()
        page.get_by_role("dialog").get_by_role("textbox").fill("It was behind the tree")
        page.get_by_role("dialog").get_by_role("button", name="Undo").click()
        expect(row).to_contain_text("Undone")
        self.assertEqual(self.said(device, "name"), "Hasty decision")

    def gone(self):
        close, hide = self.buttons("It is gone, or was never there")
        device = self.flagged("Gone gate", "gone", "I see only a pole")
        page = self.item("Gone gate")
        expect(page.get_by_role("button", name=hide)).to_be_visible()
        self.press(page, close, "Please confirm or dispute it on its page.")
        self.expect_done(page, "Closed without change.")
        self.waits_for_mail("jorge@example.org", "Please confirm or dispute it on its page.")
        self.assertEqual(self.said(device, "name"), "Gone gate")

    def wrong_position(self):
        correct, close = self.buttons("The position is wrong")
        device = self.flagged("Misplaced gate", "wrong_place", "It is in the next street")
        page = self.item("Misplaced gate")
        self.correct(page, correct, device, re.compile("Within 100 m"))
        page.reload()
        self.choose(page, "Misplaced gate")
        self.press(page, close, "Shown within 100 m until a photo proves the place.")
        self.expect_done(page, "Closed without change.")
        self.assertEqual(self.said(device, "precision"), "100m")

    def home(self):
        correct, _, hide = self.buttons("A home")
        device = self.add_device(name="Our front door", description="At the green house", precision="100m")
        self.report(device, "This is where we live")
        page = self.item("Our front door", "report")
        self.correct(page, correct, device, re.compile("Within 1 km"))
        self.assertEqual(self.said(device, "precision"), "1km")
        page.reload()
        self.choose(page, "Our front door")
        self.press(page, hide, "It was a private home.")
        self.expect_done(page, "Hidden.")
        self.waits_for_mail("resident@example.net", "It was a private home.")

    def report(self, device, note):
        visitor = self.page_of()
        visitor.goto(f"/report?device={device}")
        visitor.get_by_label(re.compile("personal data")).check()
        visitor.get_by_role("textbox").first.fill(note)
        visitor.get_by_label(re.compile("e-mail address")).fill("resident@example.net")
        visitor.locator("main button.primary").click()
        expect(visitor.locator("main h1")).to_be_focused()

    def name_in_a_text(self):
        undo, correct, history = self.buttons("A name, telephone number or e-mail address in a text")
        device = self.add_device(name="Shop gate", description="Above the counter")
        new = self.newcomer()
        _, headers, _ = new.send("GET", f"{ITEMS}/{device}")
        new.send("PATCH", f"{ITEMS}/{device}", {"properties": {"description": "Ask for Person A, +351 200 000 000"}}, {
            "Content-Type": "application/merge-patch+json", "If-Match": headers["ETag"]}, expect=200)
        page = self.item("Shop gate", "contribution")
        self.press(page, undo, "It named a person.")
        self.expect_done(page, "The change was undone.")
        self.assertEqual(self.said(device, "description"), "Above the counter")
        page.goto(f"/devices/{device}")
        expect(page.get_by_role("link", name=correct, exact=True).first).to_be_visible()
        page.get_by_role("link", name=history, exact=True).first.click()
        expect(page.get_by_role("button", name="Restore version 2")).to_be_visible()

    def face(self):
        parts, now, hide = self.buttons("A face or plate")
        device = self.add_device(name="Gate with a face")
        photo = self.add_photo(device, alt="A face behind a window")
        self.flag("jorge", "photo", photo, "personal_data", "One sees a face")
        page = self.item("Gate with a face")
        expect(page.get_by_role("button", name=hide)).to_be_visible()
        self.black_out(page, parts, now, "A face was visible.")

    def black_out(self, page, parts, now, reason):
        """Blacks out the left half of the photo."""
        self.press(page, parts, reason)
        more = page.locator(".decision-more")
        more.get_by_role("button", name="Add a rectangle").click()
        for label, percent in (("left", "0"), ("top", "0"), ("width", "50"), ("height", "100")):
            more.get_by_label(label).fill(percent)
        more.get_by_role("button", name=now).click()
        self.expect_done(page, "Blacked out.")

    def duplicate(self):
        merge, now = self.buttons("A duplicate")
        stays = self.add_device(name="Mast east")
        goes = self.flagged("Mast east again", "duplicate", "The same")
        page = self.item("Mast east again")
        self.press(page, merge, "Both are one camera.")
        page.get_by_label("The device that stays").fill(f"{self.farol().address}/devices/{stays}")
        self.press(page, now)
        self.expect_done(page, "Merged.")
        status, _, problem = self.known("maria").send("GET", f"{ITEMS}/{goes}")
        self.assertEqual((status, problem["merged_into"]), (410, stays))

    def copyright(self):
        hide, = self.buttons("Copyright")
        device = self.add_device(name="Gate in a newspaper")
        self.flag("jorge", "photo", self.add_photo(device), "copyright", "It is from a newspaper")
        page = self.item("Gate in a newspaper")
        self.press(page, hide, "Please upload a picture that you took yourself.")
        self.expect_done(page, "Hidden.")
        self.assertEqual(self.said(device, "photos"), [])
        self.waits_for_mail("maria@example.org", "Please upload a picture that you took yourself.")

    def rude(self, name):
        person = self.newcomer()
        _, _, feature = person.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [63, -41]},
            "properties": {"name": name, "category": "camera_fixed"}}, expect=201)
        self.flag("jorge", "device", feature["id"], "offensive", "Rude words")
        return person, feature["id"]

    def insult(self):
        warn, hide, _ = self.buttons("Insults")
        person, _ = self.rude("Rude gate")
        page = self.item("Rude gate")
        self.press(page, warn, "No insults in names, please.")
        self.expect_done(page, "The person was warned.")
        self.waits_for_mail(person.email, "No insults in names, please.")
        self.choose(page, "Rude gate")
        self.press(page, hide, "The name insults people.")
        self.expect_done(page, "Hidden.")
        self.expect_gone(page, "Rude gate")

    def advertising(self):
        suspend, ever, now, everything, all_of_it = self.buttons("Advertising")
        person, device = self.rude("Buy our gates")
        page = self.item("Buy our gates")
        self.press(page, suspend, "Advertising.")
        page.get_by_label("For how long").select_option(label=ever)
        self.press(page, now)
        self.expect_done(page, "The person was suspended.")
        self.choose(page, "Buy our gates")
        self.press(page, everything, "Advertising.")
        expect(page.locator(".decision-more")).to_contain_text("on 1 device")
        self.press(page, all_of_it)
        self.expect_done(page, "Everything was undone.")
        self.assertEqual(self.known("maria").send("GET", f"{ITEMS}/{device}")[0], 404)
        status, _, problem = person.send("POST", "/api/flags", {
            "target": {"type": "account", "id": "maria"}, "reason": "other"})
        self.assertEqual((status, problem["type"]), (403, "/problems/suspended"))

    def quarrel(self):
        close, = self.buttons("A quarrel about a fact")
        self.flagged("Contested gate", "other", "It is the police, not the city")
        page = self.item("Contested gate")
        self.press(page, close, "Please send us a document that names the operator.")
        self.expect_done(page, "Closed without change.")
        self.waits_for_mail("jorge@example.org", "Please send us a document that names the operator.")
