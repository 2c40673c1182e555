"""The base of tests that change devices: a writable server, users, a device."""

import atexit

from support.accounts import confirmed_person
from support.case import BrowserTest
from support.farol import own_farol
from support.pictures import picture

ITEMS = "/api/collections/devices/items"

_farol = None
_people = {}


def writable_farol():
    """The single server of this run that tests write to; each test adds the devices that it changes."""
    global _farol
    if _farol is None:
        _farol = own_farol().start()
        atexit.register(_farol.stop)
    return _farol


def known(username):
    """A user of that server, created on first use. All modules share it, so a test that signs out or deletes a user
    has a name of its own for it."""
    if username not in _people:
        _people[username] = confirmed_person(writable_farol(), username)
    return _people[username]


class WritingTest(BrowserTest):
    """A test that changes devices as users with accounts do."""

    _added = 0

    def farol(self):
        return writable_farol()

    def add_device(self, by="maria", name="Gate camera", **properties):
        """Adds a device of this user, away from all others; returns its id."""
        WritingTest._added += 1
        place = properties.pop("place", [20 + WritingTest._added * 0.05, -30.0])
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
        """Changes a device through the API, based on its current state."""
        _, headers, _ = known(by).send("GET", f"{ITEMS}/{identifier}")
        patch = {"properties": properties} | ({"comment": comment} if comment else {})
        known(by).send("PATCH", f"{ITEMS}/{identifier}", patch, {
            "Content-Type": "application/merge-patch+json", "If-Match": headers["ETag"]}, expect=200)

    def page_of(self, username=None, **options):
        """A page in its own browser context, signed in as this user."""
        page = self.new_page(farol=self.farol(), **options)
        if username:
            known(username).enter(page.context)
        return page

    def add_photo(self, device, by="maria", alt="", colour=(200, 60, 40)):
        """Uploads a photo with a single colour as a form; returns its id."""
        edge = "----farol-edge"
        parts = (
            f'--{edge}\r\nContent-Disposition: form-data; name="alt"\r\n\r\n{alt}\r\n'
            f'--{edge}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n'
            'Content-Type: image/png\r\n\r\n'
        ).encode() + picture(colour) + f"\r\n--{edge}--\r\n".encode()
        _, _, photo = known(by).send("POST", f"{ITEMS}/{device}/photos", parts, {
            "Content-Type": f"multipart/form-data; boundary={edge}"}, expect=201)
        return photo["id"]
