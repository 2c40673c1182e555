#!/usr/bin/env python3
"""Makes holidays.json: the public holidays of each country on which no deadline ends.

    pip install holidays==0.108 && seed/rights/days_off.py

Only Mondays to Fridays, since a deadline never ends on a Saturday or Sunday anyway, and only days
that are free in the whole country; for the United Kingdom those of England and Wales.
"""

import json
from datetime import date
from pathlib import Path

import holidays

HERE = Path(__file__).parent
YEARS = range(2026, 2037)
WHOLE_COUNTRY = {"GB": "ENG"}


def main() -> None:
    rows = json.loads((HERE / "jurisdictions.json").read_text(encoding="utf-8"))["jurisdictions"]
    countries = sorted(row["country"] for row in rows if "part_of" not in row)
    lines = [f"    {json.dumps(country)}: {json.dumps(days(country))}" for country in countries]
    (HERE / "holidays.json").write_text(
        "{\n"
        '  "about": "Public holidays from Monday to Friday, by country; made by days_off.py.",\n'
        f'  "first": "{date(YEARS[0], 1, 1)}",\n'
        f'  "last": "{date(YEARS[-1], 12, 31)}",\n'
        '  "countries": {\n' + ",\n".join(lines) + "\n  }\n}\n",
        encoding="utf-8",
    )


def days(country: str) -> list[str]:
    found = holidays.country_holidays(
        country, subdiv=WHOLE_COUNTRY.get(country), years=YEARS, categories="public"
    )
    return [day.isoformat() for day in sorted(found) if day.weekday() < 5]


if __name__ == "__main__":
    main()
