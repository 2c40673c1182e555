#!/usr/bin/env bash
# Lets clients that others wrote read a running Farol: Tests/Clients, against the debug build. With
# `--heavy` those of Tests/Clients/heavy; with names, only those tests.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Reading with other clients\n' >&2
export FAROL_PROGRAM="$PWD/.build/debug/farol"
export PYTHONDONTWRITEBYTECODE=1
exec .venv/bin/python Tests/Clients "$@"
