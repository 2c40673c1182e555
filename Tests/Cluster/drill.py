"""Backups with the scripts of operations/postgresql, and restores from them."""

import json
import re
import subprocess
import time
from datetime import datetime, timezone

from clients import Client
from people import PASSWORD, code
from rendering import FOLDER
from servers import NAME


class Drill:
    """One base backup during the load, an account that is erased after it, and restores at the end."""

    def __init__(self, databases, servers, home):
        self.databases, self.servers, self.home = databases, servers, home
        self.folder = databases.folder / "archive"
        self.moment = None

    def script(self, name, *arguments, **environment):
        """The output of a script that runs as the user of the databases."""
        user = self.databases.user
        done = subprocess.run(
            [FOLDER / name, *map(str, arguments)], cwd="/", capture_output=True, text=True, timeout=300,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"} | environment, **user)
        if done.returncode:
            raise RuntimeError(f"{name} {arguments} failed: {done.stdout}{done.stderr}")
        return done.stdout

    def back_up(self):
        """Makes a backup from a standby. What is erased from now on is in it."""
        self.script("base-backup", self.folder, PGHOST="127.0.0.1", PGPORT=str(self.databases.standby_port),
                    PGUSER="replicator", PGPASSWORD="replace-2", PGSSLMODE="verify-ca",
                    PGSSLROOTCERT=str(self.databases.authority))
        time.sleep(2)
        self.moment = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S+00")
        time.sleep(2)

    def erase(self, secret, username):
        """The owner of an account deletes it."""
        client = Client(self.servers[0].place)
        status, headers, read = client.ask("POST", "/api/session", json.dumps({
            "login": username, "password": PASSWORD, "code": code(secret)}), {
                "Content-Type": "application/json", "X-Forwarded-For": "10.251.0.1", "Host": NAME})
        if status != 200:
            raise RuntimeError(f"no session was created: {status} {read}")
        status, _, read = client.ask("DELETE", "/api/account", json.dumps({
            "password": PASSWORD, "code": code(secret, steps_ahead=1)}), {
            "Content-Type": "application/json", "Cookie": headers["Set-Cookie"].split(";")[0],
            "X-CSRF-Token": json.loads(read)["csrf_token"], "Sec-Fetch-Site": "same-origin",
            "X-Forwarded-For": "10.251.0.1"})
        if status != 204:
            raise RuntimeError(f"the account was not deleted: {status} {read}")

    def restore(self):
        """Restores all, and the moment before the account was erased.

        Returns the seconds of the first, whether it has every device and no finding, and how many items `farol settle`
        erased again in the second.
        """
        self.databases.ask("SELECT pg_switch_wal()")
        last = self.databases.ask("SELECT pg_walfile_name(pg_current_wal_lsn() - 1)")[0]
        self.wait_for(last)
        wanted = self.databases.query("SELECT count(*) FROM device")[0][0]
        state = self.databases.folder / "drill"
        state.mkdir(mode=0o777)
        state.chmod(0o777)
        program = self.servers[0].program
        own = {"FAROL_HOME": self.home, "FAROL_STATE": str(state)}
        said = self.script("restore-drill", self.folder, "--", program, "check", **own)
        found = re.search(r"and (\d+) devices in (\d+) s", said)
        lists = []
        for server in self.servers:
            if (path := server.folder / "erased.jsonl").exists():
                lists.append(state / f"erased-{server.number}.jsonl")
                lists[-1].write_bytes(path.read_bytes())
                lists[-1].chmod(0o644)
        settled = self.script("restore-drill", self.folder, self.moment, "--", program, "settle", *lists, **own)
        again = re.search(r"(\d+) items erased since", settled)
        return int(found[2]), int(found[1]) == wanted and "no damage" in said, int(again[1]) if again else 0

    def wait_for(self, name, seconds=60):
        """Until a file of the log is in the archive, as long as files arrive."""
        deadline, before = time.monotonic() + seconds, 0
        while True:
            names = [path.name for path in (self.folder / "wal").iterdir() if len(path.name) == 24]
            if max(names, default="") >= name:
                return
            if len(names) > before:
                deadline, before = time.monotonic() + seconds, len(names)
            if time.monotonic() > deadline:
                state = self.databases.ask("SELECT row_to_json(pg_stat_archiver)")
                raise RuntimeError(f"{name} is not archived: {max(names, default='')}, {state}")
            time.sleep(0.5)
