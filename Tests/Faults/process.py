"""Signals, file descriptors, and a log that cannot be written."""

import http.client
import os
import resource
import signal
import socket
import subprocess
import threading
import time

from cases import case
from instance import ITEMS, Instance, hold, watched


@case("SIGTERM with open connections", "idle, with half a head, with half a body, with a slow reader", brief=True)
def stop(bench):
    instance = Instance(bench.program, bench.folder()).prepare()
    sockets = [socket.create_connection(("127.0.0.1", instance.port)) for _ in range(80)]
    for number, one in enumerate(sockets):
        one.sendall((
            b"", b"GET /healthz HTT",
            b"POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{",
            b"GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n")[number % 4])
    begun = time.monotonic()
    code = instance.stop()
    seconds = time.monotonic() - begun
    for one in sockets:
        one.close()
    hold(code == 0, f"it ended with {code}")
    hold(seconds <= 15, f"it took {seconds:.1f} s")
    instance.start()
    instance.finish()
    return {"stopped after": f"{seconds:.1f} s"}


@case("SIGHUP and SIGPIPE", "the terminal closes; clients disconnect before their response", brief=True)
def signals(bench):
    instance = Instance(bench.program, bench.folder()).prepare()
    with watched(instance) as onlooker:
        for number in (signal.SIGHUP, signal.SIGPIPE) * 3:
            instance.process.send_signal(number)
        for _ in range(60):
            leaving = socket.create_connection(("127.0.0.1", instance.port))
            leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            leaving.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 4)
            leaving.close()
        hold(instance.add().status == 201, "a write is refused")
    instance.finish()
    return {"reads": onlooker.served}


@case("log not writable", "standard error is a full device, then a pipe without a reader", brief=True)
def log(bench):
    for name, make in {"full": full_device, "pipe": broken_pipe}.items():
        instance = Instance(bench.program, bench.folder()).prepare()
        hold(instance.stop() == 0, "it did not stop well")
        errors = make()
        serve_with_log(instance, errors)
        with watched(instance):
            hold(instance.add().status == 201, f"{name}: a write is refused")
            time.sleep(1.2)
        instance.finish(restart=False)
    return {}


def serve_with_log(instance, errors):
    """Starts the server with a special log, which is closed here."""
    instance.process = subprocess.Popen(
        [instance.program, "serve"], env=instance.serving(), cwd=instance.home,
        stdout=subprocess.DEVNULL, stderr=errors, stdin=subprocess.DEVNULL)
    os.close(errors)
    instance.wait_until_ready()


@case("log not read", "the reader of the log pauses until the buffer overflows, and resumes later")
def log_not_read(bench):
    instance = Instance(
        bench.program, bench.folder(), settings={"FAROL_METRICS": "loopback"}).prepare()
    hold(instance.stop() == 0, "it did not stop well")
    reading, writing = os.pipe()
    serve_with_log(instance, writing)
    asked = 20_000
    with watched(instance) as onlooker:
        begun = time.monotonic()
        ask_often(instance, asked)
        seconds = time.monotonic() - begun
        hold(instance.add().status == 201, "a write is refused")
        dropped = figure(instance, "farol_log_lines_dropped_total")
        hold(dropped > 0, f"{asked} lines found room that nobody read")
        held = bytearray()
        reader = threading.Thread(target=read_on, args=(reading, held), daemon=True)
        reader.start()
        # The buffered lines arrive first, then the new ones.
        deadline = time.monotonic() + 20
        while b"route=/terms" not in held and time.monotonic() < deadline:
            instance.ask("GET", "/terms")
            time.sleep(0.1)
        hold(b"route=/terms" in held, "nothing is logged once somebody reads again")
        after = figure(instance, "farol_log_lines_dropped_total")
        instance.ask("GET", "/")
        hold(figure(instance, "farol_log_lines_dropped_total") == after, "lines are still dropped")
    instance.finish(restart=False)
    reader.join(20)
    lines = held.decode().splitlines()
    broken = [line for line in lines if " request " in line and " status=" not in line]
    hold(not broken, f"lines that are cut: {broken[:3]}")
    hold(held.endswith(b"stopped\n"), f"the last line is missing: {lines[-1:]}")
    hold(len(lines) > 5_000, f"{len(lines)} lines only were held")
    return {"reads": onlooker.served, "slowest": f"{onlooker.longest:.2f} s",
            "requests a second meanwhile": round(asked / seconds), "lines dropped": round(dropped),
            "read later": len(lines)}


def ask_often(instance, count):
    connection = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=15)
    for _ in range(count):
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        hold(answer.status == 200, f"/healthz was answered {answer.status}")
        answer.read()
    connection.close()


def read_on(descriptor, held):
    while piece := os.read(descriptor, 65_536):
        held += piece
    os.close(descriptor)


def figure(instance, name):
    """The value of one of the server's metrics."""
    answer = instance.ask("GET", "/metrics")
    hold(answer.status == 200, f"/metrics was answered {answer.status}: {answer.body[:200]}")
    lines = answer.body.decode().splitlines()
    return float(next(line for line in lines if line.startswith(name + " ")).split()[1])


def full_device():
    return os.open("/dev/full", os.O_WRONLY)


def broken_pipe():
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@case("no descriptors left", "RLIMIT_NOFILE of 160 and 400 connections; then the connections close")
def descriptors(bench):
    instance = Instance(bench.program, bench.folder()).prepare()
    hold(instance.stop() == 0, "it did not stop well")
    with open(instance.log_path, "ab") as log:
        instance.process = subprocess.Popen(
            [instance.program, "serve"], env=instance.serving() | {
                "FAROL_CONNECTIONS_PER_ADDRESS": "1000"},
            cwd=instance.home, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (160, 160)))
    instance.wait_until_ready()
    held = []
    for _ in range(400):
        one = socket.socket()
        one.settimeout(2)
        try:
            one.connect(("127.0.0.1", instance.port))
            held.append(one)
        except OSError:
            one.close()
    time.sleep(1)
    hold(instance.process.poll() is None, "the server ended")
    before = cpu_seconds(instance)
    time.sleep(1)
    spent = cpu_seconds(instance) - before
    for one in held:
        one.close()
    begun = time.monotonic()
    while time.monotonic() - begun < 6:
        try:
            if instance.ask("GET", f"{ITEMS}?limit=1", timeout=2).status == 200:
                break
        except OSError:
            time.sleep(0.05)
    back = time.monotonic() - begun
    hold(back < 6, "it was not answering 6 s after the connections had gone")
    hold(spent < 0.7, f"it used {spent:.2f} s of processor a second while it waited")
    recovered = instance.recovered()
    instance.finish()
    return {"answers again after": f"{back:.2f} s", "writes after": f"{recovered:.2f} s"}


def cpu_seconds(instance):
    with open(f"/proc/{instance.process.pid}/stat") as file:
        fields = file.read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@case("killed while starting", "SIGKILL at twenty moments of a start, then a start that must succeed")
def start(bench):
    instance = Instance(bench.program, bench.folder()).prepare()
    instance.kill()
    for number in range(20):
        instance.start(wait=False)
        time.sleep(number * 0.04)
        instance.kill()
    seconds = instance.start()
    instance.recovered()
    instance.finish()
    return {"ready after": f"{seconds:.2f} s"}
