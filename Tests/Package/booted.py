"""Tests a package in a booted Debian: systemd starts, watches, restarts, upgrades and ends its service.

Exits with status 1 when a check fails.
"""

import json
import os
import sys
import threading
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Crash")]

from debian import ITEMS, ask, chosen, expect, judge, uses_it  # noqa: E402
from machine import Machine  # noqa: E402
from server import free_port  # noqa: E402

CONFIGURATION = "/etc/farol/farol.conf"
DROP_INS = "/etc/systemd/system"


class Service:
    """The service farol, managed by systemd."""

    def __init__(self, machine):
        self.machine = machine
        self.port = free_port()

    def ask(self, method, path, body=None, headers=None):
        return ask(self.port, method, path, body, headers)

    def process(self):
        return self.machine.property("MainPID")

    def answers(self):
        try:
            return self.ask("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def write(self, path, text):
        path = Path(self.machine.root + path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.machine.run("systemctl", "daemon-reload")

    def signal(self, name):
        self.machine.run("systemctl", "kill", "--kill-whom=main", f"--signal={name}", "farol")


def starts(machine, service, package):
    service.write(f"{DROP_INS}/farol.service.d/port.conf",
                  f"[Service]\nEnvironment=FAROL_LISTEN=127.0.0.1:{service.port}\n")
    done, said = machine.install(package)
    expect("the package starts the service as it is installed", done and service.answers(),
           "" if done else said)
    expect("and has it start with the machine",
           machine.property("UnitFileState") == "enabled", machine.property("UnitFileState"))
    status = machine.run("cat", f"/proc/{service.process()}/status").stdout
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    expect("it is nobody that matters, and can become nobody else",
           facts["CapBnd"].strip("0") == "" and facts["NoNewPrivs"] == "1" and facts["Seccomp"] == "2"
           and not facts["Uid"].startswith("0"))
    said = [json.loads(line) for line in machine.log("--output=json").splitlines()]
    told = [line for line in said if line.get("_COMM") == "farol"]
    expect("the journal has its lines by priority",
           told and all(line["PRIORITY"] in ("3", "4", "5", "6") for line in told), len(told))


def is_watched(machine, service):
    process = service.process()
    done = machine.run("systemctl", "reload", "farol")
    expect("a reload keeps the process", done.returncode == 0 and service.process() == process
           and service.answers())
    service.signal("KILL")
    expect("killed, it is there again", machine.comes(
        lambda: service.process() not in ("0", process) and service.answers()))
    service.write(f"{DROP_INS}/farol.service.d/watch.conf", "[Service]\nWatchdogSec=4\n")
    machine.run("systemctl", "restart", "farol")
    process = service.process()
    service.signal("STOP")
    expect("when it no longer says that it lives, it is ended and started anew", machine.comes(
        lambda: service.process() not in ("0", process) and service.answers(), 60))
    os.remove(f"{machine.root}{DROP_INS}/farol.service.d/watch.conf")
    settings = Path(machine.root + CONFIGURATION).read_text()
    service.write(CONFIGURATION, settings + "FAROL_VIEW=nowhere\n")
    machine.run("systemctl", "restart", "farol")
    expect("a wrong setting is not tried again, and named", machine.comes(
        lambda: machine.property("ActiveState") == "failed")
        and machine.property("ExecMainStatus") == "2" and "FAROL_VIEW" in machine.log("--lines=20"),
        machine.log("--lines=3", "--output=cat")[-300:])
    service.write(CONFIGURATION, settings)
    machine.run("systemctl", "restart", "farol")
    expect("put right, it starts", service.answers())


def loses_nobody(machine, service):
    """With `farol.socket`, clients that connect during a restart wait."""
    machine.run("systemctl", "stop", "farol")
    service.write(f"{DROP_INS}/farol.socket.d/port.conf",
                  f"[Socket]\nListenStream=\nListenStream=127.0.0.1:{service.port}\n")
    machine.run("systemctl", "enable", "--now", "farol.socket")
    expect("the first who comes starts it, and is answered", service.answers())
    refused = []
    over = threading.Event()

    def visit():
        while not over.is_set():
            try:
                if service.ask("GET", "/")[0] != 200:
                    refused.append("an answer other than 200")
            except OSError as error:
                refused.append(repr(error))
            over.wait(0.02)

    visitor = threading.Thread(target=visit)
    visitor.start()
    done = [machine.run("systemctl", "restart", "farol").returncode for _ in range(3)]
    over.set()
    visitor.join()
    expect("nobody is refused during three restarts", done == [0, 0, 0] and not refused,
           " ".join(refused[:3]))
    machine.run("systemctl", "disable", "--now", "farol.socket")
    machine.run("systemctl", "restart", "farol")


def changes(machine, service, newer, device):
    process = service.process()
    done, said = machine.install(newer)
    expect("an upgrade restarts it", done and service.process() not in ("0", process)
           and machine.comes(service.answers), "" if done else said)
    expect("with what was there before", service.ask("GET", f"{ITEMS}/{device}")[0] == 200)
    machine.run("systemctl", "stop", "farol")
    expect("it stops in good order", machine.property("Result") == "success"
           and machine.property("ExecMainStatus") == "0")
    machine.run("systemctl", "start", "farol")
    done, said = machine.dpkg("--purge", "farol")
    expect("a purge ends it and leaves no unit", done and not service.answers()
           and machine.property("LoadState") == "not-found", "" if done else said)
    failed = machine.run("systemctl", "--failed", "--plain", "--no-legend").stdout
    expect("nothing of it is left failed", "farol" not in failed)


def main():
    named = chosen(__doc__)
    machine = Machine(named.root)
    # No service may start while the Debian is created.
    Path(named.root, "usr/sbin/policy-rc.d").unlink(missing_ok=True)
    try:
        if not machine.start():
            sys.exit("systemd does not start here: it wants control groups of its own")
        service = Service(machine)
        starts(machine, service, named.package)
        device = uses_it(machine, service)
        # EPERM comes from the unit's filter and is a fault; EACCES for a thread's priority is expected.
        refused = [line for line in machine.log("--output=cat").splitlines()
                   if "not permitted" in line or line.endswith("errno=1")]
        expect("and nothing is refused that it asks for", not refused, " ".join(refused[:2]))
        is_watched(machine, service)
        loses_nobody(machine, service)
        changes(machine, service, named.newer, device)
    finally:
        machine.end()
    judge()


if __name__ == "__main__":
    main()
