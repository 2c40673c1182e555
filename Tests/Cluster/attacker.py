"""A stranger on the network of the databases: what it may not do, with and without the firewall."""

import json
import subprocess

from databases import BIN, PASSWORD
from network import Host, run

ADDRESS = "10.0.0.66"
QUIET = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}


class Attacker:
    def __init__(self, databases):
        self.databases = databases
        self.host = Host("attacker", ADDRESS)
        folder = databases.folder / "attacker"
        folder.mkdir()
        self.key = folder / "own.pem"
        # The attacker's certificate, with the name of a database machine.
        run("openssl", "req", "-batch", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-subj", "/CN=db1", "-keyout", str(self.key), "-out", str(folder / "own.crt"))
        self.certificate = folder / "own.crt"
        # Seconds. A closed firewall answers nothing.
        self.patience = 5
        self.found = []

    def expect(self, sentence, right, found=""):
        if not right:
            self.found.append(f"{sentence}: {found}")

    def say(self, *words, **environment):
        """Runs a program on the machine of the attacker: status and output."""
        done = subprocess.run([*self.host.inside, *map(str, words)], capture_output=True, text=True, timeout=60, cwd="/",
                              env=QUIET | environment)
        return done.returncode, (done.stdout + done.stderr).strip()

    def curl(self, *words):
        return self.say("/usr/bin/curl", "--silent", "--show-error", "--insecure", "--max-time", str(self.patience), *words)

    def etcd(self):
        body = json.dumps({"key": "AA==", "range_end": "AA=="})
        for machine in self.databases.machines:
            for port in (2379, 2380):
                for own in ((), ("--cert", self.certificate, "--key", self.key)):
                    for scheme in ("http", "https"):
                        status, said = self.curl(*own, "--data", body, f"{scheme}://{machine.address}:{port}/v3/kv/range")
                        self.expect(f"etcd answers {scheme} {port} {own[:1]}", status != 0, said)

    def patroni(self, is_closed):
        machine = self.databases.primary()
        place = f"https://{machine.address}:8008"
        status, said = self.curl(f"{place}/primary")
        self.expect("Patroni says who is the primary, unless the firewall is closed", (status == 0) != is_closed, said)
        for method, path, body in (("POST", "restart", "{}"), ("POST", "switchover", '{"leader":"db1"}'),
                                   ("POST", "failover", '{"candidate":"db2"}'), ("PATCH", "config", '{"ttl":3600}'),
                                   ("POST", "reinitialize", "{}"), ("POST", "reload", ""), ("PUT", "config", "{}"),
                                   ("DELETE", "restart", ""), ("POST", "sigterm", "")):
            for own in ((), ("--cert", self.certificate, "--key", self.key), ("--user", "patroni:replace-5")):
                status, said = self.curl(*own, "--request", method, "--data", body, "--output", "/dev/null",
                                         "--write-out", "%{http_code}", f"{place}/{path}")
                is_refused = status != 0 or said in ("401", "403", "501")
                self.expect(f"Patroni takes {method} /{path} {own[:1]}", is_refused, said)

    def postgresql(self, is_closed):
        address = self.databases.primary().address
        def sign_in(user, password, database, mode):
            return self.say(
                BIN / "psql", "--no-psqlrc", "--tuples-only", "--no-align", "--command=SELECT 1",
                f"host={address} user={user} dbname={database} sslmode={mode} connect_timeout={max(2, self.patience)}", PGPASSWORD=password)
        for user, password, database, mode in (
                ("farol", PASSWORD, "farol", "disable"), ("farol", "wrong", "farol", "require"),
                ("farol", PASSWORD, "postgres", "require"), ("postgres", "replace-1", "postgres", "require"),
                ("postgres", "replace-1", "farol", "require"), ("postgres", "replace-1", "farol", "disable"),
                ("rewinder", "replace-3", "farol", "require"), ("rewinder", "replace-3", "postgres", "disable"),
                ("replicator", "replace-2", "farol", "require")):
            status, said = sign_in(user, password, database, mode)
            self.expect(f"{user} signs in to {database} with {mode}", status != 0, said)
        status, said = self.say(BIN / "pg_receivewal", "--directory=/tmp", "--no-loop", "--endpos=0/1", "--dbname",
                                f"host={address} user=replicator sslmode=disable connect_timeout=5", PGPASSWORD="replace-2")
        self.expect("the log is replicated without TLS", status != 0, said)
        # With Farol's password, which the attacker does not have: shows that the refusals do not come from a
        # database that answers no client.
        status, said = sign_in("farol", PASSWORD, "farol", "require")
        self.expect("Farol's own password works, unless the firewall is closed", (status == 0) != is_closed, said)
        if not is_closed:
            status, said = self.say(
                BIN / "psql", "--no-psqlrc", "--command=COPY (SELECT 1) TO PROGRAM 'touch /tmp/farol-attacker'",
                f"host={address} user=farol dbname=farol sslmode=require", PGPASSWORD=PASSWORD)
            self.expect("Farol's user runs programs", status != 0, said)
            status, said = self.say(
                BIN / "psql", "--no-psqlrc", "--command=CREATE ROLE stranger IN ROLE pg_execute_server_program",
                f"host={address} user=farol dbname=farol sslmode=require", PGPASSWORD=PASSWORD)
            self.expect("Farol's user creates roles", status != 0, said)


def attack(databases):
    """What the attacker could do, in sentences. None is right."""
    attacker = Attacker(databases)
    for is_closed in (False, True):
        if is_closed:
            databases.close_ports()
            attacker.patience = 2
        try:
            attacker.etcd()
            attacker.patroni(is_closed)
            attacker.postgresql(is_closed)
            if is_closed:
                # The cluster itself is not shut out.
                databases.wait_until_healthy(60)
        finally:
            databases.open_ports()
    return attacker.found
