#!/usr/bin/env bash
# Builds the street graphs of the places in seed/streets: `setup/street-graphs.sh FAROL`. A graph takes about a second; it is
# built again after a change of the extract or of the program.
set -euo pipefail
cd "$(dirname "$0")/.."

farol="$1"
mkdir -p data/streets
for extract in seed/streets/*.osm.pbf; do
  graph="data/streets/$(basename "$extract" .osm.pbf).graph"
  [ "$graph" -nt "$extract" ] && [ "$graph" -nt "$farol" ] && continue
  nice "$farol" streets "$extract" --output "$graph" >/dev/null ||
    printf 'The street graph %s could not be built; there are no quiet routes in this area.\n' "$graph" >&2
done
