"""Reference pictures: stored at half size as WebP, compared with a tolerance, and a picture of the differences."""

import io
import os
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw

from support.chromium import RESULTS

KEPT = Path(__file__).resolve().parents[1] / "pictures"
# Set by `make reference-pictures`: creates the pictures instead of comparing them.
MAKES = os.environ.get("FAROL_REFERENCE_PICTURES") == "make"

# The comparison uses squares of four by four screen pixels and the mean of their colour. Different smoothing of letters
# on another machine changes such a mean by less than DIFFERENT. A missing icon changes dozens of them by more.
# docs/testing.md has the figures.
DIFFERENT = 28  # of 255, in the channel that differs most
MOST = 10  # squares
QUALITY = 62  # of WebP


def kept(name):
    return KEPT / f"{name}.webp"


def halved(screenshot):
    """The picture to store for a screenshot."""
    return Image.open(io.BytesIO(screenshot)).convert("RGB").reduce(2)


def packed(picture):
    """The bytes of a stored picture."""
    file = io.BytesIO()
    picture.save(file, "WEBP", quality=QUALITY, method=6)
    return file


def keep(name, picture):
    KEPT.mkdir(exist_ok=True)
    kept(name).write_bytes(packed(picture).getvalue())


def differing(one, other):
    """A mask of the squares that differ, in white."""
    channels = ImageChops.difference(one.reduce(2), other.reduce(2)).split()
    most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    return most.point(lambda value: 255 if value > DIFFERENT else 0)


def mask_of(expected, picture):
    """The same for pictures of different heights."""
    height = max(expected.height, picture.height)
    return differing(grown(expected, height), grown(picture, height))


def is_equal(name, picture):
    """Whether a picture is equal to the stored one, without the compression that `fault` may need."""
    if not kept(name).exists():
        return False
    expected = Image.open(kept(name)).convert("RGB")
    return expected.size == picture.size and mask_of(expected, picture).histogram()[255] <= MOST


def fault(name, picture):
    """The difference between a picture and the stored one as text; None if they are equal."""
    if not kept(name).exists():
        return f"{name}: no reference picture; make it with `make reference-pictures`"
    expected = Image.open(kept(name)).convert("RGB")
    mask = mask_of(expected, picture)
    if mask.histogram()[255] > MOST:
        # Compression changes both pictures in the same way, especially the colour of thin lines. It takes longer than
        # all other steps here, and most pictures are equal without it.
        picture = Image.open(packed(picture)).convert("RGB")
        mask = mask_of(expected, picture)
    count = mask.histogram()[255]
    if os.environ.get("FAROL_REFERENCE_PICTURES") == "measure":
        print(f"{name}: {count} squares, {height_of(expected, picture)}", flush=True)
    if count <= MOST and expected.size == picture.size:
        return None
    shown = show(name, expected, picture, mask)
    return f"{name}: {count} squares differ (at most {MOST}), {height_of(expected, picture)}; see {shown}"


def height_of(expected, picture):
    """The change of the height, in screen pixels."""
    return f"height {expected.height * 2} became {picture.height * 2}"


def grown(picture, height):
    """The same picture with added space at the bottom."""
    if picture.height == height:
        return picture
    larger = Image.new("RGB", (picture.width, height), (255, 0, 255))
    larger.paste(picture)
    return larger


def show(name, expected, picture, mask):
    """Stores both pictures next to each other, with the differences marked in red."""
    height = max(expected.height, picture.height)
    marked = grown(picture, height).convert("L").convert("RGB")
    red = Image.new("RGB", marked.size, (255, 0, 0))
    marked.paste(red, mask=mask.resize(marked.size, Image.NEAREST))
    sheet = Image.new("RGB", (expected.width * 3 + 20, height), (255, 255, 255))
    for place, one in enumerate((expected, picture, marked)):
        sheet.paste(one, (place * (expected.width + 10), 0))
    ImageDraw.Draw(sheet).line([(expected.width + 5, 0), (expected.width + 5, height)], fill=(255, 0, 255))
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"picture-{name}.png"
    sheet.save(file)
    return file.relative_to(RESULTS.parent)


def is_painted(screenshot, box):
    """Whether a box of a screenshot contains more than one shade: a square of one colour is not an icon."""
    darkest, lightest = screenshot.crop(box).convert("L").getextrema()
    return lightest - darkest >= 20
