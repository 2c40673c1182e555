"""Kills Farol while devices change, and checks that every alert of every watch arrives.

Each watch must tell each acknowledged change that it matches, by mail to a real SMTP server or by webhook. Each kill
may repeat at most one mail, with the same Message-ID, and one call of the receiver, with the same webhook-id. Prints a
table; exits with 1 if a promise was broken. docs/reference/crash.md explains it.
"""

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "Tests/Alerts"), str(HOME / "Tests/Faults")]

import network  # noqa: E402
from changes import Writers  # noqa: E402
from instance import Instance, end_all, hold  # noqa: E402
from receivers import Receiver, serve_hooks, serve_mail  # noqa: E402
from watches import DELIVERIES, Due, cities, make, store  # noqa: E402

SMALL = {"devices": 2_000, "watches": 1_000, "places": 60, "rate": 200, "quiet": 3, "patience": 120}
# The load of `make bench-watch`.
FULL = {"devices": 1_000_000, "watches": 100_000, "places": 500, "rate": 500, "quiet": 30, "patience": 900}


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--full", action="store_true", help="the devices, watches and changes of make bench-watch")
    parser.add_argument("--devices", type=int)
    parser.add_argument("--watches", type=int)
    parser.add_argument("--places", type=int, help="where changes happen and users watch")
    parser.add_argument("--rate", type=float, help="changes in a second")
    parser.add_argument("--quiet", type=float, help="seconds without an alert after which none is expected soon")
    parser.add_argument("--patience", type=float, help="seconds to wait for the last alerts")
    parser.add_argument("--seed", type=int, default=None, help="default: another each time")
    chosen = parser.parse_args()
    for name, value in (FULL if chosen.full else SMALL).items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, value)
    chosen.deliveries = DELIVERIES if chosen.full else (("at_once", 0.5), ("webhook", 0.5))
    return chosen


class Scene:
    def __init__(self, chosen, scratch, seed, mails, calls):
        self.chosen, self.mails, self.calls = chosen, mails, calls
        self.chance = random.Random(seed)
        self.changes, self.unanswered = [], 0
        self.farol = Instance(Path(chosen.program).resolve(), scratch, settings={
            "FAROL_SMTP_URL": f"smtp://127.0.0.1:{mails.port}", "FAROL_MAIL_FROM": "Farol <farol@example.org>"})

    def run(self):
        self.farol.prepare(self.fill)
        for _ in range(self.chosen.kills):
            self.kill_once()
            self.farol.start()
        self.wait()
        hold(self.farol.stop() == 0, "the server did not stop well")
        # A watch sends one mail in five minutes. These pass for those that wait.
        with sqlite3.connect(self.farol.database) as database:
            database.execute("UPDATE watch SET mail_due_at = mailed_at WHERE mail_due_at > mailed_at")
        self.farol.start()
        self.wait_for_all()
        hold(self.farol.stop() == 0, "the server did not stop well")
        code, words = self.farol.check()
        hold(code == 0, f"farol check: {words.strip()}")

    def fill(self):
        self.farol.run("generate", "--devices", str(self.chosen.devices))
        self.places = cities(self.farol.database, self.chosen.places)
        self.watches = make(self.places, self.chosen.watches, self.chosen.deliveries)
        store(self.farol.database, self.watches)

    def kill_once(self):
        writers = Writers(self.farol.port, self.farol.token, self.places, self.farol.database, edits=0.2, threads=16,
                          seed=self.chance.random())
        known = {one.device for one in self.changes}
        writers.old = (one for one in writers.old if one[0] not in known)
        killer = threading.Timer(self.chance.uniform(0.3, 1.5), self.farol.kill)
        killer.start()
        writers.run(60, self.chosen.rate)
        killer.join()
        hold(not writers.refused, f"changes were refused: {writers.refused[:2]}")
        self.changes += writers.done
        self.unanswered += writers.unanswered

    def wait(self):
        """Until nothing has arrived for some seconds."""
        until, count, since = time.monotonic() + self.chosen.patience, -1, time.monotonic()
        while time.monotonic() < until and time.monotonic() - since < self.chosen.quiet:
            time.sleep(0.2)
            now = self.mails.count + self.calls.count
            if now != count:
                count, since = now, time.monotonic()

    def wait_for_all(self):
        """Until nothing is missing: on a busy machine nothing may arrive for a while, because alerts have a lower
        priority than requests. Then as long as repeated alerts may arrive."""
        until, expected = time.monotonic() + self.chosen.patience, self.expected()
        while time.monotonic() < until and self.missing(expected):
            time.sleep(1)
        self.wait()

    def number(self, *deliveries):
        return sum(one.delivery in deliveries for one in self.watches)

    def expected(self):
        """The watches with the devices that each must tell."""
        due = Due(self.changes)
        return {(one.id, device) for one in self.watches if one.delivery in ("at_once", "webhook")
                for device in due.of(one) or ()}

    def missing(self, expected):
        """The number of alerts that were neither named nor counted. A mail lists at most 50 devices."""
        alerts = self.mails.alerts() + self.calls.alerts()
        named = {(one.watch, device) for one in alerts for device in one.devices}
        unnamed = Counter(watch for watch, _ in expected - named)
        counted = Counter()
        for one in {one.identity: one for one in alerts}.values():
            counted[one.watch] += one.more
        return sum(max(0, count - counted[watch]) for watch, count in unnamed.items())

    def report(self, seed):
        alerts = self.mails.alerts() + self.calls.alerts()
        expected = self.expected()
        missing = self.missing(expected)
        mails, calls = repeated(self.mails), repeated(self.calls)
        # The same change in two different mails or calls.
        distinct = {one.identity: one for one in alerts}.values()
        again = sum(count - 1 for count in
                    Counter((one.watch, device) for one in distinct for device in one.devices).values())
        rows = [
            ("kills with SIGKILL under load", self.chosen.kills),
            ("devices", self.chosen.devices),
            ("watches by mail at once", self.number("at_once")), ("by webhook", self.number("webhook")),
            ("by digest and feed", self.number("daily", "weekly", "feed")),
            ("changes acknowledged", len(self.changes)), ("changes without a response", self.unanswered),
            ("alerts due", len(expected)), ("alerts missing", missing),
            ("mails", self.mails.count), ("calls of webhooks", self.calls.count),
            ("mails repeated, with the same Message-ID", mails), ("calls repeated, with the same webhook-id", calls),
            ("changes told twice under different ids", again), ("seed", seed),
        ]
        print("| figure | value |\n|---|--:|")
        print("\n".join(f"| {name} | {value} |" for name, value in rows))
        return [words for is_broken, words in (
            (not expected, "no alert was due"), (missing, f"{missing} alerts are missing"),
            (max(mails, calls) > self.chosen.kills, "more alerts were repeated than there were kills"),
            (again, f"{again} changes told twice"),
        ) if is_broken]


def repeated(receiver):
    return sum(count - 1 for count in Counter(one.identity for one in receiver.alerts()).values())


def main():
    reason = network.cannot()
    if reason:
        print(f"skipped: {reason}")
        return 0
    network.enclose()
    chosen = options()
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().getrandbits(32)
    scratch = Path(tempfile.mkdtemp(prefix="farol-alerts-"))
    try:
        certificate = network.prepare(scratch)
        with Receiver(serve_mail, scratch / "mails") as mails, \
                Receiver(serve_hooks, scratch / "calls", *certificate) as calls:
            scene = Scene(chosen, scratch, seed, mails, calls)
            scene.run()
            broken = scene.report(seed)
    finally:
        end_all()
        shutil.rmtree(scratch, ignore_errors=True)
    for one in broken:
        print(f"broken: {one}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
