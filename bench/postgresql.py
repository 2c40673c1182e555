"""A private PostgreSQL with the synthetic world, in a folder that stays for the next run."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processes import Failure, cpu
from world import fingerprint

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "Tests/TestPostgreSQL"))

from cluster import RULES, USER, Cluster, Missing  # noqa: E402

# As an operator would set it on a machine of this size; the rest is Debian's default. A write waits for the disk.
SETTINGS = ("-c shared_buffers=512MB -c effective_cache_size=4GB -c random_page_cost=1.1 -c max_connections=200"
            " -c max_wal_size=4GB -c synchronous_commit=on -c jit=off")


class PostgreSQL(Cluster):
    """A cluster whose data folder is kept. Its socket is in a temporary folder."""

    def __init__(self, data):
        self.data = Path(data)

    def __enter__(self):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        if not found:
            raise Failure("PostgreSQL is missing: run `setup/setup.sh dialect`.")
        from cluster import owner
        try:
            self.programs, self.user = found[-1], owner()
        except Missing as problem:
            raise Failure(str(problem)) from None
        self.folder = Path(tempfile.mkdtemp(prefix="farol-bench-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.own(self.folder)
        try:
            if not (self.data / "PG_VERSION").exists():
                shutil.rmtree(self.data, ignore_errors=True)
                self.data.mkdir(parents=True, mode=0o700)
                self.own(self.data)
                self.control("initdb", "--auth=trust", f"--username={USER}", "--encoding=UTF8", "--locale=C")
                (self.data / "pg_hba.conf").write_text(RULES)
            self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        return self

    def own(self, path):
        if self.user:
            os.chown(path, self.user["user"], self.user["group"])

    def __exit__(self, *_):
        try:
            self.stop("fast")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        self.control("pg_ctl", "start", "--wait", "--timeout=300", "--log", self.folder / "log", "--options",
                     f"-c listen_addresses= -c unix_socket_directories={self.folder} {SETTINGS}")
        self.postmaster = int((self.data / "postmaster.pid").read_text().split("\n", 1)[0])

    def control(self, program, *arguments, data=None):
        self.run(program, "--pgdata", self.data, *arguments)

    def url(self, database, folder=None):
        return f"postgresql:///{database}?host={folder or self.folder}&user={USER}"

    def ask(self, database, sql):
        """The only value of a query, as text."""
        done = subprocess.run(
            [self.programs / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", f"--host={self.folder}",
             f"--username={USER}", f"--dbname={database}", f"--command={sql}"], capture_output=True, text=True,
            cwd="/", env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, **self.user)
        if done.returncode:
            raise Failure(f"{sql}: {done.stderr.strip()}")
        return done.stdout.strip()

    def cpu(self):
        """The processor time of all its processes so far, in seconds: also of those that ended."""
        total = cpu(self.postmaster)
        children = Path(f"/proc/{self.postmaster}/task/{self.postmaster}/children").read_text().split()
        for child in children:
            try:
                total += cpu(child)
            except (OSError, IndexError):
                continue
        return total


def world(cluster, sqlite, farol, root, devices, environment):
    """The name of a database with the world of a file. It is copied if it is not there, or another one."""
    wanted = fingerprint(root, devices) + digest_of_schema(root)
    stamp = cluster.data / "farol-fingerprint"
    if stamp.exists() and stamp.read_text() == wanted:
        return "world"
    print("==> Copying the world to PostgreSQL (once; minutes)", file=sys.stderr, flush=True)
    cluster.execute("postgres", "DROP DATABASE IF EXISTS world")
    cluster.execute("postgres", "CREATE DATABASE world")
    cluster.execute("world", "CREATE EXTENSION postgis")
    with tempfile.TemporaryDirectory() as state:
        begun = time.monotonic()
        done = subprocess.run([farol, "copy", sqlite, cluster.url("world"), "--home", root], capture_output=True,
                              text=True, env=environment | {"FAROL_STATE": state})
    if done.returncode:
        raise Failure(f"farol copy failed: {(done.stdout + done.stderr).strip()[-500:]}")
    print(f"==> Copied in {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    cluster.execute("world", "VACUUM ANALYZE")
    cluster.execute("world", "CHECKPOINT")
    stamp.write_text(wanted)
    return "world"


def digest_of_schema(root):
    """Names and sizes of the migrations of PostgreSQL."""
    files = sorted((Path(root) / "migrations/postgresql").glob("*.sql"))
    return "".join(f"\n{file.name} {file.stat().st_size}" for file in files)
