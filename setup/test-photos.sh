#!/usr/bin/env bash
# Sends pictures made to break what reads them to a real server and measures them: Tests/PhotoAttacks.
# `setup/test-photos.sh debug` takes the debug build; docs/photos.md has the table of a release.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Attacking the photos\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/PhotoAttacks --program ".build/${1:-release}/farol"
