"""What happens to the machines: each scene is a fault under load, and ends with a cluster that is whole again."""

import collections
import contextlib
import os
import signal
import time

from attacker import attack

# The most valuable first.
NAMES = ("pause-primary", "pause-server", "cut-standbys", "cut-etcd", "cut-servers", "one-way", "disk", "clock",
         "bad-network", "attacker", "kills")
# Seconds of the faults.
PAUSES, CUT, BAD = (40, 50, 60), 40, 300
# In memory; the log alone may take one gigabyte.
DISK = "2500m"


class Scenes:
    def __init__(self, run):
        self.run = run

    def play(self, name):
        getattr(self, name.replace("-", "_"))()

    @property
    def databases(self):
        return self.run.databases

    def others(self, machine):
        return [one.address for one in self.databases.machines if one is not machine]

    @contextlib.contextmanager
    def fault(self, name, primary=None):
        """Measures from the begin of a fault until all is whole again."""
        self.run.databases.wait_until_healthy(240)
        self.run.wait(2)
        self.run.record.begin(name, self.run.promises)
        self.run.watcher.mark = "kills"
        yield
        self.run.record.healed()
        whole = self.run.databases.wait_until_healthy(240)
        self.run.wait(3)
        self.run.watcher.mark = "calm"
        self.run.record.end(whole, self.run)
        self.run.tell(f"{name}: {self.run.record.scenes[-1].sentence}")

    def pause_primary(self):
        for seconds in PAUSES:
            with self.fault("pause-primary"):
                primary = self.databases.primary()
                primary.pause()
                try:
                    self.run.wait(seconds)
                finally:
                    primary.wake()
                self.run.wait(10)

    def pause_server(self):
        """Each server, beyond the 45 seconds of its leases."""
        for server in self.run.servers.all[:2]:
            with self.fault("pause-server"):
                server.process.signal(signal.SIGSTOP)
                try:
                    self.run.wait(60)
                finally:
                    server.process.signal(signal.SIGCONT)
                self.run.wait(5)

    def cut(self, name, seconds=CUT, **how):
        with self.fault(name):
            primary = self.databases.primary()
            given = how.pop("others", None)
            primary.host.cut(others=given(primary) if given else (), **how)
            try:
                self.run.wait(seconds)
            finally:
                primary.host.heal()
            self.run.wait(5)

    def cut_standbys(self):
        self.cut("cut-standbys", others=self.others, ports=[5432])

    def cut_etcd(self):
        self.cut("cut-etcd", others=self.others, ports=[2379, 2380])

    def cut_servers(self):
        addresses = [server.host for server in self.run.servers.all]
        self.cut("cut-servers", others=lambda _: addresses)

    def one_way(self):
        """The primary hears and is not heard, and the other way round, by all."""
        self.cut("one-way", incoming=False)
        self.cut("one-way", outgoing=False)

    def disk(self):
        with self.fault("disk"):
            primary = self.databases.primary()
            filler = primary.data / "filler"
            try:
                with open(filler, "wb") as file:
                    with contextlib.suppress(OSError):
                        while True:
                            file.write(b"\0" * (1 << 20))
                self.run.wait(30)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(filler)
            self.run.wait(5)

    def clock(self):
        """Ten minutes: of a server, then of the machine of the primary."""
        server = self.run.servers.all[1]
        with self.fault("clock"):
            for shift in ("+600", None):
                server.process.stop()
                server.process.environment = server.environment() | ({"FAROL_TEST_CLOCK": shift} if shift else {})
                server.start()
                server.wait_until_ready()
                self.run.wait(20 if shift else 2)
        self.databases.wait_until_healthy(240)
        with self.fault("clock"):
            # A standby gets the wrong clock, and becomes the primary.
            wrong = next(one for one in self.databases.machines if one is not self.databases.primary())
            wrong.shift_clock(600)
            self.databases.wait_until_healthy(240)
            for machine in self.databases.machines:
                if machine is not wrong and machine is not self.databases.primary():
                    machine.kill()
                    machine.start()
            for _ in range(4):
                self.databases.wait_until_healthy(240)
                if (primary := self.databases.primary()) is wrong:
                    break
                primary.kill()
                self.run.wait(40)
                primary.start()
            self.run.record.note(f"the primary had the wrong clock: {self.databases.primary() is wrong}")
            self.run.wait(20)
            wrong.shift_clock(0)
            self.run.wait(30)

    def bad_network(self):
        with self.fault("bad-network"):
            primary = self.databases.primary()
            primary.host.hamper(0.2, 0.2)
            try:
                self.run.wait(BAD)
            finally:
                primary.host.hamper()
            self.run.wait(5)

    def attacker(self):
        with self.fault("attacker"):
            self.run.record.attacks = attack(self.databases)

    def kills(self):
        self.run.kill_servers()
        self.run.kill_primaries()


class Scene:
    """The figures of one scene."""

    def __init__(self, name, promises):
        self.name, self.begun = name, time.monotonic()
        self.healed_at = None
        self.older, self.missing = len(promises.older), len(promises.missing)
        self.notes = []

    def finish(self, whole, run):
        self.ended, self.whole = time.monotonic(), whole
        promises = run.promises
        with promises.lock:
            times = sorted((sent, answered) for sent, answered in promises.acknowledged if answered > self.begun)
        self.acknowledged = len(times)
        answers = [self.begun] + sorted(answered for _, answered in times) + [self.ended]
        self.pause = max(after - before for before, after in zip(answers, answers[1:], strict=False))
        self.older = len(promises.older) - self.older
        self.missing = len(promises.missing) - self.missing

        def seen(readers):
            found = [one for reader in readers for one in reader.seen if one[0] >= self.begun]
            failed = collections.Counter(status for _, _, status in found if status not in (200, 204, 304))
            return len(found), failed, max((took for _, took, _ in found), default=0)

        self.maps, self.lists = seen(run.maps), seen(run.lists)

    @property
    def sentence(self):
        return (f"{self.acknowledged} writes, longest pause {self.pause:.1f} s; older {self.older}, "
                f"missing {self.missing}; maps {self.reads(self.maps)}, slowest {self.maps[2]:.1f} s; "
                f"lists {self.reads(self.lists)}; whole again after {self.whole:.0f} s")

    @staticmethod
    def reads(seen):
        """The number of reads and of those that failed, with each status or fault."""
        kinds = ", ".join(f"{status} {count}" for status, count in seen[1].most_common())
        return f"{seen[0]}, failed {seen[1].total()}{f' ({kinds})' if kinds else ''}"

    @property
    def row(self):
        note = "; ".join(self.notes)
        return (f"| {self.name}{f' ({note})' if note else ''} | {self.acknowledged} | {self.pause:.1f} s "
                f"| {self.older}, {self.missing} | {self.maps[0]}, {self.maps[1].total()}, {self.maps[2]:.1f} s "
                f"| {self.lists[0]}, {self.lists[1].total()} |")

    @property
    def is_kept(self):
        return self.older == self.missing == 0 and not self.maps[1] and self.maps[2] < 10
