"""Three servers of Farol behind HAProxy, with the file of operations/postgresql."""

import os
import shutil
import ssl
import subprocess
import time
import urllib.request

from processes import Process, free_ports
from rendering import render

NAME = "farol.example.org"
# The key of the links in mails is the same on all servers (docs/how-to/high-availability.md).
KEY = os.urandom(32)
# The token for metrics.
METRICS = os.urandom(24).hex()


class Server:
    """One server of Farol."""

    def __init__(self, number, program, home, folder, url, port, replica="", host="127.0.0.1", inside=()):
        self.number, self.program, self.home = number, str(program), str(home)
        # A program runs on the machine of the server with these words before it.
        self.host, self.inside = host, list(inside)
        self.folder = folder / f"farol{number}"
        self.folder.mkdir()
        key = self.folder / "farol.key"
        key.touch(mode=0o600)
        key.write_bytes(KEY)
        self.url, self.port, self.replica = url, port, replica
        self.process = Process(f"farol{number}", [*self.inside, program, "serve"], self.folder / "serve.log",
                               environment=self.environment())
        self.kills = 0

    # Tests/Crash/people.py uses these names.

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FAROL_")}
        return kept | {
            "FAROL_HOME": self.home, "FAROL_DATABASE": self.url, "FAROL_DATABASE_REPLICA": self.replica,
            "FAROL_STATE": str(self.folder),
            "FAROL_LISTEN": f"{self.host}:{self.port}", "FAROL_BASE_URL": f"https://{NAME}",
            "FAROL_TRUSTED_PROXIES": "127.0.0.1,10.0.0.1,10.0.0.2", "FAROL_METRICS": METRICS,
            # All clients have one address.
            "FAROL_READ_SECONDS": "0"}

    def command(self, *words, patience=120):
        """Runs a command of Farol on the database of the server. Returns its exit status and its output."""
        done = subprocess.run([*self.inside, self.program, *words], env=self.environment(), cwd=self.home,
                              capture_output=True, text=True, timeout=patience)
        return done.returncode, done.stdout + done.stderr

    @property
    def place(self):
        return self.host, self.port

    def start(self):
        self.process.start()

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"http://{self.host}:{self.port}/readyz", timeout=5):
                return True
        except OSError:
            return False

    def wait_until_ready(self, seconds=60, restarts=0):
        """The time that it took."""
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            if not self.process.is_running and restarts:
                # As systemd does.
                restarts -= 1
                time.sleep(2)
                self.start()
            if not self.process.is_running:
                raise RuntimeError(f"{self.process.name} ended: {self.process.last_words()}")
            if self.is_ready():
                return time.monotonic() - begun
            time.sleep(0.05)
        raise RuntimeError(f"{self.process.name} is not ready after {seconds} s: {self.process.last_words()}")

    def kill(self):
        self.kills += 1
        self.process.kill()


class Servers:
    """The servers, and HAProxy in front of them."""

    def __init__(self, program, home, folder, urls, replica="", hosts=()):
        """On machines of their own, `hosts`, or all on this one."""
        ports = free_ports(len(urls) + 2)
        self.port, self.plain_port = ports[0], ports[1]
        if hosts:
            self.all = [Server(number, program, home, folder, url, 8080, replica, host.address, host.inside)
                        for number, (url, host) in enumerate(zip(urls, hosts, strict=True), 1)]
        else:
            self.all = [Server(number, program, home, folder, url, port, replica)
                        for number, (url, port) in enumerate(zip(urls, ports[2:], strict=True), 1)]
        self.certificate = folder / "certificate.pem"
        self.certify(folder)
        servers = {f"10.0.0.2{one.number}:8080": f"{one.host}:{one.port}" for one in self.all[:3]}
        render("haproxy-farol.cfg", folder / "haproxy-farol.cfg", servers | {
            "/etc/haproxy/farol.pem": folder / "farol.pem",
            "bind :443": f"bind 127.0.0.1:{self.port}", "bind :80": f"bind 127.0.0.1:{self.plain_port}",
            "maxconn 20000": "maxconn 2000"})
        self.proxy = Process("HAProxy of the servers", [
            shutil.which("haproxy"), "-db", "-f", folder / "haproxy-farol.cfg"], folder / "haproxy-farol.log")

    def certify(self, folder):
        key = folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key,
             "-out", self.certificate], check=True, capture_output=True)
        pem = folder / "farol.pem"
        pem.touch(mode=0o600)
        pem.write_bytes(self.certificate.read_bytes() + key.read_bytes())

    def context(self):
        return ssl.create_default_context(cafile=self.certificate)

    def start(self):
        # All at once: one of them migrates the database, and the others wait for it.
        for server in self.all:
            server.start()
        for server in self.all:
            server.wait_until_ready(180, restarts=3)
        self.proxy.start()
