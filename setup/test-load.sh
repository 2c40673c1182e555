#!/usr/bin/env bash
# A thousand connections at once, and connection attacks (Tests/Load, docs/reference/load.md).
# `setup/test-load.sh debug people` runs one scene on the debug build. A folder instead of `debug` uses the program in
# that folder.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Loading the server\n' >&2
export PYTHONDONTWRITEBYTECODE=1
build="${1:-release}"
shift || true
[ -d "$build" ] || build=".build/$build"
ulimit -n "$(ulimit -Hn)"
exec python3 Tests/Load --program "$build/farol" "$@"
