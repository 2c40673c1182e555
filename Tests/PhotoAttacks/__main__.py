"""Sends pictures that attack image decoders to a real Farol, and measures their cost.

Each must be refused, or come out as a bare picture, within 4 s and 200 MB. Prints the table of
docs/explanation/photos.md; ends with 1 when one was not.
"""

import argparse
import http.client
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Crash")]

from files import WORDS, attacks  # noqa: E402
from people import create_admin, create_token  # noqa: E402
from server import Farol  # noqa: E402

HOME = HERE.parents[1]
ITEMS = "/api/collections/devices/items"
SECONDS, MEGABYTES = 4.0, 200.0

# Replaces farol-image for Farol, runs it and records its resource use. Both programs end together.
# A small program, because the memory of a child is counted from the size of its parent.
MEASURE = """#!{python} -SI
import ctypes, os, sys, time
began = time.monotonic()
child = os.fork()
if child == 0:
    ctypes.CDLL(None).prctl(1, 9)
    os.execve({program!r}, [{program!r}] + sys.argv[1:], {{}})
_, status, used = os.wait4(child, 0)
with open({notes!r}, "a") as notes:
    print(time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024,
          file=notes)
code = os.waitstatus_to_exitcode(status)
if code < 0: os.kill(os.getpid(), -code)
sys.exit(code)
"""


class MeasuredFarol(Farol):
    def __init__(self, program, folder):
        super().__init__(program, HOME, folder)
        self.notes = Path(folder) / "notes"
        self.measure = Path(folder) / "measure"
        self.measure.write_text(MEASURE.format(
            python=Path(sys.executable).resolve(), notes=str(self.notes),
            program=str(Path(program).resolve().parent / "farol-image")))
        self.measure.chmod(0o700)

    def environment(self):
        return super().environment() | {"FAROL_IMAGE": str(self.measure)}

    def cost(self):
        """Elapsed seconds, processor seconds and peak MB of the last picture; None when no program ran
        or its time limit ended it."""
        if not self.notes.exists():
            return None
        text = self.notes.read_text()
        self.notes.unlink()
        return [float(word) for word in text.split()]


class Client:
    def __init__(self, farol, token):
        self.farol = farol
        self.headers = {"Authorization": f"Bearer {token}"}
        self.added = 0

    def ask(self, method, path, body=None, kind=None, signed=True):
        connection = http.client.HTTPConnection("127.0.0.1", self.farol.port, timeout=60)
        headers = dict(self.headers) if signed else {}
        if kind:
            headers["Content-Type"] = kind
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        read = answer.read()
        connection.close()
        return answer.status, answer.headers, read

    def device(self):
        self.added += 1
        feature = {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [self.added % 170, self.added % 60]},
            "properties": {"name": f"attacked {self.added}", "category": "camera_fixed",
                           "precision": "exact"}}
        status, _, read = self.ask("POST", ITEMS, json.dumps(feature), "application/geo+json")
        if status != 201:
            raise RuntimeError(f"no device: {status} {read!r}")
        return json.loads(read)["id"]

    def photo(self, device, attack):
        edge = "a-line-that-is-in-no-picture"
        body = (f"--{edge}\r\nContent-Disposition: form-data; name=\"image\"; filename="
                f"\"{attack.named}\"\r\nContent-Type: {attack.kind}\r\n\r\n").encode()
        body += attack.content + f"\r\n--{edge}--\r\n".encode()
        return self.ask("POST", f"{ITEMS}/{device}/photos", body,
                        f"multipart/form-data; boundary={edge}")


def faults(client, attack, status, read, seconds):
    """The faults in a response, one sentence each."""
    if status not in attack.statuses and not (attack.slow and status == 422 and seconds >= SECONDS):
        yield f"{status} instead of {attack.statuses}: {read[:300]!r}"
        return
    said = json.loads(read)
    if status != 201:
        if [fault["field"] for fault in said.get("errors", [])] != ["image"]:
            yield "the field is not named"
        return
    for address in (said["url"], said["thumb"]):
        status, headers, picture = client.ask("GET", address, signed=False)
        if status != 200 or headers["Content-Type"] != "image/jpeg":
            yield f"served with {status} as {headers['Content-Type']}"
        if headers["X-Content-Type-Options"] != "nosniff":
            yield "served without nosniff"
        if "sandbox" not in (headers["Content-Security-Policy"] or ""):
            yield "served without a sandbox"
        yield from (f"{word!r} is in the picture" for word in WORDS if word in picture)
        strange = markers(picture) - {0xDB, 0xC0, 0xC2, 0xC4, 0xDA}
        if strange or not picture.endswith(b"\xff\xd9"):
            yield f"more than a picture: {strange}"


def markers(jpeg):
    """Checks the segments of a JPEG."""
    found, at = set(), 2
    while at + 4 <= len(jpeg) and jpeg[at] == 0xFF and jpeg[at + 1] != 0xD9:
        found.add(jpeg[at + 1])
        scan = jpeg[at + 1] == 0xDA
        at += 2 + int.from_bytes(jpeg[at + 2:at + 4], "big")
        while scan and at + 1 < len(jpeg) and (
                jpeg[at] != 0xFF or jpeg[at + 1] == 0 or 0xD0 <= jpeg[at + 1] <= 0xD7):
            at += 1
    return found


def attack_all(farol, client):
    """The rows of the table, and the errors."""
    rows, wrong = [], []
    for attack in attacks():
        device = client.device()
        begun = time.monotonic()
        status, _, read = client.photo(device, attack)
        seconds = time.monotonic() - begun
        cost = farol.cost()
        found = list(faults(client, attack, status, read, seconds))
        if cost and cost[2] >= MEGABYTES:
            found.append(f"it took {cost[2]:.0f} MB")
        # The remaining time is for sending and writing.
        if seconds > SECONDS + 1.5 or (cost and cost[0] > SECONDS + 0.3):
            found.append(f"it took {seconds:.1f} s")
        outcome = "taken, drawn anew" if status == 201 else f"refused, {status}"
        used = f"{cost[0]:.2f} s | {cost[1]:.2f} s | {cost[2]:.0f} MB" if cost else "– | – | –"
        rows.append(f"| {attack.name} | {len(attack.content) / 1e6:.2f} MB | {outcome} | {used} |")
        wrong += [f"{attack.name}: {fault}" for fault in found]
        print(rows[-1], file=sys.stderr)
    return rows, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="farol-photos-"))
    farol = MeasuredFarol(chosen.program, folder)
    try:
        secret = create_admin(farol)
        farol.start()
        client = Client(farol, create_token(farol, secret, scopes=("read", "contribute")))
        rows, wrong = attack_all(farol, client)
        if farol.stop() != 0:
            wrong.append("Farol did not end well")
        status, said = farol.check()
        if status != 0:
            wrong.append(f"farol check: {said}")
    finally:
        if farol.process and farol.process.poll() is None:
            farol.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print("| file | sent | outcome | clock | processor | memory |\n|---|---|---|---|---|---|")
    print("\n".join(rows))
    for fault in wrong:
        print(f"WRONG: {fault}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
