"""Every command of the documents is run by a test, exists, or is named here with the reason why it is not run."""

import re
import subprocess
import unittest
from functools import cache

from support.farol import HOME, PROGRAM

PAGES = [*sorted((HOME / "docs").rglob("*.md")), HOME / "README.md", HOME / "CONTRIBUTING.md"]
# Pages whose lines of curl are run by test_examples.py.
RUN = {"docs/reference/api.md", "docs/how-to/clients.md", "docs/reference/filters.md", "docs/explanation/claims.md"}
SYSTEM = "changes or inspects a server with Debian: Tests/Package and Tests/Operations do it in a system of their own"
CLUSTER = "needs three database machines: Tests/Cluster sets them up with the same files"
CONTAINERS = "needs podman and images: Tests/Container runs both compose files"
ROUTINE = "prepares files for the command after it"
# Programs of the system, with the reason why their lines are not run here.
NOT_RUN = {
    **dict.fromkeys(
        ["systemctl", "journalctl", "apt", "install", "runuser", "df", "du", "free", "dmesg", "nft", "openssl",
         "sqlite3", "ss", "top", "iostat", "ls", "fuser", "find"], SYSTEM),
    **dict.fromkeys(
        ["apt-get", "patronictl", "make-certificates", "base-backup", "restore-drill", "sudo", "export", "ln", "createuser",
         "createdb", "psql", "etcdctl", "rsync"], CLUSTER),
    **dict.fromkeys(["podman", "podman-compose", "for", "done", "sed", "chown", "echo"], CONTAINERS),
    **dict.fromkeys(["mkdir", "touch", "chmod", "cp", "head", "rm"], ROUTINE),
    **dict.fromkeys(["ogrinfo", "ogr2ogr"], "the same with the driver of this machine: Tests/Clients/heavy/test_gdal.py"),
    "certbot": "needs a name on the internet: FAROL_TLS_CERTIFICATE is renewed in TLSTests",
    "wc": "DocumentTests counts in the same way",
    "swift": "a part of every build",
    "python3": "test_analyses.py runs the analyses of the guide; setup scripts are run by their make targets",
    ".venv/bin/python": "Tests/Alerts --full: make test-alerts runs the short form",
    "farol-formats": "Tests/Formats runs it on lists in every format",
    "farol-image": "Tests/FarolImageTests runs it on every kind of picture",
}
CURL = {
    "docs/how-to/collections.md": "needs a file of districts: CollectionImportTests sends the same form",
    "docs/tutorials/first-api-client.md": "a tutorial in steps with an own account: test_examples.py runs the same requests",
    "docs/how-to/operations.md": "asks the service of an installed package",
    "docs/how-to/high-availability.md": CLUSTER,
    "docs/how-to/runbook.md": "Tests/Operations causes every alert and reads the same addresses",
    "docs/reference/metrics.md": "Tests/Operations reads the metrics with Prometheus",
    "docs/guides/data-users.md": "needs the snapshot of a past night: SnapshotTests reads such files",
    "docs/reference/exports.md": "test_examples.py runs the same export from /api/docs",
    "docs/reference/street-graph.md": "needs a street graph: StreetGraphTests reads one over HTTP",
}
# Programs whose lines are commands wherever they stand.
KNOWN = {"farol", "make", "curl", *NOT_RUN}
# First words of indented lines that are no commands: an error message, a line of Swift code.
NO_COMMAND = {"the", "package"}
FAROL = re.compile(r"^(?:farol|FAROL|\.build/(?:debug|release)/farol)$")


def commands(page):
    """The lines of shell of a page: `sh` blocks, and indented lines that begin with the name of a program."""
    fence, above = None, ""
    for line in page.read_text().split("\n"):
        opened = re.match(r"^\s*```(\w*)", line)
        if opened:
            fence = opened[1] if fence is None else None
        elif fence in ("sh", "bash") or (fence is None and re.match(r"^(?:    |       )\S", line) and is_block(above)):
            word = line.split()[0] if line.split() else ""
            is_continued = above.rstrip().endswith("\\")
            if re.fullmatch(r"[a-zF.][\w./-]*", word) and not is_continued and "=" not in word and " = " not in line:
                yield word, line.strip()
        above = line
    yield from inline(page.read_text())


def inline(text):
    """The commands within sentences and tables: code of several words that begins with a known program, or has an option."""
    prose = re.sub(r"^```.*?^```|^    .*?$", "", text, flags=re.M | re.S)
    for code in re.findall(r"`([^`]+)`", prose):
        words = code.split()
        if len(words) < 2 or not re.fullmatch(r"[a-z.][\w./-]*", words[0]):
            continue
        if words[0] in KNOWN or "/" in words[0] or any(re.match(r"--?[a-z]", word) for word in words[1:]):
            yield words[0], " ".join(words).replace("\\|", "|")


def is_block(above):
    """Whether a line below this one can be code, and is not the continuation of a list."""
    return not above.strip() or above.startswith("    ") and not re.match(r"^\s*(?:[-*]|\d+\.) ", above)


def in_list(page, line):
    """Whether an indented line is the text of a list."""
    return bool(re.search(r"^ *(?:[-*]|\d+\.) .*\n(?: +\S.*\n)*" + re.escape("    " + line) + r"$", page.read_text(), re.M))


def shell_fault(line):
    """What the shell refuses about a line, without running it."""
    return subprocess.run(["bash", "-n", "-c", line], capture_output=True, text=True, timeout=10).stderr


@cache
def targets():
    return set(re.findall(r"^([a-z-]+):", (HOME / "Makefile").read_text(), re.M))


@cache
def help_of(*words):
    done = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, timeout=30)
    return done.stdout if done.returncode == 0 else ""


class DocumentedCommandTests(unittest.TestCase):
    maxDiff = None

    def found(self):
        for page in PAGES:
            for word, line in commands(page):
                yield page, str(page.relative_to(HOME)), word, line

    def test_every_command_exists_or_has_a_reason(self):
        faults, used, count = [], set(), 0
        for page, name, word, line in self.found():
            if word in NO_COMMAND or in_list(page, line):
                continue
            count += 1
            is_whole = not line.endswith(("\\", "|")) and line.count("'") % 2 == 0 and word not in ("for", "done")
            if is_whole and (fault := shell_fault(line)):
                faults.append(f"{name}: no shell: {line}: {fault}")
            if word == "make":
                target = next((one for one in line.split()[1:] if not one.startswith("-") and "=" not in one), "help")
                if target not in targets():
                    faults.append(f"{name}: no target {target}")
            elif "/" in word and not FAROL.match(word) and word not in NOT_RUN:
                file = HOME / word
                if not file.exists() or not file.stat().st_mode & 0o111:
                    faults.append(f"{name}: {word} is no program of this repository")
            elif FAROL.match(word):
                faults += [f"{name}: {fault}" for fault in self.faults_of(line)]
            elif word == "curl":
                if name not in RUN and name not in CURL:
                    faults.append(f"{name}: curl, neither run nor with a reason: {line}")
            elif word in NOT_RUN:
                used.add(word)
            else:
                faults.append(f"{name}: {word}, neither run nor with a reason: {line}")
        self.assertEqual(faults, [])
        self.assertGreater(count, 150)
        self.assertEqual(set(NOT_RUN) - used, set(), "reasons without a command")

    def faults_of(self, line):
        """The commands and options of a line of `farol` that the program does not have."""
        for part in re.split(r"\s(?:\||&&)\s|;", line.split("  #")[0].split(" #")[0]):
            words = part.split()
            if not words or not FAROL.match(words[0]):
                continue
            named = []
            for word in words[1:]:
                if not re.fullmatch(r"[a-z-]+", word) or not help_of(*named, word):
                    break
                named.append(word)
            text = help_of(*named)
            if not text:
                yield f"no command: {part}"
            for option in re.findall(r"(?<!\S)\[?(--[a-z-]+)", part):
                if option not in text and option not in ("--version", "--help"):
                    yield f"no option {option}: {part}"


if __name__ == "__main__":
    unittest.main()
