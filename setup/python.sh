# Sourced by setup.sh: Python packages, installed into .venv or used as archives.

python=.venv/bin/python

# create_environment: creates the environment of `$python`, unless it works.
create_environment() {
  local environment="${python%/bin/python}"
  [ -x "$python" ] && "$python" -c '' 2>/dev/null && return 0
  say "Creating the Python environment $environment"
  rm -rf "$environment"
  "${FAROL_PYTHON:-/usr/bin/python3}" -m venv "$environment" ||
    fail "Python could not create the environment $environment. Set FAROL_PYTHON to a python3 with the module venv."
}

# make_environment LIST: installs setup/requirements/LIST.txt into the environment of `$python` and verifies the hash
# of every file.
make_environment() {
  local list="$1"
  create_environment
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
# into the folder `$archives`, all at the same time. The name of the folder is a digest of the list. The folder appears
# when it is complete; after an interruption only the missing wheels are downloaded.
fetch_archives() {
  local list="setup/requirements/${1:-archives}.txt" new line process failed=""
  local processes=()
  archives="$cache/wheels/$(digest "$list")"
  [ -d "$archives" ] && return 0
  say "Downloading wheels of $list (up to 160 MB)"
  new="$archives.new"
  mkdir -p "$new/.lists"
  # One list for each wheel, with its hashes.
  sed -e '/^#/d' -e '/^$/d' "$list" | awk -v folder="$new/.lists" '
    !part { part = ++count; file = folder "/" count ".txt"; printf "" > file }
    { print > file }
    !/\\$/ { close(file); part = 0 }'
  for line in "$new/.lists"/*.txt; do
    [ -e "$line.done" ] && continue
    { pip download --quiet --no-deps --dest "$new" -r "$line" && touch "$line.done"; } &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || failed=1; done
  [ -z "$failed" ] ||
    fail "The Python packages in $list could not be downloaded. Check the connection and try again."
  rm -rf "$new/.lists"
  mv "$new" "$archives"
}

pip() {
  "$python" -m pip --disable-pip-version-check --no-input --cache-dir "$cache/pip" "$1" \
    --require-hashes --only-binary :all: "${@:2}" >&2
}
