# Sourced by test-package.sh and image.sh: a minimal Debian in a folder, like that of this machine. Needs root.

# sources: prints the Debian suites in the apt sources of this machine.
sources() {
  apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(SUITE) $(COMPONENT) $(ORIGIN)' \
    'Created-By: Packages' | sed -n 's/ Debian$//p' |
    while read -r address codename suite component; do
      # The name of the suite as in the URL, because updates have no separate codename.
      printf 'deb %s %s %s\n' "$address" "$codename" "$component"
    done | sort -u
}

# use_proxy: lets programs use the proxy that apt is configured with, and sets `proxy` to it.
use_proxy() {
  proxy=
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  [ -z "$proxy" ] || export http_proxy="$proxy"
}

# bootstrap FOLDER: creates a minimal Debian of the release of this machine, with its apt sources. Services are not
# started in it.
bootstrap() {
  local folder="$1" mirror codename proxy log
  [ "$(id -u)" = 0 ] || fail "Run this as root: only root can create a Debian in a folder."
  command -v debootstrap >/dev/null || fail "debootstrap is missing: run \`setup/setup.sh test-package\`."
  codename="$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")"
  mirror="$(sources | awk -v name="$codename" '$3 == name { print $2; exit }')"
  [ -n "$mirror" ] || fail "The apt sources of this machine do not contain Debian $codename."
  use_proxy
  log="$(mktemp)"
  say "Creating a Debian in a folder (a minute or two, once)"
  debootstrap --variant=minbase "$codename" "$folder" "$mirror" >"$log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 3 "$log")"
  rm "$log"
  sources >"$folder/etc/apt/sources.list"
  printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
  chmod 755 "$folder/usr/sbin/policy-rc.d"
}
