"""The system clock jumps forwards and backwards, by hours and by years, while the program runs."""

import sqlite3
import time

from cases import case
from instance import ITEMS, Instance, create_admin, create_token, hold, watched
from shim import Disk

HOUR, YEAR = 3_600, 365 * 86_400


def clocked(bench):
    """An instance whose wall clock can be set. The monotonic clock stays correct, as on a real system."""
    scratch = bench.folder()
    data = scratch / "data"
    data.mkdir()
    return Instance(bench.program, scratch, data, Disk(bench.shim, scratch, data))


@case("clock jumps", "by an hour, by three years and back, and before the start: reads, writes, sessions, "
      "limits and periodic jobs continue")
def jumps(bench):
    instance = clocked(bench)
    secret = create_admin(instance)
    instance.start()
    instance.token = create_token(instance, secret)
    with watched(instance) as onlooker:
        for shift in (HOUR, -HOUR, 0, -3 * YEAR, 0):
            instance.disk.shift_clock(shift)
            time.sleep(1.5)
            answer = instance.add()
            hold(answer.status == 201, f"a write at {shift:+d} s was answered {answer.status}: "
                 f"{answer.body[:200]}")
            slow = instance.ask("GET", "/api/exports/devices.geojson", timeout=10)
            hold(slow.status == 200, f"an export at {shift:+d} s was answered {slow.status}")
            hold(onlooker.longest < 5, f"a read took {onlooker.longest:.1f} s at {shift:+d} s")
    # A session must not outlive its day by the clock: three years later the token has expired.
    instance.disk.shift_clock(3 * YEAR)
    time.sleep(1.5)
    hold(instance.add().status == 401, "a token of a day is taken after three years")
    hold(instance.ask("GET", f"{ITEMS}?limit=1").status == 200, "reading fails three years on")
    instance.disk.shift_clock(0)
    time.sleep(1.5)
    housekeeping(instance)
    hold(instance.stop() == 0, "it did not stop well")
    code, words = instance.check()
    hold(code == 0, f"farol check: {words.strip()}")
    instance.start()
    hold(not instance.lost(), "acknowledged writes were lost")
    hold(instance.stop() == 0, "it did not stop well")
    return {"reads": onlooker.served, "slowest": f"{onlooker.longest:.2f} s"}


def housekeeping(instance):
    """No job of the server waits for years because its last run has a date years ahead."""
    begun = time.monotonic()
    while True:
        with sqlite3.connect(f"file:{instance.database}?mode=ro", uri=True) as connection:
            late = connection.execute(
                "SELECT kind, due_at FROM job WHERE failed_at IS NULL AND due_at > "
                "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+2 days')").fetchall()
        connection.close()
        if not late:
            return
        hold(time.monotonic() - begun < 6, f"jobs wait for years: {late[:3]}")
        time.sleep(0.2)


@case("start with a wrong clock", "1971, 2038 and after 2106: the server starts and serves requests")
def start_elsewhere(bench):
    instance = clocked(bench)
    create_admin(instance)
    now = time.time()
    for year, moment in {1971: 31_536_000, 2038: 2_147_483_640, 2110: 4_417_977_600}.items():
        instance.disk.shift_clock(int(moment - now))
        instance.start()
        for path in ("/", f"{ITEMS}?limit=1", "/api/statistics?group_by=category"):
            status = instance.ask("GET", path).status
            hold(status == 200, f"{path} is answered {status} in {year}")
        # Past the last second of a 31-bit time.
        time.sleep(8 if year == 2038 else 0.5)
        hold(instance.ask("GET", "/readyz").status == 200, f"not ready in {year}")
        hold(instance.stop() == 0, f"it did not stop well in {year}")
    return {"years": "1971, 2038, 2110"}
