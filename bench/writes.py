"""Measures devices added per second, over HTTP and with the same statements in-process. Each write is durable."""

import json
import os
import shutil
import subprocess
import time

from processes import Failure, Farol, Process

# Numbers of simultaneous clients.
CLIENTS = (1, 16)


class BareWriter(Process):
    """`farol-bench writes`: only the statements, on a separate database."""

    def __init__(self, program, root, database, environment):
        super().__init__([program, "writes", database, root], environment, stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, stderr=None, text=True)

    def measure(self, rows, seconds):
        """Devices added per second with this number in a commit."""
        self.child.stdin.write(f"{rows} {seconds}\n")
        self.child.stdin.flush()
        line = self.child.stdout.readline()
        if not line:
            raise Failure("farol-bench ended; its output is above")
        count, elapsed = line.split()
        return int(count) / float(elapsed)


def copy(database, folder, name):
    """A writable copy of a world, next to it and therefore on the same disk."""
    path = os.path.join(folder, name, "farol.db")
    shutil.rmtree(os.path.dirname(path), ignore_errors=True)
    os.makedirs(os.path.dirname(path))
    subprocess.run(["cp", "--reflink=auto", database, path], check=True)
    return path


def remove(path):
    """Removes a copy."""
    shutil.rmtree(os.path.dirname(path), ignore_errors=True)


def token(program, database, environment):
    """A token of an account created for the run, in a database without a running server."""
    made = subprocess.run([program, "account", database], env=environment, check=True,
                          capture_output=True, text=True)
    return made.stdout.strip()


def load(script, port, key, connections, seconds):
    """The results of wrk: requests, seconds, failed, p50 and p99 in milliseconds."""
    run = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s", "--latency",
         "-s", script, f"http://127.0.0.1:{port}", "--", key, str(time.time_ns() % 10**9)],
        capture_output=True, text=True, timeout=seconds + 60)
    if run.returncode:
        raise Failure(f"wrk failed: {run.stderr.strip()}")
    return json.loads(run.stdout.strip().splitlines()[-1])


def measure(farol_program, bench_program, root, database, folder, chosen, environment):
    """The runs for each number of clients; Farol and in-process take turns on one disk."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "writes.lua")
    served = copy(database, folder, "writes-served")
    bare = copy(database, folder, "writes-bare")
    runs = {clients: [] for clients in CLIENTS}
    try:
        key = token(bench_program, served, environment)
        with Farol(farol_program, root, served, environment) as farol, \
                BareWriter(bench_program, root, bare, environment) as writer:
            farol.rest(600)
            for clients in CLIENTS:  # once, to fill the caches
                load(script, farol.port, key, clients, 1)
                writer.measure(clients, 1)
            for _ in range(chosen.rounds):
                for clients in CLIENTS:
                    before = farol.cpu()
                    run = load(script, farol.port, key, clients, chosen.seconds)
                    spent = farol.cpu() - before
                    if run["failed"] > clients:  # requests in progress at the end
                        raise Failure(f"{run['failed']} of {run['requests']} writes failed")
                    runs[clients].append({
                        "rate": run["requests"] / run["seconds"], "p50": run["p50"],
                        "p99": run["p99"], "cpu": spent / max(1, run["requests"]) * 1e6,
                        "bare": writer.measure(clients, chosen.seconds),
                    })
    finally:
        for path in (served, bare):
            remove(path)
    return runs
