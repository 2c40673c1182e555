"""Compares the answers of a server on SQLite with those of one on PostgreSQL, to the byte.

Loads the sample and a few people into SQLite, copies the database with `farol copy`, and sends the same requests to
both servers: every GET operation of the OpenAPI document, with many values of its parameters, for visitors and for
people of each role. Ends with 1 if an answer differs (docs/how-to/testing.md says what is compared).
"""

import argparse
import os
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HOME / "Tests/TestPostgreSQL"), str(HOME / "Tests/Browser")]

PAGES = 3  # next pages of each list
MOST_SHOWN = 200


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(HOME / ".build/debug/farol"))
    parser.add_argument("--small", action="store_true", help="without the sample, only fictional devices")
    parser.add_argument("--only", default="", help="only requests that contain this text")
    return parser.parse_args()


def main():
    chosen = options()
    os.environ["FAROL_PROGRAM"] = chosen.program
    # They read the variable.
    from comparison import Asker
    from engines import BASE, Engines
    from questions import Questions
    from world import Story

    began = time.monotonic()
    story = Story(sample=not chosen.small)
    say(f"the data is in SQLite after {time.monotonic() - began:.0f} s")
    with Engines(story.farol.folder) as engines:
        say(f"it is in PostgreSQL too after {time.monotonic() - began:.0f} s")
        askers = [Asker(farol, BASE) for farol in (engines.sqlite, engines.postgresql)]
        cookies = {name: {"Cookie": "=".join(person.cookie)} for name, person in story.people.items()}
        cookies["token"] = {"Authorization": f"Bearer {story.token}"}
        document = engines.sqlite.get("/api/openapi.json")
        questions = [one for one in Questions(document, story, cookies).all() if chosen.only in str(one)]
        outcome = Outcome()
        for number, question in enumerate(questions, 1):
            outcome.compare(question, askers)
            if number % 250 == 0:
                say(f"{number} of {len(questions)} requests, {len(outcome.different)} answers differ")
    say("responses that were late and requested again: " + " and ".join(str(asker.late) for asker in askers))
    print(outcome.summary(time.monotonic() - began))
    return 1 if outcome.different else 0


class Outcome:
    def __init__(self):
        self.asked = 0
        self.bytes = 0
        self.statuses = Counter()
        self.different = []

    def compare(self, question, askers, pages=PAGES):
        from comparison import differences
        given = [asker.ask(question) for asker in askers]
        one, other = [asker.comparable(answer) for asker, answer in zip(askers, given)]
        self.asked += 1
        self.bytes += len(one.body)
        self.statuses[one.status] += 1
        if found := differences(one, other):
            self.different.append(str(question))
            if len(self.different) <= MOST_SHOWN:
                print("\n".join([f"DIFFERENT: {question}", *found[:8]]), flush=True)
        elif pages and question.method == "GET" and question.path.find("cursor=") < 0 or pages < PAGES:
            for link in given[0].links()[:1] if pages else []:
                path = link.removeprefix(askers[0].base)
                self.compare(question._replace(path=path), askers, pages - 1)

    def summary(self, seconds):
        by_status = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items()))
        lines = [f"{self.asked} requests ({by_status}), {self.bytes / 1e6:.0f} MB, {seconds:.0f} s: "
                 f"{len(self.different)} answers differ"]
        return "\n".join(lines + [f"  {one}" for one in self.different])


def say(words):
    print(f"==> {words}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
