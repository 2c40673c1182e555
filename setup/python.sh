# Sourced by setup.sh: Python packages, installed into .venv or used as archives.

python=.venv/bin/python

# make_environment LIST: installs setup/requirements/LIST.txt into the environment of `$python` and verifies the hash
# of every file.
make_environment() {
  local list="$1" environment="${python%/bin/python}"
  if [ ! -x "$python" ] || ! "$python" -c '' 2>/dev/null; then
    say "Creating the Python environment $environment"
    rm -rf "$environment"
    "${FAROL_PYTHON:-/usr/bin/python3}" -m venv "$environment" ||
      fail "Python could not create the environment $environment. Set FAROL_PYTHON to a python3 with the module venv."
  fi
  say "Installing Python packages: $list"
  pip install --quiet -r "setup/requirements/$list.txt" ||
    fail "The Python packages in setup/requirements/$list.txt could not be installed. Check the" \
      "connection and try again."
}

# make_clients: installs the clients of the client tests. ogctests is installed without its dependencies, because the
# part in use does not need them.
make_clients() {
  make_environment clients
  make_environment arrow
  pip install --quiet --no-deps -r setup/requirements/ogctests.txt ||
    fail "The Python packages in setup/requirements/ogctests.txt could not be installed. Check the" \
      "connection and try again."
}

# make_patroni: installs Patroni as docs/how-to/high-availability.md does, with its own requirements from Debian.
make_patroni() {
  say "Installing Patroni"
  rm -rf data/.patroni
  /usr/bin/python3 -m venv --system-site-packages data/.patroni ||
    fail "Python could not create the environment data/.patroni."
  python=data/.patroni/bin/python pip install --quiet --no-deps -r operations/postgresql/patroni-requirements.txt ||
    fail "Patroni could not be installed. Check the connection and try again."
}

# fetch_archives [LIST]: downloads the wheels of setup/requirements/LIST.txt, by default archives.txt (about 160 MB),
# into the folder `$archives`. The name of the folder is a digest of the list. The folder appears when it is complete.
fetch_archives() {
  local list="setup/requirements/${1:-archives}.txt"
  archives="$cache/wheels/$(digest "$list")"
  [ -d "$archives" ] && return 0
  say "Downloading wheels of $list (up to 160 MB)"
  rm -rf "$archives.new"
  mkdir -p "$archives.new"
  pip download --quiet --no-deps --dest "$archives.new" -r "$list" ||
    fail "The Python packages in $list could not be downloaded. Check the connection and try again."
  mv "$archives.new" "$archives"
}

pip() {
  "$python" -m pip --disable-pip-version-check --no-input --cache-dir "$cache/pip" "$1" \
    --require-hashes --only-binary :all: "${@:2}" >&2
}
