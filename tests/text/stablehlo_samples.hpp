#pragma once
/// One line of StableHLO per op with a pretty form, as the dialect prints it, and the same op in generic
/// form. All lines stand in a function with the arguments below.

#include <string_view>
#include <vector>

namespace mpmd::text::testing {

struct stablehlo_sample {
  std::string_view pretty;
  std::string_view generic;
};

inline constexpr std::string_view stablehlo_arguments =
    "%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi32>, %arg3: tensor<2x3xf32>, %arg4: "
    "tensor<f32>, "
    "%arg5: tensor<i32>, %arg6: tensor<4xi1>, %arg7: !stablehlo.token, %arg8: tensor<2xi64>, %arg9: "
    "tensor<i1>, "
    "%arg10: tuple<tensor<f32>, tensor<i32>>, %arg11: tensor<4xcomplex<f32>>, %arg12: tensor<2x3x5xf32>, "
    "%arg13: tensor<2x5x7xf32>, %arg14: tensor<1x8x8x3xf32>, %arg15: tensor<3x3x3x16xf32>, %arg16: "
    "tensor<3x3xf32>";

inline std::vector<stablehlo_sample> const& stablehlo_samples() {
  static std::vector<stablehlo_sample> const all{
      // Elementwise: one type when all agree, a functional type otherwise.
      {"%0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>",
       R"(%0 = "stablehlo.add"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)"},
      {R"(%0 = stablehlo.multiply %arg0, %arg1 {note = "x"} : tensor<4xf32>)",
       R"(%0 = "stablehlo.multiply"(%arg0, %arg1) {note = "x"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)"},
      {"%0 = stablehlo.subtract %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>",
       R"(%0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>)"},
      {"%0 = stablehlo.cosine %arg0 : tensor<4xf32>",
       R"(%0 = "stablehlo.cosine"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>)"},
      {"%0 = stablehlo.convert %arg2 : (tensor<4xi32>) -> tensor<4xf32>",
       R"(%0 = "stablehlo.convert"(%arg2) : (tensor<4xi32>) -> tensor<4xf32>)"},
      {"%0 = stablehlo.convert %arg2 : tensor<4xi32>",
       R"(%0 = "stablehlo.convert"(%arg2) : (tensor<4xi32>) -> tensor<4xi32>)"},
      {"%0 = stablehlo.is_finite %arg0 : (tensor<4xf32>) -> tensor<4xi1>",
       R"(%0 = "stablehlo.is_finite"(%arg0) : (tensor<4xf32>) -> tensor<4xi1>)"},
      {"%0 = stablehlo.clamp %arg0, %arg1, %arg0 : tensor<4xf32>",
       R"(%0 = "stablehlo.clamp"(%arg0, %arg1, %arg0) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)"},
      {"%0 = stablehlo.clamp %arg4, %arg1, %arg4 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> "
       "tensor<4xf32>",
       R"(%0 = "stablehlo.clamp"(%arg4, %arg1, %arg4) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>)"},
      {"%0 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = "
       "#stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>",
       "%0 = \"stablehlo.exponential\"(%arg0) <{result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode "
       "= "
       "#stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<4xf32>) -> tensor<4xf32>"},
      {"%0 = stablehlo.complex %arg0, %arg1 : tensor<4xcomplex<f32>>",
       R"(%0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>)"},
      {"%0 = stablehlo.real %arg11 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>",
       R"(%0 = "stablehlo.real"(%arg11) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>)"},
      {"%0 = stablehlo.select %arg6, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>",
       R"(%0 = "stablehlo.select"(%arg6, %arg0, %arg1) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)"},
      {"%0 = stablehlo.select %arg9, %arg0, %arg1 : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> "
       "tensor<?xf32>",
       R"(%0 = "stablehlo.select"(%arg9, %arg0, %arg1) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>)"},
      {"%0 = stablehlo.compare  LT, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>",
       "%0 = \"stablehlo.compare\"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction "
       "LT>}> : "
       "(tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>"},
      {"%0 = stablehlo.compare  EQ, %arg2, %arg2,  SIGNED {a} : (tensor<4xi32>, tensor<4xi32>) -> "
       "tensor<4xi1>",
       "%0 = \"stablehlo.compare\"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type SIGNED>, "
       "comparison_direction = #stablehlo<comparison_direction EQ>}> {a} : "
       "(tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>"},
      {"%0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4xf32>",
       "%0 = \"stablehlo.reduce_precision\"(%arg0) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : "
       "(tensor<4xf32>) -> tensor<4xf32>"},
      {"%0 = stablehlo.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4xi32>",
       R"(%0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4xf32>) -> tensor<4xi32>)"},

      // Constants and sources.
      {"%cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>",
       R"(%0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<4xf32>}> : () -> tensor<4xf32>)"},
      {"%c = stablehlo.constant {a} dense<[1, 2]> : tensor<2xi32>",
       R"(%0 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> {a} : () -> tensor<2xi32>)"},
      {"%c = stablehlo.constant() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<?xi32>",
       R"(%0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<?xi32>)"},
      {"%0 = stablehlo.iota dim = 1 : tensor<2x3xf32>",
       R"(%0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xf32>)"},
      {"%0 = stablehlo.dynamic_iota %arg8, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>",
       R"(%0 = "stablehlo.dynamic_iota"(%arg8) <{iota_dimension = 0 : i64}> : (tensor<2xi64>) -> tensor<?x?xf32>)"},
      {"%0 = stablehlo.partition_id : tensor<ui32>",
       R"(%0 = "stablehlo.partition_id"() : () -> tensor<ui32>)"},
      {"%0 = stablehlo.replica_id {a} : tensor<ui32>",
       R"(%0 = "stablehlo.replica_id"() {a} : () -> tensor<ui32>)"},
      {"%0 = stablehlo.rng %arg4, %arg4, %arg8, distribution =  NORMAL : (tensor<f32>, tensor<f32>, "
       "tensor<2xi64>) -> "
       "tensor<2x3xf32>",
       "%0 = \"stablehlo.rng\"(%arg4, %arg4, %arg8) <{rng_distribution = #stablehlo<rng_distribution "
       "NORMAL>}> : "
       "(tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>"},
      {"%0:2 = stablehlo.rng_bit_generator %arg8, algorithm =  THREE_FRY : (tensor<2xi64>) -> "
       "(tensor<2xi64>, tensor<4xui32>)",
       "%0:2 = \"stablehlo.rng_bit_generator\"(%arg8) <{rng_algorithm = #stablehlo<rng_algorithm "
       "THREE_FRY>}> : "
       "(tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)"},

      // Data movement.
      {"%0 = stablehlo.reshape %arg3 : (tensor<2x3xf32>) -> tensor<6xf32>",
       R"(%0 = "stablehlo.reshape"(%arg3) : (tensor<2x3xf32>) -> tensor<6xf32>)"},
      {"%0 = stablehlo.dynamic_reshape %arg3, %arg8 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>",
       R"(%0 = "stablehlo.dynamic_reshape"(%arg3, %arg8) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>)"},
      {"%0 = stablehlo.broadcast %arg4, sizes = [2, 3] : (tensor<f32>) -> tensor<2x3xf32>",
       "%0 = \"stablehlo.broadcast\"(%arg4) <{broadcast_sizes = array<i64: 2, 3>}> : "
       "(tensor<f32>) -> tensor<2x3xf32>"},
      {"%0 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<4xf32>",
       "%0 = \"stablehlo.broadcast_in_dim\"(%arg4) <{broadcast_dimensions = array<i64>}> : "
       "(tensor<f32>) -> tensor<4xf32>"},
      {"%0 = stablehlo.dynamic_broadcast_in_dim %arg4, %arg8, dims = [] "
       "{known_expanding_dimensions = array<i64: 0>} : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>",
       "%0 = \"stablehlo.dynamic_broadcast_in_dim\"(%arg4, %arg8) <{broadcast_dimensions = array<i64>, "
       "known_expanding_dimensions = array<i64: 0>}> : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>"},
      {"%0 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
       "%0 = \"stablehlo.transpose\"(%arg3) <{permutation = array<i64: 1, 0>}> : "
       "(tensor<2x3xf32>) -> tensor<3x2xf32>"},
      {"%0 = stablehlo.reverse %arg3, dims = [0, 1] : tensor<2x3xf32>",
       "%0 = \"stablehlo.reverse\"(%arg3) <{dimensions = array<i64: 0, 1>}> : (tensor<2x3xf32>) -> "
       "tensor<2x3xf32>"},
      {"%0 = stablehlo.slice %arg3 [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>",
       "%0 = \"stablehlo.slice\"(%arg3) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, "
       "0>, "
       "strides = array<i64: 1, 2>}> : (tensor<2x3xf32>) -> tensor<2x2xf32>"},
      {"%0 = stablehlo.slice %arg4 [] : (tensor<f32>) -> tensor<f32>",
       "%0 = \"stablehlo.slice\"(%arg4) <{limit_indices = array<i64>, start_indices = array<i64>, "
       "strides = array<i64>}> : (tensor<f32>) -> tensor<f32>"},
      {"%0 = stablehlo.dynamic_slice %arg3, %arg5, %arg5, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, "
       "tensor<i32>) -> tensor<1x3xf32>",
       "%0 = \"stablehlo.dynamic_slice\"(%arg3, %arg5, %arg5) <{slice_sizes = array<i64: 1, 3>}> : "
       "(tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>"},
      {"%0 = stablehlo.dynamic_slice %arg4, sizes = [] : (tensor<f32>) -> tensor<f32>",
       "%0 = \"stablehlo.dynamic_slice\"(%arg4) <{slice_sizes = array<i64>}> : (tensor<f32>) -> tensor<f32>"},
      {"%0 = stablehlo.dynamic_update_slice %arg0, %arg0, %arg5 : (tensor<4xf32>, tensor<4xf32>, "
       "tensor<i32>) -> "
       "tensor<4xf32>",
       "%0 = \"stablehlo.dynamic_update_slice\"(%arg0, %arg0, %arg5) : "
       "(tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>"},
      {"%0 = stablehlo.real_dynamic_slice %arg3, %arg8, %arg8, %arg8 : (tensor<2x3xf32>, tensor<2xi64>, "
       "tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>",
       "%0 = \"stablehlo.real_dynamic_slice\"(%arg3, %arg8, %arg8, %arg8) : (tensor<2x3xf32>, tensor<2xi64>, "
       "tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>"},
      {"%0 = stablehlo.concatenate %arg0, %arg1, %arg0, dim = 0 : (tensor<4xf32>, tensor<4xf32>, "
       "tensor<4xf32>) -> "
       "tensor<12xf32>",
       "%0 = \"stablehlo.concatenate\"(%arg0, %arg1, %arg0) <{dimension = 0 : i64}> : "
       "(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>"},
      {"%0 = stablehlo.pad %arg3, %arg4, low = [0, 1], high = [2, -1], interior = [0, 1] : "
       "(tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>",
       "%0 = \"stablehlo.pad\"(%arg3, %arg4) <{edge_padding_high = array<i64: 2, -1>, "
       "edge_padding_low = array<i64: 0, 1>, interior_padding = array<i64: 0, 1>}> : "
       "(tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>"},
      {"%0 = stablehlo.dynamic_pad %arg3, %arg4, %arg8, %arg8, %arg8 : (tensor<2x3xf32>, tensor<f32>, "
       "tensor<2xi64>, "
       "tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>",
       "%0 = \"stablehlo.dynamic_pad\"(%arg3, %arg4, %arg8, %arg8, %arg8) : (tensor<2x3xf32>, tensor<f32>, "
       "tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>"},
      {"%0 = stablehlo.get_dimension_size %arg3, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>",
       R"(%0 = "stablehlo.get_dimension_size"(%arg3) <{dimension = 1 : i64}> : (tensor<2x3xf32>) -> tensor<i32>)"},
      {"%0 = stablehlo.set_dimension_size %arg3, %arg5, dim = 0 : (tensor<2x3xf32>, tensor<i32>) -> "
       "tensor<?x3xf32>",
       "%0 = \"stablehlo.set_dimension_size\"(%arg3, %arg5) <{dimension = 0 : i64}> : "
       "(tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32>"},

      // Products.
      {"%0 = stablehlo.dot %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>",
       R"(%0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>)"},
      {"%0 = stablehlo.dot %arg0, %arg1, precision = [HIGH, DEFAULT] {dot_one} : (tensor<4xf32>, "
       "tensor<4xf32>) -> "
       "tensor<f32>",
       "%0 = \"stablehlo.dot\"(%arg0, %arg1) <{precision_config = [#stablehlo<precision HIGH>, "
       "#stablehlo<precision DEFAULT>]}> {dot_one} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>"},
      {"%0 = stablehlo.dot_general %arg12, %arg13, batching_dims = [0] x [0], contracting_dims = [2] x [1], "
       "precision = [DEFAULT, DEFAULT] : (tensor<2x3x5xf32>, tensor<2x5x7xf32>) -> tensor<2x3x7xf32>",
       "%0 = \"stablehlo.dot_general\"(%arg12, %arg13) <{dot_dimension_numbers = #stablehlo.dot<"
       "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], "
       "rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, "
       "#stablehlo<precision DEFAULT>]}> : (tensor<2x3x5xf32>, tensor<2x5x7xf32>) -> tensor<2x3x7xf32>"},
      {"%0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [] x [] : (tensor<4xf32>, tensor<4xf32>) "
       "-> "
       "tensor<4x4xf32>",
       "%0 = \"stablehlo.dot_general\"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<>}> : "
       "(tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>"},
      {"%0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0], algorithm = "
       "<lhs_precision_type = tf32, "
       "rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = "
       "1, "
       "num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4xf32>, tensor<4xf32>) "
       "-> "
       "tensor<f32>",
       "%0 = \"stablehlo.dot_general\"(%arg0, %arg1) <{algorithm = "
       "#stablehlo.dot_algorithm<lhs_precision_type = tf32, "
       "rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = "
       "1, "
       "num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = "
       "#stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : "
       "(tensor<4xf32>, tensor<4xf32>) -> tensor<f32>"},
      {"%0 = stablehlo.convolution(%arg14, %arg15) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
       "window = "
       "{stride = [2, 2], pad = [[1, 0], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = "
       "[false, true]} "
       "{batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = "
       "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, "
       "tensor<3x3x3x16xf32>) -> tensor<1x4x3x16xf32>",
       "%0 = \"stablehlo.convolution\"(%arg14, %arg15) <{batch_group_count = 1 : i64, dimension_numbers = "
       "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, "
       "lhs_dilation = "
       "array<i64: 1, 1>, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>, precision_config = "
       "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 2>, "
       "window_reversal = array<i1: false, true>, window_strides = array<i64: 2, 2>}> : "
       "(tensor<1x8x8x3xf32>, "
       "tensor<3x3x3x16xf32>) -> tensor<1x4x3x16xf32>"},
      {"%0 = stablehlo.convolution(%arg14, %arg15) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
       "window = {} "
       "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, "
       "tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>",
       "%0 = \"stablehlo.convolution\"(%arg14, %arg15) <{batch_group_count = 1 : i64, dimension_numbers = "
       "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : "
       "(tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>"},
      {"%0 = stablehlo.einsum %arg3, %arg16, config = \"ab,bc->ac\" : (tensor<2x3xf32>, tensor<3x3xf32>) -> "
       "tensor<2x3xf32>",
       "%0 = \"stablehlo.einsum\"(%arg3, %arg16) <{einsum_config = \"ab,bc->ac\"}> : "
       "(tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>"},
      {"%0 = stablehlo.unary_einsum %arg3, config = \"ab->a\" : (tensor<2x3xf32>) -> tensor<2xf32>",
       "%0 = \"stablehlo.unary_einsum\"(%arg3) <{einsum_config = \"ab->a\"}> : (tensor<2x3xf32>) -> "
       "tensor<2xf32>"},
      {"%0 = stablehlo.fft %arg11, type =  FFT, length = [4] : (tensor<4xcomplex<f32>>) -> "
       "tensor<4xcomplex<f32>>",
       "%0 = \"stablehlo.fft\"(%arg11) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type FFT>}> : "
       "(tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>"},
      {"%0 = stablehlo.cholesky %arg16, lower = true : tensor<3x3xf32>",
       R"(%0 = "stablehlo.cholesky"(%arg16) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf32>)"},
      {"%0 = stablehlo.cholesky %arg16, lower = false : tensor<3x3xf32>",
       R"(%0 = "stablehlo.cholesky"(%arg16) : (tensor<3x3xf32>) -> tensor<3x3xf32>)"},

      // Tokens, tuples and calls.
      {"%0 = stablehlo.create_token : !stablehlo.token",
       R"(%0 = "stablehlo.create_token"() : () -> !stablehlo.token)"},
      {"%0 = stablehlo.after_all %arg7, %arg7 : !stablehlo.token",
       R"(%0 = "stablehlo.after_all"(%arg7, %arg7) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token)"},
      {"%0 = stablehlo.after_all  : !stablehlo.token",
       R"(%0 = "stablehlo.after_all"() : () -> !stablehlo.token)"},
      {"%0 = stablehlo.tuple %arg4, %arg5 : tuple<tensor<f32>, tensor<i32>>",
       R"(%0 = "stablehlo.tuple"(%arg4, %arg5) : (tensor<f32>, tensor<i32>) -> tuple<tensor<f32>, tensor<i32>>)"},
      {"%0 = stablehlo.get_tuple_element %arg10[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>",
       "%0 = \"stablehlo.get_tuple_element\"(%arg10) <{index = 1 : i32}> : "
       "(tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>"},
      {"%0:2 = stablehlo.optimization_barrier {a} %arg0, %arg2 : tensor<4xf32>, tensor<4xi32>",
       "%0:2 = \"stablehlo.optimization_barrier\"(%arg0, %arg2) {a} : (tensor<4xf32>, tensor<4xi32>) -> "
       "(tensor<4xf32>, tensor<4xi32>)"},
      {"stablehlo.optimization_barrier()", R"("stablehlo.optimization_barrier"() : () -> ())"},
      {"%0 = stablehlo.custom_call @foo(%arg0) : (tensor<4xf32>) -> tensor<4xf32>",
       R"(%0 = "stablehlo.custom_call"(%arg0) <{call_target_name = "foo"}> : (tensor<4xf32>) -> tensor<4xf32>)"},
      {"%0 = stablehlo.custom_call @foo(%arg0) : (tensor<4xf32>) -> tensor<4xf32>",
       "%0 = \"stablehlo.custom_call\"(%arg0) <{api_version = 1 : i32, call_target_name = \"foo\", "
       "called_computations "
       "= [], has_side_effect = false, output_operand_aliases = []}> : (tensor<4xf32>) -> tensor<4xf32>"},
      {"%0:2 = stablehlo.custom_call @\"a b\"(%arg0, %arg1) {api_version = 2 : i32, backend_config = \"\", "
       "called_computations = [@g], has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> "
       "(tensor<4xf32>, "
       "tensor<4xf32>)",
       "%0:2 = \"stablehlo.custom_call\"(%arg0, %arg1) <{api_version = 2 : i32, backend_config = \"\", "
       "call_target_name = \"a b\", called_computations = [@g], has_side_effect = true}> : "
       "(tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)"},
      {"stablehlo.custom_call @effect() {has_side_effect = true} : () -> ()",
       R"("stablehlo.custom_call"() <{call_target_name = "effect", has_side_effect = true}> : () -> ())"},
      {"%0 = stablehlo.composite \"my.op\" %arg0, %arg1 {composite_attributes = {n = 1 : i64}, decomposition "
       "= @g, "
       "version = 3 : i32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
       "%0 = \"stablehlo.composite\"(%arg0, %arg1) <{composite_attributes = {n = 1 : i64}, decomposition = "
       "@g, "
       "name = \"my.op\", version = 3 : i32}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"},
      {"%0 = stablehlo.composite \"my.op\" %arg0 {decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>",
       "%0 = \"stablehlo.composite\"(%arg0) <{composite_attributes = {}, decomposition = @g, "
       "name = \"my.op\", version = 0 : i32}> : (tensor<4xf32>) -> tensor<4xf32>"},
  };
  return all;
}

}  // namespace mpmd::text::testing
