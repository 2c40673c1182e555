"""The compose files of operations/, with free ports."""

import http.client
import os
import secrets
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path

from debian import expect

HOME = Path(__file__).resolve().parents[2]
NAME = "farol.example.org"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def compose(folder, file, *words, check=True):
    done = subprocess.run(["podman-compose", "-p", "farol-test", "-f", file, *words], cwd=folder, capture_output=True,
                          text=True, timeout=600)
    if check and done.returncode:
        raise RuntimeError(f"podman-compose {' '.join(words)}: {done.stdout}{done.stderr}")
    return done


def status_of(port, path, context=None):
    try:
        if context:
            plain = socket.create_connection(("127.0.0.1", port), timeout=5)
            connection = http.client.HTTPConnection(NAME, timeout=5)
            connection.sock = context.wrap_socket(plain, server_hostname=NAME)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return None


def comes(wanted, seconds=90):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if wanted():
            return True
        time.sleep(0.5)
    return False


def judge_compose(work):
    """operations/compose.yaml, with another port."""
    folder = work / "compose"
    shutil.copytree(HOME / "operations", folder)
    port = free_port()
    text = (folder / "compose.yaml").read_text()
    (folder / "compose.yaml").write_text(without_limits(text).replace("127.0.0.1:8080:8080", f"127.0.0.1:{port}:8080"))
    (folder / "farol.env").write_text("FAROL_CONTACT=map@example.org\n")
    compose(folder, "compose.yaml", "up", "-d")
    try:
        expect("compose.yaml serves", comes(lambda: status_of(port, "/readyz") == 200))
    finally:
        compose(folder, "compose.yaml", "down", "--volumes", check=False)


def without_limits(text):
    """Without the limits that a machine without CAP_SYS_RESOURCE cannot give."""
    lines = [line for line in text.splitlines() if not line.strip().startswith("ulimits:")]
    return "\n".join(lines) + "\n"


def prepare(folder):
    """The secrets, as docs/how-to/containers.md makes them. Returns the certificate to trust."""
    place = folder / "secrets"
    place.mkdir(mode=0o711)
    password = secrets.token_urlsafe(18)
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate], check=True,
        capture_output=True)
    files = {
        "database-password": (902, password.encode()),
        "pgpass": (10001, f"database:5432:farol:farol:{password}\n".encode()),
        "farol.key": (10001, secrets.token_bytes(32)),
        "farol.pem": (903, certificate.read_bytes() + key.read_bytes()),
    }
    for name, (owner, content) in files.items():
        (place / name).write_bytes(content)
        (place / name).chmod(0o600)
        os.chown(place / name, owner, owner)
    return ssl.create_default_context(cafile=certificate), password


def judge_three_servers(work):
    """operations/compose-postgresql.yaml: all start, share a database, and are replaced one after the other."""
    folder = work / "three"
    shutil.copytree(HOME / "operations", folder)
    # Other users read the configuration in their containers.
    folder.chmod(0o755)
    context, password = prepare(folder)
    plain, port = free_port(), free_port()
    file = folder / "compose-postgresql.yaml"
    text = without_limits(file.read_text())
    file.write_text(text.replace("80:8080", f"127.0.0.1:{plain}:8080").replace("443:8443", f"127.0.0.1:{port}:8443"))
    # Each connection needs two descriptors, and the machine may allow fewer than the file asks for.
    proxy = folder / "compose-haproxy.cfg"
    proxy.write_text(proxy.read_text().replace("maxconn 20000", "maxconn 2000"))
    (folder / "farol.env").write_text("FAROL_CONTACT=map@example.org\n")
    compose(folder, file.name, "up", "-d")
    try:
        expect("three servers start on one database", comes(lambda: status_of(port, "/readyz", context) == 200, 120)
               and comes(lambda: all(ready(number) for number in (1, 2, 3))))
        expect("the password is in no log", password not in logs())
        failed = []
        for number in (1, 2, 3):
            compose(folder, file.name, "stop", f"farol{number}")
            failed += [status for _ in range(40) if (status := status_of(port, "/", context)) != 200]
            compose(folder, file.name, "start", f"farol{number}")
            expect(f"farol{number} is ready again", comes(lambda one=number: ready(one)))
            time.sleep(2)
        expect("no request failed while one server was away", not failed, failed[:5] or "")
        compose(folder, file.name, "restart", "database")
        expect("they serve again after a restart of the database",
               comes(lambda: status_of(port, "/readyz", context) == 200))
    finally:
        compose(folder, file.name, "down", "--volumes", check=False)


def ready(number):
    done = subprocess.run(["podman", "exec", f"farol-test_farol{number}_1", "/usr/lib/farol/health", "/readyz"],
                          capture_output=True, timeout=60)
    return done.returncode == 0


def logs():
    names = subprocess.run(["podman", "ps", "--all", "--format", "{{.Names}}"], capture_output=True, text=True).stdout
    found = [subprocess.run(["podman", "logs", name], capture_output=True, text=True) for name in names.split()]
    return "".join(done.stdout + done.stderr for done in found)
