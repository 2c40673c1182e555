#!/usr/bin/env bash
# Reads the debug build with third-party clients (Tests/Clients). `--heavy` runs those of Tests/Clients/heavy; with
# names, only these tests run.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Testing with third-party clients\n' >&2
export FAROL_PROGRAM="$PWD/.build/debug/farol"
export PYTHONDONTWRITEBYTECODE=1
exec .venv/bin/python Tests/Clients "$@"
