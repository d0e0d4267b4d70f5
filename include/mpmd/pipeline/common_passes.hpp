#pragma once
/// The passes that simplify and merge what is placed, and those that every compiler has, by name.

#include <vector>

#include <mpmd/pipeline/canonicalize_options.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/pipeline/rule_options.hpp>
#include <mpmd/transform/absorb_inferred_fragments.hpp>
#include <mpmd/transform/call_inline.hpp>
#include <mpmd/transform/copy_constants.hpp>
#include <mpmd/transform/eliminate_common_subexpressions.hpp>
#include <mpmd/transform/erase_unused_callee_block_arguments.hpp>
#include <mpmd/transform/erase_unused_symbols.hpp>
#include <mpmd/transform/fragment_dce.hpp>
#include <mpmd/transform/fragment_dedup.hpp>
#include <mpmd/transform/from_unroll_to_call_counter.hpp>
#include <mpmd/transform/inline_functions.hpp>
#include <mpmd/transform/merge_forward_with_backward.hpp>
#include <mpmd/transform/merge_inferred_fragments.hpp>
#include <mpmd/transform/merge_transfers.hpp>
#include <mpmd/transform/merge_user_fragments_into_scheduling_units.hpp>
#include <mpmd/transform/move_transfers_to_producer.hpp>
#include <mpmd/transform/remove_transfer_cycles.hpp>
#include <mpmd/transform/rule_based_merge.hpp>
#include <mpmd/transform/scheduling_units_verifier.hpp>
#include <mpmd/transform/sink_negligible_ops_into_call_op.hpp>
#include <mpmd/transform/split_and_prioritize_transfer_independent_computations.hpp>
#include <mpmd/transform/split_bwd_fragments.hpp>
#include <mpmd/transform/transfer_dedup.hpp>
#include <mpmd/transform/uniquify_function_inputs_outputs.hpp>
#include <mpmd/transform/unroll_for_loops.hpp>
#include <mpmd/transform/verify_stage_merging.hpp>

namespace mpmd {

template <class P>
std::vector<registered_pass<P>> common_passes() {
  std::vector<registered_pass<P>> all{
      register_pass<P, absorb_inferred_fragments>(),
      register_pass<P, call_inline>(),
      register_pass<P, copy_constants>(),
      register_pass<P, erase_unused_callee_block_arguments>(),
      register_pass<P, fragment_dce>(),
      register_pass<P, fragment_dedup>(),
      register_pass<P, from_unroll_to_call_counter>(),
      register_pass<P, merge_forward_with_backward>(),
      register_pass<P, merge_inferred_fragments>(),
      register_pass<P, merge_transfers>(),
      register_pass<P, merge_user_fragments_into_scheduling_units>(),
      register_pass<P, move_transfers_to_producer>(),
      register_pass<P, remove_transfer_cycles>(),
      register_pass<P, rule_based_merge>(),
      register_pass<P, scheduling_units_verifier>(),
      register_pass<P, sink_negligible_ops_into_call_op>(),
      register_pass<P, split_and_prioritize_transfer_independent_computations>(),
      register_pass<P, split_bwd_fragments>(),
      register_pass<P, transfer_dedup>(),
      register_pass<P, uniquify_function_inputs_outputs>(),
      register_pass<P, unroll_for_loops>(),
      register_pass<P, verify_stage_merging>(),
  };
  if constexpr (foldable_program<P> && inlinable_program<P>) all.push_back(register_pass<P, inline_functions>());
  if constexpr (structured_program<P>) all.push_back(register_pass<P, eliminate_common_subexpressions>());
  if constexpr (foldable_program<P>) all.push_back(register_pass<P, canonicalize>());
  if constexpr (symbol_program<P>) all.push_back(register_pass<P, erase_unused_symbols>());
  return all;
}

}  // namespace mpmd
