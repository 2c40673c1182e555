"""Visits: a person asks, volunteers are asked one after another, one goes and reports, and the person hears of it."""

import datetime
import math
import re

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import DESKTOP, NARROW, PHONE, WHOLE
from support.layout import SMALL_TARGETS, WIDER_THAN_WINDOW
from support.mailbox import Mailbox
from support.order import ModerationTest


def cell_of(longitude, latitude):
    """The name of the cell of a position, as docs/reference/visits.md defines it."""
    row = math.floor((latitude + 90) / 0.02)
    south = row * 0.02 - 90
    columns = max(1, math.floor(math.cos(math.radians(max(abs(south), abs(south + 0.02)))) * 18_000))
    return f"{row}-{min(columns - 1, math.floor((longitude + 180) / 360 * columns))}"


class VisitTest(ModerationTest):
    def volunteer(self, username, place, **more):
        """Makes a person a volunteer around a place, available for some hours."""
        until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=6)
        self.known(username).send("PUT", "/api/visits/volunteer", {
            "cell": cell_of(*place), "radius_km": 5, "until": until.strftime("%Y-%m-%dT%H:%M:%SZ")} | more, expect=200)

    def asked(self, username, device, reason="still_there"):
        return self.known(username).send(
            "POST", "/api/visits", {"device": device, "reason": reason}, expect=201)[2]["id"]

    def offered(self, username):
        """The path of the offer in the latest mail to a volunteer."""
        return Mailbox(self.farol()).link(f"{username}@example.org", "/visits")

    def visits(self, username, **options):
        page = self.page_of(username, **options)
        page.goto("/visits")
        expect(page.locator("main h1")).to_be_visible()
        return page

    def mine(self, username):
        return self.known(username).send("GET", "/api/visits/mine", expect=200)[2]["asked"]

    def sound(self, page, what):
        self.assertEqual(violations(page), [], what)
        self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [], what)
        self.assertEqual(page.evaluate(SMALL_TARGETS, 24), [], what)


class AskingTests(VisitTest):
    def test_asked_declined_accepted_visited_and_reported(self):
        place = [100.01, -20.01]
        device = self.add_device(name="Asked gate", place=place)
        self.volunteer("berta", place)
        self.volunteer("carlos", place)
        asker = self.page_of("rosa")
        asker.goto(f"/devices/{device}")
        # Two taps.
        asker.get_by_role("button", name="Ask for a visit").click()
        asker.get_by_role("dialog").get_by_role("button", name="Is this still here?").click()
        expect(asker.locator(".visit-section")).to_contain_text("A visit was asked for on")
        expect(asker.get_by_role("button", name="Ask for a visit")).to_have_count(0)

        first = self.page_of("berta")
        first.goto(self.offered("berta"))
        offer = first.locator("#offer")
        expect(offer).to_contain_text("Asked gate")
        expect(offer).to_contain_text(re.compile(r"(29|30) minutes left to answer"))
        expect(offer.locator("#offer-title")).to_be_focused()
        offer.get_by_role("button", name="Decline: Asked gate").click()
        expect(first.locator("#offer")).to_have_count(0)

        second = self.page_of("carlos")
        second.goto(self.offered("carlos"))
        second.get_by_role("button", name="Accept: Asked gate").click()  # the second tap, after the link in the mail
        card = second.locator(".visit-card")
        expect(card.get_by_role("heading", name="Asked gate")).to_be_focused()
        self.assertEqual(
            card.get_by_role("link", name="Quiet way there").get_attribute("href"),
            "/routes#to=100.010000%2C-20.010000&name=Asked+gate")
        self.assertEqual(
            card.get_by_role("link", name="Navigate").get_attribute("href"),
            "geo:-20.010000,100.010000?q=-20.010000,100.010000(Asked%20gate)")
        # The person who asked does not learn that a volunteer goes.
        self.assertEqual(self.mine("rosa")[0]["state"], "waiting")
        self.assertEqual(self.device(device)["properties"]["claims"][0]["confirmations"], 0)
        card.get_by_role("button", name="Yes, it is there").click()
        expect(second.locator(".visit-card")).to_have_count(0)
        self.assertEqual(self.device(device)["properties"]["claims"][0]["confirmations"], 1)

        self.waits_for_mail("rosa@example.org", "Asked gate")
        asker.goto(Mailbox(self.farol()).link("rosa@example.org", "/visits"))
        expect(asker.locator("[data-visit]")).to_contain_text("It is there")
        expect(asker.get_by_role("heading", name="Asked gate")).to_be_focused()
        first.reload()
        expect(first.locator(".visit-nearby")).to_be_visible()
        expect(first.locator("#offer")).to_have_count(0)

    def test_planned_changed_and_given_back(self):
        place = [101.01, -20.01]
        device = self.add_device(name="Planned gate", place=place)
        self.volunteer("dora", place)
        self.asked("rosa2", device)
        page = self.page_of("dora")
        page.goto(self.offered("dora"))
        page.get_by_role("button", name="Accept for later").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Day and time").fill("2020-01-01T10:00")
        dialog.get_by_role("button", name="Plan").click()
        expect(dialog.get_by_role("alert")).to_contain_text("at least two hours")
        later = (datetime.datetime.now() + datetime.timedelta(hours=5)).strftime("%Y-%m-%dT%H:%M")
        dialog.get_by_label("Day and time").fill(later)
        dialog.get_by_role("button", name="Plan").click()
        card = page.locator(".visit-card")
        expect(card).to_contain_text("Planned for")
        card.get_by_role("button", name="Change the time").click()
        page.get_by_role("dialog").get_by_role("button", name="Plan").click()
        expect(card).to_contain_text("Planned for")
        card.get_by_role("button", name="Give it back: Planned gate").click()
        expect(page.locator(".visit-card")).to_have_count(0)
        self.assertEqual(self.mine("rosa2")[0]["state"] in ("waiting", "open"), True)

    def test_a_request_is_withdrawn_and_the_offer_ends(self):
        self.allowed_errors = (r"status of (40[49]|503)",)
        place = [102.01, -20.01]
        device = self.add_device(name="Withdrawn gate", place=place)
        self.volunteer("elsa", place)
        self.asked("rosa3", device)
        offer = self.offered("elsa")
        volunteer, other = self.page_of("elsa"), self.page_of("elsa")
        # This page is not notified.
        volunteer.route("**/api/visits/stream", lambda route: route.fulfill(status=503))
        for page in (volunteer, other):
            page.goto(offer)
            expect(page.locator("#offer")).to_be_visible()
        asker = self.visits("rosa3")
        asker.get_by_role("link", name="Mine").click()
        asker.get_by_role("button", name="Withdraw: Withdrawn gate").click()
        expect(asker.locator("[data-visit]")).to_contain_text("Withdrawn")
        expect(other.locator("#offer")).to_have_count(0)
        expect(other.locator(".toast")).to_contain_text("This offer has ended.")
        volunteer.get_by_role("button", name="Accept: Withdrawn gate").click()
        expect(volunteer.locator(".toast")).to_contain_text("This offer has ended")
        expect(volunteer.locator("#offer")).to_have_count(0)

    def test_an_offer_mail_leads_a_signed_out_reader_to_the_sign_in_page_and_back(self):
        place = [103.01, -20.01]
        device = self.add_device(name="Mailed gate", place=place)
        self.volunteer("filipa", place)
        self.asked("rosa4", device)
        page = self.page_of()
        page.goto(self.offered("filipa"))
        page.wait_for_url(re.compile(r"/sign-in\?then="))
        self.assertIn("%2Fvisits%23offer%3D", page.url)

    def test_not_found_closes_the_visit_without_a_verdict(self):
        place = [104.01, -20.01]
        device = self.add_device(name="Hidden gate", place=place)
        self.volunteer("gil", place)
        self.asked("rosa5", device)
        page = self.page_of("gil")
        page.goto(self.offered("gil"))
        page.get_by_role("button", name="Accept: Hidden gate").click()
        card = page.locator(".visit-card")
        card.get_by_text("I could not look at it").click()
        card.get_by_role("button", name="Not found").click()
        expect(page.locator(".visit-card")).to_have_count(0)
        claim = self.device(device)["properties"]["claims"][0]
        self.assertEqual((claim["confirmations"], claim["disputes"]), (0, 0))
        self.assertEqual(self.mine("rosa5")[0]["outcome"], "not_found")

    def test_nobody_asks_about_the_own_device(self):
        device = self.add_device(by="hugo", name="Own gate", place=[105.01, -20.01])
        page = self.page_of("hugo")
        page.goto(f"/devices/{device}")
        expect(page.locator(".visit-section")).to_contain_text("You added this device")
        expect(page.get_by_role("button", name="Ask for a visit")).to_have_count(0)

    def test_a_visitor_is_led_to_the_sign_in_page(self):
        device = self.add_device(name="Visitor gate", place=[106.01, -20.01])
        page = self.page_of()
        page.goto(f"/devices/{device}")
        expect(page.get_by_role("link", name="Sign in to ask for a visit")).to_have_attribute(
            "href", f"/sign-in?then=%2Fdevices%2F{device}%23section-visits")


class ListTests(VisitTest):
    def test_filters_by_reason_and_kind_and_takes_a_visit(self):
        # The list starts around the part of the map that was seen last.
        place = [110.01, -20.01]
        self.add_device(name="Bridge plates", place=place, category="alpr")
        asked = self.add_device(name="Market eye", place=[110.02, -20.01])
        self.asked("rosa6", asked, "photo_notice")
        page = self.page_of("ivo")
        page.add_init_script("localStorage.setItem('farol.view', 'map=12.00/-20.0100/110.0100')")
        page.goto("/visits")
        items = page.locator(".visit-nearby .look-list > li")
        expect(items).to_have_count(2)
        expect(items.filter(has_text="Market eye").locator(".look-reasons li").first).to_have_text(
            "Please photograph the notice")
        self.until(lambda: page.evaluate("""() => {
          const map = keptMaps.at(-1);
          return map?.getLayer('mapping-points') ? map.queryRenderedFeatures({ layers: ['mapping-points'] }).length : 0;
        }""") == 2, "both points on the map")
        page.locator("select[name=category]").select_option(label="Number-plate reader")
        expect(items).to_have_count(1)
        expect(items).to_contain_text("Bridge plates")
        page.locator("select[name=category]").select_option("")
        page.locator("select[name=reason]").select_option("photo_notice")
        expect(items).to_have_count(1)
        expect(items).to_contain_text("Market eye")
        page.locator("select[name=reason]").select_option("no_photo")
        expect(items).to_have_count(2)
        items.filter(has_text="Bridge plates").get_by_role("button", name="I will go: Bridge plates").click()
        card = page.locator(".visit-card")
        expect(card).to_contain_text("Bridge plates")
        expect(card).to_contain_text("Report what you find until")
        card.get_by_role("button", name="No, it is gone").click()
        expect(page.locator(".visit-card")).to_have_count(0)

    def test_a_first_visit_begins_where_the_country_of_the_reader_has_most_devices(self):
        self.add_device(name="Harbour eye", place=[-21.94, 64.15])
        self.add_device(name="Old harbour eye", place=[-21.90, 64.14])
        self.add_device(name="Far eye", place=[-14.0, 65.26])
        page = self.new_page(timezone_id="Atlantic/Reykjavik")
        page.goto("/visits")
        items = page.locator(".visit-nearby .look-list > li")
        expect(items).to_have_count(2)
        expect(items.filter(has_text="Old harbour eye")).to_have_count(1)
        # A last view of the whole world is no place for a list either.
        page = self.new_page(timezone_id="Atlantic/Reykjavik")
        page.add_init_script("localStorage.setItem('farol.view', 'map=4.00/64.9000/-18.5000')")
        page.goto("/visits")
        expect(page.locator(".visit-nearby .look-list > li")).to_have_count(2)

    def test_a_first_visit_from_an_unknown_country_asks_for_a_place(self):
        page = self.new_page(timezone_id="Pacific/Nauru", locale="na")
        page.goto("/visits")
        expect(page.locator(".visit-nearby [role=status]").first).to_have_text(
            "Choose a place to see which devices there need a visit.")
        self.assertFalse([url for url in self.witness.requests if "/api/visits?" in url])

    def test_a_place_moves_the_list_and_the_map(self):
        page = self.page_of()
        page.goto("/visits")
        field = page.get_by_role("combobox", name="Place")
        field.fill("Funchal")
        page.get_by_role("option").filter(has_text="Funchal").first.click()
        self.until(lambda: "bbox=-17" in (self.witness.last("/api/visits?") or "").replace("bbox=-16", "bbox=-17"),
                   "the list of Funchal")


class VolunteerTests(VisitTest):
    def test_settings_by_keyboard(self):
        self.known("joana")
        page = self.page_of("joana", size=PHONE)
        page.goto("/visits#volunteer")
        form = page.locator("form.form")
        form.get_by_role("button", name="Become a volunteer").focus()
        page.keyboard.press("Enter")
        expect(form.locator(".form-trouble")).to_contain_text("Choose an area")
        place = form.get_by_role("combobox", name="Place")
        place.focus()
        page.keyboard.type("Funchal")
        expect(page.locator("[role=option]").first).to_be_visible()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(form).to_contain_text("The area is chosen.")
        form.locator("select[name=weekday]").select_option(label="Saturday")
        form.get_by_role("button", name="Add hours").focus()
        page.keyboard.press("Enter")
        expect(form.locator(".visit-spans")).to_contain_text("Saturday 10:00–12:00")
        form.get_by_label("Most offers a day").select_option("2")
        form.get_by_role("button", name="Become a volunteer").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#volunteer-state")).to_be_focused()
        _, _, kept = self.known("joana").send("GET", "/api/visits/volunteer", expect=200)
        self.assertEqual(kept["weekly"], [{"weekday": 6, "from": "10:00", "to": "12:00"}])
        self.assertEqual((kept["offers_per_day"], kept["radius_km"], kept["paused"]), (2, 3, False))
        west, south, east, north = kept["box"]
        self.assertTrue(west < -16.9 < east + 0.1 and south < 32.67 and north > 32.6, kept["box"])
        sent = [url for url in self.witness.requests if "visits" in url]
        self.assertFalse([url for url in sent if "near=" in url], sent)

        page.get_by_role("button", name="Available for 1 hour").click()
        expect(page.locator("#volunteer-state")).to_contain_text("You are available until")
        page.get_by_role("button", name="Pause").click()
        expect(page.locator("#volunteer-state")).to_contain_text("Paused")
        page.get_by_role("button", name="Resume").click()
        expect(page.locator("#volunteer-state")).not_to_contain_text("Paused")
        page.get_by_role("button", name="Stop volunteering").click()
        page.get_by_role("dialog").get_by_role("button", name="Stop volunteering").click()
        expect(page.locator("#visits-volunteer")).to_be_focused()
        self.assertEqual(self.known("joana").send("GET", "/api/visits/volunteer")[0], 404)

    def test_the_map_chooses_the_area(self):
        self.known("karl")
        page = self.page_of("karl")
        page.goto("/visits#volunteer")
        page.locator("form.form canvas").wait_for()
        page.get_by_role("button", name="Choose the middle of the map").click()
        expect(page.locator("form.form")).to_contain_text("The area is chosen.")
        page.get_by_role("button", name="Become a volunteer").click()
        expect(page.locator("#volunteer-state")).to_contain_text("You have no hours yet")

    def test_a_new_offer_is_shown_on_any_page_and_as_a_notification(self):
        place = [120.01, -20.01]
        self.volunteer("lena", place)
        page = self.page_of("lena", permissions=["notifications"])
        page.add_init_script("""
          globalThis.shown = [];
          class Told { constructor(title, options) { shown.push([title, options.body, options.tag]); } }
          Told.permission = 'granted';
          Told.requestPermission = async () => 'granted';
          globalThis.Notification = Told;
          Object.defineProperty(document, 'visibilityState', { get: () => globalThis.isHidden ? 'hidden' : 'visible' });
        """)
        page.goto("/visits#volunteer")
        page.get_by_role("button", name="Notify me in this browser").click()
        page.goto("/about")
        self.until(lambda: self.asked_for(page, "stream") == 2, "the stream of the second page")
        page.evaluate("() => { globalThis.isHidden = true; }")
        device = self.add_device(name="Told gate", place=place)
        self.asked("rosa7", device)
        self.until(lambda: page.evaluate("() => shown.length") == 1, "the notification")
        title, body, tag = page.evaluate("() => shown[0]")
        self.assertEqual((title, body), ("Can you visit this device?", "Told gate"))
        self.assertTrue(tag.startswith("visit-"))
        page.evaluate("() => { globalThis.isHidden = false; }")
        page.locator(".menu-button").click()
        expect(page.locator("#menu").get_by_role("link", name="Visits")).to_contain_text("Offer")

    def asked_for(self, page, part):
        """How often a part of the interface of visits was requested."""
        page.evaluate("0")  # lets Playwright report
        return len([url for url in self.witness.requests if f"/api/visits/{part}" in url])

    def test_open_pages_of_a_browser_hear_of_an_offer_at_once_through_one_stream(self):
        place = [122.01, -20.01]
        self.volunteer("nuno", place)
        first = self.visits("nuno")
        second = first.context.new_page()
        second.goto("/visits")
        expect(second.locator("main h1")).to_be_visible()
        self.until(lambda: self.asked_for(first, "stream") == 1, "the stream")
        self.asked("rosa9", self.add_device(name="Live gate", place=place))
        # Without the stream they would read again after 20 seconds.
        for page in (first, second):
            expect(page.locator("#offer")).to_contain_text("Live gate", timeout=15_000)
        self.assertEqual(self.asked_for(first, "stream"), 1)
        first.close()
        self.until(lambda: self.asked_for(second, "stream") == 2, "the stream of the page that is left")

    def test_the_page_polls_only_while_the_stream_is_down(self):
        self.allowed_errors = (r"status of 503",)
        self.volunteer("otto", [123.01, -20.01])
        for is_down in (True, False):
            page = self.page_of("otto")
            if is_down:
                page.route("**/api/visits/stream", lambda route: route.fulfill(status=503))
            page.clock.install()
            page.goto("/visits")
            self.until(lambda page=page: self.asked_for(page, "stream") == 1, "the stream")
            page.wait_for_timeout(3_000)
            before = self.asked_for(page, "now")
            page.clock.fast_forward(21_000)
            page.wait_for_timeout(3_000)
            self.assertEqual(self.asked_for(page, "now") > before, is_down)

    def test_on_a_phone_the_service_worker_notifies_of_offers_and_planned_visits(self):
        place = [124.01, -20.01]
        self.volunteer("paulo", place)
        page = self.page_of(
            "paulo", service_workers="allow", program=WHOLE, permissions=["notifications"], size=PHONE)
        # As Chrome for Android: the constructor of Notification throws.
        page.add_init_script("""
          const Real = Notification;
          globalThis.Notification = class { constructor() { throw new TypeError('Illegal constructor.'); } };
          Object.defineProperty(Notification, 'permission', { get: () => Real.permission });
          Notification.requestPermission = () => Real.requestPermission();
          Object.defineProperty(document, 'visibilityState', { get: () => globalThis.isHidden ? 'hidden' : 'visible' });
        """)
        page.goto("/visits#volunteer")
        page.get_by_role("button", name="Notify me in this browser").click()
        expect(page.locator(".toast")).to_contain_text("This browser notifies you")
        notices = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
          .map(({ title, body, data }) => [title, body, data.path])"""
        page.evaluate("() => navigator.serviceWorker.ready.then(() => { globalThis.isHidden = true; })")
        self.asked("rosa11", self.add_device(name="Phone gate", place=place))
        self.until(lambda: page.evaluate(notices), "the notification")
        title, body, path = page.evaluate(notices)[0]
        self.assertEqual((title, body), ("Can you visit this device?", "Phone gate"))
        self.assertRegex(path, r"^/visits#offer=[\w-]{36}$")
        # The tab that has the page is shown.
        worker = page.context.service_workers[0]
        shown = worker.evaluate("""async () => {
          let shown = null;
          WindowClient.prototype.focus = async function focus() { shown = this.url; };
          const [notification] = await registration.getNotifications();
          let done;
          self.onnotificationclick({ notification, waitUntil: (work) => { done = work; } });
          await done;
          return [shown, (await registration.getNotifications()).length];
        }""")
        self.assertEqual(shown, [f"{self.farol().address}/visits#volunteer", 0])

        page.evaluate("() => { globalThis.isHidden = false; }")
        page.get_by_role("button", name="Accept for later").click()
        page.get_by_role("dialog").get_by_role("button", name="Plan").click()
        expect(page.locator(".visit-card")).to_contain_text("Planned for")
        # Nine minutes before.
        with self.farol().database() as database:
            soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=9)
            database.execute(
                "UPDATE visit_request SET planned_for = ? WHERE state = 'planned' AND visitor_rowid = "
                "(SELECT rowid FROM account WHERE username = 'paulo')", (soon.strftime("%Y-%m-%dT%H:%M:%SZ"),))
        page.evaluate("() => { globalThis.isHidden = true; }")
        self.until(lambda: page.evaluate(notices), "the reminder")
        title, body, path = page.evaluate(notices)[0]
        self.assertEqual((title, body), ("Your visit is planned in ten minutes", "Phone gate"))
        self.assertRegex(path, r"^/visits#visit=[\w-]{36}$")

    def test_it_is_accessible_in_every_size_theme_and_language(self):
        place = [121.01, -20.01]
        device = self.add_device(name="Sized gate", place=place)
        other = self.add_device(name="Second gate", place=[121.012, -20.01])
        self.volunteer("mario", place)
        self.known("mario").send("POST", "/api/visits/take", {"device": other}, expect=201)
        self.asked("rosa8", device)
        words = {"en": ("Mine", "Volunteer"), "pt": ("As minhas", "Voluntário")}
        for size in (DESKTOP, PHONE, NARROW):
            for theme, language in (("dark", "pt"), ("light", "en")):
                mine, volunteer = words[language]
                page = self.page_of("mario", size=size, theme=theme, language=language)
                page.add_init_script("localStorage.setItem('farol.view', 'map=12.00/-20.0100/121.0100')")
                page.goto("/visits")
                expect(page.locator(".visit-card")).to_be_visible()
                expect(page.locator(".visit-nearby .look-list > li").first).to_be_visible()
                self.sound(page, f"list {size} {theme}")
                page.get_by_role("link", name=mine, exact=True).click()
                expect(page.locator("#visits-mine")).to_be_visible()
                self.sound(page, f"mine {size} {theme}")
                page.get_by_role("link", name=volunteer, exact=True).click()
                expect(page.locator("#volunteer-state")).to_be_visible()
                self.sound(page, f"volunteer {size} {theme}")
                page.goto(f"/devices/{device}")
                expect(page.locator(".visit-section")).to_be_visible()
                self.assertEqual(violations(page), [], f"device {size} {theme}")


class ModeratorTests(VisitTest):
    def test_sees_queues_and_withdraws_a_request_with_a_reason(self):
        device = self.add_device(name="Moderated gate", place=[130.01, -20.01])
        self.asked("rosa9", device)
        self.with_role("vigia", "moderator")
        page = self.page_of("vigia")
        page.goto("/moderation/visits")
        row = page.locator("[data-id]").filter(has_text="Moderated gate")
        expect(row).to_contain_text("Waiting time")
        expect(page.locator("table caption")).to_contain_text("Queues by area")
        self.sound(page, "the queue")
        row.get_by_role("button", name="Withdraw: Moderated gate").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Reason").fill("It is a school in use.")
        dialog.get_by_role("button", name="Withdraw").click()
        expect(row).to_contain_text("Withdrawn by a moderator")
        self.waits_for_mail("rosa9@example.org", "It is a school in use.")
