"""Mapping days: one from plan to report with three participants, joining, the waiting list, keyboard, narrow screens."""

import datetime
import re

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import DESKTOP, NARROW, PHONE
from support.layout import WIDER_THAN_WINDOW
from support.mailbox import Mailbox
from support.order import ModerationTest

DAYS = "/api/mapping-days"
ITEMS = "/api/collections/devices/items"
CORNERS = "-29.02, 24.98\n-29.02, 25.02\n-28.98, 25.02\n-28.98, 24.98"
AREA = {"type": "polygon", "coordinates": [[
    [24.98, -29.02], [25.02, -29.02], [25.02, -28.98], [24.98, -28.98], [24.98, -29.02]]]}


def local(hours):
    """A local time of UTC in some hours."""
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    return moment.strftime("%Y-%m-%dT%H:%M")


class MappingDayTests(ModerationTest):
    def setUp(self):
        super().setUp()
        with self.farol().database() as database:
            database.execute("DELETE FROM mapping_day")

    def planned(self, by="olga", **members):
        """The id of a draft."""
        _, _, day = self.known(by).send("POST", DAYS, {
            "title": "Old town", "purpose": "We look at every camera of the old town.", "area": AREA,
            "starts": local(3), "ends": local(7), "time_zone": "UTC", "maximum": 20} | members, expect=201)
        return day["id"]

    def approved(self, by="olga", **members):
        """The id of a day that everyone sees."""
        identifier = self.planned(by, **members)
        self.known(by).send("POST", f"{DAYS}/{identifier}/submission", expect=200)
        moderator = self.with_role("vera", "moderator")
        _, _, day = moderator.send("GET", f"{DAYS}/{identifier}", expect=200)
        moderator.send("POST", f"/api/moderation/mapping-days/{identifier}/decision", {
            "decision": "approve", "version": day["version"]}, expect=200)
        return identifier

    def shift(self, identifier, starts, ends):
        """Moves the start and the end of a day, as if time had passed."""
        def text(seconds):
            moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
            return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        with self.farol().database() as database:
            database.execute(
                "UPDATE mapping_day SET starts_at = ?, ends_at = ? WHERE id = ?",
                (text(starts), text(ends), identifier))
            database.execute("UPDATE mapping_day_participant SET joined_at = ?", (text(starts),))

    def state(self, identifier):
        return self.farol().get(f"{DAYS}/{identifier}")["state"]

    def runs(self, identifier):
        # Devices of other tests are older.
        self.shift(identifier, -3, 3_600)
        self.until(lambda: self.state(identifier) == "running", "the day to start")

    def test_a_day_from_plan_to_report_with_three_participants(self):
        self.known("olga")
        page = self.page_of("olga")
        page.goto("/mapping-days")
        page.get_by_role("button", name="Plan a mapping day").click()
        page.get_by_label("Title").fill("Harbour day")
        page.get_by_label("Purpose").fill("We look at every camera of the harbour.")
        page.get_by_text("Type the corners instead").click()
        page.locator("textarea[name=area]").fill(CORNERS)
        page.get_by_label("Start", exact=True).fill(local(3))
        page.get_by_label("End", exact=True).fill(local(7))
        page.get_by_label("Time zone").fill("UTC")
        page.get_by_role("button", name="Save the draft").click()
        page.wait_for_url("**/mapping-days/*-*")
        identifier = page.url.rsplit("/", 1)[1]
        expect(page.locator("main")).to_contain_text("This is a draft.")
        page.get_by_role("button", name="Submit to the moderators").click()
        expect(page.locator("main")).to_contain_text("A moderator decides about your day.")

        self.with_role("vera", "moderator")
        queue = self.page_of("vera")
        queue.goto("/moderation/mapping-days")
        item = queue.locator(f"[data-id='{identifier}']")
        expect(item).to_contain_text("We look at every camera of the harbour.")
        item.get_by_role("button", name="Reject: Harbour day").click()
        expect(item.locator(".complaint")).to_contain_text("Write a reason")
        item.get_by_role("button", name="Approve: Harbour day").click()
        expect(queue.locator("main")).to_contain_text("0 days wait for a decision.")
        self.waits_for_mail("olga@example.org", "A moderator has approved your mapping day")

        names = ["petra", "quim", "rita"]
        for name in names:
            self.known(name)
            visitor = self.page_of(name, size=PHONE)
            visitor.goto(f"/mapping-days/{identifier}")
            # One tap.
            visitor.get_by_role("button", name="Join this day").click()
            expect(visitor.locator("main")).to_contain_text("You are taking part in this day.")
        visitor.get_by_label("Show my name on this page").check()
        expect(visitor.locator(".day-facts")).to_contain_text("rita")

        page.reload()
        page.get_by_role("button", name="Write to the participants").click()
        page.get_by_label("Message").fill("We meet at the lighthouse.")
        page.get_by_role("button", name="Send to all participants").click()
        for name in names:
            self.waits_for_mail(f"{name}@example.org", "We meet at the lighthouse.")

        self.runs(identifier)
        viewer = self.new_page()
        viewer.goto(f"/mapping-days/{identifier}")
        expect(viewer.locator("h2").filter(has_text="Happening now")).to_be_visible()
        added = viewer.locator("[data-count=added] dd")
        expect(added).to_have_text("0")
        devices = [
            self.add_device(by=name, name=f"Harbour camera {name}", place=[25 + place / 1000, -29.0])
            for place, name in enumerate(names)]
        # The page sees each of them without a reload.
        expect(added).to_have_text("3")
        self.known("petra").send(
            "POST", f"{ITEMS}/{devices[1]}/claims", {"claim": "present", "verdict": "confirm", "basis": "seen"},
            expect=200)
        expect(viewer.locator("[data-count=confirmed] dd")).to_have_text("1", timeout=20_000)
        expect(viewer.locator(".day-bars tbody tr").first).to_contain_text("4")

        self.shift(identifier, -3_600, -1)
        self.until(lambda: self.state(identifier) == "over", "the day to end")
        viewer.reload()
        expect(viewer.locator("h2").filter(has_text="Report")).to_be_visible()
        expect(viewer.locator("main")).to_contain_text(re.compile(r"Devices in the area: \d+ before, \d+ after\."))
        expect(viewer.locator("main")).to_contain_text("Fewer than ten participants.")
        with viewer.expect_download() as download:
            viewer.get_by_role("link", name="Download CSV").click()
        text = download.value.path().read_text(encoding="utf-8")
        self.assertEqual(5, len(text.splitlines()))
        self.assertNotIn("petra@", text)
        for name in names:
            self.waits_for_mail(f"{name}@example.org", "Together you added 3 devices, confirmed 1")
        mails = [mail for name in names for mail in Mailbox(self.farol()).mails(f"{name}@example.org")]
        self.assertFalse([mail for mail in mails if "olga@example.org" in mail.as_string()])

    def test_the_waiting_list_moves_up(self):
        identifier = self.approved(maximum=1)
        for name in ("petra", "quim"):
            self.known(name).send("PUT", f"{DAYS}/{identifier}/participation", {}, expect=200)
        page = self.page_of("quim")
        page.goto(f"/mapping-days/{identifier}")
        expect(page.locator("main")).to_contain_text("You are number 1 on the waiting list.")
        self.known("petra").send("DELETE", f"{DAYS}/{identifier}/participation", expect=200)
        page.reload()
        expect(page.locator("main")).to_contain_text("You are taking part in this day.")
        self.waits_for_mail("quim@example.org", "A place became free")

    def test_participants_choose_a_team_whose_people_are_not_shown(self):
        identifier = self.approved(
            teams=["North", "South"], meeting_point={"longitude": 25.0, "latitude": -29.0, "words": "The fountain"})
        names = ["petra", "quim", "rita"]
        for name in names[1:]:
            self.known(name).send("PUT", f"{DAYS}/{identifier}/participation", {"team": "North"}, expect=200)
        self.known("petra")
        page = self.page_of("petra", size=NARROW)
        page.goto(f"/mapping-days/{identifier}")
        page.get_by_label("Team").select_option("North")
        page.get_by_role("button", name="Join this day").click()
        expect(page.get_by_label("Team")).to_have_value("North")
        expect(page.locator(".day-facts")).to_contain_text("North, South")
        self.assertEqual(
            page.get_by_role("link", name="Quiet way there").get_attribute("href"),
            "/routes#to=25.000000%2C-29.000000&name=The+fountain")
        self.runs(identifier)
        self.add_device(by="petra", name="Team camera", place=[25.012, -29.011])
        self.until(lambda: self.farol().get(f"{DAYS}/{identifier}/progress")["added"] == 1, "the device to count")
        page.reload()
        teams = page.locator(".day-bars").filter(has_text="Contributions by team").locator("tbody tr")
        expect(teams.filter(has_text="North")).to_contain_text("1")
        expect(teams.filter(has_text="South")).to_contain_text("–")
        self.assertEqual(violations(page), [])
        self.assertEqual(page.evaluate(WIDER_THAN_WINDOW), [])
        page.get_by_label("Team").select_option("South")
        expect(page.locator(".toast")).to_be_visible()
        _, _, day = self.known("petra").send("GET", f"{DAYS}/{identifier}", expect=200)
        self.assertEqual("South", day["participation"]["team"])

    def test_the_keyboard_joins_and_leaves(self):
        identifier = self.approved()
        self.known("petra")
        page = self.page_of("petra")
        page.goto(f"/mapping-days/{identifier}")
        page.get_by_role("button", name="Join this day").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Leave this day")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Join this day")).to_be_focused()

    def test_an_area_is_drawn_by_keyboard(self):
        self.known("olga")
        page = self.page_of("olga")
        page.goto("/mapping-days")
        page.get_by_role("button", name="Plan a mapping day").click()
        page.get_by_role("button", name="Draw the area on the map").click()
        expect(page.locator("[data-draw=done]")).to_be_visible()
        for keys in ([], ["Shift+ArrowRight"], ["Shift+ArrowDown"]):
            for key in keys:
                page.keyboard.press(key)
            page.keyboard.press("Enter")
        page.locator("[data-draw=done]").click()
        corners = page.locator("textarea[name=area]").input_value().splitlines()
        self.assertEqual(3, len(corners))
        expect(page.get_by_role("button", name="Draw the area on the map")).to_be_focused()

    def test_wrong_plans_name_the_field(self):
        self.allowed_errors = (r"status of 422",)
        self.known("olga")
        page = self.page_of("olga")
        page.goto("/mapping-days")
        page.get_by_role("button", name="Plan a mapping day").click()
        page.get_by_role("button", name="Save the draft").click()
        expect(page.locator(".form-trouble")).to_contain_text("Draw the area, or type at least three corners.")
        page.get_by_label("Title").fill("Harbour day")
        page.get_by_label("Purpose").fill("We look at every camera of the harbour.")
        page.locator("textarea[name=area]").fill(CORNERS)
        page.get_by_label("Start", exact=True).fill(local(3))
        page.get_by_label("End", exact=True).fill(local(2))
        page.get_by_label("Meeting point", exact=False).first.fill("-31, 25")
        page.get_by_role("button", name="Save the draft").click()
        expect(page.locator(".form-trouble")).to_contain_text("The day ends before it starts.")
        expect(page.locator(".form-trouble")).to_contain_text("more than 2 km from the area")

    def test_without_a_map_the_page_says_the_same(self):
        identifier = self.approved()
        page = self.new_page(with_map=False)
        page.goto(f"/mapping-days/{identifier}")
        expect(page.locator("h1")).to_have_text("Old town")
        expect(page.locator(".day-facts")).to_contain_text("We look at every camera of the old town.")

    def test_a_card_on_another_site_shows_the_day(self):
        identifier = self.approved()
        page = self.new_page()
        page.goto(f"/embed?mapping_day={identifier}")
        expect(page.locator("h1")).to_have_text("Old town")
        expect(page.locator(".embed-open-whole")).to_have_attribute("href", f"/mapping-days/{identifier}")

    def test_every_state_is_accessible_in_both_languages(self):
        days = [self.planned(title="Draft")]
        days.append(self.approved(title="Coming"))
        running = self.approved(title="A day with a very long title that does not fit into one line of a narrow screen")
        self.known("petra").send(
            "PUT", f"{DAYS}/{running}/participation", {"shows_name": True}, expect=200)
        self.runs(running)
        for place in range(3):
            self.add_device(by="petra", name=f"Pier camera {place}", place=[25 + place / 1000, -29.004])
        self.until(
            lambda: self.farol().get(f"{DAYS}/{running}/progress")["added"] >= 3, "the contributions to count")
        paths = ["/mapping-days", *(f"/mapping-days/{one}" for one in [*days, running])]
        found = []
        for language, theme in (("en", "light"), ("pt", "dark")):
            for size in (NARROW, DESKTOP):
                page = self.page_of("olga", size=size, language=language, theme=theme)
                for path in paths:
                    page.goto(path)
                    expect(page.locator("main h1")).to_be_visible()
                    page.wait_for_timeout(400)
                    found += [f"{path} {language} {size['width']}: {fault}" for fault in violations(page)]
                    found += [f"{path} {size['width']} wider: {fault}" for fault in page.evaluate(WIDER_THAN_WINDOW)]
                page.goto("/mapping-days")
                page.locator(".days .button").first.click()
                found += [f"plan {language} {size['width']}: {fault}" for fault in violations(page)]
                found += [f"plan {size['width']} wider: {fault}" for fault in page.evaluate(WIDER_THAN_WINDOW)]
                page.context.close()
                self.pages.remove(page)
        self.assertEqual([], found)
