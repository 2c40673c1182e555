"""Sends the attacks to the endpoints that take lists from contributors, on a running server."""

import json
import sys
import time
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "Tests/Browser")]

EDGE = "----farol-edge"
SOURCE = {"code": "town", "name": "A town", "licence": "CC-BY-4.0", "attribution": "© A town",
          "url": "https://town.example/list"}
GROWTH = 60.0  # megabytes that the server may grow by
SECONDS = 40.0  # a debug build reads the largest bombs for six
# Lists that one account sends to each endpoint here; it may send sixty in an hour.
LISTS = 25


def form(name, content, mapping=None):
    """A multipart body with a file, and a mapping file."""
    head = (f'--{EDGE}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n").encode()
    parts = head + content + b"\r\n"
    if mapping:
        parts += (f'--{EDGE}\r\nContent-Disposition: form-data; name="mapping_file"\r\n\r\n'
                  f"{json.dumps(mapping)}\r\n").encode()
    return parts + f"--{EDGE}--\r\n".encode()


def megabytes(process):
    with open(f"/proc/{process.pid}/status") as status:
        line = next(line for line in status if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def send(person, path, body):
    """The status and the text of the response."""
    status, _, answer = person.send("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={EDGE}"})
    return status, json.dumps(answer, ensure_ascii=False)


def check(hostile, found, secret, mapping):
    """Sends each attack for an inspection and as a proposal. Returns what was wrong."""
    from support.accounts import confirmed_person
    from support.farol import Farol, new_folder
    wrong = []
    server = Farol(new_folder()).start()
    try:
        people = [confirmed_person(server, f"maria{number}") for number in range(len(found) // LISTS + 1)]
        before = megabytes(server.process)
        for number, attack in enumerate(found):
            content = (hostile / attack.name).read_bytes()
            for path in ("/api/list-inspections", "/api/proposals"):
                begun = time.monotonic()
                status, said = send(
                    people[number // LISTS], path,
                    form(attack.name, content, mapping if path == "/api/proposals" else None))
                took = time.monotonic() - begun
                faults = [fault for is_wrong, fault in (
                    (secret in said, "the secret was read"),
                    (status >= 500 or status == 429, f"{status} {said[:300]}"),
                    # The inspection of a file with several lists asks for one of them.
                    (attack.code not in (None, "several") and status < 400 and attack.sentence,
                     f"{status} instead of a refusal"),
                    (took > SECONDS, f"{took:.0f} s"),
                ) if is_wrong]
                print(f"{'WRONG' if faults else 'ok   '} {path} {attack.name}: {status}, {took:.1f} s, {said[:100]}",
                      flush=True)
                wrong += [f"{path} {attack.name}: {fault}" for fault in faults]
        grown = megabytes(server.process) - before
        print(f"The server has grown by {grown:.0f} MB")
        if grown > GROWTH:
            wrong.append(f"the server has grown by {grown:.0f} MB")
        with server.database() as database:
            stored = database.execute("SELECT count(*) FROM device").fetchone()[0]
            if stored:
                wrong.append(f"{stored} devices are on the map")
        server.get("/healthz", raw=True)
    finally:
        server.stop()
    return wrong
