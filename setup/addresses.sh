#!/usr/bin/env bash
# Builds the address search of a street map from an OpenStreetMap extract: `setup/addresses.sh EXTRACT OUTPUT.addresses.db`,
# with the packages of setup/packages/streets.txt.
set -euo pipefail
extract="$(realpath "$1")"
output="$(realpath --canonicalize-missing "$2")"
cd "$(dirname "$0")/.."
. setup/steps.sh

mkdir -p "$(dirname "$output")"
work="$(mktemp -d "$(dirname "$output")/.addresses-XXXXXX")"
trap 'rm -rf "$work"' EXIT
# The streets and addresses of an extract, a table of them for sorting, and the result.
room "$work" "$((3 * $(stat -c %s "$extract")))" "The address search"
say "Building the address search $(basename "$output")"

# select_from FILE: writes the streets, addresses and settlements of an extract to the work folder.
select_from() {
  nice osmium tags-filter --no-progress --overwrite --output "$work/selected.osm.pbf" \
    "$1" nwr/addr:housenumber w/highway n/place
}

build() {
  nice osmium export --no-progress --output-format geojsonseq --format-option print_record_separator=false \
    "$work/selected.osm.pbf" 2>"$work/log" | nice /usr/bin/python3 setup/addresses.py --output "$work/addresses.db"
}

select_from "$extract"
if ! build; then
  # Some extracts are not in the order that osmium needs. Sorting needs much memory, so it is done only for them.
  nice osmium sort --no-progress --overwrite --output "$work/sorted.osm.pbf" "$extract"
  select_from "$work/sorted.osm.pbf"
  build || fail "The addresses of $(basename "$extract") cannot be read: $(tail -n 1 "$work/log")"
fi
mv "$work/addresses.db" "$output"
