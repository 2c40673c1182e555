"""Three database machines on one: etcd, Patroni and PostgreSQL of each, with the files of operations/postgresql."""

import json
import os
import shlex
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import psycopg2

from processes import Process, free_ports, kill_tree
from rendering import FOLDER, render

PASSWORD = "replace-4"
BIN = Path("/usr/lib/postgresql/15/bin")


class Machine:
    """One database machine."""

    def __init__(self, number, folder, user):
        self.number, self.name, self.folder = number, f"db{number}", folder / f"db{number}"
        self.sql, self.rest, self.client, self.peer = free_ports(4)
        self.folder.mkdir(mode=0o700)
        self.data = self.folder / "data"
        self.user = user
        if user:
            os.chown(self.folder, user["user"], user["group"])

    def prepare(self, machines, archive):
        # Each machine has the file of the first one with other values for what is its own.
        own = {"name: db1": f"name: {self.name}", "listen: 10.0.0.11:8008": f"listen: 127.0.0.1:{self.rest}",
               "connect_address: 10.0.0.11:8008": f"connect_address: 127.0.0.1:{self.rest}",
               "listen: 10.0.0.11:5432": f"listen: 127.0.0.1:{self.sql}",
               "connect_address: 10.0.0.11:5432": f"connect_address: 127.0.0.1:{self.sql}"}
        members = {f"10.0.0.1{one.number}:2379": f"127.0.0.1:{one.client}" for one in machines}
        render("patroni.yml", self.folder / "patroni.yml", own | members | {
            "/var/lib/postgresql/15/farol": self.data, "/var/lib/postgresql/patroni.pgpass": self.folder / "pgpass",
            "/var/run/postgresql": self.folder, "10.0.0.0/24": "127.0.0.1/32",
            "/etc/patroni/archive-wal /var/lib/farol-archive/wal": f"{FOLDER / 'archive-wal'} {archive}"})
        peers = {f"10.0.0.1{one.number}:2380,": f"127.0.0.1:{one.peer}," for one in machines[:2]}
        render("etcd", self.folder / "etcd", peers | {
            f"10.0.0.1{machines[2].number}:2380": f"127.0.0.1:{machines[2].peer}",
            "ETCD_NAME=db1": f"ETCD_NAME={self.name}", "/var/lib/etcd/farol": self.folder / "etcd-data",
            "_URLS=http://10.0.0.11:2379": f"_URLS=http://127.0.0.1:{self.client}",
            "_URLS=http://10.0.0.11:2380": f"_URLS=http://127.0.0.1:{self.peer}"})
        settings = dict(line.split("=", 1) for line in (self.folder / "etcd").read_text().splitlines()
                        if line and not line.startswith("#"))
        quiet = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(self.folder)}
        self.etcd = Process(f"etcd {self.name}", ["/usr/bin/etcd"], self.folder / "etcd.log", self.user,
                            quiet | settings)
        self.patroni = Process(f"patroni {self.name}", ["/usr/bin/patroni", self.folder / "patroni.yml"],
                               self.folder / "patroni.log", self.user, quiet)
        for path in self.folder.iterdir():
            if self.user:
                os.chown(path, self.user["user"], self.user["group"])
            path.chmod(0o600)

    def start(self):
        self.etcd.start()
        self.patroni.start()

    @property
    def postmaster(self):
        """The number of PostgreSQL's first process, or None."""
        try:
            found = int((self.data / "postmaster.pid").read_text().split("\n", 1)[0])
            return found if os.path.exists(f"/proc/{found}") else None
        except (OSError, ValueError):
            return None

    def kill_postgresql(self):
        """PostgreSQL crashes with all its processes. Patroni and etcd continue."""
        if found := self.postmaster:
            kill_tree(found)

    def kill(self):
        """The machine is lost: PostgreSQL, Patroni and etcd end at the same moment."""
        found = self.postmaster
        self.patroni.kill()
        self.etcd.kill()
        if found:
            kill_tree(found)

    def state(self):
        """Patroni's description of the machine, or an empty one."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/patroni", timeout=3) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            try:
                return json.load(error)
            except ValueError:
                return {}
        except (OSError, ValueError):
            return {}


class Databases:
    """The machines, and HAProxy as it runs beside each server of Farol."""

    def __init__(self, folder, user):
        self.folder, self.user = folder, user
        self.archive = folder / "archive/wal"
        self.archive.mkdir(mode=0o700, parents=True)
        if user:
            for path in (self.archive, self.archive.parent):
                os.chown(path, user["user"], user["group"])
        self.machines = [Machine(number, folder, user) for number in (1, 2, 3)]
        for machine in self.machines:
            machine.prepare(self.machines, self.archive)
        self.port, self.standby_port = free_ports(2)
        servers = {f"10.0.0.1{one.number}:5432 check port 8008": f"127.0.0.1:{one.sql} check port {one.rest}"
                   for one in self.machines}
        render("haproxy-database.cfg", folder / "haproxy-database.cfg", servers | {
            "bind 127.0.0.1:5000": f"bind 127.0.0.1:{self.port}",
            "bind 127.0.0.1:5001": f"bind 127.0.0.1:{self.standby_port}"})
        self.proxy = Process("HAProxy of the databases", [
            shutil.which("haproxy"), "-db", "-f", folder / "haproxy-database.cfg"], folder / "haproxy-database.log")

    def start(self):
        for machine in self.machines:
            machine.start()
        self.proxy.start()
        self.wait_until_healthy(180)
        self.run("psql", "--no-psqlrc", "--quiet", "--host=127.0.0.1", f"--port={self.port}", "--username=postgres",
                 f"--set=password={PASSWORD}", f"--file={FOLDER / 'create-database.sql'}", "postgres",
                 PGPASSWORD="replace-1")

    def run(self, program, *arguments, **environment):
        done = subprocess.run([BIN / program, *arguments], capture_output=True, text=True, cwd="/", timeout=600,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"} | environment)
        if done.returncode:
            raise RuntimeError(f"{shlex.join(map(str, [program, *arguments]))}: {done.stdout}{done.stderr}")
        return done.stdout

    @property
    def url(self):
        """Through HAProxy."""
        return f"postgresql://farol:{PASSWORD}@127.0.0.1:{self.port}/farol"

    @property
    def standby_url(self):
        """A standby, through HAProxy."""
        return f"postgresql://farol:{PASSWORD}@127.0.0.1:{self.standby_port}/farol"

    @property
    def url_of_hosts(self):
        """Without HAProxy: libpq looks for the primary."""
        hosts = ",".join(f"127.0.0.1:{one.sql}" for one in self.machines)
        return f"postgresql://farol:{PASSWORD}@{hosts}/farol?target_session_attrs=read-write"

    def query(self, sql, arguments=(), user="farol", password=PASSWORD, port=None):
        """All rows of a statement on the primary."""
        connection = psycopg2.connect(host="127.0.0.1", port=port or self.port, dbname="farol", user=user,
                                      password=password, connect_timeout=5, options="-c search_path=main,public")
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(sql, arguments)
                return cursor.fetchall()
        finally:
            connection.close()

    def primary(self):
        """The machine whose PostgreSQL is the primary, or None."""
        for machine in self.machines:
            state = machine.state()
            if state.get("role") in ("primary", "master") and state.get("state") == "running":
                return machine
        return None

    def is_healthy(self):
        """Whether one primary has two standbys that follow it, one of them synchronous."""
        states = [machine.state() for machine in self.machines]
        primaries = [state for state in states if state.get("role") in ("primary", "master")]
        if len(primaries) != 1 or any(state.get("state") not in ("running", "streaming") for state in states):
            return False
        streams = [one for one in primaries[0].get("replication", []) if one.get("state") == "streaming"]
        synchronous = [one for one in streams if one.get("sync_state") in ("sync", "quorum")]
        return len(streams) == 2 and len(synchronous) >= 1 and any(state.get("sync_standby") for state in states)

    def wait_until_healthy(self, seconds):
        """The time that it took."""
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            if self.is_healthy():
                return time.monotonic() - begun
            time.sleep(0.5)
        states = {machine.name: machine.state() for machine in self.machines}
        words = "\n".join(machine.patroni.last_words()[-1_500:] for machine in self.machines)
        raise RuntimeError(f"the cluster is not healthy after {seconds} s: {states}\n{words}")

    def stop(self):
        for machine in self.machines:
            machine.kill()
        self.proxy.kill()
