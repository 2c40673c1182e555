"""Any text in the database is shown as plain text, on every page that shows a device.

The API would refuse most of it. The tests write it directly into the database, which bypasses all checks.
"""

from playwright.sync_api import expect

from support.chromium import NARROW
from support.keeping import WritingTest

MARKUP = '<img src=x onerror="hurt=1"><script>hurt=1</script>{{content}}{name}'
BACKWARDS = "Gate \u202egnp.exe\u2066 camera"
PILED = "Z" + "\u0301" * 10_000 + "algo"

FITS = "() => [document.documentElement.scrollWidth, innerWidth]"
# Elements whose glyphs may be painted outside of them, over other elements.
SPILLING = """(text) => [...document.querySelectorAll('body *')].filter((one) => (
  [...one.childNodes].some((node) => node.nodeType === 3 && node.data.includes(text)) && one.checkVisibility()
)).filter((one) => {
  for (let up = one; up && up !== document.body; up = up.parentElement) {
    if (['clip', 'hidden', 'auto', 'scroll'].includes(getComputedStyle(up).overflowY)) return false;
  }
  return true;
}).map((one) => `${one.tagName}.${one.className}`)"""


class StoredTextTests(WritingTest):
    def device_that_says(self, text, place):
        """A device with two versions in which every free text is this text."""
        device = self.add_device(
            by="maria", name=f"Innocent{place[0]:.0f}", place=place,
            operator={"kind": "company", "name": text[:20].replace("\u202e", "").replace("\u2066", "") + str(place[0])})
        self.change(device, "jorge", "A reason", description="Innocent", manufacturer="M", model="M")
        with self.farol().database() as database:
            database.execute("PRAGMA ignore_check_constraints = ON")
            database.execute(
                "UPDATE device SET name = ?1, description = ?1, manufacturer = ?1, model = ?1 WHERE id = ?2",
                (text, device))
            rowid, = database.execute("SELECT rowid FROM device WHERE id = ?", (device,)).fetchone()
            database.execute(
                "UPDATE operator SET name = ?, contact = ? "
                "WHERE rowid = (SELECT operator_rowid FROM device WHERE rowid = ?)", (text, text, rowid))
            database.execute("UPDATE revision SET comment = ? WHERE device_rowid = ?", (text, rowid))
        return device

    def addresses(self, device, place):
        yield "device", f"/devices/{device}", "h1"
        yield "form", f"/devices/{device}/edit", "#row-name"
        yield "history", f"/devices/{device}/history?from=1&to=2", ".versions"
        yield "report", f"/report?device={device}", "#report-about a"
        yield "list", f"/#map=15.00/{place[1]}/{place[0]}", ".device-row .row-name"
        yield "card", f"/?device={device}#map=15.00/{place[1]}/{place[0]}", "#card h2"
        yield "search", f"/#map=15.00/{place[1]}/{place[0]}", "[role=option]:has(small)"
        yield "person", "/people/jorge", ".recent a"

    def check(self, text, place, sought):
        device = self.device_that_says(text, place)
        page = self.page_of("jorge", size=NARROW)
        for name, address, shows in self.addresses(device, place):
            with self.subTest(name):
                page.goto(address)
                if name == "search":
                    page.locator("#search").fill(f"Innocent{place[0]:.0f}")
                expect(page.locator(shows).first).to_contain_text(sought)
                self.assertIsNone(page.evaluate("() => globalThis.hurt ?? null"))
                self.assertEqual(page.locator("main :is(script, img)").count(), 0)
                self.assertLessEqual(*page.evaluate(FITS))
                yield name, page

    def test_markup_is_text(self):
        for _, page in self.check(MARKUP, [40.0, -33.0], '<img src=x onerror="hurt=1">'):
            self.assertNotIn("undefined", page.title())

    def test_a_direction_override_affects_only_its_own_text(self):
        for name, page in self.check(BACKWARDS, [41.0, -33.0], "Gate"):
            with self.subTest(name):
                open_ended = page.evaluate("""(text) => [...document.querySelectorAll('body *')].filter((one) => (
                  [...one.childNodes].some((node) => node.nodeType === 3 && node.data.includes(text))
                  && getComputedStyle(one).display === 'inline'
                  && !['isolate', 'plaintext', 'isolate-override'].includes(getComputedStyle(one).unicodeBidi)
                )).map((one) => one.outerHTML.slice(0, 80))""", BACKWARDS)
                self.assertEqual(open_ended, [])

    def test_ten_thousand_combining_marks_stay_within_their_element(self):
        for name, page in self.check(PILED, [42.0, -33.0], "algo"):
            with self.subTest(name):
                self.assertEqual(page.evaluate(SPILLING, PILED), [])
                self.assertLess(page.evaluate("() => document.documentElement.scrollHeight"), 20_000)

    def test_they_stay_within_their_lines_before_scripts_run(self):
        device = self.device_that_says(PILED, [43.0, -33.0])
        page = self.new_page(size=NARROW, java_script_enabled=False)
        page.goto(f"/devices/{device}")
        expect(page.locator("main h1")).to_contain_text("algo")
        self.assertEqual(page.evaluate(SPILLING, PILED), [])
