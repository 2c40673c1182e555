"""The drill itself, with two instances: the lost one and its replacement."""

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from instance import ITEMS, RUNNING, Broken, Instance, hold
from people import PASSWORD, create_admin, post
from photos import add_photo
from writers import Promises, Writer

__all__ = ["Broken", "Drill"]


class BackedUp(Instance):
    """An instance with a backup folder next to its data folder."""

    def __init__(self, program, scratch, backups):
        super().__init__(program, scratch)
        self.backups = backups

    def environment(self):
        return super().environment() | {"FAROL_BACKUPS": str(self.backups)}

    def command(self, *arguments, timeout=300):
        """Runs a command until it ends, whether it succeeds or fails."""
        return subprocess.run(
            [self.program, *map(str, arguments)], env=self.environment(), cwd=self.home,
            capture_output=True, text=True, timeout=timeout)


class Drill:
    def __init__(self, program, folder, chance):
        self.chance = chance
        self.backups = folder / "backups"
        self.scratch = folder
        self.first = self.instance(program, "first")
        self.second = self.instance(program, "second")
        self.promises = Promises()
        self.writers = []

    def instance(self, program, name):
        folder = self.scratch / name
        folder.mkdir()
        return BackedUp(program, folder, self.backups)

    def end(self):
        while RUNNING:
            RUNNING.pop().end()

    def names(self):
        return sorted(one.name for one in self.backups.glob("farol-*"))

    # The lost instance.

    def prepare(self):
        """An instance with a photo and two people. The server makes its first backup by itself."""
        made = subprocess.run(
            [self.first.program, "admin", "create", "--username", "leaver", "--email",
             "leaver@example.org", "--password-stdin"],
            input=PASSWORD + "\n", env=self.first.environment(), cwd=self.first.home,
            capture_output=True, text=True, timeout=60)
        hold(made.returncode == 0, f"no account: {made.stderr}")
        self.codes = re.findall(r"^  ([a-z0-9-]{8,})$", made.stdout, re.MULTILINE)
        hold(len(self.codes) >= 2, f"no recovery codes in {made.stdout}")
        self.first.prepare()
        photo = add_photo(self.first)
        hold(photo.status == 201, f"a photo was answered {photo.status}: {photo.body[:300]}")
        self.photo = {address: self.first.ask("GET", address).body
                      for address in (photo.json["url"], photo.json["thumb"])}
        return f"after {self.until(lambda: self.names(), 30, 'no backup was made'):.1f} s"

    def until(self, condition, seconds, words):
        begun = time.monotonic()
        while not condition():
            hold(time.monotonic() - begun < seconds, f"{words} in {seconds} s: {self.first.log()[-800:]}")
            time.sleep(0.05)
        return time.monotonic() - begun

    def back_up_under_load(self):
        self.writers = [
            Writer(self.first.port, self.first.token, self.promises, self.chance.getrandbits(64))
            for _ in range(4)]
        for writer in self.writers:
            writer.start()
        self.until(lambda: len(self.promises.added) >= 40, 60, "nothing was written")
        with self.promises.lock:
            self.before = dict(self.promises.added)
        known, begun = set(self.names()), time.monotonic()
        done = self.first.command("backup")
        self.took = took = time.monotonic() - begun
        hold(done.returncode == 0, f"farol backup: {done.stdout}{done.stderr}")
        self.backup = self.backups / (set(self.names()) - known).pop()
        meanwhile = len(self.promises.added) - len(self.before)
        hold(meanwhile > 0, "nothing was written meanwhile")
        return f"{took:.1f} s, {len(self.before)} devices before, {meanwhile} meanwhile"

    def kill_backups(self, count):
        """No interrupted backup may leave the name of a complete backup on an incomplete one."""
        whole = killed = 0
        for _ in range(count):
            process = subprocess.Popen(
                [self.first.program, "backup"], env=self.first.environment(), cwd=self.first.home,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.chance.uniform(0.05, 0.6) * self.took)
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        for name in self.names():
            done = self.first.command("check", self.backups / name)
            hold(done.returncode == 0, f"{name}: {done.stderr}")
            whole += 1
        hold(killed > 0, "no backup was killed in time")
        return f"{killed} before they were complete; {whole} backups have a final name, all of them valid"

    def erase_somebody(self):
        signed = post(self.first, "/api/session", {
            "login": "leaver", "password": PASSWORD, "code": self.codes[0]})
        answer = self.first.ask("DELETE", "/api/account", json.dumps({
            "password": PASSWORD, "code": self.codes[1]}), {
            "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin",
            "Cookie": signed["headers"]["Set-Cookie"].split(";")[0],
            "X-CSRF-Token": json.loads(signed["body"])["csrf_token"]})
        hold(answer.status == 204, f"deleting was answered {answer.status}: {answer.body[:300]}")
        lists = [Path(self.first.folder, "erased.jsonl"), self.backups / "erased.jsonl"]
        took = self.until(lambda: all(one.exists() for one in lists), 20, "no list of erasures")
        for one in lists:
            hold("leaver" not in one.read_text(), "the list of erasures names somebody")
        return f"recorded outside the database after {took:.1f} s"

    # The replacement.

    def restore(self):
        self.first.kill()
        for writer in self.writers:
            writer.join(timeout=60)
        begun = time.monotonic()
        done = self.second.command("restore", self.backup)
        hold(done.returncode == 0, f"farol restore: {done.stdout}{done.stderr}")
        took = time.monotonic() - begun
        hold("1 items erased since the backup were erased again" in done.stdout, done.stdout)
        ready = self.second.start()
        return f"{took:.1f} s, ready {ready:.1f} s later"

    def verify(self):
        for identity, (name, revision, _) in self.before.items():
            answer = self.second.ask("GET", f"{ITEMS}/{identity}")
            hold(answer.status == 200, f"{identity} is gone")
            found = answer.json["properties"]
            hold(found["name"] == name and found["revision"] >= revision, f"{identity} is another")
        for address, content in self.photo.items():
            hold(self.second.ask("GET", address).body == content, f"{address} is another picture")
        code, words = self.second.check()
        hold(code == 0, f"farol check: {words}")
        return f"{len(self.before)} of {len(self.before)} devices, both pictures byte for byte"

    def look_for_the_erased(self):
        answer = self.second.ask("POST", "/api/session", json.dumps({
            "login": "leaver", "password": PASSWORD, "code": self.codes[2]}),
            {"Content-Type": "application/json"})
        hold(answer.status == 401, f"signing in was answered {answer.status}")
        hold(self.second.stop() == 0, "the restored server did not stop well")
        for path in Path(self.second.folder).rglob("*"):
            hold(not path.is_file() or b"leaver@example.org" not in path.read_bytes(),
                 f"{path.name} holds the address")
        with sqlite3.connect(f"file:{self.second.database}?mode=ro", uri=True) as database:
            names = [name for name, in database.execute("SELECT username FROM account")]
        hold(names == ["keeper"], f"accounts: {names}")
        return "no account, and the address in no file"

    def refuse_and_replace(self):
        self.second.start()
        done = self.second.command("restore", self.backup, "--replace")
        hold(done.returncode == 1 and "Another Farol" in done.stderr, f"{done.stdout}{done.stderr}")
        self.second.stop()
        done = self.second.command("restore", self.backup)
        hold(done.returncode == 1 and "--replace" in done.stderr, f"{done.stdout}{done.stderr}")
        done = self.second.command("restore", self.backup, "--replace")
        hold(done.returncode == 0, f"{done.stdout}{done.stderr}")
        aside = [one for one in Path(self.second.folder).glob("farol.db.before-*")]
        hold(len(aside) == 1, f"set aside: {aside}")
        self.second.start()
        self.second.stop()
        return "refused, refused, and restored with --replace: the former data is renamed"

    def refuse_damaged(self, damage):
        copy = self.scratch / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.backup, copy)
        damage(copy)
        words = []
        empty = self.scratch / "empty"
        shutil.rmtree(empty, ignore_errors=True)
        empty.mkdir()
        place = BackedUp(self.first.program, empty, self.backups)
        for command in ("check", "restore"):
            done = place.command(command, copy)
            hold(done.returncode == 1, f"farol {command} took it: {done.stdout}{done.stderr}")
            hold(len(done.stderr.strip().splitlines()) == 1, f"no sentence: {done.stderr}")
            words.append(done.stderr.strip())
        hold(not place.database.exists(), "a damaged backup was put in place")
        return "refused: " + words[0].split(": ", 2)[-1].replace(f"{copy}/", "").replace(str(copy), "it")[:90]


if __name__ == "__main__":
    sys.exit("run Tests/Backup")
