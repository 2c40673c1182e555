#!/usr/bin/env bash
# Tests the alerts, the dashboard and the runbook with a real Farol and Debian's Prometheus (Tests/Operations). Uses the
# release build; `setup/test-operations.sh debug` uses the debug build.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
. setup/debian.sh

programs="${FAROL_PROMETHEUS:-$unpacked/operations/usr/bin}"
[ -x "$programs/prometheus" ] ||
  fail "Prometheus is missing: run \`setup/setup.sh operations\`, or name its folder in FAROL_PROMETHEUS."
say "Testing alerts and dashboard with Prometheus"
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Operations --program ".build/${1:-release}/farol" --prometheus "$(realpath "$programs")"
