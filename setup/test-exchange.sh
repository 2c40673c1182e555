#!/usr/bin/env bash
# Exports the whole sample in every format and imports it into another instance (Tests/Exchange).
# `setup/test-exchange.sh debug --only osm xlsx` uses the debug build and tries two formats.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Exchanging the sample between two instances in every format\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec .venv/bin/python Tests/Exchange --program ".build/${1:-release}/farol" "${@:2}"
