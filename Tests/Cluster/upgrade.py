"""Upgrades three servers one after the other under load, with a migration in between, and checks that nothing is lost.

The newer versions are the same program with one migration more and with other files for browsers: one that earlier
versions can work with, and one that ends them. Everything runs on this machine, with one PostgreSQL and HAProxy, and is removed at the end. Exits with 1 if
an expectation failed.
"""

import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "Crash"), str(HERE.parent / "TestPostgreSQL")]

import psycopg2  # noqa: E402

import processes  # noqa: E402
from clients import FAULTS, Client, ListReader, MapReader, PageReader, Promises, Writer  # noqa: E402
from cluster import USER, Cluster, Missing  # noqa: E402
from people import create_admin, create_token  # noqa: E402
from servers import Servers  # noqa: E402

ADDS = "ALTER TABLE device ADD COLUMN later text NOT NULL DEFAULT '';\nCREATE TABLE later (device_rowid bigint);\n"
ENDS = "-- Stops earlier versions.\nALTER TABLE device ADD COLUMN even_later text;\n"

wrong = []


def expect(sentence, right, found=""):
    print(f"{'ok  ' if right else 'NOT '} {sentence}{f': {found}' if found != '' else ''}", flush=True)
    if not right:
        wrong.append(sentence)


def newer_home(folder, before, name, sql):
    """An installation with one migration more than another one, and with other scripts."""
    home = folder / name
    (home / "data").mkdir(parents=True)
    (home / "seed").symlink_to(HOME / "seed")
    for part in (HOME / "data").iterdir():
        if part.name != "front":
            (home / "data" / part.name).symlink_to(part)
    shutil.copytree(HOME / "public", home / "public")
    with open(home / "public/js/dom.js", "a", encoding="utf-8") as script:
        script.write(f"\nglobalThis.release = '{name}';\n")
    subprocess.run([HOME / "setup/front.py", "--sources", home / "public", home / "data/front"], check=True)
    shutil.copytree(Path(before) / "migrations", home / "migrations")
    migrations = home / "migrations/postgresql"
    number = max(int(path.name[:4]) for path in migrations.glob("*.sql")) + 1
    (migrations / f"{number:04}_{name}.sql").write_text(sql)
    return home


class Run:
    def __init__(self, program, folder, cluster):
        cluster.execute("template1", "CREATE EXTENSION postgis")
        cluster.execute("postgres", "CREATE DATABASE farol")
        self.folder, self.cluster = folder, cluster
        url = f"postgresql:///farol?host={cluster.folder}&user={USER}"
        self.servers = Servers(program, HOME, folder, [url] * 3)
        secret = create_admin(self.servers.all[0])
        self.servers.start()
        self.token = create_token(self.servers.all[0], secret)
        self.promises = Promises()
        self.chance = random.SystemRandom()

    def load(self):
        port, context = self.servers.port, self.servers.context()
        self.maps = [MapReader(port, context, self.chance.getrandbits(64), 0.01) for _ in range(3)]
        self.lists = [ListReader(port, context, self.chance.getrandbits(64), 0.05)]
        self.pages = [PageReader(port, context, self.chance.getrandbits(64), 0.01)]
        writers = [Writer(port, context, self.token, self.promises, self.chance.getrandbits(64), 0.02) for _ in range(6)]
        self.workers = [*self.maps, *self.lists, *self.pages, *writers]
        for worker in self.workers:
            worker.start()

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for worker in self.workers:
                if worker.fault:
                    raise worker.fault
            time.sleep(0.05)

    def upgrade(self, server, home):
        """Replaces a server by one of another version, as the package does."""
        expect(f"server {server.number} stops in good order", server.process.stop() == 0)
        server.home = str(home)
        server.process.environment = server.environment()
        server.start()
        seconds = server.wait_until_ready()
        self.wait(1.5)
        return seconds

    def writes_since(self, moment):
        with self.promises.lock:
            return sum(sent >= moment for sent, _ in self.promises.acknowledged)

    def longest_pause(self, since):
        """The longest time without an acknowledged write."""
        with self.promises.lock:
            times = [since] + sorted(answered for _, answered in self.promises.acknowledged if answered > since)
        return max(after - before for before, after in zip(times, times[1:], strict=False))

    def upgrade_all(self, home, ends_earlier):
        begun = time.monotonic()
        first, *others = self.servers.all
        self.upgrade(first, home)
        half = time.monotonic()
        self.wait(2)
        ready = [server.is_ready() for server in others]
        alive = [ask(server, "/healthz") for server in others]
        words = "are not ready any more" if ends_earlier else "stay ready"
        expect(f"the servers of the earlier version {words}", ready == [not ends_earlier] * 2, ready)
        expect("and are alive", alive == [200, 200], alive)
        written = [write(server, self.token) for server in others]
        expect(f"and {'refuse writes' if ends_earlier else 'write'}",
               written == [503 if ends_earlier else 201] * 2, written)
        expect("writes through HAProxy go on with both versions", self.writes_since(half) > 10, self.writes_since(half))
        for server in others:
            self.upgrade(server, home)
        expect("the longest pause of writes is below ten seconds", self.longest_pause(begun) < 10,
               f"{self.longest_pause(begun):.1f} s")

    def finish(self):
        for worker in self.workers:
            worker.stop()
        for worker in self.workers:
            worker.join(timeout=60)
            if worker.fault:
                raise worker.fault
        for kind, readers in (("map", self.maps), ("list", self.lists), ("page or file of a page", self.pages)):
            outcomes = [status for reader in readers for _, _, status in reader.seen]
            failed = [status for status in outcomes if status not in (200, 204, 304)]
            expect(f"no {kind} read failed", not failed, f"{len(failed)} of {len(outcomes)} {set(failed) or ''}")
        releases = self.pages[0].releases
        expect("pages of all three releases were read", len(releases) == 3, len(releases))
        with psycopg2.connect(host=str(self.cluster.folder), user=USER, dbname="farol") as connection:
            with connection.cursor() as cursor:
                cursor.execute("SELECT name, count(*) FROM main.device WHERE name LIKE 'cluster %' GROUP BY name")
                stored = dict(cursor.fetchall())
        promised = self.promises.devices
        expect("every acknowledged device is stored", all(name in stored for name in promised),
               f"{len(promised)} acknowledged, {self.promises.repeated} attempts repeated")
        expect("and once", all(count == 1 for count in stored.values()))

    def refuses_earlier(self):
        server = self.servers.all[0]
        server.process.stop()
        server.home = str(HOME)
        status, words = server.command("migrate")
        expect("a server of the earlier version does not start on the newer schema",
               status == 1 and "and this Farol knows" in words and len(words.strip().splitlines()) == 1, words.strip())


def ask(server, path):
    try:
        return Client(server.place, patience=10).ask("GET", path)[0]
    except FAULTS as fault:
        return type(fault).__name__


def write(server, token):
    """The status of a write that one server is asked for."""
    longitude = random.SystemRandom().uniform(-179, 179)
    body = ('{"type":"Feature","geometry":{"type":"Point","coordinates":[%.6f,75.5]},"properties":'
            '{"name":"directly","category":"camera_fixed","precision":"exact"}}' % longitude)
    return Client(server.place, patience=20).ask("POST", "/api/collections/devices/items", body, {
        "Authorization": f"Bearer {token}", "Content-Type": "application/geo+json"})[0]


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    program = Path(sys.argv[1]).resolve()
    folder = Path(tempfile.mkdtemp(prefix="farol-upgrade-", dir="/tmp"))
    run = None
    try:
        with Cluster() as cluster:
            run = Run(program, folder, cluster)
            adds = newer_home(folder, HOME, "adds", ADDS)
            ends = newer_home(folder, adds, "ends", ENDS)
            run.load()
            run.wait(3)
            run.upgrade_all(adds, ends_earlier=False)
            run.upgrade_all(ends, ends_earlier=True)
            run.finish()
            run.refuses_earlier()
            for one in processes.started:
                one.kill()
    except Missing as problem:
        sys.exit(f"{problem}")
    except BaseException:
        for path in sorted(folder.glob("farol*/serve.log")):
            print(f"{path}:\n{path.read_text(errors='replace')[-2_000:]}", file=sys.stderr)
        raise
    finally:
        for one in processes.started:
            one.kill()
        shutil.rmtree(folder, ignore_errors=True)
    if wrong:
        sys.exit(f"{len(wrong)} expectations failed")


if __name__ == "__main__":
    main()
