#!/bin/bash
# setup.sh: make the validators of the end-to-end test ready, in .work (ignored by git).
#
# It downloads each npm package that package-lock.json pins (by digest), makes a copy of each
# validator's binary that an older glibc loads too, and builds the small library that
# stands in for what that glibc lacks. The second run finds its stamp and ends at once.
# Wallets and program addresses are made by each test run, in memory: there are no key files.
#
# Exit code 1, with the remedy on stderr, when a tool is missing or npm cannot be reached.
set -euo pipefail
cd "$(dirname "$0")"

versions=(017 014) # npm aliases validator-NNN in package.json

die() { echo "e2e set-up: $*" >&2; exit 1; }

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
  die "the validator is published for Linux on x86-64 only; this is $(uname -s) on $(uname -m)"

stamp=$(cat package-lock.json compat.c weaken_verneed.py setup.sh | sha256sum)
if [ "$(cat .work/stamp 2>/dev/null)" = "$stamp" ]; then
  echo "e2e set-up: ready" >&2
  exit 0
fi

for tool in npm gcc python3; do
  command -v "$tool" >/dev/null || die "$tool is not installed: apt-get install -y --no-install-recommends $tool"
done
echo '#include <stdlib.h>' | gcc -E - >/dev/null 2>&1 ||
  die "gcc finds no C headers: apt-get install -y --no-install-recommends libc6-dev"

mkdir -p .work
rm -f .work/stamp
cp package.json package-lock.json .work/
echo "e2e set-up: fetching the validators from npm (about 135 MB)" >&2
if ! npm ci --prefix .work --no-audit --no-fund --ignore-scripts --fetch-retries 2 --fetch-timeout 120000 >.work/npm.log 2>&1; then
  tail -5 .work/npm.log >&2
  die "npm could not install the validators; this test needs the registry to be reachable once (npm config get registry)"
fi

gcc -O2 -Wall -Werror -fno-builtin -shared -fPIC -o .work/compat.so compat.c
for v in "${versions[@]}"; do
  python3 weaken_verneed.py ".work/node_modules/validator-$v/bin/ephemeral-validator" ".work/validator-$v" \
    GLIBC_2.38 GLIBC_2.39 GLIBCXX_3.4.31 >&2
  chmod +x ".work/validator-$v"
done
echo "$stamp" >.work/stamp
echo "e2e set-up: ready" >&2
