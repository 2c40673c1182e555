"""Tests the rules, the dashboard and the runbook of operations/ with a real Farol and Debian's Prometheus.

Exits with status 1 when a check fails.
"""

import argparse
import json
import re
import shutil
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Crash")]

from monitor import Prometheus, Refused, tool  # noqa: E402
from server import Farol, free_port  # noqa: E402

HOME = HERE.parents[1]
RULES = HOME / "operations/prometheus"
DASHBOARD = HOME / "operations/grafana/farol.json"
TOKEN = "a-token-that-only-this-test-knows"


class WatchedFarol(Farol):
    """A server that provides its metrics to the readers that `access` allows, and makes a backup each day."""

    access = "loopback"

    def serving(self):
        settings = {"FAROL_METRICS": self.access, "FAROL_BACKUPS": f"{self.folder}/backups"}
        return super().serving() | settings

    def ask(self, path, body=None, headers=None):
        """Status, content type and text of a response."""
        request = urllib.request.Request(
            f"{self.base}{path}", body and json.dumps(body).encode(),
            {"Content-Type": "application/json"} | (headers or {}))
        try:
            with urllib.request.urlopen(request, timeout=20, context=self.trust) as answer:
                return answer.status, answer.headers["Content-Type"], answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as error:
            return error.code, error.headers["Content-Type"], error.read().decode("utf-8", "replace")

    def be_used(self):
        """A sample of all kinds of visitor requests."""
        for path in ("/", "/learn", "/api", "/api/collections/devices/items?limit=2",
                     "/api/tiles/devices/1/0/0.mvt", "/api/tiles/devices/1/0/0.mvt", "/api/places?q=sao", "/nowhere",
                     "/api/statistics?group_by=category", "/api/exports/devices.csv"):
            self.ask(path)
        self.ask("/api/session", {"login": "nobody", "password": "wrong wrong wrong"})
        self.ask("/api/accounts", {
            "username": f"p{time.monotonic_ns()}"[:20], "email": "p@example.org",
            "password": "uma palavra-passe bem comprida", "accept_terms": True})


class Questions:
    def __init__(self):
        self.wrong = []

    def expect(self, sentence, right, found=""):
        print(f"{'ok  ' if right else 'NOT '} {sentence}{f': {found}' if found else ''}", flush=True)
        if not right:
            self.wrong.append(sentence)

    # Checks of the files alone.

    def rules_are_sound(self, promtool):
        for what in (("check", "rules", RULES / "alerts.yml"),
                     ("test", "rules", RULES / "alerts_test.yml"),
                     ("check", "config", RULES / "prometheus.yml")):
            status, said = tool(promtool, *what)
            self.expect(f"promtool {' '.join(map(str, what[:2]))} finds nothing", status == 0,
                        "" if status == 0 else said[-800:])

    def alerts_are_told_and_tested(self):
        alerts = re.findall(r"- alert: (\w+)", (RULES / "alerts.yml").read_text())
        tests = (RULES / "alerts_test.yml").read_text()
        runbook = (HOME / "docs/how-to/runbook.md").read_text()
        sections = re.findall(r"^### (Farol\w+)$", runbook, re.M)
        self.expect("the runbook has a section for each alert, and no other",
                    sorted(sections) == sorted(alerts), sorted(set(sections) ^ set(alerts)) or "")
        for alert in alerts:
            section = runbook.split(f"### {alert}\n")[-1].split("\n#")[0]
            rule = (RULES / "alerts.yml").read_text().split(f"- alert: {alert}\n")[1].split("- alert")[0]
            severity = re.search(r"severity: (\w+)", rule)[1]
            complete = (f"runbook: docs/how-to/runbook.md#{alert.lower()}\n" in rule
                        and all(f"{word}: " in rule for word in ("summary", "description"))
                        and f"**{severity.capitalize()}.**" in section
                        and all(f"name: {alert} {end}\n" in tests for end in ("fires", "is quiet")))
            if not complete:
                self.expect(f"{alert} has its words, its severity and both tests", False)
        for anchor in re.findall(r"\]\(#(\w+)\)", runbook):
            if anchor not in {alert.lower() for alert in alerts}:
                self.expect(f"#{anchor} of the runbook leads somewhere", False)

    # Checks with a running Farol.

    def text_is_sound(self, farol, promtool):
        status, kind, text = farol.ask("/metrics")
        self.expect("the figures are there", status == 200 and kind.startswith("text/plain"), status)
        status, said = tool(promtool, "check", "metrics", given=text)
        self.expect("promtool check metrics finds nothing", status == 0 and not said, said)
        _, kind, text = farol.ask("/metrics", headers={"Accept": "application/openmetrics-text"})
        self.expect("OpenMetrics comes when asked for",
                    kind.startswith("application/openmetrics-text") and text.endswith("# EOF\n"))

    def is_read(self, prometheus):
        found = prometheus.until('up{job="farol"} == 1')
        target = prometheus.ask("targets")["activeTargets"][0]
        self.expect("Prometheus reads Farol", bool(found), target["lastError"])
        clash = prometheus.query('{__name__=~".+",exported_job!=""} or {__name__=~".+",exported_instance!=""}')
        self.expect("no label of ours is one of Prometheus's own", not clash)
        documented = set(re.findall(r"^((?:farol|process)_\w+)\t",
                                    (HOME / "docs/reference/metrics.tsv").read_text(), re.M))
        read = {re.sub(r"_(bucket|sum|count)$", "", name) if name not in documented else name
                for name in prometheus.ask("label/__name__/values")}
        missing = documented - read
        self.expect("every figure that is documented is read", not missing, sorted(missing) or "")

    def moves(self, prometheus):
        for expression in (
                'farol_http_requests_total{operation="getDevices",status="2xx"}',
                'farol_http_requests_total{operation="none",status="4xx"}',
                'farol_sign_ins_total{outcome="refused"}', 'farol_mail_total{outcome="sent"}',
                'farol_job_runs_total{outcome="succeeded"}', "farol_tile_cache_hits_total",
                "farol_database_write_duration_seconds_count", "farol_point_index_devices",
                "farol_job_last_success_timestamp_seconds", "farol_http_response_bytes_total",
                "farol_backup_last_timestamp_seconds"):
            self.expect(f"{expression} is more than 0", bool(prometheus.until(f"{expression} > 0")))

    def dashboard_is_drawn(self, prometheus):
        dashboard = json.loads(DASHBOARD.read_text())
        panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
        places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
        self.expect("no two panels lie in one place", len(set(places)) == len(places))
        expressions = [(panel["title"], target["expr"]) for panel in panels
                       for target in panel["targets"]]
        expressions += [("annotation", one["expr"]) for one in dashboard["annotations"]["list"]]
        used = set()
        for title, written in expressions:
            expression = written.replace("$instance", ".+").replace("$__rate_interval", "1m")
            used |= set(re.findall(r"\b(?:farol|process)_\w+", expression))
            # Without a fault these expressions give no values.
            may_be_empty = expression.endswith("> 0")
            try:
                found = prometheus.query(expression)
                if not found and not may_be_empty:
                    self.expect(f"“{title}” shows something", False, expression)
            except Refused as refusal:
                self.expect(f"“{title}” can be asked", False, f"{expression}: {refusal}")
        self.expect(f"the {len(expressions)} queries of the dashboard were asked", len(expressions) > 50)
        for one in dashboard["templating"]["list"]:
            if one["type"] == "query":
                name = re.match(r"label_values\((\w+), (\w+)\)", one["query"]["query"])
                found = prometheus.query(f'{name[1]}{{{name[2]}!=""}}')
                self.expect(f"the choice of {one['name']} has something", bool(found))

    def alerts_are_asked(self, prometheus):
        deadline = time.monotonic() + 10
        while (rules := prometheus.rules()) and time.monotonic() < deadline \
                and any(rule["health"] == "unknown" for rule in rules):
            time.sleep(0.25)
        written = re.findall(r"- alert: (\w+)", (RULES / "alerts.yml").read_text())
        self.expect("every alert is loaded", sorted(rule["name"] for rule in rules) == sorted(written))
        for rule in rules:
            if rule["health"] != "ok":
                self.expect(f"{rule['name']} can be asked", False, rule.get("lastError", ""))
            for name in set(re.findall(r"\b(?:farol|process)_\w+(?:\{[^}]*\})?", rule["query"])):
                # Compares labels, not values.
                metric = name.split("{")[0]
                labels = re.findall(r"(\w+)(?:=|!)", name.partition("{")[2])
                wanted = ",".join(f'{label}!=""' for label in labels)
                if not prometheus.query(f"{metric}{{{wanted}}}"):
                    self.expect(f"{rule['name']} asks for what is there", False, name)
        firing = [rule["name"] for rule in rules if rule["state"] == "firing"]
        self.expect("none fires while all is well", not firing, firing or "")

    def renewal_is_noticed(self, farol, prometheus):
        ends = "farol_tls_certificate_end_timestamp_seconds - time()"
        for days, told in ((10, "firing or about to"), (1, "firing or about to"), (90, "quiet")):
            farol.be_certified(days)
            farol.process.send_signal(signal.SIGHUP)
            found = prometheus.until(f"{(days - 1) * 86_400} < ({ends} <= {days * 86_400})")
            self.expect(f"a certificate of {days} days is told without a restart", bool(found))
            alert = {10: "FarolCertificateEnds", 1: "FarolCertificateEndsNow"}.get(days)
            right = prometheus.until(f'ALERTS{{alertname="{alert}"}}') if alert else prometheus.until(
                'absent(ALERTS{alertname=~"FarolCertificate.*"})')
            self.expect(f"the alerts of certificates are {told} then", bool(right))

    def lost_backups_are_noticed(self, farol, prometheus):
        shutil.rmtree(f"{farol.folder}/backups")
        gone = prometheus.until("absent(farol_backup_last_timestamp_seconds)", 40)
        self.expect("backups that are gone are told no more", bool(gone))

    def silence_is_noticed(self, farol, prometheus):
        farol.kill()
        pending = prometheus.until('ALERTS{alertname="FarolDown"}')
        self.expect("a Farol that is gone is noticed", bool(pending))
        farol.start()
        self.expect("and one that is back", bool(prometheus.until('up{job="farol"} == 1')))

    def strangers_get_nothing(self, farol):
        status = farol.ask("/metrics", headers={"X-Forwarded-For": "192.0.2.1"})[0]
        self.expect("what a proxy passes on gets nothing", status == 404, status)
        for access, wanted in (("off", 404), (TOKEN, 401)):
            farol.stop()
            farol.be_plain()
            farol.access = access
            farol.start()
            status = farol.ask("/metrics")[0]
            self.expect(f"without a right it is {wanted}", status == wanted, status)


def watch(questions, farol, programs, folder):
    promtool = Path(programs) / "promtool"
    # All optional parts that have metrics are switched on; afterwards plain HTTP and a token, as behind a
    # proxy.
    farol.be_certified(90)
    farol.start()
    prometheus = Prometheus(programs, HOME, folder, farol.port, free_port(), authority=farol.certificate)
    guarded = None
    try:
        prometheus.start()
        questions.text_is_sound(farol, promtool)
        farol.be_used()
        questions.is_read(prometheus)
        farol.be_used()
        # Rates need several readings.
        questions.expect("it reads again and again", bool(
            prometheus.until('count_over_time(up{job="farol"}[1m]) >= 5', 60)))
        questions.moves(prometheus)
        questions.dashboard_is_drawn(prometheus)
        questions.alerts_are_asked(prometheus)
        questions.renewal_is_noticed(farol, prometheus)
        questions.lost_backups_are_noticed(farol, prometheus)
        questions.silence_is_noticed(farol, prometheus)
        questions.strangers_get_nothing(farol)
        token = Path(folder) / "token"
        token.write_text(TOKEN)
        guarded = Prometheus(programs, HOME, folder, farol.port, free_port(), token)
        guarded.start()
        questions.expect("with the token Prometheus reads Farol",
                         bool(guarded.until('up{job="farol"} == 1')))
    finally:
        for one in (prometheus, guarded):
            if one:
                one.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--prometheus", required=True, help="the folder of prometheus and promtool")
    chosen = parser.parse_args()
    questions = Questions()
    questions.rules_are_sound(Path(chosen.prometheus) / "promtool")
    questions.alerts_are_told_and_tested()
    folder = tempfile.mkdtemp(prefix="farol-operations-")
    farol = WatchedFarol(chosen.program, HOME, folder)
    try:
        made = tool(chosen.program, "generate", "--devices", "300", "--seed", "7",
                    "--database", f"{folder}/farol.db", "--home", HOME)
        questions.expect("devices are made", made[0] == 0, made[1][-200:] if made[0] else "")
        watch(questions, farol, chosen.prometheus, folder)
    finally:
        if farol.process and farol.process.poll() is None:
            farol.stop()
        shutil.rmtree(folder, ignore_errors=True)
    if questions.wrong:
        sys.exit(f"{len(questions.wrong)} things were not as they should be")


if __name__ == "__main__":
    main()
