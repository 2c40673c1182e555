"""csvw checks the CSV file against its description (CSV on the Web), cell by cell."""

import unittest

from clauses import ask
from exported import described_table


class CSVWTests(unittest.TestCase):
    def test_every_cell_of_the_table_is_as_its_description_says(self):
        described = ask("/api/exports/devices.csv-metadata.json", country="CH").json
        is_valid, faults, rows = described_table(ask("/api/exports/devices.csv", country="CH").body, described)
        self.assertTrue(is_valid, faults[:5])
        features = ask("/api/exports/devices.geojson", country="CH").json["features"]
        places = {one["id"]: one["geometry"]["coordinates"] for one in features}
        self.assertGreater(len(places), 1_000)
        self.assertEqual({row["id"] for row in rows}, set(places))
        for row in rows:
            longitude, latitude = places[row["id"]]
            self.assertAlmostEqual(float(row["longitude"]), longitude, places=6)
            self.assertAlmostEqual(float(row["latitude"]), latitude, places=6)

    def test_it_would_find_a_wrong_cell(self):
        described = ask("/api/exports/devices.csv-metadata.json").json
        lines = ask("/api/exports/devices.csv", country="PT").body.splitlines(keepends=True)
        place = lines[0].decode().strip().split(",").index("longitude")
        cells = lines[1].split(b",")
        self.assertGreater(len(lines), 1)
        cells[place] = b"east"
        self.assertFalse(described_table(lines[0] + b",".join(cells), described)[0])
