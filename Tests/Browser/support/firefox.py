"""Firefox ESR controlled by WebDriver BiDi, without geckodriver."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import websocket

from support.display import environment, stop
from support.waiting import until

KEYS = {"Enter": "\ue007", "ArrowDown": "\ue015", "Escape": "\ue00c", "Tab": "\ue004"}

# Reported for requests that were in progress when the walk left a page.
NOISE = "A ServiceWorker intercepted the request and encountered an unexpected error"

# Disables automatic network requests and prompts.
PREFERENCES = {
    "app.update.auto": False, "app.normandy.enabled": False, "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "toolkit.telemetry.enabled": False,
    "services.settings.server": "data:,", "ui.prefersReducedMotion": 1,
    "webgl.force-enabled": True, "webgl.disable-fail-if-major-performance-caveat": True,
}


class Firefox:
    name = "Firefox"

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="farol-firefox-")
        profile = Path(self.folder) / "profile"
        profile.mkdir()
        profile.joinpath("user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()))
        self.log = Path(self.folder) / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["firefox-esr", "--profile", str(profile), "--no-remote", "--remote-debugging-port", "0",
                 "about:blank"],
                env=environment(self.folder), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        address = until(self.listening, "Firefox to start", seconds=90)
        self.socket = websocket.create_connection(f"{address}/session", timeout=120, suppress_origin=True)
        self.number = 0
        self.events = []
        self.send("session.new", {"capabilities": {}})
        self.send("session.subscribe", {"events": ["log.entryAdded", "network.beforeRequestSent"]})
        self.context = self.send("browsingContext.getTree", {})["contexts"][0]["context"]

    def listening(self):
        found = re.search(r"WebDriver BiDi listening on (ws://\S+)", self.log.read_text(errors="replace"))
        return found and found[1]

    def send(self, method, parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("type") == "event":
                self.events.append(answer)
            elif answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise RuntimeError(f"Firefox: {answer['error']}: {answer['message']}")
                return answer["result"]

    def resize(self, width, height):
        self.send("browsingContext.setViewport", {
            "context": self.context, "viewport": {"width": width, "height": height}})

    def goto(self, url):
        self.send("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"})

    def evaluate(self, expression):
        """The value of an expression, which must be serialisable as JSON; a promise is awaited."""
        result = self.send("script.evaluate", {
            "expression": f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))",
            "target": {"context": self.context}, "awaitPromise": True})
        if result["type"] == "exception":
            raise RuntimeError(f"Firefox: {result['exceptionDetails']['text']}")
        return json.loads(result["result"]["value"])

    def click(self, x, y):
        self.send("input.performActions", {"context": self.context, "actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "x": round(x), "y": round(y)},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def type(self, text):
        keys = [KEYS[text]] if text in KEYS else list(text)
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.send("input.performActions", {"context": self.context, "actions": [
            {"type": "key", "id": "keyboard", "actions": actions}]})

    def back(self):
        self.send("browsingContext.traverseHistory", {"context": self.context, "delta": -1})

    def picture(self, file):
        shot = self.send("browsingContext.captureScreenshot", {"context": self.context})
        file.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self):
        """Errors in the console, and requests to other machines."""
        self.evaluate("0")
        found = []
        for event in self.events:
            given = event["params"]
            words = given.get("text") or ""
            if event["method"] == "log.entryAdded" and given["level"] == "error" and NOISE not in words:
                found.append(words)
            if event["method"] == "network.beforeRequestSent":
                url = given["request"]["url"]
                if url.startswith("http") and not url.startswith("http://127.0.0.1:"):
                    found.append(f"asked {url}")
        return found

    def close(self):
        self.socket.close()
        stop(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)
