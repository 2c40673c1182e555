#!/usr/bin/env bash
# Runs three servers on three databases of PostgreSQL with the files of operations/postgresql, in network namespaces, so
# as root. Pauses, cuts off and kills machines under load, attacks them, and checks what is stored and shown
# (Tests/Cluster). `setup/test-cluster.sh release 3 pause-primary one-way` plays two scenes with the release build, and
# `setup/test-cluster.sh debug 8 kills` kills each eight times with the debug build. Without names all scenes are played.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh

# Debian installs HAProxy in a folder that only root has in its PATH.
PATH="$PATH:/usr/sbin"
for program in data/.patroni/bin/patroni etcd haproxy openssl nft unshare nsenter setpriv curl; do
  command -v "$program" >/dev/null || fail "$program is missing: run \`setup/setup.sh cluster\`."
done
say "Breaking a cluster under load"
export PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 Tests/Cluster --program ".build/${1:-release}/farol" --kills "${2:-3}" "${@:3}"
