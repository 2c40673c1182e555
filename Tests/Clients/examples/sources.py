"""How did the devices get onto the map? Counts them by source and licence.

    python3 sources.py 2026-11-21.csv.gz sources.svg
"""

import sys
from collections import Counter

from figure import bars, devices

snapshot, picture = sys.argv[1:]
counts, licences = Counter(), Counter()
for device in devices(snapshot):
    counts[device["source"] or "contributed here"] += 1
    licences[device["licence"]] += 1
total = counts.total()
for source, count in counts.most_common():
    print(f"{count:>9,}  {count / total:6.1%}  {source}")
print("licences:", ", ".join(f"{licence} {count:,}" for licence, count in licences.most_common()))
bars(picture, "Devices by source", counts.most_common(), f"{total:,} devices in {snapshot}")
