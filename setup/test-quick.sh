#!/usr/bin/env bash
# Runs the Swift tests of the debug build without the suites that take longest: those that start built programs,
# make and restore backups, attack a server, measure writes, or walk through every endpoint. `make test` runs all.
set -euo pipefail
cd "$(dirname "$0")/.."

folders=(Tests/AppTests/Program Tests/AppTests/Backup Tests/AppTests/Privacy Tests/FarolImageTests)
named=(AccessTableTests LongestWriteTests WriterBudgetTests PagingTests RealListTests MapIndexTests)

# A suite has the name of its file.
slow=$({
  find "${folders[@]}" -name '*Tests.swift' -exec basename {} .swift \;
  printf '%s\n' "${named[@]}"
} | sort -u | paste -sd '|')
printf '==> Testing without the slow suites\n' >&2
swift test --skip-build --skip "[./]($slow)[./]"
