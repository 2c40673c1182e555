"""The cases of a run: each a function that makes one fault and holds Farol to its promises."""

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
    # Answers why the case cannot be made on this machine, or None.
    unless: Callable


def case(name, what, needs_root=False, brief=False, unless=lambda: None):
    """Enters a function as a case; it answers what it measured, or raises `Broken`."""
    def enter(run):
        ALL.append(Case(name, what, run, needs_root, brief, unless))
        return run
    return enter


@dataclass
class Bench:
    """What cases share: the program, the shim, and folders that go when the case is over."""

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
        # The file system of /tmp has real syncs; /dev/shm would have none.
        made = Path(tempfile.mkdtemp(prefix="farol-fault-"))
        self.folders.append(made)
        return made

    def starts(self, instance, seconds=20):
        """Starts the server: None when it serves, else its exit code; and what it said last."""
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
