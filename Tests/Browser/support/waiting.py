"""Waiting for a condition instead of for a time."""

import time

# Software drawing on two busy cores is slow; a test that waits this long has failed.
PATIENCE = 45.0


class NeverCame(AssertionError):
    """A condition that was waited for and did not come true."""


def until(condition, what, seconds=PATIENCE, pause=0.1):
    """Asks `condition` until it answers something true, and returns that.

    A condition that raises counts as not yet true; the last error is told when patience ends.
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
