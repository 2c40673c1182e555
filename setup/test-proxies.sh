#!/usr/bin/env bash
# Lets nginx and Caddy stand before Farol with the files of operations/: Tests/Proxies. Against the
# release build; `setup/test-proxies.sh debug` takes the debug build.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
. setup/debian.sh

[ -n "${FAROL_SKIP_PACKAGES:-}" ] || install_packages proxies
say "Standing behind nginx and Caddy"
export PYTHONDONTWRITEBYTECODE=1
# Debian keeps nginx where only root looks.
PATH="$PATH:/usr/sbin" exec python3 Tests/Proxies --program ".build/${1:-release}/farol"
