"""The file with all tiles, read by the library of its format and by GDAL."""

import gzip
import tempfile
import time
import unittest
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import mapbox_vector_tile
import pyogrio
from pmtiles.reader import MmapSource, Reader, all_tiles

from instance import devices, farol

PATH = "/api/exports/devices.pmtiles"
PATIENCE = 60


def received(folder):
    """The file, which the server makes after its start."""
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(farol().address + PATH, timeout=60) as response:
                file = Path(folder, "devices.pmtiles")
                file.write_bytes(response.read())
                return file
        except HTTPError as error:
            if error.code != 404 or time.monotonic() > ends:
                raise
            time.sleep(0.2)


class PMTilesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.file = received(cls.folder.name)

    def test_each_zoom_counts_every_device_once(self):
        counts = {}
        with self.file.open("rb") as file:
            for (z, _, _), packed in all_tiles(MmapSource(file)):
                tile = mapbox_vector_tile.decode(gzip.decompress(packed))
                clusters = tile.get("clusters", {}).get("features", [])
                count = len(tile.get("devices", {}).get("features", []))
                count += sum(one["properties"]["count"] for one in clusters)
                counts[z] = counts.get(z, 0) + count
        self.assertEqual(counts, dict.fromkeys(range(15), len(devices())))

    def test_the_header_and_the_metadata_describe_the_tiles(self):
        with self.file.open("rb") as file:
            reader = Reader(MmapSource(file))
            header, metadata = reader.header(), reader.metadata()
        self.assertEqual((header["version"], header["min_zoom"], header["max_zoom"]), (3, 0, 14))
        self.assertTrue(header["clustered"])
        self.assertEqual([layer["id"] for layer in metadata["vector_layers"]], ["clusters", "devices"])
        longitudes = [one["geometry"]["coordinates"][0] for one in devices()]
        self.assertLessEqual(header["min_lon_e7"] / 1e7, min(longitudes))
        self.assertGreaterEqual(header["max_lon_e7"] / 1e7, max(longitudes))

    def test_gdal_reads_the_devices_of_the_last_zoom(self):
        frame = pyogrio.raw.read(str(self.file), layer="devices", columns=["id"])
        # Devices at one position are a cluster also there.
        found = set(frame[3][0])
        everything = {one["id"] for one in devices()}
        self.assertLessEqual(found, everything)
        self.assertGreater(len(found), 0.8 * len(everything))
