#!/usr/bin/env bash
# Runs the tests of the server on PostgreSQL. Each of the two processes of the tests starts a cluster in a temporary
# folder, on a Unix socket, and removes it (Tests/TestPostgreSQL). Words are parts of the names of suites:
# `setup/test-postgresql.sh Writing Account`.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Testing on PostgreSQL\n' >&2
export FAROL_TEST_ENGINE=postgresql
exec python3 setup/swift_tests.py "$(swift build --show-bin-path)/farolPackageTests.xctest" --within AppTests "$@"
