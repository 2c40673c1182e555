"""Runs nginx and Caddy in front of a real Farol, configured as in operations/, and checks their behaviour.

Exits with status 1 when a check fails.
"""

import argparse
import gzip
import http.client
import json
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
import warnings
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Crash")]

from people import PASSWORD, code, create_admin  # noqa: E402
from proxies import NAME, Caddy, Nginx  # noqa: E402
from server import Farol, free_port  # noqa: E402

HOME = HERE.parents[1]
# Addresses of clients; none is a proxy that Farol trusts.
ANA, RUI = "127.0.0.5", "127.0.0.6"
SECRET = "what-nobody-is-to-know"
TOKEN = "a-token-for-prometheus-alone"


class ProxiedFarol(Farol):
    def environment(self):
        return super().environment() | {
            "FAROL_BASE_URL": f"https://{NAME}", "FAROL_TRUSTED_PROXIES": "127.0.0.1,::1",
            "FAROL_METRICS": TOKEN}

    def requests(self, route):
        """The number of requests for a route in Farol's log."""
        text = (Path(self.folder) / "serve.log").read_text(errors="replace")
        return text.count(f" route={route} ")


class Questions:
    """The requests to one proxy."""

    def __init__(self, proxy, farol, secret):
        self.proxy, self.farol, self.secret = proxy, farol, secret
        self.wrong = []
        # The headers that a browser sends for a signed-in user.
        self.session = {}

    def expect(self, sentence, right, found=""):
        print(f"{'ok  ' if right else 'NOT '} {self.proxy.name}: {sentence}"
              f"{f': {found}' if found else ''}")
        if not right:
            self.wrong.append(f"{self.proxy.name}: {sentence}")

    def context(self, protocols=("http/1.1",)):
        context = ssl.create_default_context(cafile=self.proxy.certificate)
        context.set_alpn_protocols(list(protocols))
        return context

    def connect(self, source=ANA, context=None):
        plain = socket.create_connection(
            ("127.0.0.1", self.proxy.secure), timeout=40, source_address=(source, 0))
        return (context or self.context()).wrap_socket(plain, server_hostname=NAME)

    def ask(self, method, path, body=None, headers=None, source=ANA):
        connection = http.client.HTTPConnection(NAME, timeout=40)
        connection.sock = self.connect(source)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        read = answer.read()
        connection.close()
        return answer.status, answer.headers, read

    def raw(self, text, patience=3):
        """Sends bytes unchanged, and reads until the end or until no more bytes arrive."""
        with self.connect() as connection:
            connection.sendall(text.encode("latin-1"))
            connection.settimeout(patience)
            read = b""
            try:
                while piece := connection.recv(65_536):
                    read += piece
            except (TimeoutError, ssl.SSLError, ConnectionError):
                pass
            return read.decode("latin-1")

    def until_ready(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                if self.ask("GET", "/readyz")[0] == 200:
                    return True
            except OSError:
                pass
            time.sleep(0.2)
        return False

    # The checks.

    def serves_pages(self):
        status, headers, _ = self.ask("GET", "/")
        self.expect("the map is there", status == 200, status)
        for name in ("Strict-Transport-Security", "Content-Security-Policy",
                     "X-Content-Type-Options", "Content-Type"):
            self.expect(f"{name} comes once", len(headers.get_all(name) or []) == 1)
        for path in ("/api", "/learn", "/api/collections/devices/items?limit=1"):
            status = self.ask("GET", path)[0]
            self.expect(f"{path} is there", status == 200, status)

    def keeps_figures_inside(self):
        token = {"Authorization": f"Bearer {TOKEN}"}
        asked = urllib.request.Request(f"http://127.0.0.1:{self.farol.port}/metrics", headers=token)
        with urllib.request.urlopen(asked, timeout=10) as answer:
            self.expect("Farol itself tells its figures", answer.status == 200)
        for path in ("/metrics", "/metrics?a=b", "/%6detrics", "/./metrics", "/a/../metrics"):
            status, _, read = self.ask("GET", path, headers=token)
            self.expect(f"{path} is not let through", status >= 400 and b"farol_" not in read, status)

    def leaves_coding_to_farol(self):
        _, headers, read = self.ask("GET", "/api/openapi.json", headers={"Accept-Encoding": "gzip"})
        self.expect("what Farol compressed comes as it is",
                    headers.get_all("Content-Encoding") == ["gzip"]
                    and gzip.decompress(read)[:1] == b"{")
        _, headers, read = self.ask("GET", "/api/openapi.json")
        self.expect("and plain to who asks for plain",
                    headers["Content-Encoding"] is None and read[:1] == b"{")
        tag = headers["ETag"]
        status, _, _ = self.ask("GET", "/api/openapi.json", headers={"If-None-Match": tag})
        self.expect("what has not changed is not sent again", status == 304, status)

    def speaks_tls(self):
        with self.connect(context=self.context(("h2", "http/1.1"))) as connection:
            self.expect("HTTP/2 is spoken", connection.selected_alpn_protocol() == "h2")
        warnings.simplefilter("ignore", DeprecationWarning)
        old = self.context()
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
        try:
            self.connect(context=old).close()
            refused = False
        except (ssl.SSLError, ConnectionError):
            refused = True
        self.expect("TLS 1.1 is refused", refused)
        connection = http.client.HTTPConnection("127.0.0.1", self.proxy.plain, timeout=10)
        connection.request("GET", "/learn?a=b", headers={"Host": NAME})
        answer = connection.getresponse()
        self.expect("plain HTTP leads to https",
                    answer.status == 308
                    and answer.headers["Location"] == f"https://{NAME}/learn?a=b",
                    f"{answer.status} {answer.headers['Location']}")
        connection.close()

    def signs_in(self):
        login = json.dumps({"login": "keeper", "password": PASSWORD, "code": code(self.secret)})
        status, headers, read = self.ask(
            "POST", "/api/session", login, {"Content-Type": "application/json"}, source=RUI)
        cookie = headers["Set-Cookie"] or ""
        self.expect("a session cookie is Secure and bound to the host",
                    cookie.startswith("__Host-") and "; Secure" in cookie, status)
        self.session = {
            "Cookie": cookie.split(";")[0], "X-CSRF-Token": json.loads(read)["csrf_token"],
            "Origin": f"https://{NAME}"}

    def tells_clients_apart(self):
        """25 wrong passwords from one address reach the limit, whatever address the client claims."""
        def guess(number, source, claimed=None):
            headers = {"Content-Type": "application/json"}
            if claimed:
                headers |= {"X-Forwarded-For": claimed, "Forwarded": f"for={claimed}"}
            body = json.dumps({"login": f"guess{number}", "password": "wrong" + "!" * 10})
            return self.ask("POST", "/api/session", body, headers, source)[0]

        statuses = [guess(number, ANA) for number in range(30)]
        self.expect("guesses from one address are slowed down", statuses[-1] == 429, statuses[-1])
        self.expect("whatever it says it is",
                    guess(40, ANA, claimed="198.51.100.7") == 429)
        self.expect("another address is not", guess(41, RUI) == 401)

    def upload(self, path, kind, size):
        """The status of the response to a long body, possibly while it is still being sent; 0 where the
        connection was cut instead."""
        head = (f"POST {path} HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: {kind}\r\n"
                f"Content-Length: {size}\r\n"
                + "".join(f"{name}: {value}\r\n" for name, value in self.session.items())
                + "\r\n").encode()
        with self.connect() as connection:
            connection.sendall(head)
            answer, piece = b"", bytes(65_536)
            try:
                while size > 0 and not answer:
                    size -= connection.send(piece[:size])
                    connection.settimeout(0)
                    try:
                        answer = connection.recv(4_096)
                    except ssl.SSLWantReadError:
                        pass
                    connection.settimeout(40)
                answer = answer or connection.recv(4_096)
            except OSError:
                pass
            return int(answer.split(b" ")[1]) if answer else 0

    def bounds_bodies(self):
        # Farol responds with 413 as soon as it has read the request header, and closes the connection. A proxy
        # that is still sending at that time may receive no response.
        refused = (413, 502, 0)
        status = self.upload("/api/reports", "application/json", 13 << 20)
        self.expect("a body of 13 MiB is not taken", status in refused, status)
        lists, form = "/api/admin/imports", "multipart/form-data; boundary=a"
        status = self.upload(lists, form, 13 << 20)
        self.expect("but where admins bring in lists, Farol reads it", status in (400, 422), status)
        status = self.upload(lists, form, 65 << 20)
        self.expect("there, one of 65 MiB is not", status in refused, status)

    def smuggles_nothing(self):
        """A second request inside the first must reach no handler."""
        inner = f"GET /api/conformance HTTP/1.1\r\nHost: {NAME}\r\n\r\n"
        chunk = f"{len(inner):x}\r\n{inner}\r\n0\r\n\r\n"
        head = f"POST /api/reports HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/json\r\n"
        attempts = {
            "a length and chunks": head + f"Content-Length: {len(inner) + 5}\r\n"
                                   "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner,
            "chunks and a short length": head + "Content-Length: 4\r\n"
                                         "Transfer-Encoding: chunked\r\n\r\n" + chunk,
            "two lengths": head + f"Content-Length: 0\r\nContent-Length: {len(inner)}\r\n\r\n"
                           + inner,
            "an unknown coding": head + "Transfer-Encoding: xchunked\r\n\r\n" + chunk,
            "two codings": head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"
                                  "\r\n" + "0\r\n\r\n" + inner,
            "a coding with a tab": head + "Transfer-Encoding:\tchunked, identity\r\n\r\n"
                                          "0\r\n\r\n" + inner,
            "a space before the colon": head + f"Content-Length : {len(inner)}\r\n\r\n" + inner,
            "a folded line": head + "X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner,
            "chunks in HTTP/1.0": head.replace("1.1", "1.0") + "Transfer-Encoding: chunked\r\n\r\n"
                                  "0\r\n\r\n" + inner,
            "a chunk with a bad size": head + "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n"
                                       + inner,
            "a line feed alone": head + "X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner,
        }
        for name, text in attempts.items():
            before = self.farol.requests("/api/conformance")
            answer = self.raw(text)
            refused = answer == "" or answer.split(" ")[1][0] in "45"
            # A separate request after a refused request may get a response.
            shown = answer.count(" 200 OK")
            deadline = time.monotonic() + 1
            while (reached := self.farol.requests("/api/conformance") - before) != shown \
                    and time.monotonic() < deadline:
                time.sleep(0.05)
            self.expect(f"{name}: a request inside reaches nobody", refused and reached == shown,
                        f"{answer.split(chr(13))[0]}, {reached} reached, {shown} shown")
        status = self.ask("GET", "/readyz")[0]
        self.expect("and the way is clear afterwards", status == 200, status)

    def stands_in(self):
        self.farol.stop()
        status, headers, read = self.ask("GET", f"/?q={SECRET}")
        self.expect("a stopped Farol is told as such, in words",
                    status in (502, 503) and b"Back soon" in read, status)
        self.expect("with when to come back, and under a policy",
                    headers["Retry-After"] == "30" and headers["Content-Security-Policy"] is not None
                    and headers["Cache-Control"] == "no-store")
        self.farol.start()
        self.expect("a started one is found again", self.until_ready())

    def keeps_to_itself(self):
        self.ask("GET", f"/api/places?q={SECRET}")
        self.raw(f"GET /?q={SECRET} HTTP/9.9\r\n\r\n", patience=1)
        written = self.proxy.written()
        said = [word for word in (ANA, RUI, SECRET) if word in written]
        self.expect("no address and no query stands in its logs", not said, " ".join(said))

    def all(self):
        taken, said = self.proxy.check()
        self.expect("its configuration is taken", taken, "" if taken else said[-400:])
        if not taken:
            return
        self.proxy.start()
        self.expect("Farol is reached", self.until_ready())
        for question in (self.serves_pages, self.keeps_figures_inside, self.leaves_coding_to_farol,
                         self.speaks_tls,
                         self.signs_in, self.tells_clients_apart, self.bounds_bodies,
                         self.smuggles_nothing, self.stands_in, self.keeps_to_itself):
            question()


def make_certificate(folder):
    certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-keyout", key, "-out", certificate, "-days", "30", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME}"], check=True, capture_output=True)
    return certificate, key


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/release/farol"))
    parser.add_argument("--only", choices=["nginx", "caddy"])
    chosen = parser.parse_args()
    wrong = []
    for kind in (Nginx, Caddy):
        if chosen.only not in (None, kind.name):
            continue
        folder = tempfile.mkdtemp(prefix="farol-proxies-")
        farol = ProxiedFarol(chosen.program, HOME, folder)
        proxy = None
        try:
            secret = create_admin(farol)
            farol.start()
            proxy = kind(HOME, folder, farol.port, free_port(), free_port(),
                         *make_certificate(folder))
            questions = Questions(proxy, farol, secret)
            questions.all()
            wrong += questions.wrong
        finally:
            if proxy:
                proxy.stop()
            if farol.process and farol.process.poll() is None:
                farol.stop()
            shutil.rmtree(folder, ignore_errors=True)
    if wrong:
        sys.exit(f"{len(wrong)} things were not as they should be")


if __name__ == "__main__":
    main()
