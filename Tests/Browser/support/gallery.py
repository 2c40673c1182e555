"""The data for reference pictures: fictional people, organisations and items, always on the same date."""

import atexit
import datetime
import json
import re
from typing import Callable, NamedTuple

from playwright.sync_api import expect

from support.accounts import assign_role, confirmed_person
from support.acts import unfold
from support.farol import FIXTURES, Farol, seeded_folder
from support.pictures import picture
from support.smtp import PostOffice
from support.waiting import until

ITEMS = "/api/collections/devices/items"
# The date of every picture. Dates of the server are shifted to it.
TODAY = datetime.date(2026, 3, 2)
NOON = "2026-03-02T12:00:00Z"
WINDOW = 70  # dates this many days before now are dates of the server; the test devices have no such dates

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December")
DATES = re.compile(
    r"\b(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?Z)?\b|\b(\d{1,2}) (" + "|".join(MONTHS) + r") (\d{4})\b")


def moved(text, made_on):
    """The same text with dates shifted to the date of the pictures."""
    def shift(found):
        year, month, day, time, long_day, long_month, long_year = found.groups()
        try:
            date = datetime.date(int(year), int(month), int(day)) if year else datetime.date(
                int(long_year), MONTHS.index(long_month) + 1, int(long_day))
        except ValueError:
            return found[0]
        if date < made_on - datetime.timedelta(days=WINDOW) or date > made_on + datetime.timedelta(days=1_000):
            return found[0]
        then = date + (TODAY - made_on)
        if year:
            return f"{then.isoformat()}{'T10:00:00Z' if time else ''}"
        return f"{then.day} {MONTHS[then.month - 1]} {then.year}"
    return DATES.sub(shift, text)


class World:
    """One server with all the data that the pages show, in a folder with a database or in one of its own."""

    def __init__(self, folder=None):
        self.made_on = datetime.datetime.now(datetime.timezone.utc).date()
        self.office = PostOffice()
        atexit.register(self.office.close)
        self.farol = Farol(folder or seeded_folder([(FIXTURES / "devices.geojson", FIXTURES / "mapping.json")]))
        self.farol.settings = self.office.settings
        self.farol.start(patience=300)
        atexit.register(self.farol.stop)
        self.people = {
            name: confirmed_person(self.farol, name) for name in ("ana", "bruno", "chief", "vera", "harbour", "clara")}
        self.grant("chief", "admin")
        self.grant("vera", "moderator")
        self.camera = self.add(
            "ana", "Quay camera", [-8.4, 39.4], operator={"name": "Harbour Authority", "kind": "public"},
            data_collected=["video"])
        self.gate = self.add("bruno", "Garden gate", [-8.3, 39.5])
        self.add_photo("ana", self.camera)
        self.people["bruno"].send(
            "POST", f"{ITEMS}/{self.camera}/claims", {"claim": "present", "verdict": "confirm", "basis": "seen"},
            expect=200)
        self.people["bruno"].send(
            "POST", f"{ITEMS}/{self.camera}/claims", {"claim": "data", "verdict": "dispute", "basis": "sign"},
            expect=200)
        self.change("ana", self.camera, "The sign names it", description="Looks over the quay.")
        self.people["clara"].send("POST", "/api/flags", {
            "target": {"type": "device", "id": self.gate}, "reason": "personal_data",
            "note": "One sees into a bedroom"}, expect=201)
        self.organisation = self.organise()
        self.choice = self.ask_operator()
        self.common = self.ask_together()
        _, _, asked = self.people["clara"].send("POST", "/api/data-requests", {
            "username": "ana", "reason": "We map the cameras of the harbour.", "fields": ["devices"], "days": 30,
            "subscribe": False}, expect=201)
        self.asked = asked["id"]
        self.people["clara"].send("POST", "/api/account/research-access", {
            "project": "Cameras of towns", "purpose": "How many cameras say who runs them, town by town.",
            "until": (self.made_on + datetime.timedelta(days=90)).isoformat()}, expect=201)
        self.watch()
        self.proposal = self.propose()
        self.publish()

    def watch(self):
        self.people["ana"].send("POST", "/api/watches", {
            "label": "The quay", "area": {"type": "circle", "center": [-8.4, 39.4], "radius": 1_000}, "filter": {},
            "events": ["added", "removed"], "mail": "daily", "hour": 8, "weekday": 1, "time_zone": "Europe/Lisbon",
            "feed": False, "webhook": None}, expect=201)

    def propose(self):
        """A list of ana that waits for a moderator: one row is far away, and one may be the camera at the quay."""
        edge = "----farol-edge"
        mapping = {
            "source": {"code": "town", "name": "Cameras of the town", "licence": "CC-BY-4.0",
                       "attribution": "© Town of Exemplo", "url": "https://town.example/cameras"},
            "key": "{id}",
            "fields": {"name": "name", "category": {"value": "camera_fixed"}, "longitude": "lon", "latitude": "lat"}}
        rows = ["id,name,lon,lat", "1,Quay camera,-8.4,39.4", "2,Station,-8.41,39.41", "3,Market,-8.42,39.4",
                "4,School,-8.41,39.42", "5,Madrid,-3.7,40.4", "6,Nowhere,-8.4,99"]
        body = (f'--{edge}\r\nContent-Disposition: form-data; name="mapping_file"\r\n\r\n{json.dumps(mapping)}\r\n'
                f'--{edge}\r\nContent-Disposition: form-data; name="comment"\r\n\r\nFrom the town hall, in spring.\r\n'
                f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="cameras-of-the-town.csv"\r\n'
                "Content-Type: text/csv\r\n\r\n" + "\n".join(rows) + f"\r\n--{edge}--\r\n").encode()
        return self.people["ana"].send(
            "POST", "/api/proposals", body, {"Content-Type": f"multipart/form-data; boundary={edge}"},
            expect=201)[2]["id"]

    def grant(self, username, role):
        with self.farol.database() as database:
            assign_role(database, username, role)

    def add(self, by, name, place, **properties):
        body = {"type": "Feature", "geometry": {"type": "Point", "coordinates": place},
                "properties": {"name": name, "category": "camera_fixed", "precision": "exact"} | properties}
        return self.people[by].send("POST", ITEMS, body, expect=201)[2]["id"]

    def add_photo(self, by, device):
        edge = "----farol-edge"
        body = (f'--{edge}\r\nContent-Disposition: form-data; name="alt"\r\n\r\nThe mast beside the quay\r\n'
                f'--{edge}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n'
                'Content-Type: image/png\r\n\r\n'
                ).encode() + picture((40, 90, 160)) + f"\r\n--{edge}--\r\n".encode()
        self.people[by].send(
            "POST", f"{ITEMS}/{device}/photos", body, {"Content-Type": f"multipart/form-data; boundary={edge}"},
            expect=201)

    def change(self, by, device, comment, **properties):
        person = self.people[by]
        _, headers, _ = person.send("GET", f"{ITEMS}/{device}")
        person.send("PATCH", f"{ITEMS}/{device}", {"properties": properties, "comment": comment}, {
            "Content-Type": "application/merge-patch+json", "If-Match": headers["ETag"]}, expect=200)

    def organise(self):
        operator = self.people["harbour"]
        operator.send("POST", "/api/operators", {
            "name": "Harbour Authority", "kind": "public", "domain": "harbour.example",
            "website": "https://harbour.example",
            "contact": "info@harbour.example", "data_protection_contact": "privacy@harbour.example"}, expect=201)
        self.people["clara"].send("POST", "/api/operators", {
            "name": "Clara's Cameras", "kind": "company", "domain": "clara.example", "contact": "info@clara.example"},
            expect=201)
        identifier = operator.send("GET", "/api/operators/mine", expect=200)[2]["id"]
        body = {"decision": "approve", "method": "manual", "note": "Known from the telephone book."}
        chief, path = self.people["chief"], f"/api/admin/operators/{identifier}"
        waiting = chief.send("GET", "/api/admin/operators?state=waiting", expect=200)[2]["operators"]
        version = next(one["version"] for one in waiting if one["id"] == identifier)
        chief.send("POST", path, body | {"version": version} | chief.proof(), expect=200)
        operator.send("POST", f"{ITEMS}/{self.camera}/operator", {}, expect=201)
        return identifier

    def ask_operator(self):
        """A request for access that Farol delivers."""
        ana = self.people["ana"]
        choice = ana.send(
            "POST", "/api/choices", {"device": self.camera, "kind": "access", "language": "en", "country": "PT"},
            expect=201)[2]["id"]
        ana.send("PATCH", f"/api/choices/{choice}", {"details": {"name": "Ana Sousa"}}, expect=200)
        ana.send("POST", f"/api/choices/{choice}/send", {}, expect=200)
        return choice

    def ask_together(self):
        """The same request as a common one, as if more than fifty people had joined weeks ago."""
        common = self.people["ana"].send(
            "POST", "/api/common-requests", {"choice": self.choice}, expect=200)[2]["request"]
        days = [(self.made_on + datetime.timedelta(days=days)).isoformat() for days in (-4, -11, 19)]
        with self.farol.database() as database:
            database.execute(
                """UPDATE common_request SET people = 54, honoured = 12, counted_on = ?, shown_on = ?, due_on = ?,
                opened_on = ?2""", days)
        return common

    def publish(self):
        """Published outcomes, as after a daily publication."""
        until(self.has_published, "the publication of the day")
        with self.farol.database() as database:
            database.execute("DELETE FROM outcome")
            database.execute(
                """INSERT INTO outcome (kind, key, name, people, asked, honoured, refused, overdue, median_days, as_of)
                VALUES ('operator', 'harbour authority', 'Harbour Authority', 20, 20, 10, 10, 0, 12, ?)""",
                (self.made_on.isoformat(),))

    def has_published(self):
        with self.farol.database() as database:
            return database.execute("SELECT count(*) FROM publication WHERE kind = 'outcomes'").fetchone() == (1,)

    def received(self):
        """The request in the operator's inbox."""
        return self.people["harbour"].send("GET", "/api/operator/requests", expect=200)[2]["requests"][0]["id"]


class Scene(NamedTuple):
    """One page in one state."""

    name: str
    path: Callable[[World], str]
    ready: str  # selector of an element that appears when the page is complete
    who: str | None = None
    steps: Callable | None = None  # actions on the page before the picture
    hidden: tuple[str, ...] = ()  # selectors of elements that differ from run to run
    errors: tuple[str, ...] = ()  # console errors that are the subject of the page
    screens: int = 2  # visible part of a long page, in screens
    is_first_visit: bool = False
    alike: str | None = None  # selector of elements like others of a long page, which axe does not check again


def at(path):
    return lambda world: path


def click(*selectors):
    def steps(page):
        for selector in selectors:
            unfold(page, page.locator(selector).first).click()
    return steps


def in_order(*steps):
    def all_of_them(page):
        for step in steps:
            step(page)
    return all_of_them


def shows(selector):
    return lambda page: expect(page.locator(selector).first).to_be_visible()


MAP = "/#map=14.00/32.6480/-16.9080"
SETTLED = "#list-title"
COUNTED = "dialog.take .take-count:text-matches('[0-9]')"

MAP_SCENES = [
    Scene("map", at(MAP), SETTLED),
    Scene("map-first-visit", at(MAP), ".welcome", screens=1, is_first_visit=True),
    Scene("map-menu", at(MAP), SETTLED, steps=in_order(click(".menu-button"), shows("#menu")), screens=1),
    Scene(
        "map-device", lambda world: f"/?device={world.camera}#map=16.00/39.40000/-8.40000", "#card .card-acts",
        screens=1),
    Scene(
        "map-filters", at(MAP), SETTLED,
        steps=in_order(lambda page: opened_list(page), click(".filters-open"), shows("dialog.filters .option")),
        screens=1),
    Scene(
        "map-download", at(MAP), SETTLED,
        steps=in_order(
            lambda page: opened_list(page), click(".take-open"), shows(COUNTED)), screens=1),
    Scene(
        "map-embed", at(MAP), SETTLED,
        steps=in_order(lambda page: opened_list(page), click(".embed-open"), shows("dialog.embed-dialog .embed-code")),
        screens=1),
    Scene(
        "map-watch", at(MAP), SETTLED,
        steps=in_order(
            lambda page: opened_list(page), click(".watch-open"), shows("dialog.watch-dialog .watch-choice")),
        screens=1),
]


def opened_list(page):
    """On a phone the list is initially collapsed."""
    if page.viewport_size["width"] < 800:
        page.locator(".sheet-step").first.click()


VISITOR_SCENES = [
    Scene("about", at("/about"), "table"),
    Scene(
        "about-download", at("/about"), "table",
        steps=in_order(click(".take-open"), shows(COUNTED)), screens=1),
    Scene("terms", at("/terms"), "main h2"),
    Scene("statistics", at("/statistics"), "#by-category .chart.is-drawn", screens=1),
    Scene(
        "query", at("/query?filter=category%20IN%20(%27camera_fixed%27)%20AND%20units%20IS%20NULL"), ".query-table td",
        screens=1),
    Scene("query-code", at("/query?look=code"), ".query-snippet", screens=1),
    Scene("look", at("/look?near=-8.4,39.4"), ".look-list .look-device"),
    Scene("walk", at("/walk"), "main .button.primary"),
    Scene("visits", at("/visits"), ".visit-nearby .section-note:not(:empty)", hidden=(".wizard-map",)),
    Scene("embed-map", at("/embed" + MAP[1:]), ".embed-title:not(:empty)", screens=1),
    Scene("embed-chart", at("/embed?chart=category"), ".chart.is-drawn", screens=1),
    Scene("local-watches-empty", at("/local-watches"), "#watch-privacy"),
    Scene("diary-empty", at("/diary"), "#diary-privacy"),
    Scene("routes-empty", at("/routes"), ".route-map .map-foot", screens=1),
    Scene("help", at("/help"), ".help-picture", screens=1),
    Scene("learn", at("/learn"), ".kinds .icon"),
    Scene("learn-kinds", at("/learn#kinds"), ".kinds .icon", screens=1),
    Scene("learn-kind", at("/learn/camera_fixed"), "h1 .icon"),
    Scene("glossary", at("/learn/glossary"), ".letter dl"),
    Scene(
        "interface", at("/api/docs"), "h1",
        alike=".operation ~ .operation, section:last-of-type > div > :nth-child(n + 20)"),
    Scene("unsubscribe", at("/unsubscribe#token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "main h1"),
    Scene("outcomes", at("/outcomes"), "table"),
    Scene("operators", at("/operators"), ".operator-row"),
    Scene(
        "operator-named", at("/operators/named/harbour-authority"), ".together-card", hidden=(".operator-map",)),
    Scene("together", lambda world: f"/together/{world.common}", ".together-now"),
    Scene("operator", lambda world: f"/operators/{world.organisation}", ".facts"),
    Scene("operator-register", at("/operators/register"), ".ledger-how"),
    Scene("lost", at("/no/such/page"), "main .button", errors=("status of 404",)),
    Scene("choices-empty", at("/choices"), "h1"),
    Scene("reply-without-key", at("/reply"), ".refusal"),
]
DEVICE_SCENES = [
    Scene("device", lambda world: f"/devices/{world.camera}", "#section-sure"),
    Scene("device-verdict", lambda world: f"/devices/{world.camera}?say=present.confirm", ".claim-bases", who="clara"),
    Scene(
        "device-flag", lambda world: f"/devices/{world.camera}", "#section-sure", who="clara",
        steps=in_order(click("#flag-device"), shows("dialog .reason")), screens=1),
    Scene(
        "device-sign", lambda world: f"/devices/{world.camera}", "#section-sure", hidden=(".sign-preview",),
        steps=in_order(click("#sign-device"), shows("dialog.sign-dialog .field-note")), screens=1),
    Scene(
        "device-photo", lambda world: f"/devices/{world.camera}", ".gallery img",
        steps=in_order(click(".gallery-button"), shows("dialog.viewer img")), screens=1),
    Scene(
        "edit", lambda world: f"/devices/{world.camera}/edit?field=name", "main h1", who="ana", hidden=(".place-map",)),
    Scene("history", lambda world: f"/devices/{world.camera}/history?from=1&to=2", ".history-compared h2"),
    Scene("statement", lambda world: f"/devices/{world.camera}/statement", "main h1", who="harbour"),
    Scene("report", lambda world: f"/report?device={world.camera}", "#report-about a"),
    Scene("person", at("/people/ana"), ".tally"),
]
ACCOUNT_SCENES = [
    Scene("sign-in", at("/sign-in"), "form.form"),
    Scene("sign-up", at("/sign-up"), "form.form"),
    Scene("recover", at("/recover"), "form.form"),
    Scene("reset", at("/reset#token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "form.form"),
    Scene("confirm", at("/confirm#token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "form.form"),
    Scene("operator-check", at("/operator/check#token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "form.form"),
    Scene("account", at("/account"), "#sessions li", who="clara"),
    Scene("data-requests", at("/data-requests"), "main .paper", who="ana"),
    Scene("watches", at("/watches"), "[data-watch]", who="ana"),
    Scene(
        "watches-new", at("/watches"), "[data-watch]", who="ana",
        steps=in_order(click(".watches [aria-expanded]"), shows(".opened form"))),
    Scene("visits-mine", at("/visits#mine"), "#visits-mine + div > p", who="ana"),
    Scene("visits-volunteer", at("/visits#volunteer"), ".visits form.form", who="ana", hidden=(".wizard-map",)),
    Scene("lists", at("/lists"), ".account-list li", who="ana"),
    Scene(
        "list", lambda world: f"/lists/{world.proposal}", ".lists-devices tbody tr", who="ana",
        hidden=(".wizard-map", ".facts")),
    Scene("lists-propose", at("/lists/propose"), ".wizard-drop", who="ana"),
    Scene("choices", at("/choices"), ".ledger-row", who="ana"),
    Scene("choice", lambda world: f"/choices/{world.choice}", ".letter-body", who="ana"),
    Scene("letter", lambda world: f"/choices/{world.choice}/letter", ".print-letter", who="ana"),
    Scene("inbox", at("/operator"), ".ledger-row", who="harbour"),
    Scene("request", lambda world: f"/operator/requests/{world.received()}", ".request-letter", who="harbour"),
    Scene("organisation", at("/operators/register"), ".steps", who="harbour"),
]
ORDER_SCENES = [
    Scene("moderation", at("/moderation"), ".queue-row", who="vera"),
    Scene("moderation-log", at("/moderation/log"), "tbody tr", who="vera"),
    Scene("moderation-lists", at("/moderation/lists"), ".account-list li", who="vera"),
    Scene(
        "moderation-list", lambda world: f"/moderation/lists/{world.proposal}", ".lists-devices tbody tr", who="vera",
        hidden=(".wizard-map", ".facts")),
    Scene("moderation-visits", at("/moderation/visits"), "[role=status]:not(:empty)", who="vera"),
    Scene("moderation-claims", at("/moderation/operator-claims"), "[role=status]:not(:empty)", who="vera"),
    Scene(
        "admin", at("/admin"), ".cards", who="chief",
        hidden=(".cards section:has(.series) .series", ".cards section:nth-child(n+4)", ".bars-ends")),
    Scene("admin-accounts", at("/admin/accounts"), ".account-list li", who="chief"),
    Scene("admin-devices", at("/admin/devices"), ".deletion", who="chief",
          steps=in_order(
              lambda page: page.locator("#delete-what").fill("Quay camera"), click(".deletion [type=submit]"),
              shows(".deletion-result li"))),
    Scene(
        "admin-imports", at("/admin/imports"), ".account-list li", who="chief", hidden=(".account-list .section-note",
            )),
    Scene(
        "admin-import", at("/admin/imports/1"), "[data-part=mapping] table", who="chief",
        hidden=(".wizard-map", "[data-part=facts] dd", "[data-part=facts] dt")),
    Scene("admin-collections", at("/admin/collections"), ".order-part form", who="chief"),
    Scene("admin-operators", at("/admin/operators"), ".account-list li", who="chief"),
    Scene("admin-research", at("/admin/research"), ".account-list li", who="chief"),
]

SCENES = [*MAP_SCENES, *VISITOR_SCENES, *DEVICE_SCENES, *ACCOUNT_SCENES, *ORDER_SCENES]

_world = []


def world():
    """The single world of this run."""
    if not _world:
        _world.append(World())
    return _world[0]
