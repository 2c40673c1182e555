#!/usr/bin/env bash
# Lets a thousand people in at once, and those who mean harm: Tests/Load, docs/load.md.
# `setup/test-load.sh debug people` runs one scene on the debug build, and a folder in place of `debug`
# on the one that lies there.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Loading the server\n' >&2
export PYTHONDONTWRITEBYTECODE=1
build="${1:-release}"
shift || true
[ -d "$build" ] || build=".build/$build"
ulimit -n "$(ulimit -Hn)"
exec python3 Tests/Load --program "$build/farol" "$@"
