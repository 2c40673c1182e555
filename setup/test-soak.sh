#!/usr/bin/env bash
# Minutes of mixed load, during which the memory of the server must not grow (Tests/Load/soak.py):
# `setup/test-soak.sh release 10 1000000`. If FAROL_DATABASE names a database, the test uses a copy of it.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Testing with long load\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Load/soak.py --program ".build/${1:-release}/farol" --minutes "${2:-10}" \
  --devices "${3:-1000000}"
