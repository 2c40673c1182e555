"""Runs every line of shell on `/api/docs`, in four documents (`test_documents.py` names them), and checks the
responses against the OpenAPI document. Also runs the snippets for other programs that are small."""

import html
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from openapi_schema_validator import OAS30Validator
from support.accounts import Person
from support.farol import HOME, PROGRAM, own_farol
from support.layers import bring_in

from instance import devices, farol
from subsets import GENEVA, has, within

PLACEHOLDER = "https://farol.example.org"
SNIPPETS = HOME / "seed/clients"
ITEMS = "/api/collections/devices/items"
# The exit code of curl when `--max-time` is over.
CURL_TIMEOUT = 28
# The requests whose response never ends.
ENDLESS = re.compile(r"/api/(live|visits/stream)")
# Operations without data on this server: a border of the place, an organisation of the caller, a law for the place.
NOT_THERE = {
    "getPlaceBorder", "getRequests", "eraseOwnOperator", "checkOperatorFile", "leaveDevice",
    "eraseStatement", "getLetter",
}


def blocks(document):
    """The texts of the fenced blocks of a document, each with its language."""
    text = (HOME / "docs" / document).read_text()
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class ExampleTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.farol = own_farol()
        cls.farol.settings = {"FAROL_METRICS": "loopback"}
        cls.farol.start()
        cls.addClassCleanup(cls.farol.stop)
        cls.person = Person(cls.farol, "root_admin").sign_up().grow_old().sign_in().become_admin()
        token = cls.person.send("POST", "/api/account/tokens", {
            "name": "examples", "scopes": ["read", "contribute", "choices", "records", "inbox", "operate", "moderate", "admin"]} | cls.person.proof(), expect=201)[2]
        device = cls.person.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [20, -30]},
            "properties": {"name": "Gate camera", "category": "camera_fixed"}}, expect=201)
        point = {"type": "Feature", "id": "old", "geometry": {"type": "Point", "coordinates": [0, 0]}, "properties": {}}
        bring_in(cls.person, "quarters", json.dumps(point).encode())
        schedule = cls.person.send("POST", "/api/admin/import-schedules", {
            "name": "City", "url": "https://lists.example/cameras.csv", "enabled": False, "mapping": {
                "source": {
                    "code": "city", "name": "Cameras of the city", "licence": "CC-BY-4.0", "attribution": "© City"},
                "key": "{id}",
                "fields": {
                    "name": [{"from": "name"}], "category": "camera_fixed", "longitude": {"from": "lon"},
                    "latitude": {"from": "lat"}}}}, expect=201)
        cls.variables = {
            "TOKEN": token["token"], "DEVICE": device[2]["id"], "ETAG": device[1]["ETag"],
            "USERNAME": cls.person.username, "ACCOUNT": cls.person.id, "IMPORT": "1",
            "SCHEDULE": str(schedule[2]["id"]),
            "COLLECTION": "quarters", "FEATURE": "old",
            "PLACE": cls.farol.get("/api/places?q=Genf&lang=pt")["places"][0]["id"],
        }
        cls.document = cls.farol.get("/api/openapi.json")

    def run_line(self, line):
        """Status, media type and body of the one request that a line of shell sends."""
        _, headers, _ = self.person.send("GET", f"{ITEMS}/{self.variables['DEVICE']}")
        self.variables["ETAG"] = headers["ETag"] or ""
        with tempfile.TemporaryDirectory() as folder:
            heads = Path(folder) / "heads"
            # A stream without an end is read for two seconds.
            limit, result = ("--max-time 2", CURL_TIMEOUT) if ENDLESS.search(line) else ("", 0)
            curl = f'curl() {{ command curl --silent --show-error {limit} --dump-header "{heads}" "$@"; }}'
            done = subprocess.run(
                ["bash", "-euc", f"{curl}\n{line}"],
                cwd=folder, env=os.environ | self.variables, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, result, f"{line}: {done.stderr.decode()}")
            head = heads.read_text()
            answer = Path(folder) / "answer"
            body = answer.read_bytes() if answer.exists() else done.stdout
        status = int(head.split()[1])
        kind = re.search(r"^content-type: ([^;\r\n]+)", head, re.IGNORECASE | re.MULTILINE)
        return status, kind[1] if kind else None, body

    def check(self, operation, line):
        """Runs the example of an operation and checks that its response is declared."""
        status, kind, body = self.run_line(line)
        declared = operation["responses"]
        self.assertIn(str(status), declared, f"{line}: {body[:300]!r}")
        if operation["operationId"] in NOT_THERE:
            self.assertIn(status, (403, 404, 422), line)
        else:
            self.assertLess(status, 300, f"{line}: {body[:300]!r}")
        content = declared[str(status)].get("content", {})
        if not content:
            self.assertEqual(body, b"", line)
            return
        names = {name.split(";")[0]: value["schema"] for name, value in content.items()}
        self.assertIn(kind, names, line)
        if kind == "application/json" or kind.endswith("+json"):
            schema = names[kind] | {"components": self.document["components"]}
            OAS30Validator(schema).validate(json.loads(body))

    def operations(self):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield method.upper(), path, operation

    def test_every_example_of_the_page_does_what_it_says(self):
        page = self.farol.get("/api/docs", raw=True).decode()
        found = {}
        for identifier, body in re.findall(
                r'<details class="operation" id="(\w+)">(.*?)</div></details>', page, re.DOTALL):
            lines = [html.unescape(text) for text in re.findall(r'<pre class="docs-code"[^>]*><code>(.*?)</code>', body, re.DOTALL)]
            found[identifier] = lines[0] if lines else None
        operations = {operation["operationId"]: operation for _, _, operation in self.operations()}
        self.assertEqual(set(found), set(operations))
        ran = 0
        for identifier, line in found.items():
            missing = set(re.findall(r"\$([A-Z_]+)", line or "")) - set(self.variables)
            with self.subTest(identifier):
                self.assertNotRegex(line or "", r'"http[^"]*\{', "a parameter of the path has no example")
            if not line or missing:
                continue
            with self.subTest(identifier):
                self.check(operations[identifier], line)
                ran += 1
        self.assertGreater(ran, 35)

    def test_lines_of_shell_in_the_documents_are_answered(self):
        ran = 0
        for name in ("reference/api.md", "how-to/clients.md", "reference/filters.md", "explanation/claims.md"):
            for language, text in blocks(name):
                if language != "sh" or not re.search(r"\bcurl ", text):
                    continue
                with self.subTest(text.splitlines()[0]):
                    status, kind, _ = self.run_line(text.replace(PLACEHOLDER, self.farol.address))
                    self.assertLess(status, 300)
                    self.assertIsNotNone(kind)
                    ran += 1
        self.assertGreater(ran, 1)


class SettingsPageTests(unittest.TestCase):
    def test_the_page_of_settings_is_that_of_the_program(self):
        """`make settings-page` writes the page again after a change of a setting."""
        dump = subprocess.run(
            [PROGRAM, "--experimental-dump-help"], check=True, capture_output=True, text=True, timeout=30).stdout
        made = subprocess.run(
            [sys.executable, HOME / "setup/settings.py"], input=dump, check=True, capture_output=True, text=True,
            timeout=30).stdout
        self.assertEqual((HOME / "docs/reference/settings.md").read_text(), made)


class SnippetTests(unittest.TestCase):
    def wanted(self):
        """The expected number of devices, counted without a filter of the server."""
        box, kind = within(GENEVA), has(category="camera_fixed")
        return sum(1 for feature in devices() if box(feature) and kind(feature))

    def text(self, name):
        return (SNIPPETS / name).read_text().replace(PLACEHOLDER, farol().address)

    def run_snippet(self, name, *program):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / name
            file.write_text(self.text(name))
            return subprocess.run(
                [*program, str(file)], check=True, capture_output=True, text=True, timeout=120).stdout

    def test_the_page_and_docs_clients_md_show_the_snippets_that_are_run(self):
        page = html.unescape(farol().get("/api/docs", raw=True).decode())
        shown = [text for _, text in blocks("how-to/clients.md")]
        for file in sorted(SNIPPETS.iterdir()):
            if file.name == "webhook.py":  # a program that receives instead of reading; docs/how-to/watches.md names it
                continue
            with self.subTest(file.name):
                self.assertIn(self.text(file.name).strip(), page)
                self.assertIn(file.read_text(), shown)

    def test_the_one_of_curl_gets_all_of_them(self):
        page = json.loads(self.run_snippet("curl.sh", "bash"))
        self.assertEqual(page["numberMatched"], self.wanted())
        self.assertEqual(len(page["features"]), self.wanted())

    def test_the_one_of_geopandas_counts_them(self):
        words = self.run_snippet("python.py", sys.executable).split()
        self.assertEqual(words[:2], [str(self.wanted()), "devices"])

    def test_the_one_of_javascript_counts_them(self):
        words = self.run_snippet("javascript.mjs", "node").split()
        self.assertEqual(words[:2], [str(self.wanted()), "devices"])
