"""Portuguese names (pt-PT) of countries and well-known cities, from CLDR."""

import re
from functools import cache
from pathlib import Path

from babel import Locale

PORTUGUESE = Locale("pt", "PT")
ENGLISH = Locale("en")


def country(code: str) -> tuple[str, str] | None:
    """The English and Portuguese names of an ISO 3166-1 alpha-2 code."""
    english = ENGLISH.territories.get(code)
    portuguese = PORTUGUESE.territories.get(code)
    return (english, portuguese) if english and portuguese else None


def city(name: str, country_code: str, timezone: str, others: list[str]) -> str | None:
    """The Portuguese name of a city, if it is known and differs from `name`.

    CLDR names the city of each time zone; `exonyms-pt.tsv` has the other well-known cities. The city of a zone
    is the last part of the zone's name.
    """
    found = exonym(name, country_code)
    if found is None:
        title = timezone.rsplit("/", 1)[-1].replace("_", " ")
        if title == name or (title in others and _is_spelling(title, name)):
            found = _zone_cities().get(timezone)
    return found if found != name else None


# Remarks at the end of a name: "(Dorf)", "(historical)", "[Fraccionamiento]".
_REMARK = re.compile(r"(?:\s*[(\[][^()\[\]]*[)\]])+$")
# A district of a Swiss city, whose number belongs to its name.
_DISTRICT = re.compile(r"(?:Stadt )?(.+) \((Kreis \d+)\)$")


def plain(name: str, country_code: str) -> str:
    """A name of GeoNames as people say it: a quarter without its municipality, and no remarks in brackets.

    >>> plain("Zürich (Kreis 9) / Albisrieden", "CH"), plain("Stadt Winterthur (Kreis 1)", "CH")
    ('Albisrieden', 'Winterthur Kreis 1')
    >>> plain("Volketswil / Volketswil (Dorf)", "CH"), plain("Puerta del Sol [Fraccionamiento]", "MX")
    ('Volketswil', 'Puerta del Sol')

    Elsewhere a slash separates the names of two languages, and both stay.

    >>> plain("Donostia / San Sebastián", "ES")
    'Donostia / San Sebastián'
    """
    if country_code == "CH":
        name = name.rsplit(" / ", 1)[-1]
        district = _DISTRICT.match(name)
        if district:
            return " ".join(district.groups())
    return _REMARK.sub("", name) or name


def exonym(name: str, country_code: str) -> str | None:
    """The Portuguese name of a city or region in `exonyms-pt.tsv`."""
    return _exonyms().get((country_code, name))


def _is_spelling(title: str, name: str) -> bool:
    return title[:2].casefold() == name[:2].casefold()


@cache
def _zone_cities() -> dict[str, str]:
    zones = PORTUGUESE.time_zones
    return {zone: zones[zone]["city"] for zone in zones if zones[zone].get("city")}


@cache
def _exonyms() -> dict[tuple[str, str], str]:
    found = {}
    for line in (Path(__file__).parent / "exonyms-pt.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            country_code, name, portuguese = line.split("\t")
            found[country_code, name] = portuguese
    return found
