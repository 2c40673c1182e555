"""SIGKILL and pauses while volunteers are asked for visits."""

import contextlib
import json
import random
import signal
import sqlite3
import threading
import time
import uuid

from cases import case
from instance import ITEMS, Instance, hold
from people import PASSWORD

# Seconds within which the next volunteer must be asked: a restart, and the searches for jobs.
SOON = 10
PEOPLE = ("asker", "first", "second")
# The cell of the devices.
CELL = "6436-6663"
HALF = """SELECT state FROM visit_request AS visit WHERE
  (state = 'offered') <> (SELECT count(*) = 1 FROM visit_offer WHERE request_rowid = visit.rowid AND state = 'pending')
  OR (state IN ('accepted', 'planned') AND visitor_rowid IS NULL)
  OR (state IN ('done', 'closed')) <> (closed_at IS NOT NULL)
  OR (closed_at IS NULL AND due_at IS NULL)"""


def moment(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def execute(instance, sql, values=()):
    with contextlib.closing(sqlite3.connect(instance.database, timeout=30)) as database, database:
        return database.execute(sql, values).fetchall()


class People:
    """Confirmed accounts with the password of the admin, each with a session."""

    def __init__(self, instance):
        self.instance, self.sessions = instance, {}
        for name in PEOPLE:
            execute(instance, """
              INSERT INTO account (rowid, id, username, username_key, username_look, email, email_key, password_hash, locale,
                created_at, terms_accepted_at, confirmed_at, accepted_edits)
              SELECT (SELECT last + 1 FROM account_number), ?1, ?2, ?2, ?2, ?3, ?3, password_hash, 'en', ?4, ?4, ?4, 50
              FROM account WHERE username = 'keeper'""",
                    (str(uuid.uuid4()), name, f"{name}@example.org", moment(-864_000)))
            answer = instance.ask("POST", "/api/session", json.dumps({"login": name, "password": PASSWORD}), {
                "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"})
            self.sessions[name] = (answer.headers["Set-Cookie"].split(";")[0], answer.json["csrf_token"])

    def ask(self, name, method, path, body=None):
        cookie, token = self.sessions[name]
        return self.instance.ask(method, f"/api/visits{path}", body and json.dumps(body), {
            "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", "Cookie": cookie, "X-CSRF-Token": token})

    def struck(self, strike, *request):
        """Sends a request during which the server is struck, and sends it again unless it was answered. 409: it had
        arrived."""
        answers = []

        def send():
            # A killed server answers nothing.
            with contextlib.suppress(Exception):
                answers.append(self.ask(*request))
        thread = threading.Thread(target=send)
        thread.start()
        strike()
        thread.join()
        answer = answers[0] if answers else self.ask(*request)
        hold(answer.status in (200, 201, 204, 404, 409), f"{request[2]} was answered {answer.status}: {answer.body[:200]}")
        hold(not execute(self.instance, HALF), "a visit has half a state")

    def offer(self, names):
        """The volunteer who is asked, and the offer."""
        begun = time.monotonic()
        while time.monotonic() - begun < SOON:
            for name in names:
                offer = self.ask(name, "GET", "/now").json.get("offer")
                if offer:
                    return name, offer["id"]
            time.sleep(0.1)
        jobs = execute(self.instance, "SELECT kind, attempts, leased_until FROM job WHERE leased_until IS NOT NULL")
        hold(False, f"nobody was asked within {SOON} s, leased jobs: {jobs}")


def kill(instance, chance):
    def strike():
        time.sleep(chance.choice((0, 0.005, 0.02, 0.05, 0.1, 0.2)))
        instance.kill()
        instance.start()
    return strike


def pause(instance, chance):
    def strike():
        time.sleep(chance.choice((0, 0.005, 0.02)))
        instance.process.send_signal(signal.SIGSTOP)
        time.sleep(1.5)
        instance.process.send_signal(signal.SIGCONT)
    return strike


@case("killed and paused within visits", "SIGKILL, or SIGSTOP and SIGCONT, during each request of five visits: the next "
      "volunteer is asked within 10 s, and nothing acknowledged is lost")
def visits(bench):
    instance = Instance(bench.program, bench.folder()).prepare()
    people, chance = People(instance), random.Random(20_261_130)
    for number in range(10):
        strike = (kill, pause)[number % 2](instance, chance)
        answer = instance.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [-9.14 + number * 0.003, 38.72]},
            "properties": {"name": f"visited {number}", "category": "camera_fixed", "precision": "exact"},
        }, {"Content-Type": "application/geo+json"})
        hold(answer.status == 201, f"no device: {answer.body[:200]}")
        volunteers = PEOPLE[1:]
        for name in volunteers:
            people.struck(strike, name, "PUT", "/volunteer", {
                "cell": CELL, "radius_km": 10, "until": moment(18_000), "offers_per_day": 20})
        people.struck(strike, "asker", "POST", "", {"device": answer.json["id"], "reason": "still_there"})
        first, offer = people.offer(volunteers)
        people.struck(strike, first, "POST", f"/offers/{offer}/decline")
        second, offer = people.offer([name for name in volunteers if name != first])
        people.struck(strike, second, "POST", f"/offers/{offer}/accept")
        visit = people.ask("asker", "GET", "/mine").json["asked"][0]["id"]
        people.struck(strike, second, "POST", f"/{visit}/outcome", {"outcome": "confirmed"})
        state = execute(instance, "SELECT state FROM visit_request WHERE id = ?", (visit,))
        hold(state == [("done",)], f"the visit is {state}")
    instance.finish()
    return {"visits": 10}
