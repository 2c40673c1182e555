"""The server that all clients read: generated devices and five real lists, in three formats."""

import atexit
from urllib.parse import parse_qs, urlsplit

from support.farol import HOME, LISTS, Farol, seeded_folder

SAMPLE = HOME / "seed/sample"
ITEMS = "/api/collections/devices/items"

_farol = None
_devices = {}


def farol():
    """The one server of this run; its tests only read."""
    global _farol
    if _farol is None:
        _farol = Farol(seeded_folder(LISTS + [
            (SAMPLE / "osm-surveillance-switzerland/cameras.json.gz", "osm-surveillance-switzerland"),
            (SAMPLE / "nyc-linknyc/linknyc.csv.gz", "nyc-linknyc"),
            (SAMPLE / "osm-webcams-world/webcams.json.gz", "osm-webcams-world"),
        ])).start()
        atexit.register(_farol.stop)
    return _farol


def root():
    """The landing page: the only address that clients get."""
    return farol().address + "/api"


def devices(**query):
    """Every device as a feature, read as simply as possible. The results of clients are compared with it."""
    key = tuple(query.items())
    if key not in _devices:
        found, query = [], {"limit": 1_000, **query}
        while True:
            page = farol().items(**query)
            found += page["features"]
            following = next((link["href"] for link in page["links"] if link["rel"] == "next"), None)
            if following is None:
                break
            query["cursor"] = parse_qs(urlsplit(following).query)["cursor"][0]
        assert page["numberMatched"] == len(found), "the pages hold all, each once"
        _devices[key] = found
    return _devices[key]
