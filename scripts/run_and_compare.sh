#!/bin/sh
# run_and_compare.sh EXPECTED ACTUAL PROGRAM ARGUMENT...
# Runs the program, keeps its standard output in the file ACTUAL and compares it with the file EXPECTED,
# byte by byte.
set -eu
expected=$1 actual=$2
shift 2
"$@" > "$actual"
diff -u "$expected" "$actual"
