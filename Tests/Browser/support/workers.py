"""Runs whole modules in parallel. Each worker has its own server and browsers."""

import io
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from support.runner import Tally, run_names, tried_again

SWITCH = "--worker"
# Modules that run for minutes or have fewer lines than their duration suggests, the longest first. They start first,
# so that no worker still runs one of them when the others have finished. The header of each module shows its duration.
LONGEST = ("test_every_page", "test_pictures", "test_accessibility", "test_other_browsers", "test_account_pages",
           "test_interface", "test_learn", "test_story", "test_sending")
# Modules that only `make test-more` runs.
MORE = ("test_pictures",)


def work():
    """Runs in a worker: reads the names of modules and writes one line of JSON for each.

    Output of tests goes to standard error, because standard output is for results."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        words = io.StringIO()
        tally = run_names([line.strip()], words)
        print(json.dumps({"words": words.getvalue(), "tally": tally}), file=answers, flush=True)


def run_side_by_side(folder, count):
    """Runs all modules of a folder with this number of workers, the longest first."""
    files = sorted(Path(folder).glob("test_*.py"), key=lambda file: file.stat().st_size)
    left_out = () if os.environ.get("FAROL_TEST_MORE") else MORE
    waiting = [file.stem for file in files if file.stem not in (*LONGEST, *left_out)]
    waiting += [name for name in reversed(LONGEST) if name not in left_out and Path(folder, f"{name}.py").exists()]
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
                began = time.monotonic()
                tally, words, lives = ask(worker, module)
                seconds = time.monotonic() - began
                with lock:
                    total = total.with_more(tally)
                    print(f"-- {module} ({seconds:.0f} s)\n{words}", file=sys.stderr, flush=True)
                if not lives:
                    break
            worker.stdin.close()

    threads = [threading.Thread(target=attend) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # If all workers have died, the remaining modules were not run.
    total = total.with_more(Tally(len(waiting), tuple(waiting)))
    return tried_again(total, lambda name: alone(folder, name))


def new_worker(folder):
    return subprocess.Popen([sys.executable, folder, SWITCH], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def alone(folder, name):
    """Runs one test, class or module in its own process."""
    with new_worker(folder) as worker:
        tally, words, _ = ask(worker, name)
        worker.stdin.close()
    print(words, file=sys.stderr, flush=True)
    return tally


def ask(worker, name):
    """The tally and output of the named tests, and whether the worker is still alive."""
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
