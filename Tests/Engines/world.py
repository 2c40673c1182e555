"""The data that both engines get: the sample, fictional devices, and people who have used every part of Farol."""

import json
import sqlite3
import subprocess

from support.farol import FIXTURES, HOME, PROGRAM, Farol, new_folder
from support.gallery import ITEMS, World
from support.layers import bring_in
from support.waiting import until

# Values whose order, case or digits an engine could treat in another way.
NAMES = [
    "ábaco", "Zebra", "zebra", "ZEBRA", "Äpfel", "äpfel", "straße", "STRASSE", "İstanbul", "ıssız", "東京 駅前",
    "Łódź 50% [off] * ?", "_under\\score", "  spaced  out ", "10", "9", "e\u0301clair", "éclair", "a-b.c/d", "'quoted'"]
MAKERS = ["Axis", "AXIS", "Ünsal", "ünsal", "Straße", "STRASSE", "x_y\\z", None]
LAYER = {
    "type": "FeatureCollection",
    "features": [
        {"type": "Feature", "id": f"house-{number}", "geometry": shape,
         "properties": {"label": f"Nº {number}", "kind": ["park", "Schloß", None][number % 3], "people": number * 7,
                        "share": number / 8, "open": number % 2 == 0, "since": f"2024-01-{number % 28 + 1:02}"}}
        for number, shape in enumerate(
            [{"type": "Point", "coordinates": [number / 7, 46 + number / 9]} for number in range(30)]
            + [{"type": "Polygon", "coordinates": [[[x, 40], [x + .7, 40], [x + .7, 40.7], [x, 40.7], [x, 40]]]}
               for x in range(10)]
            + [{"type": "LineString", "coordinates": [[x, 46], [x + 2, 47]]} for x in range(10)])],
}


def imported(sample):
    """A folder with a database that contains the fictional devices, and the sample unless it is left out."""
    folder = new_folder()
    lists = [[str(FIXTURES / "devices.geojson"), "--mapping", str(FIXTURES / "mapping.json")]]
    for arguments in ([["--sample"]] if sample else []) + lists:
        done = subprocess.run([PROGRAM, "import", *arguments], env=Farol(folder).environment(), cwd=HOME,
                              capture_output=True, text=True, timeout=1_800)
        if done.returncode:
            raise RuntimeError(f"the import failed: {done.stdout}{done.stderr}")
    return folder


class Story(World):
    """The people of the reference pictures, and what moderators and admins do."""

    def __init__(self, sample=True):
        super().__init__(imported(sample))
        chief, vera, ana = (self.people[name] for name in ("chief", "vera", "ana"))
        self.names = [
            self.add("ana", name, [-30 + place / 50, 20], manufacturer=MAKERS[place % len(MAKERS)],
                     units=place or None, height=place / 2 - 1 if place % 3 else None,
                     category=["camera_fixed", "alpr", "webcam"][place % 3], observed_on=f"2024-0{place % 9 + 1}-28",
                     data_collected=[[], ["video"], ["video", "plate"], ["plate"]][place % 4],
                     zone=["town", None, "parking"][place % 3])
            for place, name in enumerate(NAMES)]
        self.hidden = self.add("bruno", "To be hidden", [-29, 21])
        self.deleted = self.add("bruno", "To be deleted", [-29, 22])
        self.coarse = self.add("bruno", "Somewhere", [-28.123, 21.456], precision="1km")
        self.act(vera, "hide", self.hidden)
        _, headers, _ = chief.send("GET", f"{ITEMS}/{self.deleted}")
        chief.send("DELETE", f"{ITEMS}/{self.deleted}", {"reason": "never stood there"},
                   {"If-Match": headers["ETag"]}, expect=204)
        self.change("ana", self.camera, "Another sign", model="Q6100-E", height=4.5)
        chief.send("POST", "/api/reports", {
            "target": {"type": "device", "id": self.gate}, "reason": "offensive", "note": "It names me",
            "locale": "pt"}, expect=202)
        bring_in(chief, "houses", json.dumps(LAYER).encode())
        _, _, made = ana.send("POST", "/api/account/tokens", {
            "name": "Reader", "scopes": ["read", "choices"], "expires_in_days": 30}, expect=201)
        self.token = made["token"]
        self.token_id = made["id"]
        _, _, feed = ana.send("POST", "/api/watches", {
            "label": "A feed", "area": {"type": "box", "bbox": [-31, 19, -27, 23]}, "filter": {},
            "events": ["added", "removed", "changed"], "mail": "none", "hour": 8, "weekday": 1, "time_zone": "UTC",
            "feed": True, "webhook": None}, expect=201)
        self.feed = feed
        until(self.is_quiet, "the nightly work", 600)
        self.farol.stop()

    def act(self, person, action, device):
        person.send("POST", "/api/moderation/actions", {
            "action": action, "target": {"type": "device", "id": device}, "reason": "It says too much"}, expect=200)

    def is_quiet(self):
        """Whether each job that repeats has run, so the servers begin without work."""
        connection = sqlite3.connect(self.farol.folder / "farol.db", timeout=30)
        try:
            now = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"
            return connection.execute(
                f"SELECT count(*) FROM job WHERE failed_at IS NULL AND due_at <= {now}").fetchone() == (0,)
        finally:
            connection.close()
