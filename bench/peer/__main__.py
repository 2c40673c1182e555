"""Compares adding devices in Farol and in FastAPI with PostGIS: the same tables, in turn, on the same disk.

docs/reference/performance.md, "Writes", has the results. `make bench-peer` installs the requirements.
"""

import argparse
import asyncio
import contextlib
import datetime
import glob
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import asyncpg  # noqa: E402

import report  # noqa: E402
import rows  # noqa: E402
import writes  # noqa: E402
from processes import Failure, Farol, Process, free_port  # noqa: E402
from world import make  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
FOLDER = os.path.join(ROOT, "data", "bench")
KEY = "peer"
# The further rows of each device in Farol's world; a listing is about 250 bytes.
FILLING = (
    """INSERT INTO device (id, name, category, longitude, latitude, precision, description, stale_on, created_at,
         updated_at, public_point, words)
       SELECT id, name, category, longitude, latitude, 'exact', description, '2027-01-01', created_at, created_at,
         ST_SetSRID(ST_Point(longitude, latitude), 4326), to_tsvector('simple', concat_ws(' ', name, description))
       FROM world""",
    "INSERT INTO device_location SELECT rowid, longitude, latitude FROM device",
    "INSERT INTO device_listing SELECT rowid, repeat('x', 250) FROM device",
    "INSERT INTO revision (device_rowid, number, kind, made_at) SELECT rowid, 1, 'add', created_at FROM device",
    "INSERT INTO change (device_rowid, kind, changed_at) SELECT rowid, 'added', created_at FROM device",
    "DROP TABLE world", "VACUUM ANALYZE", "CHECKPOINT",
)


def owner():
    """The user that PostgreSQL runs as, because it refuses to run as root."""
    return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


class PostgreSQL(Process):
    """A separate cluster on loopback. Each commit is on disk before the response."""

    def __init__(self, folder, environment):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not found:
            raise Failure("PostgreSQL is missing: run `make bench-peer`, which installs it.")
        self.port = free_port()
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        if owner():
            shutil.chown(folder, "postgres", "postgres")
        made = subprocess.run(
            [os.path.join(found[-1], "initdb"), "-D", folder, "-A", "trust", "-U", "peer"], cwd="/",
            env=environment, capture_output=True, text=True, **owner())
        if made.returncode:
            raise Failure(f"initdb cannot create {folder}: {made.stderr.strip()}")
        super().__init__(
            [os.path.join(found[-1], "postgres"), "-D", folder, "-p", str(self.port),
             "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
             "-c", "shared_buffers=512MB", "-c", "max_wal_size=2GB"], environment, cwd="/", **owner())

    @property
    def address(self):
        return f"postgres://peer@127.0.0.1:{self.port}/postgres"

    async def connect(self):
        for _ in range(100):
            try:
                return await asyncpg.connect(self.address)
            except (OSError, asyncpg.CannotConnectNowError):
                await asyncio.sleep(0.1)
        raise Failure("PostgreSQL does not respond")

    async def fill(self, path):
        """Creates the tables, with as many devices as in Farol's world."""
        world = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        database = await self.connect()
        with open(os.path.join(HERE, "schema.sql")) as schema:
            await database.execute(schema.read())
        await database.execute("INSERT INTO account (token) VALUES (sha256($1))", KEY.encode())
        await database.copy_records_to_table("category", records=world.execute("SELECT code, number FROM category"))
        await database.execute(
            "CREATE UNLOGGED TABLE world (id uuid, name text, category text, longitude float8, latitude float8,"
            " created_at timestamptz, description text)")
        rows = world.execute(
            "SELECT id, name, category, longitude, latitude, created_at, description FROM device")
        await database.copy_records_to_table(
            "world", records=((*row[:5], datetime.datetime.fromisoformat(row[5]), row[6]) for row in rows))
        for statement in FILLING:
            await database.execute(statement, timeout=1_800)
        await database.close()


class Peer(Process):
    """FastAPI in two processes."""

    def __init__(self, database, environment):
        self.port = free_port()
        super().__init__(
            [sys.executable, "-m", "uvicorn", "app:app", "--app-dir", HERE, "--port", str(self.port),
             "--workers", "2", "--loop", "uvloop", "--http", "httptools", "--no-access-log"],
            {**environment, "PEER_DATABASE": database.address, "PYTHONDONTWRITEBYTECODE": "1"})
        try:
            self.wait_for(self.port, "/openapi.json", 30)
        except BaseException:
            self.__exit__()
            raise


def measure(farol, key, peer, chosen):
    """The runs of Farol and of the other server, in turn, by number of clients."""
    script = os.path.join(os.path.dirname(HERE), "writes.lua")
    runs = {clients: ([], []) for clients in writes.CLIENTS}
    for turn in range(chosen.rounds + 1):  # the first run fills the caches
        for clients, found in runs.items():
            for (port, token), kept in zip(((farol.port, key), (peer.port, KEY)), found):
                run = writes.load(script, port, token, clients, chosen.seconds)
                if run["failed"] > clients:
                    raise Failure(f"{run['failed']} of {run['requests']} writes failed")
                if turn:
                    kept.append({"rate": run["requests"] / run["seconds"], "p50": run["p50"], "p99": run["p99"]})
    return runs


def table(runs, chosen):
    def median(found):
        return {name: statistics.median(run[name] for run in found) for name in found[0]}

    lines = [
        "", f"{datetime.date.today().isoformat()}, {report.machine()}; medians of {chosen.rounds} runs of "
        f"{chosen.seconds} s, wrk on the same machine.", "",
        "| Devices added by | Farol, a second | p50, p99 ms | FastAPI and PostGIS, a second | p50, p99 ms | times |",
        "|---|--:|--:|--:|--:|--:|"]
    for clients, found in runs.items():
        ours, theirs = map(median, found)
        lines.append(
            f"| {clients} client{'s' if clients > 1 else ''} | **{report.number(ours['rate'])}** "
            f"| {report.time(ours['p50'])}, {report.time(ours['p99'])} | {report.number(theirs['rate'])} "
            f"| {report.time(theirs['p50'])}, {report.time(theirs['p99'])} | {ours['rate'] / theirs['rate']:.1f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--devices", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=3)
    chosen = parser.parse_args()
    programs = os.path.join(ROOT, ".build", "release")
    farol_program = os.path.join(programs, "farol")
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8"}
    world = make(ROOT, FOLDER, farol_program, chosen.devices, environment)
    cluster = os.path.join(FOLDER, "peer")
    served = writes.copy(world, FOLDER, "writes-served")
    try:
        with contextlib.ExitStack() as running:
            database = running.enter_context(PostgreSQL(cluster, environment))
            print("==> Filling PostGIS (a minute for a million)", file=sys.stderr, flush=True)
            asyncio.run(database.fill(world))
            peer = running.enter_context(Peer(database, environment))
            key = writes.token(os.path.join(programs, "farol-bench"), served, environment)
            farol = running.enter_context(Farol(farol_program, ROOT, served, environment))
            farol.rest(600)
            print("==> Adding devices, in turn", file=sys.stderr, flush=True)
            rows.show("peer", table(measure(farol, key, peer, chosen), chosen), devices=chosen.devices)
    finally:
        shutil.rmtree(os.path.dirname(served), ignore_errors=True)
        shutil.rmtree(cluster, ignore_errors=True)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"bench: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
