"""How old is the knowledge? Years since the last confirmation or observation, on the day of the snapshot.

    python3 freshness.py 2026-11-21.csv.gz 2026-11-21 camera_fixed freshness.svg
"""

import sys
from collections import Counter
from datetime import date

from figure import bars, devices

snapshot, day, category, picture = sys.argv[1:]
day = date.fromisoformat(day)
LABELS = ["less than 1 year", "1 to 2 years", "2 to 4 years", "4 years and more", "no date"]
ages, due = Counter(), 0
for device in devices(snapshot):
    if device["category"] != category or device["status"] in ("removed", "not_a_device"):
        continue
    seen = (device["last_confirmed"] or device["observed_on"])[:10]
    if not seen:
        ages["no date"] += 1
    else:
        years = (day - date.fromisoformat(seen)).days / 365.25
        ages[LABELS[0 if years < 1 else 1 if years < 2 else 2 if years < 4 else 3]] += 1
    due += bool(device["stale_on"]) and device["stale_on"] <= day.isoformat()
rows = [(label, ages[label]) for label in LABELS]
for label, count in rows:
    print(f"{count:>9,}  {label}")
print(f"{due:,} of {ages.total():,} are due for a check")
bars(picture, f"{category}: age of the last observation on {day}", rows, f"{due:,} are due for a check")
