#!/usr/bin/env python3
"""Makes authorities.json from authorities-source.jsonl and corrections.json.

    seed/rights/make.py           writes the file
    seed/rights/make.py --check   fails if the file is not what it would write

Every defect that is not mended by corrections.json stops it, by name.
"""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
ADDRESS = re.compile(r"https://[a-z0-9.-]+\.[a-z]{2,}(/\S*)?")


def main() -> int:
    text = json.dumps(authorities(), ensure_ascii=False, indent=2) + "\n"
    output = HERE / "authorities.json"
    if "--check" in sys.argv:
        if not output.exists() or output.read_text(encoding="utf-8") != text:
            print("seed/rights/authorities.json is not what make.py writes", file=sys.stderr)
            return 1
        return 0
    output.write_text(text, encoding="utf-8")
    return 0


def authorities() -> dict:
    corrections = json.loads((HERE / "corrections.json").read_text(encoding="utf-8"))
    source = (HERE / "authorities-source.jsonl").read_text(encoding="utf-8")
    rows = {row["slug"]: row for row in map(json.loads, source.splitlines())}
    named = [*corrections["left_out"], *corrections["regions"], *corrections["notes"]]
    named += [change["code"] for change in corrections["changes"]]
    for code in named:
        if code not in rows:
            raise SystemExit(f"corrections.json names {code}, which the source does not have")
    made = [
        authority(row, corrections)
        for code, row in sorted(rows.items())
        if code not in corrections["left_out"]
    ]
    made.sort(key=lambda one: (one["country"], one["region"] or "", one["code"]))
    for one in made:
        check(one)
    return {"authorities": made}


def authority(row: dict, corrections: dict) -> dict:
    [country] = row["relevant-countries"]
    name, name_en = names(row["name"], country)
    code = row["slug"]
    region = corrections["regions"].get(code, {})
    made = {
        "code": code,
        "country": country.upper(),
        "region": region.get("region"),
        "sector": region.get("sector"),
        "name": name,
        "name_en": name_en,
        "address": [line.strip() for line in row["address"].split("\n")],
        "phone": row.get("phone"),
        "email": row.get("email"),
        "web": row.get("web"),
        "complaint_page": row.get("webform"),
        "languages": [row["complaint-language"]] if "complaint-language" in row else [],
        "note": corrections["notes"].get(code),
        "sources": row["sources"],
    }
    for change in corrections["changes"]:
        if change["code"] != code:
            continue
        made.update(change["set"])
        if "source" in change:
            made["sources"] = [change["source"], *made["sources"]]
    return made


def names(name: str, country: str) -> tuple[str, str | None]:
    """Outside Germany an English name stands in brackets after the authority's own."""
    found = re.fullmatch(r"(.*\S) \((.*)\)", name)
    if country == "de" or not found:
        return name, None
    return found[1], found[2]


def check(one: dict) -> None:
    def refuse(what: str) -> None:
        raise SystemExit(f"{one['code']}: {what}")

    if not one["languages"]:
        refuse("no complaint language")
    if len(one["address"]) < 2 or not all(one["address"]):
        refuse(f"address {one['address']}")
    if not one["email"] and not one["complaint_page"]:
        refuse("neither e-mail nor complaint page")
    if one["email"] and not EMAIL.fullmatch(one["email"]):
        refuse(f"e-mail {one['email']}")
    for field in ("web", "complaint_page"):
        if one[field] and not ADDRESS.fullmatch(one[field]):
            refuse(f"{field} {one[field]}")
    if not one["web"]:
        refuse("no website")


if __name__ == "__main__":
    sys.exit(main())
