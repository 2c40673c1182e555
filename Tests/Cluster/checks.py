"""What must hold at the end: nothing lost, nothing twice, each index equal to a new one, no job run twice."""

import json
import re
import time

from clients import FAULTS, Client
from servers import METRICS

# The paths whose responses are compared between the servers.
TILES = [f"/api/tiles/devices/{zoom}/{x}/{y}.mvt" for zoom in range(5) for x in range(2 ** zoom)
         for y in range(2 ** zoom)]
LISTS = ["/api/statistics?group_by=category", "/api/exports/devices.csv",
         *(f"/api/collections/devices/items?bbox={west},-70,{west + 60},70&limit=200" for west in range(-180, 180, 60))]


def stored(databases, promises):
    """The number of acknowledged devices that are missing or have older values, and of names that occur twice."""
    rows = databases.query("SELECT name, id, revision, description FROM device WHERE name LIKE 'cluster %%'")
    found, twice = {}, 0
    for name, *rest in rows:
        twice += name in found
        found[name] = rest
    lost = 0
    for name, (identity, revision, description) in promises.devices.items():
        kept = found.get(name)
        is_kept = kept and kept[0] == identity and (
            kept[1] > revision or (kept[1] == revision and (kept[2] or None) == description))
        if not is_kept:
            lost += 1
            print(f"lost: {name} {identity}, acknowledged with revision {revision} and {description}: {kept}")
    # Each device has exactly one entry of its first revision.
    double_revisions = databases.query(
        "SELECT count(*) FROM (SELECT device_rowid FROM revision GROUP BY device_rowid, number HAVING count(*) > 1) AS d")
    return lost, twice + double_revisions[0][0], len(found)


def normal(text):
    """A response without what belongs to the request itself."""
    return re.sub(rb'"timeStamp":"[^"]*"', b"", text)


def differences(servers, seconds=20):
    """The paths whose responses differ between the servers after a while without writes."""
    clients = [Client(server.place, patience=120) for server in servers]
    differing = TILES + LISTS
    deadline = time.monotonic() + seconds
    while True:
        differing = [path for path in differing if len({answer(client, path) for client in clients}) > 1]
        if not differing or time.monotonic() > deadline:
            return differing
        time.sleep(1)


def answer(client, path):
    for _ in range(10):
        try:
            status, _, read = client.ask("GET", path)
            if status in (200, 204):
                return status, normal(read)
        except FAULTS:
            pass
        time.sleep(0.5)
    raise RuntimeError(f"{path} is not answered")


def counted_devices(server):
    """The number of devices in the index, as the metrics state it."""
    _, _, read = Client(server.place).ask("GET", "/metrics", None, {"Authorization": f"Bearer {METRICS}"})
    found = re.search(rb"^farol_point_index_devices (\d+)", read, re.M)
    return int(found[1]) if found else None


def mails(servers, count, seconds=60):
    """Creates accounts on the servers in turn. Returns the number of mails that were sent twice, and not at all."""
    wanted = {f"person{number}@example.org" for number in range(count)}
    for number in range(count):
        server = servers[number % len(servers)]
        # Each from another network, because one network may create five accounts in half an hour.
        status, _, read = Client(server.place).ask("POST", "/api/accounts", json.dumps({
            "username": f"person{number}", "email": f"person{number}@example.org",
            "password": "four plain words are a fine password", "accept_terms": True}), {
                "Content-Type": "application/json", "X-Forwarded-For": f"10.{number}.0.1"})
        if status != 202:
            raise RuntimeError(f"no account was created: {status} {read}")
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        sent = [address for server in servers for file in server.folder.glob("mail/*.eml")
                for address in re.findall(rb"^To: .*?(person\d+@example\.org)", file.read_bytes(), re.M)]
        if len(set(sent)) >= len(wanted):
            # A second one could follow.
            time.sleep(3)
            break
        time.sleep(0.5)
    sent = [address.decode() for server in servers for file in server.folder.glob("mail/*.eml")
            for address in re.findall(rb"^To: .*?(person\d+@example\.org)", file.read_bytes(), re.M)]
    return len(sent) - len(set(sent)), len(wanted - set(sent))


def guesses(servers, count=60):
    """How many of wrong sign-ins to one account, on the servers in turn, were compared with its password."""
    compared = 0
    for number in range(count):
        server = servers[number % len(servers)]
        status, _, _ = Client(server.place).ask("POST", "/api/session", json.dumps({
            "login": "keeper1", "password": f"wrong wrong wrong {number}"}), {
                "Content-Type": "application/json", "X-Forwarded-For": "10.250.0.1"})
        compared += status == 401
    return compared
