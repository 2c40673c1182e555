"""The personal data in the database, the list of them, and the page that shows the list."""

import html
import json

from playwright.sync_api import expect

from support.axe import violations
from support.case import BrowserTest
from support.chromium import NARROW
from support.farol import HOME, Farol, new_folder

STORED = json.loads((HOME / "public/terms/stored.json").read_text())
WORDS = ("title", "what", "why", "long", "seen")

# The tables of SQLite itself, of SpatiaLite and of the migrations. They contain no personal data, except the
# indexes, which repeat data of `device`, `device_text` and `collection_feature`.
MACHINERY = ("sqlite_", "spatial", "geometry_columns", "views_geometry_columns", "virts_geometry_columns",
             "device_box", "device_text_", "collection_feature_box", "sql_statements_log", "data_licenses", "migration",
             "ElementaryGeometries", "KNN", "SpatialIndex")
# Columns with these names contain personal data in every table.
TELLING = ("account", "username", "email", "password", "address", "note", "contact", "comment", "undone_by")


def declared(part):
    return {(table, column) for table, columns in part.items() for column in columns}


def personal():
    return set().union(*(declared(entry["columns"]) for entry in STORED["personal"]))


class StoredTests(BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.server = Farol(new_folder()).start()
        cls.addClassCleanup(cls.server.stop)

    def farol(self):
        return self.server

    def columns(self):
        """Every column of every table of a database that Farol has created."""
        found = set()
        with self.server.database() as database:
            tables = [name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                if table.startswith(MACHINERY):
                    continue
                rows = database.execute("SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1", [table])
                found.update((table, name) for name, in rows)
        return found

    def test_every_column_is_declared_as_personal_or_not(self):
        existing, known = self.columns(), personal() | declared(STORED["impersonal"])
        self.assertGreater(len(existing), 200)
        self.assertEqual(sorted(existing - known), [], "public/terms/stored.json lacks these columns")
        self.assertEqual(sorted(known - existing), [],
                         "public/terms/stored.json has these, but no file of migrations/ creates them")

    def test_no_column_is_declared_twice(self):
        entries = [item for entry in STORED["personal"] for item in declared(entry["columns"])]
        self.assertEqual(len(entries), len(set(entries)))
        self.assertEqual(sorted(set(entries) & declared(STORED["impersonal"])), [])

    def test_columns_with_telling_names_are_declared_as_personal(self):
        impersonal = declared(STORED["impersonal"]) - {
            ("account_number", "last"), ("import_note", "row"), ("proposal_row", "notes"), ("watch_progress", "note")}
        self.assertEqual(sorted(
            (table, column) for table, column in impersonal
            if any(word in column for word in TELLING) or table.startswith(("account", "choice", "session"))), [])

    def test_each_entry_states_data_purpose_legal_basis_retention_and_access(self):
        for entry in STORED["personal"]:
            for language in ("en", "pt"):
                with self.subTest(entry["id"], language=language):
                    self.assertEqual([word for word in WORDS if not entry[language].get(word, "").strip()], [])
                    self.assertTrue(STORED["bases"][entry["basis"]][language])
            self.assertTrue(entry["columns"], entry["id"])

    def test_the_page_lists_them_in_both_languages_with_and_without_scripts(self):
        for language in ("en", "pt"):
            texts = [text for entry in STORED["personal"] for text in (
                *(entry[language][word] for word in WORDS), STORED["bases"][entry["basis"]][language])]
            texts += [kept[language] for kept in STORED["kept"]]
            plain = html.unescape(self.server.get("/terms", language, raw=True).decode())
            page = self.open("/terms", language=language, wait=False)
            expect(page.locator("#content dl.stored")).to_have_count(len(STORED["personal"]))
            shown = page.locator("#content").inner_text()
            for text in texts:
                self.assertIn(text, plain)
                self.assertIn(text, shown)

    def test_the_list_meets_wcag_at_320_pixels(self):
        for theme in ("light", "dark"):
            page = self.open("/terms", size=NARROW, theme=theme, language="pt", wait=False)
            expect(page.locator("#content dl.stored").first).to_be_visible()
            self.assertEqual(violations(page), [])
            self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 320)
