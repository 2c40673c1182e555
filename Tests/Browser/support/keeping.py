"""What tests of keeping devices right begin from: a server that may be written to, people, a device."""

import atexit

from support.accounts import somebody
from support.case import BrowserTest
from support.farol import own_farol
from support.pictures import picture

ITEMS = "/api/collections/devices/items"

_farol = None
_people = {}


def writable_farol():
    """The one server of this run that tests write to; each test adds the devices it changes."""
    global _farol
    if _farol is None:
        _farol = own_farol().start()
        atexit.register(_farol.stop)
    return _farol


def known(username):
    """A person of that server, made when first asked for."""
    if username not in _people:
        _people[username] = somebody(writable_farol(), username)
    return _people[username]


class KeepingTest(BrowserTest):
    """A test that changes devices, as people with accounts do."""

    _added = 0

    def farol(self):
        return writable_farol()

    def add_device(self, by="maria", name="Gate camera", **properties):
        """A device of that person's, away from all others; its id."""
        KeepingTest._added += 1
        place = properties.pop("place", [20 + KeepingTest._added * 0.05, -30.0])
        body = {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": place},
            "properties": {"name": name, "category": "camera_fixed", "precision": "exact"} | properties,
        }
        _, _, feature = known(by).send("POST", ITEMS, body, expect=201)
        return feature["id"]

    def known(self, username):
        return known(username)

    def device(self, identifier):
        return self.farol().get(f"{ITEMS}/{identifier}")

    def said(self, identifier, field):
        return self.device(identifier)["properties"][field]

    def change(self, identifier, by, comment=None, **properties):
        """A change through the interface, on top of what is there."""
        _, headers, _ = known(by).send("GET", f"{ITEMS}/{identifier}")
        patch = {"properties": properties} | ({"comment": comment} if comment else {})
        known(by).send("PATCH", f"{ITEMS}/{identifier}", patch, {
            "Content-Type": "application/merge-patch+json", "If-Match": headers["ETag"]}, expect=200)

    def page_of(self, username=None, **options):
        """A page in a browser of its own, signed in as that person."""
        page = self.new_page(farol=self.farol(), **options)
        if username:
            known(username).enter(page.context)
        return page

    def add_photo(self, device, by="maria", alt="", colour=(200, 60, 40)):
        """A photo of one colour, sent as a form; its id."""
        edge = "----farol-edge"
        parts = (
            f'--{edge}\r\nContent-Disposition: form-data; name="alt"\r\n\r\n{alt}\r\n'
            f'--{edge}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
        ).encode() + picture(colour) + f"\r\n--{edge}--\r\n".encode()
        _, _, photo = known(by).send("POST", f"{ITEMS}/{device}/photos", parts, {
            "Content-Type": f"multipart/form-data; boundary={edge}"}, expect=201)
        return photo["id"]
