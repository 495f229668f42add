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
ninja -C build tests/bench/bench tests/bench/bench-place src/cli/tierc
build/tests/bench/bench-place
exec env TL_SOURCE_ROOT="$PWD" TL_BUILD_ROOT="$PWD/build" build/tests/bench/bench "$@"
