"""Requests /healthz twenty times a second from a separate process, and records the slowest response."""

import multiprocessing
import socket
import ssl
import time


def watch(port, certificate, fresh, until, told):
    longest, answered, failed = 0.0, 0, 0
    line = None
    trust = ssl.create_default_context(cafile=certificate) if certificate else None
    while not until.is_set():
        begun = time.monotonic()
        try:
            if line is None:
                # With a new connection for each response, the handshake counts too.
                line = socket.create_connection(("127.0.0.1", port), timeout=5)
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if trust:
                    line = trust.wrap_socket(line, server_hostname="127.0.0.1")
                begun = begun if fresh else time.monotonic()
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            received = b""
            while b"alive" not in received:
                piece = line.recv(4096)
                if not piece:
                    raise ConnectionError("closed")
                received += piece
            answered += 1
            longest = max(longest, time.monotonic() - begun)
            if fresh:
                line.close()
                line = None
        except OSError:
            failed += 1
            line = None
        time.sleep(0.05)
    told.send((longest, answered, failed))


class HealthWatch:
    """`with HealthWatch(port) as health: …`; then `health.longest` in seconds, `health.failed`.

    Uses TLS when a certificate is given; with `fresh`, a new connection for each request.
    """

    def __init__(self, port, certificate=None, fresh=False):
        self.port, self.certificate, self.fresh = port, certificate, fresh

    def __enter__(self):
        self.until = multiprocessing.Event()
        self.hears, tells = multiprocessing.Pipe(False)
        self.process = multiprocessing.Process(
            target=watch, args=(self.port, self.certificate, self.fresh, self.until, tells), daemon=True)
        self.process.start()
        return self

    def __exit__(self, *fault):
        self.until.set()
        self.longest, self.answered, self.failed = self.hears.recv()
        self.process.join(10)
