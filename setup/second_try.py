"""The limit of failed tests that are repeated, for every test runner."""

# More failures than these have a common cause, and a repetition would only take time.
MOST_TRIED_AGAIN = 8
