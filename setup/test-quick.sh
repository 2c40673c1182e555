#!/usr/bin/env bash
# What to check before each commit, with the debug build: the format, the types and modules of public/js, and the Swift
# tests without the suites of setup/slow-suites.txt. `make test` runs all.
#
# The other checks run beside the Swift tests, which wait for sockets, timers and child processes part of the time.
set -euo pipefail
cd "$(dirname "$0")/.."

program="$(swift build --show-bin-path)/farolPackageTests.xctest"
mapfile -t suites < <(awk '$1 !~ /^#/ && NF == 2 { print $1 }' setup/slow-suites.txt)
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# Reports as soon as it ends, and not in the middle of a line of the tests.
check_all_but_swift() {
  local result=0
  { make --no-print-directory lint && setup/test-front.sh; } >"$output" 2>&1 || result=$?
  cat "$output" >&2
  return "$result"
}

check_all_but_swift &
others=$!
printf '==> Testing without the slow suites\n' >&2
failed=""
python3 setup/swift_tests.py "$program" "${suites[@]}" || failed="the Swift tests"
wait "$others" || failed="${failed:+$failed and }the format or public/js"
[ -z "$failed" ] || { printf '==> Failed: %s\n' "$failed" >&2; exit 1; }
