"""Runs the container images with podman as docs/how-to/containers.md says, and checks what they promise.

Exits with 1 if an expectation failed.
"""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Package"), str(HERE.parent / "Crash")]

from composed import judge_compose, judge_three_servers  # noqa: E402
from debian import ITEMS, STATE, ask, expect, judge, uses_it  # noqa: E402

# Users of the images.
USERS = {"farol": "10001", "farol-database": "902", "farol-proxy": "903"}
# As docs/how-to/containers.md runs it.
CONFINED = ["--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--stop-timeout", "60"]


def podman(*words, text=None, check=True, patience=300):
    done = subprocess.run(["podman", *map(str, words)], input=text, capture_output=True, text=True, timeout=patience)
    if check and done.returncode:
        raise RuntimeError(f"podman {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Container:
    """One container of the image `farol`, on the network of this machine. The checks of the package use its names."""

    root = None

    def __init__(self, name, volume):
        self.name, self.volume, self.port = name, volume, free_port()

    def start(self):
        podman("run", "--detach", "--name", self.name, *CONFINED, "--network", "host", "--volume",
               f"{self.volume}:{STATE}", "--env", f"FAROL_LISTEN=127.0.0.1:{self.port}", "localhost/farol")
        return self.becomes_healthy()

    def becomes_healthy(self, seconds=60):
        """The seconds until the health check passes, or None."""
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            if podman("healthcheck", "run", self.name, check=False).returncode == 0:
                return time.monotonic() - begun
            time.sleep(0.2)
        return None

    def run(self, *command, text=None):
        # The package's checks change the user, which a container has already.
        words = command[command.index("farol"):] if command[0] == "setpriv" else command
        return podman("exec", *(["--interactive"] if text else []), self.name, *words, text=text, check=False)

    def ask(self, method, path, body=None, headers=None):
        return ask(self.port, method, path, body, headers)

    def stop(self):
        """The exit code after the stop signal."""
        podman("stop", self.name)
        return int(podman("inspect", "--format", "{{.State.ExitCode}}", self.name).stdout)

    def remove(self):
        podman("rm", "--force", self.name)


def judge_image(name):
    """The configuration and the files of an image."""
    image = json.loads(podman("image", "inspect", f"localhost/{name}").stdout)[0]
    config = image["Config"]
    expect(f"{name} runs as its own user", config["User"] == f"{USERS[name]}:{USERS[name]}", config["User"])
    history = json.dumps(image["History"]) + json.dumps(config)
    expect(f"{name}: no secret is in its history",
           not any(word in history.lower() for word in ("password=", "token=", "secret=", "proxy=")))
    mounted = podman("image", "mount", f"localhost/{name}").stdout.strip()
    try:
        judge_files(name, Path(mounted))
    finally:
        podman("image", "unmount", f"localhost/{name}")
    return image


def judge_files(name, root):
    setuid, keys = [], []
    for folder, folders, files in os.walk(root):
        inside = folder.removeprefix(str(root)) or "/"
        folders[:] = [one for one in folders if inside != "/" or one not in ("proc", "sys", "dev")]
        for one in files:
            path = Path(folder, one)
            if path.is_symlink():
                continue
            if path.stat().st_mode & 0o6000:
                setuid.append(f"{inside}/{one}")
            if path.suffix in (".key", ".pem", ".pgpass", ".env") and "/share/" not in inside and "/ssl/certs" not in inside:
                keys.append(f"{inside}/{one}")
    expect(f"{name}: no program can gain rights", not setuid, " ".join(setuid))
    expect(f"{name}: no key is in it", not keys, " ".join(keys))
    if name == "farol":
        left = [one for one in ("mnt/farol.deb", "etc/farol", "var/lib/farol/farol.db") if (root / one).exists()]
        expect("farol: neither the package, nor settings, nor data are in it", not left, " ".join(left))


def judge_one_server():
    """One server with SQLite, as `podman run` of the documentation starts it."""
    image = judge_image("farol")
    config = image["Config"]
    expect("the stop signal is SIGTERM", config.get("StopSignal") in ("SIGTERM", "15"), config.get("StopSignal"))
    health = image.get("Healthcheck") or config.get("Healthcheck") or {}
    expect("there is a health check", "/usr/lib/farol/health" in str(health))
    expect("the data are in one volume", list(config.get("Volumes") or {}) == [STATE], config.get("Volumes"))
    first = Container("farol-test-1", "farol-test")
    seconds = first.start()
    expect("it becomes healthy", seconds is not None,
           f"{seconds:.1f} s" if seconds else podman("logs", first.name, check=False).stderr[-1_500:])
    if seconds is None:
        sys.exit("nothing to go on with")
    user = first.run("id", "-u").stdout.strip()
    expect("its processes are not root's", user == "10001", user)
    refused = first.run("touch", "/usr/share/farol/more").stderr
    expect("the root cannot be written to", "Read-only file system" in refused, refused.strip())
    capabilities = first.run("cat", "/proc/1/status").stdout
    expect("it has no capabilities and can gain none", "CapEff:\t0000000000000000" in capabilities
           and "CapBnd:\t0000000000000000" in capabilities and "NoNewPrivs:\t1" in capabilities)
    device = uses_it(first, first)
    expect("it is ready, too", first.run("/usr/lib/farol/health", "/readyz").returncode == 0)
    expect("the health check fails for a path that is not there",
           first.run("/usr/lib/farol/health", "/nothing").returncode != 0)
    status = first.stop()
    expect("it stops in good order", status == 0, status)
    first.remove()
    second = Container("farol-test-2", "farol-test")
    expect("another container goes on with the volume", second.start() is not None)
    expect("and has what was there", second.ask("GET", f"{ITEMS}/{device}")[0] == 200)
    found = second.run("farol", "check")
    expect("`farol check` finds nothing", found.returncode == 0, (found.stdout + found.stderr)[-300:])
    second.stop()
    second.remove()


def main():
    work = Path(sys.argv[1])
    if "--only-compose" not in sys.argv:
        judge_one_server()
    for name in ("farol-database", "farol-proxy"):
        judge_image(name)
    judge_compose(work)
    judge_three_servers(work)
    judge()


if __name__ == "__main__":
    main()
