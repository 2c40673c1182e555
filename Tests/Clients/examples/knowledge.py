"""What is known about each category: observed, assumed from the category, or unknown.

    python3 knowledge.py 2026-11-21.csv.gz data_collected knowledge.svg
"""

import sys
from collections import Counter, defaultdict

from figure import bars, devices, values

snapshot, column, picture = sys.argv[1:]
categories = defaultdict(Counter)
for device in devices(snapshot):
    if device["status"] in ("removed", "not_a_device"):
        continue
    if not device[column]:
        state = "unknown"
    else:
        state = "assumed" if column in values(device["assumed"]) else "observed"
    categories[device["category"]][state] += 1
for category, states in sorted(categories.items()):
    total = states.total()
    shares = "  ".join(f"{state} {states[state] / total:6.1%}" for state in ("observed", "assumed", "unknown"))
    print(f"{category:<20} {total:>8,}  {shares}")
rows = sorted(((category, states["observed"]) for category, states in categories.items()), key=lambda row: -row[1])
bars(picture, f"Devices whose {column} was observed", rows, "Values that Farol assumed from the category are left out.")
