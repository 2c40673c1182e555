"""Two responses to one request, compared to the byte."""

import datetime
import http.client
import io
import re
import time
import zipfile
from typing import NamedTuple

# Times of this run. All other times come from the database, and must be equal.
MOMENT = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?")
# The time at which a PDF was drawn.
DRAWN = re.compile(rb"/CreationDate \(D:\d{14}Z\)")
# cairo numbers the surfaces of a process.
SURFACE = re.compile(rb'id="surface\d+"')
# The beginning of a ZIP file.
PACKED = b"PK\x03\x04"
# A busy machine exceeds the time limit of a query.
ATTEMPTS = 5
# A header that differs without a reason in the data: the time of the response.
IGNORED = {"date"}


class Answer(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def links(self):
        """The addresses of next pages."""
        found = re.findall(rb'"href": ?"([^"]+)"[^{}]*"rel": ?"next"', self.body)
        found += re.findall(rb'"rel": ?"next"[^{}]*"href": ?"([^"]+)"', self.body)
        return [link.decode().replace("\\/", "/") for link in found]


class Asker:
    """Sends requests to a server. `since` is the beginning of the run."""

    def __init__(self, farol, base):
        self.farol, self.base, self.host = farol, base, base.removeprefix("http://")
        self.late = 0
        self.since = datetime.datetime.now(datetime.timezone.utc)

    def ask(self, question):
        """The response; if it is late, that of a further attempt."""
        for attempt in range(ATTEMPTS):
            answer = self.ask_once(question)
            if answer.status != 503 or attempt == ATTEMPTS - 1:
                return answer
            self.late += 1
            time.sleep(1)

    def ask_once(self, question):
        connection = http.client.HTTPConnection("127.0.0.1", self.farol.port, timeout=300)
        try:
            connection.putrequest(question.method, question.path, skip_host=True, skip_accept_encoding=True)
            for name, value in {"Host": self.host, **question.headers}.items():
                connection.putheader(name, value)
            body = question.body
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()

    def without_own_times(self, content):
        """The content with the times of this run replaced."""
        def replaced(found):
            text = found[0].decode().rstrip("Z").replace(" ", "T")[:19]
            moment = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc)
            is_own = moment >= self.since - datetime.timedelta(seconds=1)
            return re.sub(rb"\d", b"0", found[0]) if is_own else found[0]
        return MOMENT.sub(replaced, content)

    def comparable(self, answer):
        is_packed = answer.body.startswith(PACKED)
        headers = sorted((name.lower(), self.without_own_times(value.encode())) for name, value in answer.headers
                         if name.lower() not in IGNORED and not (is_packed and name.lower() == "content-length"))
        body = SURFACE.sub(b"", DRAWN.sub(b"", unpacked(answer.body)))
        return Answer(answer.status, headers, self.without_own_times(body))


def unpacked(body):
    """The files of a spreadsheet one after the other, because compressed times of the run cannot be replaced."""
    if not body.startswith(PACKED):
        return body
    with zipfile.ZipFile(io.BytesIO(body)) as parts:
        return b"".join(name.encode() + b"\n" + parts.read(name) + b"\n" for name in parts.namelist())


def differences(one, other):
    """Lines for people; none if the answers are equal."""
    lines = []
    if one.status != other.status:
        lines.append(f"status {one.status} and {other.status}: {one.body[:200]!r} {other.body[:200]!r}")
    if one.headers != other.headers:
        lines += [f"header {line}" for line in sorted(set(map(str, one.headers)) ^ set(map(str, other.headers)))]
    if one.body != other.body and one.status == other.status:
        lines.append(f"body of {len(one.body)} and {len(other.body)} bytes")
        lines += first_difference(one.body, other.body)
    return lines


def first_difference(one, other):
    place = next((place for place, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    start = max(0, place - 120)
    return [f"  at {place}:", f"  SQLite     {one[start:place + 160]!r}", f"  PostgreSQL {other[start:place + 160]!r}"]
