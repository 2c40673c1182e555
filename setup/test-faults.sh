#!/usr/bin/env bash
# Causes the faults of Tests/Faults and checks the promises of the server (docs/reference/faults.md).
# `setup/test-faults.sh debug --brief` takes a minute with the debug build; words select cases by name.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Causing faults\n' >&2
export PYTHONDONTWRITEBYTECODE=1
build="${1:-release}"
shift || true
exec python3 Tests/Faults --program ".build/$build/farol" "$@"
