#!/usr/bin/env bash
# Loads seed/sample into a new database: `setup/sample.sh FAROL`. The database file appears when it is complete, so an
# interrupted import starts again.
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
