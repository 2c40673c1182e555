"""Kills Farol at random moments under load and checks the durability of writes.

Afterwards every acknowledged write must exist exactly once, and `farol check` must find nothing. Prints the table
of results; exits with 1 if a promise was broken.
"""

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
import http.client
import json

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from people import create_admin, create_token  # noqa: E402
from server import Farol  # noqa: E402
from writers import ITEMS, Promises, Writer  # noqa: E402

HOME = HERE.parents[1]


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--seed", type=int, default=None, help="default: another each time")
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--folder", help="where the database lies (default: a folder of its own)")
    return parser.parse_args()


def main():
    chosen = options()
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().getrandbits(32)
    chance = random.Random(seed)
    folder = Path(chosen.folder or tempfile.mkdtemp(prefix="farol-crash-"))
    farol = Farol(chosen.program, HOME, folder)
    try:
        secret = create_admin(farol)
        farol.start()
        token = create_token(farol, secret)
        outcome = Outcome(seed)
        promises = Promises()
        for number in range(chosen.kills):
            kill_once(farol, token, promises, chosen.writers, chance, outcome)
            tell(f"{number + 1} of {chosen.kills} kills, {len(promises.added)} devices acknowledged, "
                 f"{outcome.lost} lost, {outcome.doubled} twice", last=number + 1 == chosen.kills)
        outcome.acknowledged = len(promises.added)
        verify(farol, promises, list(promises.added), outcome)
        outcome.exit = farol.stop()
        outcome.check = farol.check()
    finally:
        if farol.process and farol.process.poll() is None:
            farol.kill()
        if not chosen.folder:
            shutil.rmtree(folder, ignore_errors=True)
    print(outcome.table(chosen))
    return 0 if outcome.is_kept else 1


class Outcome:
    def __init__(self, seed):
        self.seed = seed
        self.kills = self.starts_killed = self.lost = self.doubled = self.unanswered = 0
        self.restarts = []
        self.acknowledged = 0
        self.check = (1, "not run")
        self.exit = None

    @property
    def is_kept(self):
        return self.lost == 0 and self.doubled == 0 and self.check[0] == 0 and self.exit == 0

    def table(self, chosen):
        rows = [
            ("kills with SIGKILL under load", self.kills),
            ("of these, during the start", self.starts_killed),
            ("simultaneous clients", chosen.writers),
            ("devices acknowledged", self.acknowledged),
            ("acknowledged writes lost", self.lost),
            ("interrupted writes that were repeated", self.unanswered),
            ("of these, stored twice", self.doubled),
            ("time until ready, median", f"{statistics.median(self.restarts):.2f} s"),
            ("time until ready, maximum", f"{max(self.restarts):.2f} s"),
            ("`farol check` at the end", "no findings" if self.check[0] == 0 else self.check[1].strip()),
            ("seed", self.seed),
        ]
        lines = ["| figure | value |", "|---|---|"] + [f"| {name} | {value} |" for name, value in rows]
        return "\n".join(lines)


def kill_once(farol, token, promises, count, chance, outcome):
    """Lets clients write, kills the server, starts it again and checks the data."""
    writers = [Writer(farol.port, token, promises, chance.getrandbits(64)) for _ in range(count)]
    faults = []
    threading.excepthook = lambda fault: faults.append(fault.exc_value)
    for writer in writers:
        writer.start()
    time.sleep(chance.uniform(0.02, 0.6))
    farol.kill()
    outcome.kills += 1
    for writer in writers:
        writer.join(timeout=60)
    if faults:
        raise faults[0]
    if chance.random() < 0.15:
        farol.start(wait=False)
        time.sleep(chance.uniform(0.0, 0.4))
        farol.kill()
        outcome.kills += 1
        outcome.starts_killed += 1
    outcome.restarts.append(farol.start())
    recent, promises.recent = promises.recent, []
    verify(farol, promises, recent, outcome)
    send_again(farol, token, promises, outcome)


def verify(farol, promises, identities, outcome):
    """Every acknowledged device has at least its last acknowledged values."""
    connection = http.client.HTTPConnection("127.0.0.1", farol.port, timeout=30)
    for identity in dict.fromkeys(identities):
        name, revision, description = promises.added[identity]
        connection.request("GET", f"{ITEMS}/{identity}")
        answer = connection.getresponse()
        body = answer.read()
        properties = json.loads(body)["properties"] if answer.status == 200 else None
        kept = properties is not None and properties["name"] == name \
            and properties["revision"] >= revision \
            and (properties["revision"] > revision or properties["description"] == description)
        if not kept:
            outcome.lost += 1
            print(f"\nlost: {identity} ({answer.status}), acknowledged at revision {revision}", file=sys.stderr)
    connection.close()


def send_again(farol, token, promises, outcome):
    """Repeats interrupted writes with their key. Each must be stored exactly once."""
    waiting, promises.open = promises.open, []
    writer = Writer(farol.port, token, promises, 0)
    connection = http.client.HTTPConnection("127.0.0.1", farol.port, timeout=30)
    for key, wanted in waiting:
        outcome.unanswered += 1
        name = wanted["properties"]["name"]
        status, body, _ = writer.send(connection, "POST", ITEMS, wanted, {
            "Content-Type": "application/geo+json", "Idempotency-Key": key})
        if status != 201:
            raise RuntimeError(f"sending again was answered {status}: {body}")
        promises.note_added(body["id"], name)
        west, south = wanted["geometry"]["coordinates"]
        box = f"{west - 0.001},{south - 0.001},{west + 0.001},{south + 0.001}"
        connection.request("GET", f"{ITEMS}?bbox={box}&limit=100")
        found = json.loads(connection.getresponse().read())["features"]
        if sum(one["properties"]["name"] == name for one in found) != 1:
            outcome.doubled += 1
    connection.close()
    promises.recent = []


def tell(words, last):
    if sys.stderr.isatty():
        print(f"\r{words}", end="\n" if last else "", file=sys.stderr, flush=True)
    elif last or words.split()[0].endswith("0"):
        print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
