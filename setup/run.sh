#!/usr/bin/env bash
# `make run`: sets up and builds Farol at the same time, loads the sample, and serves the map: `setup/run.sh FAROL`. The
# first map has a coarse base map. The full one is built meanwhile, and the server starts again when it is ready. After
# an interruption the next call continues with the stages that are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p data
. setup/steps.sh

farol="$1"
export FAROL_PROGRESS="$PWD/data/.progress"
build_log=data/build.log setup_log=data/setup.log
began="$(date +%s)"
: >"$FAROL_PROGRESS"

# Processes in the background ignore Ctrl-C, so each has a group, which ends with this script.
groups=()
server=""
finish() {
  local group
  trap '' INT TERM
  for group in "${groups[@]}"; do kill -TERM -- "-$group" 2>/dev/null || true; done
  [ -z "$server" ] || kill -TERM "$server" 2>/dev/null || true
  [ -z "$server" ] || wait "$server" 2>/dev/null || true
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# in_background COMMAND…: starts the command in a group of its own and sets `group`.
in_background() {
  setsid "$@" </dev/null &
  group=$!
  groups+=("$group")
}

# behind COMMAND…: the same for a command that leaves the processor to others. Where Linux gives each session an equal
# share (sched_autogroup), `nice` only counts within the session, so the session is lowered too.
behind() {
  # shellcheck disable=SC2016
  in_background bash -c '{ echo 10 >/proc/self/autogroup; } 2>/dev/null; exec nice "$@"' - "$@"
}

# Prints what is done, what runs and about how long it still takes. The seconds of the stages were measured on one core
# each; two cores share them.
progress() {
  local part=""
  [ ! -s "$build_log" ] || part="$({ grep -o '^\[[0-9]*/[0-9]*\]' "$build_log" || true; } | tail -n 1)"
  awk -v now="$(date +%s)" -v began="$began" -v part="$part" '
    BEGIN {
      split("packages 45 tools 20 arrow 12 downloads 25 vendor 12 basemap-small 40 streets 40 places 50 borders 10 countries 70" \
        " program 770 sample 25", list, " ")
      for (place = 1; place in list; place += 2) { names[++count] = list[place]; seconds[list[place]] = list[place + 1] }
    }
    $2 == "begin" { start[$3] = $1 }
    $2 == "end" { done[$3] = 1 }
    END {
      for (place = 1; place <= count; place++) {
        name = names[place]
        if (name in done) { finished = finished (finished ? ", " : "") name; continue }
        rest = seconds[name]
        if (name in start) {
          running = running (running ? ", " : "") name (name == "program" && part ? " " part : "")
          rest -= (now - start[name]) / 1.5
          if (rest < seconds[name] / 10) rest = seconds[name] / 10
        }
        left += rest
      }
      left = int(left / 2 / 60 + 0.5)
      printf "==> %d:%02d  done: %s; now: %s; about %s left\n", (now - began) / 60, (now - began) % 60,
        finished ? finished : "nothing", running ? running : "nothing", left < 1 ? "a minute" : left " min"
    }' "$FAROL_PROGRESS" >&2
}

build() {
  note begin program
  make --no-print-directory build >"$build_log" 2>&1 || {
    tail -n 40 "$build_log" >&2
    fail "The program could not be built; $build_log has the whole output."
  }
  note end program
}

# The import needs the program and these files; the maps may come later.
can_import() {
  local stage
  for stage in program vendor places countries; do
    grep -q " end $stage$" "$FAROL_PROGRESS" || return 1
  done
}

# A street graph takes about a second; they are built beside the import.
load() {
  local graphs
  note begin sample
  setup/street-graphs.sh "$farol" &
  graphs=$!
  setup/sample.sh "$farol"
  wait "$graphs"
  note end sample
}

# meanwhile CONDITION: waits until the condition is met or the processes in `pending` have ended, and prints the progress
# once in half a minute. The first process that fails ends the script.
meanwhile() {
  local one running waited=0
  while [ ${#pending[@]} -gt 0 ] && ! "$1"; do
    running=()
    for one in "${pending[@]}"; do
      if kill -0 "$one" 2>/dev/null; then running+=("$one"); else wait "$one"; fi
    done
    pending=("${running[@]}")
    sleep 1
    waited=$((waited + 1))
    [ $((waited % 30)) != 0 ] || progress
  done
}

setup/setup.sh program
# The program takes longest, so the map data get what it leaves.
behind setup/setup.sh map
pending=("$group")
export -f build load note fail say
export build_log farol
in_background bash -euo pipefail -c build
pending+=("$group")
meanwhile can_import
in_background bash -euo pipefail -c load
pending+=("$group")
meanwhile false
progress

full=""
if ! (. setup/make.sh && is_made basemap data/basemap.mbtiles "$basemap_inputs"); then
  say "The detailed base map is built meanwhile, in about six minutes; $setup_log shows how."
  behind env -u FAROL_PROGRESS setup/setup.sh run >"$setup_log" 2>&1
  full="$group"
fi

trap 'exit 0' INT
while true; do
  say "Farol starts at http://$FAROL_LISTEN/ (Ctrl-C stops it)"
  "$farol" serve &
  server=$!
  if [ -n "$full" ]; then
    wait -n -p ended "$full" "$server" && status=0 || status=$?
    if [ "$ended" = "$full" ]; then
      full=""
      if [ "$status" = 0 ]; then
        say "The detailed base map is ready."
        kill -TERM "$server"
        wait "$server" || true
        continue
      fi
      say "The detailed base map could not be built; $setup_log says why. The next \`make run\` tries again."
      wait "$server" && status=0 || status=$?
    fi
  else
    wait "$server" && status=0 || status=$?
  fi
  server=""
  exit "$status"
done
