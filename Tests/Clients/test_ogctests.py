"""ogctests, which implements CITE's abstract tests of OGC API – Features, scope features/core."""

import os
import re
import subprocess
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path

from instance import root

# Tests that fail because of a defect of the suite, each with the reason.
NOT_OURS = {}


class OGCTests(unittest.TestCase):
    def test_every_test_of_the_scope_features_core_passes(self):
        package = Path(find_spec("ogctests").origin).parent
        done = subprocess.run(
            # Its fixtures are in a parent folder, which pytest reads only with --confcutdir.
            [sys.executable, "-m", "pytest", str(package / "features/core"), "--confcutdir", str(package),
             "-v", "--no-header", "--tb=short", "-p", "no:cacheprovider", "-p", "no:warnings"],
            env=os.environ | {"INSTANCE_URL": root()}, cwd="/tmp", capture_output=True, text=True,
            timeout=300)
        outcomes = dict(re.findall(r"::(test_\w+) (PASSED|FAILED|ERROR|SKIPPED)", done.stdout))
        self.assertGreaterEqual(len(outcomes), 29, done.stdout)
        failed = {name for name, outcome in outcomes.items() if outcome in ("FAILED", "ERROR")}
        self.assertEqual(failed, set(NOT_OURS), done.stdout[-6000:])
