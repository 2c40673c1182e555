"""Reads a running Farol with programs of other projects: `python Tests/Clients [--heavy] [NAME…]`.

Without a name it runs all light tests, with `--heavy` those of `heavy/`, which need the packages of
`setup/packages/clients.txt`. A name is a module or a part of it: `test_pyogrio`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The server, the people and the waiting code come from the browser tests.
sys.path.append(str(HERE.parent / "Browser"))

from support.runner import run  # noqa: E402

if __name__ == "__main__":
    heavy = "--heavy" in sys.argv[1:]
    folder = HERE / "heavy" if heavy else HERE
    sys.path.insert(0, str(folder))
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    sys.exit(run("Heavy clients" if heavy else "Clients", folder, names))
