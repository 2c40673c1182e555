"""Runs a program inside QGIS without a window: `python3 qgis_session.py PROGRAM`."""

import json  # noqa: F401 (the program uses it)
import os
import sys

from qgis.core import QgsApplication

application = QgsApplication([], False)
application.initQgis()
with open(sys.argv[1]) as text:
    exec(compile(text.read(), sys.argv[1], "exec"))
sys.stdout.flush()
# Providers may still wait for the network, and taking QGIS down in order waits for them.
os._exit(0)
