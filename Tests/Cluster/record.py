"""The figures of a run."""

import math
import time

from scenes import Scene

# The interval of HAProxy's health checks, times the failures that it waits for, and the time limit of a connection.
CHECK_INTERVAL = 2 * 1 + 2
# The seconds within which writes are back where a majority of the machines is whole. In a bad network they are slow
# rather than away. A full disk lasts for 30 s.
WRITES_BACK = {"pause-primary": 30, "cut-etcd": 30, "one-way": 30, "disk": 40, "pause-server": 10, "bad-network": 60}
# Without a synchronous standby, and without a server that reaches the primary, writes wait for the 40 s of the cut. The
# scene `clock` kills the primary on purpose, perhaps more than once.
WAIT = 50


def share(values, part):
    """The value that this part of all values does not exceed."""
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)] if values else float("nan")


class Record:
    def __init__(self, seed):
        self.seed = seed
        # The scenes, and what an attacker could do.
        self.scenes, self.attacks = [], []
        self.older, self.missing = [], []
        # (moment, kind)
        self.kills = []
        self.starts, self.rejoined = [], []
        # (moment of the kill, seconds)
        self.writes_back = []
        self.lost = self.twice = self.stored = self.mails_twice = self.mails_missing = self.guesses = None
        self.differing, self.devices, self.exits = None, set(), []
        self.check = (1, "not run")
        # Seconds, whether everything was there, items erased again.
        self.drill = (0, False, 0)
        self.mistakes = ["not run"]

    def begin(self, name, promises):
        self.scenes.append(Scene(name, promises))

    def note(self, words):
        self.scenes[-1].notes.append(words)

    def healed(self):
        self.scenes[-1].healed_at = time.monotonic()

    def end(self, whole, run):
        self.scenes[-1].finish(whole, run)

    def killed_server(self, moment):
        self.kills.append((moment, "server"))

    def killed_primary(self, moment, kind):
        self.kills.append((moment, kind))

    def take(self, promises, maps, lists, watcher):
        self.acknowledged = len(promises.acknowledged)
        self.older, self.missing = promises.older, promises.missing
        self.repeated, self.refused, self.unknown = promises.repeated, promises.refused, promises.unknown
        self.maps = sorted(one for reader in maps for one in reader.seen)
        self.lists = sorted(one for reader in lists for one in reader.seen)
        self.seen = watcher.seen

    def count(self, kind):
        return sum(1 for _, one in self.kills if one == kind)

    def errors(self, seen):
        """The failed reads: near a kill of a server, and all others."""
        failed = [begun for begun, _, status in seen if status not in (200, 204, 304)]
        near = [begun for begun in failed
                if any(kind == "server" and -1 <= begun - moment <= CHECK_INTERVAL for moment, kind in self.kills)]
        return len(near), len(failed) - len(near)

    def back(self, kind):
        return [seconds for moment, seconds in self.writes_back if (moment, kind) in self.kills]

    def visible(self, mark):
        return [seconds for _, one, seconds in self.seen if one == mark]

    @property
    def promises(self):
        """What must hold, with the sentences for what does not."""
        back = [seconds for _, seconds in self.writes_back]
        return [
            (self.lost == 0, "acknowledged writes were lost"),
            (self.twice == 0, "writes were stored twice"),
            (not self.older, f"older revisions were read: {self.older[:5]}"),
            (not self.missing, f"acknowledged devices were not found: {self.missing[:5]}"),
            (not self.attacks, f"an attacker could: {self.attacks}"),
            *((scene.is_kept, f"{scene.name}: {scene.sentence}") for scene in self.scenes),
            *((scene.pause <= WRITES_BACK.get(scene.name, WAIT),
               f"{scene.name}: writes were away for {scene.pause:.1f} s") for scene in self.scenes),
            (self.differing == [] and len(self.devices) == 1, f"servers differ: {self.differing} {self.devices}"),
            (all(seconds <= 30 for seconds in back), "writes were not back within 30 s"),
            (self.errors(self.maps)[1] == 0, "map reads failed"),
            (all(share(self.visible(mark), 0.99) <= 1 for mark in ("calm", "lost")), "changes were visible late"),
            (self.mails_twice == 0 and self.mails_missing == 0, "mails were sent twice or not at all"),
            (self.drill[1:] == (True, 1), f"the restored backup is not complete, or an erasure is undone: {self.drill}"),
            (not self.mistakes, f"sentences about unusable databases: {self.mistakes}"),
            (self.check[0] == 0, f"farol check: {self.check[1]}"),
            (all(status == 0 for status in self.exits), f"servers ended with {self.exits}"),
        ]

    @property
    def is_kept(self):
        return all(kept for kept, _ in self.promises)

    def table(self, chosen):
        def times(values):
            if not values:
                return "–"
            return f"{share(values, 0.5):.2f} s, {share(values, 0.99):.2f} s, {max(values):.2f} s"

        near, far = self.errors(self.maps)
        list_errors = sum(self.errors(self.lists))
        rows = [
            ("`kill -9` of a server", self.count("server")),
            ("`kill -9` of all processes of the primary's PostgreSQL", self.count("postgresql")),
            ("`kill -9` of PostgreSQL, Patroni and etcd of the primary's machine", self.count("machine")),
            ("writers, map readers, list readers", f"{chosen.writers}, {chosen.readers}, 2"),
            ("writes acknowledged", self.acknowledged),
            ("attempts that were repeated", self.repeated),
            ("of these, answered 503", self.refused),
            ("of these, with an unknown outcome", self.unknown),
            ("devices stored", self.stored),
            ("acknowledged writes lost", self.lost),
            ("writes stored twice", self.twice),
            ("tiles and lists that differ between the servers and a new one", len(self.differing)),
            ("writes back after a crash of PostgreSQL: median, p99, maximum", times(self.back("postgresql"))),
            ("writes back after the loss of the machine", times(self.back("machine"))),
            ("a killed server is ready again", times(self.starts)),
            ("map reads", len(self.maps)),
            (f"of these failed within {CHECK_INTERVAL} s of the kill of a server", near),
            ("of these failed at any other time", far),
            ("duration of a map read", times([took for _, took, _ in self.maps])),
            ("list reads, and of these failed", f"{len(self.lists)}, {list_errors}"),
            ("a change is on every server's map", times(self.visible("calm"))),
            ("the same without notifications", times(self.visible("lost"))),
            ("the same during kills", times(self.visible("kills"))),
            ("mails of 30 sign-ups that were sent twice, or not", f"{self.mails_twice}, {self.mails_missing}"),
            ("of 60 wrong sign-ins on three servers in turn, compared with the password", self.guesses),
            ("a restore of the backup with the archived log", f"{self.drill[0]} s"),
            ("erasures after the backup that `farol settle` repeated, of 1", self.drill[2]),
            ("unusable databases without one clear sentence", len(self.mistakes)),
            ("`farol check` at the end", "no findings" if self.check[0] == 0 else self.check[1].strip()),
            ("seed", self.seed),
        ]
        lines = ["| figure | value |", "|---|---|"] + [f"| {name} | {value} |" for name, value in rows]
        if self.scenes:
            lines += ["", "| scene | writes | longest pause of writes | older, missing reads | map reads, failed, slowest "
                      "| list reads, failed |", "|---|---|---|---|---|---|", *(scene.row for scene in self.scenes)]
        broken = [f"NOT kept: {words}" for kept, words in self.promises if not kept]
        return "\n".join(lines + broken)
