"""A real SMTP server (aiosmtpd) on 127.0.0.1 for the tests. It ends with the process that started it.

Prints one line of JSON when it listens, {"port", "certificate"}, and the name of a JSON file for each accepted mail.
Python's `email`, which is independent of Farol, parses the mail.
"""

import argparse
import asyncio
import base64
import email
import email.policy
import json
import logging
import os
import pathlib
import ssl
import warnings

from aiosmtpd.smtp import SMTP, AuthResult
from certificates import certificate


class Handler:
    """Responds as configured, and stores accepted mails."""

    def __init__(self, options):
        self.folder = options.folder
        self.answers = dict(answer.split("=", 1) for answer in options.answer)
        self.left = options.times
        self.before = options.after
        self.connections = 0
        self.taken = 0

    def refusal(self, command):
        if command not in self.answers or self.left == 0:
            return None
        if self.before > 0:
            self.before -= 1
            return None
        self.left -= 1
        return self.answers[command]

    async def handle_MAIL(self, server, session, envelope, address, options):
        refusal = self.refusal("MAIL")
        if refusal == "close":
            server.transport.abort()
            return "421 gone"
        if not refusal:
            envelope.mail_from = address
            envelope.mail_options.extend(options)
        return refusal or "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        refusal = self.refusal("RCPT")
        # Servers often repeat the address.
        if refusal:
            return f"{refusal} <{address}> is not wanted"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_NOOP(self, server, session, envelope, argument):
        if self.refusal("NOOP") == "silence":
            await asyncio.sleep(3600)
        return "250 OK"

    async def handle_QUIT(self, server, session, envelope):
        with open(self.folder / "goodbyes", "a") as file:
            file.write(f"{server.number}\n")
        return "221 Bye"

    async def handle_DATA(self, server, session, envelope):
        refusal = self.refusal("DATA")
        if refusal == "close":
            server.transport.abort()
            return "421 gone"
        if refusal == "silence":
            await asyncio.sleep(3600)
        if refusal:
            return f"{refusal} the mail for {envelope.rcpt_tos[0]} is not wanted"
        self.taken += 1
        # A file, because a pipe without a reader holds 64 kB only.
        file = self.folder / f"{self.taken}.json"
        file.write_text(json.dumps(described(server, session, envelope)))
        print(file, flush=True)
        return "250 OK"


def described(server, session, envelope):
    mail = email.message_from_bytes(envelope.original_content, policy=email.policy.SMTP)
    defects = [repr(defect) for part in mail.walk() for defect in part.defects]
    defects += [repr(defect) for value in mail.values() for defect in value.defects]
    return {
        "sender": envelope.mail_from,
        "recipients": envelope.rcpt_tos,
        "greeting": session.host_name,
        "connection": server.number,
        "encrypted": server.transport.get_extra_info("ssl_object") is not None,
        "login": (session.auth_data or b"").decode(),
        "raw": base64.b64encode(envelope.original_content).decode(),
        "senderName": mail["from"].addresses[0].display_name,
        "headers": {name: str(value) for name, value in mail.items()},
        "parts": [
            {"type": part.get_content_type(), "text": part.get_content().replace("\r\n", "\n")}
            for part in mail.walk()
            if not part.is_multipart()
        ],
        "defects": defects,
    }


async def serve(options):
    context, kept = None, None
    if options.tls != "none":
        kept, key = certificate(options.folder, options.certificate_name)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(kept, key)
    handler = Handler(options)

    def authenticator(server, session, envelope, mechanism, data):
        given = (data.login.decode(), data.password.decode())
        if given != (options.user, options.password):
            return AuthResult(success=False, handled=False)
        return AuthResult(success=True, auth_data=data.login)

    def protocol():
        if options.silent:
            return asyncio.Protocol()
        starttls = context if options.tls == "starttls" else None
        connection = SMTP(
            handler, hostname="mail.example", tls_context=starttls, require_starttls=bool(starttls),
            auth_required=bool(options.user), auth_require_tls=False,
            authenticator=authenticator if options.user else None)
        handler.connections += 1
        connection.number = handler.connections
        return connection

    server = await asyncio.get_running_loop().create_server(
        protocol, "127.0.0.1", options.port, ssl=context if options.tls == "smtps" else None)
    port = server.sockets[0].getsockname()[1]
    print(json.dumps({"port": port, "certificate": str(kept or "")}), flush=True)
    while os.getppid() == options.parent:
        await asyncio.sleep(1)


def main():
    # The test requires a login without TLS on this machine; aiosmtpd warns that this is not wise.
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--tls", choices=["none", "starttls", "smtps"], default="none")
    parser.add_argument("--certificate-name", default="IP:127.0.0.1")
    parser.add_argument("--user", default="")
    parser.add_argument("--password", default="")
    parser.add_argument("--answer", action="append", default=[], help="COMMAND=451, DATA=close, DATA=silence, NOOP=silence")
    parser.add_argument("--times", type=int, default=-1, help="refuse so often, then take")
    parser.add_argument("--after", type=int, default=0, help="take so often, then refuse")
    parser.add_argument("--silent", action="store_true", help="take connections and say nothing")
    asyncio.run(serve(parser.parse_args()))


main()
