#!/usr/bin/env bash
# Upgrades three servers on one PostgreSQL under load, with a migration in between (Tests/Cluster/upgrade.py).
# `setup/test-upgrade.sh debug` uses the debug build.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh

# Debian installs HAProxy in a folder that only root has in its PATH.
PATH="$PATH:/usr/sbin"
for program in haproxy openssl; do
  command -v "$program" >/dev/null || fail "$program is missing: run \`setup/setup.sh cluster\`."
done
say "Upgrading servers one after the other under load"
export PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 Tests/Cluster/upgrade.py ".build/${1:-release}/farol"
