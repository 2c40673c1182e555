"""Releases of the web front that differ, and a proxy in front of servers of different releases."""

import atexit
import functools
import http.client
import itertools
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from support.farol import HOME, Farol, new_folder

sys.path.append(str(HOME / "Tests/TestPostgreSQL"))

from cluster import USER, Cluster  # noqa: E402

# A file that every page uses, one that only the map page uses, and one that is imported late.
CHANGED = ("js/dom.js", "js/panel.js", "js/data/take.js", "js/page/not-saved.js")


@functools.cache
def release(name):
    """A built front whose scripts, styles and texts say the name of their release."""
    folder = Path(tempfile.mkdtemp(prefix="farol-release-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    sources = folder / "public"
    shutil.copytree(HOME / "public", sources)
    for path in CHANGED:
        with open(sources / path, "a", encoding="utf-8") as script:
            script.write(f"\nglobalThis.release = {{ ...globalThis.release, '{path}': '{name}' }};\n")
    with open(sources / "css/base.css", "a", encoding="utf-8") as sheet:
        sheet.write(f"\n:root {{ --release: {name}; }}\n")
    subprocess.run([str(HOME / "setup/front.py"), "--sources", str(sources), str(folder / "front")], check=True)
    return folder / "front"


class ServerFarol(Farol):
    """A server of a release on a database of PostgreSQL."""

    def __init__(self, url, name, key=None):
        super().__init__(new_folder())
        self.url = url
        self.settings = {"FAROL_FRONT": str(release(name))}
        if key:
            shutil.copy(key, self.folder / "farol.key")

    def environment(self):
        return super().environment() | {"FAROL_DATABASE": self.url, "FAROL_STATE": str(self.folder)}


class OneDatabase(Cluster):
    """A database of PostgreSQL for several servers."""

    def __enter__(self):
        super().__enter__()
        self.execute("postgres", "CREATE DATABASE farol")
        self.execute("farol", "CREATE EXTENSION postgis")
        self.url = f"postgresql:///farol?host={self.folder}&user={USER}"
        return self


class Proxy:
    """One address of several servers. `route` chooses the server for a path; by default each in turn."""

    def __init__(self, *servers):
        self.servers = servers
        turns = itertools.count()
        self.route = lambda path: self.servers[next(turns) % len(self.servers)]
        self.stops = 0
        self.sent = []  # path, port of the server, status

    @property
    def address(self):
        return f"http://127.0.0.1:{self.listener.server_address[1]}"

    def __enter__(self):
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                server = proxy.route(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
                try:
                    headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
                    connection.request(self.command, self.path, body or None, headers)
                    answer = connection.getresponse()
                    content = answer.read() if "event-stream" not in answer.headers.get("Content-Type", "") else b""
                except OSError:
                    self.send_error(502)
                    return
                finally:
                    connection.close()
                proxy.sent.append((self.path, server.port, answer.status))
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = pass_on

            def log_message(self, *_):
                pass

        class Listener(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass  # The browser has closed a connection.

        assert issubclass(Listener, socketserver.ThreadingMixIn)
        self.listener = Listener(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown()
        self.listener.server_close()
