#!/usr/bin/env bash
# Checks the model of the dispatch of visits (Tests/Models/visits.pml) with spin, which is a Debian package.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v spin > /dev/null || {
  printf 'This needs the Debian package spin: apt-get install spin\n' >&2
  exit 1
}
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cp Tests/Models/visits.pml "$folder"
cd "$folder"
spin -a visits.pml > /dev/null
cc -O2 -w -DNFAIR=3 -o pan pan.c
for property in oneOffer neverLost reached; do
  # Weak fairness: a server or a volunteer who can act does so in the end.
  ./pan -a -f -m100000 -N "$property" > "$property.txt"
  grep -q 'errors: 0' "$property.txt" || {
    cat "$property.txt"
    printf '%s does not hold\n' "$property" >&2
    exit 1
  }
  printf '%s holds: %s states\n' "$property" \
    "$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$property.txt")"
done
