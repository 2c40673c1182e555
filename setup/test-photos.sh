#!/usr/bin/env bash
# Sends hostile images to a real server and measures their cost (Tests/PhotoAttacks).
# `setup/test-photos.sh debug` uses the debug build; docs/explanation/photos.md has the table of a release.
set -euo pipefail
cd "$(dirname "$0")/.."

printf '==> Sending hostile images\n' >&2
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/PhotoAttacks --program ".build/${1:-release}/farol"
