"""A draft is added to the map exactly once: after sign-up, after an outage, from any tab."""

from playwright.sync_api import expect

from support.adding import Adding
from support.case import PhoneTest
from support.mailbox import Mailbox
from support.people import AccountTest, confirm, fill_sign_up, submit
from support.pictures import as_file

ITEMS = "/api/collections/devices/items"


def view(latitude):
    """A view without devices, except those that a test adds."""
    return f"/#map=17.00/{latitude:.5f}/-16.95000"


class SendingTests(PhoneTest, AccountTest):
    """One user with a confirmed address, and others who sign up during the test."""

    allowed_errors = (r"status of 4(01|09|22)", r"ERR_FAILED", r"ERR_INTERNET_DISCONNECTED")
    people = 0
    state = None

    def new_name_and_email(self):
        SendingTests.people += 1
        return f"person_{self.people}", f"person_{self.people}@example.org"

    def member(self, path):
        """A page of a signed-in user with a confirmed address, who may add many devices in an hour."""
        if type(self).state is None:
            page = self.new_page()
            name, email = self.new_name_and_email()
            page.goto("/sign-up")
            fill_sign_up(page, name, email)
            submit(page)
            expect(page.locator(".resend")).to_be_visible()
            confirm(page, self.server, email)
            with self.server.database() as database:
                database.execute(
                    "UPDATE account SET accepted_edits = 9, created_at = '2026-01-01T00:00:00Z' WHERE username = ?",
                    [name])
            type(self).state = page.context.storage_state()
        page = self.new_page(storage_state=type(self).state)
        page.goto(path)
        return self.settled(page)

    def on_the_map(self, name):
        """The devices with this name on the server."""
        found = self.server.items(q=name, limit=50)["features"]
        return [one for one in found if one["properties"]["name"] == name]

    def described(self, page, name, photo=False):
        """Describes a camera with this name, up to the review."""
        adding = Adding(page).begin().here().kind("camera_fixed").asks("What do you call it?")
        page.locator(".add-body input").fill(name)
        if photo:
            adding.until_asks("Do you have a photo?")
            page.locator(".photo-button input").nth(1).set_input_files(as_file(width=320, height=240))
            page.locator(".photo-card input").fill("A camera above a door")
        return adding.finish()

    def test_sign_up_comes_last_and_the_draft_is_sent_when_another_tab_confirms(self):
        page = self.open(view(32.7))
        adding = self.described(page, "Camera of a visitor")
        adding.next().asks("Last step: an account")
        name, email = self.new_name_and_email()
        page.locator(".delivery-links .primary").click()
        fill_sign_up(page, name, email)
        expect(page.locator("main")).to_contain_text("1 draft is saved in this browser")
        submit(page)
        page.get_by_role("link", name="Continue").click()
        adding.asks("Confirm your e-mail")
        self.assertEqual(self.on_the_map("Camera of a visitor"), [])
        other = page.context.new_page()
        self.pages.append(other)
        confirm(other, self.server, email)
        adding.asks("It is on the map")
        expect(other.locator(".sent-draft h2")).to_have_text("It is on the map")
        self.assertEqual(len(self.on_the_map("Camera of a visitor")), 1)
        self.until(lambda: adding.drafts() == [], "the draft to be gone")
        page.get_by_role("button", name="Show on the map").click()
        expect(page.locator("#card h2")).to_have_text("Camera of a visitor")

    def test_the_page_of_the_mailed_link_sends_the_draft_even_if_the_map_is_closed(self):
        page = self.open(view(32.705))
        adding = self.described(page, "Camera of somebody who left")
        adding.next().asks("Last step: an account")
        name, email = self.new_name_and_email()
        page.locator(".delivery-links .primary").click()
        fill_sign_up(page, name, email)
        submit(page)
        expect(page.locator(".resend")).to_be_visible()
        link = Mailbox(self.server).link(email, "/confirm")
        other = page.context.new_page()
        self.pages.append(other)
        page.close()
        other.goto(link)
        submit(other)
        self.until(lambda: self.on_the_map("Camera of somebody who left"), "the draft to be sent")
        self.until(lambda: other.evaluate("() => localStorage.getItem('farol.drafts')") is None, "the draft to be gone")
        expect(other.locator(".sent-draft h2")).to_have_text("It is on the map")
        expect(other.locator("main")).not_to_contain_text("draft")
        other.get_by_role("link", name="Show on the map").click()
        expect(other.locator("#card h2")).to_have_text("Camera of somebody who left")

    def test_without_a_connection_the_draft_waits_and_is_sent_once(self):
        page = self.member(view(32.71))
        adding = self.described(page, "Camera of an outage")
        page.context.set_offline(True)
        adding.next().asks("Waiting for the connection")
        draft = adding.drafts()[0]
        self.assertEqual(draft["stage"], "waiting")
        page.get_by_role("button", name="Back to the map").click()
        expect(page.locator(".drafts-button")).to_have_text("1 device waits to be sent")
        page.context.set_offline(False)
        self.until(lambda: self.on_the_map("Camera of an outage"), "the draft to be sent")
        expect(page.locator(".drafts-button")).to_be_hidden()
        self.assertEqual(len(self.on_the_map("Camera of an outage")), 1)

    def test_a_lost_response_creates_no_second_device(self):
        page = self.member(view(32.72))
        keys = []

        def lose_the_first(route):
            if route.request.method != "POST":
                return route.continue_()
            keys.append((route.request.headers["idempotency-key"], route.request.post_data))
            if len(keys) > 1:
                return route.continue_()
            route.fetch()
            return route.abort()

        page.route(f"**{ITEMS}", lose_the_first)
        adding = self.described(page, "Camera of a lost answer")
        adding.next().asks("It is on the map")
        self.assertEqual(len(keys), 2)
        self.assertEqual(keys[0], keys[1])
        self.assertEqual(len(self.on_the_map("Camera of a lost answer")), 1)

    def test_two_taps_in_two_tabs_create_one_device(self):
        page = self.member(view(32.73))
        adding = self.described(page, "Camera of two tabs")
        adding.draft(lambda one: one["step"] == "review")
        other = page.context.new_page()
        self.pages.append(other)
        other.goto(self.address(page))
        Adding(other).asks("Ready to send?")
        moment = page.evaluate("() => Date.now()") + 2_000
        for one in (page, other):
            one.evaluate("""(moment) => {
              const button = document.querySelector('.add-foot .primary');
              setTimeout(() => {
                button.click();
                button.click();
              }, moment - Date.now());
            }""", moment)
        for one in (page, other):
            Adding(one).asks("It is on the map")
        self.assertEqual(len(self.on_the_map("Camera of two tabs")), 1)

    def test_a_refused_answer_is_corrected_at_its_question(self):
        page = self.member(view(32.74))
        adding = self.described(page, "Camera with a contact")
        page.locator(".review-open .chip").filter(has_text="Operator").click()
        adding.asks("Who is the operator?").choose("company")
        page.get_by_label("Name of the organisation or company").fill("Harbour Company")
        page.locator(".more-fields summary").click()
        page.get_by_label("Contact", exact=True).fill("nobody@nowhere@twice")
        adding.next().asks("Ready to send?").next().asks("Some entries need correction")
        expect(page.locator(".delivery")).to_contain_text("Operator")
        adding.next().asks("Who is the operator?")
        expect(page.locator(".complaint:visible")).to_be_visible()
        page.get_by_label("Contact", exact=True).fill("office@example.org")
        adding.next().asks("Ready to send?").next().asks("It is on the map")
        [device] = self.on_the_map("Camera with a contact")
        self.assertEqual(device["properties"]["operator"]["name"], "Harbour Company")

    def test_one_more_of_the_kind_needs_only_its_place(self):
        page = self.member(view(32.95))
        self.described(page, "First in a row").next().asks("It is on the map")
        for number in (2, 3):
            page.get_by_role("button", name="Add another").click()
            adding = Adding(page).asks("Where is the next one?")
            expect(page.locator(".like-answers")).to_have_text("Fixed camera")
            self.assertEqual([part for part, _ in adding.drawn()], ["point"] * (number - 1))
            expect(page.locator(".crosshair")).to_be_visible()
            adding.next()
            expect(page.locator(".complaint:visible")).to_contain_text("The last one is here.")
            page.evaluate("(north) => keptMaps[0].jumpTo({center: [keptMaps[0].getCenter().lng,"
                          " keptMaps[0].getCenter().lat + north]})", 0.0002)
            adding.next().asks("It is on the map")
        first, *others = [device["properties"] for device in self.server.items(
            bbox="-17.5,32.945,-16,32.96", properties="signage", limit=10)["features"]][::-1]
        self.assertEqual(len(others), 2)
        for other in others:
            self.assertEqual(other["category"], first["category"])
            self.assertEqual(other["data_collected"], first["data_collected"])

    def test_done_sends_and_a_device_of_another_kind_nearby_does_not_stop_it(self):
        page = self.member(view(32.985))
        self.described(page, "A camera first").next().asks("It is on the map")
        page.get_by_role("button", name="Add a different device").click()
        adding = Adding(page).asks("Where is it?").here().kind("alpr").asks("What do you call it?")
        page.locator(".add-body input").fill("A plate reader beside it")
        adding.done().asks("It is on the map")
        self.assertEqual(len(self.on_the_map("A plate reader beside it")), 1)

    def test_a_row_of_cameras_waits_for_the_line_and_is_sent_whole(self):
        page = self.member(view(32.97))
        self.described(page, "First without a line")
        page.context.set_offline(True)
        adding = Adding(page).next().asks("Waiting for the connection")
        page.get_by_role("button", name="Add another").click()
        adding.asks("Where is the next one?")
        expect(page.locator(".crosshair")).to_be_visible()
        page.evaluate("() => keptMaps[0].jumpTo({center: [-16.9502, 32.9702]})")
        adding.next().asks("Waiting for the connection")
        page.context.set_offline(False)
        self.until(lambda: len(self.server.items(
            bbox="-16.96,32.965,-16.94,32.975", limit=10)["features"]) == 2, "both cameras to arrive", seconds=60)

    def test_a_duplicate_known_only_to_the_server_is_shown_after_sending(self):
        page = self.member(view(32.75))
        self.described(page, "First of two").next().asks("It is on the map")
        page.get_by_role("button", name="Add a different device").click()
        # The first device stays hidden until the draft is sent.
        page.route(f"**{ITEMS}?bbox=*status=*", lambda route: route.fulfill(
            json={"type": "FeatureCollection", "features": [], "links": []}, content_type="application/geo+json"))
        adding = Adding(page).asks("Where is it?").here().kind("camera_fixed").asks("What do you call it?")
        page.locator(".add-body input").fill("Second of two")
        adding.finish().next().asks("Is it one of these?")
        expect(page.locator(".same-card")).to_contain_text("First of two")
        adding.other_one("It faces another direction").asks("It is on the map")
        self.assertEqual(len(self.on_the_map("Second of two")), 1)

    def test_signing_out_asks_what_to_do_with_drafts(self):
        page = self.member(view(32.76))
        Adding(page).begin().here().kind("webcam").asks("What do you call it?")
        page.get_by_role("button", name="Close and keep the draft").click()
        expect(page.locator(".drafts-button")).to_be_visible()
        type(self).state = None  # the session ends here
        for answer, kept in (("Escape", 1), ("Delete and sign out", 0)):
            page.locator(".menu-button").click()
            page.get_by_role("button", name="Sign out").click()
            expect(page.get_by_role("dialog", name="Keep 1 draft in this browser?")).to_be_visible()
            if answer == "Escape":
                page.keyboard.press("Escape")
                self.assertEqual(len(Adding(page).drafts()), kept)
                page.keyboard.press("Escape")
            else:
                page.get_by_role("button", name=answer).click()
                self.until(lambda: Adding(page).drafts() == [], "the draft to be gone")
        expect(page.locator(".toast")).to_contain_text("signed out", ignore_case=True)

    def test_photos_are_sent_after_their_device(self):
        page = self.member(view(32.77))
        adding = self.described(page, "Camera with a photo", photo=True)
        sent = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        adding.next().asks("It is on the map")
        [device] = self.on_the_map("Camera with a photo")
        self.assertEqual([url.removeprefix(self.server.address) for url in sent if "/items" in url],
                         [ITEMS, f"{ITEMS}/{device['id']}/photos"])
        self.until(lambda: adding.drafts() == [], "the draft to be gone")
