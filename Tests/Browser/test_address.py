"""The address always contains the view, so that it can be shared, reloaded and returned to."""

from playwright.sync_api import expect

from support.case import FUNCHAL, PIER, BrowserTest
from support.map_probe import MapProbe


class AddressTests(BrowserTest):
    def test_a_reload_restores_view_and_filters(self):
        page = self.open("/?category=camera_fixed,webcam&data_collected=video" + FUNCHAL[1:])
        page.get_by_role("button", name="Zoom in").click()
        self.until(lambda: self.view(page)[0] > 14.9, "the address to hold the new view")
        self.settled(page)
        address, title, names = self.address(page), self.title(page), self.names(page)
        page.reload()
        self.settled(page)
        self.assertEqual(self.address(page), address)
        self.assertEqual(self.title(page), title)
        self.assertEqual(self.names(page), names)

    def test_a_shared_address_shows_the_same_to_another_user(self):
        page = self.open("/?operator_kind=public" + FUNCHAL[1:])
        page.locator(".device-row").first.click()
        expect(page.locator("#card .card-acts")).to_be_visible()
        self.settled(page)
        address, title = self.address(page), self.title(page)
        card = page.locator("#card h2").inner_text()

        other = self.open(address)
        self.assertEqual(self.title(other), title)
        expect(other.locator("#card h2")).to_have_text(card)
        expect(other.locator(".device-row[aria-current=true] .row-name")).to_have_text(card)

    def test_back_and_forward_step_through_filters_cards_and_spots(self):
        page = self.open(PIER)
        MapProbe(page).click_at(-16.3171, 33.0627)
        self.waits_for_title(page, "^4 devices at this spot$")
        page.get_by_role("button", name="Pier hotspot").click()
        expect(page.locator("#card h2")).to_have_text("Pier hotspot")

        page.go_back()
        expect(page.locator("#card")).to_be_hidden()
        self.waits_for_title(page, "^4 devices at this spot$")
        page.go_back()
        self.waits_for_title(page, " here$")
        page.go_forward()
        self.waits_for_title(page, "^4 devices at this spot$")
        page.go_forward()
        expect(page.locator("#card h2")).to_have_text("Pier hotspot")

    def test_an_invalid_address_still_shows_a_map(self):
        page = self.open(
            "/?category=;DROP,<b>&status=&device=x&spot=1,2&q=" + "x" * 400 + "#map=99/x/-400")
        expect(page.locator("#list-title")).to_contain_text("here")
        self.assertFalse(page.locator(".no-map-notice").is_visible())

    def test_the_card_of_a_device_that_does_not_exist_says_so(self):
        self.allowed_errors = (r"status of 404",)
        page = self.open("/?device=01900000-0000-7000-8000-000000000000" + FUNCHAL[1:])
        expect(page.locator("#card h2")).to_have_text("Device not found")
        page.get_by_role("button", name="Close the card").click()
        expect(page.locator("#card")).to_be_hidden()
