#!/bin/sh
# Every .c file is as clang-format 14 writes it with the root's .clang-format, and
# no project file names a place on somebody's machine.
set -eu
cd "$TL_SOURCE_ROOT"

passed=0 failed=0 skipped=0
verdict() { # NAME STATUS
  if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $1"; fi
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if command -v clang-format-14 >/dev/null 2>&1; then
  # The control: this one must be refused, or the check says nothing.
  cp .clang-format "$folder"
  printf 'int f(int a){return a;}\n' > "$folder/control.c"
  if clang-format-14 --dry-run -Werror "$folder/control.c" 2>/dev/null; then control=1; else control=0; fi
  verdict 'a badly formatted file is refused' $control

  status=0
  find src tests -name '*.c' -print0 | xargs -0 clang-format-14 --dry-run -Werror 2>"$folder/format" || status=1
  grep -E '^[^ ]+:[0-9]+:[0-9]+: error' "$folder/format" | cut -d: -f1 | sort | uniq -c || true
  verdict 'every .c file is formatted' $status
else
  echo 'skipped: clang-format-14 not installed'
  skipped=2
fi

# The brackets keep this file out of its own net.
places='[/](work|root|home|Users)/[A-Za-z0-9_]'
printf '/%s/somebody/x\n' home > "$folder/control.txt"
status=0; grep -qE "$places" "$folder/control.txt" || status=1
verdict 'a machine path is seen' $status
status=0
find . -type f -not -path './.git/*' -not -path './build/*' -not -path './build-*/*' -print0 \
  | xargs -0 grep -InE "$places" > "$folder/places" || true
find ./build-aux -type f -print0 | xargs -0 grep -InE "$places" >> "$folder/places" || true
[ ! -s "$folder/places" ] || { cat "$folder/places"; status=1; }
verdict 'no file names a place on a machine' $status

echo "tests: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
