#!/bin/sh
# format.sh [--check] [FILE...]
# Formats the sources given, or all that git knows; with --check only says which are not formatted.
set -eu
mode=-i
if [ "${1:-}" = --check ]; then
  mode="--dry-run -Werror"
  shift
fi
if [ $# = 0 ]; then
  cd "$(dirname "$0")/.."
  # shellcheck disable=SC2046  # a list of paths without white space
  set -- $(git ls-files '*.hpp' '*.cpp')
fi
# shellcheck disable=SC2086  # a list of options
exec clang-format-19 $mode "$@"
