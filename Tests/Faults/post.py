"""Mail servers are unreachable, slow or faulty, then work again: every mail arrives exactly once."""

import errno
import json
import re
import socket
import threading
import time
import uuid
from collections import Counter

from cases import case
from instance import Instance, hold, watched
from shim import Disk

PASSWORD = "seven plain words make a password here"


class MailServer(threading.Thread):
    """Speaks as much SMTP as a test needs, in the current mode."""

    def __init__(self):
        super().__init__(daemon=True)
        self.manner = "well"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        # Mails accepted with 250, by Message-ID, and the number of connections for each behaviour.
        self.taken = Counter()
        self.met = Counter()
        self.on_taken = lambda: None

    def run(self):
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(line,), daemon=True).start()

    def serve(self, line):
        manner = self.manner
        self.met[manner] += 1
        try:
            with line:
                getattr(self, f"serve_{manner}", self.serve_well)(line)
        except OSError:
            pass

    def serve_well(self, line, after_data=b"250 taken\r\n", on_mail=b"250 fine\r\n"):
        line.settimeout(30)
        file = line.makefile("rb")
        line.sendall(b"220 mail.example\r\n")
        while command := file.readline():
            word = command[:4].upper()
            if word == b"DATA":
                line.sendall(b"354 go on\r\n")
                text = b""
                while (piece := file.readline()) not in (b".\r\n", b""):
                    text += piece
                identity = re.search(rb"(?im)^Message-ID:\s*<([^>]+)>", text)
                if after_data is None:
                    return
                if after_data.startswith(b"250"):
                    self.taken[identity.group(1).decode()] += 1
                    self.on_taken()
                line.sendall(after_data)
            elif word == b"QUIT":
                line.sendall(b"221 bye\r\n")
                return
            else:
                line.sendall(on_mail if word == b"MAIL" else b"250 fine\r\n")

    def serve_dropping(self, line):
        """Receives the whole mail and closes the connection without a response."""
        self.serve_well(line, after_data=None)

    def serve_busy(self, line):
        self.serve_well(line, on_mail=b"451 try again later\r\n")

    def serve_full(self, line):
        self.serve_well(line, after_data=b"452 no room\r\n")

    def serve_rude(self, line):
        line.sendall(b"554 not you\r\n")

    def serve_dripping(self, line):
        """A greeting that never ends, sent at one byte per second."""
        while True:
            line.sendall(b"2")
            time.sleep(1)

    def serve_endless(self, line):
        """Sends an endless line, as fast as the client reads it."""
        while True:
            line.sendall(b"220-and then\r\n" * 500)

    def serve_silent(self, line):
        line.settimeout(120)
        line.recv(1)


class Clock:
    """The clock of a server, changed through a file, so that a pause of minutes takes no time."""

    def __init__(self, scratch):
        self.path = scratch / "clock"
        self.shift = 0
        self.advance(0)

    def advance(self, seconds):
        self.shift += seconds
        self.path.write_text(f"{self.shift:+d}")


# Six, because Farol abandons a mail after eight failures, and this mail is valid for two days.
BAD_MANNERS = ("rude", "busy", "full", "dropping", "endless", "dripping")


def post_office(bench, disk=None, scratch=None):
    scratch = scratch or bench.folder()
    server = MailServer()
    clock = Clock(scratch)
    instance = Instance(bench.program, scratch, disk=disk, settings={
        "FAROL_SMTP_URL": f"smtp://127.0.0.1:{server.port}", "FAROL_MAIL_FROM": "Farol <f@example.org>",
        "FAROL_TEST_CLOCK": f"@{clock.path}"})
    instance.start()
    server.start()
    return instance, server, clock


def sign_up(instance):
    """Creates an account, which sends one mail."""
    name = f"u{uuid.uuid4().hex[:12]}"
    answer = instance.ask("POST", "/api/accounts", json.dumps({
        "username": name, "email": f"{name}@example.org", "password": PASSWORD, "locale": "en",
        "accept_terms": True}),
        {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"})
    hold(answer.status in (200, 201, 202), f"signing up was answered {answer.status}: {answer.body}")


def until(condition, seconds, words):
    begun = time.monotonic()
    while not condition():
        hold(time.monotonic() - begun < seconds, words)
        time.sleep(0.1)
    return time.monotonic() - begun


@case("mail server fails",
      "5xx greeting, 4xx for the sender and after the mail, disconnect after the mail, endless reply, slow reply; "
      "then normal service")
def out_of_order(bench):
    instance, server, clock = post_office(bench)
    with watched(instance) as onlooker:
        server.manner = BAD_MANNERS[0]
        sign_up(instance)
        for number, manner in enumerate(BAD_MANNERS):
            server.manner = manner
            until(lambda: server.met[manner], 30, f"the {manner} server was never asked")
            until(lambda: instance.log().count("job mail failed") > number, 75,
                  f"no failure was noted with the {manner} server")
            server.manner = (*BAD_MANNERS, "well")[number + 1]
            # The next attempt comes after 1, 4, 16 … minutes.
            clock.advance(60 * 4 ** number + 2)
        until(lambda: server.taken, 30, "the mail never arrived")
    hold(list(server.taken.values()) == [1], f"mails arrived {dict(server.taken)}")
    clock.advance(90_000)
    time.sleep(2.5)
    hold(list(server.taken.values()) == [1], "the mail arrived again")
    hold(instance.stop() == 0, "it did not stop well")
    return {"reads": onlooker.served, "tries": sum(server.met.values())}


@case("mail server unreachable", "the port is closed, then open: each of five mails arrives once")
def not_there(bench):
    instance, server, clock = post_office(bench)
    port = server.port
    server.listener.shutdown(socket.SHUT_RDWR)
    server.listener.close()
    for _ in range(5):
        sign_up(instance)
    until(lambda: instance.log().count("job mail failed") >= 5, 40, "no try was noted")
    hold(instance.ask("GET", "/healthz").status == 200, "/healthz is not answered")
    back = MailServer()
    back.listener.close()
    back.listener = socket.create_server(("127.0.0.1", port))
    back.start()
    clock.advance(61)
    seconds = until(lambda: len(back.taken) == 5, 20, "not all mails have arrived")
    clock.advance(90_000)
    time.sleep(2.5)
    hold(set(back.taken.values()) == {1}, f"mails arrived {sorted(back.taken.values())} times")
    hold(instance.stop() == 0, "it did not stop well")
    return {"all there after": f"{seconds:.1f} s"}


@case("disk full after a mail was sent", "no write succeeds from the moment the mail server has accepted the mail")
def full_after_mail(bench):
    scratch = bench.folder()
    data = scratch / "data"
    data.mkdir()
    disk = Disk(bench.shim, scratch, data)
    instance, server, clock = post_office(bench, disk, scratch)
    server.on_taken = lambda: disk.set(write=errno.ENOSPC)
    sign_up(instance)
    until(lambda: server.taken, 30, "no mail was sent")
    time.sleep(2.5)
    server.on_taken = lambda: None
    disk.set(write=0)
    clock.advance(700)
    time.sleep(3)
    clock.advance(90_000)
    time.sleep(3)
    hold(list(server.taken.values()) == [1], f"the mail arrived {dict(server.taken)}")
    hold(instance.stop() == 0, "it did not stop well")
    return {}


@case("stop while a mail server is silent", "SIGTERM while a mail waits for a reply")
def stop_while_silent(bench):
    instance, server, _ = post_office(bench)
    server.manner = "silent"
    sign_up(instance)
    until(lambda: server.met["silent"], 30, "no mail was tried")
    begun = time.monotonic()
    hold(instance.stop() == 0, "it did not stop well")
    seconds = time.monotonic() - begun
    hold(seconds <= 15, f"it took {seconds:.1f} s")
    return {"stopped after": f"{seconds:.1f} s"}
