"""Support for the heavy clients: the server and subsets of the light ones, programs of the system."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from instance import devices, farol, root  # noqa: E402, F401
from subsets import GENEVA, SUBSETS, conditions  # noqa: E402, F401

SNIPPETS = HERE.parents[2] / "seed/clients"
PLACEHOLDER = "https://farol.example.org"


def needs(program):
    """Skips a test class where a program is not installed: `setup/setup.sh clients` installs it."""
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


def needs_package(name):
    """The same for a package of the system's Python."""
    return unittest.skipUnless(
        Path("/usr/lib/python3/dist-packages", name).is_dir(), f"python3-{name} is not installed")


def output(*command, **options):
    """The output of a command. An error of the command fails the test."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=300, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def snippet(name):
    """A text of `seed/clients` for the test's server, in a separate folder."""
    text = (SNIPPETS / name).read_text().replace(PLACEHOLDER, farol().address)
    file = Path(tempfile.mkdtemp(prefix="farol-snippet-")) / name
    file.write_text(text)
    return file


def cameras_in_geneva():
    """The number of devices that every snippet must find, counted without any filter of the server."""
    west, south, east, north = GENEVA
    return sum(
        1 for feature in devices()
        if feature["properties"]["category"] == "camera_fixed"
        and west <= feature["geometry"]["coordinates"][0] <= east
        and south <= feature["geometry"]["coordinates"][1] <= north)
