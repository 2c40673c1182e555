#!/usr/bin/env bash
# Fuzzes the parsers of Tests/Fuzz with libFuzzer, each for some seconds: `setup/fuzz.sh 60 csv json`.
# New inputs are stored in data/fuzz, and the next run begins with them. An input that reveals a defect is stored in
# test-results/fuzz, and the exit code is 1. `setup/fuzz.sh 0` only replays the seeds and the stored inputs.
set -euo pipefail
cd "$(dirname "$0")/.."

time="${1:-60}"
shift || true
program=.build-fuzz/debug/farol-fuzz

printf '==> Building the parsers for libFuzzer (minutes the first time)\n' >&2
# A debug build for `@testable`. lld, because gold does not link libFuzzer. The counters must not be removed as
# dead code.
FAROL_FUZZ=1 swift build --jobs "${JOBS:-2}" --scratch-path .build-fuzz --sanitize=fuzzer \
  --product farol-fuzz -Xswiftc -use-ld=lld --disable-dead-strip

parsers=("$@")
[ ${#parsers[@]} -gt 0 ] || for folder in Tests/Fuzz/seeds/*/; do parsers+=("$(basename "$folder")"); done
mkdir -p test-results/fuzz
for parser in "${parsers[@]}"; do
  kept="data/fuzz/$parser"
  mkdir -p "$kept"
  log="test-results/fuzz/$parser.log"
  limits=(-timeout=25 -rss_limit_mb=2048 -max_len=16384 -artifact_prefix="test-results/fuzz/$parser-")
  if [ "$time" -eq 0 ]; then limits+=(-runs=0); else limits+=(-max_total_time="$time"); fi
  if ! FAROL_FUZZ_TARGET="$parser" "$program" "${limits[@]}" "$kept" "Tests/Fuzz/seeds/$parser" 2>"$log"; then
    printf '%s: BROKEN\n' "$parser"
    tail -30 "$log" >&2
    exit 1
  fi
  printf '%-10s %s\n' "$parser" "$(grep -E 'DONE' "$log" | tail -1 | tr -s ' \t' ' ')"
done
