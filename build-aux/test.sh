#!/bin/sh
# Installs what is missing, builds, and runs the tests.
#
#   build-aux/test.sh [--quick] [--no-install]
#
#   --quick       leave out the slow tests
#   --no-install  do not look for missing packages
#
# The last line says how it went: "412 passed, 0 failed". Exits 0 only when none failed.
set -eu
cd "$(dirname "$0")/.."

install=yes
suites=
for argument in "$@"; do
  case "$argument" in
    --quick) suites='--suite quick' ;;
    --no-install) install=no ;;
    --help|-h) sed -n '2,9s/^# \{0,1\}//p' build-aux/test.sh; exit 0 ;;
    *) echo "test.sh: unknown option $argument" >&2; exit 2 ;;
  esac
done

[ "$install" = no ] || sh build-aux/setup.sh all
[ -f build/build.ninja ] || meson setup build
# run.sh may have configured it without them.
[ -d build/tests ] || meson configure build -Dtests=true
ninja -C build

# meson's own count is one a program; what counts here are the cases that each
# program reports. Its exit status is not lost: a program that ends badly without
# a failed case of its own counts as one.
log=build/meson-logs/testlog.txt
rm -f "$log"
# shellcheck disable=SC2086 # no word or two
meson test -C build --no-rebuild --print-errorlogs $suites || true
[ -f "$log" ] || { echo 'no tests were run' >&2; echo '0 passed, 1 failed'; exit 1; }
exec awk -f build-aux/sum-tests.awk "$log"
