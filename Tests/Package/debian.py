"""A Debian in a folder, and the checks of a package in it."""

import argparse
import http.client
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "Crash")]

from people import PASSWORD, create_token  # noqa: E402

ITEMS = "/api/collections/devices/items"
STATE = "/var/lib/farol"
# Files that Debian itself writes or leaves when packages or users are added and removed.
DEBIANS_OWN = re.compile(
    r"^/(proc|dev|run|tmp)(/|$)|^/var/(lib/(dpkg|apt|systemd)|log|cache)/"
    r"|^/etc/((passwd|group|shadow|gshadow|subuid|subgid)-?|\.pwd\.lock|ld\.so\.cache)$|^/etc/systemd/")

# The failed expectations.
wrong = []


def expect(sentence, right, found=""):
    print(f"{'ok  ' if right else 'NOT '} {sentence}{f': {found}' if found != '' else ''}", flush=True)
    if not right:
        wrong.append(sentence)


def chosen(description):
    """The arguments: the folder of the Debian, the package and a newer package."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--root", required=True)
    parser.add_argument("package")
    parser.add_argument("newer")
    return parser.parse_args()


def judge():
    """Ends the program; with status 1 when a check failed."""
    if wrong:
        sys.exit(f"{len(wrong)} things were not as they should be")


class Debian:
    """A folder that contains a Debian."""

    def __init__(self, root):
        self.root = str(root)

    def inside(self):
        """The prefix of a command that runs in the Debian as root."""
        return ["chroot", self.root]

    def run(self, *command, text=None):
        return subprocess.run([*self.inside(), *command], input=text, capture_output=True,
                              text=True, timeout=300, env={
                                  "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
                                  "DEBIAN_FRONTEND": "noninteractive"})

    def dpkg(self, *arguments):
        done = self.run("dpkg", *arguments)
        return done.returncode == 0, (done.stdout + done.stderr)[-1_500:]

    def install(self, package):
        shutil.copy(package, f"{self.root}/package.deb")
        done = self.dpkg("--install", "/package.deb")
        os.remove(f"{self.root}/package.deb")
        return done

    def files(self):
        found = set()
        for folder, folders, names in os.walk(self.root):
            inside = folder.removeprefix(self.root) or "/"
            found |= {os.path.join(inside, name) for name in folders + names}
            folders[:] = [name for name in folders
                          if os.path.join(inside, name) not in ("/proc", "/dev", "/run")]
        return {name for name in found if "farol" in name or not DEBIANS_OWN.search(name)}

    def identity(self, name="farol"):
        for line in open(f"{self.root}/etc/passwd"):
            fields = line.split(":")
            if fields[0] == name:
                return int(fields[2]), int(fields[3])
        return None


def ask(port, method, path, body=None, headers=None):
    """Status and body of a request to the server on this machine."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    read = answer.read()
    connection.close()
    return answer.status, read


def picture():
    """A red square as PNG."""
    def chunk(kind, content):
        return (struct.pack(">I", len(content)) + kind + content
                + struct.pack(">I", zlib.crc32(kind + content)))
    rows = b"".join(b"\0" + b"\xd0\x20\x20" * 64 for _ in range(64))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def uses_it(debian, service):
    """User scenarios, under all restrictions of the unit."""
    expect("the map is there", service.ask("GET", "/")[0] == 200)
    admin = debian.run(
        "setpriv", "--reuid=farol", "--regid=farol", "--clear-groups", "farol", "admin", "create",
        "--username", "keeper", "--email", "keeper@example.org", "--password-stdin", "--database",
        f"{STATE}/farol.db", text=PASSWORD + "\n")
    expect("an admin is made while it runs", admin.returncode == 0, admin.stderr[-300:])
    secret = re.search(r"\b[A-Z2-7]{32}\b", admin.stdout).group()
    signed = {"Authorization": f"Bearer {create_token(service, secret)}"}
    feature = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-9.1, 38.7]},
               "properties": {"name": "A camera", "category": "camera_fixed", "precision": "exact"}}
    status, read = service.ask("POST", ITEMS, json.dumps(feature),
                               signed | {"Content-Type": "application/geo+json"})
    expect("a device is added", status == 201, status)
    device = json.loads(read)["id"]
    edge = "a-line-that-is-in-no-picture"
    body = (f"--{edge}\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n"
            "Content-Type: image/png\r\n\r\n").encode() + picture() + f"\r\n--{edge}--\r\n".encode()
    status, read = service.ask("POST", f"{ITEMS}/{device}/photos", body, signed | {
        "Content-Type": f"multipart/form-data; boundary={edge}"})
    expect("a photo is read by the confined program inside the unit's own limits", status == 201,
           f"{status} {read[:300]}" if status != 201 else "")
    return device
