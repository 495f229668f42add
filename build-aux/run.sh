#!/bin/sh
# Installs what is missing, builds, and starts Tierloom.
#
#   build-aux/run.sh [--no-install] [PROGRAM.gdsl]
#
# There is no window yet: the program is compiled, run on the simulated stack and
# summed up here in the terminal.
set -eu
cd "$(dirname "$0")/.."

install=yes
program=examples/roads.gdsl
for argument in "$@"; do
  case "$argument" in
    --no-install) install=no ;;
    --help|-h) sed -n '2,7s/^# \{0,1\}//p' build-aux/run.sh; exit 0 ;;
    -*) echo "run.sh: unknown option $argument" >&2; exit 2 ;;
    *) program=$argument ;;
  esac
done

[ "$install" = no ] || sh build-aux/setup.sh build
# The tests want more packages than the program; test.sh switches them on.
[ -f build/build.ninja ] || meson setup build -Dtests=false
ninja -C build src/cli/tierc

echo
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || echo 'There is no display here.'
echo 'Tierloom has no window yet. Its command line runs the example instead:'
echo
echo "  build/src/cli/tierc run $program"
echo
exec build/src/cli/tierc run "$program"
