#!/usr/bin/env bash
# Kills the server while devices change and checks that every alert of every watch arrives (Tests/Alerts).
# `setup/test-alerts.sh debug 3` kills the debug build three times; docs/reference/crash.md explains it.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Killing the server while alerts are due\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec .venv/bin/python Tests/Alerts --program ".build/${1:-release}/farol" --kills "${2:-20}"
