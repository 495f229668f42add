#!/bin/sh
# Installs from Debian what Tierloom needs and this machine lacks.
#
#   build-aux/setup.sh [build|test|all]     (all when not said)
#
# Does nothing, and needs no rights, when everything is there. Otherwise installs
# as root, or through sudo, or else prints the command to type and exits 2.
set -eu

build_packages='gcc libc6-dev meson pkg-config gettext
libglib2.0-dev libxml2-dev libzstd-dev zlib1g-dev libsqlite3-dev libhts-dev libjson-glib-dev libcairo2-dev libpango1.0-dev
libgtk-4-dev libadwaita-1-dev libgtksourceview-5-dev adwaita-icon-theme librsvg2-common fonts-cantarell fonts-dejavu-core'

# check runs the suites; the rest are the clients that single tests talk to.
test_packages='check libparasail-dev libedlib-dev git libxml2-utils groff-base bash-completion clang-14 libclang-rt-14-dev
clang-format-14 mlir-15-tools valgrind gcovr desktop-file-utils appstream shared-mime-info
xvfb xauth dbus at-spi2-core python3-gi gir1.2-atspi-2.0 xdotool imagemagick librsvg2-bin'

case "${1:-all}" in
  build) wanted=$build_packages ;;
  test|all) wanted="$build_packages $test_packages" ;;
  --help|-h) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "setup.sh: build, test or all, not \"$1\"" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo 'setup.sh: this is not a Debian system. Install what these Debian packages hold, then go on with --no-install:' >&2
  echo "  $wanted" | tr '\n' ' ' >&2
  echo >&2
  exit 2
fi

# A package that was removed but not purged is known and not installed: the
# status word decides, not the exit status.
missing=
for package in $wanted; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done

if [ -n "$missing" ]; then
  echo "Missing from this machine:$missing"
  # The development packages pin exact versions of their libraries, so the
  # package lists have to be fresh before anything is installed.
  update='apt-get -o DPkg::Lock::Timeout=300 update'
  install="apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends$missing"
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
  else
    echo 'They are installed by root, with:' >&2
    echo "  $update && $install" >&2
    exit 2
  fi
  # shellcheck disable=SC2086 # words are meant to split
  $as_root env DEBIAN_FRONTEND=noninteractive $update
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive $install
fi

pkg-config --exists --print-errors 'glib-2.0 >= 2.74' 'libxml-2.0 >= 2.9.14' libzstd zlib 'sqlite3 >= 3.34' 'htslib >= 1.16' json-glib-1.0 'cairo >= 1.16' 'pangocairo >= 1.50' \
  'gtk4 >= 4.8' 'libadwaita-1 >= 1.2' 'gtksourceview-5 >= 5.6'
