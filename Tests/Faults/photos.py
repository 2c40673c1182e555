"""The folder of photos is missing, full or read-only, or the program that decodes photos is broken."""

import errno
import os
import shutil
import struct
import zlib
from pathlib import Path

from cases import case
from instance import ITEMS, Instance, hold, watched
from shim import Disk

EDGE = "a-line-that-is-in-no-picture"


def picture(side=64):
    """A PNG of noise."""
    def chunk(kind, content):
        return (struct.pack(">I", len(content)) + kind + content
                + struct.pack(">I", zlib.crc32(kind + content)))
    rows = b"".join(b"\0" + os.urandom(side * 3) for _ in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def add_photo(instance):
    identity = next(iter(instance.promised))
    body = (f"--{EDGE}\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n"
            "Content-Type: image/png\r\n\r\n").encode() + picture() + f"\r\n--{EDGE}--\r\n".encode()
    return instance.ask("POST", f"{ITEMS}/{identity}/photos", body, {
        "Authorization": f"Bearer {instance.token}",
        "Content-Type": f"multipart/form-data; boundary={EDGE}"}, timeout=30)


def refused(instance):
    answer = add_photo(instance)
    hold(answer.status == 503, f"a photo was answered {answer.status}: {answer.body[:300]}")
    hold(len(answer.json.get("detail", "")) > 20, f"no sentence in {answer.body[:200]}")


def kept(instance, answer):
    hold(answer.status == 201, f"a photo was answered {answer.status}: {answer.body[:300]}")
    for address in (answer.json["url"], answer.json["thumb"]):
        hold(instance.ask("GET", address).status == 200, "an acknowledged photo is not there")


@case("photo folder missing", "a file replaces the folder, then it is missing: photos wait, everything "
      "except photos continues")
def gone(bench):
    instance = Instance(bench.program, bench.folder()).prepare()
    kept(instance, add_photo(instance))
    media = Path(instance.folder) / "media"
    away = media.with_name("media.away")
    with watched(instance) as onlooker:
        os.rename(media, away)
        media.write_text("no folder")
        for _ in range(2):
            refused(instance)
        hold(instance.add().status == 201, "a device is refused because photos cannot be kept")
        media.unlink()
        os.rename(away, media)
        kept(instance, add_photo(instance))
        # A file that the sweep removed is created again.
        shutil.rmtree(media)
        kept(instance, add_photo(instance))
    hold(instance.stop() == 0, "it did not stop well")
    code, words = instance.check()
    hold(code == 1 and "photo" in words, f"farol check does not miss the photos that are gone: {words}")
    return {"reads": onlooker.served}


@case("photo folder full", "every write to it fails with ENOSPC, writes to the database succeed")
def full(bench):
    scratch = bench.folder()
    media = scratch / "data" / "media"
    media.mkdir(parents=True)
    disk = Disk(bench.shim, scratch, media)
    instance = Instance(bench.program, scratch, scratch / "data", disk).prepare()
    with watched(instance) as onlooker:
        with disk.failing(write=errno.ENOSPC) as failing:
            for _ in range(2):
                refused(instance)
            hold(failing.hits > 0, "the fault was never met")
            hold(instance.add().status == 201, "a device is refused because photos cannot be kept")
        left = [one for one in media.rglob("*") if one.is_file()]
        hold(not left, f"pieces were left behind: {left}")
        kept(instance, add_photo(instance))
    instance.finish()
    return {"reads": onlooker.served}


@case("photo program fails", "it runs out of memory, is killed, hangs, or is missing")
def out_of_order(bench):
    scratch = bench.folder()
    real = Path(bench.program).parent / "farol-image"
    stand_in = scratch / "image"
    stand_in.write_text(f"#!/bin/sh\nexec {real} \"$@\"\n")
    stand_in.chmod(0o700)
    instance = Instance(bench.program, scratch, settings={"FAROL_IMAGE": str(stand_in)}).prepare()
    with watched(instance) as onlooker:
        for words in (f"ulimit -v 40000; exec {real} \"$@\"", "kill -9 $$", "exec sleep 60",
                      "exit 3", "yes | head -c 300000000"):
            stand_in.write_text(f"#!/bin/sh\n{words}\n")
            answer = add_photo(instance)
            hold(answer.status in (422, 500, 503), f"{words}: answered {answer.status}")
            hold(len(answer.json.get("detail", "")) > 20, f"{words}: no sentence")
        stand_in.unlink()
        hold(add_photo(instance).status in (500, 503), "a photo was taken without the program")
        stand_in.write_text(f"#!/bin/sh\nexec {real} \"$@\"\n")
        stand_in.chmod(0o700)
        kept(instance, add_photo(instance))
    instance.finish()
    return {"reads": onlooker.served}
