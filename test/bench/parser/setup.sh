#!/usr/bin/env bash
# Fetch the packages of the parser, in the versions of package-lock.json.
# They are used to compare with only, and never shipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

stamp=node_modules/.stamp
if cmp -s package-lock.json "$stamp"; then exit 0; fi
if ! npm ci --ignore-scripts --no-audit --no-fund; then
  echo "bench: npm could not fetch the packages of test/bench/parser; the comparison needs a registry" >&2
  exit 1
fi
cp package-lock.json "$stamp"
