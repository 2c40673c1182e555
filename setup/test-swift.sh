#!/usr/bin/env bash
# Runs the Swift tests of the debug build. If a few tests fail, their suites run once more, alone: machines are shared,
# and another process can delay a wait.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Testing\n' >&2
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
swift test --skip-build --xunit-output "$results/tests.xml" && exit 0
again=$(python3 setup/failed_suites.py "$results/tests-swift-testing.xml")
[ -n "$again" ] || exit 1
printf '==> Second run: %s\n' "$again" >&2
swift test --skip-build --filter "$again"
printf '==> Passed only in the second run; investigate: %s\n' "$again" >&2
