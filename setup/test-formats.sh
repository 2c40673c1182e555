#!/usr/bin/env bash
# Imports one list in every format, and hostile lists, with a real program (Tests/Formats).
# `setup/test-formats.sh debug` uses the debug build.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Importing lists in every format, and hostile lists\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec .venv/bin/python Tests/Formats --program ".build/${1:-release}/farol"
