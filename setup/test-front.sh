#!/usr/bin/env bash
# Checks the types of the scripts of the pages, and tests the pure modules with `node --test`.
set -euo pipefail
cd "$(dirname "$0")/.."
shopt -s nullglob globstar

if [ -n "$(printf '%s' public/js/**/*.js)" ]; then
  printf '==> Checking the types of public/js\n' >&2
  tsc --project jsconfig.json
fi

tests=(Tests/Front/**/*.test.js)
if [ ${#tests[@]} -gt 0 ]; then
  printf '==> Testing public/js\n' >&2
  node --test "${tests[@]}"
fi
