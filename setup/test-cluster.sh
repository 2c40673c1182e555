#!/usr/bin/env bash
# Runs three servers on three databases of PostgreSQL with the files of operations/postgresql, kills servers and
# primaries under load, and checks what is stored and shown (Tests/Cluster). `setup/test-cluster.sh debug 3` uses the
# debug build and kills each three times; docs/reports/cluster.md has a longer run.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh

# Debian installs HAProxy in a folder that only root has in its PATH.
PATH="$PATH:/usr/sbin"
for program in patroni etcd haproxy openssl; do
  command -v "$program" >/dev/null || fail "$program is missing: run \`setup/setup.sh cluster\`."
done
say "Killing servers and primaries of a cluster under load"
export PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 Tests/Cluster --program ".build/${1:-release}/farol" --kills "${2:-3}" "${@:3}"
