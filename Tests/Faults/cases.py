"""The cases of a run. Each is a function that causes one fault and checks Farol's guarantees."""

import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import shim

ALL = []


@dataclass
class Case:
    name: str
    what: str
    run: Callable
    needs_root: bool
    is_brief: bool
    # Returns why the case is impossible on this machine, or None.
    unless: Callable


def case(name, what, needs_root=False, brief=False, unless=lambda: None):
    """Registers a function as a case. It returns its measurements, or raises `Broken`."""
    def enter(run):
        ALL.append(Case(name, what, run, needs_root, brief, unless))
        return run
    return enter


@dataclass
class Bench:
    """The resources of the cases: the program, the shim, and temporary folders."""

    program: str
    keep: bool = False
    folders: list = field(default_factory=list)
    library: Path = None

    @property
    def shim(self):
        if self.library is None:
            place = Path(tempfile.mkdtemp(prefix="farol-shim-"))
            self.library = shim.build(place)
        return self.library

    def folder(self):
        # The file system of /tmp performs real syncs; /dev/shm would not.
        made = Path(tempfile.mkdtemp(prefix="farol-fault-"))
        self.folders.append(made)
        return made

    def starts(self, instance, seconds=20):
        """Starts the server. Returns None if it serves, otherwise its exit code; and its last output."""
        try:
            instance.start(wait=True)
        except RuntimeError:
            pass
        return instance.process.poll(), instance.last_words(600).strip().splitlines()[-1]

    def sweep(self):
        if not self.keep:
            for folder in self.folders:
                shutil.rmtree(folder, ignore_errors=True)
        self.folders = []

    def close(self):
        if self.library:
            shutil.rmtree(self.library.parent, ignore_errors=True)
