"""The requests that both servers get: every GET operation of the OpenAPI document, with the values of its parameters."""

import json
import re
from typing import NamedTuple
from urllib.parse import quote, urlencode

from support.farol import HOME

ITEMS = "/api/collections/devices/items"
LANGUAGES = ("en", "pt")
GENEVA, WORLD, ANTIMERIDIAN = "6.05,46.1,6.3,46.3", "-180,-90,180,90", "170,-50,-160,70"
CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
# Operations without an answer to compare, each with its reason.
LEFT_OUT = {
    "/api/live": "a stream without an end",
    "/api/visits/stream": "a stream without an end",
    "/metrics": "figures of one process",
    "/healthz": "figures of one process",
    "/readyz": "figures of one process",
    "/api/admin/overview": "sizes of the database and figures of one process",
}

# Values of parameters that have no list of their own in the document.
VALUES = {
    "bbox": [GENEVA, WORLD, ANTIMERIDIAN, "-74.1,40.6,-73.8,40.9", "0,0,0,0", "1,2,3", "10,50,5,40"],
    "bbox-crs": [CRS84, "http://www.opengis.net/def/crs/EPSG/0/4326", "x"],
    "filter-crs": [CRS84, "x"],
    "crs": ["http://www.opengis.net/def/crs/EPSG/0/4326", "http://www.opengis.net/def/crs/EPSG/0/3857"],
    "datetime": ["2026-01-01T00:00:00Z/..", "../2020-01-01T00:00:00Z", "2020-01-01", "x"],
    "q": ["camera", "straße", "STRASSE", "Éclair", "eclair", "東京", "zebra", "cctv zurich", "50%", "'", "a b c d",
          "axis", "ista", "\"", "-", "läd", "\x00", "a\x00b", "& | !", "a:*", "\\", "(", "x" * 200],
    "limit": ["1", "7", "1000000", "0", "x", "99999999999999999999"],
    "near": ["6.1432,46.2044", "179.9,0", "0,91"],
    "operator": ["Harbour Authority", "harbour authority", "x"],
    "operator_kind": ["public", "company", "household", "unknown"],
    "country": ["PT", "CH", "US", "PT,DE", "XX"],
    "licence": ["ODbL-1.0", "CC-BY-4.0,NYC-Open-Data", "x"],
    # A square, a square, the border of a country, the border of a town, and none.
    "place": ["2267057", "2660646", "2658434", "3042030", "1"],
    "name": ["ábaco", "ÁBACO", "9", "x"],
    "manufacturer": ["Axis", "axis", "Hikvision"],
    "model": ["Q6100-E"],
    "description": ["Looks over the quay."],
    "units": ["1", "3", "3.0", "9223372036854775807", "9223372036854775808", "1e400", "x"],
    "height": ["4.5", "-1"],
    "level": ["-1", "1"],
    "zone": ["town", "parking", "x"],
    "mount": ["pole"],
    "approximate": ["true", "false"],
    "country_uncertain": ["true", "false"],
    "created_at": ["2026-11-21"],
    "updated_at": ["2024-01-01"],
    "last_confirmed": ["2024-03-01"],
    "observed_on": ["2024-02-29"],
    "started_on": ["2020-01-01"],
    "stale_on": ["2027-01-01"],
    "retention": ["P30D", "none"],
    "field_of_view": ["90"],
    "properties": ["*", "manufacturer,licence", "x"],
    "with": ["kinds", "places", "kinds,places", "x"],
    "sortby": [sign + name for name in (
        "name", "category", "status", "precision", "operator", "manufacturer", "country", "created_at", "updated_at",
        "last_confirmed", "observed_on", "stale_on") for sign in ("", "-")] + [
            "country,-name", "-operator,category", "-units", "x"],
    "cursor": ["x"],
    "filter": ["units > 2", "x ="],
    "from": ["2026-01-01", "2024-05-06"],
    "to": ["2026-06-30"],
    "compare": ["country:PT", "place:2660646"],
    "grid": ["3", "8", "17"],
    "actor": ["vera", "nobody"],
    "action": ["hide", "merge"],
    "before": ["2", "1"],
    "after": ["0"],
    "id": ["2267057", "x"],
    "day": [],
    "device": [],
    "token": ["x"],
    "region": ["US-CA", "DE-BY"],
    "v": ["1", "2"],
    "size": ["thumb", "large", "a4", "a5"],
    "since": ["x"],
    "target": ["x"],
}
# Parameters that others need.
ALONGSIDE = {"bbox-crs": {"bbox": GENEVA}, "filter-crs": {"filter": "units > 2"}, "filter-lang": {"filter": "units > 2"}}
# Filters are tried with lists, and by their counts; with other operations some of them are enough.
FILTERED = (ITEMS, "/api/statistics")


# Numbers and texts that one engine cannot store. Results of calculations that no number can hold are missing here:
# PostgreSQL fails then (docs/how-to/postgresql.md).
EXTREMES = (
    "units ^ 400 > 1", "units ^ 400 IS NULL", "NOT (units ^ 400 > 1)", "10^400 > 1", "height ^ 0.5 > 1", "height ^ -3 < 0",
    "(2147483647*2147483647*2147483647) > units", "9223372036854775807 * units > 9e18", "1e300 * height IS NULL",
    "height / 0 IS NULL", "height % 0.7 > 0.1", "0 ^ (0 - units) IS NULL", "height div 0.3 > 4", "1e-300 / height = 0",
    "S_TOUCHES(geometry, POLYGON((0 0,2 2,2 0,0 2,0 0)))",
    "S_WITHIN(geometry, MULTIPOLYGON(((6 46,7 46,7 47,6 47,6 46)),((6.1 46.1,8 46.1,8 48,6.1 48,6.1 46.1))))",
    "S_INTERSECTS(geometry, MULTIPOLYGON(((6 46,7 46,7 47,6 47,6 46)),((6.1 46.1,8 46.1,8 48,6.1 48,6.1 46.1))))",
    "S_OVERLAPS(geometry, GEOMETRYCOLLECTION(POINT(6 46),LINESTRING(6 46,7 47)))",
    "units / (units - 1) > 1", "units % (units - 1) = 0", "units div (units - 1) > 1", "units = 99999999999999999999",
    "units < 1e400", "name = '\x00'", "name LIKE '%\x00%'", "name > '\U0010ffff'", "name = '\ud7ff'")


class Question(NamedTuple):
    path: str
    who: str = "visitor"
    headers: dict = {}
    method: str = "GET"
    body: bytes | None = None

    def __str__(self):
        return f"{self.who} {self.method} {self.path}" + (f" {self.body.decode()}" if self.body else "")


def at(path, values=(), **more):
    query = urlencode(list(values.items()) if isinstance(values, dict) else list(values), quote_via=quote)
    return Question(path + (f"?{query}" if query else ""), **more)


def conditions():
    """The conditions in CQL2 of the Swift tests of filters."""
    text = (HOME / "Tests/AppTests/Filtering/ConditionTests.swift").read_text()
    pattern = r'(#?)"((?:[^"\\\n]|\\.)+)"\1(?=, (?:"\w*"\)|\n)|,$|,\n|, "|\n? *\])'
    found = []
    for table in re.findall(r"arguments: \[\n(.*?)\n    \]\)", text, re.DOTALL):
        for row in re.finditer(r'(#?)"((?:[^"\\\n]|\\.)*)"\1', table):
            written = row[2] if row[1] else row[2].replace('\\"', '"').replace("\\\\", "\\")
            if re.search(r"[ (=]|TRUE|FALSE", written):
                found.append(written)
    return list(dict.fromkeys(found))


def parsed():
    """The texts that the tests of the parser read. Most name no property of a device, and are refused."""
    text = (HOME / "Tests/CQL2Tests/TextTests.swift").read_text()
    return list(dict.fromkeys(re.findall(r'read\("((?:[^"\\\n])+)"\)', text)))


class Questions:
    def __init__(self, document, story, cookies):
        self.document, self.story, self.cookies = document, story, cookies
        self.places = self.path_values()

    def path_values(self):
        story = self.story
        with story.farol.database() as database:
            def ids(sql, *values):
                return [row[0] for row in database.execute(sql, values)]
            sample = ids("SELECT id FROM device WHERE hidden = 0 ORDER BY rowid % 7919, rowid LIMIT 12")
            files = [] if not (story.farol.folder / "snapshots").is_dir() else sorted(
                path.name for path in (story.farol.folder / "snapshots").rglob("*") if path.is_file())
            devices = [*sample, story.camera, story.gate, story.hidden, story.deleted, story.coarse, *story.names[:2],
                       "01a00000-0000-7000-8000-000000000000", "x"]
            return {
                ITEMS + "/{id}": devices,
                "/api/cards/devices/{id}": devices[-7:],
                "/api/cards/places/{id}": ["2267057", "2660646", "1"],
                "/api/cards/mapping-days/{id}": ids("SELECT id FROM mapping_day") + ["x"],
                "/api/mapping-days/{id}": ids("SELECT id FROM mapping_day") + ["x"],
                "/api/places/{id}": ["2267057", "2660646", "1", "x"],
                "/api/visits/devices/{id}": devices,
                "/api/visits/{id}": ids("SELECT id FROM visit_request") + ["x"],
                "/api/common-requests/{id}": ids("SELECT id FROM common_request") + ["x"],
                "{key}": ids("SELECT key FROM operator_alias ORDER BY 1 LIMIT 20") + ["x"],
                "{graph}": ["liechtenstein", "x"],
                "{x}": ["0", "1000"],
                "{y}": ["0", "1000"],
                "/api/photos/{id}": ids("SELECT id FROM photo") + ["x"],
                "/api/account/sessions/{id}": ids("SELECT id FROM session"),
                "/api/account/tokens/{id}": [story.token_id],
                "/api/admin/accounts/{id}": [person.id for person in story.people.values()],
                "/api/admin/imports/{id}": ids("SELECT rowid FROM import_run ORDER BY 1") + [99],
                "/api/admin/import-schedules/{id}": [1],
                "/api/proposals/{id}": [story.proposal],
                "/api/moderation/proposals/{id}": [story.proposal],
                "/api/operators/{id}": [story.organisation],
                "/api/operator/requests/{id}": [story.choice],
                "/api/data-requests/{id}": [story.asked],
                "/api/choices/{id}": [story.choice],
                "/api/watches/{id}": ids("SELECT id FROM watch"),
                "{username}": [*story.people, "nobody"],
                "{scheme}": [one.stem for one in sorted((HOME / "seed/taxonomies").glob("*.json"))] + ["x"],
                "{collectionId}": ["houses", "x"],
                "{feature}": [1, 2, 30, 50, "house-3", 999],
                "{file}": files[:20] + ["x"],
                "{cell}": ["783732", "757440", "0", "1035360", "x"],
                "{revision}": ["1", "2", "99"],
                "{secret}": self.feeds(),
            }

    def feeds(self):
        return re.findall(r"feeds/watches/([^.\"]+)\.", json.dumps(self.story.feed))

    def tiles(self, template, names):
        for z, x, y in [(0, 0, 0), (1, 0, 0), (3, 4, 2), (5, 16, 11), (8, 132, 90), (10, 529, 363), (10, 301, 384),
                        (13, 4234, 2909), (16, 33870, 23273), (18, 135482, 93093), (3, 9, 0), (0, 0, 1)]:
            values = dict(zip(names, (z, x, y) if names[1] == "x" else (z, y, x)))
            yield re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), template)

    def paths(self, template):
        """The template with values in place of its names."""
        if "{z}" in template:
            return list(self.tiles(template, ("z", "x", "y")))
        if "{tileMatrix}" in template:
            return [path for one in self.filled(template, ("{collectionId}",))
                    for path in self.tiles(one, ("tileMatrix", "tileRow", "tileCol"))]
        return self.filled(template, [f"{{{name}}}" for name in re.findall(r"\{(\w+)\}", template)])

    def filled(self, template, names):
        found = [template]
        for name in names:
            known = next((self.places[start] for start in sorted(self.places, key=len, reverse=True)
                          if name in start and (start == name or template.startswith(start))), None)
            if name in template and known is None:
                raise KeyError(f"no values for {name} of {template}")
            if name in template:
                found = [path.replace(name, quote(str(value)), 1) for path in found for value in known]
        return found

    def all(self):
        """Every question once."""
        found = [*self.of_operations(), *self.of_filters(), *self.combined(), *self.searches(), *self.of_people()]
        return list({str(one) + json.dumps(one.headers): one for one in found}.values())

    def operations(self):
        for template, item in sorted(self.document["paths"].items()):
            if "get" in item and template not in LEFT_OUT:
                parameters = item.get("parameters", []) + item["get"].get("parameters", [])
                yield template, [self.resolved(one) for one in parameters]

    def resolved(self, parameter):
        if "$ref" in parameter:
            parameter = self.document["components"]["parameters"][parameter["$ref"].rsplit("/", 1)[1]]
        return parameter

    def of_operations(self):
        for template, parameters in self.operations():
            paths = self.paths(template)
            for path in paths:
                yield at(path)
            if template.startswith("/api/exports") or "cards" in template:
                # Each costs seconds: lists test the same filters, and a few are enough.
                yield from self.exports(template)
                continue
            for parameter in parameters:
                if parameter["in"] == "query":
                    for value in self.values(parameter):
                        yield at(paths[0], {**ALONGSIDE.get(parameter["name"], {}), parameter["name"]: value})

    def values(self, parameter):
        schema = parameter.get("schema", {})
        listed = schema.get("enum") or schema.get("items", {}).get("enum") or []
        known = VALUES.get(parameter["name"])
        if parameter["name"] == "lang":
            return LANGUAGES
        if not listed and known is None and schema.get("type") == "boolean":
            return ["true", "false"]
        if not listed and known is None:
            return ["x"]
        return [str(value) for value in listed] + [value for value in known or ["x"] if value not in listed]

    def exports(self, template):
        for query in ({"bbox": GENEVA}, {"category": "alpr", "country": "US", "bbox": "-74.5,40,-73,41"},
                      {"filter": "CASEI(name) LIKE CASEI('%STRASSE%')"}, {"q": "camera", "bbox": GENEVA},
                      {"licence": "CC-BY-4.0"}, {"status": "removed,not_a_device"}, {"filter": "x"},
                      {"bbox": "-31,19,-27,23"}):
            yield at(template.replace("{id}", self.story.camera), query)

    def of_filters(self):
        for written in conditions():
            yield at(ITEMS, {"filter": written, "limit": 25, "sortby": "name"})
            yield at("/api/statistics", {"filter": written, "group_by": "category"})
        for written in parsed():
            yield at(ITEMS, {"filter": written, "limit": 3})
        names = self.document["components"].get("schemas", {})
        for written in (
                "operator IS NULL AND units IS NOT NULL", "name > 'Z'", "name > 'z'", "name BETWEEN 'Ä' AND 'ä'",
                "name < 'a' AND manufacturer IS NOT NULL", "CASEI(name) = CASEI('İSTANBUL')",
                "CASEI(name) LIKE CASEI('%STRASSE%')", "CASEI(name) = CASEI('ISSIZ')", "name LIKE '%\\%%'",
                "name LIKE '\\_under%'", "height * 2 > 9 - units", "units / 3 > 1.3333", "units ^ 2 = 9",
                "7 div 2 = units", "-7 div 2 = -units", "units % 2 = 1", "height % 2 > 0.5",
                "last_confirmed > TIMESTAMP('2024-01-01T00:00:00.5Z')", "observed_on > started_on",
                "A_CONTAINS(data_collected, ('video')) AND NOT A_OVERLAPS(choices, ('access'))",
                "S_WITHIN(geometry, POLYGON((6 46,6.2 46,6.2 46.3,6 46)))",
                "S_INTERSECTS(geometry, BBOX(170,-50,-160,70))", "S_DISJOINT(geometry, BBOX(-170,-50,170,70))",
                "country = 'CH' AND (category = 'webcam' OR name LIKE 'Z%')", "NOT (country = 'CH')",
                "updated_at > created_at", "stale_on < DATE('2027-06-01')", *EXTREMES):
            for sortby in ("name", "-updated_at", "manufacturer"):
                yield at(ITEMS, {"filter": written, "limit": 50, "sortby": sortby, "properties": "*"})
            yield at("/api/statistics", {"filter": written, "group_by": "country,status"})
            yield at("/api/collections/devices/tiles/WebMercatorQuad/4/5/8", {"filter": written})
        for written in ("people > 20", "label LIKE 'Nº 1%'", "kind IS NULL", "CASEI(kind) = CASEI('SCHLOSS')",
                        "share * 8 = 5", "open = TRUE", "S_CROSSES(geometry, LINESTRING(5 0,5 90))",
                        "S_OVERLAPS(geometry, BBOX(0.2,40.2,3.1,40.5))", "S_TOUCHES(geometry, POINT(0 40))",
                        "S_EQUALS(geometry, POINT(0 46))",
                        "S_OVERLAPS(geometry, POLYGON((0 40,3 40.6,3 40,0 40.6,0 40)))",
                        "S_TOUCHES(geometry, GEOMETRYCOLLECTION(POINT(0 40),LINESTRING(0 40,1 41)))",
                        "S_WITHIN(geometry, MULTIPOLYGON(((0 39,2.5 39,2.5 41,0 41,0 39)),((2 39,5 39,5 41,2 41,2 39))))",
                        "people ^ 200 IS NULL", "share / (people - 7) > 0", "since < '2024-01-05'", "kind > 'Park'", "people = 7 OR share < 1"):
            yield at("/api/collections/houses/items", {"filter": written, "limit": 100})
            yield at("/api/collections/houses/tiles/WebMercatorQuad/3/2/4", {"filter": written})

    def combined(self):
        """Several parameters at once, and lists of the whole sample in pieces."""
        for box in (GENEVA, WORLD, ANTIMERIDIAN, "-74.1,40.6,-73.8,40.9", "13,52.3,13.8,52.7"):
            for more in ({"category": "camera_fixed"}, {"q": "camera", "sortby": "name"}, {"sortby": "-last_confirmed"},
                         {"near": "6.14,46.2", "sortby": "distance"}, {"properties": "*", "limit": 500},
                         {"with": "kinds,places", "limit": 60}, {"freshness": "stale", "sortby": "stale_on"},
                         {"data_collected": "video,plate", "country": "US,CH"}, {"status": "removed,reported"},
                         {"setting": "outdoor", "sortby": "-operator"}, {"q": "cam", "filter": "units IS NULL"}):
                yield at(ITEMS, {"bbox": box, "limit": 40} | more)
                yield at("/api/statistics", {"bbox": box, "group_by": "operator", "limit": 50} | {
                    name: value for name, value in more.items()
                    if name not in ("sortby", "near", "properties", "with", "limit")})
        groups = ("category", "data_collected", "operator", "operator_kind", "setting", "zone", "status", "precision",
                  "choices", "legal_basis", "freshness", "source", "country")
        for one in groups:
            for other in ("category", "country", "operator"):
                if one != other:
                    yield at("/api/statistics", {"group_by": f"{one},{other}"})
            yield at("/api/statistics", {"group_by": one, "interval": "year"})
            yield at("/api/statistics", {"group_by": one, "f": "csv", "lang": "pt"})
            yield at("/api/statistics", {"group_by": one, "q": "camera", "limit": 5})
        for interval in ("day", "week", "month", "year"):
            yield at("/api/statistics", {"interval": interval, "from": "2026-01-01", "to": "2026-03-31"})
            yield at("/api/statistics", {"interval": interval, "filter": "units > 1", "f": "csv"})
        yield at("/api/statistics", [("compare", "country:CH"), ("compare", "place:2660646"), ("group_by", "status")])
        for start in ("0", "10", "Z", "z", "ä", "%E6%9D%B1"):
            yield at("/api/places", {"q": start, "limit": 20})

    def searches(self):
        for body in ({"filter": "units > 1", "limit": 20}, {"category": ["camera_fixed", "alpr"], "limit": 20},
                     {"q": "straße", "properties": "*"},
                     {"filter": {"op": "s_within", "args": [{"property": "geometry"}, {"type": "Polygon", "coordinates": [
                         [[7.4, 46.9], [7.5, 46.9], [7.5, 47], [7.4, 46.9]]]}]}}):
            yield Question("/api/collections/devices/search", method="POST", body=json.dumps(body).encode(),
                           headers={"Content-Type": "application/json"})

    def of_people(self):
        """Everything that needs an account, as each of them, and what an account changes in public lists."""
        private = re.compile(
            "/api/(session|account|watches|proposals|choices|data-requests|operator|moderation|admin|letters|photos)")
        for template, parameters in self.operations():
            is_theirs = private.match(template) or template.startswith(ITEMS + "/{id}")
            if not is_theirs or template in LEFT_OUT:
                continue
            for who, cookie in self.cookies.items():
                for path in self.paths(template):
                    yield at(path, who=who, headers=cookie)
                if who in ("chief", "ana"):
                    for parameter in parameters:
                        if parameter["in"] == "query":
                            for value in self.values(parameter):
                                yield at(self.paths(template)[0], {parameter["name"]: value}, who=who, headers=cookie)
        for who, cookie in self.cookies.items():
            yield at(ITEMS, {"limit": 20, "sortby": "-updated_at"}, who=who, headers=cookie)
        yield at("/api/letters", {"device": self.story.camera, "kind": "access", "country": "PT"})
        for text in ("text/html", "application/geo+json", "application/atom+xml", "image/png", "*/*"):
            for path in (ITEMS + "?limit=5", "/api/collections/houses/items?limit=5", "/api/collections", "/api"):
                yield Question(path, headers={"Accept": text})
        for path in (ITEMS + "?limit=5", "/api/taxonomies", "/api/statistics?group_by=category"):
            yield Question(path, headers={"Accept-Language": "pt"})
