"""The page of watches, the links to it, and the page that ends the mails of a watch."""

import re

from playwright.sync_api import expect

from support.mailbox import Mailbox
from support.order import ModerationTest


class WatchTests(ModerationTest):
    def add(self, page, label="My street"):
        page.get_by_role("button", name="Add a watch").first.click()
        page.get_by_label("Name of the watch").fill(label)
        page.get_by_label("Area", exact=True).select_option(label="A circle")
        for name, value in (("Longitude (°)", "-40"), ("Latitude (°)", "8"), ("Radius (m)", "5000")):
            page.get_by_label(name).fill(value)
        page.get_by_label("Mails").select_option(label="At once, at most every five minutes")
        page.locator("form").get_by_role("button", name="Add a watch").click()
        watch = page.locator("[data-watch]").filter(has_text=label)
        expect(watch).to_be_focused()
        return watch

    def test_a_watch_is_added_changed_paused_and_stopped(self):
        self.known("watcher")
        page = self.page_of("watcher")
        page.goto("/watches")
        watch = self.add(page)
        expect(watch).to_contain_text("5 km around")
        watch.get_by_role("button", name="Edit: My street").click()
        page.get_by_label("Name of the watch").fill("School")
        page.get_by_label("Disputes").check()
        page.get_by_label("Filters").fill("https://farol.example/?category=alpr&q=w%C3%A4ll,+door#map=1/2/3")
        page.get_by_role("button", name="Save").click()
        watch = page.locator("[data-watch]").filter(has_text="School")
        expect(watch).to_be_focused()
        expect(watch).to_contain_text('Number-plate reader and “wäll, door”')
        expect(watch).to_contain_text("New devices, removed devices and disputes")
        watch.get_by_role("button", name="Pause: School").click()
        expect(watch).to_contain_text("Paused")
        watch.get_by_role("button", name="Resume: School").click()
        expect(watch).not_to_contain_text("Paused")
        watch.get_by_role("button", name="Stop: School").click()
        page.get_by_role("dialog").get_by_role("button", name="Stop").click()
        expect(page.locator("#watches")).to_contain_text("You have no watches yet.")

    def test_a_polygon_that_crosses_itself_is_refused_at_the_field(self):
        self.allowed_errors = (r"status of 422",)
        self.known("watcher2")
        page = self.page_of("watcher2")
        page.goto("/watches")
        page.get_by_role("button", name="Add a watch").click()
        page.get_by_label("Name of the watch").fill("A bow")
        page.get_by_label("Area", exact=True).select_option(label="A polygon")
        page.get_by_label("Polygon (GeoJSON)").fill("[[[6,46],[7,47],[7,46],[6,47],[6,46]]]")
        page.locator("form").get_by_role("button", name="Add a watch").click()
        expect(page.locator(".complaint:visible").first).to_contain_text("crosses or touches itself")

    def test_a_place_is_found_by_keyboard(self):
        self.known("watcher3")
        page = self.page_of("watcher3")
        page.goto("/watches")
        page.get_by_role("button", name="Add a watch").focus()
        page.keyboard.press("Enter")
        page.keyboard.type("The town")
        page.get_by_label("Name of the place").focus()
        page.keyboard.type("Funchal")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Places found")).to_be_focused()
        page.get_by_label("Name of the watch").focus()
        page.keyboard.press("Enter")
        expect(page.locator("[data-watch]")).to_contain_text("Funchal")

    def test_the_mail_arrives_and_its_link_ends_the_mails(self):
        self.known("watcher4")
        page = self.page_of("watcher4")
        page.goto("/watches")
        watch = self.add(page)
        watch.get_by_role("button", name="Send a test: My street").click()
        self.waits_for_mail("watcher4@example.org", "E-mails of your watch")
        mail = Mailbox(self.farol()).mails("watcher4@example.org")[-1]
        self.assertEqual(mail["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click")
        link = mail["List-Unsubscribe"].strip("<>")
        self.assertIn(link, mail.get_body(("plain",)).get_content())
        other = self.page_of()
        other.goto(link)
        expect(other).to_have_url(re.compile("/unsubscribe$"))
        other.get_by_role("button", name="Stop the e-mails").click()
        expect(other.get_by_role("heading", name="The e-mails are stopped")).to_be_visible()
        page.reload()
        expect(page.locator("[data-watch]")).to_contain_text("No e-mails")

    def test_a_webhook_waits_until_its_server_answers_the_challenge(self):
        self.known("watcher7")
        page = self.page_of("watcher7")
        page.goto("/watches")
        watch = self.add(page)
        watch.get_by_role("button", name="Edit: My street").click()
        page.get_by_label("Webhook").fill("https://hook.invalid/")
        page.get_by_role("button", name="Save").click()
        expect(watch).to_contain_text("https://hook.invalid/")
        expect(watch).to_contain_text("It has not answered the challenge yet")

    def test_a_moderator_follows_the_queue(self):
        self.with_role("watcher6", "moderator")
        page = self.page_of("watcher6")
        page.goto("/moderation")
        page.get_by_role("link", name="Follow").click()
        form = page.locator("form")
        expect(form.get_by_label("Name of the watch")).to_have_value("Moderation queue")
        for label in ("Filters", "Webhook", "New devices", "Private feed"):
            expect(form.get_by_label(label)).to_have_count(0)
        self.assertNotIn("At once", form.get_by_label("Mails").inner_text())
        form.get_by_label("Mails").select_option(label="Once a week")
        form.get_by_role("button", name="Add a watch").click()
        watch = page.locator("[data-watch]")
        expect(watch).to_be_focused()
        expect(watch).to_contain_text("Weekly: Monday at 8:00")

    def test_a_narrow_screen_shows_everything(self):
        self.known("watcher5")
        for theme in ("light", "dark"):
            page = self.page_of("watcher5", size={"width": 320, "height": 700}, theme=theme)
            page.goto("/watches")
            self.add(page, f"Street {theme}")
            page.get_by_role("button", name="Add a watch").first.click()
            width = page.evaluate("() => document.documentElement.scrollWidth")
            self.assertLessEqual(width, 320)
