#!/usr/bin/env bash
# Runs the Swift tests of the debug build and records their SQL in data/statements.
# `setup/test-swift.sh --costs [WORD…]` runs each suite alone instead, or those whose names contain a word, and writes
# their durations into data/suite-costs.tsv.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
program="$(swift build --show-bin-path)/farolPackageTests.xctest"

if [ "${1:-}" = --costs ]; then
  shift
  printf '==> Measuring each suite alone\n' >&2
  mkdir -p data
  exec python3 setup/suite_costs.py measure "$program" data/suite-costs.tsv "$@"
fi

printf '==> Testing\n' >&2
# setup/test-dialect.sh reads the statements.
export FAROL_RECORD_STATEMENTS="$PWD/data/statements"
rm -rf "$FAROL_RECORD_STATEMENTS"
mkdir -p "$FAROL_RECORD_STATEMENTS"
use_scratch
python3 setup/swift_tests.py "$program"
