"""Contributors whose requests cost much, and other people meanwhile."""

import asyncio
import json
import sqlite3
import time
import uuid

from visitors import Tally, connect, get, status_of

# As long as a body of a watch was accepted before each resource had its own limit.
LONG = json.dumps({"name": "x", "filter": {f"member{number}": "y" * 50 for number in range(14_000)}}).encode()


def request(method, path, token, kind, body):
    return (f"{method} {path} HTTP/1.1\r\nHost: farol.example\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body


def form(path, token, fields):
    """A form with the file `file` and other fields."""
    mark = uuid.uuid4().hex
    body = b"".join(
        f'--{mark}\r\nContent-Disposition: form-data; name="{name}"'.encode()
        + (b'; filename="list.gpkg"' if name == "file" and not value.startswith(b"id,") else
           b'; filename="list.csv"' if name == "file" else b"")
        + b"\r\n\r\n" + value + b"\r\n" for name, value in fields.items()) + f"--{mark}--\r\n".encode()
    return request("POST", path, token, f"multipart/form-data; boundary={mark}", body)


def endless(path):
    """A GeoPackage whose list is a view over a query without an end."""
    database = sqlite3.connect(path)
    database.executescript("""
        PRAGMA application_id = 1196444487;
        CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT,
          organization_coordsys_id INTEGER, definition TEXT, description TEXT);
        INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, 'undefined', NULL);
        CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT, description TEXT,
          last_change TEXT, min_x REAL, min_y REAL, max_x REAL, max_y REAL, srs_id INTEGER);
        CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT,
          srs_id INTEGER, z INTEGER, m INTEGER);
        CREATE VIEW devices AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
          SELECT x AS fid, NULL AS geom FROM n WHERE x < 0;
        INSERT INTO gpkg_contents VALUES ('devices', 'features', 'devices', '', '2026-01-01T00:00:00Z', 0, 0, 1, 1, 4326);
        INSERT INTO gpkg_geometry_columns VALUES ('devices', 'geom', 'POINT', 4326, 0, 0);
        """)
    database.commit()
    database.close()
    return path.read_bytes()


async def repeat(port, sent, count, seconds):
    """Sends a request on each of `count` connections, again as soon as it is answered. Returns the statuses."""
    until, tally = time.monotonic() + seconds, Tally()

    async def one(number):
        line = None
        while time.monotonic() < until:
            try:
                if line is None or line.is_closed:
                    line = await connect(port, f"127.91.0.{number % 250 + 1}", timeout=5)
                begun = time.monotonic()
                tally.note(await line.ask(sent, timeout=120), time.monotonic() - begun)
                if b"\r\nConnection: close" in line.buffer:
                    line.transport.close()
            except (OSError, asyncio.TimeoutError) as fault:
                tally.fail(fault)
                line = None
                await asyncio.sleep(0.05)
        if line:
            line.transport.abort()
    await asyncio.wait([asyncio.create_task(one(number)) for number in range(count)], timeout=seconds + 1)
    return tally.statuses, tally.faults


async def times(port, requests, pause):
    """Sends requests one after the other. Returns their statuses and times in seconds."""
    tally = Tally()
    for sent in requests:
        line = await connect(port, "127.92.0.1")
        begun = time.monotonic()
        tally.note(await line.ask(sent, timeout=150), time.monotonic() - begun)
        line.transport.abort()
        await asyncio.sleep(pause)
    return tally


async def ask(port, sent):
    line = await connect(port, "127.92.0.2")
    answer = await line.ask(sent, timeout=60)
    line.transport.abort()
    return status_of(answer), answer


def sign_in(login, password):
    body = json.dumps({"login": login, "password": password}).encode()
    head = get("/api/session").decode().replace("GET", "POST", 1).rstrip("\r\n")
    return (f"{head}\r\nContent-Type: application/json\r\nSec-Fetch-Site: same-origin\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body
