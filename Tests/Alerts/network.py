"""A network of its own, in which webhooks of a real Farol reach a receiver on this machine.

Farol calls webhooks on port 443 of public addresses only, and trusts only the authorities of the system. In separate
network and mount namespaces, a public address belongs to the loopback interface, `hook.example` is in /etc/hosts, and
the system trusts a further authority. Nothing leaves the machine.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HOST = "hook.example"
# Farol makes one call at a time to each host.
HOSTS = tuple(f"hook{number}.example" for number in range(40))
# Public, and routed nowhere in the namespace.
ADDRESS = "45.45.45.45"
AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")
ENCLOSED = "FAROL_TEST_NETWORK"


def enclose():
    """Runs this program again in namespaces of its own, unless it is in them."""
    if os.environ.get(ENCLOSED) == "1":
        return
    identity = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    os.environ[ENCLOSED] = "1"
    os.execvp("unshare", ["unshare", *identity, "--net", "--mount", sys.executable, *sys.argv])


def cannot():
    """Why the namespaces are not possible here; None if they are."""
    if not shutil.which("ip"):
        return "the program ip (iproute2) is missing"
    identity = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    done = subprocess.run(["unshare", *identity, "--net", "--mount", "true"], capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else None


def prepare(folder):
    """Sets the network up. Returns the files of the receiver's certificate and key."""
    certificate, key = f"{folder}/hook.pem", f"{folder}/hook-key.pem"
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", f"/CN={HOST}", "-addext", "subjectAltName=" + ",".join(f"DNS:{one}" for one in (HOST, *HOSTS)),
        "-keyout", key, "-out", certificate)
    hosts, authorities = Path(folder) / "hosts", Path(folder) / "authorities.pem"
    hosts.write_text("127.0.0.1 localhost\n" + "".join(f"{ADDRESS} {one}\n" for one in (HOST, *HOSTS)))
    known = AUTHORITIES.read_text() if AUTHORITIES.exists() else ""
    authorities.write_text(known + Path(certificate).read_text())
    run("mount", "--bind", str(hosts), "/etc/hosts")
    run("mount", "--bind", str(authorities), str(AUTHORITIES))
    run("ip", "link", "set", "lo", "up")
    run("ip", "address", "add", f"{ADDRESS}/32", "dev", "lo")
    return certificate, key


def run(*command):
    subprocess.run(command, check=True, capture_output=True)
