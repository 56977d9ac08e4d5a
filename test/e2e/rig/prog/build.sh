#!/bin/bash
# build.sh: rebuild the programs after a change of their sources. The test itself uses the .so files as they are.
# Needs clang 16 (apt-get install -y --no-install-recommends clang-16) and python3; neither lld nor llvm.
set -euo pipefail
cd "$(dirname "$0")"

build() { # SOURCE OUTPUT [FLAGS]
  clang-16 -target bpf -mcpu=v2 -O2 -fno-builtin -Wall -Wextra -Wno-unused-function -Wno-unused-parameter "${@:3}" -c "$1.c" -o "$2.o"
  python3 link_sbpf.py "$2.o" "$2.so"
  rm "$2.o"
}

build emitter emitter
build mines mines
build mines mines_unchecked -DNO_CHECKS # the dishonest build
build delegate_stub delegate_stub # on the base chain of the newer node
