"""Outside changes to the database files: locked, moved, replaced, truncated, damaged."""

import fcntl
import os
import shutil
import sqlite3
import time

from cases import case
from instance import ITEMS, Instance, hold, watched

IN_MEMORY = ("/healthz", "/", f"{ITEMS}?limit=5", "/api/tiles/devices/0/0/0.mvt")


def made(bench, devices=3):
    instance = Instance(bench.program, bench.folder()).prepare()
    for _ in range(devices):
        instance.add()
    return instance


def says(instance, words):
    """The log names the fault, for the operator of the instance."""
    for _ in range(40):
        if words in instance.log():
            return
        time.sleep(0.1)
    hold(False, f"the log does not say “{words}”: {instance.last_words(500)}")


@case("database locked", "another process holds a write transaction for 7 s")
def locked(bench):
    instance = made(bench)
    other = sqlite3.connect(instance.database, isolation_level=None)
    with watched(instance) as onlooker:
        other.execute("BEGIN IMMEDIATE")
        instance.expect_refused()
        other.execute("ROLLBACK")
        recovered = instance.recovered()
    other.close()
    instance.finish()
    return {"reads": onlooker.served, "writes again after": f"{recovered:.2f} s"}


@case("second instance", "another `farol serve` and `farol check` on the same file", brief=True)
def second(bench):
    instance = made(bench)
    other = Instance(bench.program, bench.folder(), instance.folder)
    code, words = bench.starts(other)
    hold(code == 1, f"the second ended with {code}")
    hold(f"process {instance.process.pid}" in words, f"it does not say who has the file: {words}")
    hold(instance.check()[0] == 0, "farol check beside the server found something")
    instance.finish()
    return {"exit code": code}


@case("lock file held", "another program holds the lock: a start is refused, and succeeds afterwards")
def lock_held(bench):
    instance = made(bench)
    hold(instance.stop() == 0, "it did not stop well")
    with open(f"{instance.database}.lock", "r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, words = bench.starts(instance)
        hold(code == 1 and "using" in words, f"it ended with {code}: {words}")
    instance.start()
    instance.finish()
    return {"exit code": code}


@case("database moved away", "the file is renamed under the server, and renamed back", brief=True)
def moved(bench):
    instance = made(bench)
    away = instance.database.with_suffix(".away")
    with watched(instance, IN_MEMORY) as onlooker:
        os.rename(instance.database, away)
        for _ in range(3):
            instance.expect_refused()
        says(instance, "was moved, removed or replaced")
        os.rename(away, instance.database)
        recovered = instance.recovered()
    instance.finish()
    return {"reads": onlooker.served, "writes again after": f"{recovered:.2f} s"}


@case("database removed", "the file is unlinked: reads continue, every write is refused, and no "
      "response contains wrong data")
def removed(bench):
    instance = made(bench)
    with watched(instance, IN_MEMORY) as onlooker:
        os.unlink(instance.database)
        for _ in range(3):
            instance.expect_refused()
        says(instance, "was moved, removed or replaced")
    hold(instance.stop() == 0, "it did not stop well")
    hold(not instance.database.exists(), "a file was made in its place")
    return {"reads": onlooker.served}


@case("database replaced", "another database replaces it: the server does not touch it, and the next start serves it")
def replaced(bench):
    instance = made(bench)
    other = made(bench, devices=1)
    hold(other.stop() == 0, "the other did not stop well")
    before = other.database.read_bytes()
    with watched(instance, IN_MEMORY) as onlooker:
        os.rename(instance.database, instance.database.with_suffix(".old"))
        shutil.copy(other.database, instance.database)
        for _ in range(3):
            instance.expect_refused()
    hold(instance.stop() == 0, "it did not stop well")
    hold(instance.database.read_bytes() == before, "the file that took its place was written to")
    for name in ("-wal", "-shm"):
        # The log of the removed file does not belong to this file.
        if os.path.exists(f"{instance.database}{name}"):
            os.unlink(f"{instance.database}{name}")
    instance.promised = dict(other.promised)
    instance.start()
    hold(not instance.lost(), "the other database is not served after a restart")
    hold(instance.stop() == 0, "it did not stop well")
    return {"reads": onlooker.served}


@case("log removed", "the -wal file is unlinked, then SIGKILL: acknowledged writes are saved before")
def log_removed(bench):
    instance = made(bench, devices=10)
    with watched(instance) as onlooker:
        os.unlink(f"{instance.database}-wal")
        says(instance, "-wal was moved, removed or replaced")
        instance.expect_refused()
    instance.kill()
    instance.start()
    instance.recovered()
    instance.finish()
    return {"reads": onlooker.served, "acknowledged": len(instance.promised)}


@case("database truncated", "the file loses its second half while the server runs, and at a start")
def cut(bench):
    instance = made(bench)
    checkpointed(instance)
    with watched(instance, ("/healthz", "/", "/api/tiles/devices/0/0/0.mvt")) as onlooker:
        with open(instance.database, "r+b") as file:
            file.truncate(os.path.getsize(instance.database) // 2 // 4096 * 4096)
        for _ in range(3):
            instance.expect_refused()
        says(instance, "nothing is written any more")
    hold(instance.process.poll() is None, "the server ended")
    instance.stop()
    before = instance.database.read_bytes()
    code, words = bench.starts(instance)
    hold(code == 1 and len(words) > 20, f"it started on half a file ({code}): {words}")
    hold(instance.check()[0] == 1, "farol check finds nothing wrong with half a file")
    hold(instance.database.read_bytes() == before, "the damaged file was written to")
    return {"reads": onlooker.served, "at a start": f"exit {code}"}


def checkpointed(instance):
    """Stops and starts the server, so that all data are in the file and none in its log."""
    hold(instance.stop() == 0, "it did not stop well")
    instance.start()


@case("bytes flipped while serving", "every page of the file except the first is overwritten")
def flipped(bench):
    instance = made(bench)
    checkpointed(instance)
    with open(instance.database, "r+b") as file:
        size = os.path.getsize(instance.database)
        file.seek(4096)
        file.write(os.urandom(size - 4096))
    # Requests whose pages are in a cache need not fail. Requests that read the file must fail.
    for identity in instance.promised:
        instance.ask("GET", f"{ITEMS}/{identity}/history")
    statuses = {instance.add().status for _ in range(5)}
    hold(201 not in statuses, "a write was acknowledged into a damaged file")
    hold(statuses == {503}, f"writes were answered {statuses}")
    says(instance, "damaged")
    hold(instance.ask("GET", "/healthz").status == 200, "/healthz is not answered")
    hold(instance.process.poll() is None, "the server ended")
    instance.stop()
    code, words = bench.starts(instance)
    hold(code == 1 and len(words) > 20, f"it started on a damaged file ({code}): {words}")
    hold(instance.check()[0] == 1, "farol check finds nothing wrong")
    return {"at a start": f"exit {code}"}


@case("no database", "the file is text, empty, a folder, or of another program")
def foreign(bench):
    instance = made(bench, devices=0)
    instance.stop()
    codes = []
    for name, make in {
        "text": lambda path: path.write_text("not a database " * 500),
        "folder": lambda path: path.mkdir(),
        "another program's": other_program,
        "cut header": lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(30)),
    }.items():
        clear(instance.database)
        make(instance.database)
        before = None if instance.database.is_dir() else instance.database.read_bytes()
        code, words = bench.starts(instance)
        hold(code == 1 and len(words) > 20, f"{name}: it ended with {code}: {words}")
        hold(before is None or instance.database.read_bytes() == before, f"{name}: it was written to")
        codes.append(code)
    return {"exit codes": sorted(set(codes))}


def clear(path):
    for one in path.parent.glob(f"{path.name}*"):
        shutil.rmtree(one) if one.is_dir() else one.unlink()


def other_program(path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA application_id = 1196444487")
    connection.execute("CREATE TABLE note (text)")
    connection.commit()
    connection.close()
