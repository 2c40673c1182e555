"""The first migration of PostgreSQL: the schema that the migrations of SQLite lead to, and their rows.

`make postgresql-schema` writes it. A database of PostgreSQL starts with it, and later migrations have a file for each
engine (docs/decisions/0023). The gate compares the schema of PostgreSQL's migrations with the translated one.
"""

import difflib
import sqlite3
import subprocess
from pathlib import Path

import psycopg2
from cluster import USER
from schema import FOREIGN, VIRTUAL

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "migrations/postgresql"


def literal(value):
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int | float) else "'" + value.replace("'", "''") + "'"


def rows(path):
    """The rows that a new database has."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        tables = database.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name <> 'migration' ORDER BY rowid").fetchall()
        virtuals = [name for name, sql in tables if VIRTUAL.match(sql)]
        for name, sql in tables:
            if FOREIGN.match(name) or any(name == each or name.startswith(f"{each}_") for each in virtuals):
                continue
            names = [each[1] for each in database.execute(f"PRAGMA table_info({name})")]
            for row in database.execute(f"SELECT * FROM {name}"):
                yield f"INSERT INTO {name} ({', '.join(names)}) VALUES ({', '.join(map(literal, row))})"


def text(made, path):
    """The whole migration."""
    statements = [each for each in made.statements if not each.startswith("CREATE TABLE migration ")]
    parts = [
        "-- Written by `make postgresql-schema` from the migrations of SQLite (Tests/Dialect/baseline.py).",
        (HERE / "functions.sql").read_text().strip()]
    parts += [f"{each.strip().rstrip(';')};" for each in statements + list(rows(path))]
    return "\n\n".join(parts) + "\n"


def differing(cluster, translated):
    """The lines in which the schema of PostgreSQL's migrations differs from that of the database `translated`."""
    cluster.execute("postgres", "CREATE DATABASE migrated")
    with psycopg2.connect(host=str(cluster.folder), user=USER, dbname="migrated") as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE EXTENSION postgis; CREATE SCHEMA main; SET search_path = main, public")
        for path in sorted(FOLDER.glob("*.sql")):
            cursor.execute(path.read_text())
    connection.close()
    lines = difflib.unified_diff(
        dump(cluster, translated), dump(cluster, "migrated"), "translated", "migrations/postgresql", n=0, lineterm="")
    return list(lines)


def dump(cluster, database):
    """The schema as `pg_dump` writes it, without the table of migrations, which the program makes."""
    ended = subprocess.run(
        [cluster.programs / "pg_dump", f"--host={cluster.folder}", f"--username={USER}", "--schema-only",
         "--exclude-table=main.migration", "--schema=main", database],
        cwd="/", check=True, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
        **cluster.user)
    # Newer versions mark their dumps with a random key.
    return [line for line in ended.stdout.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]
