"""Databases filled by other programs: each is checked, then backed up by command and by the server."""

import os
import shutil
import sqlite3
import time

from drill import BackedUp
from instance import hold

# Seconds for one command or one job, on a million devices and a slow machine.
PATIENCE = 1_800


class Stock:
    """Instances filled by `fill`, a list of commands of Farol."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def instance(self, name):
        folder = self.folder / name
        folder.mkdir()
        return BackedUp(self.program, folder, folder / "backups")

    def run(self, instance, *arguments):
        """Runs a command that must succeed. Returns its output and its duration in seconds."""
        begun = time.monotonic()
        done = instance.command(*arguments, timeout=PATIENCE)
        hold(done.returncode == 0, f"farol {arguments[0]}: {done.stdout}{done.stderr}")
        return done.stdout, time.monotonic() - begun

    def daily(self, instance, known=()):
        """Starts the server and waits for today's backup. Returns its folder and the duration in seconds."""
        begun = time.monotonic()
        instance.start()
        while not (made := set(instance.backups.glob("farol-*")) - set(known)):
            hold(time.monotonic() - begun < PATIENCE, f"no backup was made: {instance.log()[-800:]}")
            time.sleep(0.1)
        return made.pop(), time.monotonic() - begun

    def sound(self, name, *fill):
        """A sound database: no findings in it or in either backup."""
        instance = self.instance(name)
        for arguments in fill:
            self.run(instance, *arguments)
        checked = self.run(instance, "check")[1]
        words, backed = self.run(instance, "backup", self.folder / f"{name} by hand")
        hold("does not agree" not in words, words)
        made, daily = self.daily(instance)
        hold(instance.stop() == 0, "it did not stop well")
        hold("does not agree" not in instance.log(), instance.log()[-800:])
        words = self.run(instance, "check", made)[0]
        hold("does not agree" not in words, words)
        devices = self.read(instance, "SELECT count(*) FROM device")
        hold(devices > 0, "there are no devices")
        size = os.path.getsize(instance.database) / 1e6
        return f"{devices} devices, {size:.0f} MB: check {checked:.1f} s, backup {backed:.1f} s, of the day {daily:.1f} s"

    def drifted(self, name):
        """Derived data of `name` is out of date: it is backed up nevertheless, reported and repaired."""
        instance = self.instance(f"{name} drifted")
        shutil.copy(self.folder / name / "data" / "farol.db", instance.database)
        with sqlite3.connect(instance.database) as database:
            database.execute("UPDATE device_text SET operator = upper(operator) WHERE operator <> ''")
            database.execute("DELETE FROM device_text WHERE rowid % 50 = 1")
            # The source server has already made its backup of this hour.
            database.execute("DELETE FROM job WHERE kind = 'backup'")
        database.close()
        code, words = instance.check()
        hold(code == 1 and "full text" in words, f"farol check finds nothing: {words}")
        made, _ = self.daily(instance)
        begun = time.monotonic()
        while "derived data was rebuilt" not in instance.log():
            hold(time.monotonic() - begun < PATIENCE, f"nothing was mended: {instance.log()[-800:]}")
            time.sleep(0.1)
        mended = time.monotonic() - begun
        hold("the database is inconsistent" in instance.log(), "the log says nothing of it")
        hold(instance.stop() == 0, "it did not stop well")
        self.run(instance, "check")
        place = self.instance(f"{name} again")
        self.run(place, "restore", made)
        self.run(place, "check")
        return f"backed up, reported, written again within {mended:.1f} s; sound after a restore too"

    def read(self, instance, sql):
        with sqlite3.connect(f"file:{instance.database}?mode=ro", uri=True) as database:
            return database.execute(sql).fetchone()[0]
