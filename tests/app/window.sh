#!/bin/sh
# The real window under a virtual display, driven by keyboard and pointer with every
# critical message fatal: typing, completion, find, fixes, sliders, undo, tabs. It has
# to be alive and silent at the end.
set -eu

for tool in xvfb-run xdotool dbus-run-session; do
  command -v "$tool" >/dev/null 2>&1 || { echo "skipped: $tool not installed"; exit 77; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME="$folder" XDG_RUNTIME_DIR="$folder" XDG_DATA_HOME="$folder/data" XDG_CONFIG_HOME="$folder/config"
export XDG_STATE_HOME="$folder/state" XDG_CACHE_HOME="$folder/cache" GSETTINGS_BACKEND=memory NO_AT_BRIDGE=1
export TIERLOOM_TARGETS="$TL_SOURCE_ROOT/targets" GSK_RENDERER=cairo GDK_DEBUG=gl-disable G_DEBUG=fatal-criticals
chmod 700 "$folder"
cat > "$folder/drive.sh" <<'DRIVE'
set -eu
"$APP" >"$LOG" 2>&1 & pid=$!
sleep 4
xdotool search --onlyvisible --name . windowsize 1280 800 windowmove 0 0 2>/dev/null || true
sleep 1
alive() { kill -0 "$pid" 2>/dev/null || { echo "failed: the window is gone after $1"; cat "$LOG"; exit 1; }; }
xdotool mousemove 150 240 click 1 key ctrl+End; sleep 0.3
xdotool type --delay 60 'config ow'; sleep 1; xdotool key Escape; alive completion
xdotool type --delay 60 'ner = skewed'; sleep 1; alive typing
xdotool key ctrl+f; sleep 0.3; xdotool type 'page'; xdotool key Return Return Escape; sleep 0.5; alive find
xdotool key ctrl+z ctrl+z ctrl+z; sleep 1; alive undo
xdotool type --delay 40 '((('; sleep 1; xdotool key ctrl+z; sleep 1; alive 'a broken text'
for y in 340 370 400 430; do xdotool mousemove 150 "$y" click 1; sleep 0.3; xdotool key Down Return; sleep 0.4; done; alive choices
for x in 130 150 170 120; do xdotool mousemove "$x" 337 click 1; sleep 0.2; done; alive sliders
xdotool key ctrl+z; sleep 0.5; alive 'undo of a knob'
xdotool mousemove 1094 68 click 1; sleep 1; xdotool mousemove 1100 220 click 1; sleep 0.5; alive 'the ladder'
xdotool mousemove 113 303 click 1; sleep 1; alive 'the run section'
kill "$pid"
DRIVE
status=0
APP="$TL_BUILD_ROOT/src/app/tierloom" LOG="$folder/log" \
  xvfb-run -a -s '-screen 0 1280x800x24 -nolisten tcp' dbus-run-session -- sh "$folder/drive.sh" || status=1
if grep -i 'critical' "$folder/log"; then status=1; fi
if [ "$status" = 0 ]; then echo 'tests: 1 passed, 0 failed, 0 skipped'; else echo 'tests: 0 passed, 1 failed, 0 skipped'; fi
exit $status
