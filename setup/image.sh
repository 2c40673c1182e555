#!/usr/bin/env bash
# Builds the container images: `setup/image.sh PROGRAMS`, where PROGRAMS is the folder of the built farol, farol-image and
# farol-formats. Makes farol, farol-database and farol-proxy, each with the tags `latest` and the version.
#   BASE=…        the base image (default: docker.io/library/debian:bookworm-slim). `debootstrap`, as root, makes the base
#                 from the Debian packages, where no registry can be reached.
#   IMAGES=…      those to build (default: farol farol-database farol-proxy)
#   BUILDER=…     the command that builds (default: buildah bud, or docker build)
#   BUILD_FLAGS=… further flags of the builder, such as `--isolation chroot`
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
. setup/debootstrap.sh
umask 022

programs="${1:?the folder of the programs}"
base="${BASE:-docker.io/library/debian:bookworm-slim}"
images="${IMAGES:-farol farol-database farol-proxy}"
version="$("$programs/farol" --version)"
date="$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}" +%Y-%m-%dT%H:%M:%SZ)"

if [ -z "${BUILDER:-}" ]; then
  if command -v buildah >/dev/null; then BUILDER='buildah bud --format docker'; else BUILDER='docker build'; fi
fi
command -v "${BUILDER%% *}" >/dev/null || fail "buildah is missing: run \`setup/setup.sh image\`."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# make_base: a base image of this machine's Debian release, kept until its apt sources change.
make_base() {
  local mark
  mark="$(sources | sha256sum | cut -c1-12)"
  base="localhost/farol-base:$mark"
  buildah inspect --type image "$base" >/dev/null 2>&1 && return
  bootstrap "$work/base"
  rm -rf "$work"/base/var/lib/apt/lists/* "$work"/base/var/cache/apt/archives/*.deb "$work"/base/var/log/bootstrap.log
  : >"$work/base/etc/machine-id"
  rm -f "$work/base/etc/resolv.conf" "$work/base/etc/hostname"
  say "Making the base image $base"
  local container
  container="$(buildah from scratch)"
  buildah add --quiet "$container" "$work/base" / >/dev/null
  buildah config --cmd /bin/bash "$container"
  buildah commit --quiet --rm "$container" "$base" >/dev/null
  rm -rf "$work/base"
}

# build NAME CONTAINERFILE FOLDER
build() {
  say "Building the image $1"
  # shellcheck disable=SC2086
  $BUILDER ${BUILD_FLAGS:-} --build-arg "BASE=$base" --file "$2" \
    --label "org.opencontainers.image.title=$1" --label "org.opencontainers.image.version=$version" \
    --label "org.opencontainers.image.created=$date" --label org.opencontainers.image.licenses=Apache-2.0 \
    --tag "localhost/$1:latest" --tag "localhost/$1:${version//[^0-9A-Za-z_.-]/-}" "$3" >"$work/log" 2>&1 ||
    fail "The image $1 could not be built: $(tail -n 15 "$work/log")"
}

if [ "$base" = debootstrap ]; then make_base; fi
for image in $images; do
  folder="$work/$image"
  mkdir "$folder"
  case "$image" in
    farol)
      OUTPUT="$folder" VERSION="$version" setup/deb.sh "$programs"
      mv "$folder"/farol_*.deb "$folder/farol.deb"
      DESTDIR="$folder/map" PREFIX=/usr setup/install.sh map
      cp packaging/container/health "$folder/"
      file=Containerfile
      ;;
    farol-database)
      cp operations/postgresql/start-database operations/postgresql/create-database.sql \
        operations/postgresql/create-reader.sql "$folder/"
      file=operations/postgresql/Containerfile.database
      ;;
    farol-proxy) file=operations/postgresql/Containerfile.proxy ;;
    *) fail "There is no image $image: farol, farol-database or farol-proxy." ;;
  esac
  build "$image" "$file" "$folder"
done
say "Built: $(for image in $images; do printf '%s:%s ' "$image" "$version"; done)"
