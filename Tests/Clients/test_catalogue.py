"""rdflib reads the catalogue as RDF, as data portals do. The classes and cardinalities are those of DCAT-AP 3.0."""

import unittest
from hashlib import sha256
from xml.etree import ElementTree

from rdflib import DCAT, DCTERMS, FOAF, RDF, XSD, Graph, Literal, Namespace, URIRef

from clauses import ask
from instance import devices

SPDX = Namespace("http://spdx.org/rdf/terms#")
AUTHORITY = "http://publications.europa.eu/resource/authority/"
SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"

# The least and the highest number of values; None is any number.
CARDINALITIES = {
    DCAT.Catalog: {
        DCTERMS.title: (1, None), DCTERMS.description: (1, None), DCTERMS.publisher: (1, 1), DCAT.dataset: (1, None),
        FOAF.homepage: (0, 1)},
    DCAT.Dataset: {
        DCTERMS.title: (1, None), DCTERMS.description: (1, None), DCTERMS.publisher: (0, 1), DCTERMS.issued: (0, 1),
        DCTERMS.modified: (0, 1), DCTERMS.accrualPeriodicity: (0, 1), DCTERMS.accessRights: (0, 1),
        DCAT.version: (0, 1)},
    DCAT.Distribution: {
        DCAT.accessURL: (1, None), DCTERMS.license: (1, 1), DCTERMS.rights: (0, 1), DCTERMS.format: (0, 1),
        DCAT.mediaType: (0, 1), DCAT.compressFormat: (0, 1), DCAT.byteSize: (0, 1), SPDX.checksum: (0, 1)},
    DCAT.DataService: {
        DCTERMS.title: (1, None), DCAT.endpointURL: (1, None), DCTERMS.publisher: (0, 1)},
    FOAF.Agent: {FOAF.name: (1, None)},
}


def catalogue():
    answer = ask("/api/catalogue", accept="application/ld+json")
    assert answer.status == 200 and answer.type == "application/ld+json"
    return Graph().parse(data=answer.body, format="json-ld")


class CatalogueTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graph = catalogue()

    def of(self, kind):
        return set(self.graph.subjects(RDF.type, kind))

    def test_each_resource_has_the_properties_of_its_class(self):
        for kind, properties in CARDINALITIES.items():
            self.assertTrue(self.of(kind), kind)
            for subject in self.of(kind):
                for name, (least, most) in properties.items():
                    count = len(set(self.graph.objects(subject, name)))
                    with self.subTest(subject=subject, name=name):
                        self.assertGreaterEqual(count, least)
                        self.assertLessEqual(count, count if most is None else most)

    def test_references_are_addresses_and_values_have_their_types(self):
        for name in (DCAT.accessURL, DCAT.downloadURL, DCTERMS.license, DCAT.mediaType, DCTERMS.publisher, DCAT.theme,
                     DCAT.landingPage, DCAT.endpointURL, DCAT.dataset, DCAT.distribution):
            values = set(self.graph.objects(None, name))
            self.assertTrue(values, name)
            for value in values:
                self.assertIsInstance(value, URIRef)
                self.assertTrue(value.startswith("http"), value)
        for name in (DCTERMS.title, DCTERMS.description, DCAT.keyword):
            for value in self.graph.objects(None, name):
                self.assertIsInstance(value, Literal)
        for value in self.graph.objects(None, DCTERMS.modified):
            self.assertEqual(value.datatype, XSD.dateTime)
            self.assertIsNotNone(value.value)
        for value in self.graph.objects(None, DCTERMS.format):
            self.assertTrue(value.startswith(AUTHORITY + "file-type/"), value)

    def test_the_box_contains_each_device(self):
        texts = [str(value) for value in self.graph.objects(None, DCAT.bbox)]
        self.assertEqual(len(texts), 1)
        pairs = [[float(number) for number in pair.split()]
                 for pair in texts[0].removeprefix("POLYGON((").removesuffix("))").split(",")]
        self.assertEqual(pairs[0], pairs[-1])
        west, south = map(min, zip(*pairs))
        east, north = map(max, zip(*pairs))
        for device in devices():
            longitude, latitude = device["geometry"]["coordinates"]
            self.assertTrue(west <= longitude <= east and south <= latitude <= north, device["id"])

    def test_a_file_of_a_snapshot_has_its_size_and_checksum(self):
        compressed = set(self.graph.subjects(DCAT.compressFormat, None))
        for file in compressed:
            bytes_of_file = ask(str(file)).body
            self.assertEqual(int(self.graph.value(file, DCAT.byteSize)), len(bytes_of_file))
            checksum = self.graph.value(file, SPDX.checksum)
            self.assertEqual(str(self.graph.value(checksum, SPDX.checksumValue).value.hex()),
                             sha256(bytes_of_file).hexdigest())


class SiteMapTests(unittest.TestCase):
    def places(self, address):
        answer = ask(address)
        self.assertEqual((answer.status, answer.type), (200, "application/xml"))
        return [element.text for element in ElementTree.fromstring(answer.body).iter(SITEMAPS + "loc")]

    def test_the_files_of_the_index_have_each_device_of_the_lists_once(self):
        found = [place.rsplit("/", 1)[1] for file in self.places("/sitemap.xml")
                 for place in self.places(file) if "/devices/" in place]
        self.assertEqual(len(found), len(set(found)))
        self.assertEqual(set(found), {device["id"] for device in devices()})
