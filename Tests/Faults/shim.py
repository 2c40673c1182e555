"""Python side of shim.c, the shim between Farol, its disk and its clock: builds and controls it."""

import mmap
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "shim.c"
# The order of `struct state`, after the shift of the clock.
NUMBERS = ("write", "sync", "open_to_write", "read", "read_share", "hits")


def build(folder):
    """Compiles the shim into the folder. Returns its path."""
    library = Path(folder) / "shim.so"
    subprocess.run(
        ["cc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl",
         "-lpthread"], check=True)
    return library


SIZE = 8 + 4 * len(NUMBERS)


class Disk:
    """The disk and the clock of one instance: `with disk.failing(write=errno.ENOSPC): …`."""

    def __init__(self, library, scratch, folder, trace=None):
        self.library = library
        self.state = Path(scratch) / "shim.state"
        self.state.write_bytes(bytes(SIZE))
        self.folder = str(Path(folder).resolve())
        self.trace = trace
        with open(self.state, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), SIZE)

    def environment(self):
        found = {"LD_PRELOAD": str(self.library), "FAROL_FAULTS_FOLDER": self.folder,
                 "FAROL_FAULTS_STATE": str(self.state)}
        return found | ({"FAROL_FAULTS_TRACE": str(self.trace)} if self.trace else {})

    def set(self, **numbers):
        for name, number in numbers.items():
            struct.pack_into("<i", self.map, 8 + 4 * NUMBERS.index(name), number)

    def shift_clock(self, seconds):
        """Shifts the wall clock by this number of seconds."""
        struct.pack_into("<q", self.map, 0, seconds)

    @property
    def hits(self):
        """The number of calls that the shim made fail."""
        return struct.unpack_from("<i", self.map, 8 + 4 * NUMBERS.index("hits"))[0]

    def failing(self, **numbers):
        return Failing(self, numbers)


class Failing:
    def __init__(self, disk, numbers):
        self.disk = disk
        self.numbers = numbers

    def __enter__(self):
        self.before = self.disk.hits
        self.disk.set(**self.numbers)
        return self

    def __exit__(self, *fault):
        self.disk.set(**{name: 0 for name in self.numbers})

    @property
    def hits(self):
        return self.disk.hits - self.before


