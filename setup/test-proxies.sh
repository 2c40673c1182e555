#!/usr/bin/env bash
# Lets nginx and Caddy stand before Farol with the files of operations/: Tests/Proxies. Against the
# release build; `setup/test-proxies.sh debug` takes the debug build.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh

# Debian keeps nginx where only root looks.
PATH="$PATH:/usr/sbin"
for program in nginx caddy openssl; do
  command -v "$program" >/dev/null || fail "There is no $program here: run \`setup/setup.sh proxies\`."
done
say "Standing behind nginx and Caddy"
export PYTHONDONTWRITEBYTECODE=1
exec python3 Tests/Proxies --program ".build/${1:-release}/farol"
