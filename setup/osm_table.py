#!/usr/bin/env python3
"""Writes docs/reference/openstreetmap.md, the meaning of OpenStreetMap's tags in imports, from seed/mappings/osm.json.

`osm_table.py` writes the page; `osm_table.py check` fails if the page is not the present one.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAPPING = ROOT / "seed/mappings/osm.json"
PAGE = ROOT / "docs/reference/openstreetmap.md"

INTRODUCTION = """# Tags of OpenStreetMap in imports

*For mappers, and operators who import.*

How the mapping `osm` ([import](import.md)) reads the tags of OpenStreetMap. `setup/osm_table.py` writes this page from
`seed/mappings/osm.json`, and `make lint` checks it. If a condition names several keys or values, one of them is enough. A
value may be a list with semicolons; each element counts. A *lifecycle prefix* is one of {prefixes}. *Empty* is one of
{empty}.
"""


LIFECYCLE = [
    "disused:", "abandoned:", "removed:", "was:", "demolished:", "razed:", "destroyed:", "dismantled:", "former:", "old:",
    "proposed:", "planned:", "construction:",
]
# A rule with more values than these shows only the results; the mapping has the words.
MANY = 20
EMPTY = ["no", "none", "false", "0"]


def codes(texts: list[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts)


def main() -> int:
    page = written(json.loads(MAPPING.read_text("utf-8")))
    if sys.argv[1:] == ["check"]:
        if PAGE.read_text("utf-8") == page:
            return 0
        print("docs/reference/openstreetmap.md is not that of the mapping; run setup/osm_table.py", file=sys.stderr)
        return 1
    PAGE.write_text(page, "utf-8")
    return 0


def written(mapping: dict) -> str:
    conditions = mapping["conditions"]
    parts = [INTRODUCTION.format(prefixes=codes(LIFECYCLE), empty=codes(EMPTY))]
    parts.append("## Named conditions\n\n" + table(
        ["name", "holds if"], [[f"`{name}`", said(condition)] for name, condition in conditions.items()]))
    for kind, title in [
        ("skip", "Elements that are left out"), ("refuse", "Elements that are refused"),
        ("flag", "Devices that are flagged"),
    ]:
        rows = [[said(rule["when"]), f"`{rule['code']}`" + (" (the device is gone)" if rule.get("gone") else ""),
                 rule["because"]] for rule in mapping.get(kind, [])]
        parts.append(f"## {title}\n\n" + table(["if", "code", "reason"], rows))
    parts.append("## Category\n\nThe first row that applies counts.\n\n" + table(
        ["tags", "category", "flag"], [row for rule in mapping["fields"]["category"] for row in of_rule(rule)]))
    parts.append("## Other fields\n\nThe first row of a field that applies counts.\n\n" + table(
        ["field", "tags", "value", "flag"],
        [[f"`{field}`", *row] for field, rules in mapping["fields"].items() if field not in ("category", "name")
         for rule in (rules if isinstance(rules, list) else [rules]) for row in of_rule(rule)]))
    return "\n".join(parts)


def of_rule(rule: object) -> list[list[str]]:
    """The rows of a rule: tags, value and flag."""
    if not isinstance(rule, dict):
        return [[f"`{rule}`", "its value", ""]]
    where = f", if {said(rule['when'])}" if "when" in rule else ""
    flag = rule.get("flag", "")
    if "value" in rule:
        return [[said(rule["when"]) if "when" in rule else "any", f"`{shown(rule['value'])}`", flag]]
    keys = rule.get("from", rule.get("template", ""))
    keys = keys if isinstance(keys, list) else [keys]
    names = " or ".join(f"`{key}`" for key in keys)
    values = rule.get("values", {})
    rows: dict[str, list[str]] = {}
    for value, result in values.items():
        rows.setdefault(shown(result), []).append(value)
    found = []
    for pattern in rule.get("patterns", []):
        test = next(kind for kind in ("equals", "prefix", "suffix", "contains") if kind in pattern)
        texts = pattern[test] if isinstance(pattern[test], list) else [pattern[test]]
        words = {"equals": "is", "prefix": "begins with", "suffix": "ends with", "contains": "contains"}[test]
        found.append([f"{names} {words} " + ", ".join(f"`{text}`" for text in texts) + where,
                      f"`{shown(pattern['value'])}`", flag])
    if values and not rule.get("patterns"):
        other = {"keep": "its value", "drop": "unknown"}.get(rule.get("otherwise", "flag"), "unknown, with a flag")
        if sum(map(len, rows.values())) > MANY:
            known = codes([result for result in rows if result != "null"])
            return [[names + where, f"{known}, also by other words; any other: {other}", flag]]
        named = [f"{codes(given)}: {'unknown' if result == 'null' else f'`{result}`'}" if given != [result] else
                 f"`{result}`" for result, given in rows.items()]
        return [[names + where, "; ".join([*named, f"any other: {other}"]), flag]]
    if values or rule.get("patterns"):
        found = [[f"{names}: {codes(given)}{where}", "unknown" if result == "null" else f"`{result}`", flag]
                 for result, given in rows.items()] + found
        other = {"keep": "its value", "drop": "unknown"}.get(rule.get("otherwise", "flag"), "unknown, with a flag")
        return [*found, [f"{names}: any other{where}", other, flag]]
    assumed = " (assumed)" if rule.get("assumed") else ""
    return [[names + where, f"its value{assumed}", flag]]


def said(condition: dict) -> str:
    """A condition in words."""
    if "all" in condition:
        return "(" + " and ".join(said(one) for one in condition["all"]) + ")"
    if "any" in condition:
        return "(" + " or ".join(said(one) for one in condition["any"]) + ")"
    if "not" in condition:
        return "not " + said(condition["not"])
    if "is" in condition:
        return f"*{condition['is']}*"
    keys = [condition["column"]] if "column" in condition else condition["columns"]
    prefixes = condition.get("prefixes")
    names = ", ".join(f"`{key}`" for key in keys)
    if prefixes:
        names += " after a *lifecycle prefix*" if prefixes == LIFECYCLE else " after " + codes(prefixes)
    return f"{names} {test(condition)}"


def test(condition: dict) -> str:
    if "present" in condition:
        return "present" if condition["present"] else "absent"
    if "past" in condition:
        return "is past" if condition["past"] else "is not past"
    for kind, words in [
        ("equals", "is"), ("contains", "contains"), ("prefix", "begins with"), ("suffix", "ends with"),
        ("other_than", "is something else than"),
    ]:
        if kind in condition:
            texts = texts_of(condition[kind])
            if kind == "other_than" and texts == EMPTY:
                return "is not *empty*"
            return f"{words} {codes(texts)}"
    raise ValueError(f"a condition of an unknown kind: {condition}")


def texts_of(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def shown(result: object) -> str:
    if isinstance(result, dict):
        return shown(result.get("value"))
    if result is None:
        return "null"
    return ", ".join(map(str, result)) if isinstance(result, list) else str(result).lower() if isinstance(
        result, bool) else str(result)


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
