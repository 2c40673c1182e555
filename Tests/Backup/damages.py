"""Damages of a backup. Each is applied to a copy of a valid one."""

import json
from pathlib import Path


def picture(backup):
    return next(Path(backup, "media").rglob("*-large.jpg"))


def flip(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 0xFF
    path.write_bytes(content)


def cut(path):
    path.write_bytes(path.read_bytes()[:path.stat().st_size // 2])


def edit_manifest(backup, change):
    path = Path(backup, "manifest.json")
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def forget_a_picture(value):
    value["files"] = [file for file in value["files"] if not file["path"].endswith("-thumb.jpg")]


def lead_outside(value):
    value["files"][-1]["path"] = "media/../../elsewhere.jpg"


def later_format(value):
    value["format"] += 1


def other_schema(value):
    value["schema"] += 1


DAMAGES = [
    ("a byte of the database flipped", lambda b: flip(Path(b, "farol.db"), 50_000)),
    ("the database truncated", lambda b: cut(Path(b, "farol.db"))),
    ("the database missing", lambda b: Path(b, "farol.db").unlink()),
    ("a byte of a picture flipped", lambda b: flip(picture(b), 10)),
    ("a picture missing", lambda b: picture(b).unlink()),
    ("an extra file", lambda b: Path(b, "media", "more.jpg").write_bytes(b"\xff\xd8")),
    ("no manifest", lambda b: Path(b, "manifest.json").unlink()),
    ("the manifest truncated", lambda b: cut(Path(b, "manifest.json"))),
    ("pictures missing in manifest and folder", lambda b: (
        edit_manifest(b, forget_a_picture), [p.unlink() for p in Path(b).rglob("*-thumb.jpg")])),
    ("a path that leads outside", lambda b: edit_manifest(b, lead_outside)),
    ("a manifest of another schema", lambda b: edit_manifest(b, other_schema)),
    ("a layout of a later Farol", lambda b: edit_manifest(b, later_format)),
]
