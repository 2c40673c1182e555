"""Three database machines: etcd, Patroni and PostgreSQL of each, with the files of operations/postgresql."""

import json
import os
import shlex
import shutil
import signal
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import psycopg2

from network import FRONT, Host, run
from processes import Process, descendants, kill_tree
from rendering import FOLDER, render

PASSWORD = "replace-4"
BIN = Path("/usr/lib/postgresql/15/bin")
PATRONI = Path(__file__).resolve().parents[2] / "data/.patroni/bin"
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"


class Machine:
    """One database machine."""

    def __init__(self, number, folder, user, bad):
        self.number, self.name, self.folder = number, f"db{number}", folder / f"db{number}"
        self.address = f"10.0.0.1{number}"
        self.host = Host(self.name, self.address, bad)
        self.folder.mkdir(mode=0o700)
        self.data = self.folder / "data"
        self.user = user
        # PostgreSQL refuses root: then its programs run as the user of the Debian package.
        self.inside = list(self.host.inside)
        if user:
            self.inside += ["setpriv", f"--reuid={user['user']}", f"--regid={user['group']}", "--clear-groups"]
            os.chown(self.folder, user["user"], user["group"])

    def prepare(self, tls, archive):
        # Each machine has the file of the first one with other values for what is its own.
        own = {f"{word}: 10.0.0.11:{port}": f"{word}: {self.address}:{port}"
               for word in ("listen", "connect_address") for port in (8008, 5432)}
        tests = "plain,latin,sorted,future,nothing"
        render("patroni.yml", self.folder / "patroni.yml", own | {
            "name: db1": f"name: {self.name}", "/etc/patroni/tls/db1.": f"{self.folder}/{self.name}.",
            "/etc/patroni/tls/ca.crt": self.folder / "ca.crt",
            "/var/lib/postgresql/15/farol": self.data, "/var/lib/postgresql/patroni.pgpass": self.folder / "pgpass",
            "/var/run/postgresql": self.folder,
            "    - hostssl farol farol ": f"    - hostssl {tests} farol 10.0.0.0/24 scram-sha-256\n"
                                          "    - hostssl farol farol ",
            "/etc/patroni/archive-wal /var/lib/farol-archive/wal": f"{FOLDER / 'archive-wal'} {archive}"})
        render("etcd", self.folder / "etcd", {
            "ETCD_NAME=db1": f"ETCD_NAME={self.name}", "/var/lib/etcd/farol": self.folder / "etcd-data",
            "/etc/etcd/tls/db1.": f"{self.folder}/{self.name}.", "/etc/etcd/tls/ca.crt": self.folder / "ca.crt",
            "_URLS=https://10.0.0.11:2379": f"_URLS=https://{self.address}:2379",
            "_URLS=https://10.0.0.11:2380": f"_URLS=https://{self.address}:2380"})
        for name in ("ca.crt", f"{self.name}.crt", f"{self.name}.key"):
            shutil.copy(tls / name, self.folder / name)
        settings = dict(line.split("=", 1) for line in (self.folder / "etcd").read_text().splitlines()
                        if line and not line.startswith("#"))
        self.quiet = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(self.folder)}
        self.etcd = Process(f"etcd {self.name}", [*self.inside, "/usr/bin/etcd"], self.folder / "etcd.log", None,
                            self.quiet | settings)
        self.program = [PATRONI / "patroni", self.folder / "patroni.yml"]
        self.patroni = Process(f"patroni {self.name}", [*self.inside, *self.program], self.folder / "patroni.log", None,
                               self.quiet)
        for path in self.folder.iterdir():
            if self.user and path != self.data:
                os.chown(path, self.user["user"], self.user["group"])
            path.chmod(0o700 if path.is_dir() else 0o600)

    def make_small_disk(self, size):
        """Puts the data on a disk of its own."""
        self.data.mkdir(mode=0o700)
        run("mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(self.data))
        if self.user:
            os.chown(self.data, self.user["user"], self.user["group"])

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

    def signal(self, number):
        """To all processes of the machine: with SIGSTOP, it hangs like a stalled virtual machine."""
        roots = [one.process.pid for one in (self.etcd, self.patroni) if one.is_running]
        for process in {one for root in [*roots, self.postmaster] if root for one in descendants(root)}:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue

    def pause(self):
        self.signal(signal.SIGSTOP)

    def wake(self):
        self.signal(signal.SIGCONT)

    def shift_clock(self, seconds):
        """Starts Patroni and PostgreSQL again with another clock. etcd, a static program, keeps the right one."""
        self.kill()
        # Set by `env` inside, not before: root's part of the command would make the semaphore of the library, which the
        # user of the machine could not open.
        self.patroni.command = [*self.inside, *([] if not seconds else [
            "/usr/bin/env", f"LD_PRELOAD={FAKETIME}", f"FAKETIME={seconds:+}s", "FAKETIME_DONT_FAKE_MONOTONIC=1",
        ]), *self.program]
        self.start()

    def ask(self, sql, database="postgres"):
        """The rows of a statement of the superuser, on the machine itself: others may not sign in as it."""
        done = subprocess.run(
            [*self.inside, BIN / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
             f"--host={self.folder}", "--username=postgres", f"--command={sql}", database],
            capture_output=True, text=True, cwd="/", timeout=60, env=self.quiet)
        if done.returncode:
            raise RuntimeError(f"{sql}: {done.stdout}{done.stderr}")
        return done.stdout.splitlines()

    def state(self):
        """Patroni's description of the machine, or an empty one."""
        try:
            with urllib.request.urlopen(f"https://{self.address}:8008/patroni", timeout=3,
                                        context=self.context) as answer:
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

    # Of the HAProxy on the machine in front.
    port, standby_port = 5000, 5001

    def __init__(self, folder, user, bad=False, small_disks=""):
        self.folder, self.user = folder, user
        self.archive = folder / "archive/wal"
        self.archive.mkdir(mode=0o700, parents=True)
        if user:
            for path in (self.archive, self.archive.parent):
                os.chown(path, user["user"], user["group"])
        self.machines = [Machine(number, folder, user, bad) for number in (1, 2, 3)]
        self.tls = folder / "tls"
        run(str(FOLDER / "make-certificates"), str(self.tls), *(f"{one.name}={one.address}" for one in self.machines))
        self.authority = folder / "database-ca.crt"
        shutil.copy(self.tls / "ca.crt", self.authority)
        self.authority.chmod(0o644)
        for machine in self.machines:
            machine.context = ssl.create_default_context(cafile=self.authority)
            machine.prepare(self.tls, self.archive)
            if small_disks:
                machine.make_small_disk(small_disks)
        self.proxy = self.proxy_on("front", [])

    def proxy_on(self, name, inside):
        """HAProxy on a machine that uses the databases."""
        path = self.folder / f"haproxy-database-{name}.cfg"
        render("haproxy-database.cfg", path, {"/etc/farol/database-ca.crt": self.authority})
        return Process(f"HAProxy of the databases {name}", [*inside, shutil.which("haproxy"), "-db", "-f", path],
                       path.with_suffix(".log"))

    def close_ports(self):
        """The firewall of the machines."""
        for machine in self.machines:
            path = machine.folder / "nftables.conf"
            render("nftables.conf", path, {"10.0.0.31": FRONT})
            run(*machine.host.inside, "nft", "-f", str(path))

    def open_ports(self):
        for machine in self.machines:
            run(*machine.host.inside, "nft", "flush", "ruleset")

    def start(self):
        for machine in self.machines:
            machine.start()
        self.proxy.start()
        self.wait_until_healthy(180)
        primary = self.primary()
        done = subprocess.run(
            [*primary.inside, BIN / "psql", "--no-psqlrc", "--quiet", f"--host={primary.folder}",
             f"--set=password={PASSWORD}", f"--file={FOLDER / 'create-database.sql'}", "--username=postgres",
             "postgres"],
            capture_output=True, text=True, cwd="/", timeout=60, env=primary.quiet)
        if done.returncode:
            raise RuntimeError(f"create-database.sql: {done.stdout}{done.stderr}")

    def run(self, program, *arguments, **environment):
        done = subprocess.run([BIN / program, *arguments], capture_output=True, text=True, cwd="/", timeout=600,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"} | environment)
        if done.returncode:
            raise RuntimeError(f"{shlex.join(map(str, [program, *arguments]))}: {done.stdout}{done.stderr}")
        return done.stdout

    @property
    def options(self):
        return f"sslmode=verify-ca&sslrootcert={self.authority}"

    @property
    def url(self):
        """Through HAProxy."""
        return f"postgresql://farol:{PASSWORD}@127.0.0.1:5000/farol?{self.options}"

    @property
    def standby_url(self):
        """A standby, through HAProxy."""
        return f"postgresql://farol:{PASSWORD}@127.0.0.1:5001/farol?{self.options}"

    @property
    def url_of_hosts(self):
        """Without HAProxy: libpq looks for the primary."""
        hosts = ",".join(one.address for one in self.machines)
        return (f"postgresql://farol:{PASSWORD}@{hosts}/farol?target_session_attrs=read-write&sslmode=verify-full"
                f"&sslrootcert={self.authority}")

    def query(self, sql, arguments=()):
        """All rows of a statement of Farol's user on the primary."""
        connection = psycopg2.connect(host="127.0.0.1", port=self.port, dbname="farol", user="farol",
                                      password=PASSWORD, connect_timeout=5, options="-c search_path=main,public")
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(sql, arguments)
                return cursor.fetchall()
        finally:
            connection.close()

    def ask(self, sql, database="postgres"):
        """The rows of a statement of the superuser on the primary, as texts."""
        return self.primary().ask(sql, database)

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
