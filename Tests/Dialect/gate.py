"""Prepares statements on PostgreSQL, and judges them with the list of differences."""

import hashlib
import json
import re
from pathlib import Path

import psycopg2

from schema import table
from sql import TOKEN, closing, numbered, split

HERE = Path(__file__).resolve().parent
NAME = "farol_statement"
INDEX = re.compile(r"\s*(CREATE|DROP) INDEX\b")


class Difference:
    """SQL that only one engine has: a fragment with its equivalent, or a whole statement without one."""

    def __init__(self, entry):
        self.name, self.reason = entry["name"], entry["reason"]
        self.pattern = re.compile(entry["sqlite"], re.DOTALL | re.IGNORECASE)
        self.equivalent = entry.get("postgresql")
        self.uses = 0

    def applied(self, sql):
        """The statement for PostgreSQL; None if it is SQLite's only."""
        changed, times = self.pattern.subn(self.equivalent or "", sql)
        if not times:
            return sql
        self.uses += 1
        return changed if self.equivalent is not None else None


class Refusal(Exception):
    """PostgreSQL does not accept a statement."""


def differences(path=HERE / "differences.json"):
    return [Difference(entry) for entry in json.loads(path.read_text())]


def fingerprint(sql):
    """Sixteen digits that white space does not change."""
    return hashlib.sha256(" ".join(sql.split()).encode()).hexdigest()[:16]


# The relations of two geometries, by PostGIS or by functions.sql.
RELATION = re.compile(r"(?:ST_)?(?:Intersects|Equals|Disjoint|Touches|Within|Overlaps|Crosses|Contains)\s*\(", re.I)


def narrow_casts(sql):
    """The casts to types that have 64 bits in SQLite and 32 in PostgreSQL. The relation of two geometries is a
    boolean in PostgreSQL, which only INTEGER takes."""
    for found in re.finditer(r"\bCAST\s*\(", sql, re.IGNORECASE):
        inner = sql[found.end():closing(sql, found.end() - 1)]
        if re.search(r"\bAS\s+REAL\s*$|\bAS\s+INT(EGER)?\s*$", inner, re.IGNORECASE) and not RELATION.match(inner):
            yield inner


class Engine:
    """A PostgreSQL with Farol's schema."""

    def __init__(self, connection, schema):
        self.cursor = connection.cursor()
        self.cursor.execute("CREATE EXTENSION postgis")
        # The name of the database in SQLite, which a statement may put before a table.
        self.cursor.execute("CREATE SCHEMA main")
        self.cursor.execute("SET search_path = main, public")
        self.cursor.execute((HERE / "functions.sql").read_text())
        for statement in schema.statements:
            self.make(statement)
        connection.commit()

    def make(self, statement):
        try:
            self.cursor.execute(statement)
        except psycopg2.Error as error:
            raise Refusal(f"{message(error)}\n{statement}") from None

    def prepare(self, sql):
        """- Throws: `Refusal`, with the words of PostgreSQL."""
        for cast in narrow_casts(sql):
            raise Refusal(f"32 bits in PostgreSQL: CAST({cast}). Write BIGINT or DOUBLE PRECISION.")
        self.cursor.execute("SAVEPOINT statement")
        try:
            self.cursor.execute(f"PREPARE {NAME} AS {numbered(sql)}")
            self.cursor.execute(f"DEALLOCATE {NAME}")
        except psycopg2.Error as error:
            raise Refusal(message(error)) from None
        finally:
            self.cursor.execute("ROLLBACK TO statement")
            self.cursor.execute("RELEASE statement")

    def try_index(self, sql):
        """Makes or drops an index, which cannot be prepared, and takes that back."""
        self.cursor.execute("SAVEPOINT index")
        try:
            self.cursor.execute(re.sub("^CREATE INDEX \\w+", "CREATE INDEX", sql))
        except psycopg2.Error as error:
            raise Refusal(message(error)) from None
        finally:
            self.cursor.execute("ROLLBACK TO index")
            self.cursor.execute("RELEASE index")

    def add_temporary(self, sql):
        """Makes a temporary table, so that the statements on it can be prepared. A column without a type has that of
        the column with its name in `device`."""
        name, columns = re.match(r"CREATE TEMP TABLE (?:IF NOT EXISTS )?(\w+) \((.*)\)\s*$", sql, re.DOTALL).groups()
        self.cursor.execute(
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'device'")
        types = dict(self.cursor.fetchall())
        typed = (f"{each} {types[each]}" if each in types and each != "rowid" else each for each in split(columns, ","))
        made, _ = table(name, f"({', '.join(typed)})")
        self.make(made.replace("CREATE TABLE", "CREATE TEMP TABLE", 1))


def message(error):
    lines = str(error).strip().split("\n")
    return "\n".join(line for line in lines if line.strip() != "^")[:600]


def is_control(sql):
    """Transactions, which the engine itself starts and ends."""
    words = [found.group() for found in TOKEN.finditer(sql) if found.lastgroup == "word"]
    return bool(words) and words[0].upper() in {"BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"}


class Judgement:
    """What became of all statements."""

    def __init__(self):
        self.prepared, self.equivalent, self.only, self.refused = 0, 0, 0, {}

    def judge(self, engine, statements, listed):
        for sql in statements:
            if is_control(sql):
                continue
            if re.match(r"\s*CREATE TEMP TABLE", sql):
                engine.add_temporary(sql)
        for sql in statements:
            if is_control(sql) or re.match(r"\s*CREATE TEMP TABLE", sql):
                continue
            changed = sql
            for difference in listed:
                changed = changed and difference.applied(changed)
            if changed is None:
                self.only += 1
                continue
            try:
                (engine.try_index if INDEX.match(changed) else engine.prepare)(changed)
            except Refusal as refusal:
                self.refused[sql] = str(refusal)
                continue
            if changed == sql:
                self.prepared += 1
            else:
                self.equivalent += 1
        return self
