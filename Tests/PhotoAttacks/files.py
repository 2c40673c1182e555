"""Files that attack image decoders, and a few that are only large."""

import random
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

SECRET = b"SECRET Lighthouse"
# None of these words may be in a served picture. Each has at least five bytes: a shorter one occurs by chance
# in several megabytes of pixels.
WORDS = [SECRET, b"Exif\0\0", b"<script", b"<?php", b"%PDF-", b"xmpmeta", b"ICC_PROFILE"]


class Attack:
    """A file, its declared type, and the correct response statuses."""

    def __init__(self, name, content, statuses, named="photo.jpg", kind="image/jpeg", slow=False):
        self.name = name
        self.content = content
        self.statuses = statuses
        self.named = named
        self.kind = kind
        # So large that a busy machine may exceed the time limit; then the file is refused.
        self.slow = slow


def attacks():
    jpeg, png, webp, heif = (picture(kind) for kind in ("jpg", "png", "webp", "heic"))
    yield from no_pictures()
    yield from hybrids(jpeg, png)
    yield from laden(jpeg, heif)
    yield from cut_short(jpeg, png, webp, heif)
    yield from larger_than_they_are(jpeg, webp, heif)
    yield from films(png)
    yield from bombs(png)
    yield from heavy()


def no_pictures():
    svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)' width='9' height='9'/>"
    yield Attack("SVG with a script, called a JPEG", svg, {415})
    yield Attack("SVG that says what it is", svg, {415}, named="photo.svg", kind="image/svg+xml")
    yield Attack("HTML, called a PNG", b"<!doctype html><script>alert(1)</script>", {415},
                 named="photo.png", kind="image/png")
    yield Attack("PDF, called a JPEG", b"%PDF-1.7\n1 0 obj\n<< >>\nendobj\n", {415})
    yield Attack("PostScript", b"%!PS-Adobe-3.0\n0 0 moveto\n", {415})
    yield Attack("ten thousand frames, GIF", gif(10_000), {415}, named="film.gif", kind="image/gif")
    yield Attack("10 MiB of chance behind the first bytes of a JPEG",
                 b"\xff\xd8\xff\xe0" + random.Random(1).randbytes((10 << 20) - 4), {422})


def hybrids(jpeg, png):
    """Pictures that are also valid files of another kind: accepted, and re-encoded as a picture only."""
    others = {
        "an archive": b"PK\x03\x04" + SECRET, "a page": b"<html><script>" + SECRET + b"</script>",
        "a program": b"<?php echo '" + SECRET + b"'; ?>", "a PDF": b"%PDF-1.7 " + SECRET,
    }
    for name, more in others.items():
        yield Attack(f"JPEG that is {name} too", jpeg + more, {201}, named="photo.php",
                     kind="text/html")
        yield Attack(f"JPEG with {name} in a comment", with_segment(jpeg, 0xFE, more), {201})
    yield Attack("PNG that is a page too", png + others["a page"], {201}, named="photo.html")


def laden(jpeg, heif):
    place = with_segment(jpeg, 0xE1, b"Exif\0\0" + tiff())
    xmp = b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>" + SECRET + b"</x:xmpmeta>"
    yield Attack("JPEG that says where it was taken (GPS)", place, {201})
    yield Attack("the same with XMP and a comment",
                 with_segment(with_segment(place, 0xE1, xmp), 0xFE, SECRET), {201})
    yield Attack("HEIF with words in a box of its own",
                 heif + struct.pack(">I", 8 + len(SECRET)) + b"free" + SECRET, {201})


def cut_short(jpeg, png, webp, heif):
    for name, content in (("JPEG", jpeg), ("PNG", png), ("WebP", webp), ("HEIF", heif)):
        yield Attack(f"{name} cut in the middle", content[:len(content) // 2], {415, 422})
        yield Attack(f"{name} of sixteen bytes", content[:16], {415, 422})


def larger_than_they_are(jpeg, webp, heif):
    """Headers that claim more pixels than permitted."""
    many = {422}
    yield Attack("PNG of 50,000 × 50,000 pixels", a_png(50_000, 50_000, zeros(1_000_000)), many)
    at = jpeg.index(b"\xff\xc0")
    yield Attack("JPEG of 65,500 × 65,500 pixels",
                 jpeg[:at + 5] + b"\xff\xdc\xff\xdc" + jpeg[at + 9:], many)
    canvas = chunk_riff(b"VP8X", b"\0\0\0\0" + b"\xff\xff\xff" * 2)
    yield Attack("WebP of 16,777,216 × 16,777,216 pixels", riff(canvas + pixels_of(webp)), many)
    large = struct.pack(">II", 50_000, 50_000)
    parts = heif.split(b"ispe")
    yield Attack("HEIF of 50,000 × 50,000 pixels",
                 b"ispe".join(parts[:1] + [part[:4] + large + part[12:] for part in parts[1:]]),
                 many)


def films(png):
    frame = pixels_of(picture("webp", "[lossless]"))
    size = (63).to_bytes(3, "little") + (47).to_bytes(3, "little")
    frames = chunk_riff(b"ANMF", bytes(6) + size + (10).to_bytes(3, "little") + b"\0" + frame)
    yield Attack("ten thousand frames, WebP", riff(
        chunk_riff(b"VP8X", b"\x02\0\0\0" + size) + chunk_riff(b"ANIM", bytes(6))
        + frames * 10_000), {201})
    packed = zlib.compress(bytes((64 * 3 + 1) * 48))
    more = b"".join(
        chunk(b"fcTL", struct.pack(">IIIIIHHBB", 2 * number, 64, 48, 0, 0, 1, 10, 0, 0))
        + chunk(b"fdAT", struct.pack(">I", 2 * number + 1) + packed) for number in range(9_999))
    start = 8 + 25
    yield Attack("ten thousand frames, PNG",
                 png[:start] + chunk(b"acTL", struct.pack(">II", 10_000, 0)) + png[start:-12]
                 + more + png[-12:], {201})


def bombs(png):
    """A few kilobytes that decompress to hundreds of megabytes."""
    side = 7_000
    full = zeros((side * 8 + 1) * side)
    yield Attack("PNG that unfolds to 392 MB of pixels", a_png(side, side, full, 6, 16), {201, 422})
    yield Attack("the same interlaced", a_png(side, side, full, 6, 16, True), {422})
    start = 8 + 25
    text = zeros(300_000_000)
    for kind, head in ((b"zTXt", b"a\0\0"), (b"iCCP", b"a\0\0"), (b"iTXt", b"a\0\x01\0\0\0")):
        yield Attack(f"PNG with 300 MB in a {kind.decode()} chunk",
                     png[:start] + chunk(kind, head + text) + png[start:], {201, 422})
    words = b"".join(chunk(b"tEXt", b"key%d\0SECRET" % number) for number in range(100_000))
    yield Attack("PNG with a hundred thousand texts", png[:start] + words + png[start:], {201, 422})
    large = picture("jpg", "[interlace]", 3_200, 3_200)
    scan = large.rindex(b"\xff\xda")
    yield Attack("JPEG of ten million pixels drawn two thousand times over",
                 large[:-2] + large[scan:-2] * 2_000 + large[-2:], {201, 422})


def heavy():
    """Ordinary pictures of the maximum size."""
    yield Attack("honest JPEG of 50 million pixels", noise("jpg", "[Q=20]", 8_164, 6_123), {201},
                 slow=True)
    yield Attack("honest HEIF of 12 million pixels", noise("heic", "[Q=30]", 4_032, 3_024), {201},
                 slow=True)
    yield Attack("honest PNG of 3 million pixels", noise("png", "", 2_000, 1_500), {201},
                 slow=True)


# Files made with the program of libvips, which only the tests need.

def vips(*words):
    subprocess.run(["vips", *words], check=True, capture_output=True)


def picture(kind, options="", width=64, height=48):
    """A picture of two colours."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.ppm"
        half = width * height // 2
        source.write_bytes(f"P6\n{width} {height}\n255\n".encode() + b"\xdc\x1e\x1e" * half
                           + b"\x1e\x1e\xdc" * (width * height - half))
        target = Path(folder) / f"target.{kind}"
        vips("copy", str(source), f"{target}{options}")
        return target.read_bytes()


def noise(kind, options, width, height):
    """A picture of random pixels."""
    with tempfile.TemporaryDirectory() as folder:
        grey, target = Path(folder) / "grey.v", Path(folder) / f"target.{kind}"
        vips("gaussnoise", str(grey), str(width), str(height), "--sigma", "20")
        colour = Path(folder) / "colour.v"
        vips("bandjoin", " ".join([str(grey)] * 3), str(colour))
        whole = Path(folder) / "whole.v"
        vips("cast", str(colour), str(whole), "uchar")
        named = Path(folder) / "named.v"
        vips("copy", str(whole), str(named), "--interpretation", "srgb")
        vips("copy", str(named), f"{target}{options}")
        return target.read_bytes()


# Parts of files, as their standards define them.

def chunk(kind, content):
    """A chunk of a PNG."""
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def a_png(width, height, packed, colour=2, depth=8, interlaced=False):
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, int(interlaced))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed)
            + chunk(b"IEND", b""))


def zeros(count):
    """This many zeros, compressed."""
    packer, piece, packed = zlib.compressobj(6), bytes(1 << 20), []
    while count > 0:
        packed.append(packer.compress(piece[:count]))
        count -= len(piece)
    return b"".join(packed) + packer.flush()


def with_segment(jpeg, marker, content):
    return jpeg[:2] + bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content + jpeg[2:]


def tiff():
    """The metadata of a camera: its manufacturer, and a position."""
    def entry(tag, kind, count, value):
        return struct.pack("<HHI", tag, kind, count) + value
    maker = SECRET + b"\0"
    gps_at = 8 + 2 + 2 * 12 + 4
    maker_at = gps_at + 2 + 2 * 12 + 4
    first = (struct.pack("<H", 2) + entry(0x010F, 2, len(maker), struct.pack("<I", maker_at))
             + entry(0x8825, 4, 1, struct.pack("<I", gps_at)) + bytes(4))
    gps = (struct.pack("<H", 2) + entry(1, 2, 2, b"N\0\0\0")
           + entry(2, 5, 3, struct.pack("<I", maker_at + len(maker))) + bytes(4))
    return b"II*\0" + struct.pack("<I", 8) + first + gps + maker + struct.pack("<6I", 46, 1, 57, 1, 12, 1)


def chunk_riff(kind, content):
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def riff(body):
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def pixels_of(webp):
    at = 12
    while at + 8 <= len(webp):
        length = struct.unpack("<I", webp[at + 4:at + 8])[0]
        end = at + 8 + length + length % 2
        if webp[at:at + 4] in (b"VP8 ", b"VP8L"):
            return webp[at:end]
        at = end
    raise ValueError("no pixels")


def gif(frames):
    frame = b",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0"
    return (b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff" + frame * frames + b";")
