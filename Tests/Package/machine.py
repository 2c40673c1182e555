"""A Debian booted by systemd, in separate namespaces and a separate control group."""

import os
import signal
import subprocess
import time
from pathlib import Path

from debian import Debian

GROUPS = Path("/sys/fs/cgroup")
# The environment of the first program of a machine. It shares the network of this machine.
BOOT = """
set -e
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t sysfs -o ro sysfs "$1/sys"
for folder in dev run tmp; do mount -t tmpfs tmpfs "$1/$folder"; done
for device in null zero full random urandom tty; do
  touch "$1/dev/$device"
  mount --bind "/dev/$device" "$1/dev/$device"
done
mkdir "$1/dev/pts" "$1/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
ln -s pts/ptmx "$1/dev/ptmx"
ln -s /proc/self/fd "$1/dev/fd"
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
else
  mount -t tmpfs tmpfs "$1/sys/fs/cgroup"
  mkdir "$1/sys/fs/cgroup/systemd" "$1/sys/fs/cgroup/unified"
  mount -t cgroup -o none,name=systemd cgroup "$1/sys/fs/cgroup/systemd"
  mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup/unified"
fi
# `chroot` alone is not sufficient: a process in such a folder may not create a user namespace.
cd "$1"
mkdir run/before
pivot_root . run/before
umount --lazy run/before
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
  chroot . /lib/systemd/systemd --log-target=journal --show-status=no
"""


class Machine(Debian):
    """Runs from ``start`` to ``end``."""

    outside = None
    groups = ()

    def start(self):
        """Whether systemd says that it has started."""
        # One hierarchy, or on an older machine one for each kind of limit.
        own = [folder for folder in (GROUPS, *sorted(GROUPS.iterdir()))
               if (folder / "cgroup.procs").exists() and not folder.is_symlink()]
        if GROUPS in own:
            own = [GROUPS]
        self.groups = [folder / f"farol-test-{os.getpid()}" for folder in own]

        def join():
            for group in self.groups:
                group.mkdir(exist_ok=True)
                if group.parent.name == "cpuset":
                    for name in ("cpuset.cpus", "cpuset.mems"):
                        (group / name).write_text((group.parent / name).read_text())
                (group / "cgroup.procs").write_text(str(os.getpid()))
        self.outside = subprocess.Popen(
            ["unshare", "--cgroup", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child",
             "--propagation", "private", "sh", "-c", BOOT, "boot", self.root],
            preexec_fn=join, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.outside.poll() is None:
            time.sleep(0.5)
            state = self.run("systemctl", "is-system-running").stdout.strip()
            # Degraded, as a container has no console to ask for a name.
            if state in ("running", "degraded"):
                return True
        return False

    def end(self):
        if self.outside:
            self.outside.send_signal(signal.SIGKILL)
            self.outside.wait()
        time.sleep(0.5)
        for group in filter(Path.exists, self.groups):
            for folder, _, _ in os.walk(group, topdown=False):
                os.rmdir(folder)

    def inside(self):
        children = Path(f"/proc/{self.outside.pid}/task/{self.outside.pid}/children")
        first = (children.read_text().split() or ["0"])[0]
        return ["nsenter", "--target", first, "--mount", "--pid", "--uts", "--ipc", "--cgroup",
                "--root", "--wd"]

    def property(self, name, unit="farol.service"):
        """The properties of a unit in systemd."""
        return self.run("systemctl", "show", "--value", "--property", name, unit).stdout.strip()

    def comes(self, wanted, patience=30):
        """Whether a condition becomes true within this number of seconds."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if wanted():
                return True
            time.sleep(0.2)
        return False

    def log(self, *options):
        """The log of the service."""
        return self.run("journalctl", "--unit=farol", "--no-pager", *options).stdout
