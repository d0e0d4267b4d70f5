#pragma once
/// The import pipeline: from a module as users' tools emit it to one whose functions hold fragments and transfers only.

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/pipeline/canonicalize_options.hpp>
#include <mpmd/pipeline/infer_mesh.hpp>
#include <mpmd/pipeline/options.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/pipeline/placement_options.hpp>
#include <mpmd/transform/absorb_inferred_fragments.hpp>
#include <mpmd/transform/call_inline.hpp>
#include <mpmd/transform/copy_topology_from_main.hpp>
#include <mpmd/transform/eliminate_common_subexpressions.hpp>
#include <mpmd/transform/enforce_input_output_equisharding.hpp>
#include <mpmd/transform/erase_unused_callee_block_arguments.hpp>
#include <mpmd/transform/erase_unused_symbols.hpp>
#include <mpmd/transform/fragment_dce.hpp>
#include <mpmd/transform/fragment_dedup.hpp>
#include <mpmd/transform/from_unroll_to_call_counter.hpp>
#include <mpmd/transform/generate_sdy_meshes_from_topology.hpp>
#include <mpmd/transform/inline_functions.hpp>
#include <mpmd/transform/inline_nested_user_exposed_ops.hpp>
#include <mpmd/transform/insert_nameless_clone_of_negligible_ops.hpp>
#include <mpmd/transform/introduce_transfers.hpp>
#include <mpmd/transform/map_input_output_to_mesh.hpp>
#include <mpmd/transform/map_named_ops_to_mpmd_ops.hpp>
#include <mpmd/transform/merge_inferred_fragments.hpp>
#include <mpmd/transform/merge_user_fragments_into_scheduling_units.hpp>
#include <mpmd/transform/move_transfers_to_producer.hpp>
#include <mpmd/transform/placement.hpp>
#include <mpmd/transform/placement_report.hpp>
#include <mpmd/transform/remove_transfer_cycles.hpp>
#include <mpmd/transform/scheduling_units_verifier.hpp>
#include <mpmd/transform/simplify_named_computations.hpp>
#include <mpmd/transform/sink_negligible_ops_into_call_op.hpp>
#include <mpmd/transform/split_bwd_fragments.hpp>
#include <mpmd/transform/transfer_dedup.hpp>
#include <mpmd/transform/unroll_for_loops.hpp>
#include <mpmd/transform/validate_named_ops_in_mpmd_func.hpp>

namespace mpmd {

/// What can be asked of the import pipeline; all of it on a command line, too.
struct import_options {
  static constexpr std::string_view name = "mpmd-import-pipeline";
  static constexpr std::string_view summary = "Bring a module as users' tools emit it into fragments and transfers";

  name_to_mesh_map name_to_mesh = {};
  index_to_mesh_map input_to_mesh = {};
  index_to_mesh_map output_to_mesh = {};
  std::vector<io_constraint> constraints = {};
  /// Merge nothing but the fragments of users: merging inferred ones early can tie microbatches together which a
  /// schedule wants apart.
  bool merge_after_scheduling = false;
  bool absorb_on_entry_points = false;
  bool infer_transfers = false;
  bool infer_cross_mesh_reductions = false;
  std::int64_t max_clones = 1;
  std::int64_t error_limit = 5;
  bool heterogeneous_meshes = false;
  bool split_bwd = false;
  bool verify_schedule_units = false;

  static constexpr auto options = std::tuple{
      option{"name-to-mesh-assignment", &import_options::name_to_mesh, "The mesh, and stage, of each name"},
      option{"input-index-to-mesh-assignment", &import_options::input_to_mesh, "The meshes of inputs, by number"},
      option{"output-index-to-mesh-assignment", &import_options::output_to_mesh, "The meshes of outputs, by number"},
      option{"input-output-constraints", &import_options::constraints,
             "Inputs and outputs that have to be on one mesh, by number"},
      option{"merge-after-scheduling", &import_options::merge_after_scheduling,
             "Leave inferred fragments to be merged when the program has been scheduled"},
      option{"absorb-inferred-fragments-on-entry-point-function", &import_options::absorb_on_entry_points,
             "Draw inferred fragments into those around them in entry functions, too"},
      option{"infer-transfers", &import_options::infer_transfers,
             "Transfer values to the meshes where they are needed instead of reporting that they are not there; reduces across "
             "meshes, too"},
      option{"infer-cross-mesh-reductions", &import_options::infer_cross_mesh_reductions,
             "Reduce values of several meshes across meshes where an op combines them"},
      option{"max-clones", &import_options::max_clones, "On how many meshes an op may be computed again"},
      option{"error-limit", &import_options::error_limit,
             "How many errors each check of mesh inference reports; -1: any number"},
      option{"enable-heterogeneous-meshes", &import_options::heterogeneous_meshes,
             "Give each mesh of the topology its own axes"},
      option{"split-bwd-fragments", &import_options::split_bwd,
             "Cut backward fragments in what is transferred and what is not"},
      option{"verify-schedule-units", &import_options::verify_schedule_units,
             "Warn about meshes without one unit per direction and microbatch"}};

  option_fault find_fault() const { return error_counter::find_fault(error_limit); }
};

/// The passes of import in their order. What a pass needs of a program that not every program offers (blocks, what is
/// computed on tensors, edits of topologies and shardings) leaves that pass out where it is not offered. A module with chlo
/// ops has to be legalised before.
///
/// The list is a value, in which a compiler may put a pass of its own in the place of one of these, as for patterns that only
/// it has:
///
///     for (auto& one : passes)
///       if (one.name == mpmd::canonicalize::name) one = my_canonicalize{};
template <class P>
pipeline<P> import_pipeline(import_options const& asked = {}) {
  constexpr bool foldable = foldable_program<P>;
  pipeline<P> passes;
  // From what users' tools emit to one form of it.
  if constexpr (foldable && inlinable_program<P>) passes.push_back(inline_functions{});
  if constexpr (structured_program<P>) passes.push_back(eliminate_common_subexpressions{});
  if constexpr (foldable) passes.push_back(canonicalize{});
  if constexpr (topology_mpmd_program<P>) passes.push_back(copy_topology_from_main{});
  if constexpr (sharded_mpmd_program<P>)
    if (asked.heterogeneous_meshes) passes.push_back(generate_sdy_meshes_from_topology{});
  passes.push_back(unroll_for_loops{});
  if constexpr (foldable) passes.push_back(canonicalize{});  // slices of stacked values at places now known
  passes.push_back(from_unroll_to_call_counter{});
  passes.push_back(sink_negligible_ops_into_call_op{});
  passes.push_back(insert_nameless_clone_of_negligible_ops{});
  passes.push_back(simplify_named_computations{});

  // From names to meshes.
  passes.push_back(map_input_output_to_mesh{.input_assignment = asked.input_to_mesh,
                                            .output_assignment = asked.output_to_mesh});
  passes.push_back(inline_nested_user_exposed_ops{.assignment = asked.name_to_mesh});
  passes.push_back(validate_named_ops_in_mpmd_func{.fail = true});
  passes.push_back(map_named_ops_to_mpmd_ops{.assignment = asked.name_to_mesh});
  passes.push_back(introduce_transfers{});
  passes.push_back(erase_unused_callee_block_arguments{});
  for (auto& one : infer_mesh_pipeline<P>({.infer_transfers = asked.infer_transfers,
                                           .infer_cross_mesh_reductions = asked.infer_cross_mesh_reductions,
                                           .max_clones = asked.max_clones,
                                           .error_limit = asked.error_limit,
                                           .constraints = asked.constraints}))
    passes.push_back(std::move(one));

  // From many fragments to few.
  bool const merge = !asked.merge_after_scheduling;
  if (merge) {
    passes.push_back(absorb_inferred_fragments{.on_entry_points = asked.absorb_on_entry_points});
    passes.push_back(merge_inferred_fragments{.merge_any_consumer = true});
    passes.push_back(merge_inferred_fragments{.merge_sideways = true});
  }
  passes.push_back(enforce_input_output_equisharding{.constraints = asked.constraints});
  passes.push_back(fragment_dedup{});
  passes.push_back(fragment_dce{});
  passes.push_back(remove_transfer_cycles{});
  passes.push_back(call_inline{});
  if constexpr (symbol_program<P>) passes.push_back(erase_unused_symbols{});
  passes.push_back(transfer_dedup{});  // of what several calls fetched
  if (merge) passes.push_back(merge_inferred_fragments{});  // those that a call kept apart
  passes.push_back(move_transfers_to_producer{});
  passes.push_back(merge_user_fragments_into_scheduling_units{});
  // What cycles of transfers and calls kept alive until here.
  passes.push_back(fragment_dedup{});
  passes.push_back(fragment_dce{});
  if (asked.verify_schedule_units) passes.push_back(scheduling_units_verifier{});
  if (asked.split_bwd) {
    passes.push_back(split_bwd_fragments{});
    if constexpr (foldable) passes.push_back(canonicalize{.simplify_regions = region_simplification::disabled});
    passes.push_back(fragment_dce{});
  }
  return passes;
}

/// The pipeline as something that can be asked for by name.
template <class P>
registered_pass<P> register_import_pipeline() {
  return {import_options::name, import_options::summary, describe_options<import_options>(),
          [](std::string_view options, diagnostics& diags) -> std::optional<pipeline<P>> {
            import_options asked;
            if (!parse_options(asked, options, diags)) return std::nullopt;
            return import_pipeline<P>(asked);
          }};
}

}  // namespace mpmd
