"""OGC API – Tiles, Part 1 (20-057), clause by clause: each test names its requirement of `/req`."""

import math
import tempfile
import unittest
from pathlib import Path

import pyogrio

from clauses import REL, WEB_MERCATOR, ask, collections, parameters
from instance import devices
from subsets import GENEVA

MVT = "application/vnd.mapbox-vector-tile"
SCHEME = "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad"
TILE = "/api/collections/devices/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}"


def tile_of(zoom, longitude, latitude):
    """Row and column of the tile that contains a position (17-083r4, annex D.1)."""
    count = 2 ** zoom
    latitude = math.radians(latitude)
    return (int((1 - math.asinh(math.tan(latitude)) / math.pi) / 2 * count),
            int((longitude + 180) / 360 * count))


def filled(template, matrix, row, column):
    return (template.replace("{tileMatrix}", str(matrix)).replace("{tileRow}", str(row))
            .replace("{tileCol}", str(column)))


def layers_of(tile):
    """How many features each layer of a tile has, read by GDAL."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "tile.mvt")
        file.write_bytes(tile)
        return {name: pyogrio.read_info(file, layer=name)["features"]
                for name, _ in pyogrio.list_layers(file)}


class TilesTests(unittest.TestCase):
    def tilesets(self, collection):
        return ask(f"/api/collections/{collection['id']}/tiles")

    def template(self, collection):
        tileset = self.tilesets(collection).json["tilesets"][0]
        own = ask(next(one["href"] for one in tileset["links"] if one["rel"] == "self"))
        return own.links("item")[0]["href"]

    def test_a_collection_links_to_the_list_of_its_tilesets(self):
        """geodata-tilesets/desc-links"""
        for collection in collections():
            links = [one for one in collection["links"] if one["rel"] == f"{REL}tilesets-vector"]
            self.assertEqual(len(links), 1)
            self.assertTrue(links[0]["href"].endswith(f"/api/collections/{collection['id']}/tiles"))

    def test_the_list_tells_what_each_tileset_is(self):
        """geodata-tilesets/operation, tilesets-list/tileset-links"""
        for collection in collections():
            answer = self.tilesets(collection)
            self.assertEqual((answer.status, answer.type), (200, "application/json"))
            for tileset in answer.json["tilesets"]:
                self.assertEqual(tileset["dataType"], "vector")
                self.assertEqual(tileset["crs"], WEB_MERCATOR)
                self.assertEqual(tileset["tileMatrixSetURI"], SCHEME)
                relations = [one["rel"] for one in tileset["links"]]
                self.assertIn("self", relations)
                self.assertIn(f"{REL}tiling-scheme", relations)

    def test_a_tileset_lies_below_the_list_under_the_name_of_its_matrices(self):
        """tilesets-list/tileset-links"""
        for collection in collections():
            for tileset in self.tilesets(collection).json["tilesets"]:
                own = next(one["href"] for one in tileset["links"] if one["rel"] == "self")
                self.assertTrue(own.endswith(f"/{collection['id']}/tiles/WebMercatorQuad"), own)

    def test_a_tileset_links_to_its_matrices_and_to_its_tiles(self):
        """tileset/description"""
        for collection in collections():
            answer = ask(f"/api/collections/{collection['id']}/tiles/WebMercatorQuad")
            self.assertEqual((answer.status, answer.type), (200, "application/json"))
            self.assertEqual((answer.json["dataType"], answer.json["tileMatrixSetURI"]), ("vector", SCHEME))
            scheme = ask(answer.links(f"{REL}tiling-scheme")[0]["href"]).json
            self.assertEqual((scheme["id"], scheme["uri"]), ("WebMercatorQuad", SCHEME))
            tiles = answer.links("item")
            self.assertGreater(len(tiles), 0)
            for one in tiles:
                self.assertTrue(one["templated"])
                self.assertEqual(one["type"], MVT)
                for name in ("{tileMatrix}", "{tileRow}", "{tileCol}"):
                    self.assertIn(name, one["href"])

    def test_the_matrices_are_those_of_the_registered_set(self):
        """tileset/description, 17-083r4 annex D.1"""
        scheme = ask("/api/tileMatrixSets/WebMercatorQuad").json
        self.assertEqual(scheme["crs"], WEB_MERCATOR)
        for zoom, matrix in enumerate(scheme["tileMatrices"]):
            self.assertEqual(matrix["id"], str(zoom))
            self.assertEqual((matrix["matrixWidth"], matrix["matrixHeight"]), (2 ** zoom, 2 ** zoom))
            self.assertEqual((matrix["tileWidth"], matrix["tileHeight"]), (256, 256))
            self.assertAlmostEqual(matrix["scaleDenominator"] * 2 ** zoom, 559_082_264.0287178, places=4)
            self.assertAlmostEqual(matrix["cellSize"] * 2 ** zoom, 156_543.03392804097, places=7)
            for origin, expected in zip(matrix["pointOfOrigin"], (-20_037_508.342789244, 20_037_508.342789244)):
                self.assertAlmostEqual(origin, expected, places=6)

    def test_the_three_numbers_are_parameters_of_the_path(self):
        """core/tc-tilematrix-definition, core/tc-tilerow-definition, core/tc-tilecol-definition"""
        defined = parameters(TILE)
        for name in ("tileMatrix", "tileRow", "tileCol"):
            self.assertEqual((defined[name]["in"], defined[name]["required"]), ("path", True))
            self.assertEqual(defined[name]["schema"]["minimum"], 0)

    def test_a_tile_holds_what_lies_in_it_row_before_column(self):
        """core/tc-op, core/tc-success, mvt/content"""
        west, south, east, north = GENEVA
        middle = ((west + east) / 2, (south + north) / 2)
        template = self.template({"id": "devices"})
        for zoom in (8, 11):
            row, column = tile_of(zoom, *middle)
            answer = ask(filled(template, zoom, row, column), accept=MVT)
            self.assertEqual((answer.status, answer.type), (200, MVT))
            inside = [one for one in devices() if tile_of(zoom, *one["geometry"]["coordinates"]) == (row, column)]
            self.assertGreater(len(inside), 0)
            self.assertGreater(sum(layers_of(answer.body).values()), 0)
            self.assertNotEqual(ask(filled(template, zoom, column, row)).body, answer.body)

    def test_near_the_ground_a_tile_has_each_device_of_its_area(self):
        """core/tc-success"""
        template = self.template({"id": "devices"})
        row, column = tile_of(16, *devices()[-1]["geometry"]["coordinates"])
        inside = sum(tile_of(16, *one["geometry"]["coordinates"]) == (row, column) for one in devices())
        found = layers_of(ask(filled(template, 16, row, column)).body)
        # The buffer around the tile contains symbols that reach into the tile.
        self.assertGreaterEqual(found["devices"], inside)
        self.assertGreater(inside, 0)

    def test_every_collection_has_a_first_tile(self):
        """core/tc-success"""
        for collection in collections():
            answer = ask(filled(self.template(collection), 0, 0, 0))
            self.assertEqual((answer.status, answer.type), (200, MVT))
            self.assertGreater(sum(layers_of(answer.body).values()), 0)

    def test_numbers_outside_of_the_matrices_are_refused(self):
        """core/tc-error A"""
        for collection in collections():
            template = self.template(collection)
            for matrix, row, column in ((0, 1, 0), (0, 0, 1), (3, 8, 0), (3, 0, 8), (23, 0, 0), (-1, 0, 0),
                                        (3, -1, 0), ("x", 0, 0), (3, "1.5", 0), (3, 0, 2 ** 64)):
                status = ask(filled(template, matrix, row, column)).status
                self.assertIn(status, (400, 404), (matrix, row, column))

    def test_a_tile_with_nothing_in_it_is_empty(self):
        """core/tc-error B"""
        for collection in collections():
            answer = ask(filled(self.template(collection), 10, *tile_of(10, -150.0, -60.0)))
            self.assertEqual((answer.status, answer.body), (204, b""))

    def test_another_set_of_matrices_is_not_there(self):
        """core/tc-error"""
        self.assertEqual(ask("/api/collections/devices/tiles/WorldCRS84Quad").status, 404)
        self.assertEqual(ask("/api/tileMatrixSets/WorldCRS84Quad").status, 404)

    def test_a_kind_of_tile_that_nobody_makes_is_refused(self):
        """core/tc-success: negotiation"""
        self.assertEqual(ask(filled(TILE, 0, 0, 0), accept="image/png").status, 406)
