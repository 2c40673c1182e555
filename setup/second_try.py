"""When tests that failed are tried once more, for every runner of tests."""

# More failures than these are no accident, and a second try would only take time.
MOST_TRIED_AGAIN = 8
