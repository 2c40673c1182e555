"""The restrictions of the service unit, applied to a program without a running systemd.

Not all of them are possible this way. This module has those that could break Farol; `systemd-analyze` checks the
rest.
"""

import ctypes
import errno
import os
import resource
import socket
import subprocess

import seccomp

LIBC = ctypes.CDLL(None, use_errno=True)
NO_NEW_PRIVILEGES, DROP_BOUND = 38, 24
PROT_WRITE, PROT_EXEC = 2, 4
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 32, 4096, 16384


class Unit:
    """A unit's lines. The last line of a name counts, unless the name may occur more than once."""

    def __init__(self, path):
        self.lines = []
        for line in open(path):
            name, found, value = line.strip().partition("=")
            if found and not line.startswith("#"):
                self.lines.append((name, value))

    def all(self, name):
        return [value for key, value in self.lines if key == name]

    def one(self, name):
        return self.all(name)[-1]

    def environment(self, root):
        """The environment as systemd composes it: the unit's own variables, then the file with the settings."""
        values = dict(value.split("=", 1) for value in self.all("Environment"))
        for line in open(root + self.one("EnvironmentFile").removeprefix("-")):
            if line.strip() and not line.startswith("#"):
                name, _, value = line.strip().partition("=")
                values[name] = value
        return values


def calls(names):
    """The system calls of a list that may contain groups."""
    found = set()
    for name in names:
        if not name.startswith("@"):
            found.add(name)
            continue
        listed = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True,
                                capture_output=True, text=True).stdout
        words = [line.strip() for line in listed.splitlines()[1:]]
        found |= calls([word for word in words if word and not word.startswith("#")])
    return found


def call_filter(unit):
    """SystemCallFilter, MemoryDenyWriteExecute and RestrictAddressFamilies as one filter."""
    made = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    allowed = set()
    for line in unit.all("SystemCallFilter"):
        if line.startswith("~"):
            allowed -= calls(line[1:].split())
        else:
            allowed |= calls(line.split())
    # System calls that systemd never refuses.
    allowed |= calls(["@default"])
    families = [getattr(socket, name) for name in unit.one("RestrictAddressFamilies").split()]
    special = {
        "mmap": [(2, PROT_EXEC, 0), (2, PROT_WRITE, 0)],
        "mprotect": [(2, PROT_EXEC, 0)], "pkey_mprotect": [(2, PROT_EXEC, 0)],
    }
    for name in sorted(allowed):
        try:
            if name in special:
                for place, mask, value in special[name]:
                    made.add_rule(seccomp.ALLOW, name,
                                  seccomp.Arg(place, seccomp.MASKED_EQ, mask, value))
            elif name == "socket":
                for family in families:
                    made.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.EQ, family))
            else:
                made.add_rule(seccomp.ALLOW, name)
        except (RuntimeError, ValueError):
            pass  # A call of another machine.
    return made


def mount(source, target, flags, kind=None):
    if LIBC.mount(source.encode(), target.encode(), kind.encode() if kind else None, flags, None):
        raise OSError(ctypes.get_errno(), f"{target} cannot be mounted")


def prepare(root):
    """The system resources that every program in the Debian needs."""
    for folder in ("proc", "dev", "run"):
        os.makedirs(f"{root}/{folder}", exist_ok=True)
    mount("proc", f"{root}/proc", MS_NOSUID | MS_NODEV, "proc")
    for device in ("null", "zero", "random", "urandom"):
        path = f"{root}/dev/{device}"
        if not os.path.exists(path):
            open(path, "w").close()
        mount(f"/dev/{device}", path, MS_BIND)


def confine(unit, root, identity, state, calls_filter):
    """A function that a child runs before the program: ProtectSystem=strict and the other restrictions."""
    def run():
        try:
            become()
        except BaseException as error:
            os.write(2, f"the unit's limits could not be laid upon the program: {error!r}\n".encode())
            raise

    def become():
        LIBC.unshare(0x00020000)  # CLONE_NEWNS
        mount("none", "/", MS_REC | 1 << 18)  # MS_PRIVATE
        mount(root, root, MS_BIND)
        mount("proc", f"{root}/proc", MS_NOSUID | MS_NODEV, "proc")
        for device in ("null", "zero", "random", "urandom"):
            mount(f"/dev/{device}", f"{root}/dev/{device}", MS_BIND)
        mount(root + state, root + state, MS_BIND)
        mount("tmpfs", f"{root}/tmp", MS_NOSUID | MS_NODEV, "tmpfs")
        os.chmod(f"{root}/tmp", 0o1777)
        mount("none", root, MS_REMOUNT | MS_BIND | MS_RDONLY)
        os.chroot(root)
        os.chdir(unit.one("WorkingDirectory"))
        # In a container the test may have a lower limit.
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        files = min(int(unit.one("LimitNOFILE")), most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.umask(int(unit.one("UMask"), 8))
        for capability in range(64):
            LIBC.prctl(DROP_BOUND, capability, 0, 0, 0)
        os.setgroups([])
        os.setgid(identity[1])
        os.setuid(identity[0])
        LIBC.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        calls_filter.load()
    return run
