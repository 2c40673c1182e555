"""Writes the manual page of farol from the help of the program:

    farol --experimental-dump-help | setup/manual.py VERSION >farol.1
"""

import json
import re
import sys

# Options of every command, left out because they would be repeated below each.
USUAL = {"help", "version"}


def escaped(text):
    """Escapes a text for groff: backslashes, hyphens, and lines that would begin a groff request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(['.])", r"\\&\1", text, flags=re.MULTILINE)


def term(argument):
    """The notation of an argument."""
    value = argument.get("valueName", "value")
    if argument["kind"] == "positional":
        return f"\\fI{escaped(value.upper())}\\fR"
    name = f"\\fB\\-\\-{escaped(argument['preferredName']['name'])}\\fR"
    return name if argument["kind"] == "flag" else f"{name} \\fI{escaped(value)}\\fR"


def name_of(argument):
    return argument.get("preferredName", {}).get("name", argument.get("valueName"))


def arguments(command, left_out):
    for argument in command.get("arguments", []):
        if not argument.get("shouldDisplay", True) or name_of(argument) in left_out | USUAL:
            continue
        yield from [".TP", term(argument), escaped(argument.get("abstract", ""))]


def sections(command, before, common):
    """The sections of a command and its subcommands."""
    for below in command.get("subcommands", []):
        if below["commandName"] == "help" or not below.get("shouldDisplay", True):
            continue
        name = f"{before} {below['commandName']}"
        yield from [f".SS {escaped(name)}", escaped(below.get("abstract", ""))]
        if not below.get("subcommands"):
            yield from arguments(below, set(common))
        yield from sections(below, name, common)


def leaves(command):
    below = command.get("subcommands", [])
    return [leaf for each in below for leaf in leaves(each)] if below else [command]


def main():
    command = json.load(sys.stdin)["command"]
    farol = command["commandName"]
    serve = next(each for each in leaves(command) if each["commandName"] == "serve")
    # Settings that all commands have are listed once.
    common = {name: argument for argument in serve["arguments"]
              if (name := name_of(argument)) in {"database", "media", "home", "log"}}
    lines = [
        f'.TH FAROL 1 "" "Farol {escaped(sys.argv[1])}" "User Commands"',
        ".SH NAME", f"{farol} \\- {escaped(command['abstract'])}",
        ".SH SYNOPSIS", f".B {farol}", ".I COMMAND", "[\\fIOPTIONS\\fR]",
        ".SH DESCRIPTION",
        "Each option is also an environment variable, which its description names. The service of the package",
        "reads them from \\fI/etc/farol/farol.conf\\fR.",
        ".SH COMMON OPTIONS", *arguments({"arguments": list(common.values())}, set()),
        ".SH COMMANDS", *sections(command, farol, common),
        ".SH EXIT STATUS", "0: success; 1: failure; 2: wrong usage or an invalid setting.",
        ".SH FILES",
        ".TP", ".I /etc/farol/farol.conf", "Settings of the service.",
        ".TP", ".I /var/lib/farol", "The database, photos, snapshots and mail of the service.",
        ".SH SEE ALSO", ".I /usr/share/doc/farol/operations.md",
    ]
    print("\n".join(lines))


main()
