"""The folder in which Farol stores mail if no mail server is configured."""

import re
from email import policy
from email.parser import BytesParser
from urllib.parse import urlsplit

from support.waiting import until


class Mailbox:
    def __init__(self, farol):
        self.folder = farol.folder / "mail"

    def mails(self, to):
        """All mails to an address, the oldest first."""
        found = []
        for file in sorted(self.folder.glob("*.eml"), key=lambda file: (file.stat().st_mtime_ns, file.name)):
            mail = BytesParser(policy=policy.default).parsebytes(file.read_bytes())
            if to.lower() in str(mail["To"]).lower():
                found.append(mail)
        return found

    def link(self, to, page):
        """The path and fragment of the latest link to a page, such as «/confirm». Waits for the mail."""
        return until(lambda: next(iter(reversed(self.links(to, page))), None), f"mail to {to} with a link to {page}")

    def links(self, to, page):
        found = []
        for mail in self.mails(to):
            text = mail.get_body(("plain",)).get_content()
            for url in re.findall(r"https?://\S+", text):
                parts = urlsplit(url)
                if parts.path == page and parts.fragment:
                    found.append(f"{parts.path}#{parts.fragment}")
        return found
