#!/usr/bin/env bash
# Packs Farol and lets the package live through all it will meet, in a folder that holds a Debian:
# Tests/Package. `setup/test-package.sh PROGRAMS`; wants root, as debootstrap does. The Debian is kept
# in data/debian-*.tar for the next time.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh

programs="${1:-.build-package/release}"
[ "$(id -u)" = 0 ] || fail "A Debian in a folder can be made by root only."
command -v debootstrap >/dev/null || fail "There is no debootstrap here: run \`setup/setup.sh test-package\`."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

say "Installing without a package"
DESTDIR="$work/local" setup/install.sh "$programs"
(cd / && "$work/local/usr/local/bin/farol" migrate --database "$work/local/farol.db" >&2) ||
  fail "What \`make install\` puts into /usr/local does not find its parts."
grep -q '^ExecStart=/usr/local/bin/farol serve' "$work/local/usr/local/lib/systemd/system/farol.service"
for example in nginx/farol.conf caddy/Caddyfile prometheus/alerts.yml grafana/farol.json; do
  cmp "operations/$example" "$work/local/usr/local/share/doc/farol/examples/$example"
done
rm -rf "$work/local"

version="$("$programs/farol" --version)"
OUTPUT="$work" VERSION="$version" setup/deb.sh "$programs"
OUTPUT="$work" VERSION="$version+1" COMPRESSION=gzip setup/deb.sh "$programs" >/dev/null

# sources: the suites of Debian that this machine takes its packages from.
sources() {
  apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(SUITE) $(COMPONENT) $(ORIGIN)' \
    'Created-By: Packages' | sed -n 's/ Debian$//p' |
    while read -r address codename suite component; do
      # The name of the suite as it stands in the address: updates are no codename of their own.
      printf 'deb %s %s %s\n' "$address" "$codename" "$component"
    done | sort -u
}

# make_debian FILE: a tar file of the smallest Debian with what the package depends on.
make_debian() {
  local folder="$work/debian" mirror codename proxy
  codename="$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")"
  mirror="$(sources | awk -v name="$codename" '$3 == name { print $2; exit }')"
  [ -n "$mirror" ] || fail "No Debian $codename is among the sources of apt on this machine."
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  [ -z "${proxy:-}" ] || export http_proxy="$proxy"
  say "Making a Debian in a folder (a minute or two, once)"
  debootstrap --variant=minbase "$codename" "$folder" "$mirror" >"$work/debootstrap.log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 3 "$work/debootstrap.log")"
  sources >"$folder/etc/apt/sources.list"
  [ -z "${proxy:-}" ] || printf 'Acquire::http::Proxy "%s";\n' "$proxy" >"$folder/etc/apt/apt.conf.d/90proxy"
  # No service is started in there.
  printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
  chmod 755 "$folder/usr/sbin/policy-rc.d"
  cp --remove-destination /etc/resolv.conf "$folder/etc/resolv.conf"
  export DEBIAN_FRONTEND=noninteractive
  local quiet=(-y -qq -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0)
  chroot "$folder" apt-get "${quiet[@]}" update >&2
  # shellcheck disable=SC2046
  chroot "$folder" apt-get "${quiet[@]}" install --no-install-recommends $(depended_on) >/dev/null ||
    fail "What the package depends on could not be installed."
  chroot "$folder" apt-get clean
  tar -C "$folder" -cf "$1.new" .
  mv "$1.new" "$1"
  rm -rf "$folder"
}

# depended_on: the names that the package depends on, the first of alternatives, and systemd.
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
# Mounts and processes of the test end with it. The Debian's own Python has seccomp.
unshare --mount --pid --fork --kill-child --propagation private /usr/bin/python3 Tests/Package \
  --root "$work/root" "${packages[@]}"

say "The same where systemd runs"
tar -C "$work/booted" -xf "$debian"
/usr/bin/python3 Tests/Package/booted.py --root "$work/booted" "${packages[@]}"
