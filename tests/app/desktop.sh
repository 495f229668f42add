#!/bin/sh
# What a desktop reads of Tierloom: desktop file, metainfo, schema, MIME type, icons,
# templates, translations. Each by the tool of its format; without the tool it says so.
set -eu
cd "$TL_SOURCE_ROOT"
id=io.github.tierloom.Tierloom

passed=0 failed=0 skipped=0
verdict() { # NAME STATUS
  if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $1"; fi
}
# check TOOL NAME COMMAND...
check() {
  tool=$1 name=$2
  shift 2
  if command -v "$tool" >/dev/null 2>&1; then
    status=0
    "$@" >"$folder/log" 2>&1 || status=1
    [ $status = 0 ] || cat "$folder/log"
    verdict "$name" $status
  else
    echo "skipped: $tool not installed"
    skipped=$((skipped + 1))
  fi
}
# refused TOOL NAME COMMAND...: the control, which has to fail.
refused() {
  tool=$1 name=$2
  shift 2
  if command -v "$tool" >/dev/null 2>&1; then
    status=1
    "$@" >/dev/null 2>&1 || status=0
    verdict "$name" $status
  else
    skipped=$((skipped + 1))
  fi
}
# A message that is not translated, or only perhaps, is one too many.
complete() { # FILE.po TEMPLATE.pot
  msgmerge -q --no-fuzzy-matching "$1" "$2" -o "$folder/merged.po" || return 1
  msgattrib --no-obsolete --untranslated --no-wrap "$folder/merged.po" >"$folder/open.po"
  msgattrib --no-obsolete --only-fuzzy --no-wrap "$folder/merged.po" >>"$folder/open.po"
  [ ! -s "$folder/open.po" ] || { grep '^msgid' "$folder/open.po"; return 1; }
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

check desktop-file-validate 'the desktop file is valid' desktop-file-validate "$TL_BUILD_ROOT/data/$id.desktop"
sed 's/^Type=.*/Type=Nonsense/' "$TL_BUILD_ROOT/data/$id.desktop" >"$folder/control.desktop"
refused desktop-file-validate 'a desktop file of no type is refused' desktop-file-validate "$folder/control.desktop"
check appstreamcli 'the metainfo is valid' appstreamcli validate --no-net "$TL_BUILD_ROOT/data/$id.metainfo.xml"
check glib-compile-schemas 'the schema is strict' glib-compile-schemas --strict --dry-run data
for file in "data/mime/$id.xml" "data/icons/hicolor/scalable/apps/$id.svg" \
  "data/icons/hicolor/symbolic/apps/$id-symbolic.svg" ui/*.ui ui/*.xml data/gendsl.lang; do
  check xmllint "$file is well formed" xmllint --noout --nonet "$file"
done
for icon in data/icons/hicolor/*/apps/*.svg; do
  check rsvg-convert "$icon can be drawn" rsvg-convert -w 64 "$icon" -o "$folder/icon.png"
done
mkdir -p "$folder/mime/packages"
cp "data/mime/$id.xml" "$folder/mime/packages"
check update-mime-database 'the MIME type is taken in' update-mime-database "$folder/mime"
if [ -f "$folder/mime/globs2" ]; then
  status=0; grep -q 'text/x-gendsl:\*\.gdsl' "$folder/mime/globs2" || status=1
  verdict '*.gdsl is a GenDSL program' $status
fi

for page in start language picture figures lessons keys; do
  status=0
  [ "$(wc -w <"data/help/C/$page.txt")" -ge 90 ] || status=1
  verdict "the help page $page has something to say" $status
done

if command -v xgettext >/dev/null 2>&1; then
  # The same keywords as meson's preset "glib".
  grep -v '^#' po/POTFILES.in | xgettext --from-code=UTF-8 -f - -o "$folder/tierloom.pot" \
    --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=NC_:1c,2 --keyword=g_dgettext:2 --keyword=ngettext:1,2 \
    --flag=N_:1:pass-c-format --flag=g_strdup_printf:1:c-format --flag=g_set_error:4:c-format 2>"$folder/log" || cat "$folder/log"
  for language in $(grep -v '^#' po/LINGUAS); do
    check msgfmt "po/$language.po is well formed" msgfmt --check -o "$folder/$language.mo" "po/$language.po"
    check msgmerge "po/$language.po is complete" complete "po/$language.po" "$folder/tierloom.pot"
  done
  printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "_Save"\nmsgstr ""\n' >"$folder/control.po"
  refused msgmerge 'an open message is seen' complete "$folder/control.po" "$folder/control.po"
else
  echo 'skipped: xgettext not installed'
  skipped=$((skipped + 1))
fi

echo "tests: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
