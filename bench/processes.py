"""The measured programs and those for comparison. Each is a process that is stopped afterwards."""

import http.client
import json
import os
import socket
import subprocess
import time


class Failure(Exception):
    """An error with a sentence for the person who runs the benchmark."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(port, target):
    """The status and body of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", target)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


class Process:
    """A child process that ends with the `with` statement."""

    def __init__(self, command, environment, **pipes):
        self.command = command
        self.child = subprocess.Popen(
            command, env=environment, **{"stdout": subprocess.DEVNULL,
                                         "stderr": subprocess.DEVNULL, **pipes})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.terminate()
            try:
                self.child.wait(15)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()

    def cpu(self):
        """The processor time used so far, in seconds."""
        with open(f"/proc/{self.child.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rest(self, seconds, most=0.02):
        """Waits until the background work after a start, such as the snapshots of the day, is done: until each of five
        seconds needs at most this processor time."""
        quiet = 0
        for _ in range(seconds):
            before = self.cpu()
            time.sleep(1)
            quiet = quiet + 1 if self.cpu() - before < most else 0
            if quiet == 5:
                return
        raise Failure(f"farol is still busy after {seconds} s")

    def wait_for(self, port, target, seconds):
        """The seconds until `target` returned 200."""
        started = time.monotonic()
        while time.monotonic() - started < seconds:
            if self.child.poll() is not None:
                raise Failure(f"this program ended at once, run it by hand: {' '.join(self.command)}")
            try:
                if get(port, target)[0] == 200:
                    return time.monotonic() - started
            except OSError:
                time.sleep(0.01)
        raise Failure(f"no response within {seconds} s from: {' '.join(self.command)}")


def cpu(process):
    """The processor time that a process has used so far, with children that it has waited for, in seconds."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


class Farol(Process):
    """`database` is a file, or a URL; `state` is then the folder of local files."""

    def __init__(self, program, root, database, environment, state=None):
        self.port = free_port()
        super().__init__(
            [program, "serve", "--database", database, "--home", root,
             "--listen", f"127.0.0.1:{self.port}"] + (["--state", state] if state else []),
            # All requests come from one address.
            environment | {"FAROL_READ_SECONDS": "0"})
        try:
            self.ready_after = self.wait_for(self.port, "/readyz", 120)
        except BaseException:
            self.__exit__()
            raise

    def memory(self):
        """The current and the maximum resident memory, in MB."""
        with open(f"/proc/{self.child.pid}/status") as status:
            found = dict(line.split(":", 1) for line in status)
        return tuple(int(found[name].split()[0]) * 1024 / 1e6 for name in ("VmRSS", "VmHWM"))


class Floor(Process):
    """`farol-bench`: the same work without HTTP."""

    def __init__(self, program, root, database, environment):
        super().__init__([program, database, root], environment, stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, stderr=None, text=True)
        self.load_seconds = float(self.answer())

    def answer(self):
        line = self.child.stdout.readline()
        if not line:
            raise Failure("farol-bench ended; its output is above")
        return line

    def measure(self, targets, threads, seconds):
        """The rate per second."""
        self.child.stdin.write(f"{threads} {seconds} {targets}\n")
        self.child.stdin.flush()
        count, elapsed = self.answer().split()
        return int(count) / float(elapsed)


class MemoryServer(Process):
    """libmicrohttpd in C that sends bodies from memory (`memory_server.c`)."""

    def __init__(self, folder, bodies, environment):
        os.makedirs(folder, exist_ok=True)
        for name, body in bodies.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(body)
        program = os.path.join(folder, "memory_server")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory_server.c")
        made = subprocess.run(["clang", "-O2", source, "-o", program, "-lmicrohttpd"],
                              capture_output=True, text=True)
        if made.returncode:
            raise Failure(f"clang cannot compile {source}: {made.stderr.strip()}")
        self.port = free_port()
        super().__init__([program, str(self.port), folder], environment, stdin=subprocess.PIPE)
        try:
            self.wait_for(self.port, "/" + next(iter(bodies)), 10)
        except BaseException:
            self.__exit__()
            raise


def load(script, port, targets, connections, seconds):
    """The results of wrk: requests, seconds, failed, p50 and p99 in milliseconds."""
    run = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "--latency",
         "-s", script, f"http://127.0.0.1:{port}", "--", targets, str(time.time_ns() % 10**14)],
        capture_output=True, text=True, timeout=seconds + 60)
    if run.returncode:
        raise Failure(f"wrk failed: {run.stderr.strip()}")
    return json.loads(run.stdout.strip().splitlines()[-1])
