"""Sign-up and sign-in on the pages, and the base of tests about them."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.accounts import PASSWORD
from support.case import BrowserTest
from support.farol import Farol, new_folder
from support.mailbox import Mailbox


def bare_farol():
    """A server without devices for one class of tests: five people may sign up on it."""
    return Farol(new_folder()).start()


def fill_sign_up(page, username, email, password=PASSWORD):
    page.locator("[name=username]").fill(username)
    page.locator("[name=email]").fill(email)
    page.locator("[name=password]").fill(password)
    page.locator("[name=accept_terms]").check()


def submit(page):
    page.locator("main [type=submit]").click()


def sign_up(page, username, email, password=PASSWORD):
    """Signs up on the page. Afterwards the user is signed in, and a mail is on its way."""
    if urlsplit(page.url).path != "/sign-up":
        page.goto("/sign-up")
    fill_sign_up(page, username, email, password)
    submit(page)
    expect(page.locator(".resend")).to_be_visible()


def confirm(page, farol, email):
    """Opens the mailed link and presses its button."""
    page.goto(Mailbox(farol).link(email, "/confirm"))
    submit(page)
    expect(page.locator("h1")).to_have_text("Your address is confirmed")


def sign_in(page, login, password=PASSWORD, code=None):
    if urlsplit(page.url).path != "/sign-in":
        page.goto("/sign-in")
    page.locator("[name=login]").fill(login)
    page.locator("[name=password]").fill(password)
    submit(page)
    if code:
        page.locator("[name=code]").fill(code)
        submit(page)
    page.wait_for_url(lambda url: urlsplit(url).path != "/sign-in")


def submit_in(part):
    """Submits the form in a part of a page."""
    part.locator("[type=submit]").click()


class AccountTest(BrowserTest):
    """Each class of tests has its own server, because only five people may sign up from one network."""

    allowed_errors = (r"status of 40[19]",)  # a wrong password, a taken name

    @classmethod
    def setUpClass(cls):
        cls.server = bare_farol()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def farol(self):
        return self.server

    def heading(self, page, words):
        expect(page.locator("main h1")).to_have_text(words)

    def path(self, page):
        return urlsplit(self.address(page)).path

    def trouble(self, page):
        return page.locator(".form-trouble:visible")
