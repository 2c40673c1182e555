"""Appends the rows of a run to bench/results/NAME.jsonl: one JSON object in a line, with the run and the machine.

`FAROL_RESULTS` names another folder, for runs that are only tries. `bench/figures` writes the newest rows into
docs/reference/performance.md.
"""

import datetime
import json
import os
import re
from pathlib import Path

from report import machine

FOLDER = Path(os.environ.get("FAROL_RESULTS") or Path(__file__).resolve().parent / "results")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def value(cell):
    """The number, the numbers or the words of a cell of a table."""
    parts = cell.strip().strip("*").split(", ")
    numbers = [part.replace(",", "") for part in parts if NUMBER.fullmatch(part)]
    if len(numbers) != len(parts):
        return cell.strip().strip("*")
    read = [float(number) if "." in number else int(number) for number in numbers]
    return read[0] if len(read) == 1 else read


def of_tables(text):
    """The rows of the Markdown tables in a text, by the names of their columns; rows of aims are no results."""
    names, rows = None, []
    for line in text.split("\n"):
        if not line.startswith("|"):
            names = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if names is None:
            names = cells
        elif cells[0] != "aim" and not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            rows.append({name: value(cell) for name, cell in zip(names, cells) if cell not in ("", "–")})
    return rows


def keep(name, rows, **facts):
    """Appends rows with the facts of their run: its moment, its machine, and its options."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    run = {"run": datetime.datetime.now().astimezone().isoformat(timespec="seconds"), "machine": machine()} | facts
    with (FOLDER / f"{name}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(run | row, ensure_ascii=False) + "\n" for row in rows)


def show(name, text, **facts):
    """Prints the tables of a run, and appends their rows."""
    print(text, flush=True)
    keep(name, of_tables(text), **facts)
