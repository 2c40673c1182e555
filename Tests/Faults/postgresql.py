"""Faults of PostgreSQL under one server: a full disk, a crash, and a server that becomes a standby and is promoted."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cases import case
from disk import fill
from instance import HERE, Instance, hold, watched

sys.path.append(str(HERE.parent / "TestPostgreSQL"))

from cluster import USER, Cluster  # noqa: E402

# Responses from memory, which a fault of the database must not affect.
IN_MEMORY = ("/healthz", "/api/tiles/devices/0/0/0.mvt", "/")


def missing():
    return None if shutil.which("initdb") or list(Path("/usr/lib/postgresql").glob("*/bin/initdb")) else \
        "PostgreSQL is missing: run `setup/setup.sh dialect`"


class OnPostgreSQL(Instance):
    """A server on the database `farol` of a cluster."""

    cluster = None

    def environment(self):
        url = f"postgresql:///farol?host={self.cluster.folder}&user={USER}"
        return super().environment() | {"FAROL_DATABASE": url, "FAROL_STATE": self.folder}


class SmallCluster(Cluster):
    """A cluster in a real file system of 256 MB."""

    def __enter__(self):
        self.disk = Path(tempfile.mkdtemp(prefix="farol-disk-", dir="/tmp"))
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256m,mode=755", "farol", self.disk], check=True)
        return super().__enter__()

    def make_folder(self):
        folder = self.disk / "postgresql"
        folder.mkdir(mode=0o700)
        return folder

    def __exit__(self, *_):
        try:
            super().__exit__()
        finally:
            subprocess.run(["umount", "-l", self.disk], check=False)
            self.disk.rmdir()


@contextlib.contextmanager
def served(bench, kind=Cluster):
    """A cluster, and a server on it with one device."""
    with kind() as cluster:
        cluster.execute("postgres", "CREATE DATABASE farol")
        cluster.execute("farol", "CREATE EXTENSION postgis")
        instance = OnPostgreSQL(bench.program, bench.folder())
        instance.cluster = cluster
        try:
            yield cluster, instance.prepare()
        finally:
            instance.end()


def refused_for(instance, seconds):
    """How many writes were refused, all with 503 and a sentence, until the time has passed."""
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        instance.expect_refused()
        count += 1
        time.sleep(0.05)
    return count


@case("PostgreSQL's disk full", "the file system of the database is full, PostgreSQL cannot write its log and ends; it "
      "is started when there is space", needs_root=True, unless=missing)
def disk_full(bench):
    with served(bench, SmallCluster) as (cluster, instance):
        filler = cluster.disk / "filler"
        with watched(instance, IN_MEMORY) as onlooker:
            fill(filler)
            refused = written = 0
            while refused < 5:
                hold(written < 20_000, "the file system was never full")
                answer = instance.add()
                refused += answer.status == 503
                written += answer.status == 201
                hold(answer.status in (201, 503), f"a write was answered {answer.status}: {answer.body[:300]}")
            refused += refused_for(instance, 2)
            os.unlink(filler)
            if not is_running(cluster):
                cluster.start()
            recovered = instance.recovered(30)
        instance.finish()
        return {"reads": onlooker.served, "refused": refused, "writes again after": f"{recovered:.2f} s"}


def is_running(cluster):
    """Whether PostgreSQL accepts connections, after some seconds in which it may recover by itself."""
    for _ in range(20):
        try:
            cluster.execute("farol", "SELECT 1")
            return True
        except RuntimeError:
            time.sleep(0.25)
    with contextlib.suppress(RuntimeError):
        cluster.stop("immediate")
    return False


@case("PostgreSQL crashes", "all its processes end at once, twice, and it starts again", unless=missing)
def crash(bench):
    with served(bench) as (cluster, instance):
        recovered = []
        with watched(instance, IN_MEMORY) as onlooker:
            for _ in range(2):
                cluster.stop("immediate")
                refused_for(instance, 1)
                hold(instance.ask("GET", "/readyz").status == 503, "it says that it is ready")
                cluster.start()
                recovered.append(instance.recovered())
                hold(instance.add().status == 201, "a write was refused")
        instance.finish()
        return {"reads": onlooker.served, "writes again after": f"{max(recovered):.2f} s"}


@case("PostgreSQL becomes a standby", "the server behind the address is a standby, which is then promoted under open "
      "connections: lists continue, writes are refused until then", unless=missing)
def promoted(bench):
    with served(bench) as (cluster, instance):
        cluster.stop("fast")
        (cluster.folder / "data/standby.signal").touch(mode=0o644)
        cluster.start()
        lists = (*IN_MEMORY, "/api/collections/devices/items?limit=5")
        # Connections of the former server end with the first request.
        hold(instance.ask("GET", lists[-1]).status in (200, 503), "a list failed")
        with watched(instance, lists) as onlooker:
            refused = refused_for(instance, 2)
            cluster.control("pg_ctl", "promote", "--wait")
            recovered = instance.recovered()
        hold("Farol needs the primary" in instance.log(), "the log does not name the standby")
        instance.finish()
        return {"reads": onlooker.served, "refused": refused, "writes again after": f"{recovered:.2f} s"}


@case("PostgreSQL hangs", "all its processes are paused for 20 s, as a stalled machine is: what comes from memory is answered "
      "within 3 s, everything else is refused", unless=missing)
def hangs(bench):
    with served(bench) as (cluster, instance):
        lists = ("/api/collections/devices/items?limit=5", "/api/statistics?group_by=category", "/readyz")
        for path in (*IN_MEMORY, *lists):
            hold(instance.ask("GET", path).status == 200, f"{path} was refused before")
        with cluster.hanging(), watched(instance, IN_MEMORY) as onlooker:
            end, refused = time.monotonic() + 20, 0
            while time.monotonic() < end:
                for path in lists:
                    answer = instance.ask("GET", path, timeout=10)
                    hold(answer.status in (200, 503), f"{path} was answered {answer.status}")
                    refused += answer.status == 503
        hold(onlooker.longest < 3, f"a response from memory took {onlooker.longest:.1f} s")
        hold(refused > 10, f"only {refused} lists were refused")
        recovered = instance.recovered(15)
        hold(instance.ask("GET", lists[0]).status == 200, "a list is refused afterwards")
        instance.finish()
        return {"reads": onlooker.served, "slowest": f"{onlooker.longest:.2f} s", "refused": refused,
                "writes again after": f"{recovered:.2f} s"}
