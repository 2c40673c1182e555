#!/usr/bin/env bash
# Makes the faults of Tests/Faults for real and holds the server to its promises: docs/faults.md.
# `setup/test-faults.sh debug --brief` takes a minute with the debug build; words choose cases.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Making faults\n' >&2
export PYTHONDONTWRITEBYTECODE=1
build="${1:-release}"
shift || true
exec python3 Tests/Faults --program ".build/$build/farol" "$@"
