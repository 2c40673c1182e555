#!/usr/bin/env bash
# Prepares on PostgreSQL the statements that setup/test-swift.sh recorded in data/statements (Tests/Dialect).
# `setup/test-dialect.sh --part` does not complain about entries that the recorded tests do not need: use it after
# `FAROL_RECORD_STATEMENTS=$PWD/data/statements swift test --skip-build --filter NAME`.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Preparing the recorded statements on PostgreSQL\n' >&2
export PYTHONDONTWRITEBYTECODE=1
# Debian's Python, which has Debian's psycopg2.
/usr/bin/python3 -c 'import psycopg2' 2>/dev/null ||
  { printf 'psycopg2 is missing: run `setup/setup.sh dialect`.\n' >&2; exit 1; }
/usr/bin/python3 -m unittest discover -q Tests/Dialect
exec /usr/bin/python3 Tests/Dialect --recorded data/statements "$@"
