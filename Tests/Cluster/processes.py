"""Child processes, each in a session of its own, that are ended with the test."""

import os
import random
import signal
import socket
import subprocess
from pathlib import Path

started = []


class Process:
    """A program that runs in the background. It can be ended and started again."""

    def __init__(self, name, command, log, user=None, environment=None):
        self.name = name
        self.command = [str(word) for word in command]
        self.log = Path(log)
        self.user = user or {}
        self.environment = environment
        self.process = None
        started.append(self)

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment,
                start_new_session=True, **self.user)

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """Ends the program without a chance to clean up, as a power cut would."""
        if self.is_running:
            self.process.send_signal(signal.SIGKILL)
        if self.process:
            self.process.wait()

    def signal(self, number):
        """To the program and its children, such as SIGSTOP."""
        for process in descendants(self.process.pid):
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue

    def stop(self):
        """Ends the program in order, and returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)
        return self.process.returncode

    def last_words(self):
        return self.log.read_text(errors="replace")[-3_000:]


def descendants(root):
    """The process and its children, and their children."""
    parents = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                # The name may contain spaces and brackets.
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
            except (OSError, IndexError):
                continue
    found = [root]
    for process in found:
        found += parents.get(process, [])
    return found


def kill_tree(root):
    """Ends a process with all its descendants at once. The parent first, so that it starts none again."""
    for process in descendants(root):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue


def free_ports(count):
    """Ports below those that the system gives to outgoing connections, so that a program can start again on its own."""
    found = []
    for port in random.SystemRandom().sample(range(20_000, 32_000), 2_000):
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            return found
    raise RuntimeError("no ports are free")
