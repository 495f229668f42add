#!/bin/sh
# Every command that README.md shows behind "$ " is run, in its order, in a folder
# that holds what a clone holds; each must succeed and say something.
set -eu

passed=0 failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$TL_SOURCE_ROOT/examples" "$TL_SOURCE_ROOT/targets" "$folder"
cd "$folder"
PATH="$TL_BUILD_ROOT/src/cli:$PATH"
export PATH

# COMMAND: its verdict is added up. What writes a file with -o may be silent.
try() {
  status=0
  sh -c "$1" >out 2>err </dev/null || status=$?
  case "$1" in *' -o '*) ;; *) [ -s out ] || status=silent ;; esac
  if [ "$status" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed ($status): $1"
    head -n 20 err
  fi
}

# The control: a command that fails must be seen to fail.
try 'tierc check nowhere.gdsl' >/dev/null
if [ "$failed" = 1 ]; then passed=1 failed=0; else echo 'failed: a wrong command passes'; passed=0 failed=1; fi

sed -n '/^```console$/,/^```$/s/^\$ //p' "$TL_SOURCE_ROOT/README.md" > commands
[ -s commands ] || { echo 'failed: README.md shows no commands'; failed=$((failed + 1)); }
while IFS= read -r command; do
  try "$command"
done < commands

# The two that a newcomer types are there and name scripts that are there.
for script in run.sh test.sh; do
  if grep -q "^    sh build-aux/$script\$" "$TL_SOURCE_ROOT/README.md" && [ -f "$TL_SOURCE_ROOT/build-aux/$script" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: build-aux/$script"
  fi
done

# The picture is there, is small, and is a figure that opens again.
picture=$TL_SOURCE_ROOT/data/pictures/window.svg
if grep -q '(data/pictures/window.svg)' "$TL_SOURCE_ROOT/README.md" && [ "$(wc -c <"$picture")" -lt 153600 ] &&
  TIERLOOM_TARGETS=$TL_SOURCE_ROOT/targets tierc figure "$picture" -o again.svg >out 2>err &&
  [ "$(sed -n 's/.*view=\([^"<]*\).*/\1/p' again.svg)" = "$(sed -n 's/.*view=\([^"<]*\).*/\1/p' "$picture")" ]; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  echo 'failed: the picture'
fi

echo "tests: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
