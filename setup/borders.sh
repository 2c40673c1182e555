#!/usr/bin/env bash
# Builds the borders of a street map from an OpenStreetMap extract: `setup/borders.sh EXTRACT OUTPUT.borders.db [PLACES]`,
# with the packages of setup/packages/streets.txt. PLACES is the place search, by default data/places.db.
set -euo pipefail
extract="$(realpath "$1")"
output="$(realpath --canonicalize-missing "$2")"
places="${3:+$(realpath "$3")}"
cd "$(dirname "$0")/.."
. setup/steps.sh

places="${places:-$PWD/data/places.db}"
if [ ! -e "$places" ]; then
  say "There is no place search ($places), so $(basename "$output") is left out: towns have boxes instead of borders."
  exit 0
fi
mkdir -p "$(dirname "$output")"
work="$(mktemp -d "$(dirname "$output")/.borders-XXXXXX")"
trap 'rm -rf "$work"' EXIT
say "Building the borders $(basename "$output")"

# With all ways and nodes of each border. libosmium joins the ways; borders that leave the extract are not closed and are
# left out.
nice osmium tags-filter --no-progress --overwrite --output "$work/selected.osm.pbf" \
  "$extract" r/boundary=administrative
# Some extracts are not in the order that osmium needs.
nice osmium sort --no-progress --overwrite --output "$work/sorted.osm.pbf" "$work/selected.osm.pbf"
date="$(nice osmium fileinfo --no-progress --extended --get data.timestamp.last "$work/sorted.osm.pbf" | cut -c1-10)"
case "$date" in 1970-* | "") date= ;; esac
nice osmium export --no-progress --output-format geojsonseq --format-option print_record_separator=false \
  --geometry-types polygon --add-unique-id type_id "$work/sorted.osm.pbf" 2>"$work/log" |
  nice /usr/bin/python3 -B setup/borders.py extract --places "$places" --date "$date" --output "$work/borders.db" ||
  fail "The borders of $(basename "$extract") cannot be read: $(tail -n 1 "$work/log")"
mv "$work/borders.db" "$output"
