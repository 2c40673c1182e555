# Sourced by other scripts: messages, errors, and steps that run only when their inputs change.

# The cache of downloads and results, shared by all clones of a user.
cache="${FAROL_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/farol}"
if ! mkdir -p "$cache" 2>/dev/null || [ ! -w "$cache" ]; then
  cache="$PWD/data/.cache"
  mkdir -p "$cache"
fi

say() { printf '==> %s\n' "$*" >&2; }

# Prints one sentence that says what to do, and exits.
fail() {
  printf '\n%s\n' "$*" >&2
  exit 1
}

# use_scratch: temporary files go to a folder that is removed when this process ends. Other users may pass through it,
# because PostgreSQL does not run as root.
use_scratch() {
  TMPDIR="$(mktemp -d)"
  export TMPDIR
  chmod 711 "$TMPDIR"
  trap 'rm -rf "$TMPDIR"' EXIT
}

# digest FILE…: prints a digest of the content of all files.
digest() { cat -- "$@" | sha256sum | cut -c1-32; }

# note WORD NAME: notes for setup/run.sh that a stage begins or ends.
note() { [ -z "${FAROL_PROGRESS:-}" ] || printf '%s %s %s\n' "$(date +%s)" "$1" "$2" >>"$FAROL_PROGRESS"; }

# Work for later leaves the processor to others; `make run` waits for it.
gently() { if [ -n "${FAROL_PROGRESS:-}" ]; then "$@"; else nice "$@"; fi; }

# step NAME "OUTPUT…" "INPUT…" COMMAND…: runs the command, unless it has run with the same inputs in this folder
# and its outputs exist. The stamps are in data/.made.
step() {
  local name="$1" outputs="$2" inputs="$3" stamp="data/.made/$1" now
  shift 3
  # shellcheck disable=SC2086
  now="$(digest $inputs) $PWD"
  # shellcheck disable=SC2086
  if [ "$(cat "$stamp" 2>/dev/null)" = "$now" ] && all_exist $outputs; then
    note end "$name"
    return 0
  fi
  rm -f "$stamp"
  note begin "$name"
  "$@"
  mkdir -p data/.made
  printf '%s\n' "$now" >"$stamp"
  note end "$name"
}

# is_made NAME "OUTPUT…" "INPUT…": whether the step has run with these inputs and its outputs exist.
# shellcheck disable=SC2086
is_made() {
  [ "$(cat "data/.made/$1" 2>/dev/null)" = "$(digest $3) $PWD" ] && all_exist $2
}

# together COMMAND…: runs commands without arguments at the same time; fails when all have ended if one of them failed.
together() {
  local command process failed=0
  local processes=()
  for command in "$@"; do
    "$command" &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || failed=1; done
  [ "$failed" = 0 ] || exit 1
}

all_exist() {
  local file
  for file in "$@"; do
    [ -e "$file" ] || return 1
  done
}

# keep FILE KEY COMMAND…: copies FILE from the cache entry KEY. If the entry does not exist, runs the command, which
# builds FILE, and adds a copy to the cache.
keep() {
  local file="$1" kept="$cache/made/$2-${1##*/}"
  shift 2
  if [ -e "$kept" ]; then
    say "Copying ${file##*/} from the cache"
  else
    "$@"
    mkdir -p "$cache/made"
    cp --reflink=auto "$file" "$kept.$$" && mv "$kept.$$" "$kept"
  fi
  cp --reflink=auto "$kept" "$file.$$" && mv "$file.$$" "$file"
}

# only_one FILE: locks FILE until this set-up ends. Waits while another set-up holds the lock.
only_one() {
  local handle
  exec {handle}>"$1"
  flock --nonblock "$handle" && return 0
  say "Waiting for another set-up to finish"
  flock "$handle"
}

# room FOLDER BYTES WHAT: fails if the disk has less free space.
room() {
  local free
  free="$(df --output=avail -B1 "$1" | tail -n 1)"
  [ "$free" -ge "$2" ] ||
    fail "$3 needs about $(($2 / 1000000)) MB in $1, but only $((free / 1000000)) MB are free."
}
