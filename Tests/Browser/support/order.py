"""The base of moderation tests: users with roles, and items to decide about."""

from playwright.sync_api import expect

from support.accounts import PASSWORD, Person, assign_role
from support.keeping import WritingTest, known, writable_farol
from support.mailbox import Mailbox


class ModerationTest(WritingTest):
    """A test with moderators and admins."""

    _newcomers = 0

    def with_role(self, username, role):
        """A user with a role and the required second factor."""
        person = known(username)
        with self.farol().database() as database:
            assign_role(database, username, role)
        return person

    def newcomer(self):
        """A user with a confirmed address whose contributions still need review."""
        ModerationTest._newcomers += 1
        person = Person(writable_farol(), f"newcomer_{ModerationTest._newcomers}").sign_up()
        with self.farol().database() as database:
            database.execute("UPDATE account SET confirmed_at = created_at WHERE username = ?", (person.username,))
        return person.sign_in()

    def flag(self, by, kind, identifier, reason="gone", note="I stood there today"):
        known(by).send("POST", "/api/flags", {
            "target": {"type": kind, "id": identifier}, "reason": reason, "note": note}, expect=201)

    def waits_for_mail(self, address, words):
        """Waits for a mail to this address with these words."""
        self.until(
            lambda: any(
                words in mail.get_body(("plain",)).get_content() for mail in Mailbox(self.farol()).mails(address)),
                   f"mail to {address} that says “{words}”")

    def moderation(self, kind="", username="vera", **options):
        """The queue as a moderator sees it."""
        self.with_role(username, "moderator")
        page = self.page_of(username, **options)
        page.goto(f"/moderation?kind={kind}" if kind else "/moderation")
        expect(page.locator(".queue-list li").first).to_be_visible()
        return page

    def choose(self, page, name):
        """Opens the item with this name."""
        page.locator(".queue-row").filter(has_text=name).first.click()
        expect(page.locator("#item-title")).to_have_text(name)

    def prove(self, place, username="chief"):
        """Fills in the password and a code if a form asks for them again."""
        place.locator("input[name=password]").fill(PASSWORD)
        place.locator("input[name=code]").fill(known(username).code())

    def administration(self, part="", **options):
        self.with_role("chief", "admin")
        page = self.page_of("chief", **options)
        page.goto(f"/admin{part}")
        expect(page.locator(".order-part")).to_be_visible()
        return page
