#!/usr/bin/env bash
# Compares the answers of a server on SQLite with those of one on PostgreSQL, to the byte (Tests/Engines).
# `setup/test-engines.sh debug --only /api/statistics` asks only what contains this text.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Comparing the answers of both engines\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec .venv/bin/python Tests/Engines --program ".build/${1:-debug}/farol" "${@:2}"
