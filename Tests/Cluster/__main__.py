"""Runs three servers of Farol on three databases under Patroni, kills servers and primaries under load, and checks.

Everything runs on this machine, on free ports of the loopback, in a folder that is removed at the end, and with the
files of operations/postgresql. Prints a table; exits with 1 if a promise was broken.
"""

import argparse
import contextlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "Crash"), str(HERE.parent / "TestPostgreSQL")]

import checks  # noqa: E402
import mistakes  # noqa: E402
import network  # noqa: E402
import processes  # noqa: E402
import scenes  # noqa: E402
from clients import ListReader, MapReader, Promises, Verifier, Watcher, Writer  # noqa: E402
from cluster import owner  # noqa: E402
from databases import Databases  # noqa: E402
from drill import Drill  # noqa: E402
from people import create_admin, create_token  # noqa: E402
from record import Record  # noqa: E402
from servers import Server, Servers  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=3, help="of a server, and as many of the primary")
    parser.add_argument("scenes", nargs="*", metavar="scene", help=f"by default all: {', '.join(scenes.NAMES)}")
    parser.add_argument("--writers", type=int, default=16)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--calm", type=float, default=20, help="seconds without kills, with and without NOTIFY")
    parser.add_argument("--pause", type=float, default=0.1, help="seconds between two writes of a writer")
    parser.add_argument("--seed", type=int, default=None, help="default: another each time")
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    return parser.parse_args()


class Run:
    def __init__(self, chosen, folder):
        self.chosen, self.folder = chosen, folder
        self.seed = chosen.seed if chosen.seed is not None else random.SystemRandom().getrandbits(32)
        self.chance = random.Random(self.seed)
        played = chosen.scenes
        self.databases = Databases(folder, owner(), "bad-network" in played, scenes.DISK if "disk" in played else "")
        self.hosts = [network.Host(f"farol{number}", f"10.0.0.2{number}") for number in (1, 2, 3)]
        self.proxies = [self.databases.proxy_on(host.name, host.inside) for host in self.hosts]
        self.program = str(Path(chosen.program).resolve())
        self.record = Record(self.seed)
        self.promises = Promises()
        self.workers = []

    def tell(self, words):
        print(f"{time.strftime('%H:%M:%S')} {words}", file=sys.stderr, flush=True)

    def start(self):
        self.tell("starting etcd, Patroni and PostgreSQL")
        self.databases.start()
        # Two servers find the primary through HAProxy, one through the list of hosts.
        urls = [self.databases.url, self.databases.url, self.databases.url_of_hosts]
        for proxy in self.proxies:
            proxy.start()
        # Until its first checks, HAProxy takes every machine for the primary.
        time.sleep(5)
        self.servers = Servers(self.program, HOME, self.folder, urls, self.databases.standby_url, self.hosts)
        self.tell("starting three servers")
        first = self.servers.all[0]
        secrets = {}
        for name in ("keeper1", "keeper2", "keeper3", "keeper4", "leaver"):
            secrets[name] = create_admin(first, name)
        self.servers.start()
        self.leaver = secrets.pop("leaver")
        self.tokens = [create_token(first, secret, name) for name, secret in secrets.items()]
        self.drill = Drill(self.databases, self.servers.all, str(HOME))
        self.context = self.servers.context()

    def load(self):
        port, context = self.servers.port, self.context
        self.writers = [
            Writer(port, context, self.tokens[number % 4], self.promises, self.chance.getrandbits(64), self.chosen.pause)
            for number in range(self.chosen.writers)]
        self.maps = [MapReader(port, context, self.chance.getrandbits(64), 0.02) for _ in range(self.chosen.readers)]
        self.lists = [ListReader(port, context, self.chance.getrandbits(64), 0.1) for _ in range(2)]
        self.watcher = Watcher(port, context, self.tokens[0], self.servers.all, self.chance.getrandbits(64), 0.05)
        self.verifier = Verifier(self.servers.all, self.tokens[1], self.promises, self.chance.getrandbits(64), 0.02)
        self.workers = [*self.writers, *self.maps, *self.lists, self.watcher, self.verifier]
        for worker in self.workers:
            worker.start()

    def wait(self, seconds):
        """Waits while the workers work. Their faults end the test."""
        end = time.monotonic() + seconds
        while True:
            for worker in self.workers:
                if worker.fault:
                    raise worker.fault
            if (left := end - time.monotonic()) <= 0:
                return
            time.sleep(min(left, 0.2))

    @contextlib.contextmanager
    def notifications_lost(self):
        """Stops the processes of PostgreSQL that would deliver notifications. Their connections stay open."""
        listening = [int(row) for row in self.databases.ask(
            "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND backend_type = 'client backend'")]
        if len(listening) < len(self.servers.all):
            raise RuntimeError(f"{len(listening)} servers listen")
        for process in listening:
            os.kill(process, signal.SIGSTOP)
        self.watcher.mark = "lost"
        try:
            yield
        finally:
            self.watcher.mark = "calm"
            for process in listening:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)

    def calm(self):
        self.tell("load without kills")
        self.wait(self.chosen.calm)
        self.tell("load without notifications")
        with self.notifications_lost():
            self.wait(self.chosen.calm)
        self.tell("backup under load")
        self.drill.back_up()
        self.drill.erase(self.leaver, "leaver")
        self.wait(1)

    def kill_servers(self):
        for number in range(self.chosen.kills):
            server = self.servers.all[number % len(self.servers.all)]
            self.watcher.mark = "kills"
            self.wait(self.chance.uniform(1, 2))
            self.record.killed_server(time.monotonic())
            server.kill()
            self.wait(self.chance.uniform(1, 3))
            server.start()
            self.record.starts.append(server.wait_until_ready())
            self.wait(1)
            self.tell(f"{number + 1} of {self.chosen.kills} servers killed")

    def kill_primaries(self):
        for number in range(self.chosen.kills):
            self.record.rejoined.append(self.databases.wait_until_healthy(180))
            primary = self.databases.primary()
            # In turn: PostgreSQL crashes, with notifications and without; the machine is lost.
            kind = ("postgresql", "machine", "silent")[number % 3]
            self.watcher.mark = "kills"
            with self.notifications_lost() if kind == "silent" else contextlib.nullcontext():
                self.watcher.mark = "kills"
                self.wait(self.chance.uniform(1, 2))
                killed = time.monotonic()
                self.record.killed_primary(killed, "machine" if kind == "machine" else "postgresql")
                if kind == "machine":
                    primary.kill()
                else:
                    primary.kill_postgresql()
            self.wait_for_writes(killed)
            self.wait(3)
            if kind == "machine":
                primary.start()
            self.tell(f"{number + 1} of {self.chosen.kills} primaries killed ({kind}), "
                      f"writes back after {self.record.writes_back[-1][1]:.1f} s")
        self.record.rejoined.append(self.databases.wait_until_healthy(180))

    def wait_for_writes(self, killed):
        """Until a write that was sent after the kill is acknowledged."""
        while time.monotonic() - killed < 120:
            self.wait(0.1)
            with self.promises.lock:
                recent = self.promises.acknowledged[-200:]
            back = [answered for sent, answered in recent if sent > killed]
            if back:
                return self.record.writes_back.append((killed, min(back) - killed))
        raise RuntimeError("no write was acknowledged within two minutes")

    def finish(self):
        """Stops the load, after each writer's last write is acknowledged."""
        self.watcher.mark = "calm"
        self.wait(3)
        for worker in self.workers:
            worker.stop()
        for worker in self.workers:
            worker.join(timeout=90)
            if worker.is_alive():
                raise RuntimeError("a client did not end")
            if worker.fault:
                raise worker.fault
        record = self.record
        record.take(self.promises, self.maps, self.lists, self.watcher)
        self.tell("comparing")
        record.lost, record.twice, record.stored = checks.stored(self.databases, self.promises)
        port = processes.free_ports(1)[0]
        fresh = Server(4, self.program, HOME, self.folder, self.databases.url, port)
        fresh.start()
        fresh.wait_until_ready()
        record.differing = checks.differences([*self.servers.all, fresh])
        record.devices = {checks.counted_devices(server) for server in [*self.servers.all, fresh]}
        fresh.process.stop()
        record.mails_twice, record.mails_missing = checks.mails(self.servers.all, 30)
        record.guesses = checks.guesses(self.servers.all)
        self.tell("restoring the backup")
        record.drill = self.drill.restore()
        record.check = self.servers.all[0].command("check", patience=600)
        self.tell("databases that cannot be used")
        record.mistakes = mistakes.check(self.databases, self.program, HOME, self.folder)
        record.exits = [server.process.stop() for server in self.servers.all]


def main():
    chosen = options()
    unknown = set(chosen.scenes) - set(scenes.NAMES)
    if unknown:
        sys.exit(f"there is no scene {', '.join(sorted(unknown))}; there are {', '.join(scenes.NAMES)}")
    chosen.scenes = chosen.scenes or list(scenes.NAMES)
    network.enter()
    folder = Path(tempfile.mkdtemp(prefix="farol-cluster-", dir="/tmp"))
    folder.chmod(0o711)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    run = None
    try:
        run = Run(chosen, folder)
        run.start()
        run.load()
        run.calm()
        for name in chosen.scenes:
            run.tell(f"scene {name}")
            scenes.Scenes(run).play(name)
        run.finish()
    except BaseException:
        if run:
            for name in ("serve.log",):
                for path in sorted(folder.glob(f"farol*/{name}")):
                    print(f"{path}:\n{path.read_text(errors='replace')[-2_000:]}", file=sys.stderr)
        raise
    finally:
        for process in processes.started:
            if not process.name.startswith(("etcd", "patroni")):
                process.kill()
        if run:
            for machine in run.databases.machines:
                machine.wake()
            run.databases.stop()
        network.stop()
        if chosen.keep:
            print(f"the logs are in {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print(run.record.table(chosen))
    return 0 if run.record.is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
