#!/bin/sh
# build_and_run.sh CXX SOURCE OUTPUT FLAGS [PACKAGE VERSION]
# Compiles one file without a build system, with the flags of a pkg-config package if one is named, and
# runs it.
set -eu
compiler=$1 source=$2 output=$3 flags=$4
if [ $# -gt 4 ]; then
  found=$(pkg-config --modversion "$5")
  [ "$found" = "$6" ] || { echo "pkg-config says version $found instead of $6"; exit 1; }
  flags="$flags $(pkg-config --cflags --libs "$5")"
fi
# shellcheck disable=SC2086  # the flags are a list
"$compiler" $flags "$source" -o "$output"
"$output"
