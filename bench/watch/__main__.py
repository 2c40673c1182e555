"""Measures watches: from the acknowledgement of a change to live listeners, a mail server and a webhook.

    make bench-watch
    make bench-watch WATCH="--small"
    bench/watch --devices 1000000 --watches 100000 --rate 500 --seconds 60 --listeners 1000 --idle 200

docs/reference/load.md explains the figures. Prints a table; exits with 1 if a bound was broken. Runs in a network
namespace of its own, so nothing leaves the machine.
"""

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / one) for one in (
    "bench/live", "bench", "Tests/Alerts", "Tests/Load", "Tests/Faults")]

import network  # noqa: E402
from attacks import descriptors  # noqa: E402
from delivery import Delivery  # noqa: E402
from instance import Instance, hold  # noqa: E402
from receivers import Receiver, serve_hooks, serve_mail  # noqa: E402
from throughput import Throughput  # noqa: E402
from watches import cities, make as make_watches, store  # noqa: E402
from world import make as make_world  # noqa: E402

SMALL = {"devices": 20_000, "watches": 2_000, "rate": 100, "seconds": 10, "listeners": 50, "idle": 10, "rounds": 1}
FULL = {"devices": 1_000_000, "watches": 100_000, "rate": 500, "seconds": 60, "listeners": 1_000, "idle": 200,
        "rounds": 6}
PLACES = 500


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--small", action="store_true", help="a run of a minute, to try the measurement")
    parser.add_argument("--devices", type=int)
    parser.add_argument("--watches", type=int)
    parser.add_argument("--rate", type=float, help="changes in a second")
    parser.add_argument("--seconds", type=float, help="of changes at this rate (0: only the throughput)")
    parser.add_argument("--listeners", type=int, help="clients of the live stream, each with a box")
    parser.add_argument("--idle", type=int, help="further clients that do not read")
    parser.add_argument("--only", help="watches with these deliveries, such as daily,weekly,feed")
    parser.add_argument("--rounds", type=int, help="turns with and without watches, for the throughput (0: none)")
    parser.add_argument("--turn", type=float, default=8, help="seconds of a turn (default 8)")
    chosen = parser.parse_args()
    for name, value in (SMALL if chosen.small else FULL).items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, value)
    return chosen


class Rig:
    """Instances on copies of one world, with the receivers."""

    def __init__(self, chosen, scratch):
        self.program, self.scratch = Path(chosen.program).resolve(), scratch
        self.certificate = network.prepare(scratch)
        folder = HOME / "data/bench"
        folder.mkdir(parents=True, exist_ok=True)
        self.world = make_world(str(HOME), str(folder), str(self.program), chosen.devices,
                                {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"})
        self.places = cities(self.world, PLACES)
        self.watches = [one for one in make_watches(self.places, chosen.watches)
                        if not chosen.only or one.delivery in chosen.only.split(",")]

    @contextlib.contextmanager
    def receivers(self, nice=0):
        """A mail server and a receiver of webhooks for the instances that are made meanwhile."""
        with Receiver(serve_mail, self.scratch / f"mails-{nice}", nice=nice) as mails, \
                Receiver(serve_hooks, self.scratch / f"calls-{nice}", *self.certificate, nice=nice) as calls:
            self.settings = {"FAROL_SMTP_URL": f"smtp://127.0.0.1:{mails.port}",
                             "FAROL_MAIL_FROM": "Farol <farol@example.org>"}
            yield mails, calls

    def instance(self, name, has_watches):
        """A running instance with a copy of the world."""
        folder = self.scratch / name
        (folder / "data").mkdir(parents=True)
        shutil.copyfile(self.world, folder / "data/farol.db")
        one = Instance(self.program, folder, settings=self.settings)
        one.prepare(lambda: store(one.database, self.watches, network.HOSTS, True) if has_watches else None)
        return one

    def discard(self, one):
        one.end()
        shutil.rmtree(one.scratch, ignore_errors=True)


def main():
    network.enclose()
    chosen = options()
    needed = chosen.listeners + chosen.idle + 400
    hold(descriptors() >= needed, f"this needs {needed} descriptors and may have {descriptors()}: see ulimit -n")
    scratch = Path(tempfile.mkdtemp(prefix="farol-watch-"))
    broken = []
    try:
        rig = Rig(chosen, scratch)
        if chosen.rounds:
            # The receivers are other machines. Here they share two processors with the server and its clients.
            with rig.receivers(nice=19):
                broken += Throughput(rig, chosen).run()
        if chosen.seconds:
            with rig.receivers() as (mails, calls):
                broken += Delivery(rig, chosen, mails, calls).run()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    for one in broken:
        print(f"broken: {one}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
