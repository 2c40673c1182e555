"""Settings and databases that Farol cannot use: each is one clear sentence, and nothing is changed."""

import time

from databases import PASSWORD
from processes import free_ports
from servers import Server


def said(program, home, folder, url, number):
    """The exit status and the lines of `farol migrate`, which opens the database as the server does."""
    server = Server(number, program, home, folder, url, free_ports(1)[0])
    status, words = server.command("migrate")
    return status, [line for line in words.splitlines() if line.strip()]


def prepare(databases):
    """Creates a database for each mistake."""
    def superuser(database, *statements):
        for one in statements:
            databases.ask(one, database)

    superuser("postgres", "CREATE DATABASE plain OWNER farol TEMPLATE template0",
              "CREATE DATABASE latin OWNER farol ENCODING LATIN1 LOCALE 'C' TEMPLATE template0",
              "CREATE DATABASE sorted OWNER farol LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8' TEMPLATE template0",
              "CREATE DATABASE future OWNER farol TEMPLATE template0")
    superuser("future", "CREATE EXTENSION postgis", "CREATE SCHEMA main AUTHORIZATION farol",
              "CREATE TABLE main.migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at text NOT NULL)",
              "ALTER TABLE main.migration OWNER TO farol",
              "INSERT INTO main.migration VALUES ('9999_later.sql', '', '2027-01-01T00:00:00Z')")


def check(databases, program, home, folder):
    """The mistakes whose sentence is missing, or not the only one."""
    prepare(databases)
    place, good = f"127.0.0.1:{databases.port}", f"postgresql://farol:{PASSWORD}@127.0.0.1:{databases.port}"
    closed = free_ports(1)[0]
    standby = next(machine for machine in databases.machines if machine is not databases.primary())
    cases = [
        (f"postgresql://farol:{PASSWORD}@127.0.0.1:{closed}/farol", "cannot be reached: Connection refused."),
        ("postgresql://farol:100%@127.0.0.1/farol", "is not a valid URL"),
        (f"postgresql://farol:wrong@{place}/farol", "refused the user or the password."),
        (f"{good}/nothing", "has no database of this name."),
        (f"{good}/plain", "has no PostGIS: run CREATE EXTENSION postgis in it as a superuser."),
        (f"{good}/latin", "has the encoding LATIN1; create it with ENCODING 'UTF8'."),
        (f"{good}/sorted", "has the locale C.UTF-8; create it with LOCALE 'C'."),
        (f"{good}/future", "has schema 9999 and this Farol knows"),
        (f"postgresql://farol:{PASSWORD}@{standby.address}:5432/farol",
         "is a standby or read-only; Farol needs the primary."),
    ]
    wrong = []
    for number, (url, sentence) in enumerate(cases, 10):
        status, lines = said(program, home, folder, url, number)
        text = " ".join(lines)
        if status != 1 or len(lines) != 1 or sentence not in text or PASSWORD in text:
            wrong.append(f"{sentence}: {status} {lines}")
    if words := clock(program, home, folder, f"{good}/farol"):
        wrong.append(words)
    return wrong


def clock(program, home, folder, url):
    """A server whose clock is two minutes ahead says so once, and serves."""
    server = Server(30, program, home, folder, url, free_ports(1)[0])
    server.process.environment = server.environment() | {"FAROL_TEST_CLOCK": "+120"}
    server.start()
    server.wait_until_ready()
    time.sleep(1)
    server.process.stop()
    lines = [line for line in server.process.log.read_text().splitlines() if "the clock of this server is" in line]
    is_right = len(lines) == 1 and "s ahead of that of the database" in lines[0]
    return None if is_right else f"the clock: {lines}"
