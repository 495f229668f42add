#!/bin/sh
# Installs what is missing, builds, and starts Tierloom.
#
#   build-aux/run.sh [--no-install] [PROGRAM.gdsl]
#
# With a display the window opens on the program. Without one the program is
# compiled, run on the simulated stack and summed up here in the terminal, and the
# picture the window would show is written as build/figure.svg.
set -eu
cd "$(dirname "$0")/.."

install=yes
program=
for argument in "$@"; do
  case "$argument" in
    --no-install) install=no ;;
    --help|-h) sed -n '2,8s/^# \{0,1\}//p' build-aux/run.sh; exit 0 ;;
    -*) echo "run.sh: unknown option $argument" >&2; exit 2 ;;
    *) program=$argument ;;
  esac
done

[ "$install" = no ] || sh build-aux/setup.sh build
# The tests want more packages than the program; test.sh switches them on.
[ -f build/build.ninja ] || meson setup build -Dtests=false
ninja -C build src/cli/tierc src/app/tierloom
TIERLOOM_TARGETS="${TIERLOOM_TARGETS:-$PWD/targets}"
export TIERLOOM_TARGETS

echo
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec build/src/app/tierloom ${program:+"$program"}
fi
program=${program:-examples/shortest-roads.gdsl}
echo 'There is no display here. The command line runs the example instead:'
echo
echo "  build/src/cli/tierc run $program"
echo "  build/src/cli/tierc figure $program -o build/figure.svg"
echo
build/src/cli/tierc run "$program"
exec build/src/cli/tierc figure "$program" -o build/figure.svg
