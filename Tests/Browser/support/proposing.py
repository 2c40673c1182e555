"""A contributor who proposes a list, and the page on which a moderator decides about it."""

from playwright.sync_api import expect

from support.order import ModerationTest

ROWS = ["Name,Latitude,Longitude,Note"] + [
    f"Mole camera {number},{32.64 + number / 1000:.4f},{-16.91 + number / 1000:.4f},"
    + ("Tel. 291 000 001" if number == 3 else "On a mast") for number in range(1, 6)
] + ["Madrid camera,40.4168,-3.7038,On a mast", "Nowhere,99,-16.9,On a mast"]
FILE = {"name": "pier.csv", "mimeType": "text/csv", "buffer": "\r\n".join(ROWS).encode()}


class ProposingTest(ModerationTest):
    def wizard(self, username="maria", file=FILE, **options):
        page = self.page_of(username, **options)
        page.goto("/lists/propose")
        page.locator("#wizard-file").set_input_files(file)
        expect(page.locator(".wizard-columns")).to_be_visible()
        page.locator(".wizard-columns select[data-column=Note]").select_option("description")
        page.locator("select[name=category]").select_option("camera_fixed")
        page.locator("select[name=licence]").select_option("CC-BY-4.0")
        return page

    def proposed(self, username="maria", **options):
        """The address of a new proposal, and the page of its contributor."""
        page = self.wizard(username, **options)
        page.locator("[data-act=test]").click()
        expect(page.locator(".import-report h3")).to_be_visible()
        page.locator("[data-act=send]").click()
        page.wait_for_url("**/lists/*-*")
        expect(page.locator(".lists-devices tbody tr").first).to_be_visible()
        return page.url.rsplit("/", 1)[1], page

    def decision(self, identifier, username="vera", **options):
        self.with_role(username, "moderator")
        page = self.page_of(username, **options)
        page.goto("/moderation/lists")
        page.locator(f"[data-id='{identifier}'] a").first.click()
        expect(page.locator("[data-act=accept]")).to_be_visible()
        return page
