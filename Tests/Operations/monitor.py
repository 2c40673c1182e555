"""Debian's Prometheus reads a real Farol, with the files of operations/, on loopback."""

import json
import os
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path


class Prometheus:
    """A Prometheus that reads Farol every second and stores its data in a separate folder."""

    def __init__(self, programs, home, folder, farol_port, port, token_file=None, authority=None):
        self.program, self.promtool = Path(programs) / "prometheus", Path(programs) / "promtool"
        self.folder = Path(folder) / f"prometheus-{port}"
        self.folder.mkdir()
        self.port = port
        self.process = None
        example = Path(home) / "operations/prometheus"
        text = replaced((example / "prometheus.yml").read_text(), [
            ("127.0.0.1:8080", f"127.0.0.1:{farol_port}"),
            ("scrape_interval: 15s", "scrape_interval: 1s"),
            ("evaluation_interval: 15s", "evaluation_interval: 1s"),
            ("- alerts.yml", f"- {example / 'alerts.yml'}"),
        ])
        if token_file:
            # The example's lines about a token, exactly as in the file.
            text = replaced(text, [
                ("    # authorization:", "    authorization:"),
                ("    #   credentials_file: /etc/prometheus/farol-token",
                 f"      credentials_file: {token_file}"),
            ])
        if authority:
            text = replaced(text, [
                ("    # scheme: https", "    scheme: https"),
                ("    # tls_config:", "    tls_config:"),
                ("    #   ca_file: /etc/prometheus/farol-authority.pem", f"      ca_file: {authority}"),
            ])
        self.config = self.folder / "prometheus.yml"
        self.config.write_text(text)

    def start(self):
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [self.program, f"--config.file={self.config}",
                 f"--storage.tsdb.path={self.folder / 'data'}",
                 f"--web.listen-address=127.0.0.1:{self.port}"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env={"PATH": os.environ["PATH"]})

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=30)

    def ask(self, path, **parameters):
        """The data of a response of the Prometheus API.

        Raises `Refused` with the error message.
        """
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise Refused(json.load(error).get("error", str(error))) from error

    def query(self, expression):
        """The current result of an expression: labels with a number each."""
        found = self.ask("query", query=expression)
        if found["resultType"] == "scalar":
            return [({}, float(found["result"][1]))]
        return [(one["metric"], float(one["value"][1])) for one in found["result"]]

    def until(self, expression, seconds=20):
        """The first non-empty result; an empty one after the time limit."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if found := self.query(expression):
                    return found
            except (OSError, Refused):
                pass
            time.sleep(0.25)
        return []

    def rules(self):
        """The alerting rules of Prometheus: name, expression, health, state."""
        groups = self.ask("rules", type="alert")["groups"]
        return [rule for group in groups for rule in group["rules"]]


class Refused(Exception):
    pass


def replaced(text, changes):
    """The text with every change applied; each old text must occur."""
    for old, new in changes:
        if old not in text:
            raise RuntimeError(f"there is no {old!r} to be changed for the test")
        text = text.replace(old, new)
    return text


def tool(program, *arguments, given=None):
    """Exit status and output of a Prometheus program."""
    done = subprocess.run([str(program), *map(str, arguments)], input=given, capture_output=True,
                          text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr
