"""A real POP3 server (Twisted Mail) with one mailbox on 127.0.0.1 for the tests. It ends with the process that started
it.

Prints one line of JSON when it listens, {"port", "certificate"}. The mails of the mailbox are the files in the folder
`mailbox/new`. Each command of a client adds a line to the file `commands`.
"""

import argparse
import asyncio
import json
import os
import pathlib
import ssl

from twisted.internet import asyncioreactor

LOOP = asyncio.new_event_loop()
asyncio.set_event_loop(LOOP)
asyncioreactor.install(LOOP)

from twisted.cred.checkers import InMemoryUsernamePasswordDatabaseDontUse  # noqa: E402
from twisted.cred.portal import IRealm, Portal  # noqa: E402
from twisted.internet import protocol, reactor  # noqa: E402
from twisted.mail.maildir import MaildirMailbox, initializeMaildir  # noqa: E402
from twisted.mail.pop3 import POP3, IMailbox  # noqa: E402
from zope.interface import implementer  # noqa: E402

from certificates import certificate  # noqa: E402


class Mailbox(MaildirMailbox):
    """Deletes at the end of a session (RFC 1939 §6), and opens files as bytes; Twisted's own does neither."""

    def __init__(self, path):
        super().__init__(path)
        self.marked = []

    def getMessage(self, i):
        return open(self.list[i], "rb")

    def deleteMessage(self, i):
        self.marked.append(self.list[i])
        self.list[i] = 0

    def sync(self):
        for path in self.marked:
            os.unlink(path)


@implementer(IRealm)
class Realm:
    """Gives everybody who has signed in the one mailbox."""

    def __init__(self, folder):
        self.folder = folder

    def requestAvatar(self, name, mind, *interfaces):
        return IMailbox, Mailbox(bytes(self.folder)), lambda: None


def pop3_server(options):
    """The port of the server, which speaks no TLS."""
    folder = options.folder / "mailbox"
    if not folder.exists():
        initializeMaildir(bytes(folder))
    portal = Portal(Realm(folder))
    users = InMemoryUsernamePasswordDatabaseDontUse()
    users.addUser(options.user.encode(), options.password.encode())
    portal.registerChecker(users)

    class Session(POP3):
        # A greeting with a timestamp would offer APOP, with which Twisted refuses every login.
        magic = b"ready"

        def connectionMade(self):
            self.portal = portal
            super().connectionMade()

    return reactor.listenTCP(0, protocol.Factory.forProtocol(Session), interface="127.0.0.1").getHost().port


class Front:
    """Passes connections on, decrypted, and behaves as a test wants."""

    def __init__(self, options, inner):
        self.options = options
        self.inner = inner
        self.left = options.breaks_after

    async def connected(self, reader, writer):
        if self.options.silent:
            await asyncio.sleep(3600)
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self.inner)
        back = asyncio.ensure_future(copy(inner_reader, writer))
        while line := await reader.readline():
            command = line.split()[0].decode().upper() if line.split() else ""
            with open(self.options.folder / "commands", "a") as file:
                file.write(f"{command}\n")
            if command == self.options.breaks:
                if self.left == 0:
                    writer.transport.abort()
                    break
                self.left -= 1
            inner_writer.write(line)
        inner_writer.close()
        await back


async def copy(reader, writer):
    try:
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
    except ConnectionError:
        pass
    writer.close()


async def serve(options):
    inner = pop3_server(options)
    context, kept = None, None
    if options.tls:
        kept, key = certificate(options.folder, options.certificate_name)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(kept, key)
    server = await asyncio.start_server(Front(options, inner).connected, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    print(json.dumps({"port": port, "certificate": str(kept or "")}), flush=True)
    while os.getppid() == options.parent:
        await asyncio.sleep(1)
    os._exit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--certificate-name", default="IP:127.0.0.1")
    parser.add_argument("--user", default="bounces")
    parser.add_argument("--password", default="secret")
    parser.add_argument("--breaks", default="", help="the command at which the connection breaks")
    parser.add_argument("--breaks-after", type=int, default=0, help="pass on so many of them before")
    parser.add_argument("--silent", action="store_true", help="take connections and say nothing")
    options = parser.parse_args()
    LOOP.create_task(serve(options))
    reactor.run(installSignalHandlers=False)


main()
