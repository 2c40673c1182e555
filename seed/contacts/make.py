#!/usr/bin/env python3
"""Makes organisations.jsonl.gz: where requests reach organisations, one a line.

    seed/contacts/make.py SOURCE

SOURCE is the folder `companies` of datenanfragen/data, or its files joined as JSON lines, gzipped
or not. The same source gives the same bytes. What had to be mended or left out is counted on the
way; SOURCE.md repeats the counts.
"""

import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

OUTPUT = Path(__file__).parent / "organisations.jsonl.gz"

EMAIL = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+"
    r"@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+"
)
HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+")
BRACKET = re.compile(r"\s*\(([^()]*)\)$")
FORMERLY = {"formerly", "former", "ehem.", "ehemals", "früher", "vormals"}
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")

# The last line of an address, as far as the source names countries in several languages.
SEATS = {
    "Australia": "AU", "Austria": "AT", "Belgium": "BE", "Bulgaria": "BG", "Canada": "CA",
    "China": "CN", "Croatia": "HR", "Cyprus": "CY", "Czech Republic": "CZ", "Danmark": "DK",
    "Denmark": "DK", "Deutschland": "DE", "España": "ES", "Estonia": "EE", "Finland": "FI",
    "France": "FR", "Germany": "DE", "Gibraltar": "GI", "Greece": "GR", "Hong Kong": "HK",
    "Hrvatska": "HR", "Hungary": "HU", "Iceland": "IS", "India": "IN", "Ireland": "IE",
    "Isle of Man": "IM", "Israel": "IL", "Italia": "IT", "Italy": "IT", "Japan": "JP",
    "Latvia": "LV", "Liechtenstein": "LI", "Lithuania": "LT", "Luxembourg": "LU",
    "Malaysia": "MY", "Malta": "MT", "Marshall Islands": "MH", "Morocco": "MA",
    "Nederland": "NL", "New Zealand": "NZ", "Norway": "NO", "Pakistan": "PK", "Panama": "PA",
    "Poland": "PL", "Polska": "PL", "Portugal": "PT", "Qatar": "QA",
    "Republic of Singapore": "SG", "Romania": "RO", "Russia": "RU", "Schweiz": "CH",
    "Seychelles": "SC", "Singapore": "SG", "Slovakia": "SK", "Slovenia": "SI", "Spain": "ES",
    "Sverige": "SE", "Sweden": "SE", "Switzerland": "CH", "Taiwan": "TW",
    "The Netherlands": "NL", "United Arab Emirates": "AE", "United Kingdom": "GB",
    "United States": "US", "United States of America": "US", "Österreich": "AT",
}  # fmt: skip


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    counts: Counter[str] = Counter()
    made = merged([organisation(row, counts) for row in rows(Path(sys.argv[1]))], counts)
    lines = "".join(json.dumps(one, ensure_ascii=False, sort_keys=True) + "\n" for one in made)
    with OUTPUT.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(lines.encode())
    counts["written"] = len(made)
    for what, count in sorted(counts.items()):
        print(f"{count:5}  {what}")
    return 0


def rows(source: Path) -> Iterator[dict]:
    if source.is_dir():
        for file in sorted(source.glob("*.json")):
            yield json.loads(file.read_text(encoding="utf-8"))
        return
    data = source.read_bytes()
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
    yield from map(json.loads, text.splitlines())


def organisation(row: dict, counts: Counter[str]) -> dict:
    counts["read"] += 1
    made = {
        "code": row["slug"],
        "name": clean(row["name"], counts),
        "aliases": aliases(row, counts),
        "domains": domains(row, counts),
        "seat": seat(row["address"], counts),
        "countries": countries(row["relevant-countries"]),
        "email": email(row.get("email"), counts),
        "form": form(row.get("webform"), counts),
        "address": [clean(line, counts) for line in row["address"].split("\n") if line.strip()],
        "languages": [row["request-language"]] if "request-language" in row else [],
        "quality": row["quality"],
    }
    if not made["email"] and not made["form"]:
        counts["reached by post only"] += 1
    return {key: value for key, value in made.items() if value not in (None, [])}


def clean(text: str, counts: Counter[str]) -> str:
    """Without characters that cannot be seen, and with single spaces."""
    made = " ".join(INVISIBLE.sub("", text).split())
    if INVISIBLE.search(text):
        counts["invisible characters taken out"] += 1
    return made


def aliases(row: dict, counts: Counter[str]) -> list[str]:
    found = {without_note(clean(name, counts)) for name in row.get("runs", [])}
    name = row["name"].casefold()
    return sorted(alias for alias in found if alias and alias.casefold() != name)


def without_note(name: str) -> str:
    """Without a last bracket that says "formerly" or names hosts, which `domains` takes."""
    note = BRACKET.search(name)
    if note and (note[1].casefold() in FORMERLY or all(map(host_of, listed(note[1])))):
        return name[: note.start()]
    return name


def listed(text: str) -> list[str]:
    return [part for part in re.split(r"[,;\s]+", text) if part]


def domains(row: dict, counts: Counter[str]) -> list[str]:
    """The hosts of its web site and of the brands that are named by their host."""
    found = set()
    for text in [row.get("web", ""), *row.get("runs", [])]:
        note = BRACKET.search(text)
        found.update(filter(None, map(host_of, [text, *(listed(note[1]) if note else [])])))
    if row.get("web") and not host_of(row["web"]):
        counts["web sites without a host"] += 1
    return sorted(found)


def host_of(text: str) -> str | None:
    text = text.strip()
    if "://" in text:
        text = urlsplit(text).hostname or ""
    try:
        host = text.lower().rstrip("/").encode("idna").decode()
    except UnicodeError:
        return None
    host = host.removeprefix("www.")
    return host if HOST.fullmatch(host) and not host.split(".")[-1].isdigit() else None


def seat(address: str, counts: Counter[str]) -> str | None:
    last = address.strip().split("\n")[-1].strip()
    if last not in SEATS:
        counts["addresses without a known country"] += 1
    return SEATS.get(last)


def countries(codes: list[str]) -> list[str]:
    """Where it is asked; none means everywhere."""
    return [] if "all" in codes else sorted(code.upper() for code in codes)


def email(text: str | None, counts: Counter[str]) -> str | None:
    if not text:
        return None
    local, _, host = clean(text, counts).rpartition("@")
    try:
        made = f"{local}@{host.encode('idna').decode()}"
    except UnicodeError:
        made = ""
    if not EMAIL.fullmatch(made) or ".." in local or local.startswith(".") or local.endswith("."):
        counts["e-mail addresses left out"] += 1
        return None
    if host != made.rpartition("@")[2]:
        counts["e-mail hosts written in ASCII"] += 1
    return made


def form(text: str | None, counts: Counter[str]) -> str | None:
    if not text:
        return None
    parts = urlsplit(text)
    if parts.scheme != "https" or not parts.hostname or not HOST.fullmatch(parts.hostname):
        counts["forms left out"] += 1
        return None
    return text


def merged(made: list[dict], counts: Counter[str]) -> list[dict]:
    """One line where name, e-mail, form and address are the same."""
    kept: dict[tuple, dict] = {}
    for one in sorted(made, key=lambda one: one["code"]):
        key = (one["name"].casefold(), one.get("email"), one.get("form"), tuple(one["address"]))
        first = kept.setdefault(key, one)
        if first is one:
            continue
        counts["joined with another of the same name and contact"] += 1
        for field in ("aliases", "domains", "languages"):
            if field in first or field in one:
                first[field] = sorted({*first.get(field, []), *one.get(field, [])})
        if "countries" in first and "countries" in one:
            first["countries"] = sorted({*first["countries"], *one["countries"]})
        else:
            first.pop("countries", None)
    return list(kept.values())


if __name__ == "__main__":
    sys.exit(main())
