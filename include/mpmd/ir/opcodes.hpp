#pragma once
/// The operations this library knows by name: their traits and inherent attributes. Any other op is handled too,
/// with nothing assumed about it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mpmd::ir {

/// The ops that code of this library names. The opcode of an op is the id of its name in every context.
enum class opcode : std::uint32_t {
  builtin_module,
  func_func,
  func_return,
  func_call,
  mpmd_return,
  mpmd_named_computation,
  mpmd_named_tensor,
  mpmd_fragment,
  mpmd_fragment_call,
  mpmd_transfer,
  mpmd_assign,
  mpmd_unassign,
  mpmd_call,
  mpmd_for,
  mpmd_broadcast,
  mpmd_reduce,
  sdy_mesh,
  sdy_sharding_constraint,
  sdy_reshard,
  sdy_sharding_group,
  sdy_data_flow_edge,
  sdy_propagation_barrier,
  sdy_manual_computation,
  sdy_return,
  sdy_constant,
  sdy_named_computation,
  stablehlo_constant,
  stablehlo_return,
  stablehlo_while,
  stablehlo_case,
  stablehlo_if,
  stablehlo_reduce,
  stablehlo_custom_call,
  stablehlo_add,
  stablehlo_subtract,
  stablehlo_multiply,
  stablehlo_maximum,
  stablehlo_minimum,
  stablehlo_and,
  stablehlo_or,
  stablehlo_concatenate,
  stablehlo_reshape,
  stablehlo_convert,
  stablehlo_compare,
  stablehlo_select,
  stablehlo_dot,
  stablehlo_dot_general,
  stablehlo_broadcast_in_dim,
  stablehlo_transpose,
  stablehlo_slice,
  stablehlo_dynamic_slice,
  stablehlo_iota,
  stablehlo_pad,
  stablehlo_convolution,
  stablehlo_optimization_barrier,
  host_func,
  host_dim,
  host_param,
  host_var,
  host_window,
  host_returns,
  host_const,
  host_binary,
  host_unary,
  host_tuple,
  host_get,
  host_subscript,
  host_call,
  host_assign,
  host_eval,
  host_return,
  host_yield,
  host_if,
  host_for,
  host_while,
  host_condition,
  host_break,
  host_continue,
  host_scope,
  host_comm_domain,
  other,  ///< first of the ops that no code names
};

/// Facts about an op that hold for every instance.
enum class op_trait : std::uint16_t {
  none = 0,
  pure = 1,               ///< no memory effects, may be executed speculatively
  terminator = 2,         ///< ends its block
  isolated = 4,           ///< its regions may not use values from outside
  symbol = 8,             ///< bears a name (`sym_name`) in the nearest symbol table
  recursive_effects = 16, ///< has the effects of the ops in its regions and no others
  constant_like = 32,     ///< a constant: no operands, one result
  declaration = 64,       ///< brings a thing into being that counts by identity; where it stands means nothing
  expression = 128,       ///< part of the op that uses its one result, and evaluated with it
  open_ended = 256,       ///< its blocks need no terminator
  commutative = 512,      ///< has two operands, whose order does not count
};
constexpr op_trait operator|(op_trait a, op_trait b) {
  return static_cast<op_trait>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct op_info {
  opcode code;
  std::string_view name;
  op_trait traits;
  std::string_view inherent;  ///< names of the inherent attributes, separated by blanks
  /// Inherent attributes for the reader's eye only, which structural equality and hash leave out.
  std::string_view unequal = {};

  constexpr bool has(op_trait t) const {
    return (static_cast<unsigned>(traits) & static_cast<unsigned>(t)) != 0;
  }
  constexpr bool is_inherent(std::string_view label) const { return is_listed(inherent, label); }
  constexpr bool is_compared(std::string_view label) const { return !is_listed(unequal, label); }

 private:
  static constexpr bool is_listed(std::string_view rest, std::string_view label) {
    while (!rest.empty()) {
      std::size_t const stop = rest.find(' ');
      if (rest.substr(0, stop) == label) return true;
      rest = stop == std::string_view::npos ? std::string_view{} : rest.substr(stop + 1);
    }
    return false;
  }
};

inline constexpr auto known_ops = std::to_array<op_info>({
    {opcode::builtin_module, "builtin.module", op_trait::isolated | op_trait::symbol,
     "sym_name sym_visibility"},
    {opcode::func_func, "func.func", op_trait::isolated | op_trait::symbol,
     "arg_attrs function_type res_attrs sym_name sym_visibility"},
    {opcode::func_return, "func.return", op_trait::terminator | op_trait::pure, ""},
    {opcode::func_call, "func.call", op_trait::none, "callee no_inline"},
    {opcode::mpmd_return, "mpmd.return", op_trait::terminator | op_trait::pure, ""},
    {opcode::mpmd_named_computation, "mpmd.named_computation", op_trait::isolated | op_trait::recursive_effects,
     "origin"},
    {opcode::mpmd_named_tensor, "mpmd.named_tensor", op_trait::pure, "name"},
    {opcode::mpmd_fragment, "mpmd.fragment", op_trait::isolated | op_trait::recursive_effects,
     "in_shardings mesh_name origin out_shardings stage_id"},
    {opcode::mpmd_fragment_call, "mpmd.fragment_call", op_trait::none, "callee mesh_name origin"},
    {opcode::mpmd_transfer, "mpmd.transfer", op_trait::pure, ""},
    {opcode::mpmd_assign, "mpmd.assign", op_trait::pure, "origin"},
    {opcode::mpmd_unassign, "mpmd.unassign", op_trait::pure, "origin"},
    {opcode::mpmd_call, "mpmd.call", op_trait::none, "callee"},
    {opcode::mpmd_for, "mpmd.for", op_trait::recursive_effects, "iterations unroll_factor"},
    {opcode::mpmd_broadcast, "mpmd.broadcast", op_trait::pure, ""},
    {opcode::mpmd_reduce, "mpmd.reduce", op_trait::pure, "reduction"},
    {opcode::sdy_mesh, "sdy.mesh", op_trait::symbol, "mesh sym_name"},
    {opcode::sdy_sharding_constraint, "sdy.sharding_constraint", op_trait::none, "sharding"},
    {opcode::sdy_reshard, "sdy.reshard", op_trait::pure, "sharding"},
    {opcode::sdy_sharding_group, "sdy.sharding_group", op_trait::none, "group_id"},
    {opcode::sdy_data_flow_edge, "sdy.data_flow_edge", op_trait::pure, "sharding"},
    {opcode::sdy_propagation_barrier, "sdy.propagation_barrier", op_trait::pure, "allowed_direction"},
    {opcode::sdy_manual_computation, "sdy.manual_computation", op_trait::isolated | op_trait::recursive_effects,
     "in_shardings manual_axes out_shardings"},
    {opcode::sdy_return, "sdy.return", op_trait::terminator | op_trait::pure, ""},
    {opcode::sdy_constant, "sdy.constant", op_trait::pure, "value"},
    {opcode::sdy_named_computation, "sdy.named_computation", op_trait::isolated | op_trait::recursive_effects,
     "in_shardings name out_shardings"},
    {opcode::stablehlo_constant, "stablehlo.constant", op_trait::pure | op_trait::constant_like, "value"},
    {opcode::stablehlo_return, "stablehlo.return", op_trait::terminator | op_trait::pure, ""},
    {opcode::stablehlo_while, "stablehlo.while", op_trait::recursive_effects, ""},
    {opcode::stablehlo_case, "stablehlo.case", op_trait::recursive_effects, ""},
    {opcode::stablehlo_if, "stablehlo.if", op_trait::recursive_effects, ""},
    {opcode::stablehlo_reduce, "stablehlo.reduce", op_trait::recursive_effects, "dimensions"},
    {opcode::stablehlo_custom_call, "stablehlo.custom_call", op_trait::none,
     "api_version backend_config call_target_name called_computations has_side_effect operand_layouts "
     "output_operand_aliases result_layouts"},
    {opcode::stablehlo_add, "stablehlo.add", op_trait::pure | op_trait::commutative, ""},
    {opcode::stablehlo_subtract, "stablehlo.subtract", op_trait::pure, ""},
    {opcode::stablehlo_multiply, "stablehlo.multiply", op_trait::pure | op_trait::commutative, ""},
    {opcode::stablehlo_maximum, "stablehlo.maximum", op_trait::pure | op_trait::commutative, ""},
    {opcode::stablehlo_minimum, "stablehlo.minimum", op_trait::pure | op_trait::commutative, ""},
    {opcode::stablehlo_and, "stablehlo.and", op_trait::pure | op_trait::commutative, ""},
    {opcode::stablehlo_or, "stablehlo.or", op_trait::pure | op_trait::commutative, ""},
    {opcode::stablehlo_concatenate, "stablehlo.concatenate", op_trait::pure, "dimension"},
    {opcode::stablehlo_reshape, "stablehlo.reshape", op_trait::pure, ""},
    {opcode::stablehlo_convert, "stablehlo.convert", op_trait::pure, ""},
    {opcode::stablehlo_compare, "stablehlo.compare", op_trait::pure, "compare_type comparison_direction"},
    {opcode::stablehlo_select, "stablehlo.select", op_trait::pure, ""},
    {opcode::stablehlo_dot, "stablehlo.dot", op_trait::pure, "precision_config"},
    {opcode::stablehlo_dot_general, "stablehlo.dot_general", op_trait::pure,
     "algorithm dot_dimension_numbers precision_config"},
    {opcode::stablehlo_broadcast_in_dim, "stablehlo.broadcast_in_dim", op_trait::pure,
     "broadcast_dimensions"},
    {opcode::stablehlo_transpose, "stablehlo.transpose", op_trait::pure, "permutation"},
    {opcode::stablehlo_slice, "stablehlo.slice", op_trait::pure, "limit_indices start_indices strides"},
    {opcode::stablehlo_dynamic_slice, "stablehlo.dynamic_slice", op_trait::pure, "slice_sizes"},
    {opcode::stablehlo_iota, "stablehlo.iota", op_trait::pure, "iota_dimension"},
    {opcode::stablehlo_pad, "stablehlo.pad", op_trait::pure,
     "edge_padding_high edge_padding_low interior_padding"},
    {opcode::stablehlo_convolution, "stablehlo.convolution", op_trait::pure,
     "batch_group_count dimension_numbers feature_group_count lhs_dilation padding precision_config rhs_dilation "
     "window_reversal window_strides"},
    {opcode::stablehlo_optimization_barrier, "stablehlo.optimization_barrier", op_trait::pure, ""},
    {opcode::host_func, "host.func", op_trait::symbol | op_trait::open_ended,
     "attrs auto_scope bodiless external_source func_type level role sym_name", ""},
    {opcode::host_dim, "host.dim", op_trait::declaration, "hint", "hint"},
    {opcode::host_param, "host.param", op_trait::none, "direction hint", "hint"},
    {opcode::host_var, "host.var", op_trait::declaration, "hint iter", "hint"},
    {opcode::host_window, "host.window", op_trait::declaration, "load_from_host store_to_host", ""},
    {opcode::host_returns, "host.returns", op_trait::none, "types", ""},
    {opcode::host_const, "host.const", op_trait::expression, "value", ""},
    {opcode::host_binary, "host.binary", op_trait::expression, "kind", ""},
    {opcode::host_unary, "host.unary", op_trait::expression, "kind", ""},
    {opcode::host_tuple, "host.tuple", op_trait::expression, "", ""},
    {opcode::host_get, "host.get", op_trait::expression, "index", ""},
    {opcode::host_subscript, "host.subscript", op_trait::expression, "form", ""},
    {opcode::host_call, "host.call", op_trait::expression, "attrs callee kwargs order segments submit",
     "order"},
    {opcode::host_assign, "host.assign", op_trait::none, "", ""},
    {opcode::host_eval, "host.eval", op_trait::none, "", ""},
    {opcode::host_return, "host.return", op_trait::none, "", ""},
    {opcode::host_yield, "host.yield", op_trait::none, "", ""},
    {opcode::host_if, "host.if", op_trait::open_ended, "", ""},
    {opcode::host_for, "host.for", op_trait::open_ended, "attrs kind kwargs order segments", "order"},
    {opcode::host_while, "host.while", op_trait::open_ended, "segments", ""},
    {opcode::host_condition, "host.condition", op_trait::terminator, "", ""},
    {opcode::host_break, "host.break", op_trait::none, "", ""},
    {opcode::host_continue, "host.continue", op_trait::none, "", ""},
    {opcode::host_scope, "host.scope", op_trait::open_ended, "attrs kind kwargs order segments", "order"},
    {opcode::host_comm_domain, "host.comm_domain", op_trait::open_ended, "attrs device_runs name order segments",
     "order"},
    {opcode::other, "stablehlo.abs", op_trait::pure, ""},
    {opcode::other, "stablehlo.cbrt", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.ceil", op_trait::pure, ""},
    {opcode::other, "stablehlo.cosine", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.count_leading_zeros", op_trait::pure, ""},
    {opcode::other, "stablehlo.exponential", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.exponential_minus_one", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.floor", op_trait::pure, ""},
    {opcode::other, "stablehlo.imag", op_trait::pure, ""},
    {opcode::other, "stablehlo.is_finite", op_trait::pure, ""},
    {opcode::other, "stablehlo.log", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.log_plus_one", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.logistic", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.negate", op_trait::pure, ""},
    {opcode::other, "stablehlo.not", op_trait::pure, ""},
    {opcode::other, "stablehlo.popcnt", op_trait::pure, ""},
    {opcode::other, "stablehlo.real", op_trait::pure, ""},
    {opcode::other, "stablehlo.round_nearest_afz", op_trait::pure, ""},
    {opcode::other, "stablehlo.round_nearest_even", op_trait::pure, ""},
    {opcode::other, "stablehlo.rsqrt", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.sign", op_trait::pure, ""},
    {opcode::other, "stablehlo.sine", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.sqrt", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.tan", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.tanh", op_trait::pure, "result_accuracy"},
    {opcode::other, "stablehlo.bitcast_convert", op_trait::pure, ""},
    {opcode::other, "stablehlo.atan2", op_trait::pure, ""},
    {opcode::other, "stablehlo.complex", op_trait::pure, ""},
    {opcode::other, "stablehlo.divide", op_trait::pure, ""},
    {opcode::other, "stablehlo.power", op_trait::pure, ""},
    {opcode::other, "stablehlo.remainder", op_trait::pure, ""},
    {opcode::other, "stablehlo.shift_left", op_trait::pure, ""},
    {opcode::other, "stablehlo.shift_right_arithmetic", op_trait::pure, ""},
    {opcode::other, "stablehlo.shift_right_logical", op_trait::pure, ""},
    {opcode::other, "stablehlo.xor", op_trait::pure | op_trait::commutative, ""},
    {opcode::other, "stablehlo.clamp", op_trait::pure, ""},
    {opcode::other, "stablehlo.dynamic_update_slice", op_trait::pure, ""},
    {opcode::other, "stablehlo.create_token", op_trait::pure, ""},
    {opcode::other, "stablehlo.after_all", op_trait::pure, ""},
    {opcode::other, "stablehlo.reverse", op_trait::pure, "dimensions"},
    {opcode::other, "stablehlo.get_tuple_element", op_trait::pure, "index"},
    {opcode::other, "stablehlo.tuple", op_trait::pure, ""},
    {opcode::other, "stablehlo.gather", op_trait::pure, "dimension_numbers indices_are_sorted slice_sizes"},
    {opcode::other, "stablehlo.scatter", op_trait::recursive_effects,
     "indices_are_sorted scatter_dimension_numbers unique_indices"},
    {opcode::other, "stablehlo.select_and_scatter", op_trait::recursive_effects,
     "padding window_dimensions window_strides"},
    {opcode::other, "stablehlo.reduce_window", op_trait::recursive_effects,
     "base_dilations padding window_dilations window_dimensions window_strides"},
    {opcode::other, "stablehlo.sort", op_trait::recursive_effects, "dimension is_stable"},
    {opcode::other, "stablehlo.map", op_trait::recursive_effects, "dimensions"},
    {opcode::other, "stablehlo.reduce_precision", op_trait::pure, "exponent_bits mantissa_bits"},
    {opcode::other, "stablehlo.rng", op_trait::none, "rng_distribution"},
    {opcode::other, "stablehlo.rng_bit_generator", op_trait::pure, "rng_algorithm"},
    {opcode::other, "stablehlo.fft", op_trait::pure, "fft_length fft_type"},
    {opcode::other, "stablehlo.cholesky", op_trait::pure, "lower"},
    {opcode::other, "stablehlo.triangular_solve", op_trait::pure,
     "left_side lower transpose_a unit_diagonal"},
    {opcode::other, "stablehlo.batch_norm_inference", op_trait::pure, "epsilon feature_index"},
    {opcode::other, "stablehlo.batch_norm_training", op_trait::pure, "epsilon feature_index"},
    {opcode::other, "stablehlo.batch_norm_grad", op_trait::pure, "epsilon feature_index"},
    {opcode::other, "stablehlo.torch_index_select", op_trait::pure, "batch_dims dim"},
    {opcode::other, "stablehlo.einsum", op_trait::pure, "einsum_config"},
    {opcode::other, "stablehlo.unary_einsum", op_trait::pure, "einsum_config"},
    {opcode::other, "stablehlo.get_dimension_size", op_trait::pure, "dimension"},
    {opcode::other, "stablehlo.set_dimension_size", op_trait::pure, "dimension"},
    {opcode::other, "stablehlo.dynamic_broadcast_in_dim", op_trait::pure,
     "broadcast_dimensions known_expanding_dimensions known_nonexpanding_dimensions"},
    {opcode::other, "stablehlo.dynamic_conv", op_trait::pure,
     "batch_group_count dimension_numbers feature_group_count lhs_dilation padding precision_config rhs_dilation "
     "window_reversal window_strides"},
    {opcode::other, "stablehlo.dynamic_gather", op_trait::pure, "dimension_numbers indices_are_sorted"},
    {opcode::other, "stablehlo.dynamic_iota", op_trait::pure, "iota_dimension"},
    {opcode::other, "stablehlo.dynamic_pad", op_trait::pure, ""},
    {opcode::other, "stablehlo.dynamic_reshape", op_trait::pure, ""},
    {opcode::other, "stablehlo.real_dynamic_slice", op_trait::pure, ""},
    {opcode::other, "stablehlo.broadcast", op_trait::pure, "broadcast_sizes"},
    {opcode::other, "stablehlo.all_gather", op_trait::none,
     "all_gather_dim channel_handle replica_groups use_global_device_ids"},
    {opcode::other, "stablehlo.all_reduce", op_trait::none,
     "channel_handle replica_groups use_global_device_ids"},
    {opcode::other, "stablehlo.all_to_all", op_trait::none,
     "channel_handle concat_dimension replica_groups split_count split_dimension"},
    {opcode::other, "stablehlo.reduce_scatter", op_trait::none,
     "channel_handle replica_groups scatter_dimension use_global_device_ids"},
    {opcode::other, "stablehlo.collective_broadcast", op_trait::none, "channel_handle replica_groups"},
    {opcode::other, "stablehlo.collective_permute", op_trait::none, "channel_handle source_target_pairs"},
    {opcode::other, "stablehlo.cross-replica-sum", op_trait::none, "replica_groups"},
    {opcode::other, "stablehlo.partition_id", op_trait::pure, ""},
    {opcode::other, "stablehlo.replica_id", op_trait::pure, ""},
    {opcode::other, "stablehlo.send", op_trait::none, "channel_handle is_host_transfer source_target_pairs"},
    {opcode::other, "stablehlo.recv", op_trait::none, "channel_handle is_host_transfer source_target_pairs"},
    {opcode::other, "stablehlo.infeed", op_trait::none, "infeed_config layout"},
    {opcode::other, "stablehlo.outfeed", op_trait::none, "outfeed_config"},
    {opcode::other, "stablehlo.composite", op_trait::none, "composite_attributes decomposition name version"},
    {opcode::other, "stablehlo.trace", op_trait::none, "tag"},
    {opcode::other, "stablehlo.uniform_quantize", op_trait::pure, ""},
    {opcode::other, "stablehlo.uniform_dequantize", op_trait::pure, ""},
});

static_assert([] {
  for (std::size_t i = 0; i < known_ops.size(); ++i) {
    auto const expected = i < static_cast<std::size_t>(opcode::other) ? static_cast<opcode>(i) : opcode::other;
    if (known_ops[i].code != expected) return false;
  }
  return true;
}(), "the table lists the enumerated ops first and in their order");

/// What is known about the op whose name has this id, or null.
constexpr op_info const* info_of(std::uint32_t name_id) {
  return name_id < known_ops.size() ? &known_ops[name_id] : nullptr;
}

}  // namespace mpmd::ir
