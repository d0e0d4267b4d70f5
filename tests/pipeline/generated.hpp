#pragma once
// Generated programs through pipelines, watched from all sides.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/pipeline/import_pipeline.hpp>
#include <mpmd/pipeline/infer_mesh.hpp>
#include <mpmd/sim/compare.hpp>
#include <mpmd/text/mlir.hpp>

#include "testing/random_programs.hpp"
#include "testing/sanitized.hpp"

namespace mpmd::testing {

// How many programs: fixed, with sanitizers a tenth, unless the environment asks for a number.
inline std::uint64_t generated_programs(std::uint64_t usual) {
  char const* const asked = std::getenv("MPMD_GENERATED_PROGRAMS");
  return asked ? std::strtoull(asked, nullptr, 10) : sanitized ? usual / 10 : usual;
}

inline random_options options_of(std::uint64_t seed) {
  random_options o{.seed = seed};
  o.meshes = 1 + static_cast<std::uint32_t>(seed % 5);
  o.assigned = seed % 2 != 0;
  o.loops = !o.assigned && seed % 3 == 0;
  o.nested_names = seed % 7 == 0;
  o.inferred_reductions = seed % 4 == 0;
  o.conflicts = seed % 5 == 0;
  return o;
}

// Up to three inputs and outputs of one type, each to be on one mesh.
inline std::vector<io_constraint> constraints_of(std::uint64_t seed, random_program const& made) {
  ir::program const& p = made.program;
  ir::op const entry = p.first_op(p.body());
  auto const inputs = ir::parameters(p, entry);
  auto const outputs = p.operands(p.last_op(ir::entry_block(p, entry)));
  std::vector<io_constraint> fit;
  for (std::size_t in = 0; in < inputs.size(); ++in)
    for (std::size_t out = 0; out < outputs.size(); ++out)
      if (p.type_of(inputs[in]) == p.type_of(outputs[out]))
        fit.push_back({static_cast<std::int64_t>(in), static_cast<std::int64_t>(out)});
  std::vector<io_constraint> chosen;
  for (std::uint64_t i = 0; i < seed % 4 && !fit.empty(); ++i) {
    auto const at = static_cast<std::ptrdiff_t>((seed * 7 + i * 5) % fit.size());
    chosen.push_back(fit[static_cast<std::size_t>(at)]);
    fit.erase(fit.begin() + at);
  }
  return chosen;
}

// Each option has each of its values with some seed.
inline infer_mesh_options inference_of(random_options const& o, random_program const& made) {
  static constexpr std::array<std::int64_t, 4> limits{5, 1, -1, 20};
  return {.infer_transfers = o.conflicts,
          .infer_cross_mesh_reductions = o.inferred_reductions,
          .max_clones = 1 + static_cast<std::int64_t>(o.seed % 3),
          .error_limit = limits[o.seed / 2 % 4],
          .constraints = o.seed % 3 == 2 ? constraints_of(o.seed / 3, made) : std::vector<io_constraint>{}};
}

// The passes that place such a program, as far as they run on any host.
template <class P>
pipeline<P> placing(random_program const& made, infer_mesh_options const& asked) {
  name_to_mesh_map names;
  static_cast<void>(option_value<name_to_mesh_map>::parse(made.assignment(), names));
  pipeline<P> passes;
  passes.push_back(unroll_for_loops{});
  passes.push_back(from_unroll_to_call_counter{});
  passes.push_back(simplify_named_computations{});
  passes.push_back(inline_nested_user_exposed_ops{.assignment = names});
  passes.push_back(map_named_ops_to_mpmd_ops{.assignment = names});
  passes.push_back(introduce_transfers{});
  passes.push_back(erase_unused_callee_block_arguments{});
  for (auto& p : infer_mesh_pipeline<P>(asked)) passes.push_back(std::move(p));
  return passes;
}
template <class P>
pipeline<P> placing(random_options const& o, random_program const& made) {
  return placing<P>(made, inference_of(o, made));
}

// Runs the passes; verifies behind each, compares what the program does before and after by simulation, and its text
// read back with itself. What is wrong, in words; nothing when all is well.
template <class P>
std::string what_goes_wrong(P& p, pipeline<P> const& passes) {
  std::string said;
  diagnostics diags([&said](diagnostic const& d) { said += d.message + '\n'; });
  auto const before = sim::observe(p, diags, {.trials = 1}, sim::memories::one);
  if (!before) return "before: " + said;
  std::string last = "the first pass";
  bool const ran = run(passes, p, diags, [&](pass<P> const& one) {
    last = one.name;
    return ir::verify(p, diags);
  });
  if (!ran) return "behind " + last + ": " + said;
  auto const after = sim::observe(p, diags, {.trials = 1}, sim::memories::one_per_mesh);
  if (!after || !sim::same_behaviour(*before, *after, diags)) return "simulation: " + said;
  auto const again = text::read_mlir(p.shared_context(), "printed", text::to_mlir(p), diags);
  if (!again) return "text: " + said;
  if (!ir::structural_equal(p, *again) || ir::structural_hash(p) != ir::structural_hash(*again))
    return "text: it reads back as another program";
  return {};
}

// Whether what goes wrong is a conflict between placements, reported as one. Without conflicts being asked for the
// generator keeps clear of most of them; not of all that calls, constraints and inferred reductions bring about.
inline bool is_conflict(random_options const& o, std::string const& wrong) {
  if (o.conflicts) return false;
  for (auto const* said : {"Mesh assignment is not possible", "has no mesh to be assigned to",
                           "assigns, unassigns or broadcasts are not allowed after mesh inference"})
    if (wrong.find(said) != std::string::npos) return true;
  return false;
}

}  // namespace mpmd::testing
