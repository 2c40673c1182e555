"""Subsets of the devices, each as a filter of the interface and as a plain test of one feature."""

from dataclasses import dataclass
from typing import Callable

from instance import devices

# West, south, east, north.
GENEVA = (6.05, 46.1, 6.3, 46.3)
BERLIN = (13.0, 52.3, 13.8, 52.7)
NOWHERE = (-40.0, -50.0, -39.0, -49.0)


def within(box):
    """Whether a feature's point is in a box, including its edges."""
    west, south, east, north = box

    def test(feature):
        longitude, latitude = feature["geometry"]["coordinates"]
        return west <= longitude <= east and south <= latitude <= north

    return test


def has(**values):
    """Whether a feature's properties have exactly these values."""
    return lambda feature: all(feature["properties"][name] == value for name, value in values.items())


@dataclass
class Subset:
    """Devices in an optional box whose properties have the given values."""

    name: str
    box: tuple | None
    values: dict

    @property
    def holds(self) -> Callable:
        tests = [has(**self.values)] + ([within(self.box)] if self.box else [])
        return lambda feature: all(test(feature) for test in tests)

    @property
    def ids(self):
        """The devices of the subset, found without any filter of the server."""
        return {feature["id"] for feature in devices() if self.holds(feature)}

    @property
    def query(self):
        """The request parameters that select the subset."""
        box = {"bbox": ",".join(str(edge) for edge in self.box)} if self.box else {}
        return box | self.values

    @property
    def where(self):
        """The same values as an SQL condition for GDAL; `None` or empty when there are no values."""
        return " AND ".join(f"{name} = '{value}'" for name, value in self.values.items()) or None


SUBSETS = [
    Subset("one city", GENEVA, {}),
    Subset("one kind", None, {"category": "wifi_hotspot"}),
    Subset("one kind in one city", BERLIN, {"category": "parking_mobility"}),
    Subset("two values at once", None, {"category": "camera_fixed", "status": "reported"}),
    Subset("nothing at all", NOWHERE, {}),
]
