"""How many changes a second two instances accept, one with watches and one without, in turns."""

import os
import signal
import statistics
import time

import rows
from changes import Writers

CLIENTS = 16
QUIET = 3  # seconds with almost no work, after which the background work is done
SHARE = 0.97


def memory(process):
    """Resident bytes."""
    with open(f"/proc/{process.pid}/status") as status:
        line = next(line for line in status if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1_024


def rest(process, seconds=600):
    """Waits until background work, such as the snapshots of the day after a start, is done. Returns when it was."""
    quiet = 0
    for _ in range(seconds):
        before = used(process)
        time.sleep(1)
        quiet = quiet + 1 if used(process) - before < 0.1 else 0
        if quiet == QUIET:
            return time.monotonic() - QUIET
    raise TimeoutError(f"farol is still busy after {seconds} s")


def used(process):
    """Seconds of processor time."""
    with open(f"/proc/{process.pid}/stat") as status:
        fields = status.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Throughput:
    def __init__(self, rig, chosen):
        self.rig, self.chosen = rig, chosen

    def run(self):
        plain, watched = self.rig.instance("plain", False), self.rig.instance("watched", True)
        for one in (plain, watched):
            rest(one.process)
        heap = (memory(watched.process) - memory(plain.process)) / self.chosen.watches
        rates = {"without": [], "with": []}
        waits = []
        # In the first turn, every watch that mails at once schedules a mail, and from then on one in five minutes.
        for number in range(self.chosen.rounds + 1):
            turns = [("without", plain, watched), ("with", watched, plain)]
            for name, runs, rests in turns if number % 2 == 0 else turns[::-1]:
                # The other server does nothing meanwhile: it does not even deliver the changes that it has found.
                rests.process.send_signal(signal.SIGSTOP)
                # Mails that became due while it was stopped are sent first: a server that runs sends them one by one.
                rest(runs.process)
                writers = Writers(runs.port, runs.token, self.rig.places, threads=CLIENTS)
                took = writers.run(self.chosen.turn)
                rates[name].append(len(writers.done) / took)
                ended = time.monotonic()
                done = rest(runs.process)
                if name == "with":
                    waits.append(max(0.0, done - ended))
                rests.process.send_signal(signal.SIGCONT)
        for one in (plain, watched):
            self.rig.discard(one)
        without, with_watches = (statistics.median(rates[name][1:]) for name in ("without", "with"))
        share = with_watches / without
        lines = ["| writes a second without watches | with | share | alerts complete after | memory of a watch |",
                 "|--:|--:|--:|--:|--:|"]
        lines.append(f"| {without:,.0f} | {with_watches:,.0f} | {share:.2f} | {statistics.median(waits[1:]):.0f} s "
                     f"| {heap:,.0f} bytes |")
        rows.show("watch-throughput", "\n".join(lines), devices=self.chosen.devices, watches=self.chosen.watches)
        return [] if share >= SHARE else [f"{share:.2f} of the writes without watches, {SHARE} wanted"]
