"""Runs whole modules side by side, each worker with a server and browsers of its own."""

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

from support.runner import Tally, run_names, tried_again

SWITCH = "--worker"


def work():
    """What a worker does: the modules whose names it reads, one line of JSON for each.

    What tests print goes to the standard error, the standard output is for answers."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        words = io.StringIO()
        tally = run_names([line.strip()], words)
        print(json.dumps({"words": words.getvalue(), "tally": tally}), file=answers, flush=True)


def run_side_by_side(folder, count):
    """Runs all modules of a folder with so many workers, the longest first."""
    files = sorted(Path(folder).glob("test_*.py"), key=lambda file: file.stat().st_size)
    waiting = [file.stem for file in files]
    total = Tally()
    lock = threading.Lock()

    def attend():
        nonlocal total
        with new_worker(folder) as worker:
            while True:
                with lock:
                    if not waiting:
                        break
                    module = waiting.pop()
                tally, words, lives = ask(worker, module)
                with lock:
                    total = total.with_more(tally)
                    print(f"-- {module}\n{words}", file=sys.stderr, flush=True)
                if not lives:
                    break
            worker.stdin.close()

    threads = [threading.Thread(target=attend) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Where every worker died, what they left was not run.
    total = total.with_more(Tally(len(waiting), tuple(waiting)))
    return tried_again(total, lambda name: alone(folder, name))


def new_worker(folder):
    return subprocess.Popen([sys.executable, folder, SWITCH], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def alone(folder, name):
    """One test, class or module in a process of its own."""
    with new_worker(folder) as worker:
        tally, words, _ = ask(worker, name)
        worker.stdin.close()
    print(words, file=sys.stderr, flush=True)
    return tally


def ask(worker, name):
    """The tally and words of what is named, and whether the worker lives on."""
    try:
        print(name, file=worker.stdin, flush=True)
        line = worker.stdout.readline()
    except BrokenPipeError:
        line = ""
    if not line:
        return Tally(1, (name,)), "The worker ended before the tests did.\n", False
    answer = json.loads(line)
    return tally_of(answer["tally"]), answer["words"], True


def tally_of(members):
    ran, failed, skipped, again = members
    return Tally(ran, tuple(failed), skipped, tuple(again))
