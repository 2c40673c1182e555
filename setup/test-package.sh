#!/usr/bin/env bash
# Builds the package and tests its whole life cycle in a separate Debian in a folder (Tests/Package):
# `setup/test-package.sh PROGRAMS`. Needs root, because debootstrap does. The Debian is stored in data/debian-*.tar for
# the next run.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh
. setup/debootstrap.sh

programs="${1:-.build/release}"
[ "$(id -u)" = 0 ] || fail "Run this as root: only root can create the Debian in a folder."
command -v debootstrap >/dev/null || fail "debootstrap is missing: run \`setup/setup.sh test-package\`."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

say "Installing without a package"
DESTDIR="$work/local" setup/install.sh "$programs"
(cd / && "$work/local/usr/local/bin/farol" migrate --database "$work/local/farol.db" >&2) ||
  fail "The program that \`make install\` put into /usr/local does not find its files."
grep -q '^ExecStart=/usr/local/bin/farol serve' "$work/local/usr/local/lib/systemd/system/farol.service"
for example in nginx/farol.conf caddy/Caddyfile prometheus/alerts.yml grafana/farol.json; do
  cmp "operations/$example" "$work/local/usr/local/share/doc/farol/examples/$example"
done
rm -rf "$work/local"

version="$("$programs/farol" --version)"
OUTPUT="$work" VERSION="$version" setup/deb.sh "$programs"
OUTPUT="$work" VERSION="$version+1" COMPRESSION=gzip setup/deb.sh "$programs" >/dev/null

# make_debian FILE: creates a tar file of a minimal Debian with the dependencies of the package.
make_debian() {
  local folder="$work/debian" proxy
  bootstrap "$folder"
  use_proxy
  [ -z "$proxy" ] || printf 'Acquire::http::Proxy "%s";\n' "$proxy" >"$folder/etc/apt/apt.conf.d/90proxy"
  cp --remove-destination /etc/resolv.conf "$folder/etc/resolv.conf"
  export DEBIAN_FRONTEND=noninteractive
  local quiet=(-y -qq -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0)
  chroot "$folder" apt-get "${quiet[@]}" update >&2
  # shellcheck disable=SC2046
  chroot "$folder" apt-get "${quiet[@]}" install --no-install-recommends $(depended_on) >/dev/null ||
    fail "The dependencies of the package could not be installed."
  chroot "$folder" apt-get clean
  tar -C "$folder" -cf "$1.new" .
  mv "$1.new" "$1"
  rm -rf "$folder"
}

# depended_on: prints the dependencies of the package (the first of alternatives), and systemd.
depended_on() {
  printf 'systemd-sysv\ndbus\n'
  dpkg-deb --field "$work/farol_${version}_"*.deb Depends | tr ',' '\n' |
    sed -e 's/|.*//' -e 's/(.*//' | tr -d ' ' | sort -u
}

debian="data/debian-$( (depended_on; sources) | sha256sum | cut -c1-12).tar"
[ -e "$debian" ] || make_debian "$debian"

export PYTHONDONTWRITEBYTECODE=1
packages=("$work/farol_${version}_"*.deb "$work/farol_${version}+1_"*.deb)
mkdir "$work/root" "$work/booted"

say "Installing, running, upgrading, removing and purging the package"
tar -C "$work/root" -xf "$debian"
# Mounts and processes end with the test. The Python of Debian supports seccomp.
unshare --mount --pid --fork --kill-child --propagation private /usr/bin/python3 Tests/Package \
  --root "$work/root" "${packages[@]}"

say "The same with a running systemd"
tar -C "$work/booted" -xf "$debian"
/usr/bin/python3 Tests/Package/booted.py --root "$work/booted" "${packages[@]}"
