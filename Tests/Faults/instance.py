"""A real Farol with faults, its promises, and the observers of both."""

import contextlib
import http.client
import json
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "Crash"))

from people import create_admin, create_token  # noqa: E402
from server import Farol  # noqa: E402

ITEMS = "/api/collections/devices/items"
# Responses that a disk fault must not affect: pages, in-memory data, and SQL.
READS = ("/healthz", "/", f"{ITEMS}?limit=5", f"{ITEMS}?bbox=-10,30,10,60&limit=5",
         "/api/statistics?group_by=category", "/api/tiles/devices/0/0/0.mvt", "/api/taxonomies")
# Seconds after the end of a fault within which writes must succeed again.
RECOVERY = 6.0


class Broken(AssertionError):
    """A guarantee that was broken."""


def hold(condition, words):
    if not condition:
        raise Broken(words)


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


RUNNING = []


def end_all():
    """Ends the processes that a failed case has left running."""
    while RUNNING:
        RUNNING.pop().end()


class Instance(Farol):
    """A server with a data folder, a scratch folder next to it, and an admin's token."""

    def __init__(self, program, scratch, data=None, disk=None, settings=None):
        self.scratch = Path(scratch)
        data = Path(data) if data else self.scratch / "data"
        data.mkdir(exist_ok=True)
        super().__init__(program, HOME, data)
        # Outside of the data folder, so that it stays readable when the data are damaged.
        self.log_path = str(self.scratch / "serve.log")
        self.disk = disk
        self.settings = settings or {}
        self.promised = {}
        self.token = None
        RUNNING.append(self)

    def end(self):
        if self.process and self.process.poll() is None:
            self.kill()

    @property
    def database(self):
        return Path(self.folder) / "farol.db"

    def environment(self):
        return super().environment() | {"FAROL_MEDIA": str(Path(self.folder) / "media")}

    def serving(self):
        shim = self.disk.environment() if self.disk else {}
        return super().serving() | shim | self.settings

    def prepare(self, before=lambda: None):
        """Creates an admin, starts the server, creates a token and a first device; `before` runs before the
        start."""
        secret = create_admin(self)
        before()
        self.start()
        self.token = create_token(self, secret)
        hold(self.add().status == 201, "a first device could not be added")
        return self

    def ask(self, method, path, body=None, headers=None, timeout=15):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def send(self, method, path, body, headers=None, timeout=15):
        return self.ask(method, path, json.dumps(body), {
            "Content-Type": "application/json", "Authorization": f"Bearer {self.token}",
            **(headers or {})}, timeout)

    def add(self, timeout=15):
        """Adds a device and remembers it when the server acknowledges it."""
        number = uuid.uuid4().int
        name = f"fault {number % 10**12}"
        place = [number % 35_000 / 100 - 175, number // 35_000 % 16_000 / 100 - 80]
        answer = self.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": place},
            "properties": {"name": name, "category": "camera_fixed", "precision": "exact"},
        }, {"Content-Type": "application/geo+json"}, timeout)
        if answer.status == 201:
            self.promised[answer.json["id"]] = name
        return answer

    def expect_refused(self):
        """A write must get a 503 response with a sentence and a Retry-After header."""
        answer = self.add()
        hold(answer.status == 503, f"a write was answered {answer.status}: {answer.body[:300]}")
        hold(len(answer.json.get("detail", "")) > 20, f"no sentence in {answer.body[:300]}")
        hold("Retry-After" in answer.headers, "a 503 without Retry-After")
        return answer

    def recovered(self, within=RECOVERY):
        """The seconds until a write is accepted again."""
        begun = time.monotonic()
        while True:
            answer = self.add()
            passed = time.monotonic() - begun
            if answer.status == 201:
                return passed
            hold(answer.status == 503, f"a write was answered {answer.status}: {answer.body[:300]}")
            hold(passed < within, f"writes were still refused {passed:.1f} s after the fault had ended")
            time.sleep(0.05)

    def run(self, *arguments, timeout=1_800):
        """Runs a command of Farol next to the server. Returns its output."""
        done = subprocess.run(
            [self.program, *arguments], env=self.environment(), cwd=self.home, capture_output=True,
            text=True, timeout=timeout)
        hold(done.returncode == 0, f"farol {arguments[0]}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def lost(self):
        """The acknowledged writes that are missing."""
        return [one for one, name in self.promised.items() if not self.has(one, name)]

    def has(self, identity, name):
        answer = self.ask("GET", f"{ITEMS}/{identity}")
        return answer.status == 200 and answer.json["properties"]["name"] == name

    def log(self):
        return self.last_words(None)

    def last_words(self, count=2_000):
        text = Path(self.log_path).read_text(errors="replace")
        return text[-count:] if count else text

    def finish(self, restart=True):
        """Checks all promises, also after a restart, the exit code, and `farol check`."""
        hold(not self.lost(), "acknowledged writes were lost")
        hold(self.stop() == 0, f"it ended with {self.process.returncode}")
        code, words = self.check()
        hold(code == 0, f"farol check: {words.strip()}")
        if restart:
            self.start()
            hold(not self.lost(), "acknowledged writes were lost over a restart")
            hold(self.stop() == 0, f"it ended with {self.process.returncode} after a restart")


class Onlooker(threading.Thread):
    """Reads all the time, and records failures and the duration of the slowest response."""

    def __init__(self, instance, paths=READS):
        super().__init__(daemon=True)
        self.instance = instance
        self.paths = paths
        self.ending = threading.Event()
        self.served = 0
        self.failed = []
        self.longest = 0.0

    def run(self):
        while not self.ending.is_set():
            for path in self.paths:
                begun = time.monotonic()
                try:
                    status = self.instance.ask("GET", path, timeout=10).status
                except (OSError, http.client.HTTPException) as fault:
                    status = repr(fault)
                self.longest = max(self.longest, time.monotonic() - begun)
                if status in (200, 204):
                    self.served += 1
                else:
                    self.failed.append((path, status))
            self.ending.wait(0.02)


@contextlib.contextmanager
def watched(instance, paths=READS):
    """Reads continue while the block runs, and none may fail."""
    onlooker = Onlooker(instance, paths)
    onlooker.start()
    try:
        yield onlooker
    finally:
        onlooker.ending.set()
        onlooker.join(30)
    hold(not onlooker.failed, f"reads failed: {onlooker.failed[:4]}")
    hold(onlooker.served > 0, "nobody read")
