"""Loaded by schemathesis: sets the sender of the requests according to the environment.

Each request comes from a different network, so that limits for networks do not hide other responses.
"""

import itertools
import json
import os
from urllib.parse import urlencode

import schemathesis

# The longest encoded query in a test. Longer request lines are refused by libmicrohttpd (414), with a text of its own that
# no document can declare. Characters outside ASCII take up to twelve bytes of it, so `maxLength` cannot say this.
LONGEST_QUERY = 24_000

CREDENTIALS = json.loads(os.environ.get("FAROL_CREDENTIALS", "{}"))
_networks = itertools.count(1)


@schemathesis.hook
def filter_case(context, case):
    return len(urlencode(case.query or {}, doseq=True)) <= LONGEST_QUERY


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(_networks)
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    for name, value in CREDENTIALS.items():
        case.headers[name] = value
