#!/usr/bin/env bash
# Tests the pages of the debug build in real browsers (Tests/Browser), JOBS modules at a time. With arguments, only the
# tests they name. Three modules at a time use two cores well: a module waits for pauses of pages, mails and outages
# during part of its time.
set -euo pipefail
cd "$(dirname "$0")/.."
shopt -s nullglob
. setup/steps.sh

tests=(Tests/Browser/test_*.py)
[ ${#tests[@]} -gt 0 ] || exit 0

printf '==> Testing in browsers\n' >&2
export FAROL_PROGRAM="$PWD/.build/debug/farol"
export PYTHONDONTWRITEBYTECODE=1
use_scratch
.venv/bin/python Tests/Browser --jobs "${JOBS:-3}" "$@"
