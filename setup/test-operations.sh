#!/usr/bin/env bash
# Holds the alerts, the dashboard and the runbook against a real Farol and Debian's Prometheus:
# Tests/Operations. Against the release build; `setup/test-operations.sh debug` takes the debug build.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
. setup/debian.sh

programs="${FAROL_PROMETHEUS:-data/.unpacked/operations/usr/bin}"
if [ ! -x "$programs/prometheus" ]; then
  for name in $(package_names operations); do
    unpack_package "$name" data/.unpacked/operations
  done
fi
say "Watching Farol with Prometheus"
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Operations --program ".build/${1:-release}/farol" --prometheus "$(realpath "$programs")"
