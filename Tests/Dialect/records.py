"""The statements that a test run recorded (Sources/SpatialDatabase/StatementRecorder.swift), with their callers."""

import bisect
import re
import subprocess
from pathlib import Path

# A frame of these only passes on the statement of its caller. Other methods of Connection have statements of the
# engine.
PASSING = re.compile(
    r"^SpatialDatabase\.(StatementRecorder|StatementCache|Statement|Cursor|Session\.(lend|withStatement|run|use|forEach|first)|"
    r"Connection\.(execute|forEach|rows|first|scalar|integer|text|explain))\b")
MODULE = re.compile(r"^(?:\(extension in (?P<extension>\w+)\):)?(?P<module>[A-Za-z_]\w*)\.(?P<rest>.*)", re.DOTALL)
# Words before the function that the code is a part or a form of.
PARTS = re.compile(
    r"^(?:static |merged |\(\d+\) (?:await|suspend) resume partial function for |"
    r"(?:generic|function signature) specialization <.*?> of |"
    r".*?(?:closure #\d+.*? in |defer #\d+.*? in |default argument \d+ of |in ))", re.DOTALL)
FORWARDER = re.compile(r"^partial apply (?:forwarder )?for ")
FUNCTIONS = "tTwWiuVv"
# Generic functions of these are compiled into the program, and only call what their caller gives them.
LIBRARIES = {"Swift", "Foundation", "FoundationEssentials", "Synchronization", "Dispatch", "_Concurrency"}


class Symbols:
    """The functions of a program by their addresses."""

    def __init__(self, program):
        self.starts, self.mangled, self.handle = [], [], None
        listed = subprocess.run(
            ["nm", "--numeric-sort", "--defined-only", program], capture_output=True, text=True, check=True)
        for line in listed.stdout.splitlines():
            address, kind, name = line.split(" ", 2)
            if name == "__dso_handle":
                self.handle = int(address, 16)
            elif kind in FUNCTIONS:
                self.starts.append(int(address, 16))
                self.mangled.append(name)
        if self.handle is None:
            raise ValueError(f"{program} has no symbols")

    def name(self, offset):
        """The mangled name of the function that a call at `offset` from `__dso_handle` returns to."""
        # The byte before, because a call may be the last instruction of a function.
        address = (self.handle + offset - 1) % 2**64
        place = bisect.bisect_right(self.starts, address) - 1
        # Behind the last function are the libraries.
        return self.mangled[place] if 0 <= place < len(self.starts) - 1 else None


def demangled(names):
    """A dictionary from the mangled names to readable ones."""
    names = sorted(names)
    output = subprocess.run(
        ["swift-demangle", "--compact"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, output.split("\n")))


def module(name):
    """The module of a function, and its name from the module on."""
    while True:
        found = MODULE.match(name)
        if found:
            return found["extension"] or found["module"], f"{found['module']}.{found['rest']}"
        shorter = PARTS.sub("", name, count=1)
        if shorter == name:
            return None, name
        name = shorter


def caller(frames):
    """The module whose code the statement is, from the names of the innermost functions outwards."""
    for frame in frames:
        if frame.startswith(("reabstraction thunk", "protocol witness")):
            continue
        # In optimized code the forwarder of a closure contains the closure.
        closure = FORWARDER.sub("", frame)
        name, function = module(closure)
        if name is None or name in LIBRARIES or closure != frame and name == "SpatialDatabase":
            continue
        if name == "SpatialDatabase" and PASSING.match(function):
            continue
        return name
    return None


def read(folder):
    """Pairs of SQL and the set of modules that ran it."""
    stacks, programs = [], {}
    for path in sorted(Path(folder).glob("*.statements")):
        program = None
        # A record that a killed process left unfinished has no NUL.
        for record in path.read_bytes().split(b"\0")[:-1]:
            head, _, text = record.decode().partition("\n")
            if head == "program":
                program = text
                programs.setdefault(program, None)
            else:
                stacks.append((program, tuple(head.split()), text))
    for program in programs:
        programs[program] = Symbols(program)
    offsets = {(program, each) for program, stack, _ in stacks for each in stack}
    mangled = {key: programs[key[0]].name(int(key[1], 16)) for key in offsets}
    names = demangled({name for name in mangled.values() if name})
    callers, result = {}, {}
    for program, stack, text in stacks:
        if (program, stack) not in callers:
            found = (mangled[program, each] for each in stack)
            callers[program, stack] = caller([names[each] for each in found if each])
        result.setdefault(text, set()).add(callers[program, stack])
    return result
