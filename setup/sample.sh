#!/usr/bin/env bash
# Fills the database from seed/sample the first time: `setup/sample.sh FAROL`. The file appears
# whole or not at all, so a broken-off import is begun again.
set -euo pipefail
cd "$(dirname "$0")/.."

farol="$1"
database="${FAROL_DATABASE:-data/farol.db}"
[ -e "$database" ] && exit 0

printf '==> Loading the sample devices\n' >&2
new="$(dirname "$database")/.sample"
rm -rf "$new"
mkdir -p "$new"
export FAROL_DATABASE="$new/farol.db"

"$farol" import --sample

mv "$new/farol.db" "$database"
rm -rf "$new"
