#!/bin/sh
# install_deps.sh [tool|test|all]
# Installs the Debian packages that are missing: for building the tool, for the test command too (the
# default), or for everything that continuous integration runs. Elsewhere it only says what is needed.
set -eu

packages="g++ cmake ninja-build ccache libboost-dev librange-v3-dev"
case "${1:-test}" in
  tool) ;;
  test) packages="$packages doctest-dev libbenchmark-dev libboost-graph-dev python3 pkg-config graphviz" ;;
  all)
    packages="$packages doctest-dev libbenchmark-dev libboost-graph-dev python3 pkg-config graphviz"
    packages="$packages git clang-19 libclang-rt-19-dev llvm-19-tools mlir-19-tools"
    packages="$packages libmlir-19-dev llvm-19-dev"
    packages="$packages clang-format-19 clang-tidy-19 valgrind libc6-dbg"
    ;;
  *) echo "usage: $0 [tool|test|all]" >&2; exit 2 ;;
esac

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
  echo "This is not a Debian system. Please see to it that these Debian packages have a counterpart here:"
  echo "  $packages"
  exit 0
fi

missing=""
for package in $packages; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo"
echo "Installing:$missing"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq < /dev/null
# shellcheck disable=SC2086  # a list of packages
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $missing < /dev/null
