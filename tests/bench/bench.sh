#!/bin/sh
# Prints the figures of this version beside their budgets.
#
#   tests/bench/bench.sh [--short]
#
#   --short  leaves out the full command run of 65,536 nodes (about a minute)
#
# Measures what build-aux/run.sh built. Fails only when the memoised run is not
# equal to the full one.
set -eu
cd "$(dirname "$0")/../.."
[ -f build/build.ninja ] || meson setup build
ninja -C build tests/bench/bench tests/bench/bench-dram tests/bench/bench-place tests/bench/bench-seek \
  tests/bench/bench-tile src/cli/tierc
build/tests/bench/bench-place
build/tests/bench/bench-seek
build/tests/bench/bench-tile
TL_SOURCE_ROOT="$PWD" TL_BUILD_ROOT="$PWD/build" build/tests/bench/bench-dram
if ninja -C build src/app/tierloom >/dev/null 2>&1; then
  TL_SOURCE_ROOT="$PWD" sh tests/gui/run.sh build/src/app/tierloom build/src/cli/tierc tests/bench/desk.py
fi
exec env TL_SOURCE_ROOT="$PWD" TL_BUILD_ROOT="$PWD/build" build/tests/bench/bench "$@"
