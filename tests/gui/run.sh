#!/bin/sh
# One script against the real window, under a virtual display and a session bus of
# its own: run.sh TIERLOOM TIERC SCRIPT. Says what is missing and skips when a tool is.
set -eu
TL_APP=$(realpath "$1") TL_TIERC=$(realpath "$2") script=$3
export TL_APP TL_TIERC

missing() {
  echo "skipped: $1 not installed"
  echo 'tests: 0 passed, 0 failed, 1 skipped'
  exit 0
}
for tool in xvfb-run xauth dbus-run-session xdotool import convert; do
  command -v "$tool" >/dev/null 2>&1 || missing "$tool"
done
# Debian's own: another python3 in the path has no gi.
python=/usr/bin/python3
"$python" -c 'import gi; gi.require_version("Atspi", "2.0")' 2>/dev/null || missing 'gir1.2-atspi-2.0'

folder=$(mktemp -d)
said=$(mktemp)
trap 'rm -rf "$folder" "$said"' EXIT

# One whole run of the script. Nothing of the person who runs this is read or written.
drive() {
  rm -rf "${folder:?}"/*
  mkdir -m 700 "$folder/run"
  for name in HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME; do
    mkdir "$folder/$name"
    export "$name=$folder/$name"
  done
  # -a alone lets two that start at once take the same display.
  xvfb-run -a -n $(($$ % 30000 + 200)) -s '-screen 0 1300x900x24 -nolisten tcp -noreset' \
    dbus-run-session -- "$python" "$script" >"$said" 2>"$folder/messages" && status=0 || status=$?
  # The session bus talks much; only what the window and the script say matters.
  grep -vE 'dbus-daemon|dbind-WARNING|^$|SpiRegistry|Failed to set fd limit|X connection to' "$folder/messages" >&2 || true
}

XDG_RUNTIME_DIR=$folder/run
TL_GUI_FOLDER=$folder
GSETTINGS_BACKEND=memory
GSK_RENDERER=cairo
GDK_DEBUG=gl-disable
PYTHONDONTWRITEBYTECODE=1
unset GTK_A11Y NO_AT_BRIDGE WAYLAND_DISPLAY 2>/dev/null || true
export XDG_RUNTIME_DIR TL_GUI_FOLDER GSETTINGS_BACKEND GSK_RENDERER GDK_DEBUG PYTHONDONTWRITEBYTECODE
drive
# What waits for a window can wait in vain on a machine that does much else: once more,
# and it shows. Random input is never asked twice: what it finds is a fault.
case "$script" in
  *rough.py) ;;
  *)
    if [ "$status" != 0 ]; then
      sed 's/^tests:/first time:/' "$said"
      echo "$script failed ($status) and is run a second time"
      drive
    fi
    ;;
esac
cat "$said"
exit "$status"
