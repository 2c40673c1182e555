"""An authenticator app (RFC 6238)."""

import base64
import hmac
import struct
import time


def code(secret, steps_ahead=0):
    """The six digits for a secret in base 32, now or some steps of 30 seconds ahead."""
    key = base64.b32decode(secret.replace(" ", "") + "=" * (-len(secret.replace(" ", "")) % 8))
    step = int(time.time()) // 30 + steps_ahead
    digest = hmac.digest(key, struct.pack(">Q", step), "sha1")
    place = digest[-1] & 15
    number = struct.unpack(">I", digest[place:place + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"
