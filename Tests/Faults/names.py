"""Name servers that never respond: only the requester waits, and not for long."""

import json
import os
import shlex
import socket
import stat
import threading
import time
from pathlib import Path

from cases import case
from instance import Instance, hold, watched
from people import PASSWORD, code, create_admin, post

# A loopback address without other listeners.
ADDRESS = "127.0.0.99"
# Longer than every timeout in these tests.
RESOLVER = f"nameserver {ADDRESS}\noptions timeout:30 attempts:1\n"


class SilentNames(threading.Thread):
    """A name server that reads queries and responds to none."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((ADDRESS, 53))
        self.asked = 0

    def run(self):
        while True:
            try:
                self.socket.recv(512)
            except OSError:
                return
            self.asked += 1


def with_resolver(bench, scratch):
    """A program that starts Farol with a separate `resolv.conf`, in a separate mount namespace."""
    configuration = scratch / "resolv.conf"
    configuration.write_text(RESOLVER)
    program = scratch / "farol"
    real = shlex.quote(str(Path(bench.program).resolve()))
    program.write_text(
        "#!/bin/sh\nexec unshare -m --propagation private sh -c "
        f"'mount --bind {shlex.quote(str(configuration))} /etc/resolv.conf && exec \"$@\"' sh {real} \"$@\"\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def cannot():
    if os.geteuid() != 0:
        return "it wants root"
    return None if Path("/etc/resolv.conf").is_file() else "/etc/resolv.conf is no file"


@case("name servers silent", "Farol checks the site of an organisation, and no name server responds",
      needs_root=True, brief=True, unless=cannot)
def silent(bench):
    scratch = bench.folder()
    names = SilentNames()
    names.start()
    instance = Instance(with_resolver(bench, scratch), scratch)
    secret = create_admin(instance)
    instance.start()
    session = post(instance, "/api/session", {"login": "keeper", "password": PASSWORD, "code": code(secret)})
    headers = {
        "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin",
        "Cookie": session["headers"]["Set-Cookie"].split(";")[0],
        "X-CSRF-Token": json.loads(session["body"])["csrf_token"]}
    made = instance.ask("POST", "/api/operators", json.dumps(
        {"name": "Nobody", "kind": "company", "domain": "silent.example"}), headers)
    hold(made.status == 201, f"registering was answered {made.status}: {made.body}")

    def look():
        begun = time.monotonic()
        answer = instance.ask("POST", "/api/operators/mine/check/file", None, headers, timeout=60)
        return answer.status, time.monotonic() - begun

    found = []
    first = threading.Thread(target=lambda: found.append(look()))
    with watched(instance):
        first.start()
        while not names.asked and first.is_alive():
            time.sleep(0.05)
        hold(names.asked > 0, "no name server was asked")
        slowest = 0
        for number in range(4):
            begun = time.monotonic()
            answer = instance.ask("POST", "/api/session", json.dumps(
                {"login": f"nobody{number}", "password": PASSWORD}), {"Content-Type": "application/json"})
            slowest = max(slowest, time.monotonic() - begun)
            hold(answer.status == 401, f"signing in was answered {answer.status}")
        hold(first.is_alive(), "the look had ended before people signed in")
        hold(slowest < 2, f"signing in took {slowest:.1f} s")
        # It waits for its turn.
        second, seconds = look()
        hold(second == 422 and seconds < 12, f"a second look was answered {second} after {seconds:.1f} s")
        first.join(30)
        hold(found and found[0][0] == 422 and found[0][1] < 8, f"the look was answered {found}")
        # Abandoned lookups keep their threads until the resolver returns: four at most.
        statuses = [look()[0] for _ in range(3)]
        hold(statuses == [422, 422, 503], f"further looks were answered {statuses}")
    begun = time.monotonic()
    hold(instance.stop() == 0, "it did not stop well")
    seconds = time.monotonic() - begun
    hold(seconds <= 15, f"stopping took {seconds:.1f} s")
    names.socket.close()
    return {"given up after": f"{found[0][1]:.1f} s", "signing in meanwhile": f"{slowest:.2f} s at most"}
