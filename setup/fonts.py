"""Reduces the fonts of the pages to the scripts of the map labels, as WOFF2.

    fonts.py --noto DIR --output DIR

Each weight is in two files: the Latin letters of European languages, which every page needs, and the others, which a
browser requests when a text has one (`unicode-range` in public/css/base.css): further Latin letters, Greek and
Cyrillic. Other scripts use fonts of the reader's system.
"""

import argparse
import subprocess
import sys
from pathlib import Path

FONTS = "usr/share/fonts/truetype/noto"
LICENCE = "usr/share/doc/fonts-noto-core/copyright"
WEIGHTS = {
    "NotoSans-Regular.ttf": "noto-sans-400",
    "NotoSans-Bold.ttf": "noto-sans-700",
}
PARTS = {
    "": (
        "U+0020-007E,U+00A0-017F,U+0218-021B,U+02C6-02DD,U+0300-0304,U+0306-030C,U+0323-0328,"
        "U+2010-2027,U+202F-203A,U+20AC,U+2116,U+2122,U+2190-2193,U+2212"
    ),
    "-more": (
        "U+0180-0217,U+021C-024F,U+0259,U+02BB-02BD,U+0300-0304,U+0306-030C,U+0323-0328,U+0370-03FF,"
        "U+0400-045F,U+0490-04FF,U+1E00-1EFF,U+2044,U+2070-208E,U+2215,U+2248,U+2260,U+2264-2265"
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--noto", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for source, name in WEIGHTS.items():
        for part, characters in PARTS.items():
            subprocess.run(
                [
                    sys.executable, "-m", "fontTools.subset", str(options.noto / FONTS / source),
                    f"--unicodes={characters}", "--flavor=woff2", "--no-hinting",
                    "--layout-features=kern,mark,mkmk,ccmp,locl,tnum,lnum,case",
                    f"--output-file={options.output / name}{part}.woff2",
                ],
                check=True,
            )  # fmt: skip
    licence = (options.noto / LICENCE).read_text("utf-8")
    (options.output / "LICENCE.txt").write_text(licence, "utf-8")


if __name__ == "__main__":
    main()
