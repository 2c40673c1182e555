#!/usr/bin/env bash
# Kills the server under load and checks that every acknowledged write exists (Tests/Crash).
# `setup/test-crash.sh debug 5` kills the debug build five times; docs/reference/crash.md explains it.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Killing the server under load\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Crash --program ".build/${1:-release}/farol" --kills "${2:-200}"
