#!/usr/bin/env bash
# Minutes of mixed load; the memory that the server holds must not grow: Tests/Load/soak.py.
# `setup/test-soak.sh release 10 1000000`; FAROL_DATABASE may name a database to take a copy of.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Soaking the server\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Load/soak.py --program ".build/${1:-release}/farol" --minutes "${2:-10}" \
  --devices "${3:-1000000}"
