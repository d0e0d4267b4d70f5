#pragma once
/// The passes that bring what users wrote into the form that mesh inference takes, and the whole import pipeline, by
/// name.

#include <vector>

#include <mpmd/pipeline/import_pipeline.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/pipeline/placement_options.hpp>
#include <mpmd/transform/copy_topology_from_main.hpp>
#include <mpmd/transform/enforce_input_output_equisharding.hpp>
#include <mpmd/transform/generate_sdy_meshes_from_topology.hpp>
#include <mpmd/transform/inline_nested_user_exposed_ops.hpp>
#include <mpmd/transform/insert_nameless_clone_of_negligible_ops.hpp>
#include <mpmd/transform/introduce_transfers.hpp>
#include <mpmd/transform/map_input_output_to_mesh.hpp>
#include <mpmd/transform/map_named_ops_to_mpmd_ops.hpp>
#include <mpmd/transform/simplify_named_computations.hpp>
#include <mpmd/transform/validate_named_ops_in_mpmd_func.hpp>

namespace mpmd {

/// Those about topologies and shardings are there for programs that let them be edited.
template <class P>
std::vector<registered_pass<P>> import_passes() {
  std::vector<registered_pass<P>> all;
  if constexpr (topology_mpmd_program<P>) all.push_back(register_pass<P, copy_topology_from_main>());
  if constexpr (sharded_mpmd_program<P>) all.push_back(register_pass<P, generate_sdy_meshes_from_topology>());
  all.push_back(register_pass<P, insert_nameless_clone_of_negligible_ops>());
  all.push_back(register_pass<P, simplify_named_computations>());
  all.push_back(register_pass<P, map_input_output_to_mesh>());
  all.push_back(register_pass<P, inline_nested_user_exposed_ops>());
  all.push_back(register_pass<P, validate_named_ops_in_mpmd_func>());
  all.push_back(register_pass<P, map_named_ops_to_mpmd_ops>());
  all.push_back(register_pass<P, introduce_transfers>());
  all.push_back(register_pass<P, enforce_input_output_equisharding>());
  all.push_back(register_import_pipeline<P>());
  return all;
}

}  // namespace mpmd
