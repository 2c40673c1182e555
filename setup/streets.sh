#!/usr/bin/env bash
# Builds a street map, its address search, its borders and its graph for routes from an OpenStreetMap extract:
# `setup/streets.sh EXTRACT [OUTPUT.mbtiles]`.
# EXTRACT is a PBF file or its URL. Without OUTPUT, the files are written to the folder that Farol reads.
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

setup/street-map.sh "$extract" "$output"
setup/addresses.sh "$extract" "${output%.*}.addresses.db"
setup/borders.sh "$extract" "${output%.*}.borders.db"

# The program that runs this script, that of this folder, or the installed one.
farol="${FAROL_PROGRAM:-.build/release/farol}"
[ -x "$farol" ] || farol="$(command -v farol || true)"
if [ -n "$farol" ]; then
  nice "$farol" streets "$extract" --output "${output%.*}.graph"
else
  say "Farol is not built yet, so there are no quiet routes in this area. Run: farol streets $extract"
fi
say "The street map is $output. Restart Farol to see it."
