"""A page on a server of its own, where a neighbour adds devices meanwhile."""

from support.accounts import confirmed_person
from support.case import BrowserTest
from support.farol import own_farol

ITEMS = "/api/collections/devices/items"
HERE = [-16.908, 32.648]


class NeighbourTest(BrowserTest):
    allowed_errors = (r"ERR_FAILED", r"ERR_CONNECTION_REFUSED", r"ERR_INTERNET_DISCONNECTED", r"ERR_INCOMPLETE_CHUNKED")

    def setUp(self):
        super().setUp()
        self.server = own_farol().start()
        self.addCleanup(self.server.stop)
        self.person = confirmed_person(self.server, "neighbour")
        self.added = 0

    def farol(self):
        return self.server

    def add(self, name, place=HERE, category="beacon"):
        """Adds a device, each at a spot of its own, by default of a kind that is rare there. Returns its id."""
        self.added += 1
        spot = [place[0] + self.added / 1_000, place[1]]
        _, _, device = self.person.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": spot},
            "properties": {"name": name, "category": category}}, expect=201)
        return device["id"]
