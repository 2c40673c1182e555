#!/usr/bin/env bash
# Runs the tests of the server on PostgreSQL, which each process of the tests starts for itself (Tests/TestPostgreSQL).
# Words are parts of the names of suites: `setup/test-postgresql.sh Writing`.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Testing on PostgreSQL\n' >&2
export FAROL_TEST_ENGINE=postgresql
IFS='|'
exec swift test --skip-build --filter "AppTests\\.($*)"
