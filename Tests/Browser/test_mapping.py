"""The page that writes a mapping file: a list of an unseen kind is imported from the browser alone."""

import io
import json
import tempfile
import time
import zipfile

from playwright.sync_api import expect

from support.axe import violations
from support.chromium import NARROW, PHONE
from support.order import ModerationTest

# As a town hall might publish it: semicolons, Windows-1252, decimal commas, days first, and latitude and longitude in
# each other's columns. Swapped, the points lie in Africa.
ROWS = [
    (f"M-{number};Câmara dome;Câmara do cais {number};Porto do Funchal;Pública;-16,9{number:02d};32,64{number:02d};"
     f"{number % 28 + 1:02d}/03/2024;291 000 0{number:02d}") for number in range(1, 41)
] + [
    "M-41;Banco de jardim;Banco;Porto do Funchal;Pública;-16,95;32,65;01/03/2024;",
    "M-42;Leitor de matrículas;Portagem;Via Madeira;Privada;;;02/03/2024;",
    "M-43;Leitor de matrículas;Túnel;Via Madeira;Privada;-16,96;32,66;03/03/2024;",
]
HEADER = ("Nº;Tipo de equipamento;Designação;Entidade responsável;Tipo operador;Latitude;Longitude;Data de instalação;"
          "Telefone")
LIST = ("\r\n".join([HEADER, *ROWS]) + "\r\n").encode("windows-1252")
FILE = {"name": "videovigilancia_funchal.csv", "mimeType": "text/csv", "buffer": LIST}


class Steps:
    """What a person does on the page: each action counts."""

    def __init__(self):
        self.taken = []
        self.start = time.monotonic()

    def __call__(self, words, act, *arguments):
        self.taken.append(words)
        act(*arguments)

    @property
    def seconds(self):
        return time.monotonic() - self.start


class MappingTests(ModerationTest):
    def wizard(self, **options):
        page = self.administration("/imports/new", **options)
        expect(page.locator("#wizard-file")).to_be_attached()
        return page

    def inspected(self, file=FILE, **options):
        page = self.wizard(**options)
        page.locator("#wizard-file").set_input_files(file)
        expect(page.locator(".wizard-columns, .wizard-rest [name=base]").first).to_be_visible()
        return page

    def meaning(self, page, column):
        return page.locator(".wizard-columns").locator(f"select[data-column={json.dumps(column, ensure_ascii=False)}]")

    def category(self, page, value):
        return page.locator(f".wizard-values select[data-value={json.dumps(value, ensure_ascii=False)}]")

    def test_a_list_of_an_unseen_kind_is_imported_in_a_few_steps(self):
        before = self.farol().items(limit=1)["numberMatched"]
        page = self.administration("/imports")
        step = Steps()
        step("open the page", page.get_by_role("link", name="Import a list of a new kind").click)
        step("choose the file", page.locator("#wizard-file").set_input_files, FILE)
        expect(page.locator(".wizard-summary")).to_have_text("CSV (windows-1252) with 43 rows and 9 columns.")
        for column, use in (
            ("Nº", "id"), ("Tipo de equipamento", "category"), ("Designação", "name"),
            ("Entidade responsável", "operator"), ("Tipo operador", "operator_kind"), ("Latitude", "latitude"),
            ("Longitude", "longitude"), ("Data de instalação", "started_on"), ("Telefone", "drop"),
        ):
            expect(self.meaning(page, column)).to_have_value(use)
        place = page.locator(".wizard-place")
        expect(place).to_contain_text("42 of 43 sampled rows have a position.")
        expect(place.locator(".wizard-warning")).to_contain_text("probably swapped")
        expect(place.locator(".wizard-warning")).to_contain_text("Did you mean: Portugal?")
        step("swap", place.get_by_role("button", name="Swap latitude and longitude").click)
        expect(place.locator(".wizard-warning")).to_have_count(0)
        expect(place).to_contain_text("The points lie in: Portugal.")
        expect(self.category(page, "Câmara dome")).to_have_value("camera_ptz")
        expect(self.category(page, "Leitor de matrículas")).to_have_value("alpr")
        step("leave benches out", self.category(page, "Banco de jardim").select_option, "skip")
        step("state the licence", page.get_by_label("Licence of the list").fill, "CC-BY-4.0")
        step("test", page.get_by_role("button", name="Run test").click)
        report = page.locator(".import-report")
        expect(report.get_by_role("heading", name="Result of the test")).to_be_focused(timeout=60_000)
        self.assertEqual(self.counts(report), {"rows": "43", "added": "41", "skipped": "1", "refused": "1"})
        expect(report).to_contain_text("Refused rows (1 of 1)")
        row = report.locator("tbody tr").filter(has_text="refused")
        expect(row.locator("th")).to_have_text("Row 42")
        expect(row).to_contain_text("The row has no coordinates.")
        self.assertEqual(self.farol().items(limit=1)["numberMatched"], before)
        step("import", page.get_by_role("button", name="Import", exact=True).click)
        expect(report.get_by_role("heading", name="Result of the import")).to_be_visible(timeout=60_000)
        self.assertLessEqual(len(step.taken), 7, step.taken)
        self.assertLess(step.seconds, 300)
        print(f"{len(step.taken)} steps, {step.seconds:.0f} s")
        self.assertEqual(self.farol().items(limit=1)["numberMatched"], before + 41)
        device = self.farol().device("Câmara do cais 7")
        self.assertEqual(device["geometry"]["coordinates"], [-16.907, 32.6407])
        whole = self.farol().get(f"/api/collections/devices/items/{device['id']}")["properties"]
        self.assertEqual(whole["operator"]["name"], "Porto do Funchal")
        self.assertEqual(whole["operator"]["kind"], "public")
        self.assertEqual(whole["started_on"], "2024-03-08")
        self.assertEqual(whole["licence"], "CC-BY-4.0")
        with self.farol().database() as database:
            stored = database.execute("SELECT group_concat(tags) FROM device_tag").fetchone()[0] or ""
        self.assertNotIn("291 000", stored)

    def counts(self, report):
        pairs = report.locator(".facts").first.locator("div").evaluate_all(
            "rows => rows.map((row) => [row.querySelector('dt').textContent, row.querySelector('dd').textContent])")
        return {name: count for name, count in pairs if count != "0"}

    def test_choices_survive_a_reload_and_wait_for_the_file(self):
        page = self.inspected()
        self.meaning(page, "Telefone").select_option("description")
        self.category(page, "Banco de jardim").select_option("other")
        page.get_by_label("Name of the source").fill("Town of Funchal")
        page.reload()
        expect(page.locator(".wizard-kept")).to_contain_text("videovigilancia_funchal.csv")
        page.locator("#wizard-file").set_input_files(FILE)
        expect(self.meaning(page, "Telefone")).to_have_value("description")
        expect(self.category(page, "Banco de jardim")).to_have_value("other")
        expect(page.get_by_label("Name of the source")).to_have_value("Town of Funchal")
        expect(page.get_by_label("Code of the source")).to_have_value("town-of-funchal")

    def test_a_mapping_file_is_downloaded_and_opened_again(self):
        page = self.inspected()
        page.get_by_label("Licence of the list").fill("CC0-1.0")
        with page.expect_download() as download:
            page.get_by_role("button", name="Download the mapping file").click()
        self.assertEqual(download.value.suggested_filename, "videovigilancia-funchal.json")
        mapping = json.loads(open(download.value.path(), encoding="utf-8").read())
        self.assertEqual(mapping["key"], "{Nº}")
        self.assertEqual(mapping["input"], {"format": "csv", "encoding": "windows-1252"})
        self.assertEqual(mapping["fields"]["started_on"]["formats"], ["d/M/yyyy*"])
        self.assertEqual(mapping["drop"], ["Telefone"])
        page.get_by_label("Licence of the list").fill("")
        self.meaning(page, "Telefone").select_option("")
        page.locator("#wizard-mapping").set_input_files(download.value.path())
        expect(page.get_by_label("Licence of the list")).to_have_value("CC0-1.0")
        expect(self.meaning(page, "Telefone")).to_have_value("drop")
        mapping["fields"]["category"] = {"value": "webcam", "when": {"column": "Nº", "prefix": "M"}}
        own = {"name": "own.json", "mimeType": "application/json", "buffer": json.dumps(mapping).encode()}
        page.locator("#wizard-mapping").set_input_files(own)
        expect(page.locator(".wizard-file-acts [role=status]")).to_contain_text("rules that this page cannot show")
        page.get_by_role("button", name="Run test").click()
        expect(page.locator(".import-report")).to_contain_text("Result of the test", timeout=60_000)
        self.assertEqual(self.counts(page.locator(".import-report"))["refused"], "1")
        page.locator("#wizard-mapping").set_input_files(
            {"name": "broken.json", "mimeType": "application/json", "buffer": b"["})
        expect(page.locator(".wizard-file-acts [role=status]")).to_contain_text("broken.json is not a mapping file")

    def test_a_file_of_openstreetmap_is_read_by_the_rules_for_its_tags(self):
        elements = [
            {"type": "node", "id": 901, "lat": 32.651, "lon": -16.921, "version": 2,
             "tags": {"man_made": "surveillance", "surveillance:type": "camera", "camera:type": "dome"}},
            {"type": "node", "id": 902, "lat": 32.652, "lon": -16.922, "tags": {"amenity": "bench", "type": "wood"}},
            {"type": "node", "id": 903, "lat": 32.653, "lon": -16.923,
             "tags": {"man_made": "surveillance", "surveillance:type": "ALPR"}},
        ]
        page = self.inspected({"name": "funchal.json", "mimeType": "application/json",
                               "buffer": json.dumps({"elements": elements}).encode()})
        rules = page.get_by_label("Use Farol’s rules for OpenStreetMap")
        expect(rules).to_be_checked()
        expect(page.locator(".wizard-columns")).to_be_hidden()
        expect(page.get_by_label("Licence of the list")).to_have_value("ODbL-1.0")
        page.get_by_role("button", name="Run test").click()
        report = page.locator(".import-report")
        expect(report.get_by_role("heading", name="Result of the test")).to_be_visible(timeout=60_000)
        self.assertEqual(self.counts(report), {"rows": "3", "added": "2", "skipped": "1"})
        rules.uncheck()
        expect(page.locator(".wizard-columns")).to_be_visible()
        expect(report).to_be_empty()

    def test_missing_choices_are_named_and_lead_to_their_fields(self):
        page = self.inspected({"name": "list.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,x\n"})
        expect(page.locator(".wizard-place")).to_contain_text("Choose the columns with latitude and longitude")
        page.get_by_role("button", name="Run test").click()
        missing = page.locator(".form-trouble")
        expect(missing).to_be_focused()
        expect(missing.locator("li")).to_have_text([
            "The columns with latitude and longitude, or with the position", "The kind of the devices",
            "The licence of the list"])
        missing.get_by_text("The kind of the devices").click()
        expect(page.get_by_label("Kind of all devices")).to_be_focused()
        page.get_by_label("Kind of all devices").select_option("webcam")
        page.get_by_role("button", name="Run test").click()
        expect(missing.locator("li")).to_have_count(2)

    def test_a_changed_choice_needs_another_test(self):
        page = self.inspected()
        page.get_by_label("Licence of the list").fill("CC0-1.0")
        page.get_by_role("button", name="Run test").click()
        imports = page.get_by_role("button", name="Import", exact=True)
        expect(imports).to_be_visible(timeout=60_000)
        page.get_by_label("Attribution").fill("Town hall")
        expect(imports).to_be_hidden()
        expect(page.locator(".wizard-trial")).to_contain_text("Run the test again.")

    def test_a_file_that_cannot_be_read_says_why_and_one_with_several_lists_asks(self):
        page = self.wizard()
        self.allowed_errors = (r"status of 422",)
        page.locator("#wizard-file").set_input_files({"name": "x.csv", "mimeType": "text/csv", "buffer": b"\0\0"})
        expect(page.locator(".wizard-part .complaint")).to_contain_text("the file is not text")
        lists = json.dumps({"cameras": [{"lat": 32.6, "lon": -16.9}], "benches": [{"b": 1}]}).encode()
        page.locator("#wizard-file").set_input_files(
            {"name": "two.json", "mimeType": "application/json", "buffer": lists})
        page.get_by_label("List", exact=True).select_option("/cameras")
        page.get_by_role("button", name="Read this list").click()
        expect(self.meaning(page, "lat")).to_have_value("latitude")
        expect(page.locator(".wizard-part .complaint").first).to_be_hidden()

    def test_positions_are_found_however_a_portal_writes_them(self):
        gateways = {f"gw-{number}": {"name": f"Gateway {number}", "location": {"latitude": 48.1 + number / 100,
                                                                              "longitude": 11.5}} for number in range(3)}
        esri = {"geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 102100, "latestWkid": 3857},
                "features": [{"attributes": {"OBJECTID": 1, "NAME": "A"}, "geometry": {"x": 1288000, "y": 6130000}}]}
        html = ("<kml xmlns='http://www.opengis.net/kml/2.2'><Document><Placemark><name>A</name><description>"
                "<![CDATA[<table><tr><td>Betreiber</td><td>Stadt</td></tr></table>]]></description>"
                "<Point><coordinates>11.5,48.1</coordinates></Point></Placemark></Document></kml>")
        for name, content, rows, columns in (
            ("pairs.csv", "Name;Standort\nA;48,1 11,5\nB;48,2 11,6\n", 2, {"Standort": "position"}),
            ("socrata.csv", 'name,location\nA,"1 Main St\nX\n(48.1, 11.5)"\n', 1, {"location": "position"}),
            ("wkt.csv", "name;the_geom\nA;POINT (11.5 48.1)\n", 1, {"the_geom": "position"}),
            ("dms.csv", "name;Breite;Länge\nA;48° 6' 0\" N;11° 30' 0\" E\n", 1,
             {"Breite": "latitude", "Länge": "longitude"}),
            ("stem.csv", "name,X,Y,Latitude,Longitude\nA,1288000,6130000,48.1,11.5\n", 1,
             {"X": "", "Latitude": "latitude", "Longitude": "longitude"}),
            ("utm32.csv", "name;x_25832;y_25832\nA;691603;5334760\n", 1, {"x_25832": "longitude"}),
            ("esri.json", json.dumps(esri), 1, {"NAME": "name"}), ("table.kml", html, 1, {"Betreiber": "operator"}),
            ("gateways.json", json.dumps(gateways), 3, {"/location/latitude": "latitude", "@key": "id"}),
        ):
            with self.subTest(name):
                start = time.monotonic()
                page = self.inspected({"name": name, "mimeType": "text/plain", "buffer": content.encode()})
                place = page.locator(".wizard-place")
                expect(place).to_contain_text(f"{rows} of {rows} sampled rows have a position.")
                expect(place).to_contain_text("The points lie in: Germany.")
                for column, use in columns.items():
                    expect(self.meaning(page, column)).to_have_value(use)
                print(f"{name}: {time.monotonic() - start:.1f} s")

    def test_the_coordinate_system_is_chosen_where_the_numbers_leave_a_doubt(self):
        rows = "".join(f"K-{number};{691_603 + number};{5_334_760 + number}\n" for number in range(12))
        page = self.inspected({"name": "kameras.csv", "mimeType": "text/csv",
                               "buffer": ("Nr;Rechtswert;Hochwert\n" + rows).encode()})
        place = page.locator(".wizard-place")
        expect(place).to_contain_text("These numbers are not degrees.")
        system = page.get_by_label("Coordinate system")
        self.assertIn("EPSG:25832", system.locator("option").evaluate_all("all => all.map((one) => one.value)"))
        system.select_option("EPSG:25832")
        expect(place).to_contain_text("The numbers are read as ETRS89 / UTM zone 32N.")
        expect(place).to_contain_text("The points lie in: Germany.")
        page.get_by_label("Licence of the list").fill("CC0-1.0")
        page.get_by_label("Country of the list").select_option("DE")
        page.get_by_role("button", name="Run test").click()
        report = page.locator(".import-report")
        expect(report.get_by_role("heading", name="Result of the test")).to_be_visible(timeout=60_000)
        self.assertEqual(self.counts(report), {"rows": "12", "added": "12"})
        page.get_by_role("button", name="Import", exact=True).click()
        expect(report.get_by_role("heading", name="Result of the import")).to_be_visible(timeout=60_000)
        device = self.farol().device("Fixed camera K-0")
        self.assertAlmostEqual(device["geometry"]["coordinates"][0], 11.5754906, 6)
        self.assertAlmostEqual(device["geometry"]["coordinates"][1], 48.13722, 6)

    def test_a_newer_list_shows_what_it_would_change(self):
        def listed(height, ids):
            return ("id;name;height;lat;lon\n" + "".join(
                f"{ids}{number};Camera {number};{height};32.7{number};-16.8\n" for number in range(1, 4))).encode()

        def imported(content, isNew):
            page = self.inspected({"name": "heights.csv", "mimeType": "text/csv", "buffer": content})
            page.get_by_label("Kind of all devices").select_option("webcam")
            page.get_by_label("Licence of the list").fill("CC0-1.0")
            page.get_by_role("button", name="Run test").click()
            report = page.locator(".import-report")
            expect(report.get_by_role("heading", name="Result of the test")).to_be_visible(timeout=60_000)
            if isNew:
                page.get_by_role("button", name="Import", exact=True).click()
                expect(report.get_by_role("heading", name="Result of the import")).to_be_visible(timeout=60_000)
            return page, report

        imported(listed(3, "a"), True)
        page, report = imported(listed(4, "a"), False)
        expect(report).to_contain_text("Known devices that change (3 of 3)")
        row = report.locator(".import-changes tbody tr").first
        expect(row).to_contain_text("Camera 1")
        expect(row).to_contain_text("Height")
        self.assertEqual(violations(page), [])
        # Other ids, at the same places: the page says it, and devices are matched by place.
        page, report = imported(listed(3, "b"), False)
        expect(report).to_contain_text("If their ids have changed")
        page.get_by_label("Match with known devices by place").select_option("10")
        page.get_by_role("button", name="Run test").click()
        expect(report.get_by_role("heading", name="Result of the test")).to_be_visible(timeout=60_000)
        expect(report).not_to_contain_text("If their ids have changed")
        self.assertEqual(self.counts(report)["matched by position"], "3")

    def test_names_of_lists_may_contain_commas(self):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("north, south.csv", "Latitude,Longitude,Name\n32.6,-16.9,One\n")
            archive.writestr("east; west.csv", "b\n1\n")
        page = self.wizard()
        page.locator("#wizard-file").set_input_files(
            {"name": "lists.zip", "mimeType": "application/zip", "buffer": packed.getvalue()})
        choice = page.get_by_label("List", exact=True)
        expect(choice.locator("option")).to_have_text(["north, south.csv", "east; west.csv"])
        choice.select_option("north, south.csv")
        page.get_by_role("button", name="Read this list").click()
        expect(self.meaning(page, "Latitude")).to_have_value("latitude")

    def test_samples_and_refused_rows_are_readable_at_every_width(self):
        name = "identificador_do_equipamento_de_videovigilancia_municipal"
        rows = [f"PT-FNC-{number:05d}-{'EQUIPAMENTO' * 5};32.65;-16.9;https://example.org/{'long/' * 20}{number}"
                for number in range(5)] + [f"{'X' * 60};;;"]
        text = "\n".join([f"{name};Latitude;Longitude;Endereço", *rows])
        for size in (NARROW, PHONE, {"width": 640, "height": 360}, {"width": 844, "height": 390}):
            with self.subTest(size=size):
                page = self.inspected({"name": "wide.csv", "mimeType": "text/csv", "buffer": text.encode()}, size=size)
                widths = page.locator(".wizard-samples").evaluate_all("lists => lists.map((list) => list.clientWidth)")
                self.assertGreaterEqual(min(widths), 100)
                page.get_by_label("Kind of all devices").select_option("webcam")
                page.locator("[name=licence]").fill("CC0-1.0")
                page.get_by_role("button", name="Run test").click()
                expect(page.locator(".import-report")).to_contain_text("The row has no coordinates.", timeout=60_000)
                self.assertLessEqual(*page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]"))
                self.assertEqual(page.evaluate("""() => [...document.querySelectorAll('main *')].filter((element) => (
                    /auto|scroll/.test(getComputedStyle(element).overflowX) && element.clientWidth > 1
                    && element.scrollWidth > element.clientWidth)).map((element) => element.className)"""), [])

    def test_a_file_that_is_too_large_is_not_sent(self):
        page = self.wizard()
        sent = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        with tempfile.NamedTemporaryFile(suffix=".csv") as file:
            file.truncate(68 << 20)
            page.locator("#wizard-file").set_input_files(file.name)
            expect(page.locator(".wizard-part .complaint")).to_contain_text("68 MB; at most 64 MB")
        self.assertEqual([url for url in sent if "import" in url], [])

    def test_a_list_is_mapped_with_the_keyboard_on_a_small_phone(self):
        page = self.inspected(size=NARROW)
        expect(page.locator("#wizard-columns-title")).to_be_focused()
        reached = self.tab_to(page, "select[data-column='Nº']")
        page.keyboard.press("End")
        expect(self.meaning(page, "Nº")).to_have_value("drop")
        reached += self.tab_to(page, "[data-act=swap]")
        page.keyboard.press("Enter")
        expect(page.locator("#wizard-place-title")).to_be_focused()
        expect(self.meaning(page, "Latitude")).to_have_value("longitude")
        reached += self.tab_to(page, "[name=licence]")
        page.keyboard.type("CC0-1.0")
        reached += self.tab_to(page, "[data-act=test]")
        page.keyboard.press("Enter")
        heading = page.locator(".import-report h3")
        expect(heading).to_be_focused(timeout=60_000)
        reached += self.tab_to(page, "[data-act=import]")
        self.assertLess(reached, 80)
        self.assertLessEqual(*page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]"))

    def tab_to(self, page, target):
        """Presses Tab until the element has the focus; the number of presses."""
        for count in range(1, 60):
            page.keyboard.press("Tab")
            if page.evaluate("(target) => document.activeElement.matches(target)", target):
                return count
        self.fail(f"the keyboard does not reach {target}")

    def test_the_page_meets_wcag_and_fits_small_phones(self):
        found = []
        for language, button in (("en", "Run test"), ("pt", "Fazer um teste")):
            for size in (NARROW, PHONE):
                page = self.inspected(size=size, language=language)
                page.locator("[name=licence]").fill("CC0-1.0")
                page.get_by_role("button", name=button).click()
                expect(page.locator(".import-report h3")).to_be_visible(timeout=60_000)
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    found += [f"{language} {size} {theme}: {fault}" for fault in violations(page)]
                self.assertLessEqual(*page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]"))
        self.assertEqual(found, [])
