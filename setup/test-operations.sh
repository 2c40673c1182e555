#!/usr/bin/env bash
# Holds the alerts, the dashboard and the runbook against a real Farol and Debian's Prometheus:
# Tests/Operations. Against the release build; `setup/test-operations.sh debug` takes the debug build.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
. setup/debian.sh

programs="${FAROL_PROMETHEUS:-$unpacked/operations/usr/bin}"
[ -x "$programs/prometheus" ] ||
  fail "Prometheus is not there: run \`setup/setup.sh operations\`, or name its folder in FAROL_PROMETHEUS."
say "Watching Farol with Prometheus"
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Operations --program ".build/${1:-release}/farol" --prometheus "$(realpath "$programs")"
