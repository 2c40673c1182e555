#!/usr/bin/env bash
# Runs the Swift tests of the debug build and records their SQL in data/statements. If a few tests fail, their suites
# run once more, alone: machines are shared, and another process can delay a wait.
# `setup/test-swift.sh --costs [WORD…]` runs each suite alone instead, or those whose names contain a word, and writes
# their durations into data/suite-costs.tsv.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = --costs ]; then
  shift
  printf '==> Measuring each suite alone\n' >&2
  mkdir -p data
  exec python3 setup/suite_costs.py measure "$(swift build --show-bin-path)/farolPackageTests.xctest" \
    data/suite-costs.tsv "$@"
fi

printf '==> Testing\n' >&2
# setup/test-dialect.sh reads the statements.
export FAROL_RECORD_STATEMENTS="$PWD/data/statements"
rm -rf "$FAROL_RECORD_STATEMENTS"
mkdir -p "$FAROL_RECORD_STATEMENTS"
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
swift test --skip-build --xunit-output "$results/tests.xml" && exit 0
again=$(python3 setup/failed_suites.py "$results/tests-swift-testing.xml")
[ -n "$again" ] || exit 1
printf '==> Second run: %s\n' "$again" >&2
swift test --skip-build --filter "$again"
printf '==> Passed only in the second run; investigate: %s\n' "$again" >&2
