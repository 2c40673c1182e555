"""Tests a package in a separate Debian: installs it, runs it like its unit, sends requests, upgrades, removes and purges
it. Exits with 1 if an expectation failed.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Crash")]

from debian import ITEMS, STATE, Debian, ask, chosen, expect, judge, uses_it  # noqa: E402
from server import free_port  # noqa: E402
from unit import Unit, call_filter, confine, prepare  # noqa: E402

# systemd-analyze security counts from 0 (nothing is exposed) to 10.
MOST_EXPOSURE = 1.2
# The largest size of programs and pages. The language tables of Foundation have 34 MB, Apache Arrow has 65 MB.
MOST_MEGABYTES = 150


class Service:
    """The program as its unit starts it. The test takes the role of systemd."""

    def __init__(self, debian):
        self.debian = debian
        self.unit = Unit(f"{debian.root}/lib/systemd/system/farol.service")
        self.port = free_port()
        self.process = None
        self.inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = f"{debian.root}/run/notify"
        if os.path.exists(path):
            os.remove(path)
        self.inbox.bind(path)
        os.chmod(path, 0o666)

    def start(self):
        """Seconds until the service reports that it is ready; None where it never does."""
        environment = self.unit.environment(self.debian.root) | {
            "PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "2000000",
            "FAROL_LOG": "journal", "FAROL_LISTEN": f"127.0.0.1:{self.port}"}
        log = open(f"{self.debian.root}/run/log", "ab", buffering=0)
        begun = time.monotonic()
        self.process = subprocess.Popen(
            self.unit.one("ExecStart").split(), env=environment, stdin=subprocess.DEVNULL,
            stdout=log, stderr=log, preexec_fn=confine(
                self.unit, self.debian.root, self.debian.identity(), STATE, call_filter(self.unit)))
        log.close()
        return time.monotonic() - begun if self.hears("READY=1") else None

    def hears(self, wanted, patience=60):
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline and self.process.poll() is None:
            self.inbox.settimeout(0.5)
            try:
                if self.inbox.recv(4_096).decode() == wanted:
                    return True
            except TimeoutError:
                pass
        return False

    def log(self):
        return open(f"{self.debian.root}/run/log", errors="replace").read()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def ask(self, method, path, body=None, headers=None):
        return ask(self.port, method, path, body, headers)


def judges_the_unit(debian):
    path = f"{debian.root}/lib/systemd/system/farol.service"
    # With the units of this machine, because the folder has no units, but with the program of the folder.
    copy = f"{debian.root}/tmp/farol.service"
    text = open(path).read().replace("=/usr/bin/farol", f"={debian.root}/usr/bin/farol")
    Path(copy).write_text(text.replace("man:farol(1) ", ""))
    done = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True,
                          timeout=60)
    os.remove(copy)
    said = [line for line in (done.stdout + done.stderr).splitlines() if "farol" in line]
    expect("systemd finds nothing wrong with the unit", not said, " ".join(said)[:300])
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", path],
                          capture_output=True, text=True, timeout=60)
    found = re.search(r"exposure level for farol\.service: ([0-9.]+)", done.stdout)
    expect(f"and its exposure is at most {MOST_EXPOSURE} of 10",
           found is not None and float(found.group(1)) <= MOST_EXPOSURE,
           found.group(1) if found else done.stderr[-200:])


def judges_the_package(debian):
    folders = [f"{debian.root}/usr/{name}" for name in ("lib/farol", "share/farol/public")]
    size = sum(path.stat().st_size for folder in folders for path in Path(folder).rglob("*")
               if path.is_file()) / 1e6
    expect(f"programs and pages take at most {MOST_MEGABYTES} MB", size <= MOST_MEGABYTES,
           f"{size:.1f} MB")
    linked = debian.run("ldd", "/usr/lib/farol/farol").stdout
    expect("every library is there, and none is Swift's",
           "not found" not in linked and "swift" not in linked)
    status = debian.run("stat", "-c", "%a %U:%G", STATE, "/etc/farol/farol.conf").stdout.split("\n")
    expect("the state is the service's own, and the settings are nobody else's to read",
           status[:2] == ["750 farol:farol", "640 root:root"], " ".join(status))
    shell = debian.run("getent", "passwd", "farol").stdout.strip().split(":")[-1]
    expect("nobody can sign in as the service", shell == "/usr/sbin/nologin", shell)
    page = debian.run("sh", "-c", "gzip -dc /usr/share/man/man1/farol.1.gz").stdout
    expect("the manual tells every setting", page.count("FAROL\\_") + page.count("FAROL_") > 20)


def main():
    named = chosen(__doc__)
    debian = Debian(named.root)
    prepare(debian.root)
    before = debian.files()

    done, said = debian.install(named.package)
    expect("it installs where systemd does not run", done, "" if done else said)
    if not done:
        sys.exit("nothing to go on with")
    judges_the_package(debian)
    judges_the_unit(debian)

    service = Service(debian)
    seconds = service.start()
    expect("it says that it is ready, under all that the unit forbids", seconds is not None,
           f"{seconds:.1f} s" if seconds else service.log()[-1_500:])
    if seconds is None:
        sys.exit("nothing to go on with")
    device = uses_it(debian, service)
    expect("it says that it lives", service.hears("WATCHDOG=1", 10))
    lines = [line for line in service.log().splitlines() if line]
    expect("each line of its log has a priority for the journal",
           lines and all(re.match("<[2-7]>", line) for line in lines))

    settings = f"{debian.root}/etc/farol/farol.conf"
    with open(settings, "a") as file:
        file.write("FAROL_NAME=The map of the test\n")
    begun = time.monotonic()
    done, said = debian.install(named.newer)
    expect("it upgrades, with settings that were changed", done, "" if done else said)
    expect("and stops in good order", service.stop() == 0)
    seconds = service.start()
    gone = time.monotonic() - begun
    expect("a minute after the upgrade began at the latest it answers again",
           seconds is not None and gone < 60, f"{gone:.1f} s")
    expect("with what was there before", service.ask("GET", f"{ITEMS}/{device}")[0] == 200)
    expect("and the settings that were changed",
           b"The map of the test" in service.ask("GET", "/api/settings")[1])
    service.stop()

    done, said = debian.dpkg("--remove", "farol")
    expect("it is removed", done and not os.path.exists(f"{debian.root}/usr/lib/farol"),
           "" if done else said)
    expect("and what people added stays, and the settings",
           os.path.exists(f"{debian.root}{STATE}/farol.db") and os.path.exists(settings))
    done, said = debian.install(named.package)
    expect("it is installed again, older", done, "" if done else said)
    seconds = service.start()
    expect("and finds what it left",
           seconds is not None and service.ask("GET", f"{ITEMS}/{device}")[0] == 200)
    service.stop()

    done, said = debian.dpkg("--purge", "farol")
    expect("it is purged", done, "" if done else said)
    expect("and its user is gone", debian.identity() is None)
    left = sorted(debian.files() - before)
    expect("nothing is left", not left, " ".join(left)[:500])
    judge()


if __name__ == "__main__":
    main()
