"""schemathesis sends valid and invalid requests to every operation of `/api/openapi.json`, with every method, and checks
that the document declares each response.

The document is never loosened for a test: a response is declared, or corrected. Two checks are excluded:
`positive_data_acceptance` (a well-formed text may name an unknown person) and `negative_data_rejection` (a limit above
the maximum counts as the maximum, as OGC requires).
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support.accounts import Person
from support.farol import own_farol
from support.pictures import picture

HERE = Path(__file__).resolve().parent
ITEMS = "/api/collections/devices/items"
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "unsupported_method",
    "allow_header_conformance",
]
# Generated cases of one operation. `make test-clients` uses more, and also covers the values of each parameter
# one by one. That takes minutes, because there are many parameters.
EXAMPLES = int(os.environ.get("FAROL_EXAMPLES", "3"))
PHASES = "coverage,fuzzing" if EXAMPLES >= 20 else "fuzzing"
# The operations whose response never ends.
ENDLESS = ["getLiveChanges", "getVisitStream"]
# Operations that end the session that the other operations need.
ENDINGS = ["signOut", "endOtherSessions", "endSession", "endTokens", "endToken", "deleteAccount"]


class SchemathesisTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.farol = own_farol().start()
        cls.addClassCleanup(cls.farol.stop)
        cls.admin = Person(cls.farol, "root_admin").sign_up().grow_old().sign_in().become_admin()
        cls.ids = cls.things()

    @classmethod
    def things(cls):
        """Ids of the resources of which there is exactly one, by the path that contains them."""
        send = cls.admin.send
        device = cls.farol.items(limit=1)["features"][0]["id"]
        mine = send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [20, -30]},
            "properties": {"name": "Gate camera", "category": "camera_fixed"}}, expect=201)[2]["id"]
        edge = "----farol-edge"
        form = (
            f'--{edge}\r\nContent-Disposition: form-data; name="alt"\r\n\r\na gate\r\n'
            f'--{edge}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n'
            "Content-Type: image/png\r\n\r\n").encode() + picture((200, 60, 40)) + f"\r\n--{edge}--\r\n".encode()
        photo = send("POST", f"{ITEMS}/{mine}/photos", form, {
            "Content-Type": f"multipart/form-data; boundary={edge}"}, expect=201)[2]["id"]
        gone = send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [21, -30]},
            "properties": {"name": "Old camera", "category": "camera_fixed"}}, expect=201)
        send("DELETE", f"{ITEMS}/{gone[2]['id']}", {"reason": "never stood there"},
             {"If-Match": gone[1]["ETag"]}, expect=204)
        token = send("POST", "/api/account/tokens", {
            "name": "schemathesis", "scopes": ["read", "contribute", "choices", "records", "inbox", "operate", "moderate", "admin"]} | cls.admin.proof(), expect=201)[2]
        cls.token = token["token"]
        return {
            "/api/collections/devices/items/": ("id", [device, mine, gone[2]["id"]]),
            "/api/collections/devices/items/{id}/history/": ("revision", ["1"]),
            "/api/photos/": ("id", [photo]),
            "/api/account/tokens/": ("id", [token["id"]]),
            "/api/admin/accounts/": ("id", [cls.admin.id]),
            "/api/admin/imports/": ("id", ["1"]),
            "/api/people/": ("username", [cls.admin.username]),
            "/api/taxonomies/": ("scheme", ["data", "categories"]),
        }

    def settings(self):
        """Further configuration of schemathesis: mostly ids of existing resources."""
        lines = []
        for number, (path, (name, values)) in enumerate(self.ids.items()):
            lines += [f"[dictionaries.ids{number}]", f"values = {json.dumps(values)}"]
        for number, (path, (name, values)) in enumerate(self.ids.items()):
            pattern = "^" + path.replace("{", "\\\\{").replace("}", "\\\\}")
            lines += [
                "[[operations]]", f'include-path-regex = "{pattern}"',
                f'parameters = {{ "path.{name}" = {{ dictionary = "ids{number}", probability = 0.8 }} }}']
        return "\n".join(lines) + "\n"

    def run_as(self, credentials, *options):
        with tempfile.TemporaryDirectory() as folder:
            settings = Path(folder) / "schemathesis.toml"
            settings.write_text(self.settings())
            done = subprocess.run(
                [
                    str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(settings),
                    "--no-color", "run", self.farol.address + "/api/openapi.json",
                    "--checks", ",".join(CHECKS), "--phases", PHASES,
                    "--max-examples", str(EXAMPLES), "--seed", "20", "--no-shrink",
                    "--continue-on-failure", "--generation-database", "none", "--warnings", "off",
                    *[part for name in ENDLESS for part in ("--exclude-operation-id", name)], *options,
                ],
                cwd=folder, capture_output=True, text=True, timeout=1_800,
                env=os.environ | {
                    "SCHEMATHESIS_HOOKS": "schemathesis_hooks", "PYTHONPATH": str(HERE),
                    "FAROL_CREDENTIALS": json.dumps(credentials), "COLUMNS": "100"})
        words = done.stdout + done.stderr
        if os.environ.get("FAROL_SCHEMATHESIS_LOG"):
            with open(os.environ["FAROL_SCHEMATHESIS_LOG"], "a") as log:
                log.write(words)
        self.assertEqual(done.returncode, 0, words)
        self.assertIn("Test cases", words)

    def test_for_a_visitor(self):
        self.run_as({}, "--mode", "all")

    def test_for_an_admin_in_a_browser(self):
        name, value = self.admin.cookie
        self.run_as(
            {"Cookie": f"{name}={value}", "X-CSRF-Token": self.admin.csrf, "Sec-Fetch-Site": "same-origin"},
            "--mode", "all", *[part for name in ENDINGS for part in ("--exclude-operation-id", name)])

    def test_for_an_admins_program(self):
        self.run_as(
            {"Authorization": f"Bearer {self.token}"}, "--mode", "positive",
            *[part for name in ENDINGS for part in ("--exclude-operation-id", name)])
