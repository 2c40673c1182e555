#!/usr/bin/env bash
# Makes backups under load, kills and damages them, and puts them in place: Tests/Backup, docs/backup.md.
# `setup/test-backup.sh debug 3 20000` takes the debug build, kills three backups and generates 20,000 devices.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> A restore drill\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Backup --program ".build/${1:-release}/farol" --kills "${2:-10}" --devices "${3:-100000}"
