# Sourced by setup.sh: Debian packages, installed or used as archives.

# package_names LIST…: prints the names in setup/packages/LIST.txt.
package_names() {
  local list
  for list in "$@"; do
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "setup/packages/$list.txt"
  done
}

# install_packages LIST…: installs missing packages as root. Without root, prints the command for root.
install_packages() {
  local missing
  command -v dpkg-query >/dev/null ||
    fail "Set-up supports Debian only. Install the equivalents of these packages yourself and set" \
      "FAROL_SKIP_PACKAGES=1: $(package_names "$@" | tr '\n' ' ')"
  missing="$(missing_packages "$@")"
  [ -z "$missing" ] && return 0
  if [ "$(id -u)" != 0 ]; then
    fail "Run this line as root, then try again:
apt-get update && apt-get install -y --no-install-recommends $missing"
  fi
  say "Installing Debian packages: $missing"
  # shellcheck disable=SC2086
  { apt_get update && apt_get install --no-install-recommends $missing; } ||
    fail "The packages named above could not be installed. Correct the error of apt-get and run the" \
      "same command again."
}

# missing_packages LIST…: prints the packages that are not installed, on one line.
missing_packages() {
  local name installed
  local names=()
  mapfile -t names < <(package_names "$@")
  installed="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${names[@]}" 2>/dev/null |
    sed -n 's/^installed //p')"
  for name in "${names[@]}"; do
    grep -qx -- "$name" <<<"$installed" && continue
    [ "$name" = nodejs ] && has_node && continue
    [ "$name" = libcurl4-gnutls-dev ] && pkg-config --exists libcurl 2>/dev/null && continue
    printf '%s ' "$name"
  done | sed 's/ $//'
}

has_node() {
  local version
  version="$(node --version 2>/dev/null)" || return 1
  version="${version#v}"
  [ "${version%%.*}" -ge 18 ]
}

apt_get() {
  DEBIAN_FRONTEND=noninteractive apt-get -y -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600 \
    -o APT::Sandbox::User=root "$@" >&2 </dev/null
}

# The folder of packages that are unpacked but not installed, by the name of their list.
unpacked=data/.unpacked

# unpack_packages LIST: unpacks every package of a list.
unpack_packages() {
  local name
  for name in $(package_names "$1"); do
    unpack_package "$name" "$unpacked/$1"
  done
}

# unpack_package NAME DIR: unpacks the package into DIR without installing it; needs no root.
unpack_package() {
  fetch_package "$1"
  mkdir -p "$2"
  dpkg-deb -x "$package" "$2"
}

# fetch_package NAME: downloads the package, unless it is in the cache, and sets `package` to its path. apt verifies the
# signature during the download.
fetch_package() {
  local name="$1" file
  file="$(apt-get download --print-uris "$name" 2>/dev/null | cut -d' ' -f2)" || file=""
  [ -n "$file" ] ||
    fail "Debian's package lists do not contain $name: run \`apt-get update\` as root, then try again."
  package="$cache/packages/$file"
  [ -e "$package" ] && return 0
  say "Downloading Debian package $name"
  local new="$cache/packages/.new-$BASHPID"
  mkdir -p "$new"
  (cd "$new" && apt-get download -qq -o APT::Sandbox::User=root "$name" >&2) ||
    fail "The Debian package $name could not be downloaded. Check the connection and try again."
  mv "$new/$file" "$package"
  rmdir "$new"
}
