"""Measures live changes: the time from the acknowledgement of a write until each listener has it.

    make bench-live
    python3 bench/live --program .build/release/farol --listeners 1000 --idle 200 --writes 5 --seconds 30

Prints a table; exits with 1 if a bound was broken. Everything runs on the loopback network.
"""

import argparse
import asyncio
import http.client
import json
import multiprocessing
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "bench"), str(HOME / "Tests/Load"), str(HOME / "Tests/Faults")]

import rows  # noqa: E402
from attacks import descriptors  # noqa: E402
from health import HealthWatch  # noqa: E402
from instance import ITEMS, Instance, hold  # noqa: E402
from listeners import Listener, SilentListener, all_ready, listen  # noqa: E402
from visitors import addresses  # noqa: E402

P99, HEALTH = 1_000, 100  # milliseconds
NAME = rb'"name":"live (\d+)"'
PATIENCE = 10  # seconds for the last changes
# Seconds until the last of those that do not read is closed: the server closes after 30, and notices with its next
# message, which follows within 15.
CLOSING = 50


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--listeners", type=int, default=1_000)
    parser.add_argument("--idle", type=int, default=200, help="further listeners that do not read")
    parser.add_argument("--writes", type=float, default=5, help="devices added in a second")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--devices", type=int, default=20_000, help="devices before the first write")
    return parser.parse_args()


def write(port, token, rate, seconds, told):
    """Adds devices at a steady rate; tells when each was acknowledged."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    fields = {"Content-Type": "application/geo+json", "Authorization": f"Bearer {token}"}
    acknowledged = {}
    begun = time.monotonic()
    for number in range(int(rate * seconds)):
        time.sleep(max(0, begun + number / rate - time.monotonic()))
        place = [number * 7_919 % 35_000 / 100 - 175, number * 104_729 % 16_000 / 100 - 80]
        line.request("POST", ITEMS, json.dumps({
            "type": "Feature", "geometry": {"type": "Point", "coordinates": place},
            "properties": {"name": f"live {number}", "category": "camera_fixed"}}), fields)
        answer = line.getresponse()
        moment = time.monotonic()
        answer.read()
        if answer.status == 201:
            acknowledged[str(number)] = moment
    told.send(acknowledged)


async def measure(instance, chosen):
    """The listeners, and the time of each acknowledgement."""
    near = addresses(100, 1)
    reading = [Listener("", NAME) for _ in range(chosen.listeners)]
    silent = [SilentListener() for _ in range(chosen.idle)]
    for number, one in enumerate(reading + silent):
        await listen(instance.port, near[number % len(near)], one)
    hold(await all_ready(reading), f"only {sum(one.is_ready for one in reading)} listeners are ready")
    hears, tells = multiprocessing.Pipe(False)
    writer = multiprocessing.Process(
        target=write, args=(instance.port, instance.token, chosen.writes, chosen.seconds, tells), daemon=True)
    writer.start()
    while not hears.poll():
        hold(writer.is_alive() or hears.poll(), "the writer ended early")
        await asyncio.sleep(0.1)
    acknowledged = hears.recv()
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and any(len(one.arrived) < len(acknowledged) for one in reading):
        await asyncio.sleep(0.1)
    await asyncio.sleep(CLOSING if silent else 0)
    idle_gone = sum(one.is_closed() for one in silent)
    for one in reading + silent:
        one.end()
    return reading, acknowledged, idle_gone


def percentile(ordered, share):
    return 1_000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def report(chosen, reading, acknowledged, idle_gone, health):
    """Prints the table. Returns the broken bounds."""
    # A change may arrive before its acknowledgement was read.
    delays = sorted(max(0.0, one.arrived[number] - moment) for one in reading
                    for number, moment in acknowledged.items() if number in one.arrived)
    missing = len(reading) * len(acknowledged) - len(delays)
    p99 = percentile(delays, 0.99)
    lines = ["| listeners | not reading | writes | p50 | p99 | longest | /healthz at most | missing | idle ones closed |",
             "|---|---|---|---|---|---|---|---|---|"]
    lines.append(f"| {len(reading)} | {chosen.idle} | {len(acknowledged)} at {chosen.writes:g}/s | {percentile(delays, 0.5):.0f} ms "
          f"| {p99:.0f} ms | {percentile(delays, 1):.0f} ms | {health.longest * 1_000:.0f} ms | {missing} | {idle_gone} |")
    rows.show("live", "\n".join(lines), devices=chosen.devices)
    return [words for is_broken, words in (
        (not acknowledged, "no write was acknowledged"),
        (len(acknowledged) < int(chosen.writes * chosen.seconds), "some writes were refused"),
        (missing, f"{missing} changes did not arrive"),
        (idle_gone < chosen.idle, f"{chosen.idle - idle_gone} that do not read are still connected"),
        (not p99 <= P99, f"p99 of {p99:.0f} ms, allowed {P99}"),
        (health.failed, f"/healthz failed {health.failed} times"),
        (health.longest * 1_000 > HEALTH, f"/healthz took {health.longest * 1_000:.0f} ms, allowed {HEALTH}"),
    ) if is_broken]


def main():
    chosen = options()
    needed = chosen.listeners + chosen.idle + 200
    hold(descriptors() >= needed, f"this needs {needed} descriptors and may have {descriptors()}: see ulimit -n")
    scratch = Path(tempfile.mkdtemp(prefix="farol-live-"))
    instance = Instance(Path(chosen.program).resolve(), scratch)
    try:
        instance.prepare()
        instance.run("generate", "--devices", str(chosen.devices), "--seed", "6")
        with HealthWatch(instance.port) as health:
            measured = asyncio.run(measure(instance, chosen))
        broken = report(chosen, *measured, health)
        if instance.stop() != 0:
            broken.append("the server did not stop well")
    finally:
        instance.end()
        shutil.rmtree(scratch, ignore_errors=True)
    for one in broken:
        print(f"broken: {one}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
