#!/usr/bin/env bash
# Installs a built Farol: `DESTDIR=… PREFIX=… setup/install.sh PROGRAMS`, where PROGRAMS is the folder of the built
# farol, farol-image and farol-formats. `setup/install.sh map` installs the map data. docs/how-to/operations.md lists the paths.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
umask 022

destination="${DESTDIR:-}"
prefix="${PREFIX:-/usr/local}"
share="$destination$prefix/share"

# copy_tree FOLDER TO: copies everything below a folder, readable by all users.
copy_tree() {
  mkdir -p "$2"
  cp -rL --no-preserve=mode,ownership "$1/." "$2/"
}

install_map() {
  local file found=
  for file in data/basemap.mbtiles data/places.db data/borders.db data/countries.bin; do
    [ -e "$file" ] || continue
    install -D -m 0644 "$file" "$share/farol/$file"
    found=1
  done
  [ -n "$found" ] || fail "Map data is missing: run \`make setup\`, then try again."
}

install_programs() {
  local name folder="$destination$prefix/lib/farol"
  for name in farol farol-image farol-formats; do
    [ -x "$1/$name" ] || fail "$1/$name is missing: run \`make build\`, then try again."
    install -D -s -m 0755 "$1/$name" "$folder/$name"
  done
  # farol-formats looks for these beside itself.
  for name in data/arrow/lib/lib*.so.*; do
    [ -e "$name" ] || fail "Apache Arrow is missing: run \`make setup\`, then try again."
    install -s -m 0644 "$name" "$folder/"
  done
  mkdir -p "$destination$prefix/bin"
  ln -sfn ../lib/farol/farol "$destination$prefix/bin/farol"
}

install_documents() {
  local doc="$share/doc/farol"
  mkdir -p "$doc"
  install -m 0644 docs/how-to/operations.md docs/how-to/runbook.md docs/how-to/setup.md docs/reference/cli.md \
    docs/reference/metrics.md docs/reference/metrics.tsv LICENSE NOTICE SECURITY.md "$doc/"
  install -D -m 0644 -t "$doc/arrow" data/arrow/LICENSE.txt data/arrow/NOTICE.txt
  copy_tree operations "$doc/examples"
  mkdir -p "$share/man/man1" "$share/bash-completion/completions"
  "$1/farol" --experimental-dump-help | python3 setup/manual.py "$2" |
    gzip -9n >"$share/man/man1/farol.1.gz"
  "$1/farol" --generate-completion-script bash >"$share/bash-completion/completions/farol"
}

# Installs the unit and the settings. Existing settings are not replaced.
install_service() {
  local units="$destination$prefix/lib/systemd/system"
  [ "$prefix" = /usr ] && units="$destination/lib/systemd/system"
  install -D -m 0644 packaging/farol.service "$units/farol.service"
  install -m 0644 packaging/farol.socket "$units/farol.socket"
  sed -i "s#^ExecStart=/usr/bin/#ExecStart=$prefix/bin/#" "$units/farol.service"
  [ -e "$destination/etc/farol/farol.conf" ] ||
    install -D -m 0640 packaging/farol.conf "$destination/etc/farol/farol.conf"
}

if [ "${1:-}" = map ]; then
  install_map
  exit
fi
programs="${1:?usage: setup/install.sh FOLDER_OF_PROGRAMS}"
[ -e public/vendor ] || fail "The browser libraries are missing: run \`make setup\`, then try again."
install_programs "$programs"
[ -e data/front/release.json ] || fail "The web front is not built: run \`make setup\`, then try again."
# Servers keep the files of the release before in their database (docs/how-to/operations.md).
for folder in data/front migrations seed; do
  name="${folder#data/}"
  name="${name/front/public}"
  rm -rf "${share:?}/farol/$name"
  copy_tree "$folder" "$share/farol/$name"
done
rm "$share/farol/public/.inputs"
install_documents "$programs" "$("$programs/farol" --version)"
install_service
