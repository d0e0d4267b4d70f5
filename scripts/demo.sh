#!/bin/sh
# demo.sh [VALUE]
# Installs what the tool needs (Debian 12), builds it and runs it on the training step of examples/: four
# meshes, 24 transformer blocks, four microbatches. The tool places the step as a user writes it, with blocks
# that only have names, and sums up what stands where; then, for the step whose blocks stand on their meshes,
# it finds where each value is used and where it can be computed, and explains where one value is placed and
# why.
set -eu
cd "$(dirname "$0")/.."
named=examples/train_step_named.mlir
program=examples/train_step.mlir
tool=build/release/bin/mpmd-opt
value=${1:-%w13}

sh scripts/install_deps.sh tool
cmake --preset release -DMPMD_BUILD_TESTS=OFF -DMPMD_BUILD_BENCH=OFF
cmake --build --preset release --target mpmd-opt

assignment=$(sed -n 's|^// name-to-mesh-assignment: ||p' $named | tr -d ' ')
summary=build/train_step_summary.txt
printf '\n$ %s\n' "$tool $named \\
    -mpmd-import-pipeline='name-to-mesh-assignment=block0@m0,...' --summary"
$tool $named -mpmd-import-pipeline="name-to-mesh-assignment=$assignment" --summary > $summary
cat $summary
grep -q 'not placed' $summary && { echo "not everything is placed"; exit 1; }

passes="-mpmd-infer-mesh-populate-use-set -mpmd-infer-mesh-populate-src-set"
annotated=build/train_step_with_sets.mlir

printf '\n$ %s\n' "$tool $program $passes > $annotated"
# shellcheck disable=SC2086  # two arguments
$tool $program $passes > $annotated
for set in use_set src_set; do
  grep -q $set $annotated || { echo "no $set was found"; exit 1; }
done
printf '%s lines of it carry a set, the first of them:\n' "$(grep -c -E 'use_set|src_set' $annotated)"
grep -m 4 -E 'use_set|src_set' $annotated | cut -c 1-160

printf '\n$ %s\n' "$tool $program --why '$value'"
$tool $program --why "$value"
