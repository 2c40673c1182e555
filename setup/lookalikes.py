"""Generates Sources/Accounts/Names/LookAlikeData.swift: the letters of usernames that look alike.

    python3 setup/lookalikes.py

The data are those of Unicode Technical Standard 39 (confusables.txt), read through ICU's `uspoof_getSkeleton`
(Debian package libicu72, a dependency of libxml2). Only letters, marks and digits that a username may contain are
included. Run it when WritingScript gets a new script or Debian a newer ICU, and review the changes. `make` does
not run it.
"""

import ctypes
import re
import textwrap
import unicodedata
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "Sources/Accounts/Names/WritingScript.swift"
TARGET = ROOT / "Sources/Accounts/Names/LookAlikeData.swift"
ICU = "72"

# Cases that UTS 39 leaves to the implementation: small i like small L (1 represents both), and two letters that
# together look like one. The single letter is replaced by the two, so that a skeleton is built letter by letter.
OURS = {"i": "l", "w": "vv", "d": "cl"}

LICENCE = """\
COPYRIGHT AND PERMISSION NOTICE

Copyright © 1991-2022 Unicode, Inc. All rights reserved.
Distributed under the Terms of Use in https://www.unicode.org/copyright.html.

Permission is hereby granted, free of charge, to any person obtaining a copy of the Unicode data
files and any associated documentation (the "Data Files") or Unicode software and any associated
documentation (the "Software") to deal in the Data Files or Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute, and/or
sell copies of the Data Files or Software, and to permit persons to whom the Data Files or
Software are furnished to do so, provided that either (a) this copyright and permission notice
appear with all copies of the Data Files or Software, or (b) this copyright and permission notice
appear in associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR
PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR
HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL
DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE
USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall not be used in
advertising or otherwise to promote the sale, use or other dealings in these Data Files or
Software without prior written authorization of the copyright holder."""


class Confusables:
    """The skeletons of UTS 39, computed by ICU."""

    def __init__(self) -> None:
        library = ctypes.CDLL(f"libicui18n.so.{ICU}")
        opening = library[f"uspoof_open_{ICU}"]
        opening.restype = ctypes.c_void_p
        error = ctypes.c_int(0)
        self._checker = ctypes.c_void_p(opening(ctypes.byref(error)))
        if error.value > 0:
            raise OSError(f"ICU opens no spoof checker: {error.value}")
        self._skeleton = library[f"uspoof_getSkeletonUTF8_{ICU}"]

    def skeleton(self, text: str) -> str:
        raw = text.encode()
        buffer = ctypes.create_string_buffer(400)
        error = ctypes.c_int(0)
        length = self._skeleton(
            self._checker, 0, raw, len(raw), buffer, len(buffer), ctypes.byref(error)
        )
        if error.value > 0:
            raise OSError(f"ICU makes no skeleton of {text!r}: {error.value}")
        return buffer.raw[:length].decode()


def of_usernames() -> list[str]:
    """Every character that a username may contain, decomposed."""
    source = SCRIPTS.read_text(encoding="utf-8")
    found = set("0123456789")
    for first, last in re.findall(r"0x([0-9A-F]+)\.\.\.0x([0-9A-F]+)", source):
        for number in range(int(first, 16), int(last, 16) + 1):
            if unicodedata.category(chr(number)) in ("Lu", "Ll", "Lt", "Lo", "Lm", "Mn", "Mc"):
                found.update(unicodedata.normalize("NFD", chr(number)))
    return sorted(c for c in found if not is_accent(c))


def is_accent(character: str) -> bool:
    return "\u0300" <= character <= "\u036f"


def look(character: str, confusables: Confusables) -> str:
    """The appearance of a character: equal for all characters that look the same."""
    text, before = character, None
    while text != before:
        before = text
        text = unicodedata.normalize("NFD", confusables.skeleton(text)).casefold()
        text = "".join(c for c in text if not is_accent(c))
    return "".join(OURS.get(c, c) for c in text)


def main() -> None:
    confusables = Confusables()
    by_look = defaultdict(list)
    for character in of_usernames():
        looks = look(character, confusables)
        if looks != character:
            by_look[looks].append(character)

    def codes(text: str | list[str]) -> str:
        return " ".join(f"{ord(c):x}" for c in text)

    rows = [f"{codes(looks)}: {codes(all_)}".strip() for looks, all_ in sorted(by_look.items())]
    lines = textwrap.wrap(", ".join(rows), 92, break_long_words=False)
    notice = "\n".join(f"// {line}".rstrip() for line in LICENCE.splitlines())
    data = " \\\n".join(f"    {line}" for line in lines)
    TARGET.write_text(
        f"""\
// Generated by setup/lookalikes.py from confusables.txt of Unicode 15.0 (Unicode Technical Standard
// 39) as shipped with ICU {ICU}. Only characters allowed in usernames; that script lists the changes.
//
{notice}

extension LookAlikes {{
  /// Comma-separated entries: look-alike key, colon, characters that have it; as hexadecimal scalars.
  static let data = \"\"\"
{data}
    \"\"\"
}}
""",
        encoding="utf-8",
    )
    print(f"{sum(map(len, by_look.values()))} characters, {len(by_look)} looks")


if __name__ == "__main__":
    main()
