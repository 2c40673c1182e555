"""Prints a pattern for `swift test --filter` that names the suites of a JUnit file in which tests failed.

Nothing where there is no file, as when the tests ended the program, or where more tests failed than are tried again.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.dont_write_bytecode = True
from second_try import MOST_TRIED_AGAIN  # noqa: E402

file = Path(sys.argv[1])
failed = []
if file.exists():
    cases = ElementTree.parse(file).iter("testcase")
    failed = [case.get("classname") for case in cases if case.find("failure") is not None]
if len(failed) <= MOST_TRIED_AGAIN:
    print("|".join(f"^{re.escape(name)}[./]".replace(r"\.", "[./]") for name in dict.fromkeys(failed)))
