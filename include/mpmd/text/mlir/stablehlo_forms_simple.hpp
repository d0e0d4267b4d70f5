#pragma once
/// The StableHLO ops whose pretty form is a row of a table (stablehlo_forms_layout.hpp).

#include <mpmd/text/mlir/stablehlo_forms_layout.hpp>

namespace mpmd::text::mlir::stablehlo {

inline constexpr layout unary{.operands = 1, .types = type_rule::same};
inline constexpr layout binary{.operands = 2, .types = type_rule::same};
inline constexpr layout ternary{.operands = 3, .types = type_rule::same};
inline constexpr layout any_of_one_type{.operands = any_number, .types = type_rule::same};
inline constexpr layout source{.operands = 0, .types = type_rule::results};
inline constexpr layout one_operand{.operands = 1};
inline constexpr layout two_operands{.operands = 2};
inline constexpr layout four_operands{.operands = 4};
inline constexpr layout five_operands{.operands = 5};
inline constexpr layout some_operands{.operands = at_least_one};
inline constexpr layout select_layout{.operands = 3, .types = type_rule::select};
inline constexpr layout complex_layout{.operands = 2, .types = type_rule::complex};
inline constexpr layout tuple_layout{.operands = any_number, .types = type_rule::tuple};

inline constexpr layout iota_layout{
    .operands = 0, .types = type_rule::results, .items = {{{"dim", "iota_dimension", value_kind::integer}}}};
inline constexpr layout dynamic_iota_layout{.items = {{{"dim", "iota_dimension", value_kind::integer}}}};
inline constexpr layout broadcast_layout{.items = {{{"sizes", "broadcast_sizes"}}}};
inline constexpr layout broadcast_in_dim_layout{.items = {{{"dims", "broadcast_dimensions"}}}};
inline constexpr layout dynamic_broadcast_in_dim_layout{.operands = 2,
                                                        .items = {{{"dims", "broadcast_dimensions"}}}};
inline constexpr layout transpose_layout{.items = {{{"dims", "permutation"}}}};
inline constexpr layout reverse_layout{.types = type_rule::same, .items = {{{"dims", "dimensions"}}}};
inline constexpr layout dynamic_slice_layout{.operands = at_least_one, .items = {{{"sizes", "slice_sizes"}}}};
inline constexpr layout concatenate_layout{.operands = at_least_one,
                                           .items = {{{"dim", "dimension", value_kind::integer}}}};
inline constexpr layout pad_layout{
    .operands = 2,
    .items = {
        {{"low", "edge_padding_low"}, {"high", "edge_padding_high"}, {"interior", "interior_padding"}}}};
inline constexpr layout get_dimension_size_layout{.items = {{{"dim", "dimension", value_kind::integer}}}};
inline constexpr layout set_dimension_size_layout{.operands = 2,
                                                  .items = {{{"dim", "dimension", value_kind::integer}}}};
inline constexpr layout einsum_layout{.operands = 2,
                                      .items = {{{"config", "einsum_config", value_kind::text}}}};
inline constexpr layout unary_einsum_layout{.items = {{{"config", "einsum_config", value_kind::text}}}};
inline constexpr layout fft_layout{
    .items = {{{"type", "fft_type", value_kind::word, &fft_type}, {"length", "fft_length"}}}};
inline constexpr layout rng_layout{
    .operands = 3, .items = {{{"distribution", "rng_distribution", value_kind::word, &rng_distribution}}}};
inline constexpr layout rng_bit_generator_layout{
    .items = {{{"algorithm", "rng_algorithm", value_kind::word, &rng_algorithm}}}};

inline constexpr auto simple_forms = std::to_array<form>({
    row<unary>("stablehlo.abs"),
    row<unary>("stablehlo.cbrt"),
    row<unary>("stablehlo.ceil"),
    row<unary>("stablehlo.convert"),
    row<unary>("stablehlo.cosine"),
    row<unary>("stablehlo.count_leading_zeros"),
    row<unary>("stablehlo.exponential"),
    row<unary>("stablehlo.exponential_minus_one"),
    row<unary>("stablehlo.floor"),
    row<unary>("stablehlo.imag"),
    row<unary>("stablehlo.log"),
    row<unary>("stablehlo.log_plus_one"),
    row<unary>("stablehlo.logistic"),
    row<unary>("stablehlo.negate"),
    row<unary>("stablehlo.not"),
    row<unary>("stablehlo.popcnt"),
    row<unary>("stablehlo.real"),
    row<unary>("stablehlo.round_nearest_afz"),
    row<unary>("stablehlo.round_nearest_even"),
    row<unary>("stablehlo.rsqrt"),
    row<unary>("stablehlo.sign"),
    row<unary>("stablehlo.sine"),
    row<unary>("stablehlo.sqrt"),
    row<unary>("stablehlo.tan"),
    row<unary>("stablehlo.tanh"),
    row<unary>("stablehlo.uniform_dequantize"),
    row<unary>("stablehlo.uniform_quantize"),
    row<binary>("stablehlo.add"),
    row<binary>("stablehlo.and"),
    row<binary>("stablehlo.atan2"),
    row<binary>("stablehlo.divide"),
    row<binary>("stablehlo.maximum"),
    row<binary>("stablehlo.minimum"),
    row<binary>("stablehlo.multiply"),
    row<binary>("stablehlo.or"),
    row<binary>("stablehlo.power"),
    row<binary>("stablehlo.remainder"),
    row<binary>("stablehlo.shift_left"),
    row<binary>("stablehlo.shift_right_arithmetic"),
    row<binary>("stablehlo.shift_right_logical"),
    row<binary>("stablehlo.subtract"),
    row<binary>("stablehlo.xor"),
    row<ternary>("stablehlo.clamp"),
    row<any_of_one_type>("stablehlo.after_all"),
    row<source>("stablehlo.create_token"),
    row<source>("stablehlo.partition_id"),
    row<source>("stablehlo.replica_id"),
    row<one_operand>("stablehlo.bitcast_convert"),
    row<one_operand>("stablehlo.is_finite"),
    row<one_operand>("stablehlo.reshape"),
    row<two_operands>("stablehlo.dynamic_reshape"),
    row<four_operands>("stablehlo.real_dynamic_slice"),
    row<five_operands>("stablehlo.dynamic_pad"),
    row<some_operands>("stablehlo.dynamic_update_slice"),
    row<select_layout>("stablehlo.select"),
    row<complex_layout>("stablehlo.complex"),
    row<tuple_layout>("stablehlo.tuple"),
    row<iota_layout>("stablehlo.iota"),
    row<dynamic_iota_layout>("stablehlo.dynamic_iota"),
    row<broadcast_layout>("stablehlo.broadcast"),
    row<broadcast_in_dim_layout>("stablehlo.broadcast_in_dim"),
    row<dynamic_broadcast_in_dim_layout>("stablehlo.dynamic_broadcast_in_dim"),
    row<transpose_layout>("stablehlo.transpose"),
    row<reverse_layout>("stablehlo.reverse"),
    row<dynamic_slice_layout>("stablehlo.dynamic_slice"),
    row<concatenate_layout>("stablehlo.concatenate"),
    row<pad_layout>("stablehlo.pad"),
    row<get_dimension_size_layout>("stablehlo.get_dimension_size"),
    row<set_dimension_size_layout>("stablehlo.set_dimension_size"),
    row<einsum_layout>("stablehlo.einsum"),
    row<unary_einsum_layout>("stablehlo.unary_einsum"),
    row<fft_layout>("stablehlo.fft"),
    row<rng_layout>("stablehlo.rng"),
    row<rng_bit_generator_layout>("stablehlo.rng_bit_generator"),
});

}  // namespace mpmd::text::mlir::stablehlo
