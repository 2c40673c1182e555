"""Counts the round trips between Farol and PostgreSQL: a socket that passes everything on and counts."""

import os
import selectors
import socket
import tempfile
import threading

NAME = ".s.PGSQL.5432"


class Counter:
    """Listens on a socket of its own in a temporary folder. A round trip begins when the client sends after the server."""

    def __init__(self, folder):
        self.server = os.path.join(folder, NAME)
        self.folder = tempfile.TemporaryDirectory(prefix="farol-trips-", dir="/tmp")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(os.path.join(self.folder.name, NAME))
        self.listener.listen(64)
        self.lock = threading.Lock()
        self.count = 0

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.folder.cleanup()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.server)
            threading.Thread(target=self.pass_on, args=(client, server), daemon=True).start()

    def pass_on(self, client, server):
        asked = False
        with client, server, selectors.DefaultSelector() as both:
            both.register(client, selectors.EVENT_READ, server)
            both.register(server, selectors.EVENT_READ, client)
            while True:
                for key, _ in both.select():
                    try:
                        read = key.fileobj.recv(262_144)
                        if not read:
                            return
                        key.data.sendall(read)
                    except OSError:
                        return
                    if key.fileobj is client and not asked:
                        with self.lock:
                            self.count += 1
                    asked = key.fileobj is client
