"""A PostgreSQL cluster of its own: in a temporary folder, on a Unix socket only, removed at the end."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg2


class Missing(Exception):
    """PostgreSQL, or the user that it runs as, is missing."""


def owner():
    """PostgreSQL refuses to run as root: then it runs as the user of Debian's package."""
    if os.geteuid() != 0:
        return {}
    try:
        found = pwd.getpwnam("postgres")
    except KeyError:
        raise Missing("The user postgres is missing: run `setup/setup.sh dialect`.") from None
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


class Cluster:
    def __enter__(self):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        if not found:
            raise Missing("PostgreSQL is missing: run `setup/setup.sh dialect`.")
        self.programs, self.user = found[-1], owner()
        # Not below TMPDIR, which another user may not be able to enter. A socket's path has at most 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="farol-dialect-", dir="/tmp"))
        try:
            if self.user:
                os.chown(self.folder, self.user["user"], self.user["group"])
            self.run("initdb", "--auth=trust", "--username=farol", "--encoding=UTF8", "--locale=C", "--no-sync")
            self.run(
                "pg_ctl", "start", "--wait", "--log", self.folder / "log", "--options",
                f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off "
                "-c shared_buffers=32MB -c max_connections=10")
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        return self

    def __exit__(self, *_):
        try:
            self.run("pg_ctl", "stop", "--wait", "--mode=immediate")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def connect(self):
        return psycopg2.connect(host=str(self.folder), user="farol", dbname="postgres")

    def run(self, program, *arguments):
        # The output of `pg_ctl start` stays open in the server, so it goes to a file and not to a pipe.
        with tempfile.TemporaryFile("w+") as output:
            ended = subprocess.run(
                [self.programs / program, "--pgdata", self.folder / "data", *arguments], cwd="/",
                stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, **self.user)
            if ended.returncode:
                output.seek(0)
                raise RuntimeError(f"{program} failed: {output.read().strip()}")
