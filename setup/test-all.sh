#!/usr/bin/env bash
# All tests of `make test` after the build: the types and modules of the pages beside the Swift tests, the statements that
# these recorded, on PostgreSQL, and the browsers. With the argument "more", also the comparison of pages with their
# pictures and, beside the others, the tests that wait for servers, clients and kills part of the time (`make test-more`).
set -euo pipefail
cd "$(dirname "$0")/.."

output=$(mktemp)
others=
stop() {
  rm -f "$output"
  [ -z "$others" ] || kill "$others" $(pgrep -P "$others") 2>/dev/null || true
}
trap stop EXIT

test_others() {
  setup/test-front.sh
  [ "${1:-}" = more ] || return 0
  setup/test-clients.sh
  setup/test-crash.sh debug 5
  setup/test-alerts.sh debug 3
  setup/test-backup.sh debug 3 10000
  setup/test-photos.sh debug
  setup/test-formats.sh debug
  setup/test-exchange.sh debug
}

test_others "${1:-}" >"$output" 2>&1 &
others=$!
failed=
setup/test-swift.sh && setup/test-dialect.sh || failed="the Swift tests or their statements"
[ "${1:-}" != more ] || export FAROL_TEST_MORE=1
[ -n "$failed" ] || setup/test-browser.sh || failed="the browsers"
# Their output is long. It is shown only if one of them failed, so that the end of the run names what failed.
wait "$others" || { failed="${failed:+$failed and }the tests beside them"; cat "$output" >&2; }
others=
[ -z "$failed" ] || { printf '==> Failed: %s\n' "$failed" >&2; exit 1; }
