#!/usr/bin/env bash
# Builds a street map from an OpenStreetMap extract: `setup/streets.sh EXTRACT [OUTPUT.mbtiles]`. EXTRACT is a PBF file
# or its URL. Without OUTPUT, the map is written to the folder that Farol reads.
set -euo pipefail

if [ $# != 1 ] && [ $# != 2 ]; then
  printf 'usage: setup/streets.sh EXTRACT.osm.pbf|https://… [OUTPUT.mbtiles]\n' >&2
  exit 2
fi
extract="$1"
case "$extract" in
  http://* | https://*) ;;
  *)
    [ -r "$extract" ] || { printf 'The extract %s cannot be read.\n' "$extract" >&2; exit 1; }
    extract="$(realpath "$extract")"
    ;;
esac
output="${2:+$(realpath --canonicalize-missing "$2")}"
cd "$(dirname "$0")/.."

mkdir -p data
. setup/steps.sh
. setup/debian.sh

name="${extract##*/}"
name="${name%%[?#]*}"
name="${name%.osm.pbf}"
name="${name%.pbf}"
output="${output:-$PWD/data/streets/${name%-latest}.mbtiles}"
mkdir -p "$(dirname "$output")"

# room FOLDER BYTES WHAT: fails if the disk has less free space.
room() {
  local free
  free="$(df --output=avail -B1 "$1" | tail -n 1)"
  [ "$free" -ge "$2" ] ||
    fail "$3 needs about $(($2 / 1000000)) MB in $1, but only $((free / 1000000)) MB are free."
}

# fetch URL FILE: downloads the file, or the rest after an interrupted download.
fetch() {
  local url="$1" file="$2" length
  length="$(curl --silent --show-error --fail --location --head "$url" |
    tr -d '\r' | sed -n 's/^[Cc]ontent-[Ll]ength: *//p' | tail -n 1)" ||
    fail "The extract could not be reached at $url. Check the address and the connection, or download" \
      "the file on another machine and give its path."
  [ -s "$file" ] && [ -n "$length" ] && [ "$(stat -c %s "$file")" = "$length" ] && return 0
  [ -n "$length" ] && room "$(dirname "$file")" "$length" "The download"
  say "Downloading $url${length:+ ($((length / 1000000)) MB)}"
  curl --fail --location --continue-at - --retry 3 --output "$file" "$url" ||
    fail "The download was interrupted. Run the same command again to continue it."
}

[ -n "${FAROL_SKIP_PACKAGES:-}" ] || install_packages streets
case "$extract" in
  http://* | https://*)
    mkdir -p "$cache/extracts"
    file="$cache/extracts/$name.osm.pbf"
    fetch "$extract" "$file"
    extract="$file"
    ;;
esac

work="$(mktemp -d "$(dirname "$output")/.streets-XXXXXX")"
trap 'rm -rf "$work"' EXIT
# The map of a country is about as large as its extract, and tilemaker needs the same space again while it runs.
room "$work" "$((3 * $(stat -c %s "$extract")))" "The street map"
# An installation may leave out the examples of the package, so they are extracted from the package itself.
unpack_package tilemaker "$work/package"
say "Building the street map of $name (a country takes minutes and gigabytes of memory)"
/usr/bin/python3 setup/streets.py --extract "$extract" --output "$output" --work "$work" \
  --examples "$work/package/usr/share/doc/tilemaker/examples"
say "The street map is $output. Restart Farol to see it."
