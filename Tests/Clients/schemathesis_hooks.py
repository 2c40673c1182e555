"""Loaded by schemathesis: sets the sender of the requests according to the environment.

Each request comes from a different network, so that limits for networks do not hide other responses.
"""

import itertools
import json
import os
from urllib.parse import urlencode

import schemathesis

# The longest encoded query in a test. libmicrohttpd refuses longer request lines (414) without calling Farol, so the
# document cannot declare the response. A character takes up to twelve bytes, so `maxLength` cannot express this limit.
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
