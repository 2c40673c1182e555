"""Waits for a condition instead of a fixed time."""

import time

# Software rendering on two busy cores is slow. A test that waits this long has failed.
PATIENCE = 45.0


class NeverCame(AssertionError):
    """A condition that did not become true in time."""


def until(condition, what, seconds=PATIENCE, pause=0.1):
    """Calls `condition` until it returns a true value, and returns that value.

    A condition that raises counts as not yet true; the last error is part of the failure.
    """
    end = time.monotonic() + seconds
    trouble = None
    while True:
        try:
            answer = condition()
            trouble = None
            if answer:
                return answer
        except Exception as error:  # the page may be between two documents
            trouble = error
        if time.monotonic() > end:
            raise NeverCame(f"waited {seconds:.0f} s for {what}") from trouble
        time.sleep(pause)
