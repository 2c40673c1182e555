#!/usr/bin/env bash
# Reads changed lists with farol-formats under the address sanitizer, each format for some seconds:
# `setup/fuzz-formats.sh 60 gpkg xlsx` (Tests/Formats/mutated.py).
set -euo pipefail
cd "$(dirname "$0")/.."

time="${1:-60}"
shift || true
printf '==> Building farol-formats with the address sanitizer\n' >&2
make --no-print-directory .build-address/options.o
swift build --jobs "${JOBS:-2}" --scratch-path .build-address --sanitize=address \
  -Xlinker "$PWD/.build-address/options.o" --product farol-formats
exec .venv/bin/python Tests/Formats/mutated.py --program .build-address/debug/farol-formats --seconds "$time" "$@"
