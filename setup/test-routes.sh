#!/usr/bin/env bash
# Compares the search for ways with plain searches, RoutingKit and OSRM on every extract of seed/streets:
# `setup/test-routes.sh debug|release [PAIRS]`. Farol is built.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
. setup/python.sh

farol=".build/$1/farol"
pairs="${2:-1000}"
extracts="baltimore harrisburg liechtenstein"

# The wheel of OSRM contains its programs. Its module needs a later Python than Debian’s, so it is only unpacked.
make_routes() {
  python=data/.routes/bin/python make_environment routes
  rm -rf data/.routes/wheel data/.routes/osrm
  python=data/.routes/bin/python pip download --quiet --no-deps --python-version 3.12 --dest data/.routes/wheel \
    -r setup/requirements/osrm.txt ||
    fail "OSRM could not be downloaded. Check the connection and try again."
  data/.routes/bin/python -m zipfile -e data/.routes/wheel/osrm_bindings-*.whl data/.routes/unpacked
  chmod +x data/.routes/unpacked/osrm/bin/*
  mv data/.routes/unpacked/osrm data/.routes/osrm
  rm -rf data/.routes/unpacked data/.routes/wheel
}

step routes "data/.routes/osrm/bin/osrm-routed" "setup/requirements/routes.txt setup/requirements/osrm.txt" make_routes
say "$pairs random ways in each mode against a plain search"
FAROL_PROGRAM="$farol" FAROL_EXTRACTS="${extracts// /,}" FAROL_PAIRS="$pairs" \
  node --test Tests/Front/routes/extracts.test.js
say "RoutingKit and OSRM"
# shellcheck disable=SC2086
data/.routes/bin/python -B Tests/Routes/compare.py "$farol" $extracts --pairs "$pairs"
