"""Outcomes of requests: the public tables, and the figures next to the choices of a device."""

import datetime
import uuid

from playwright.sync_api import expect

from support.accounts import confirmed_person
from support.axe import violations
from support.case import BrowserTest
from support.chromium import NARROW
from support.farol import Farol, new_folder
from support.keeping import ITEMS
from support.waiting import until

# Rows as the server publishes them. Other tests cover their calculation.
ROWS = [
    ("operator", "exemplo, lda.", "Exemplo, Lda.", 42, 40, 25, 5, 10, 18),
    ("operator", "metro", "Metro", 1_204, 1_205, 800, 100, 300, 4),
    ("operator", "agua", "Água & Luz", 12, 10, 0, 10, 0, None),
    ("category", "camera_fixed", "camera_fixed", 310, 310, 200, 50, 60, 12),
]


class OutcomeTests(BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.server = Farol(new_folder()).start()
        cls.addClassCleanup(cls.server.stop)
        # The daily publication would delete the rows that a test publishes.
        until(cls.has_published, "the publication of the day")

    @classmethod
    def has_published(cls):
        with cls.server.database() as database:
            return database.execute("SELECT count(*) FROM publication WHERE kind = 'outcomes'").fetchone() == (1,)

    def farol(self):
        return self.server

    def publish(self, rows=ROWS):
        day = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
        with self.server.database() as database:
            database.execute("DELETE FROM outcome")
            database.executemany(
                """INSERT INTO outcome (kind, key, name, people, asked, honoured, refused, overdue, median_days, as_of)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""", [(*row, day) for row in rows])

    def names(self, page, by="operator"):
        return page.locator(f"table[aria-labelledby=outcomes-{by}] tbody th").all_inner_texts()

    def sort(self, page, words, by="operator"):
        page.locator(f"table[aria-labelledby=outcomes-{by}]").get_by_role("button", name=words).click()

    def test_both_tables_show_the_published_rows(self):
        self.publish()
        page = self.open("/outcomes", wait=False)
        row = page.locator("tr", has_text="Exemplo, Lda.")
        expect(row.locator(".cell-number")).to_have_text(["40", "25", "5", "10", "18"])
        expect(page.locator("tr", has_text="Água & Luz").locator(".cell-number").last).to_contain_text(
            "too few to show")
        expect(page.locator("table[aria-labelledby=outcomes-category] tbody th")).to_have_text(["Fixed camera"])
        expect(page.locator("#outcomes-how").locator("..")).to_contain_text("fewer than 10 different people")

    def test_a_table_is_sorted_by_its_headers(self):
        self.publish()
        page = self.open("/outcomes", wait=False)
        expect(page.locator("table").first).to_be_visible()
        self.assertEqual(self.names(page), ["Metro", "Exemplo, Lda.", "Água & Luz"])
        self.sort(page, "Organisation")
        self.assertEqual(self.names(page), ["Água & Luz", "Exemplo, Lda.", "Metro"])
        self.sort(page, "Organisation")
        self.assertEqual(self.names(page), ["Metro", "Exemplo, Lda.", "Água & Luz"])
        self.sort(page, "Days to an answer")
        self.assertEqual(self.names(page), ["Exemplo, Lda.", "Metro", "Água & Luz"])
        head = page.locator("table[aria-labelledby=outcomes-operator] th[aria-sort]")
        expect(head).to_have_count(1)
        expect(head).to_have_attribute("aria-sort", "descending")

    def test_with_too_few_requesters_the_page_says_so_and_shows_no_figures(self):
        self.publish([])
        page = self.open("/outcomes", wait=False)
        expect(page.locator(".outcomes-none")).to_have_count(2)
        expect(page.locator("table")).to_have_count(0)

    def test_a_device_shows_its_operator_and_its_category_separately(self):
        self.publish([ROWS[3]])
        maria = confirmed_person(self.server, "maria")
        _, _, feature = maria.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [-8.5, 39.0]},
            "properties": {"name": "Camera", "category": "camera_fixed", "precision": "exact",
                           "operator": {"name": "Exemplo, Lda.", "kind": "company"}}}, expect=201)
        page = self.open(f"/devices/{feature['id']}", wait=False)
        operator, kind = page.locator(".practice-of").first, page.locator(".practice-of").last
        expect(operator).to_contain_text("Fewer than 10 people")
        expect(operator.locator("dl")).to_have_count(0)
        expect(kind.locator("dd")).to_have_text(["310", "200", "50", "60"])
        expect(kind).to_contain_text("within 12 days")

    def test_meets_wcag_and_fits_320_pixels(self):
        self.publish()
        found = []
        for language in ("en", "pt"):
            for theme in ("light", "dark"):
                page = self.open("/outcomes", wait=False, size=NARROW, language=language, theme=theme)
                expect(page.locator("table").first).to_be_visible()
                found += [f"{language} {theme}: {fault}" for fault in violations(page)]
                self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)
                # Cards on the screen, but a table for screen readers.
                expect(page.get_by_role("table").first.get_by_role("columnheader")).to_have_count(6)
                expect(page.get_by_role("rowheader").first).to_be_visible()
        self.assertEqual(found, [])


class PublicationTests(BrowserTest):
    """From the ledgers of users to the public figures."""

    def test_eleven_requesters_make_a_row_and_nine_do_not(self):
        server = Farol(new_folder()).start()
        self.addCleanup(server.stop)
        owner = confirmed_person(server, "maria")
        devices = {}
        for name in ("Exemplo, Lda.", "Quiet & Co"):
            _, _, feature = owner.send("POST", ITEMS, {
                "type": "Feature", "geometry": {"type": "Point", "coordinates": [-8.5 - len(devices) / 50, 39.0]},
                "properties": {
                    "name": name, "category": "camera_fixed" if not devices else "alpr", "precision": "exact",
                    "operator": {"name": name, "kind": "company"}}}, expect=201)
            devices[name] = feature["id"]
        day = lambda ago: (datetime.date.today() - datetime.timedelta(days=ago)).isoformat()
        for number in range(11):
            person = confirmed_person(server, f"person{number}")
            choices = [{
                "id": str(uuid.uuid4()), "device": {"id": device}, "kind": "access", "country": "PT", "language": "en",
                "events": [{"event": "sent", "at": day(20), "channel": "email"}, {"event": "honoured", "at": day(10)}],
            } for name, device in devices.items() if name != "Quiet & Co" or number < 9]
            _, _, answer = person.send("POST", "/api/choices/import", {"choices": choices}, expect=200)
            self.assertEqual(len(answer["imported"]), len(choices), answer)
        server.stop()
        with server.database() as database:
            # A request counts one day after its entry. The test changes the dates instead of waiting.
            (guard,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'choice_event_stays'").fetchone()
            database.execute("DROP TRIGGER choice_event_stays")
            database.execute("UPDATE choice_event SET noted_at = ?", [f"{day(5)}T00:00:00Z"])
            database.execute(guard)
            database.execute("DELETE FROM publication")
            database.execute("UPDATE job SET due_at = '2026-01-01T00:00:00Z' WHERE kind = 'publish_outcomes'")
        server.start()
        self.until(lambda: server.get("/api/outcomes")["outcomes"], "the figures of the day")
        page = self.new_page(farol=server)
        page.goto("/outcomes")
        rows = page.locator("table[aria-labelledby=outcomes-operator] tbody tr")
        expect(rows).to_have_count(1)
        expect(rows.locator("th")).to_have_text("Exemplo, Lda.")
        expect(rows.locator(".cell-number")).to_have_text(["10", "10", "0", "0", "10"])
        expect(page.get_by_text("Quiet & Co")).to_have_count(0)
