#!/usr/bin/env bash
# Tests nginx and Caddy in front of Farol with the files of operations/ (Tests/Proxies). Uses the release build;
# `setup/test-proxies.sh debug` uses the debug build.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh

# Debian installs nginx in a folder that only root has in its PATH.
PATH="$PATH:/usr/sbin"
for program in nginx caddy openssl; do
  command -v "$program" >/dev/null || fail "$program is missing: run \`setup/setup.sh proxies\`."
done
say "Testing behind nginx and Caddy"
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Proxies --program ".build/${1:-release}/farol"
