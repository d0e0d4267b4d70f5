#!/bin/sh
# tidy.sh [FILTER...]
# Runs clang-tidy over the sources of the preset `clang` (configured if need be) whose path contains one of
# the filters: each public header alone (filter "tests/headers"), tests, examples, benchmarks.
set -eu
cd "$(dirname "$0")/.."
[ -f build/clang/compile_commands.json ] || cmake --preset clang > /dev/null
[ $# -gt 0 ] || set -- ""
for filter; do
  python3 -c '
import json, sys
for entry in json.load(open("build/clang/compile_commands.json")):
    if sys.argv[1] in entry["file"]:
        print(entry["file"])
' "$filter"
done | sort -u | xargs -P 2 -n 4 clang-tidy-19 -p build/clang --quiet
