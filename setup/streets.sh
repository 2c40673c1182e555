#!/usr/bin/env bash
# Makes street-level tiles of an OpenStreetMap extract: `setup/streets.sh EXTRACT.osm.pbf OUTPUT`.
set -euo pipefail

if [ $# != 2 ]; then
  printf 'usage: setup/streets.sh EXTRACT.osm.pbf OUTPUT.mbtiles\n' >&2
  exit 2
fi
[ -r "$1" ] || { printf 'The extract %s cannot be read.\n' "$1" >&2; exit 1; }
extract="$(realpath "$1")"
output="$(realpath --canonicalize-missing "$2")"
cd "$(dirname "$0")/.."

mkdir -p data "$(dirname "$output")"
. setup/steps.sh
. setup/debian.sh

work="$(mktemp -d "$(dirname "$output")/.streets-XXXXXX")"
trap 'rm -rf "$work"' EXIT

[ -n "${FAROL_SKIP_PACKAGES:-}" ] || install_packages streets
# What the package calls examples may be left out where it is installed, so take them from it.
unpack_package tilemaker "$work/package"
say "Making street tiles of ${extract##*/} (a country takes minutes and gigabytes of memory)"
/usr/bin/python3 setup/streets.py --extract "$extract" --output "$output" --work "$work" \
  --examples "$work/package/usr/share/doc/tilemaker/examples"
say "Streets are in $output; start Farol with FAROL_STREETS=$output"
