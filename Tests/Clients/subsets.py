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


# Conditions in GDAL's SQL, each with the same as a plain test of a feature's properties, in which a missing value is
# None: every operator that GDAL sends to the server, on every type of property.
def known(name, test):
    """A test of a property that is false where the value is unknown."""
    return lambda properties: properties[name] is not None and test(properties[name])


CONDITIONS = [
    ("category = 'wifi_hotspot'", known("category", lambda value: value == "wifi_hotspot")),
    ("category <> 'wifi_hotspot'", known("category", lambda value: value != "wifi_hotspot")),
    ("manufacturer > 'B'", known("manufacturer", lambda value: value > "B")),
    ("manufacturer <= 'B'", known("manufacturer", lambda value: value <= "B")),
    ("manufacturer LIKE 'A%'", known("manufacturer", lambda value: value.startswith("A"))),
    ("manufacturer ILIKE 'a%'", known("manufacturer", lambda value: value.lower().startswith("a"))),
    ("manufacturer IS NULL", lambda properties: properties["manufacturer"] is None),
    ("manufacturer IS NOT NULL AND country = 'CH'",
     lambda properties: properties["manufacturer"] is not None and properties["country"] == "CH"),
    ("category IN ('wifi_hotspot', 'webcam')", known("category", lambda value: value in ("wifi_hotspot", "webcam"))),
    ("NOT (country = 'CH' OR country = 'DE')", known("country", lambda value: value not in ("CH", "DE"))),
    ("units > 2", known("units", lambda value: value > 2)),
    ("units >= 2 AND units < 5", known("units", lambda value: 2 <= value < 5)),
    ("units <> 1", known("units", lambda value: value != 1)),
    ("units BETWEEN 2 AND 4", known("units", lambda value: 2 <= value <= 4)),
    ("height > 3.5", known("height", lambda value: value > 3.5)),
    ("height <= 3", known("height", lambda value: value <= 3)),
    ("height IS NULL AND units = 1", lambda properties: properties["height"] is None and properties["units"] == 1),
    ("approximate = 1", known("approximate", lambda value: value)),
    ("approximate <> 1", known("approximate", lambda value: not value)),
    ("observed_on >= '2024-01-01'", known("observed_on", lambda value: value >= "2024-01-01")),
    ("observed_on < '2020/06/15'", known("observed_on", lambda value: value < "2020-06-15")),
    ("observed_on = '{day}'", known("observed_on", lambda value: value == TIMES["day"])),
    ("observed_on <> '{day}'", known("observed_on", lambda value: value != TIMES["day"])),
    ("observed_on >= '2018-01-01' AND observed_on <= '2022-12-31'",
     known("observed_on", lambda value: "2018-01-01" <= value <= "2022-12-31")),
    ("observed_on IS NULL", lambda properties: properties["observed_on"] is None),
    ("created_at <= '{moment}'", known("created_at", lambda value: value <= TIMES["moment"])),
    ("created_at < '{moment}'", known("created_at", lambda value: value < TIMES["moment"])),
    ("created_at >= '{moment}' AND created_at <= '{moment}'",
     known("created_at", lambda value: value == TIMES["moment"])),
    ("created_at > '{slashed}'", known("created_at", lambda value: value > TIMES["moment"])),
    ("created_at = '{moment}'", known("created_at", lambda value: value == TIMES["moment"])),
    ("last_confirmed IS NOT NULL", lambda properties: properties["last_confirmed"] is not None),
    ("last_confirmed < '{moment}'", known("last_confirmed", lambda value: value < TIMES["moment"])),
    ("updated_at <= '{moment}' AND category LIKE 'camera%' AND units IS NULL",
     lambda properties: properties["updated_at"] <= TIMES["moment"] and properties["category"].startswith("camera")
     and properties["units"] is None),
]
# Values that the devices have; see `conditions`.
TIMES = {}


def conditions(features):
    """Each condition with the ids of the features for which it holds, each at least once true and once false."""
    ordered = sorted(feature["properties"]["created_at"] for feature in features)
    days = sorted(day for feature in features if (day := feature["properties"]["observed_on"]))
    moment = ordered[len(ordered) // 2]
    slashed = moment.replace("-", "/").replace("T", " ").rstrip("Z")
    TIMES.update(moment=moment, slashed=slashed, day=days[len(days) // 2])
    return [(text.format(**TIMES), {one["id"] for one in features if test(one["properties"])})
            for text, test in CONDITIONS]
