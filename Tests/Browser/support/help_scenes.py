"""What the pictures and the film of `/help` show: ten pages of a town with invented devices, and six shots."""

import subprocess
from typing import Callable, NamedTuple

from playwright.sync_api import expect

from support.farol import FIXTURES, HOME, PROGRAM, Farol, seeded_folder
from support.gallery import ITEMS, World, click, in_order, shows

TOWN = "/#map=15.20/47.14000/9.52150"
SIZE = {"width": 1200, "height": 750}
EXTRACT = HOME / "seed/streets/liechtenstein.osm.pbf"
START, END = "47.1337, 9.5185", "47.1452, 9.5219"


class Town(World):
    """The world of the reference pictures with a town, its streets and their graph."""

    def __init__(self):
        folder = seeded_folder([(FIXTURES / name, FIXTURES / "mapping.json") for name in ("help.geojson",)])
        streets = Farol(folder).streets()
        tiles = HOME / "data/streets/liechtenstein.mbtiles"
        # Without the tiles, which `make run` builds, the map has no streets; its words are not compared.
        if tiles.exists():
            (streets / tiles.name).symlink_to(tiles)
        subprocess.run(
            [str(PROGRAM), "streets", str(EXTRACT), "--output", str(streets / "liechtenstein.graph")], cwd=HOME, check=True,
            capture_output=True, timeout=300)
        super().__init__(folder)
        self.hall = self.add(
            "ana", "Camera at the town hall", [9.52155, 47.14005], operator={
                "name": "Town works", "kind": "public", "contact": "info@town.example"},
            data_collected=["video"], purposes=["enforce_security"], retention="P3D", processing="local",
            signage="clear", setting="public", zone="town", bearings=[200], field_of_view=80, mount="wall",
            description="Above the entrance, looks over the square.", observed_on="2026-02-27", duplicate_reason="It is another one.")
        for person in ("bruno", "clara"):
            for claim in ("present", "function"):
                self.people[person].send(
                    "POST", f"{ITEMS}/{self.hall}/claims", {"claim": claim, "verdict": "confirm", "basis": "seen"}, expect=200)

    def ask_together(self):
        """Nothing: no picture shows a common request."""


class Shown(NamedTuple):
    """The picture of a section of `/help`."""

    section: str
    path: Callable[[World], str]
    ready: str  # selector of an element that appears when the page is complete
    words: str  # selector of the elements whose words are compared
    who: str | None = None
    steps: Callable | None = None


def search(page):
    page.get_by_role("combobox").fill("town hall")
    expect(page.get_by_role("option").nth(1)).to_be_visible()


def ways(page):
    for end, place in (("from", START), ("to", END)):
        field = page.locator(f'[data-stop="{end}"] input')
        field.fill(place)
        field.press("Enter")
    page.locator("[data-act=go]").click()
    expect(page.locator("#route-result")).to_be_focused()


def up_to(selector):
    return lambda page: page.locator(selector).first.evaluate(
        "(one) => scrollBy(0, one.getBoundingClientRect().top - 190)")


SETTLED = "#list-title"
PICTURES = [
    Shown("search", lambda world: TOWN, SETTLED, "[role=listbox]", steps=search),
    Shown(
        "filter", lambda world: TOWN, SETTLED, "dialog.filters",
        steps=in_order(click(".filters-open"), shows("dialog.filters .option"))),
    Shown("device", lambda world: f"/devices/{world.hall}", "#claim-present", "main"),
    Shown(
        "add", lambda world: TOWN.replace("15.20", "17.50"), SETTLED, "#add", who="ana",
        steps=in_order(click(".add-button"), shows(".crosshair"))),
    Shown(
        "confirm", lambda world: f"/devices/{world.hall}", "#claim-present", "section:has(#claim-present)",
        who="clara", steps=up_to("#claim-present")),
    Shown(
        "report", lambda world: f"/devices/{world.hall}", "#claim-present", "dialog[open]", who="clara",
        steps=in_order(click("#flag-device"), shows("dialog .reason"))),
    Shown("rights", lambda world: f"/choices/{world.choice}", ".letter-body", "main", who="ana"),
    Shown(
        "watch", lambda world: TOWN, SETTLED, "dialog.watch-dialog",
        steps=in_order(click(".watch-open"), shows("dialog.watch-dialog .watch-choice"))),
    Shown(
        "route", lambda world: "/routes", "[data-act=go]", "#route-result, .route-card h3", steps=ways),
    Shown(
        "share", lambda world: TOWN, SETTLED, "dialog.take",
        steps=in_order(click(".take-open"), shows("dialog.take .take-count:text-matches('[0-9]')"))),
]


def plate_readers(page):
    page.locator(".filters-open").click()
    page.wait_for_timeout(900)
    page.locator("dialog.filters input[value=alpr]").first.check(force=True)
    page.wait_for_timeout(900)
    page.keyboard.press("Escape")


def typed(page):
    field = page.get_by_role("combobox")
    field.click()
    field.press_sequentially("Vaduz", delay=160)


def scrolled(page):
    for _ in range(10):
        page.wait_for_timeout(250)
        page.mouse.wheel(0, 70)


class Shot(NamedTuple):
    """A part of the film: a page, what happens on it, and its caption."""

    path: Callable[[World], str] | None  # None: the page before
    ready: str
    steps: Callable | None
    captions: dict[str, str]


SECONDS = 5  # of a shot
SHOTS = [
    Shot(lambda world: TOWN, SETTLED, None, {
        "en": "Cameras, plate readers, counters: the map shows devices that sense people, and the list shows the same.",
        "pt": "Câmaras, leitores de matrículas, contadores: o mapa mostra aparelhos que detetam pessoas, e a lista mostra os "
              "mesmos."}),
    Shot(None, SETTLED, typed, {
        "en": "Search for a place, an address, a kind of device or coordinates.",
        "pt": "Procure um lugar, uma morada, um tipo de aparelho ou coordenadas."}),
    Shot(lambda world: TOWN, SETTLED, plate_readers, {
        "en": "Filters narrow the map and the list: here to plate readers.",
        "pt": "Os filtros restringem o mapa e a lista: aqui a leitores de matrículas."}),
    Shot(lambda world: f"/devices/{world.hall}", "#claim-present", scrolled, {
        "en": "The page of a device says what it collects, who operates it, and how sure each statement is.",
        "pt": "A página de um aparelho diz o que recolhe, quem o opera, e que certeza há de cada afirmação."}),
    Shot(lambda world: f"/choices/{world.choice}", ".letter-body", scrolled, {
        "en": "Farol writes the letter to the operator, for example for a copy of your data, and watches the deadline.",
        "pt": "O Farol escreve a carta ao operador, por exemplo para obter uma cópia dos seus dados, e lembra o prazo."}),
    Shot(lambda world: "/routes", "[data-act=go]", ways, {
        "en": "Quiet routes pass fewer devices. Your browser computes them: start and end never leave it.",
        "pt": "Os caminhos discretos passam por menos aparelhos. É o navegador que os calcula: a partida e a chegada não saem "
              "dele."}),
]
