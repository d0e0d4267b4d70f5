#pragma once
/// The passes of mesh inference, and their pipeline, by name.

#include <vector>

#include <mpmd/pipeline/infer_mesh.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/pipeline/placement_options.hpp>
#include <mpmd/transform/assign_mesh_func_leaves.hpp>
#include <mpmd/transform/assign_using_input_output_constraints.hpp>
#include <mpmd/transform/convert_reduce_ops.hpp>
#include <mpmd/transform/finalize.hpp>
#include <mpmd/transform/populate_src_set.hpp>
#include <mpmd/transform/populate_use_set.hpp>
#include <mpmd/transform/rewrite_using_analysis.hpp>
#include <mpmd/transform/validate_no_additional_transfers_needed.hpp>
#include <mpmd/transform/validate_src_set_not_empty.hpp>

namespace mpmd {

template <class P>
std::vector<registered_pass<P>> inference_passes() {
  return {register_pass<P, populate_use_set>(),
          register_pass<P, populate_src_set>(),
          register_pass<P, assign_using_input_output_constraints>(),
          register_pass<P, convert_reduce_ops>(),
          register_pass<P, validate_src_set_not_empty>(),
          register_pass<P, assign_mesh_func_leaves>(),
          register_pass<P, validate_no_additional_transfers_needed>(),
          register_pass<P, rewrite_using_analysis>(),
          register_pass<P, finalize>(),
          register_infer_mesh_pipeline<P>()};
}

}  // namespace mpmd
