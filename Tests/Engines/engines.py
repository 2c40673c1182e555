"""The same data on SQLite and on PostgreSQL, with a server for each."""

import shutil
import subprocess
import time
import urllib.error

from cluster import USER, Cluster
from support.farol import HOME, PROGRAM, Farol, new_folder

# Both servers believe to be this one, so their links are equal.
BASE = "http://farol.example"


# Moves a third of the rows of each table to its end, as updates do over time. A list without an order then differs.
SHUFFLE = """
SET session_replication_role = replica;
SET search_path = main, public;
DO $$
DECLARE place record;
BEGIN
  PERFORM setseed(0.5);
  FOR place IN
    SELECT table_name, min(column_name) AS name FROM information_schema.columns JOIN pg_tables
      ON schemaname = table_schema AND tablename = table_name
    WHERE table_schema = 'main' AND is_generated = 'NEVER' GROUP BY table_name
  LOOP
    EXECUTE format('UPDATE main.%I SET %I = %I WHERE random() < 0.3', place.table_name, place.name, place.name);
  END LOOP;
END $$;
ANALYZE;
"""


class ServerFarol(Farol):
    """A server on a database of PostgreSQL."""

    def __init__(self, folder, url):
        super().__init__(folder)
        self.url = url

    def environment(self):
        return super().environment() | {"FAROL_DATABASE": self.url, "FAROL_STATE": str(self.folder)}


def await_tiles(farol, seconds=600):
    """Waits for the file with all tiles, which a server makes after its start, and which the catalogue names."""
    for _ in range(seconds):
        try:
            farol.get("/api/exports/devices.pmtiles", raw=True)
            return
        except urllib.error.HTTPError as problem:
            if problem.code != 404:
                raise
        time.sleep(1)
    raise TimeoutError("the file with all tiles is not made")


class Engines:
    """Copies a closed database of SQLite to PostgreSQL, and serves both."""

    def __init__(self, folder):
        self.cluster = Cluster()
        self.sqlite = Farol(folder)
        self.postgresql = None

    def __enter__(self):
        self.cluster.__enter__()
        try:
            self.cluster.execute("postgres", "CREATE DATABASE farol")
            self.cluster.execute("farol", "CREATE EXTENSION postgis")
            url = f"postgresql:///farol?host={self.cluster.folder}&user={USER}"
            self.postgresql = ServerFarol(new_folder(), url)
            self.copy(self.sqlite.folder, self.postgresql.folder, url)
            self.cluster.execute("farol", SHUFFLE)
            for farol in (self.sqlite, self.postgresql):
                farol.settings = {"FAROL_BASE_URL": BASE}
                # A debug build needs a while for the whole sample.
                farol.start(patience=300)
            for farol in (self.sqlite, self.postgresql):
                await_tiles(farol)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for farol in (self.sqlite, self.postgresql):
            if farol:
                farol.stop()
        self.cluster.__exit__()

    @staticmethod
    def copy(source, target, url):
        done = subprocess.run([PROGRAM, "copy", str(source / "farol.db"), url], cwd=HOME, capture_output=True, text=True,
                              env=Farol(target).environment() | {"FAROL_STATE": str(target)}, timeout=1_800)
        if done.returncode:
            raise RuntimeError(f"farol copy failed: {done.stdout}{done.stderr}")
        # The local files that docs/how-to/postgresql.md names.
        shutil.copy(source / "farol.db.key", target / "farol.key")
        for name in ("media", "snapshots"):
            if (source / name).is_dir():
                shutil.copytree(source / name, target / name)
