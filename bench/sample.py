"""A server with the sample devices, the street maps of the sample and their address search."""

import subprocess
import sys
from pathlib import Path

from support.farol import HOME, PROGRAM, Farol, new_folder

STREETS = Path(__file__).resolve().parent.parent / "data/streets"


def sample_server(database=None):
    """Not started yet. `database` is a file with the sample, which is copied instead of a new import."""
    farol = Farol(new_folder())
    if database:
        (farol.folder / "farol.db").write_bytes(database.read_bytes())
    else:
        subprocess.run([str(PROGRAM), "import", "--sample"], env=farol.environment(), cwd=HOME, check=True)
    maps = sorted(STREETS.glob("*.mbtiles"))
    if not maps:
        sys.exit(f"There are no street maps in {STREETS}. `make setup` builds them.")
    for file in sorted(STREETS.glob("*")):
        (farol.streets() / file.name).symlink_to(file)
    return farol
