// generate_programs COUNT [SEED] prints generated programs, cut at `// -----` lines, each behind a line
// `// passes: NAME=OPTIONS ...` with the passes that place it.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include <mpmd/text/mlir.hpp>

#include "testing/random_programs.hpp"

int main(int argc, char** argv) {
  std::uint64_t const count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10;
  std::uint64_t const first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    mpmd::testing::random_options options{.seed = seed};
    options.meshes = 1 + static_cast<std::uint32_t>(seed / 4 % 5);
    options.assigned = seed % 2 == 1;
    options.inferred_reductions = options.loops = options.conflicts = seed % 4 >= 2;
    auto const made = mpmd::testing::make_random_program(options);
    if (seed != first) std::cout << "// -----\n";
    std::cout << "// passes:";
    if (options.loops) std::cout << " mpmd-unroll-for-loops";
    if (!options.assigned)
      std::cout << " mpmd-simplify-named-computations mpmd-map-named-ops-to-mpmd-ops=assignment=" << made.assignment();
    std::cout << " mpmd-introduce-transfers mpmd-infer-mesh-pipeline";
    if (options.conflicts) std::cout << "=infer-transfers=true";
    std::cout << " mpmd-merge-inferred-fragments mpmd-fragment-dce\n";
    mpmd::text::print_mlir(std::cout, made.program);
  }
}
