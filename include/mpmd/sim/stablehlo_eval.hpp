#pragma once
/// Which evaluator runs which op of StableHLO.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include <mpmd/ir/walk.hpp>
#include <mpmd/sim/evaluation.hpp>
#include <mpmd/sim/stablehlo_batch_norm.hpp>
#include <mpmd/sim/stablehlo_convolution.hpp>
#include <mpmd/sim/stablehlo_elementwise.hpp>
#include <mpmd/sim/stablehlo_gather.hpp>
#include <mpmd/sim/stablehlo_reduce.hpp>
#include <mpmd/sim/stablehlo_shape.hpp>

namespace mpmd::sim {

/// A fixed pseudo-random function of the op's name, inherent attributes and operands, and of the names and
/// attributes of the ops in its regions. What it stands for need not be known to tell whether two programs
/// apply it to the same operands.
inline bool evaluate_opaque(evaluation& e) {
  std::uint64_t h = 0;
  ir::walk(e.program, e.op, [&](ir::op o) {
    h = exact::mix(h, e.context().hash_of(e.program.kind(o)));
    h = exact::mix(h, e.context().hash_of(e.program.properties(o)));
  });
  for (tensor const* in : e.inputs) h = exact::mix(h, digest(*in));
  for (std::size_t r = 0; r < e.outputs.size(); ++r)
    for (std::size_t i = 0; i < e.outputs[r].elements.size(); ++i)
      e.outputs[r].elements[i] = element_from_hash(e.outputs[r].format, exact::mix(exact::mix(h, r), i));
  return true;
}

/// Annotations that are written as calls give back their operand; any other call is opaque.
inline bool evaluate_custom_call(evaluation& e) {
  auto const* target = e.program.attr_if<ir::string_attr>(e.op, "call_target_name");
  if (target == nullptr) return e.malformed();
  bool const annotation = target->text == "Sharding" || target->text == "annotate_device_placement" ||
                          std::string_view(target->text).starts_with("xla.sdy.");
  if (annotation && e.has(1) && same_form(*e.inputs[0], e.outputs[0])) return evaluate_identity(e);
  return evaluate_opaque(e);
}

struct plain_evaluator {
  std::string_view name;
  bool (*run)(evaluation&);
};
inline constexpr auto plain_evaluators = std::to_array<plain_evaluator>({
    {"stablehlo.constant", &evaluate_constant},
    {"sdy.constant", &evaluate_constant},
    {"stablehlo.iota", &evaluate_iota},
    {"stablehlo.compare", &evaluate_compare},
    {"stablehlo.select", &evaluate_select},
    {"stablehlo.clamp", &evaluate_clamp},
    {"stablehlo.convert", &evaluate_convert},
    {"stablehlo.bitcast_convert", &evaluate_bitcast_convert},
    {"stablehlo.reshape", &evaluate_reshape},
    {"stablehlo.broadcast_in_dim", &evaluate_broadcast_in_dim},
    {"stablehlo.broadcast", &evaluate_broadcast},
    {"stablehlo.transpose", &evaluate_transpose},
    {"stablehlo.reverse", &evaluate_reverse},
    {"stablehlo.slice", &evaluate_slice},
    {"stablehlo.dynamic_slice", &evaluate_dynamic_slice},
    {"stablehlo.dynamic_update_slice", &evaluate_dynamic_update_slice},
    {"stablehlo.concatenate", &evaluate_concatenate},
    {"stablehlo.pad", &evaluate_pad},
    {"stablehlo.gather", &evaluate_gather},
    {"stablehlo.torch_index_select", &evaluate_torch_index_select},
    {"stablehlo.dot", &evaluate_simple_dot},
    {"stablehlo.dot_general", &evaluate_dot_general},
    {"stablehlo.convolution", &evaluate_convolution},
    {"stablehlo.batch_norm_inference", &evaluate_batch_norm_inference},
    {"stablehlo.batch_norm_training", &evaluate_batch_norm_training},
    {"stablehlo.batch_norm_grad", &evaluate_batch_norm_grad},
});

/// Ops that are opaque: their exact value would cost much, or depends on more than the
/// program.
inline constexpr auto opaque_ops = std::to_array<std::string_view>({"stablehlo.fft",
                                                                    "stablehlo.cholesky",
                                                                    "stablehlo.triangular_solve",
                                                                    "stablehlo.rng_bit_generator",
                                                                    "stablehlo.einsum",
                                                                    "stablehlo.unary_einsum",
                                                                    "stablehlo.create_token",
                                                                    "stablehlo.after_all",
                                                                    "stablehlo.send",
                                                                    "stablehlo.recv",
                                                                    "stablehlo.infeed",
                                                                    "stablehlo.outfeed",
                                                                    "stablehlo.all_gather",
                                                                    "stablehlo.all_reduce",
                                                                    "stablehlo.reduce_scatter",
                                                                    "stablehlo.all_to_all",
                                                                    "stablehlo.collective_broadcast",
                                                                    "stablehlo.collective_permute",
                                                                    "stablehlo.partition_id",
                                                                    "stablehlo.replica_id"});

inline bool is_opaque(std::string_view name) {
  return std::find(opaque_ops.begin(), opaque_ops.end(), name) != opaque_ops.end();
}

/// Evaluates an op that runs no regions. False with a reason in `error`, or without one if the op is unknown.
inline bool evaluate_plain(evaluation& e) {
  std::string_view const name = e.program.kind_text(e.op);
  if (is_opaque(name)) return evaluate_opaque(e);
  if (name == "stablehlo.optimization_barrier") return evaluate_identity(e);
  if (name == "stablehlo.custom_call") return evaluate_custom_call(e);
  if (e.outputs.empty()) return false;
  for (auto const& known : plain_evaluators)
    if (known.name == name) return known.run(e);
  if (auto const run = find_binary(name)) return evaluate_binary(e, run);
  for (auto const& known : unary_ops)
    if (known.name == name) return evaluate_unary(e, known);
  return false;
}

/// Evaluates an op of which every region combines scalars, and any other op that runs none. `outer` finds
/// values which the regions use from outside.
inline bool evaluate(evaluation& e, std::function<tensor const*(ir::value)> const& outer) {
  if (e.program.is(e.op, ir::opcode::stablehlo_reduce)) return evaluate_reduce(e, &evaluate_plain, outer);
  std::string_view const name = e.program.kind_text(e.op);
  if (e.program.regions(e.op).empty() || is_opaque(name)) return evaluate_plain(e);
  if (e.outputs.empty()) return false;
  if (name == "stablehlo.reduce_window") return evaluate_reduce_window(e, &evaluate_plain, outer);
  if (name == "stablehlo.scatter") return evaluate_scatter(e, &evaluate_plain, outer);
  return false;
}

}  // namespace mpmd::sim
