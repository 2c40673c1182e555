"""The tokens of SQL: enough to change words outside of texts, comments and quoted names."""

import re

TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>--[^\n]*|/\*.*?\*/)|(?P<text>[xX]?'(?:[^']|'')*')|(?P<name>\"(?:[^\"]|\"\")*\")"
    r"|(?P<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<parameter>\?\d*)|(?P<sign>.)",
    re.DOTALL)


def tokens(sql):
    """Pairs of kind and text. Their texts together are the SQL."""
    return [(match.lastgroup, match.group()) for match in TOKEN.finditer(sql)]


def without_comments(sql):
    return "".join(" " if kind == "comment" else text for kind, text in tokens(sql))


def numbered(sql):
    """The SQL with `$1`, `$2`… for each `?`, as PostgreSQL wants them."""
    result, number = [], 0
    for kind, text in tokens(sql):
        if kind == "parameter":
            number += 1
            text = f"${text[1:] or number}"
        result.append(text)
    return "".join(result)


def replaced(sql, words):
    """The SQL with other words in place of some, outside of texts and names in quotes."""
    return "".join(
        words.get(text.upper(), text) if kind == "word" else text for kind, text in tokens(sql))


def closing(sql, opening):
    """The position of the parenthesis that closes the one at `opening`."""
    depth, position = 0, opening
    for _, text in tokens(sql[opening:]):
        depth += (text == "(") - (text == ")")
        if depth == 0:
            return position
        position += len(text)
    raise ValueError(f"a parenthesis is not closed: {sql}")


def split(sql, separator):
    """The parts between separators that are in no parenthesis."""
    parts, depth = [""], 0
    for _, text in tokens(sql):
        depth += (text == "(") - (text == ")")
        if text == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += text
    return [part.strip() for part in parts if part.strip()]
