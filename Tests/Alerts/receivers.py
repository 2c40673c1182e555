"""A mail server (aiosmtpd) and a receiver of webhooks, each a process that writes a line for what it accepts."""

import asyncio
import email
import email.policy
import json
import math
import multiprocessing
import os
import re
import ssl
import time
from dataclasses import dataclass

from network import ADDRESS

LINK = re.compile(r"/devices/([0-9a-f-]{36})")
# `mail.watch.more` and `mail.watch.many` in English and Portuguese.
MORE = re.compile(
    r"^(?:And|E mais) (more than |de )?(\d+) (?:more changes|outras alterações|alterações)\.", re.MULTILINE)
LIST = re.compile(r"<([0-9a-f-]{36})\.watches")


@dataclass
class Alert:
    """Something that a watch told."""
    watch: str
    # The devices that it names.
    devices: list
    # The Message-ID, or the id of a call.
    identity: str
    # time.monotonic() when it was accepted.
    moment: float
    # Further changes that a mail only counts, because its list is full; infinite if it says "more than".
    more: float = 0


class Receiver:
    """`with Receiver(serve_mail, folder / "mails", …) as mails: …`; then `mails.alerts()`. With a `nice` value it takes
    no processor time from others, as if it were on another machine."""

    def __init__(self, serve, path, *arguments, nice=0):
        self.path = path
        self.hears, tells = multiprocessing.Pipe(False)
        self.process = multiprocessing.Process(
            target=run, args=(serve, str(path), nice, tells, *arguments), daemon=True)

    def __enter__(self):
        self.process.start()
        self.port = self.hears.recv()
        return self

    def __exit__(self, *fault):
        self.process.terminate()
        self.process.join(10)

    @property
    def count(self):
        return self.path.read_bytes().count(b"\n") if self.path.exists() else 0

    def alerts(self):
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        return [Alert(**json.loads(line)) for line in lines]


def run(serve, path, nice, tells, *arguments):
    os.nice(nice)
    with open(path, "a", buffering=1) as file:
        def note(watch, devices, identity, more=0):
            file.write(json.dumps({"watch": watch, "devices": devices, "identity": identity,
                                   "moment": time.monotonic(), "more": more}) + "\n")
        asyncio.run(serve(note, tells, *arguments))


async def serve_mail(note, tells):
    from aiosmtpd.smtp import SMTP

    class Mails:
        async def handle_DATA(self, server, session, envelope):
            mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
            series = LIST.search(mail["List-Id"] or "")
            if series:
                text = mail.get_body(("plain",)).get_content()
                note(series.group(1), LINK.findall(text), mail["Message-ID"], further(MORE.search(text)))
            return "250 accepted"

    handler = Mails()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(handler, hostname="mail.example", loop=loop), "127.0.0.1", 0)
    tells.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def further(more):
    if not more:
        return 0
    return math.inf if more.group(1) else int(more.group(2))


async def serve_hooks(note, tells, certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def call(reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                fields = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:] if ": " in line)
                body = json.loads(await reader.readexactly(int(fields["content-length"])))
                if "challenge" in body:
                    answer = json.dumps({"challenge": body["challenge"]}).encode()
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer))
                else:
                    note(body["watch"]["id"], [body["id"]], fields["webhook-id"])
                    writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(call, ADDRESS, 443, ssl=context, backlog=1_000)
    tells.send(443)
    await server.serve_forever()
