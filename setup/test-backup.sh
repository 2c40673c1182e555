#!/usr/bin/env bash
# The restore drill: makes backups under load, kills, damages and restores them (Tests/Backup, docs/how-to/backup.md).
# `setup/test-backup.sh debug 3 20000` uses the debug build, kills three backups and generates 20,000 devices.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Restore drill\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Backup --program ".build/${1:-release}/farol" --kills "${2:-10}" --devices "${3:-100000}"
