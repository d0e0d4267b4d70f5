#!/bin/sh
# build_and_run.sh CXX PYTHON SOURCE_DIR FOLDER
# Writes the single header twice, to see that it comes out the same, and builds a program of two files from it alone.
set -eu
compiler=$1 python=$2 source=$3 folder=$4
here=$(dirname "$0")
rm -rf "$folder"
mkdir -p "$folder"
"$python" "$source/scripts/single_header.py" --output "$folder/mpmd.hpp"
"$python" "$source/scripts/single_header.py" --check "$folder/mpmd.hpp"
for header in all mpmd; do  # nothing is left to be included
  "$python" "$source/scripts/single_header.py" --of "mpmd/$header.hpp" --output "$folder/part.hpp"
  if grep -n '#include <mpmd/' "$folder/part.hpp"; then exit 1; fi
done
flags="-std=c++20 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror -fno-exceptions -fno-rtti -O0 -I$folder"
# shellcheck disable=SC2086  # the flags are a list
"$compiler" $flags "$here/first.cpp" "$here/second.cpp" -o "$folder/program"
"$folder/program"
