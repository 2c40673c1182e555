# Sourced by setup.sh: Python packages, installed into .venv or taken as archives.

python=.venv/bin/python

# make_environment LIST: installs setup/requirements/LIST.txt into the environment of `$python`, every file by
# its hash.
make_environment() {
  local list="$1" environment="${python%/bin/python}"
  if [ ! -x "$python" ] || ! "$python" -c '' 2>/dev/null; then
    say "Making the Python environment $environment"
    rm -rf "$environment"
    "${FAROL_PYTHON:-/usr/bin/python3}" -m venv "$environment" ||
      fail "Python could not make the environment $environment; set FAROL_PYTHON to a python3 that can."
  fi
  say "Installing Python packages: $list"
  pip install --quiet -r "setup/requirements/$list.txt" ||
    fail "The Python packages in setup/requirements/$list.txt could not be installed; check the" \
      "connection and try again."
}

# make_clients: installs the clients that tests let read a running Farol. ogctests names packages that
# the part we run does not need, so it comes without them.
make_clients() {
  make_environment clients
  pip install --quiet --no-deps -r setup/requirements/ogctests.txt ||
    fail "The Python packages in setup/requirements/ogctests.txt could not be installed; check the" \
      "connection and try again."
}

# fetch_archives [LIST]: downloads the wheels of setup/requirements/LIST.txt into the folder
# `$archives`; by default those of archives.txt, about 160 MB. The folder is named after the list of
# hashes and appears whole or not at all.
fetch_archives() {
  local list="setup/requirements/${1:-archives}.txt"
  archives="$cache/wheels/$(digest "$list")"
  [ -d "$archives" ] && return 0
  say "Downloading wheels of $list (up to 160 MB)"
  rm -rf "$archives.new"
  mkdir -p "$archives.new"
  pip download --quiet --no-deps --dest "$archives.new" -r "$list" ||
    fail "The Python packages in $list could not be downloaded; check the connection and try again."
  mv "$archives.new" "$archives"
}

pip() {
  "$python" -m pip --disable-pip-version-check --no-input --cache-dir "$cache/pip" "$1" \
    --require-hashes --only-binary :all: "${@:2}" >&2
}
