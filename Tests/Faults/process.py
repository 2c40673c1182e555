"""Signals, descriptors, and a log that cannot be written."""

import os
import resource
import signal
import socket
import subprocess
import time

from cases import case
from instance import ITEMS, Instance, hold, watched


@case("SIGTERM with open connections", "idle, half a head, half a body, a slow reader", brief=True)
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


@case("SIGHUP and SIGPIPE", "the terminal goes; clients leave before their answer", brief=True)
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


@case("log not writable", "standard error is a full device, then a pipe that nobody reads", brief=True)
def log(bench):
    for name, make in {"full": full_device, "pipe": broken_pipe}.items():
        instance = Instance(bench.program, bench.folder()).prepare()
        hold(instance.stop() == 0, "it did not stop well")
        errors = make()
        instance.process = subprocess.Popen(
            [instance.program, "serve"], env=instance.serving(), cwd=instance.home,
            stdout=subprocess.DEVNULL, stderr=errors, stdin=subprocess.DEVNULL)
        os.close(errors)
        instance.wait_until_ready()
        with watched(instance):
            hold(instance.add().status == 201, f"{name}: a write is refused")
            time.sleep(1.2)
        instance.finish(restart=False)
    return {}


def figure(instance, name):
    """One of the server's own figures."""
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


@case("no descriptors left", "RLIMIT_NOFILE of 160 and 400 connections; then they go")
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


@case("killed while starting", "SIGKILL at twenty moments of a start, then a start that must do")
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
