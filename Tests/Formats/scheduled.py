"""Serves the attacks from a web site that a schedule imports from, and kills a server in the middle of such a run.

The site has a public address in a network of its own (Tests/Alerts/network.py), so that the server reaches it in the
same way as any other: by name, over TLS, through the checks of its address. Nothing leaves the machine.
"""

import http.server
import json
import ssl
import sys
import threading
import time
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "Tests/Browser"), str(HOME / "Tests/Alerts")]

import network  # noqa: E402
import served  # noqa: E402

PATH = "/api/admin/import-schedules"
SECONDS = 300.0  # a debug build refuses 65,000 rows of 4 kB before the end of a bomb, while other tests run
# Rows of the list that is being imported when the server is killed.
ROWS = 20_000


class Site:
    """An https site with the files of a folder, and with paths that break the rules of HTTP for lists."""

    def __init__(self, folder, certificate, key):
        self.folder, self.asked, self.bodies = folder, [], {}
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                name = self.path.removeprefix("/")
                site.asked.append((name, self.headers["If-None-Match"]))
                if name == "endless":
                    return self.endless()
                if name == "not-modified":
                    return self.answer(304, None)
                body = site.bodies.get(name)
                if body is None:
                    file = site.folder / name
                    if not file.is_file():
                        return self.answer(404, b"")
                    body = file.read_bytes()
                # A type that no list has; the content decides.
                self.answer(200, body, "image/png")

            def answer(self, status, body, kind="text/plain"):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                if body is not None:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if body:
                    self.wfile.write(body)

            def endless(self):
                self.send_response(200)
                self.end_headers()
                try:
                    while True:
                        self.wfile.write(b"a,b\n" * 16_384)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((network.ADDRESS, 443), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Schedules:
    """An admin of a server who imports lists from the site."""

    def __init__(self, server):
        from support.accounts import confirmed_person
        self.server = server
        self.admin = confirmed_person(server, "clara").become_admin()
        self.sign_in()

    def sign_in(self):
        _, headers, body = self.admin.send("POST", "/api/session", {
            "login": self.admin.username, **self.admin.proof()}, expect=200)
        name, _, value = headers["Set-Cookie"].split(";")[0].partition("=")
        self.admin.cookie, self.admin.csrf = (name, value), body["csrf_token"]

    def add(self, name, mapping):
        return self.admin.send("POST", PATH, {
            "name": name[:80], "url": f"https://{network.HOST}/{name}", "mapping": mapping, "every": "day",
            "hour": 3}, expect=201)[2]["id"]

    def begin(self, number, confirmed=False):
        self.admin.send("POST", f"{PATH}/{number}/run", {"confirmed": confirmed}, expect=202)

    def result(self, number):
        """The last run, once no run is in progress."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            shown = self.admin.send("GET", f"{PATH}/{number}", expect=200)[2]
            if not shown["running"]:
                return shown["last_run"]
            time.sleep(0.2)
        return {"outcome": "endless", "problem": None, "sentence": None, "import": None}

    def run(self, name, mapping):
        """The last run of a new schedule, which is then deleted."""
        number = self.add(name, mapping)
        self.begin(number)
        result = self.result(number)
        self.admin.send("DELETE", f"{PATH}/{number}", expect=204)
        return result


def check(identity, hostile, found, secret, mapping):
    """Imports each attack from a site with the certificate and key of `identity`, and kills the server during a run.
    Returns what was wrong."""
    from support.farol import Farol, new_folder
    site = Site(hostile, *identity)
    server = Farol(new_folder()).start()
    try:
        schedules = Schedules(server)
        before = served.megabytes(server.process)
        wrong = check_attacks(schedules, found, secret, mapping)
        wrong += check_answers(schedules, site, mapping)
        grown = served.megabytes(server.process) - before
        print(f"The server has grown by {grown:.0f} MB")
        if grown > served.GROWTH:
            wrong.append(f"scheduled: the server has grown by {grown:.0f} MB")
        if secret.encode() in database_bytes(server):
            wrong.append("scheduled: the secret is in the database")
        return wrong + check_kill(schedules, site, mapping)
    finally:
        server.stop()
        site.stop()


def check_attacks(schedules, found, secret, mapping):
    """The refusals are those of an upload."""
    wrong = []
    for attack in found:
        begun = time.monotonic()
        result = schedules.run(attack.name, mapping)
        took = time.monotonic() - begun
        said = json.dumps(result, ensure_ascii=False)
        is_refused = result["outcome"] == "failed" and result["problem"] == "unreadable"
        faults = [fault for is_wrong, fault in (
            (secret in said, "the secret was read"),
            (result["outcome"] == "endless", f"not ended after {SECONDS:.0f} s"),
            (attack.sentence and not (is_refused and attack.sentence in result["sentence"]), f"not refused: {said}"),
            # Millions of rows that are no devices precede the refusal of these.
            (attack.code and not attack.sentence and result["outcome"] not in ("failed", "held"), f"taken: {said}"),
        ) if is_wrong]
        print(f"{'WRONG' if faults else 'ok   '} schedule of {attack.name}: {took:.1f} s, {said[:140]}", flush=True)
        wrong += [f"schedule of {attack.name}: {fault}" for fault in faults]
    return wrong


def check_answers(schedules, site, mapping):
    """Responses that are no list."""
    site.bodies["page"] = b"<!DOCTYPE html><html><body><p>Sign in to see this list.</p></body></html>"
    site.bodies["nothing"] = b""
    wrong = []
    for name, outcomes in (("endless", {("failed", "too_long")}), ("not-modified", {("failed", "status")}),
                           ("page", {("failed", "unreadable")}), ("nothing", {("failed", "unreadable")})):
        result = schedules.run(name, mapping)
        is_right = (result["outcome"], result["problem"]) in outcomes
        print(f"{'ok   ' if is_right else 'WRONG'} response {name}: {result}", flush=True)
        if not is_right:
            wrong.append(f"response {name}: {result}")
    return wrong


def check_kill(schedules, site, mapping):
    """A run that a kill interrupts runs once more after the start, and adds no device twice."""
    server, wrong = schedules.server, []
    # Two kinds of places in a run: the trial, and the import itself.
    for number, is_begun in enumerate((trial_is_running, import_is_running)):
        name = f"killed-{number}.geojson"
        site.bodies[name] = many(number)
        # From a separate source, in which nothing can be missing.
        schedule = schedules.add(
            name, mapping | {"source": mapping["source"] | {"code": f"killed-{number}", "name": f"Killed {number}"}})
        schedules.begin(schedule)
        killed = kill_when(server, is_begun)
        server.start()
        schedules.sign_in()
        result = schedules.result(schedule)
        with server.database() as database:
            def one(sql):
                return database.execute(sql).fetchone()[0]
            prefix = f"K{number}-%"
            faults = [fault for is_wrong, fault in (
                (not killed, "the run ended before the kill"),
                (result["outcome"] != "imported", f"{result}"),
                (one(f"SELECT count(*) FROM device WHERE source_key LIKE '{prefix}'") != ROWS, "rows are missing"),
                (one(f"SELECT count(*) FROM device_key WHERE key LIKE '{prefix}'") != ROWS, "keys are missing"),
                (one("SELECT count(*) FROM import_run WHERE state = 'running'"), "an import is still running"),
                (one("SELECT count(*) FROM job WHERE kind = 'run_import_schedule'"), "a job is left"),
                (site.asked.count((name, None)) != 2, f"asked {site.asked.count((name, None))} times"),
                (one(f"SELECT count(*) FROM import_run WHERE file = '{name}' AND state = 'done' AND dry_run = 0") != 1,
                 "not one complete import"),
            ) if is_wrong]
        print(f"{'WRONG' if faults else 'ok   '} kill while {is_begun.__name__.replace('_', ' ')}: {result}", flush=True)
        wrong += [f"kill {is_begun.__name__}: {fault}" for fault in faults]
    return wrong


def many(number):
    """A list that takes a debug build some seconds."""
    features = [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-9 + row / 1_000, 40 + number]},
         "properties": {"ref": f"K{number}-{row}", "kind": "Camera", "label": f"Device {row}"}}
        for row in range(ROWS)]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def trial_is_running(database):
    return database.execute("SELECT 1 FROM import_run WHERE state = 'running' AND dry_run = 1").fetchone()


def import_is_running(database):
    """With its first rows on the map."""
    return database.execute(
        "SELECT 1 FROM import_run WHERE state = 'running' AND dry_run = 0 AND rows > 0").fetchone()


def kill_when(server, is_begun):
    """Whether the server was killed in time."""
    until = time.monotonic() + SECONDS
    killed = False
    while not killed and time.monotonic() < until:
        with server.database() as database:
            killed = is_begun(database) is not None
        time.sleep(0.01)
    server.process.kill()
    server.process.wait()
    return killed


def database_bytes(server):
    return b"".join(file.read_bytes() for file in server.folder.glob("farol.db*") if file.is_file())
