// Random programs through the import passes up to mesh inference: behind each pass the program is valid and
// does what it did before, and nothing that users name is left.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>

#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/pipeline/import_passes.hpp>
#include <mpmd/sim/compare.hpp>
#include <mpmd/text/mlir.hpp>

#include "testing/random_programs.hpp"

namespace import_random_test {
namespace {

using program = mpmd::ir::program;
using mpmd::testing::random_options;

// Every option set, each seed of its own kind.
random_options options_of(std::uint64_t seed) {
  random_options o{.seed = seed};
  o.meshes = 1 + static_cast<std::uint32_t>(seed % 5);
  o.assigned = seed % 4 == 3;
  o.loops = seed % 3 == 0;
  o.nested_names = seed % 2 == 0;
  o.inferred_reductions = seed % 5 == 0;
  o.conflicts = seed % 7 == 0;
  return o;
}

mpmd::pipeline<program> passes(mpmd::testing::random_program const& made) {
  mpmd::name_to_mesh_map names;
  for (auto const& [label, mesh] : made.names) names.emplace(label, mpmd::mesh_assignment{mesh});
  return {mpmd::copy_topology_from_main{},
          mpmd::insert_nameless_clone_of_negligible_ops{},
          mpmd::simplify_named_computations{},
          mpmd::map_input_output_to_mesh{},
          mpmd::inline_nested_user_exposed_ops{names},
          mpmd::validate_named_ops_in_mpmd_func{.fail = true},
          mpmd::map_named_ops_to_mpmd_ops{names},
          mpmd::introduce_transfers{}};
}

}  // namespace

TEST_CASE("random programs do the same behind each import pass, and no named op is left") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    auto made = mpmd::testing::make_random_program(options_of(seed));
    program& p = made.program;
    std::string const text = mpmd::text::to_mlir(p);
    std::string said;
    mpmd::diagnostics diags([&said](mpmd::diagnostic const& d) { said += d.message + '\n'; });
    auto const before = mpmd::sim::observe(p, diags, {.trials = 1}, mpmd::sim::memories::one);
    REQUIRE(before.has_value());
    bool const ran = mpmd::run(passes(made), p, diags, [&](mpmd::pass<program> const& one) {
      said += "behind " + one.name + ": ";
      if (!mpmd::ir::verify(p, diags)) return false;
      auto const now = mpmd::sim::observe(p, diags, {.trials = 1}, mpmd::sim::memories::one);
      return now.has_value() && mpmd::sim::same_behaviour(*before, *now, diags);
    });
    REQUIRE_MESSAGE(ran, "seed " << seed << ": " << said << text << "\n now:\n" << mpmd::text::to_mlir(p));
    mpmd::ir::walk(p, p.root(), [&](mpmd::ir::op o) {
      if (p.is(o, mpmd::ir::opcode::mpmd_named_computation) || p.is(o, mpmd::ir::opcode::mpmd_named_tensor))
        FAIL("seed " << seed << ": " << std::string(p.kind_text(o)) << " is left");
    });
    // Again from the same text: the same bytes.
    auto again = mpmd::testing::make_random_program(options_of(seed));
    REQUIRE(mpmd::run(passes(again), again.program, diags));
    REQUIRE(mpmd::text::to_mlir(again.program) == mpmd::text::to_mlir(p));
  }
}

}  // namespace import_random_test
