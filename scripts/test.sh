#!/bin/sh
# Installs what the tests need, builds everything with the default compiler and runs the tests.
set -eu
cd "$(dirname "$0")/.."
sh scripts/install_deps.sh test
exec cmake --workflow --preset release
