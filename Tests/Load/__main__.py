"""Measures Farol with a thousand connections, beyond its connection limit, and under attack.

docs/reference/load.md has the bounds. Prints a table; exits with 1 if a bound was broken.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import math
import multiprocessing
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Faults"), str(HERE.parents[1] / "bench")]

import attacks  # noqa: E402
import contributors  # noqa: E402
import followers  # noqa: E402
import live  # noqa: E402
import rows  # noqa: E402
from health import HealthWatch  # noqa: E402
from instance import HOME, Instance, hold  # noqa: E402
from people import PASSWORD, create_admin, create_token  # noqa: E402
from visitors import (  # noqa: E402
    Mixture, Plain, Tally, abandon, addresses, connect, crowd, get, randomness, status_of)

# Bounds, in milliseconds where the name has no other unit.
P99, HONEST_P95, HEALTH, HEALTH_WHEN_FULL = 1_000, 500, 100, 1_000
PLAIN_P95 = 100
HONEST_SHARE = 0.99
# From the response to a write until an honest listener gets the change. Includes 50 ms in which changes are gathered.
LIVE_P95 = 300
# Until a new listener is ready, in seconds. Twenty networks with a filter that is tried twice for 200 ms can be before it.
READY = 10
# Of a sign-in, of a write and of an inspection during costly requests of contributors.
SIGN_IN, WRITE, INSPECTION = 1_000, 250, 15_000
# The number of visitors of the attacked server, and the mean pause of each between requests, in seconds.
HONEST, PACE = 50, 0.5
SCENES = (
    "people", "encrypted", "encrypted_attacked", "shedding", "beyond", "attacked", "attempted", "flooded", "costly",
    "computing", "listening", "following", "contributing", "full")
SANITIZERS = ("WARNING: ThreadSanitizer", "ERROR: AddressSanitizer", "ERROR: LeakSanitizer")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds that each thinks, on average")
    parser.add_argument("--devices", type=int, default=20_000)
    parser.add_argument(
        "--sanitized", action="store_true",
        help="the program has a sanitizer in it: it may be slow, and must report nothing")
    parser.add_argument("names", nargs="*", help="words in the names of the scenes to run")
    return parser.parse_args()


class Scenes:
    def __init__(self, instance, chosen):
        self.instance = instance
        self.chosen = chosen
        # A program with a sanitizer has no time bounds.
        self.slack = math.inf if chosen.sanitized else 1
        self.mixture = Mixture(instance, randomness(20_261_121))
        self.rows = []
        self.broken = []

    def row(self, name, tally=None, health=None, **more):
        cells = []
        if tally:
            cells.append(f"{tally.served} of {tally.asked} served, p50 {tally.percentile(0.5):.0f} ms, "
                         f"p95 {tally.percentile(0.95):.0f} ms, p99 {tally.percentile(0.99):.0f} ms")
            if tally.faults or any(status >= 400 for status in tally.statuses):
                cells.append(f"{tally.statuses} {tally.faults}")
        if health:
            cells.append(f"/healthz at most {health.longest * 1_000:.0f} ms in {health.answered}")
        cells += [f"{key.replace('_', ' ')} {value}" for key, value in more.items()]
        cells.append(f"{resident(self.instance):.0f} MB")
        self.rows.append(f"| {name} | {'; '.join(cells)} |")
        print(f"{name}: {'; '.join(cells)}", file=sys.stderr, flush=True)

    def bound(self, name, condition, words):
        if not condition:
            self.broken.append(f"{name}: {words}")
            print(f"BROKEN {name}: {words}", file=sys.stderr, flush=True)

    def people(self):
        """A thousand connections that stay open, with the usual mix of requests and some writes."""
        self.all_served(f"{self.chosen.people} connections at once", 1)

    def encrypted(self):
        """The same number of connections, to a server that uses TLS itself."""
        with self.certified():
            self.all_served(f"{self.chosen.people} connections at once, over TLS", 5)

    def all_served(self, name, network):
        with self.watch() as health:
            tally = asyncio.run(crowd(
                self.instance.port, addresses(100, network), self.mixture, self.chosen.people,
                self.chosen.seconds, self.chosen.pace, writers=10, trust=self.instance.trust))
        self.row(name, tally, health)
        self.bound(name, tally.served == tally.asked, f"not all served: {tally.statuses} {tally.faults}")
        self.bound(name, tally.percentile(0.99) <= P99 * self.slack, f"p99 of {tally.percentile(0.99):.0f} ms")
        self.healthy(name, health)

    def watch(self):
        """Checks /healthz, over TLS while the server uses TLS."""
        return HealthWatch(self.instance.port, self.instance.certificate if self.instance.trust else None)

    def encrypted_attacked(self):
        """Honest visitors over TLS during endless handshakes, and during a flood of handshakes."""
        with self.certified():
            self.held_up("300 clients with an endless TLS handshake", attacks.slow_handshakes, 5, 300)
            name = "100 clients that only make TLS handshakes"
            result = Attack(
                attacks.handshakes, self.instance.port, addresses(100, 7), self.instance.certificate, 12)
            tally, health = self.beside(result, 6)
            done, failed = result.outcome()
            self.row(name, tally, health, handshakes=done, refused=failed)
            self.bound(name, done >= 1_000 or self.chosen.sanitized, f"only {done} handshakes were made")
            self.kept(name, tally, health)

    @contextlib.contextmanager
    def certified(self):
        """The server uses TLS itself within this block."""
        hold(self.instance.stop() == 0, "it did not stop well")
        self.instance.be_certified(1)
        self.instance.start()
        try:
            yield
        finally:
            self.instance.stop()
            self.instance.be_plain()
            self.instance.start()

    def beside(self, attack, number):
        """The responses to honest visitors and /healthz during the attack."""
        with self.watch() as health:
            tally = asyncio.run(self.honest(attack, number))
        return tally, health

    def healthy(self, name, health, limit=HEALTH):
        if self.chosen.sanitized:
            return
        self.bound(name, health.failed == 0, f"/healthz failed {health.failed} times")
        self.bound(name, health.longest * 1_000 <= limit,
                   f"/healthz took {health.longest * 1e3:.0f} ms")

    def shedding(self):
        """More connections than the server handles: 503 with Retry-After, and normal service after they
        close."""
        asyncio.run(self.shed())

    async def shed(self):
        name = "2,600 connections, 503 from 2,500 on"
        port, many = self.instance.port, addresses(100, 2)
        health = HealthWatch(port)
        with health:
            lines = await attacks.many(port, many, 2_600, lambda line: None)
            answers = await asyncio.gather(*(ask_quietly(line) for line in lines))
        statuses = count([status_of(one) for one in answers if one])
        shed = [one for one in answers if one and status_of(one) == 503]
        self.row(name, health=health, answered=statuses)
        self.bound(name, bool(shed), f"nobody was shed: {statuses}")
        self.bound(name, all(b"\r\nRetry-After:" in one for one in shed), "503 without Retry-After")
        self.bound(name, set(statuses) <= {200, 503}, f"answers {statuses}")
        self.healthy(name, health)
        await abandon(lines)
        await self.well(name)

    def beyond(self):
        """More connections than the limit allows."""
        asyncio.run(self.overflow())

    async def overflow(self):
        name = "5,000 connections, 4,096 allowed"
        lines = await attacks.many(self.instance.port, addresses(100, 3), 5_000, lambda line: None)
        await asyncio.sleep(1)
        hold(self.instance.process.poll() is None, "the server ended")
        opened = len(lines)
        await abandon(lines)
        seconds = await self.well(name)
        self.row(name, opened=opened, answers_again_after=f"{seconds:.2f} s")

    async def well(self, name, limit=6.0):
        """Seconds until a new visitor is served."""
        begun = time.monotonic()
        while time.monotonic() - begun < limit:
            try:
                line = await connect(self.instance.port, "127.4.0.1", timeout=2, trust=self.instance.trust)
                answer = await line.ask(get("/api/collections/devices/items?limit=1"), timeout=2)
                line.transport.abort()
                if status_of(answer) == 200:
                    return time.monotonic() - begun
            except (OSError, asyncio.TimeoutError):
                pass
            await asyncio.sleep(0.05)
        self.bound(name, False, f"nobody is served {limit} s after the connections have gone")
        return limit

    def attacked(self):
        """Honest visitors during each kind of attack from other addresses."""
        for number, (name, attack, must_go) in enumerate((
            ("300 clients with an endless head", attacks.slow_heads, True),
            ("300 clients with an endless body", attacks.slow_bodies, True),
            ("300 clients that do not read", attacks.slow_readers, False),
            ("1,000 silent clients", attacks.silent, True),
        )):
            self.held_up(name, attack, number, 1_000 if "1,000" in name else 300, must_go)

    def held_up(self, name, attack, number, count, must_go=True):
        """Honest visitors during connections of slow clients. Checks that slow clients are closed."""
        result = Attack(attack, self.instance.port, addresses(20, 10 + number), count, 15)
        tally, health = self.beside(result, number)
        held, gone = result.outcome()
        self.row(name, tally, health, attackers=held, **({"all_cut_after": f"{gone:.1f} s"} if gone else {}))
        self.bound(name, held == count, f"only {held} of {count} attackers came in")
        self.bound(name, not must_go or gone is not None, "some attackers were never cut")
        self.kept(name, tally, health)

    def attempted(self):
        """Ten thousand connections that open and close, and more while time remains."""
        name = "10,000 connection attempts and more"
        result = Attack(attacks.attempts, self.instance.port, addresses(200, 20), 10_000, 8)
        tally, health = self.beside(result, 8)
        done, failed = result.outcome()
        self.row(name, tally, health, came=done, refused=failed)
        self.bound(name, done + failed >= 10_000, f"only {done + failed} attempts were made")
        self.kept(name, tally, health)

    def flooded(self):
        """One address that sends requests as fast as it receives responses, on 400 connections."""
        name = "a flood from one address"
        result = Attack(attacks.flood, self.instance.port, "127.30.0.1", 400, 12)
        tally, health = self.beside(result, 9)
        answered, refused = result.outcome()
        self.row(name, tally, health, flood_answered=answered, flood_cut=refused)
        self.bound(name, refused > 0, "nothing of the flood was cut")
        self.kept(name, tally, health)

    def costly(self):
        """Lists with a filter that takes as long as a query may, from one address and from fifty."""
        mixtures = [Plain(self.instance, randomness(kind), kind) for kind in Plain.KINDS]
        for number, (count, networks) in enumerate(((2, 1), (8, 1), (50, 1), (150, 1), (8, 8), (50, 50), (150, 50))):
            self.costly_lists(number, count, networks, mixtures)
            # The next attack finds a full budget.
            time.sleep(2)

    def costly_lists(self, number, count, networks, mixtures):
        """The map, lists and devices for other visitors meanwhile, each kind with its own bound."""
        name = (f"{count} connections of {networks} address{'es' if networks > 1 else ''} that ask for lists with a "
                "costly filter")
        self.others(name, mixtures, Attack(
            attacks.costly_lists, self.instance.port, addresses(networks, 60 + number), count, 11))

    def others(self, name, mixtures, attack):
        """The map, lists and devices for 30 visitors during an attack that may be refused."""
        attack.start()
        time.sleep(1)

        async def visitors():
            return await asyncio.gather(*(
                crowd(self.instance.port, addresses(HONEST, 80 + place), mixture, 10, 9, 0.2)
                for place, mixture in enumerate(mixtures)))
        with self.watch() as health:
            tallies = asyncio.run(visitors())
        statuses, faults, without_retry = attack.outcome()
        for kind, tally in zip(Plain.KINDS, tallies):
            self.row(f"{name}: {kind}", tally)
            self.bound(name, tally.served == tally.asked, f"{kind}: {tally.statuses} {tally.faults}")
            self.bound(name, tally.percentile(0.95) <= PLAIN_P95 * self.slack,
                       f"{kind}: p95 of {tally.percentile(0.95):.0f} ms")
        self.row(f"{name}: the attackers", health=health, attackers=f"{statuses} {faults or ''}")
        self.bound(name, set(statuses) <= {200, 429, 503}, f"answers {statuses}")
        self.bound(name, statuses.get(200, 0) > 0, f"no attacker was ever served: {statuses}")
        self.bound(name, without_retry == 0, f"{without_retry} refusals without Retry-After")
        self.healthy(name, health)

    def computing(self):
        """Answers that are computed for each request: pages of places, operators, figures of a mapping day, nearest
        places, and lists as pages."""
        mixtures = [Plain(self.instance, randomness(kind), kind) for kind in Plain.KINDS]
        numbers = itertools.count()
        for words, paths in self.computed():
            hold(all(self.instance.ask("GET", path).status == 200 for path in paths), f"{words}: {paths} failed")
            for count, networks in ((50, 1), (150, 50)):
                name = f"{count} connections of {networks} address{'es' if networks > 1 else ''} that ask for {words}"
                self.others(name, mixtures, Attack(
                    attacks.repeated, self.instance.port, addresses(networks, 110 + next(numbers)), count, 11,
                    [get(path) for path in paths]))
                time.sleep(2)

    def computed(self):
        """Paths of answers by what they are."""
        def read(path):
            return self.instance.ask("GET", path).json
        places = [one["id"] for word in ("lis", "par", "ber", "tok") for one in read(f"/api/places?q={word}")["places"]]
        operators = [urllib.parse.quote(one["key"], safe="") for one in read("/api/operators?limit=20")["operators"]]
        day = f"/api/mapping-days/{followers.prepare(self.instance.database, 0)[0]}"
        followers.contribute(self.instance.database)
        second = read(f"{day}/contributions")["next"]
        near = "&".join(f"near={number % 340 - 170},{number % 120 - 60}" for number in range(50))
        return (
            ("pages of places", [f"/places/{one}" for one in places]),
            ("operators", ["/api/operators?q=a&order=name", *(f"/api/operators/{one}" for one in operators)]),
            ("figures of a mapping day", [f"{day}/progress", f"{day}/contributions",
                                          f"{day}/contributions?cursor={second}", f"{day}/contributions?f=csv&cursor={second}"]),
            ("the places nearest to 50 positions", [f"/api/places/nearest?{near}"]),
            ("lists as pages", ["/api/collections/devices/items?f=html&limit=1000"]))

    def listening(self):
        """Honest listeners of /api/live beside filters that fail or cost much, and beside listeners that come back."""
        port = self.instance.port
        seen = asyncio.run(live.sequence(port)) or 1
        for name, attack, *arguments in (
            ("live changes, nobody else", None),
            ("20 listeners with a calculation out of range", live.filters, addresses(1, 60), 20, 20, live.FAILING),
            ("20 listeners with a heavy filter", live.filters, addresses(1, 61), 20, 20, live.HEAVY),
            ("20 listeners with a heavy filter, from 20 networks", live.filters, addresses(20, 62), 20, 20, live.HEAVY),
            ("20 connections that come back with a heavy filter", live.loops, addresses(1, 63), 20, 20, max(1, seen - 200)),
            ("20 that come back, from 20 networks", live.loops, addresses(20, 64), 20, 20, max(1, seen - 200)),
        ):
            self.listened(name, attack and Attack(attack, port, *arguments))
        self.cut_off()

    def listened(self, name, attack):
        queries = ["", "?bbox=-180,-90,180,90", "?filter=name%20LIKE%20'Live%25'", "?q=live"] * 2
        if attack:
            attack.start()
            time.sleep(2)
        with self.watch() as health:
            listeners, delays, waited = asyncio.run(live.delays(
                self.instance.port, self.mixture.write, addresses(len(queries), 70), queries, 12))
        came = attack.outcome() if attack else 0
        told = [delay for delay in delays if delay < math.inf]
        p95 = told[int(0.95 * (len(told) - 1))] * 1_000 if told else math.inf
        reloads = sum(listener.events.get("reload", 0) for listener in listeners)
        self.row(name, health=health, told=f"{len(told)} of {len(delays)}", p95=f"{p95:.0f} ms",
                 longest=f"{told[-1] * 1_000:.0f} ms" if told else "none", reloads=reloads, ready_after=f"{waited:.1f} s",
                 streams_of_attackers=came)
        self.bound(name, waited <= READY * self.slack, f"ready after {waited:.1f} s")
        # A listener that reloads has missed nothing.
        self.bound(name, len(delays) - len(told) <= reloads <= len(delays) / 50,
                   f"{len(told)} of {len(delays)} changes were told, {reloads} reloads")
        self.bound(name, p95 <= LIVE_P95 * self.slack, f"p95 of {p95:.0f} ms")
        self.healthy(name, health)

    def cut_off(self):
        """A listener that is cut again and again hears each of 300 changes with long names."""
        name = "a stream that is cut after each 150 devices"
        port = self.instance.port
        seen = asyncio.run(live.sequence(port))
        names = [f"{number} " + "東" * 60 for number in range(300)]

        async def write():
            line = await connect(port, "127.5.0.4")
            answers = [await line.ask(self.mixture.write(one), timeout=20) for one in names]
            line.transport.abort()
            return [status_of(answer) for answer in answers]
        statuses = asyncio.run(write())
        hold(set(statuses) == {201}, f"the devices were not added: {count(statuses)}")
        told, returns = asyncio.run(live.cut(port, seen, asyncio.run(live.sequence(port))))
        missing = len(set(names) - told)
        self.row(name, told=len(names) - missing, returns=returns)
        self.bound(name, missing == 0, f"{missing} changes were never told")

    def following(self):
        """A mapping day with a thousand viewers, while 50 people add 20 devices a minute."""
        name = f"{self.chosen.people} viewers of a mapping day, 50 people add 20 devices a minute"
        day, tokens = followers.prepare(self.instance.database, 50)
        path = f"/api/mapping-days/{day}"
        until = time.monotonic() + 20
        while self.instance.ask("GET", path).json["state"] != "running" and time.monotonic() < until:
            time.sleep(0.5)
        before = resident(self.instance)
        with self.watch() as health:
            viewers, delays, devices, written = asyncio.run(followers.follow(
                self.instance.port, day, tokens, addresses(100, 80), self.chosen.people,
                max(self.chosen.seconds, 60), 3))
        after = resident(self.instance)
        statuses, waits = {}, sorted(wait for one in viewers for wait in one.waits)
        for one in viewers:
            for key, value in one.statuses.items():
                statuses[key] = statuses.get(key, 0) + value
        told = [delay for delay in delays if delay < math.inf]
        p99 = told[int(0.99 * (len(told) - 1))] * 1_000 if told else math.inf
        answers = waits[int(0.99 * (len(waits) - 1))] * 1_000 if waits else math.inf
        counted = min((one.added for one in viewers), default=0)
        self.row(name, health=health, devices=devices, told=f"{len(told)} of {len(delays)}", p99=f"{p99:.0f} ms",
                 longest=f"{told[-1] * 1_000:.0f} ms" if told else "none", figures=statuses,
                 p99_of_figures=f"{answers:.0f} ms", memory_of_a_viewer=f"{(after - before) * 1_024 / len(viewers):.0f} kB")
        self.bound(name, written == {201: devices}, f"writes {written}")
        self.bound(name, set(statuses) == {200}, f"figures {statuses}")
        self.bound(name, len(told) == len(delays), f"{len(told)} of {len(delays)} were told")
        self.bound(name, p99 <= P99 * self.slack, f"p99 of {p99:.0f} ms")
        self.bound(name, counted == devices, f"a viewer sees {counted} of {devices} devices counted")
        self.healthy(name, health)

    def contributing(self):
        """Sign-ins, writes and inspections of others beside one contributor whose requests cost much."""
        port, token = self.instance.port, self.instance.token
        other = create_token(self.instance, create_admin(self.instance, "second"), "second")
        rows = "".join(f"{number},Camera {number},{number / 100 - 9},38.7\n" for number in range(500))
        mapping = {
            "source": {"code": "load", "name": "A list", "licence": "CC0-1.0", "attribution": "A list",
                       "url": "https://city.example/"},
            "key": "{id}", "fields": {"name": "name", "category": {"value": "camera_fixed"}, "longitude": "lon",
                                      "latitude": "lat"}}
        status, answer = asyncio.run(contributors.ask(port, contributors.form(
            "/api/proposals", token, {"mapping_file": json.dumps(mapping).encode(),
                                      "file": b"id,name,lon,lat\n" + rows.encode()})))
        hold(status == 201, f"no proposal: {answer[-600:]}")
        proposal = json.loads(answer.partition(b"\r\n\r\n")[2])["id"]
        hostile = contributors.endless(self.instance.scratch / "endless.gpkg")
        honest = contributors.form("/api/list-inspections", other, {"file": b"id,name,lon,lat\n1,Camera,6,46\n"})
        for name, count, attack, asked, pause, limit in (
            ("passwords without the second factor beside 100 connections that read a proposal of 500 devices", 100,
             get(f"/api/proposals/{proposal}", f"Authorization: Bearer {token}\r\n"),
             [contributors.sign_in("second", PASSWORD)] * 8, 1, SIGN_IN),
            ("an inspection beside six lists without an end", 6,
             contributors.form("/api/list-inspections", token, {"file": hostile}), [honest] * 2, 1, INSPECTION),
            ("writes beside 24 connections that send a long body", 24,
             contributors.request("PATCH", "/api/watches/none", token, "application/json", contributors.LONG),
             [self.mixture.write() for _ in range(100)], 0.05, WRITE),
        ):
            begun = Attack(contributors.repeat, port, attack, count, 12)
            begun.start()
            time.sleep(1)
            with self.watch() as health:
                tally = asyncio.run(contributors.times(port, asked, pause))
            statuses, faults = begun.outcome()
            self.row(name, tally, health, contributor=f"{statuses} {faults or ''}")
            self.bound(name, tally.percentile(0.95) <= limit * self.slack, f"p95 of {tally.percentile(0.95):.0f} ms")
            self.bound(name, not set(tally.statuses) & {429, 500, 503}, f"answers {tally.statuses}")
            self.healthy(name, health)

    def full(self):
        """/healthz while all allowed connections are in use: by default, with a low limit and with few
        descriptors."""
        for words, count, settings, descriptors, kinds in (
            ("", 5_000, {}, None, attacks.BEGINNINGS),
            ("FAROL_CONNECTIONS=64", 409, {"FAROL_CONNECTIONS": "64"}, None, attacks.BEGINNINGS),
            ("160 descriptors", 409, {}, 160, (
                "silent clients", "clients that send a byte and close", "clients that do not read")),
        ):
            with self.limited(settings, descriptors):
                for kind in kinds:
                    self.filled(f"{count:,} {kind}" + (f", {words}" if words else ""), kind, count)
        with self.certified():
            self.filled("5,000 silent clients, over TLS", "silent clients", 5_000)

    def filled(self, name, kind, count):
        """Health checks with a new connection each time, while closed attackers reconnect."""
        attack = Attack(attacks.returning, self.instance.port, addresses(100, 50), count, 9, kind)
        attack.start()
        time.sleep(3)
        with HealthWatch(
                self.instance.port, self.instance.certificate if self.instance.trust else None, fresh=True) as health:
            time.sleep(5)
        most, opened = attack.outcome()
        self.row(name, health=health, held_at_once=most, opened=opened)
        self.bound(name, opened >= count, f"only {opened} of {count} were opened")
        self.healthy(name, health, HEALTH_WHEN_FULL)
        asyncio.run(self.well(name))

    @contextlib.contextmanager
    def limited(self, settings, descriptors):
        """The server runs with other settings and this number of descriptors within this block."""
        hold(self.instance.stop() == 0, "it did not stop well")
        before, self.instance.settings = self.instance.settings, self.instance.settings | settings
        with open(self.instance.log_path, "ab") as log:
            self.instance.process = subprocess.Popen(
                [self.instance.program, "serve"], env=self.instance.serving(), cwd=self.instance.home, stdout=log,
                stderr=log, stdin=subprocess.DEVNULL, preexec_fn=lambda: descriptors and resource.setrlimit(
                    resource.RLIMIT_NOFILE, (descriptors, descriptors)))
        self.instance.wait_until_ready()
        try:
            yield
        finally:
            self.instance.settings = before
            self.bound("full", self.instance.stop() == 0, "it did not stop well")
            self.instance.start()

    async def honest(self, attack, number):
        """Fifty visitors during the whole attack."""
        tally = Tally()
        attack.start()
        await asyncio.sleep(1)
        while attack.is_running():
            part = await crowd(
                self.instance.port, addresses(HONEST, 40 + number), self.mixture, HONEST, 5, PACE,
                trust=self.instance.trust)
            tally.seconds += part.seconds
            for mine, theirs in ((tally.statuses, part.statuses), (tally.faults, part.faults)):
                for key, value in theirs.items():
                    mine[key] = mine.get(key, 0) + value
        return tally

    def kept(self, name, tally, health):
        self.bound(name, tally.share >= HONEST_SHARE,
                   f"only {tally.share:.1%} served: {tally.statuses} {tally.faults}")
        self.bound(name, tally.percentile(0.95) <= HONEST_P95 * self.slack,
                   f"p95 of {tally.percentile(0.95):.0f} ms")
        self.healthy(name, health)


class Attack:
    """An attack in a separate process, so that it takes no time from the visitors' loop."""

    def __init__(self, attack, *arguments):
        self.hears, tells = multiprocessing.Pipe(False)
        self.process = multiprocessing.Process(
            target=run_attack, args=(tells, attack, arguments), daemon=True)

    def start(self):
        self.process.start()

    def is_running(self):
        return self.process.is_alive() and not self.hears.poll()

    def outcome(self):
        outcome = self.hears.recv()
        self.process.join(10)
        return outcome


def run_attack(tells, attack, arguments):
    tells.send(asyncio.run(attack(*arguments)))


async def ask_quietly(line):
    try:
        return await line.ask(get("/api/collections/devices/items?limit=1"), timeout=20)
    except (OSError, asyncio.TimeoutError):
        return None


def count(values):
    return {value: values.count(value) for value in sorted(set(values))}


def sanitizer_reports(path):
    """The reports of a sanitizer in the server's log."""
    with open(path, encoding="utf-8", errors="replace") as log:
        parts = log.read().split("==================\n")
    return [part for part in parts if any(one in part for one in SANITIZERS)]


def resident(instance):
    """The memory of the server in megabytes."""
    with open(f"/proc/{instance.process.pid}/status") as file:
        for line in file:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1_024
    return 0.0


def main():
    chosen = options()
    allowed = attacks.descriptors()
    hold(allowed >= 8_192, f"this needs 8,192 descriptors and may have {allowed}: see ulimit -n")
    scratch = Path(tempfile.mkdtemp(prefix="farol-load-"))
    instance = Instance(Path(chosen.program).resolve(), scratch)
    try:
        instance.prepare()
        instance.run("generate", "--devices", str(chosen.devices), "--seed", "6")
        scenes = Scenes(instance, chosen)
        for scene in SCENES:
            if not chosen.names or any(word in scene for word in chosen.names):
                getattr(scenes, scene)()
        scenes.bound("at the end", not instance.lost(), "acknowledged writes were lost")
        scenes.bound("at the end", instance.stop() == 0, "it did not stop well")
        reports = sanitizer_reports(instance.log_path)
        scenes.bound("at the end", not reports, f"{len(reports)} reports, the first:\n{reports[:1]}")
        code, words = instance.check()
        scenes.bound("at the end", code == 0, f"farol check: {words.strip()}")
    finally:
        instance.end()
        shutil.rmtree(scratch, ignore_errors=True)
    rows.show("load", "\n".join(["| scene | outcome |", "|---|---|"] + scenes.rows), devices=chosen.devices)
    for one in scenes.broken:
        print(f"broken: {one}")
    return 1 if scenes.broken else 0


if __name__ == "__main__":
    sys.exit(main())
