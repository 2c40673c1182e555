"""What tests of keeping order begin from: people with powers, and things to decide about."""

from playwright.sync_api import expect

from support.accounts import PASSWORD, Person, give_power
from support.keeping import KeepingTest, known, writable_farol
from support.mailbox import Mailbox


class OrderTest(KeepingTest):
    """A test in which moderators and admins act."""

    _newcomers = 0

    def with_power(self, username, role):
        """A person with a role, and with the second factor that it needs."""
        person = known(username)
        with self.farol().database() as database:
            give_power(database, username, role)
        return person

    def newcomer(self):
        """A person with a confirmed address whose contributions are still looked at."""
        OrderTest._newcomers += 1
        person = Person(writable_farol(), f"newcomer_{OrderTest._newcomers}").sign_up()
        with self.farol().database() as database:
            database.execute("UPDATE account SET confirmed_at = created_at WHERE username = ?", (person.username,))
        return person.sign_in()

    def flag(self, by, kind, identifier, reason="gone", note="I stood there today"):
        known(by).send("POST", "/api/flags", {
            "target": {"type": kind, "id": identifier}, "reason": reason, "note": note}, expect=201)

    def is_told(self, address, words):
        """Waits for a mail to that address which says so."""
        self.until(lambda: any(words in mail.get_body(("plain",)).get_content() for mail in Mailbox(self.farol()).mails(address)),
                   f"mail to {address} that says “{words}”")

    def moderation(self, kind="", username="vera", **options):
        """The queue, as a moderator has it before them."""
        self.with_power(username, "moderator")
        page = self.page_of(username, **options)
        page.goto(f"/moderation?kind={kind}" if kind else "/moderation")
        expect(page.locator(".queue-list li").first).to_be_visible()
        return page

    def choose(self, page, name):
        """Opens what waits under a name."""
        page.locator(".queue-row").filter(has_text=name).first.click()
        expect(page.locator("#item-title")).to_have_text(name)

    def prove(self, place, username="chief"):
        """Fills in the password and a code where a form asks for them once more."""
        place.locator("input[name=password]").fill(PASSWORD)
        place.locator("input[name=code]").fill(known(username).code())

    def administration(self, part="", **options):
        self.with_power("chief", "admin")
        page = self.page_of("chief", **options)
        page.goto(f"/admin{part}")
        expect(page.locator(".order-part")).to_be_visible()
        return page
