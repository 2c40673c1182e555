#!/usr/bin/env bash
# Builds the tiles of a street map from an OpenStreetMap extract: `setup/street-map.sh EXTRACT OUTPUT.mbtiles`, with the
# packages of setup/packages/streets.txt.
set -euo pipefail
extract="$(realpath "$1")"
output="$(realpath --canonicalize-missing "$2")"
cd "$(dirname "$0")/.."
. setup/steps.sh
. setup/debian.sh

mkdir -p "$(dirname "$output")"
work="$(mktemp -d "$(dirname "$output")/.streets-XXXXXX")"
trap 'rm -rf "$work"' EXIT
# The map of a country is about as large as its extract, and tilemaker needs the same space again while it runs.
room "$work" "$((3 * $(stat -c %s "$extract")))" "The street map"
# An installation may leave out the examples of the package, so they are extracted from the package itself.
unpack_package tilemaker "$work/package"
say "Building the street map $(basename "$output") (a country takes minutes and gigabytes of memory)"
/usr/bin/python3 setup/streets.py --extract "$extract" --output "$output" --work "$work" \
  --examples "$work/package/usr/share/doc/tilemaker/examples"
