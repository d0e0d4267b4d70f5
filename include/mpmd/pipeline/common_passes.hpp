#pragma once
/// The passes that simplify and merge what is placed, by name.

#include <vector>

#include <mpmd/pipeline/pass.hpp>
#include <mpmd/transform/fragment_dce.hpp>
#include <mpmd/transform/fragment_dedup.hpp>
#include <mpmd/transform/merge_forward_with_backward.hpp>
#include <mpmd/transform/merge_inferred_fragments.hpp>
#include <mpmd/transform/merge_user_fragments_into_scheduling_units.hpp>
#include <mpmd/transform/move_transfers_to_producer.hpp>
#include <mpmd/transform/remove_transfer_cycles.hpp>
#include <mpmd/transform/scheduling_units_verifier.hpp>
#include <mpmd/transform/verify_stage_merging.hpp>

namespace mpmd {

template <class P>
std::vector<registered_pass<P>> common_passes() {
  return {
      register_pass<P, fragment_dce>(),
      register_pass<P, fragment_dedup>(),
      register_pass<P, merge_forward_with_backward>(),
      register_pass<P, merge_inferred_fragments>(),
      register_pass<P, merge_user_fragments_into_scheduling_units>(),
      register_pass<P, move_transfers_to_producer>(),
      register_pass<P, remove_transfer_cycles>(),
      register_pass<P, scheduling_units_verifier>(),
      register_pass<P, verify_stage_merging>(),
  };
}

}  // namespace mpmd
