#!/usr/bin/env bash
# Builds the Debian package: `setup/deb.sh PROGRAMS`, where PROGRAMS is the folder of the built farol,
# farol-image and farol-formats. Prints the path and the size of the package. Uses no network and no debhelper.
#   VERSION=…     a version that differs from the program's, for example 0.1.0-2
#   MAINTAINER=…  the maintainer of the package
#   OUTPUT=…      the output folder (default: dist)
#   COMPRESSION=… the compression (default: xz)
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
umask 022

programs="${1:?the folder of the programs}"
output="${OUTPUT:-dist}"
version="${VERSION:-$("$programs/farol" --version)}"
architecture="$(dpkg --print-architecture)"
# Reproducible: the same sources give the same package.
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
tree="$work/tree"

# dependencies OPTION…: the Debian packages with the libraries of the programs, and their minimum versions. Farol
# runs without those of farol-formats, which are large: only lists in further formats need them.
dependencies() {
  mkdir -p "$work/shlibs/debian"
  printf 'Source: farol\n\nPackage: farol\nArchitecture: any\n' >"$work/shlibs/debian/control"
  (cd "$work/shlibs" && dpkg-shlibdeps --warnings=0 -O -dDepends "$tree"/usr/lib/farol/farol \
    "$tree"/usr/lib/farol/farol-image -dRecommends "$tree"/usr/lib/farol/farol-formats "$tree"/usr/lib/farol/lib*.so.*) |
    sed -n "s/^shlibs:$1=//p"
}

# fill FILE: prints a template with the known values filled in.
fill() {
  sed -e "s|@VERSION@|$version|" -e "s|@ARCHITECTURE@|$architecture|" -e "s|@SIZE@|$size|" \
    -e "s|@MAINTAINER@|${MAINTAINER:-Farol <farol@localhost>}|" -e "s|@DEPENDS@|$depends|" \
    -e "s|@RECOMMENDS@|$recommends|" \
    -e "s|@YEAR@|$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y)|" "packaging/debian/$1.in"
}

changelog() {
  printf 'farol (%s) bookworm; urgency=medium\n\n' "$version"
  printf '  * The history of the sources lists the changes.\n\n'
  printf ' -- %s  %s\n' "${MAINTAINER:-Farol <farol@localhost>}" \
    "$(date -u -R -d "@$SOURCE_DATE_EPOCH")"
}

say "Building the Debian package of Farol $version for $architecture"
DESTDIR="$tree" PREFIX=/usr setup/install.sh "$programs"
# Debian already contains this text.
rm "$tree/usr/share/doc/farol/LICENSE"
mkdir "$tree/DEBIAN"
size= depends= recommends=
fill copyright >"$tree/usr/share/doc/farol/copyright"
changelog | gzip -9n >"$tree/usr/share/doc/farol/changelog.gz"

depends="$(dependencies Depends)"
recommends="$(dependencies Recommends)"
[ -n "$depends" ] || fail "dpkg-shlibdeps found no libraries; install dpkg-dev and try again."
size="$(du -k -s --apparent-size "$tree" | cut -f1)"
fill control >"$tree/DEBIAN/control"
install -m 0644 packaging/debian/conffiles "$tree/DEBIAN/"
install -m 0755 packaging/debian/{postinst,prerm,postrm} "$tree/DEBIAN/"
(cd "$tree" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | LC_ALL=C sort -z |
  xargs -0 md5sum) >"$tree/DEBIAN/md5sums"

mkdir -p "$output"
package="$output/farol_${version}_$architecture.deb"
dpkg-deb --root-owner-group -Z"${COMPRESSION:-xz}" --build "$tree" "$package" >/dev/null
printf '%s: %s MB, installed %s MB (programs %s MB, the rest %s MB)\n' "$package" \
  "$(($(stat -c %s "$package") / 1000000))" "$((size * 1024 / 1000000))" \
  "$(($(du -sb "$tree/usr/lib/farol" | cut -f1) / 1000000))" \
  "$(($(du -sb "$tree/usr/share" | cut -f1) / 1000000))"
