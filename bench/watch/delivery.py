"""The time from the acknowledgement of a change to those who hear of it."""

import asyncio
import multiprocessing
import time
from collections import Counter

import rows
from changes import SPREAD, Writers
from health import HealthWatch
from instance import hold
from listeners import Listener, SilentListener, all_ready, listen
from throughput import memory, rest
from visitors import addresses
from watches import Due

DEVICE = rb'"id":"([0-9a-f-]{36})"'
# Milliseconds.
BOUNDS = {"live": 1_000, "mail": 5_000, "webhook": 5_000}
HEALTH = 100
PATIENCE = 15  # seconds for the last alerts
CLOSING = 40  # seconds of changes after which no listener that does not read is still connected


class Delivery:
    def __init__(self, rig, chosen, mails, calls):
        self.rig, self.chosen, self.mails, self.calls = rig, chosen, mails, calls

    def run(self):
        instance = self.rig.instance("delivery", True)
        rest(instance.process)
        self.before = memory(instance.process)
        seen = (len(self.mails.alerts()), len(self.calls.alerts()))
        with HealthWatch(instance.port) as health:
            asyncio.run(self.measure(instance))
        mails, calls = self.mails.alerts()[seen[0]:], self.calls.alerts()[seen[1]:]
        broken = [] if instance.stop() == 0 else ["the server did not stop well"]
        self.rig.discard(instance)
        return broken + self.report(mails, calls, health)

    async def measure(self, instance):
        near = addresses(100, 1)
        self.boxes = [self.box(number) for number in range(self.chosen.listeners)]
        self.reading = [Listener("?bbox=" + ",".join(map(str, box)), DEVICE) for box in self.boxes]
        self.idle = [SilentListener() for _ in range(self.chosen.idle)]
        for number, one in enumerate(self.reading + self.idle):
            await listen(instance.port, near[number % len(near)], one)
        hold(await all_ready(self.reading), "not every listener is ready")
        self.per_listener = (memory(instance.process) - self.before) / max(1, len(self.reading + self.idle))
        hears, tells = multiprocessing.Pipe(False)
        writer = multiprocessing.Process(target=self.write, args=(instance, tells), daemon=True)
        writer.start()
        while not hears.poll():
            hold(writer.is_alive() or hears.poll(), "the writers ended early")
            await asyncio.sleep(0.1)
        self.changes, self.refused, self.took = hears.recv()
        self.ended = time.time()
        await asyncio.sleep(PATIENCE)
        self.memory = memory(instance.process)
        self.idle_closed = sum(one.is_closed() for one in self.idle)
        for one in self.reading + self.idle:
            one.end()

    def box(self, number):
        longitude, latitude = self.rig.places[number % len(self.rig.places)]
        return (round(longitude - SPREAD, 4), round(latitude - SPREAD, 4),
                round(longitude + SPREAD, 4), round(latitude + SPREAD, 4))

    def write(self, instance, tells):
        writers = Writers(instance.port, instance.token, self.rig.places, instance.database, edits=0.1)
        took = writers.run(self.chosen.seconds, self.chosen.rate)
        tells.send((writers.done, writers.refused, took))

    def report(self, mails, calls, health):
        acknowledged = {one.device: one.moment for one in self.changes}
        due = Due(self.changes)
        delays = {"live": self.live(due), "mail": self.mail(mails, acknowledged),
                  "webhook": self.hooks(calls, acknowledged)}
        missing = {"live": self.missed_live, "mail": self.missing_mails(due, mails),
                   "webhook": self.missing_calls(due, calls)}
        print(f"{len(self.changes)} changes in {self.took:.1f} s, {len(self.refused)} refused")
        lines = ["", "| to | alerts | p50 | p99 | longest | missing | twice |", "|---|--:|--:|--:|--:|--:|--:|"]
        twice = {"live": 0, "mail": repeated(mails), "webhook": repeated(calls)}
        for kind, all_delays in delays.items():
            p50, p99, longest = (percentile(all_delays, share) for share in (0.5, 0.99, 1))
            lines.append(f"| {kind} | {len(all_delays)} | {p50:,.0f} ms | {p99:,.0f} ms | {longest:,.0f} ms "
                  f"| {missing[kind]} | {twice[kind]} |")
        lines += ["", "| /healthz at most | listeners that do not read, closed | memory of a listener | memory |",
                  "|--:|--:|--:|--:|"]
        lines.append(f"| {health.longest * 1_000:.0f} ms | {self.idle_closed} of {len(self.idle)} "
              f"| {self.per_listener:,.0f} bytes | {self.memory / 1e6:.0f} MB |")
        rows.show("watches", "\n".join(lines), devices=self.chosen.devices, watches=self.chosen.watches,
                  rate=self.chosen.rate)
        return self.broken(delays, missing, twice, health)

    def broken(self, delays, missing, twice, health):
        wanted = int(self.chosen.rate * self.chosen.seconds)
        found = [f"{kind}: p99 is {percentile(delays[kind], 0.99):.0f} ms, allowed {bound}"
                 for kind, bound in BOUNDS.items() if not percentile(delays[kind], 0.99) <= bound]
        found += [f"{kind}: {count} alerts are missing" for kind, count in missing.items() if count]
        found += [f"{kind}: {count} alerts came twice" for kind, count in twice.items() if count]
        if len(self.changes) < wanted * 0.99:
            found.append(f"{len(self.changes)} of {wanted} changes; refused: {self.refused[:2]}")
        if self.chosen.seconds >= CLOSING and self.idle_closed < len(self.idle):
            found.append(f"{len(self.idle) - self.idle_closed} listeners that do not read are still connected")
        if health.failed or health.longest * 1_000 > HEALTH:
            found.append(f"/healthz: {health.failed} failed, longest {health.longest * 1_000:.0f} ms")
        return found

    def live(self, due):
        delays, self.missed_live = [], 0
        for box, one in zip(self.boxes, self.reading):
            for change in due.within(box):
                moment = one.arrived.get(change.device)
                if moment is None:
                    self.missed_live += 1
                else:
                    delays.append(max(0.0, moment - change.moment))
        return sorted(delays)

    def mail(self, mails, acknowledged):
        """The delay of each mail, counted from the first change in it, or from the end of the five minutes in which the
        watch sends no other."""
        offset = time.time() - time.monotonic()
        free = {one.id: one.free_at - offset for one in self.rig.watches}
        firsts = ((one, [acknowledged[device] for device in one.devices if device in acknowledged]) for one in mails)
        return sorted(max(0.0, one.moment - max(min(first), free[one.watch])) for one, first in firsts if first)

    @staticmethod
    def hooks(calls, acknowledged):
        return sorted(max(0.0, one.moment - acknowledged[device]) for one in calls for device in one.devices
                      if device in acknowledged)

    def missing_mails(self, due, mails):
        """Watches with something to tell, and free to mail before the last change, that sent no mail."""
        told = {one.watch for one in mails}
        return sum(1 for one in self.rig.watches if one.delivery == "at_once" and one.free_at < self.ended
                   and one.id not in told and due.of(one))

    def missing_calls(self, due, calls):
        told = {(one.watch, device) for one in calls for device in one.devices}
        return sum(1 for one in self.rig.watches if one.delivery == "webhook"
                   for device in due.of(one) or () if (one.id, device) not in told)


def repeated(alerts):
    return sum(count - 1 for count in Counter(one.identity for one in alerts).values())


def percentile(ordered, share):
    return 1_000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
