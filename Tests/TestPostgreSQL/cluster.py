"""A PostgreSQL cluster of its own: in a temporary folder, on a Unix socket only, removed at the end.

As a program it serves a test: it prints the folder of its socket, then executes one command for each line of its
input and prints a line when that is done. It ends with its input, so also when the test is killed.

    database   creates a database with PostGIS and prints its name
    copy NAME  copies a database without connections, and prints the name of the copy. Further copies of the database
               that is copied first are made ahead, so it must not change any more
    drop NAME  removes a database if it exists, soon, and ends its connections
    stop       stops the server in order
    crash      stops the server as a power cut does
    start      starts it again
    demote     starts it again as a standby without a primary
    promote    makes the standby a primary
    standby    starts a second server, a streaming standby of the first, on the port 5433
    promote-standby  the standby becomes a primary of a new timeline beside the first server
    stop-standby     stops it
    pause      the standby receives changes and does not apply them
    resume     it applies them again
"""

import contextlib
import itertools
import os
import pwd
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

USER = "farol"
# The role that tests sign in with a password.
RULES = "local all guest scram-sha-256\nlocal all all trust\nlocal replication all trust\n"
# Nothing outlives the machine here, and databases live for a second. Connections inherit the library of PostGIS, which
# otherwise each of them loads.
OPTIONS = " ".join(f"-c {option}" for option in (
    "fsync=off", "full_page_writes=off", "autovacuum=off", "checkpoint_timeout=1h", "max_wal_size=2GB",
    "shared_buffers=64MB", "max_connections=400", "jit=off", "shared_preload_libraries=postgis-3"))
# The most copies that are created ahead, and the most databases that wait to be removed.
AHEAD, LEFT = 4, 16
# Bytes for a cluster in memory.
ROOM = 4 << 30
STANDBY_PORT = 5433


class Missing(Exception):
    """PostgreSQL, or the user that it runs as, is missing."""


def owner():
    """PostgreSQL refuses to run as root: then it runs as the user of Debian's package."""
    if os.geteuid() != 0:
        return {}
    try:
        found = pwd.getpwnam("postgres")
    except KeyError:
        raise Missing("The user postgres is missing: run `setup/setup.sh dialect`.") from None
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


def place():
    """In memory if there is room: the databases of all tests together are many gigabytes."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and shutil.disk_usage(memory).free >= ROOM else Path("/tmp")


class Cluster:
    def __enter__(self):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        if not found:
            raise Missing("PostgreSQL is missing: run `setup/setup.sh dialect`.")
        self.programs, self.user = found[-1], owner()
        self.folder = self.make_folder()
        try:
            if self.user:
                os.chown(self.folder, self.user["user"], self.user["group"])
            self.control(
                "initdb", "--auth=trust", f"--username={USER}", "--encoding=UTF8", "--locale=C", "--no-sync")
            (self.folder / "data/pg_hba.conf").write_text(RULES)
            self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        return self

    def make_folder(self):
        # Not below TMPDIR, which another user may not be able to enter. A socket's path has at most 107 bytes.
        return Path(tempfile.mkdtemp(prefix="farol-postgresql-", dir=place()))

    def __exit__(self, *_):
        try:
            for data in ("standby", "data"):
                # It may be stopped already.
                if (self.folder / data / "postmaster.pid").exists():
                    self.stop("immediate", data)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, data="data", port=5432):
        self.control(
            "pg_ctl", "start", "--wait", "--log", self.folder / f"{data}.log", "--options",
            f"-p {port} -c listen_addresses= -c unix_socket_directories={self.folder} " + OPTIONS, data=data)

    def stop(self, mode, data="data"):
        self.control("pg_ctl", "stop", "--wait", f"--mode={mode}", data=data)

    def signal(self, number):
        """Sends a signal to all its processes."""
        first = (self.folder / "data/postmaster.pid").read_text().split()[0]
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", first], capture_output=True, text=True).stdout
        for process in [first, *listed.split()]:
            # A process may end meanwhile.
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), number)

    @contextlib.contextmanager
    def hanging(self):
        """All its processes are paused within this block."""
        self.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)

    def follow(self):
        self.control(
            "pg_basebackup", f"--host={self.folder}", f"--username={USER}", "--write-recovery-conf", "--no-sync",
            "--checkpoint=fast", data="standby")
        self.start("standby", STANDBY_PORT)

    def execute(self, database, sql, port=5432):
        self.run("psql", "--quiet", "--no-psqlrc", f"--host={self.folder}", f"--port={port}", f"--username={USER}",
                 f"--dbname={database}", "--set=ON_ERROR_STOP=1", f"--command={sql}")

    def control(self, program, *arguments, data="data"):
        self.run(program, "--pgdata", self.folder / data, *arguments)

    def run(self, program, *arguments):
        # The output of `pg_ctl start` stays open in the server, so it goes to a file and not to a pipe.
        with tempfile.TemporaryFile("w+") as output:
            ended = subprocess.run(
                [self.programs / program, *arguments], cwd="/", stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, **self.user)
            if ended.returncode:
                output.seek(0)
                raise RuntimeError(f"{program} failed: {output.read().strip()}")


class Databases:
    """The databases of tests. A copy takes a tenth of a second, so copies are made, and removed, while tests run."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.numbers = itertools.count(1)
        self.template = None
        self.ready = queue.Queue(AHEAD)
        self.unused = queue.Queue(LEFT)
        self.is_ending = False
        threading.Thread(target=self.remove, daemon=True).start()

    def make(self, options=""):
        name = f"test_{next(self.numbers)}"
        self.cluster.execute("postgres", f"CREATE DATABASE {name} {options} STRATEGY file_copy")
        return name

    def copy(self, template):
        if self.template is None:
            self.template = template
            threading.Thread(target=self.make_ahead, daemon=True).start()
        if template != self.template:
            return self.make(f"TEMPLATE {template}")
        found = self.ready.get()
        if isinstance(found, Exception):
            raise found
        return found

    def make_ahead(self):
        while not self.is_ending:
            try:
                self.ready.put(self.make(f"TEMPLATE {self.template}"))
            except RuntimeError as problem:
                return self.ready.put(problem)

    def remove(self):
        while True:
            name = self.unused.get()
            try:
                self.cluster.execute("postgres", f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            except RuntimeError as problem:
                # The server stops at the end.
                if not self.is_ending:
                    print(problem, file=sys.stderr)


def serve(cluster):
    # Databases are copies of it. The database `postgres` stays without PostGIS. Without the reference systems that Farol
    # does not use, a copy has half the size.
    cluster.execute("template1", "CREATE EXTENSION postgis")
    cluster.execute("template1", "DELETE FROM spatial_ref_sys WHERE srid NOT IN (4326, 3857)")
    cluster.execute("template1", "VACUUM FULL spatial_ref_sys")
    print(cluster.folder, flush=True)
    databases = Databases(cluster)
    for line in sys.stdin:
        answer = "done"
        match line.split():
            case ["database"]:
                answer = databases.make()
            case ["copy", name]:
                answer = databases.copy(name)
            case ["drop", name]:
                databases.unused.put(name)
            case ["stop"]:
                cluster.stop("fast")
            case ["crash"]:
                cluster.stop("immediate")
            case ["start"]:
                cluster.start()
            case ["demote"]:
                cluster.stop("fast")
                (cluster.folder / "data/standby.signal").touch(mode=0o644)
                cluster.start()
            case ["promote"]:
                cluster.control("pg_ctl", "promote", "--wait")
            case ["standby"]:
                cluster.follow()
            case ["promote-standby"]:
                cluster.control("pg_ctl", "promote", "--wait", data="standby")
            case ["stop-standby"]:
                cluster.stop("fast", "standby")
            case ["pause"]:
                cluster.execute("postgres", "SELECT pg_wal_replay_pause()", STANDBY_PORT)
            case ["resume"]:
                cluster.execute("postgres", "SELECT pg_wal_replay_resume()", STANDBY_PORT)
            case other:
                raise ValueError(f"no such command: {other}")
        print(answer, flush=True)
    databases.is_ending = True


def main():
    # An interrupted test ends the input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with Cluster() as cluster:
            serve(cluster)
    except Missing as problem:
        sys.exit(f"{problem}")


if __name__ == "__main__":
    main()
