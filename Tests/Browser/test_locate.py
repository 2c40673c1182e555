"""The position of the user: requested only on a tap, kept only in the page."""

from playwright.sync_api import expect

from support.case import OCEAN, BrowserTest, PhoneTest

MARKET_DOOR = {"latitude": 32.64858, "longitude": -16.90425, "accuracy": 10}


class LocateTests(BrowserTest):
    def test_the_position_is_not_requested_before_a_tap(self):
        page = self.new_page()
        page.add_init_script("""
          globalThis.asked = 0;
          const real = Geolocation.prototype.getCurrentPosition;
          Geolocation.prototype.getCurrentPosition = function (...all) { asked += 1; return real.apply(this, all); };
        """)
        page.goto(OCEAN)
        self.settled(page)
        self.assertEqual(page.evaluate("() => asked"), 0)

    def test_with_a_position_the_list_is_sorted_by_distance(self):
        page = self.open(OCEAN, permissions=["geolocation"], geolocation=MARKET_DOOR)
        page.get_by_role("button", name="Show my location").click()
        self.until(lambda: abs(self.view(page)[1] - 32.64858) < 0.001, "the map to come here")
        self.settled(page)
        self.until(lambda: self.names(page)[:3] == [
            "Market door camera", "Market hall camera", "Market Wi-Fi"], "the nearest first")
        expect(page.locator(".device-row").first).to_contain_text("0 m")
        position = self.witness.last("/api/collections/devices/items?")
        self.assertIn("sortby=distance", position)

    def test_a_refusal_shows_a_message_and_changes_nothing(self):
        page = self.open(OCEAN, permissions=[])
        before = self.address(page)
        page.get_by_role("button", name="Show my location").click()
        expect(page.locator(".toast")).to_contain_text("Your browser did not share your location")
        self.assertEqual(self.address(page), before)


class PhoneLocateTests(PhoneTest):
    def test_works_by_tap_on_a_phone(self):
        page = self.open(OCEAN, permissions=["geolocation"], geolocation=MARKET_DOOR)
        page.get_by_role("button", name="Show my location").tap()
        self.until(lambda: "Market door camera" in self.names(page)[:1], "the nearest first")
