"""The commands, files and cases of the documents, for tests that follow a page as its reader would."""

import re

from support.farol import HOME

DOCS = HOME / "docs"


def section(page, heading):
    """The text of a page from one heading to the next of its level."""
    text = (DOCS / page).read_text()
    found = re.search(rf"^(#+) {re.escape(heading)}\n(.*?)(?=^\1 |\Z)", text, re.M | re.S)
    assert found, f"{page} has no heading {heading}"
    return found[2]


def shell(text):
    """The indented lines of shell of a text, in order."""
    return "\n".join(line[4:] for line in text.split("\n") if line.startswith("    "))


def saved(text):
    """The files that a text asks to save, by name."""
    return {name: content for name, content in re.findall(
        r"[Ss]ave this as `([^`]+)`.*?```\w*\n(.*?)```", text, re.S)}


def steps(text):
    """The numbered steps of a text, each as one line."""
    return [re.sub(r"\s+", " ", step).strip() for step in re.findall(r"^\d+\. (.*?)(?=^\d+\. |^\S|^$|\Z)", text, re.M | re.S)]


def cases(text):
    """The items of a list that begin with bold words, by these words."""
    found = re.findall(r"^- \*\*(.+?)\*\*(.*?)(?=^- |^\S|\Z)", text, re.M | re.S)
    return {name.rstrip("."): re.sub(r"\s+", " ", words).strip() for name, words in found}


def rows(text):
    """The cells of the rows of the first table of a text, without its head."""
    lines = [line for line in text.split("\n") if line.startswith("|")]
    return [[cell.strip().strip("*") for cell in line.strip("|").split("|")] for line in lines[2:]]
