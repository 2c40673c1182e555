"""Support for the tests of standards: plain requests that also return refusals."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from instance import farol

CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
EPSG_4326 = "http://www.opengis.net/def/crs/EPSG/0/4326"
WEB_MERCATOR = "http://www.opengis.net/def/crs/EPSG/0/3857"
REL = "http://www.opengis.net/def/rel/ogc/1.0/"


@dataclass
class Answer:
    status: int
    headers: object
    body: bytes

    @cached_property
    def json(self):
        return json.loads(self.body)

    @property
    def type(self):
        return self.headers.get_content_type()

    def links(self, relation):
        return [link for link in self.json["links"] if link["rel"] == relation]


# Parameters whose names cannot be written as Python's.
DASHED = {name.replace("-", "_"): name for name in ("bbox-crs", "filter-crs", "filter-lang")}


def ask(address, accept="*/*", **query):
    """The response to a GET. The argument `bbox_crs` is sent as the parameter `bbox-crs`, and so on."""
    if address.startswith("/"):
        address = farol().address + address
    if query:
        address += "?" + urlencode({DASHED.get(name, name): value for name, value in query.items()})
    request = urllib.request.Request(address, headers={"Accept": accept})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return Answer(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as refusal:
        with refusal:
            return Answer(refusal.code, refusal.headers, refusal.read())


def collections():
    """Every collection as listed by `/api/collections`."""
    return ask("/api/collections").json["collections"]


def items_of(collection):
    return f"/api/collections/{collection['id']}/items"


def parameters(path):
    """The parameters of a GET in the OpenAPI document, by name."""
    operation = ask("/api/openapi.json").json["paths"][path]["get"]
    return {one["name"]: one for one in operation["parameters"]}
