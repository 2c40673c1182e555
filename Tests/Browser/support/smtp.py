"""A real mail server, Tests/TestMailServer/mail_server.py, and its received mails."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from support.farol import HOME
from support.waiting import until


class PostOffice:
    """Listens until `close`. Each received mail is a JSON file."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="farol-mail-")
        self.process = subprocess.Popen(
            [sys.executable, str(HOME / "Tests/TestMailServer/mail_server.py"), "--folder", self.folder.name,
             "--parent", str(os.getpid()), "--tls", "none"],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.port = json.loads(self.process.stdout.readline())["port"]

    @property
    def settings(self):
        """The settings with which Farol sends to this server."""
        return {"FAROL_SMTP_URL": f"smtp://127.0.0.1:{self.port}", "FAROL_MAIL_FROM": "Farol <farol@example.org>"}

    def mails(self, to):
        """All mails to an address, the oldest first, as parsed by the server."""
        files = sorted(Path(self.folder.name).glob("*.json"), key=lambda file: int(file.stem))
        read = [json.loads(text) for text in (file.read_text() for file in files) if text]
        return [mail for mail in read if to.lower() in [one.lower() for one in mail["recipients"]]]

    def wait(self, to, words):
        """The latest mail to an address with these words in its subject. Waits for it."""
        def found():
            return next((mail for mail in reversed(self.mails(to)) if words in mail["headers"]["Subject"]), None)
        return until(found, f"mail to {to} about «{words}»")

    def text(self, mail):
        return next(part["text"] for part in mail["parts"] if part["type"] == "text/plain")

    def says(self, to, words):
        """The latest mail to an address with these words in its text. Waits for it."""
        def found():
            return next((mail for mail in reversed(self.mails(to)) if words in self.text(mail)), None)
        return until(found, f"mail to {to} that says «{words}»")

    def link(self, to, page, words=""):
        """The path and fragment of the latest link to a page of Farol, in a mail with these words. Waits for it."""
        def found():
            for text in map(self.text, reversed(self.mails(to))):
                if words not in text:
                    continue
                for url in map(urlsplit, re.findall(r"https?://\S+", text)):
                    if url.path == page and url.fragment:
                        return f"{url.path}#{url.fragment}"
            return None
        return until(found, f"mail to {to} with a link to {page}")

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        self.process.stdout.close()
        self.folder.cleanup()
