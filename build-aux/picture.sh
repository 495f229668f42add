#!/bin/sh
# Draws the picture of README.md anew: the program that the window opens with, at a
# moment worth looking at. Wants tierc, built by run.sh or test.sh.
set -eu
cd "$(dirname "$0")/.."

tierc=build/src/cli/tierc
[ -x "$tierc" ] || { echo "picture.sh: $tierc is not there; run build-aux/run.sh first" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/apsp.gdsl" <<'PROGRAM'
algorithm apsp
  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j
data D: i32 = road(4096, 7)
config target = gendram, page = open, barriers = superstep
place D = stripe 0..7
PROGRAM
TIERLOOM_TARGETS=$PWD/targets "$tierc" figure "$folder/apsp.gdsl" --view=window --at=cycle:88152950 --select=bank-20-1 -o data/pictures/window.svg
