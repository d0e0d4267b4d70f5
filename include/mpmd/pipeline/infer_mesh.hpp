#pragma once
/// The pipeline of mesh inference: from a program in which some computations are on meshes to one in which
/// everything is.

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/pipeline/options.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/pipeline/placement_options.hpp>
#include <mpmd/transform/assign_mesh_func_leaves.hpp>
#include <mpmd/transform/assign_using_input_output_constraints.hpp>
#include <mpmd/transform/convert_reduce_ops.hpp>
#include <mpmd/transform/finalize.hpp>
#include <mpmd/transform/placement.hpp>
#include <mpmd/transform/populate_src_set.hpp>
#include <mpmd/transform/populate_use_set.hpp>
#include <mpmd/transform/rewrite_using_analysis.hpp>
#include <mpmd/transform/validate_no_additional_transfers_needed.hpp>
#include <mpmd/transform/validate_src_set_not_empty.hpp>

namespace mpmd {

/// What can be asked of mesh inference. The options of the command line are those listed in `options`.
struct infer_mesh_options {
  static constexpr std::string_view name = "mpmd-infer-mesh-pipeline";
  static constexpr std::string_view summary = "Infer the meshes of everything that nobody placed";

  bool infer_transfers = false;  ///< implies infer_cross_mesh_reductions
  bool infer_cross_mesh_reductions = false;
  std::int64_t max_clones = 1;                  ///< of rewrite_using_analysis
  std::int64_t error_limit = 5;                 ///< errors of each pass that checks; -1: any number
  std::vector<io_constraint> constraints = {};  ///< inputs and outputs that should be on one mesh

  static constexpr auto options = std::tuple{
      option{
          "infer-transfers", &infer_mesh_options::infer_transfers,
          "Transfer values to the meshes where they are needed instead of reporting that they are not there; reduces "
          "across meshes, too"},
      option{"infer-cross-mesh-reductions", &infer_mesh_options::infer_cross_mesh_reductions,
             "Reduce values of several meshes across meshes where an op combines them"}};
};

/// The passes of mesh inference in their order.
template <class P>
pipeline<P> infer_mesh_pipeline(infer_mesh_options const& asked = {}) {
  bool const transfers = asked.infer_transfers;
  pipeline<P> passes;
  passes.push_back(populate_use_set{});
  passes.push_back(populate_src_set{});
  if (!asked.constraints.empty())
    passes.push_back(assign_using_input_output_constraints{.constraints = asked.constraints,
                                                           .verbose_logging = asked.error_limit == -1});
  passes.push_back(
      convert_reduce_ops{.infer_cross_mesh_reductions = transfers || asked.infer_cross_mesh_reductions});
  if (!transfers) passes.push_back(validate_src_set_not_empty{.error_limit = asked.error_limit});
  passes.push_back(assign_mesh_func_leaves{.infer_transfers = transfers, .error_limit = asked.error_limit});
  // Again, now that everything has a place where it is needed.
  passes.push_back(populate_use_set{.settle = true});
  if (!transfers) passes.push_back(validate_no_additional_transfers_needed{.error_limit = asked.error_limit});
  passes.push_back(rewrite_using_analysis{.max_clones = asked.max_clones});
  passes.push_back(finalize{.infer_transfers = transfers});
  return passes;
}

/// The pipeline as something that can be asked for by name.
template <class P>
registered_pass<P> register_infer_mesh_pipeline() {
  return {infer_mesh_options::name, infer_mesh_options::summary, describe_options<infer_mesh_options>(),
          [](std::string_view options, diagnostics& diags) -> std::optional<pipeline<P>> {
            infer_mesh_options asked;
            if (!parse_options(asked, options, diags)) return std::nullopt;
            return infer_mesh_pipeline<P>(asked);
          }};
}

}  // namespace mpmd
