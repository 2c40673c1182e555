"""Writes docs/reference/cli.md, the commands of farol, from the help of the program:

    farol --experimental-dump-help | setup/cli_page.py           # prints the page
    farol --experimental-dump-help | setup/cli_page.py --write   # writes it to docs/reference/cli.md
"""

import json
import re
import sys
from pathlib import Path

from settings import leaves

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/cli.md"
INTRODUCTION = """# Commands

*For operators of an instance.*

This page lists every command of `farol` with its arguments and an example. `setup/cli_page.py` writes it from the help of
the program; a test compares both and runs the examples. `farol help COMMAND` prints the same on your machine, and so does
`man farol` with the Debian package.

With the package, run commands as the user of the service, so that new files belong to it
([operations](../how-to/operations.md)):

    runuser -u farol -- env FAROL_DATABASE=/var/lib/farol/farol.db farol check

Exit status: 0 success; 1 failure; 2 wrong usage or an invalid setting. `import` ends with 1 if rows were refused and
none was taken.

"""
# An example of each command.
EXAMPLES = {
    "serve": "farol serve --listen 127.0.0.1:8080",
    "migrate": "farol migrate",
    "import": "farol import --dry-run --mapping osm --report notes.csv cameras.json\nfarol import --mapping osm cameras.json",
    "imports undo": "farol imports undo 1",
    "imports list": "farol imports list",
    "export": "farol export devices.gpkg\nfarol export --format csv --filter 'category=alpr&country=PT' >readers.csv",
    "admin create": "farol admin create --username ana --email ana@example.org --password-stdin <password.txt",
    "admin promote": "farol admin promote --username rui --role moderator",
    "admin reset-password": "farol admin reset-password --username ana --second-factor --password-stdin <password.txt",
    "generate": "farol generate --devices 1000 --seed 1",
    "check": "farol check\nfarol check backups/farol-2026-11-21T03-00-00Z",
    "backup": "farol backup backups",
    "restore": "farol restore --replace backups/farol-2026-11-21T03-00-00Z",
    "settle": "farol settle erased-farol1.jsonl erased-farol2.jsonl",
    "copy": "farol copy data/farol.db postgresql://farol@db.example.org/farol",
    "retention": "farol retention",
    "streets": "farol streets liechtenstein.osm.pbf --output liechtenstein.graph",
    "basemap": "farol basemap madeira.osm.pbf --output data/streets/madeira.mbtiles",
}
USUAL = {"help", "version"}


def name_of(argument):
    return argument.get("preferredName", {}).get("name", argument.get("valueName"))


def cell(text):
    return re.sub(r"([{}<>])", r"\\\1", " ".join(text.split())).replace("|", "\\|")


def term(argument):
    value = cell(argument.get("valueName", "value"))
    if argument["kind"] == "positional":
        return f"*{value}*"
    name = f"`--{name_of(argument)}`"
    return name if argument["kind"] == "flag" else f"{name} *{value}*"


def table(arguments):
    rows = []
    for argument in arguments:
        text = cell(argument.get("abstract", ""))
        default = argument.get("defaultValue")
        if default and "default" not in text and argument["kind"] != "flag":
            text += f" Default: {cell(default)}."
        rows.append(f"| {term(argument)} | {text} |")
    return "\n".join(["| argument | meaning |", "|---|---|", *rows])


def named(command, before=""):
    """The commands without subcommands, with their full names."""
    for below in command.get("subcommands", []):
        if below["commandName"] == "help" or not below.get("shouldDisplay", True):
            continue
        name = f"{before}{below['commandName']}"
        if below.get("subcommands"):
            yield from named(below, name + " ")
        else:
            yield name, below


def page(dump):
    commands = dict(named(dump["command"]))
    serve = next(leaf for leaf in leaves(dump["command"]) if leaf["commandName"] == "serve")
    common = [a for a in commands["check"]["arguments"]
              if a["kind"] != "positional" and name_of(a) not in USUAL and a.get("shouldDisplay", True)]
    shared = {name_of(a) for a in common}
    parts = [INTRODUCTION + "## Arguments of all commands\n\n" + table(common)]
    for name, command in commands.items():
        text = [f"## farol {name}", command["abstract"].rstrip(".") + "."]
        text.append("\n".join("    " + line for line in EXAMPLES[name].splitlines()))
        if command is serve or name == "serve":
            text.append("Every [setting](settings.md) is also an argument of this command.")
        else:
            own = [a for a in command.get("arguments", [])
                   if name_of(a) not in USUAL | shared and a.get("shouldDisplay", True)]
            if own:
                text.append(table(own))
        if command.get("discussion"):
            words = command["discussion"].split("Examples:")[0].strip()
            if words:
                text.append(cell(words))
        parts.append("\n\n".join(text))
    return "\n\n".join(parts) + "\n"


def main():
    text = page(json.load(sys.stdin))
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
