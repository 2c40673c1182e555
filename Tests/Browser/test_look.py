"""Exploring the map: clusters, devices, the card, and the list with the same content."""

import unittest
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import FUNCHAL, OCEAN, PIER, SELVAGEM, BrowserTest, PhoneTest
from support.map_probe import MapProbe


class LookTests(BrowserTest):
    def test_the_first_page_shows_the_world_as_clusters(self):
        page = self.open("/")
        self.assertFalse(page.locator(".no-map-notice").is_visible())
        clusters = MapProbe(page).clusters()
        self.assertTrue(clusters)
        self.assertGreater(self.count(page), 100)

    def test_clicking_clusters_leads_to_single_devices(self):
        page = self.open("/#map=9.00/32.700/-16.950")
        probe = MapProbe(page)
        steps = []
        while not probe.devices():
            clusters = probe.clusters()
            self.assertTrue(clusters, f"neither clusters nor devices at zoom {probe.zoom():.1f}")
            self.assertLess(len(steps), 12, f"clusters do not open: zooms {steps}")
            steps.append(round(probe.zoom(), 1))
            before = probe.zoom()
            probe.click(clusters[0])
            self.until(lambda: probe.zoom() > before + 0.9, "the cluster to open")
            self.settled(page)
        self.assertTrue(steps)

    def test_devices_at_the_same_place_open_as_a_list(self):
        page = self.open(PIER)
        MapProbe(page).click_at(-16.3171, 33.0627)
        self.waits_for_title(page, "^4 devices at this spot$")
        self.assertEqual(sorted(self.names(page)), [
            "Pier camera north", "Pier camera south", "Pier hotspot", "Pier tide gauge"])
        self.assertIn("spot", self.query(page))

    def test_a_click_on_a_device_opens_its_card_and_the_card_its_page(self):
        page = self.open(SELVAGEM)
        MapProbe(page).click_at(-15.8662, 30.1406)
        card = page.locator("#card")
        expect(card.get_by_role("heading")).to_have_text("Warden’s hut camera")
        for words in ("Fixed camera", "Video", "Reserva Natural", "Reported"):
            expect(card).to_contain_text(words)
        self.until(MapProbe(page).chosen, "the chosen device to stand out on the map")
        address = self.address(page)

        card.get_by_role("link", name="View full details").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Warden’s hut camera")
        device = self.farol().device("Warden’s hut camera")
        self.assertEqual(urlsplit(self.address(page)).path, f"/devices/{device['id']}")

        page.go_back()
        self.settled(page)
        self.assertEqual(self.address(page), address)
        expect(page.locator("#card").get_by_role("heading")).to_have_text("Warden’s hut camera")

    def test_a_click_outside_all_markers_closes_the_card(self):
        page = self.open(SELVAGEM)
        MapProbe(page).click_at(-15.8662, 30.1406)
        expect(page.locator("#card h2")).to_have_text("Warden’s hut camera")
        MapProbe(page).click_at(-15.8600, 30.1406)
        expect(page.locator("#card")).to_be_hidden()
        self.assertNotIn("device", self.query(page))

    def test_the_list_has_the_same_content_as_the_map(self):
        page = self.open(FUNCHAL)
        box = self.asked_box(page)
        _, latitude, longitude = self.view(page)
        answer = self.farol().items(bbox=box, limit=1000, near=f"{longitude},{latitude}", sortby="distance")
        self.assertEqual(self.count(page), answer["numberMatched"])
        self.assertEqual(self.names(page), [
            feature["properties"]["name"] for feature in answer["features"]][:20])

        self.assertEqual(MapProbe(page).total(), answer["numberMatched"])

        edges = page.evaluate("() => keptMaps[0].getBounds().toArray().flat()")
        for asked_edge, edge in zip(map(float, box.split(",")), edges):
            self.assertAlmostEqual(asked_edge, edge, places=5)

    def test_moving_the_map_updates_the_list(self):
        page = self.open("/#map=16.00/32.6480/-16.9080")  # of ten devices, six are out of view one zoom level closer
        before = self.title(page)
        page.get_by_role("button", name="Zoom in").click()
        self.until(lambda: MapProbe(page).zoom() > 16.9, "the map to come closer")
        box = self.asked_box(page)
        self.assertNotEqual(self.title(page), before)
        self.assertEqual(self.count(page), self.farol().items(bbox=box)["numberMatched"])

    def test_a_long_list_shows_more_on_request(self):
        page = self.open("/#map=8.50/37.8000/-25.5000")
        self.assertEqual(len(self.names(page)), 20)
        page.get_by_role("button", name="Show more").click()
        expect(page.locator(".device-row")).to_have_count(24)
        self.assertEqual(page.evaluate("() => document.activeElement.className"), "device-row")
        self.assertEqual(len(set(self.names(page))), 24)

    def test_an_empty_area_invites_to_add_a_device_and_leads_to_the_nearest(self):
        page = self.open(OCEAN)
        self.assertEqual(self.title(page), "No devices here")
        expect(page.locator("#list")).to_contain_text("No devices mapped here yet")
        expect(page.locator("#list")).to_contain_text("Add the first one.")
        expect(page.locator("#list")).to_contain_text("Go to the nearest devices")
        page.locator(".device-row").first.click()
        expect(page.locator("#card h2")).not_to_be_empty()
        self.until(lambda: self.count(page) > 0, "devices in view")

    def test_buttons_move_the_map_for_users_who_cannot_drag(self):
        page = self.open(FUNCHAL)
        page.get_by_role("button", name="Move the map").click()
        _, latitude, longitude = self.view(page)
        page.get_by_role("button", name="Move north").click()
        self.until(lambda: self.view(page)[1] > latitude, "the map to move north")
        page.get_by_role("button", name="Move west").click()
        self.until(lambda: self.view(page)[2] < longitude, "the map to move west")

    def test_every_cluster_names_a_category_of_the_api(self):
        page = self.open(FUNCHAL)
        known = {term["code"] for term in self.farol().get("/api/taxonomies/categories")["terms"]}
        for cluster in MapProbe(page).clusters():
            self.assertIn(cluster["category_1"], known)
        for device in MapProbe(page).devices():
            self.assertIn(device["category"], known)


class PhoneLookTests(PhoneTest):
    def test_a_tap_on_a_device_opens_the_sheet_with_its_card(self):
        page = self.open(SELVAGEM)
        expect(page.locator("#panel")).to_have_attribute("data-stop", "peek")
        MapProbe(page).click_at(-15.8662, 30.1406)
        expect(page.locator("#card h2")).to_have_text("Warden’s hut camera")
        expect(page.locator("#panel")).to_have_attribute("data-stop", "half")
        expect(page.get_by_role("link", name="View full details")).to_be_in_viewport()
        # The sheet is no higher than the card, so that the map keeps the rest.
        ends = "() => ['#panel', '.card-acts'].map((name) => document.querySelector(name).getBoundingClientRect().bottom)"
        self.until(lambda: 0 <= (lambda panel, acts: panel - acts)(*page.evaluate(ends)) < 40, "the sheet to fit the card")
        page.get_by_role("button", name="Close").click()
        self.until(lambda: page.locator("#panel").bounding_box()["height"] > 400, "the list to have half of the window")

    def test_the_sheet_moves_up_and_down_by_its_buttons(self):
        page = self.open(FUNCHAL)
        sheet = page.locator("#panel")
        page.get_by_role("button", name="Show more of the list").click()
        expect(sheet).to_have_attribute("data-stop", "half")
        expect(page.locator(".device-row").first).to_be_in_viewport()
        page.get_by_role("button", name="Show more of the list").click()
        expect(sheet).to_have_attribute("data-stop", "full")
        page.get_by_role("button", name="Show more of the map").click()
        page.get_by_role("button", name="Show more of the map").click()
        expect(sheet).to_have_attribute("data-stop", "peek")
        self.assertFalse(page.locator(".device-row").first.is_enabled() and page.evaluate(
            "() => !document.querySelector('#panel-body').inert"))

    def test_the_list_matches_the_part_of_the_map_above_the_sheet(self):
        page = self.open(FUNCHAL)
        box = self.asked_box(page)
        self.assertEqual(self.count(page), self.farol().items(bbox=box)["numberMatched"])


if __name__ == "__main__":
    unittest.main()
