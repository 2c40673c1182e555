# Sourced by setup.sh: how a step speaks, fails, and knows that it need not run again.

# Set-up's own downloads and results, shared by all clones of one user.
cache="${FAROL_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/farol}"
if ! mkdir -p "$cache" 2>/dev/null || [ ! -w "$cache" ]; then
  cache="$PWD/data/.cache"
  mkdir -p "$cache"
fi

say() { printf '==> %s\n' "$*" >&2; }

# One sentence that says what to do.
fail() {
  printf '\n%s\n' "$*" >&2
  exit 1
}

# digest FILE…: one name for the content of all of them.
digest() { cat -- "$@" | sha256sum | cut -c1-32; }

# step NAME "OUTPUT…" "INPUT…" COMMAND…: runs the command unless it has run with the same inputs,
# in this folder, and its outputs are still there. The stamps lie in data/.made.
step() {
  local name="$1" outputs="$2" inputs="$3" stamp="data/.made/$1" now
  shift 3
  # shellcheck disable=SC2086
  now="$(digest $inputs) $PWD"
  # shellcheck disable=SC2086
  [ "$(cat "$stamp" 2>/dev/null)" = "$now" ] && all_exist $outputs && return 0
  rm -f "$stamp"
  "$@"
  mkdir -p data/.made
  printf '%s\n' "$now" >"$stamp"
}

all_exist() {
  local file
  for file in "$@"; do
    [ -e "$file" ] || return 1
  done
}

# keep FILE KEY COMMAND…: takes FILE from the cache if it was made there under KEY, else runs the
# command, which makes it, and keeps a copy for the next clone.
keep() {
  local file="$1" kept="$cache/made/$2-${1##*/}"
  shift 2
  if [ -e "$kept" ]; then
    say "Taking ${file##*/} as made before"
  else
    "$@"
    mkdir -p "$cache/made"
    cp --reflink=auto "$file" "$kept.$$" && mv "$kept.$$" "$kept"
  fi
  cp --reflink=auto "$kept" "$file.$$" && mv "$file.$$" "$file"
}

# only_one FILE: waits until no other set-up holds FILE; held until this one ends.
only_one() {
  local handle
  exec {handle}>"$1"
  flock --nonblock "$handle" && return 0
  say "Waiting for another set-up to finish"
  flock "$handle"
}
