"""Prepares on PostgreSQL every statement that the Swift tests ran (docs/decisions/0019-one-sql-for-two-engines.md)."""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HOME / "Tests/TestPostgreSQL")]

import psycopg2  # noqa: E402

import baseline  # noqa: E402
import functions  # noqa: E402
import gate  # noqa: E402
import records  # noqa: E402
from cluster import USER, Cluster, Missing  # noqa: E402
from schema import Schema  # noqa: E402

# SQLite's only. If PostgreSQL accepts one of them, the gate sees nothing.
PLANTED = (
    "SELECT name FROM device WHERE name GLOB ?",
    "SELECT name FROM device WHERE operator_rowid IS ?",
    "INSERT OR IGNORE INTO setting (name, value, changed_at) VALUES (?, ?, ?)",
    "SELECT name FROM device WHERE ? IS NULL",
    "SELECT name FROM device WHERE hidden",
    "SELECT nothing FROM device",
    "SELECT CAST(longitude AS REAL) FROM device",
)


@contextlib.contextmanager
def new_database(program):
    """The path of a new SQLite database."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "farol.db")
        subprocess.run(
            [program, "migrate", "--home", HOME, "--database", path], check=True, capture_output=True,
            env={"PATH": os.environ["PATH"]})
        yield path


def schema(program):
    """The schema of a new database."""
    with new_database(program) as path:
        return Schema(path)


def write_schema(program):
    """Writes the first migration of PostgreSQL anew, with the number of the last one of SQLite."""
    number = max(path.name[:4] for path in (HOME / "migrations").glob("*.sql"))
    with new_database(program) as path:
        text = baseline.text(Schema(path), path)
    baseline.FOLDER.mkdir(exist_ok=True)
    for old in baseline.FOLDER.glob("*.sql"):
        old.unlink()
    (baseline.FOLDER / f"{number}_create_schema.sql").write_text(text)


def statements(folder):
    """The statements of the product, and the modules they are from."""
    products = {path.name.replace("-", "_") for path in (HOME / "Sources").iterdir()}
    tests = {path.name for path in (HOME / "Tests").iterdir()}
    found = {}
    for sql, modules in records.read(folder).items():
        unknown = modules - products - tests - {None}
        if unknown:
            raise SystemExit(f"The gate knows no module {', '.join(sorted(unknown))}.")
        # Below SpatialDatabase is the engine itself. A caller that is not found counts as the product's.
        own = (modules & products - {"SpatialDatabase"}) | (modules & {None})
        if own:
            found[sql] = own
    return found


def known(path=HERE / "known-refusals.txt"):
    lines = path.read_text().splitlines()
    return {line.split()[0] for line in lines if line and not line.startswith("#")}


def show(title, items):
    for each in items:
        print(f"\n{title}{each}", file=sys.stderr)
    return bool(items)


def run(options):
    ran = statements(options.recorded)
    if not ran:
        raise SystemExit(f"{options.recorded} has no statements: run the Swift tests with FAROL_RECORD_STATEMENTS.")
    made = schema(options.program)
    listed = gate.differences()
    with Cluster() as cluster:
        connection = psycopg2.connect(host=str(cluster.folder), user=USER, dbname="postgres")
        engine = gate.Engine(connection, made)
        blind = [sql for sql in PLANTED if accepted(engine, sql)]
        unequal = list(functions.differing(engine.cursor))
        apart = baseline.differing(cluster, "postgres")
        inside = [sql for trigger in made.triggers for sql in trigger.checked()]
        triggers = gate.Judgement().judge(engine, inside, [])
        result = gate.Judgement().judge(engine, ran, listed)
    prints = {gate.fingerprint(sql): sql for sql in result.refused}
    allowed = known()
    failed = show("The gate is blind: PostgreSQL accepted\n", blind)
    failed |= show("A function of functions.sql: ", unequal)
    failed |= show("The migrations of PostgreSQL do not lead to the schema of SQLite's: ", apart[:40])
    failed |= show("In a trigger: ", [f"{why}\n{sql}" for sql, why in triggers.refused.items()])
    failed |= show("Refused ", [
        f"{digits}, of {', '.join(str(each) for each in sorted(ran[sql], key=str))}: {result.refused[sql]}\n{sql}"
        for digits, sql in prints.items() if digits not in allowed])
    if not options.part:
        failed |= show("Known as refused, but accepted or not run: ", sorted(allowed - prints.keys()))
        failed |= show("No statement needs this difference any more: ", [each.name for each in listed if not each.uses])
    print(f"==> {result.prepared} statements are the same on both engines, {result.equivalent} with another fragment, "
          f"{result.only} are SQLite's only, {len(prints)} are refused, {triggers.prepared} are in triggers")
    return failed


def accepted(engine, sql):
    try:
        engine.prepare(sql)
    except gate.Refusal:
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recorded", help="the folder of FAROL_RECORD_STATEMENTS")
    parser.add_argument("--write-schema", action="store_true", help="writes the first migration of PostgreSQL")
    parser.add_argument("--program", default=HOME / ".build/debug/farol", help="makes the SQLite schema")
    parser.add_argument("--part", action="store_true", help="some tests ran only: unneeded entries are no failure")
    # As an exception, so that the cluster stops.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        options = parser.parse_args()
        sys.exit(write_schema(options.program) if options.write_schema else run(options))
    except (Missing, gate.Refusal, subprocess.CalledProcessError) as problem:
        sys.exit(f"{problem}")


if __name__ == "__main__":
    main()
