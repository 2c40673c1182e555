"""R and its package sf as Debian packages them."""

import tempfile
import unittest
from pathlib import Path

from reading import SUBSETS, cameras_in_geneva, devices, needs, output, root, snippet


@needs("Rscript")
class RTests(unittest.TestCase):
    def ids(self, subset=None):
        """The ids that sf reads."""
        box, where = (subset.box, subset.where) if subset else (None, None)
        options = ["quiet = TRUE"]
        if where:
            options.append(f'query = "SELECT * FROM devices WHERE {where}"')
        else:
            options.append('layer = "devices"')
        if box:
            names = dict(zip(("xmin", "ymin", "xmax", "ymax"), box, strict=True))
            edges = ", ".join(f"{name} = {edge}" for name, edge in names.items())
            options.append(f"wkt_filter = st_as_text(st_as_sfc(st_bbox(c({edges}), crs = 4326)))")
        program = Path(tempfile.mkdtemp(prefix="farol-r-")) / "read.R"
        program.write_text(
            "suppressMessages(library(sf))\n"
            f'found <- st_read("OAPIF:{root()}", {", ".join(options)})\n'
            "cat(found$id, sep = '\\n')\n")
        return output("Rscript", "--vanilla", program).split()

    def test_it_reads_every_device(self):
        self.assertEqual(sorted(self.ids()), sorted(feature["id"] for feature in devices()))

    def test_it_reads_the_subsets_that_a_plain_look_finds(self):
        for subset in SUBSETS:
            with self.subTest(subset.name):
                self.assertEqual(set(self.ids(subset)), subset.ids)

    def test_the_snippet_of_the_page_counts_the_cameras(self):
        words = output("Rscript", "--vanilla", snippet("r.R"))
        self.assertEqual(words.split()[:2], [str(cameras_in_geneva()), "devices"])
