"""A real Farol server: the debug build with its own database on loopback, stopped by its process id."""

import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from support.waiting import PATIENCE, until

HOME = Path(__file__).resolve().parents[3]
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
PROGRAM = Path(os.environ.get("FAROL_PROGRAM", HOME / ".build/debug/farol"))

# Fictional devices for tests that need exact data, and real ones for realistic maps.
LISTS = [
    (FIXTURES / "devices.geojson", FIXTURES / "mapping.json"),
    (HOME / "seed/sample/berlin-eco-counter/ecocounter.geojson.gz", "berlin-eco-counter"),
    (HOME / "seed/sample/berlin-telraam/telraam.geojson.gz", "berlin-telraam"),
]


class Farol:
    """One server. `stop` and `start` keep its port and its database."""

    def __init__(self, folder, port=None):
        self.folder = Path(folder)
        self.port = port or free_port()
        self.process = None
        self.stops = 0  # number of stops
        self.settings = {}  # environment variables for the next start

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self, patience=PATIENCE):
        log = open(self.folder / "serve.log", "ab")
        self.process = subprocess.Popen(
            [str(PROGRAM), "serve"], env=self.environment(), cwd=HOME,
            stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        log.close()
        until(self.is_ready, f"Farol to answer at {self.address} (log: {self.folder}/serve.log)", patience)
        return self

    def is_ready(self):
        if self.process.poll() is not None:
            words = (self.folder / "serve.log").read_text(errors="replace")[-2000:]
            raise RuntimeError(f"Farol ended with {self.process.returncode}: {words}")
        return self.get("/readyz", raw=True) is not None

    def stop(self):
        if self.process is None:
            return
        self.stops += 1
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FAROL_")}
        return kept | {
            "FAROL_HOME": str(HOME),
            "FAROL_DATABASE": str(self.folder / "farol.db"),
            "FAROL_LISTEN": f"127.0.0.1:{self.port}",
            "FAROL_CONNECTIONS_PER_ADDRESS": "1000", "FAROL_READ_SECONDS": "0",
            # Not the street maps that the set-up script may have created.
            "FAROL_STREETS": str(self.streets()),
            # Tests set their client network themselves.
            "FAROL_TRUSTED_PROXIES": "127.0.0.1/32",
        } | self.settings

    def streets(self):
        """The folder of this server's street maps; empty unless a test adds one."""
        folder = self.folder / "streets"
        folder.mkdir(exist_ok=True)
        return folder

    def get(self, path, language="en", raw=False):
        """The JSON response of the API, or its bytes."""
        request = urllib.request.Request(
            self.address + path, headers={"Accept-Language": language})
        with urllib.request.urlopen(request, timeout=30) as answer:
            body = answer.read()
        return body if raw else json.loads(body)

    @contextlib.contextmanager
    def database(self):
        """The database itself; changes apply to the next request."""
        connection = sqlite3.connect(self.folder / "farol.db", timeout=30)
        try:
            with connection:
                yield connection
        finally:
            connection.close()

    def items(self, **query):
        return self.get("/api/collections/devices/items?" + urllib.parse.urlencode(query))

    def device(self, name):
        """The first device with exactly this name."""
        found = self.items(q=name, limit=50)["features"]
        return next(feature for feature in found if feature["properties"]["name"] == name)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def new_folder():
    folder = Path(tempfile.mkdtemp(prefix="farol-browser-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    data = HOME / "data"
    for name in ("places.db", "borders.db", "countries.bin"):
        if (data / name).exists():
            (folder / name).symlink_to(data / name)
    # Under the name that Farol looks for first: the full map, where it was built too, has more places and other names.
    small = data / "basemap-small.mbtiles"
    (folder / "basemap.mbtiles").symlink_to(small if small.exists() else data / "basemap.mbtiles")
    return folder


def seeded_folder(lists=LISTS):
    """A folder with a database that contains the lists."""
    folder = new_folder()
    farol = Farol(folder)
    for file, mapping in lists:
        done = subprocess.run(
            [str(PROGRAM), "import", str(file), "--mapping", str(mapping)],
            env=farol.environment(), cwd=HOME, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise RuntimeError(f"{file.name} could not be imported: {done.stdout}{done.stderr}")
    return folder


_shared = None
_seeded = None


def seeded():
    """The folder that all databases of this run are copied from."""
    global _seeded
    _seeded = _seeded or seeded_folder()
    return _seeded


def shared_farol():
    """The server of all tests that only read."""
    global _shared
    if _shared is None:
        _shared = Farol(seeded()).start()
        atexit.register(_shared.stop)
    return _shared


def own_farol():
    """A server for one test, which may stop it; its database is a copy."""
    folder = new_folder()
    for file in seeded().glob("farol.db*"):
        if not file.name.endswith((".lock", ".sock", "-shm")) and file.is_file():
            shutil.copy(file, folder / file.name)
    return Farol(folder)
