"""A real Farol with a separate database, to be killed."""

import os
import signal
import socket
import ssl
import subprocess
import time
import urllib.request


class Farol:
    # https and the certificate authority to trust, when the server itself uses TLS.
    scheme, trust = "http", None

    def __init__(self, program, home, folder):
        self.program = str(program)
        self.home = str(home)
        self.folder = str(folder)
        self.port = free_port()
        self.process = None
        self.log_path = os.path.join(self.folder, "serve.log")

    @property
    def base(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FAROL_")}
        return kept | {
            "FAROL_HOME": self.home,
            "FAROL_DATABASE": os.path.join(self.folder, "farol.db"),
            "FAROL_LISTEN": f"127.0.0.1:{self.port}",
        }

    def serving(self):
        """The environment of the server itself. Other commands get `environment`."""
        if self.scheme == "https":
            return self.environment() | {"FAROL_TLS_CERTIFICATE": self.certificate, "FAROL_TLS_KEY": self.key}
        return self.environment()

    @property
    def certificate(self):
        return os.path.join(self.folder, "certificate.pem")

    @property
    def key(self):
        return os.path.join(self.folder, "key.pem")

    def be_certified(self, days):
        """Creates a certificate for this number of days. A running server must reload it."""
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-days", str(days), "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", self.key, "-out", self.certificate], check=True, capture_output=True)
        self.scheme, self.trust = "https", ssl.create_default_context(cafile=self.certificate)

    def be_plain(self):
        self.scheme, self.trust = "http", None

    def start(self, wait=True):
        log = open(self.log_path, "ab")
        self.process = subprocess.Popen(
            [self.program, "serve"], env=self.serving(), cwd=self.home, stdout=log,
            stderr=log, stdin=subprocess.DEVNULL)
        log.close()
        return self.wait_until_ready() if wait else None

    def wait_until_ready(self):
        """Seconds until the server reports that it is ready."""
        begun = time.monotonic()
        while time.monotonic() - begun < 60:
            if self.process.poll() is not None:
                raise RuntimeError(f"Farol ended with {self.process.returncode}: {self.last_words()}")
            try:
                with urllib.request.urlopen(f"{self.base}/readyz", timeout=5, context=self.trust):
                    return time.monotonic() - begun
            except OSError:
                time.sleep(0.01)
        raise RuntimeError(f"Farol was not ready within a minute: {self.last_words()}")

    def last_words(self):
        with open(self.log_path, errors="replace") as log:
            return log.read()[-2_000:]

    def kill(self):
        """Ends the server program without a chance to clean up, as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        return self.process.returncode

    def check(self):
        """The output of `farol check` and its exit code."""
        done = subprocess.run(
            [self.program, "check"], env=self.environment(), cwd=self.home, capture_output=True,
            text=True, timeout=600)
        return done.returncode, done.stdout + done.stderr


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
