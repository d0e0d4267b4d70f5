#!/bin/sh
# fuzz.sh NAME [SECONDS]
# Builds the fuzz target NAME (fuzz/NAME.cpp) and runs it, ten minutes unless told otherwise. New inputs go
# to build/fuzz/found/NAME, inputs that show a fault to build/fuzz/faults: move those worth keeping to
# fuzz/corpus/NAME.
set -eu
cd "$(dirname "$0")/.."
name=${1:?which target?} seconds=${2:-600}
cmake --preset fuzz > /dev/null
cmake --build --preset fuzz --target "fuzz_$name"
mkdir -p "build/fuzz/found/$name" build/fuzz/faults "fuzz/corpus/$name"
exec "build/fuzz/bin/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
  -artifact_prefix=build/fuzz/faults/ "build/fuzz/found/$name" "fuzz/corpus/$name"
