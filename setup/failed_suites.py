"""Prints a pattern for `swift test --filter` that names the suites of a JUnit file in which tests failed.

Prints nothing if the file is missing, because the test program crashed, or if more tests failed than are repeated.
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
