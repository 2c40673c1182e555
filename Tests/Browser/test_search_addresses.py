"""Streets, addresses and postcodes in the search, and while a user adds a device."""

import re
import subprocess
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.adding import Adding
from support.case import BrowserTest
from support.chromium import NARROW, PHONE
from support.farol import HOME, own_farol
from support.map_probe import MapProbe

VADUZ = "/#map=13.00/47.14000/9.52000"
HOUSES = [
    ("Hauptstrasse", "12", "9490", "Vaduz", 9.521, 47.141), ("Hauptstrasse", "14", "9490", "Vaduz", 9.5215, 47.1415),
    ("Hauptstrasse", "12", "9494", "Schaan", 9.509, 47.169), ("Rua Augusta", "7", "1100-053", "Lisboa", -9.137, 38.71),
]
FEATURE = ('{{"type":"Feature","geometry":{{"type":"Point","coordinates":[{4},{5}]}},"properties":'
           '{{"addr:street":"{0}","addr:housenumber":"{1}","addr:postcode":"{2}","addr:city":"{3}"}}}}')
OUTLINE = """() => {
  const data = keptMaps[0].getSource('outline')?._data;
  return (data?.geojson ?? data)?.features[0]?.geometry.coordinates.length ?? 0;
}"""

_farol = None


def farol_with_addresses():
    """The single server of this file, with the address search that set-up makes from a few houses."""
    global _farol
    if _farol is None:
        _farol = own_farol()
        subprocess.run(
            ["python3", "-B", HOME / "setup/addresses.py", "--output", _farol.streets() / "few.addresses.db"],
            input="\n".join(FEATURE.format(*house) for house in HOUSES), text=True, check=True, capture_output=True)
        _farol.start()
    return _farol


class AddressSearchTests(BrowserTest):
    @classmethod
    def tearDownClass(cls):
        global _farol
        if _farol:
            _farol.stop()
            _farol = None

    def farol(self):
        return farol_with_addresses()

    def search(self, page, words):
        page.get_by_role("combobox").fill(words)
        return page.get_by_role("listbox")

    def test_an_address_moves_the_map_stays_in_the_field_and_leaves_the_url_alone(self):
        page = self.open(VADUZ)
        found = self.search(page, "hauptstr. 12")
        options = found.get_by_role("option")
        expect(options.nth(0)).to_have_text(re.compile("^Hauptstrasse 12 *9490 Vaduz"))
        expect(options.nth(1)).to_have_text(re.compile("^Hauptstrasse 12 *9494 Schaan"))
        expect(found).to_contain_text("© OpenStreetMap contributors")
        options.nth(0).click()
        self.until(lambda: abs(self.view(page)[1] - 47.141) < 0.0005, "the map to reach the house")
        expect(page.get_by_role("combobox")).to_have_value("Hauptstrasse 12")
        self.assertEqual(page.evaluate(OUTLINE), 49)
        self.assertNotIn("Hauptstrasse", page.url)
        self.assertEqual(urlsplit(page.url).query, "")
        page.get_by_role("button", name="Clear the search").click()
        self.until(lambda: page.evaluate(OUTLINE) == 0, "no outline")

    def test_the_request_names_the_middle_of_the_map_only_roughly(self):
        page = self.open("/#map=13.00/47.14567/9.52345")
        self.search(page, "hauptstrasse").get_by_role("option", name=re.compile("^Hauptstrasse")).first.wait_for()
        asked = self.until(lambda: self.witness.last("/api/places?"), "the places to be asked")
        self.assertRegex(asked, r"near=9\.5\d?,47\.1\d?$")

    def test_a_postcode_and_a_street_are_shown_whole(self):
        page = self.open(VADUZ)
        self.search(page, "9490").get_by_role("option", name=re.compile("^9490")).click()
        self.until(lambda: abs(self.view(page)[1] - 47.14125) < 0.002, "the map to reach the postcode")
        self.search(page, "rua augusta").get_by_role("option", name=re.compile("^Rua Augusta")).click()
        self.until(lambda: abs(self.view(page)[1] - 38.71) < 0.002, "the map to reach the street")
        self.assertLessEqual(self.view(page)[0], 15.01)

    def test_while_adding_an_address_puts_the_crosshair_there(self):
        page = self.open(VADUZ, size=PHONE)
        adding = Adding(page).begin()
        page.get_by_role("button", name="Address or place").click()
        expect(page.get_by_role("combobox")).to_be_focused()
        self.search(page, "14 hauptstrasse").get_by_role("option", name=re.compile("^Hauptstrasse 14")).click()
        MapProbe(page).settle()
        adding.here()
        draft = adding.draft(lambda one: one["place"])
        for found, there in zip(draft["place"], (9.5215, 47.1415)):
            self.assertAlmostEqual(found, there, places=4)

    def test_in_portuguese_the_group_and_the_credit_are_portuguese(self):
        page = self.open(VADUZ, language="pt", size=NARROW)
        found = self.search(page, "rua augusta 7")
        expect(found.get_by_role("option").first).to_have_text(re.compile("^Rua Augusta 7 *1100-053 Lisboa"))
        expect(found).to_contain_text("Ruas e moradas")
        expect(found).to_contain_text("OpenStreetMap")

    def test_no_search_text_reaches_the_log(self):
        page = self.open(VADUZ)
        self.search(page, "rua augusta 7").get_by_role("option").first.wait_for()
        file = self.farol().folder / "serve.log"
        # The first option may be one that needs no request.
        self.until(lambda: "/api/places" in file.read_text(errors="replace"), "the request in the log")
        log = file.read_text(errors="replace")
        for word in ("augusta", "Augusta", "47.1", "9.52"):
            self.assertNotIn(word, log)
