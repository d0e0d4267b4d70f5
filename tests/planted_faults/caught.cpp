// Exits with 1 if a generated program shows that a pass does something wrong. scripts/planted_faults.py compiles it
// with passes into which it has planted a fault.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include <mpmd/ir/program.hpp>

#include "pipeline/generated.hpp"

int main() {
  using namespace mpmd::testing;
  constexpr std::uint64_t programs = 200;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    auto const o = options_of(seed);
    auto made = make_random_program(o);
    std::string const wrong = what_goes_wrong(made.program, placing<mpmd::ir::program>(o, made));
    if (wrong.empty() || is_conflict(o, wrong)) continue;
    std::cout << "seed " << seed << ": " << wrong;
    return EXIT_FAILURE;
  }
}
