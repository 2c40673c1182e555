"""WebKitGTK's MiniBrowser, the closest to the browser of iOS, controlled by W3C WebDriver."""

import base64
import glob
import json
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

from support.display import environment, stop
from support.farol import free_port
from support.waiting import until

KEYS = {"Enter": "\ue007", "ArrowDown": "\ue015", "Escape": "\ue00c", "Tab": "\ue004"}


class WebKit:
    name = "WebKitGTK"

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="farol-webkit-")
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}", "--host=127.0.0.1"],
            env=environment(self.folder) | {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: self.call("GET", "/status") is not None, "WebKitWebDriver to start")
        found = sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))
        options = {"args": ["--automation"]} | ({"binary": found[-1]} if found else {})
        session = self.call("POST", "/session", {
            "capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        self.session = f"/session/{session['sessionId']}"
        self.call("POST", f"{self.session}/timeouts", {"script": 60_000, "pageLoad": 90_000})
        self.call("POST", f"{self.session}/window/rect", {"x": 0, "y": 0, "width": 1300, "height": 900})

    def call(self, method, path, body=None):
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(
            self.base + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"WebKit: {error.read().decode(errors='replace')[:500]}") from None

    def goto(self, url):
        self.call("POST", f"{self.session}/url", {"url": url})

    def evaluate(self, expression):
        """The value of an expression; a promise is awaited."""
        return self.call("POST", f"{self.session}/execute/async", {"args": [], "script": f"""
          const done = arguments[arguments.length - 1];
          Promise.resolve({expression}).then(done, (error) => done(String(error)));"""})

    def click(self, x, y):
        self.call("POST", f"{self.session}/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y), "origin": "viewport"},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def type(self, text):
        keys = [KEYS[text]] if text in KEYS else list(text)
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", f"{self.session}/actions", {
            "actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def back(self):
        self.call("POST", f"{self.session}/back")

    def picture(self, file):
        file.write_bytes(base64.b64decode(self.call("GET", f"{self.session}/screenshot")))

    def complaints(self):
        """WebDriver cannot read the console."""
        return []

    def close(self):
        try:
            self.call("DELETE", self.session)
        except Exception as error:  # the process is stopped in any case
            print(f"WebKit did not close: {error}")
        stop(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)
