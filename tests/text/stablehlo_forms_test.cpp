#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "text/pretty_forms.hpp"
#include "text/stablehlo_samples.hpp"

namespace stablehlo_forms_test {

using namespace mpmd;
using namespace mpmd::text::testing;

TEST_CASE("each StableHLO op prints as the dialect prints it, and reads back the same from both forms") {
  for (auto const& [pretty, generic] : stablehlo_samples()) {
    std::string const text = in_function(stablehlo_arguments, pretty);
    check_print(text);
    CAPTURE(generic);
    ir::program const from_pretty = good(text);
    ir::program const from_generic = good(in_function(stablehlo_arguments, generic));
    CHECK(ir::structural_equal(from_pretty, from_generic));
    CHECK(text::to_mlir(from_generic) == text);
  }
}

TEST_CASE("every StableHLO op that is elementwise has the short form") {
  for (std::string_view const name : {"abs",
                                      "cbrt",
                                      "ceil",
                                      "convert",
                                      "cosine",
                                      "count_leading_zeros",
                                      "exponential",
                                      "exponential_minus_one",
                                      "floor",
                                      "imag",
                                      "log",
                                      "log_plus_one",
                                      "logistic",
                                      "negate",
                                      "not",
                                      "popcnt",
                                      "real",
                                      "round_nearest_afz",
                                      "round_nearest_even",
                                      "rsqrt",
                                      "sign",
                                      "sine",
                                      "sqrt",
                                      "tan",
                                      "tanh",
                                      "uniform_dequantize",
                                      "uniform_quantize"})
    check_print(in_function("%arg0: tensor<4xf32>",
                            "%0 = stablehlo." + std::string(name) + " %arg0 : tensor<4xf32>"));
  for (std::string_view const name :
       {"add", "and", "atan2", "divide", "maximum", "minimum", "multiply", "or", "power", "remainder",
        "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor"})
    check_print(in_function("%arg0: tensor<4xi32>",
                            "%0 = stablehlo." + std::string(name) + " %arg0, %arg0 : tensor<4xi32>"));
}

TEST_CASE("white space and optional parts of StableHLO forms are free on input") {
  auto same = [](std::string_view written, std::string_view printed) {
    CAPTURE(written);
    CHECK(text::to_mlir(good(in_function(stablehlo_arguments, written))) ==
          in_function(stablehlo_arguments, printed));
  };
  same("%x = stablehlo.compare EQ,%arg2,%arg2,SIGNED:(tensor<4xi32>,tensor<4xi32>)->tensor<4xi1>",
       "%0 = stablehlo.compare  EQ, %arg2, %arg2,  SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>");
  same("%x = stablehlo.slice %arg0[ 0 : 4 : 1 ]: (tensor<4xf32>) -> tensor<4xf32>",
       "%0 = stablehlo.slice %arg0 [0:4] : (tensor<4xf32>) -> tensor<4xf32>");
  same(
      "%x = stablehlo.dot_general "
      "%arg0,%arg1,contracting_dims=[0]x[0]:(tensor<4xf32>,tensor<4xf32>)->tensor<f32>",
      "%0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<4xf32>, "
      "tensor<4xf32>) -> "
      "tensor<f32>");
  same("%x = stablehlo.add %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
       "%0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>");
  same(
      "%x = stablehlo.select %arg6, %arg0, %arg1 : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> "
      "tensor<4xf32>",
      "%0 = stablehlo.select %arg6, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>");
  same(
      "%x = stablehlo.convolution(%arg14, %arg15)\n dim_numbers = [b,0,1,f]x[0,1,i,o]->[b,0,1,f],\n window = "
      "{reverse = [1, 0], stride=[1,1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
      "(tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>",
      "%0 = stablehlo.convolution(%arg14, %arg15) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
      "window = "
      "{stride = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : "
      "i64} : "
      "(tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>");
}

TEST_CASE(
    "lists of integers that older versions wrote as elements become arrays where an op has a pretty form") {
  auto same = [](std::string_view written, std::string_view printed) {
    CAPTURE(written);
    CHECK(text::to_mlir(good(in_function(stablehlo_arguments, written))) ==
          in_function(stablehlo_arguments, printed));
  };
  same(
      "%0 = \"stablehlo.slice\"(%arg3) {limit_indices = dense<[2, 3]> : tensor<2xi64>, start_indices = "
      "dense<0> : "
      "tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
      "%0 = stablehlo.slice %arg3 [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>");
  same(
      "%0 = \"stablehlo.broadcast_in_dim\"(%arg4) {broadcast_dimensions = dense<> : tensor<0xi64>} : "
      "(tensor<f32>) -> tensor<4xf32>",
      "%0 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<4xf32>");
  same(
      "%0 = \"stablehlo.convolution\"(%arg14, %arg15) {batch_group_count = 1 : i64, dimension_numbers = "
      "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = "
      "dense<1> : "
      "tensor<2x2xi64>, window_reversal = dense<[true, false]> : tensor<2xi1>} : (tensor<1x8x8x3xf32>, "
      "tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32>",
      "%0 = stablehlo.convolution(%arg14, %arg15) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
      "window = "
      "{pad = [[1, 1], [1, 1]], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = "
      "1 : "
      "i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32>");
  // An op that is always generic keeps what it has.
  check_print(in_function(
      "%arg0: tensor<4xf32>, %arg1: tensor<1xi32>",
      "%0 = \"stablehlo.gather\"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<"
      "collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes "
      "= dense<1> : tensor<1xi64>}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<f32>"));
}

TEST_CASE("attributes that a StableHLO form takes apart have one representation, however they are spelled") {
  auto equal = [](std::string_view a, std::string_view b) {
    CAPTURE(a);
    CHECK(ir::structural_equal(good(in_function(stablehlo_arguments, a)),
                               good(in_function(stablehlo_arguments, b))));
  };
  equal(
      "%0 = \"stablehlo.dot_general\"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<"
      "rhs_contracting_dimensions=[0],lhs_contracting_dimensions=[0]>} : (tensor<4xf32>, tensor<4xf32>) -> "
      "tensor<f32>",
      "%0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<4xf32>, "
      "tensor<4xf32>) -> "
      "tensor<f32>");
  equal(
      "%0 = \"stablehlo.dot_general\"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo<dot<"
      "lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_batching_dimensions = []>>} : "
      "(tensor<4xf32>, tensor<4xf32>) -> tensor<f32>",
      "%0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<4xf32>, "
      "tensor<4xf32>) -> "
      "tensor<f32>");
  equal(
      "%0 = \"stablehlo.exponential\"(%arg0) <{result_accuracy = #stablehlo.result_accuracy<mode = "
      "#stablehlo.result_accuracy_mode<DEFAULT>>}> : (tensor<4xf32>) -> tensor<4xf32>",
      "%0 = stablehlo.exponential %arg0 : tensor<4xf32>");
}

TEST_CASE("a StableHLO op that its pretty form cannot spell prints generically") {
  auto generic = [](std::string_view line) { check_print(in_function(stablehlo_arguments, line)); };
  generic(R"(%0 = "stablehlo.add"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>)");
  generic(R"(%0:2 = "stablehlo.abs"(%arg0) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>))");
  generic(R"(%0 = "stablehlo.transpose"(%arg3) : (tensor<2x3xf32>) -> tensor<3x2xf32>)");
  generic(
      "%0 = \"stablehlo.transpose\"(%arg3) <{permutation = \"swap\"}> : (tensor<2x3xf32>) -> "
      "tensor<3x2xf32>");
  generic(
      "%0 = \"stablehlo.compare\"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction "
      "UP>}> : "
      "(tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>");
  generic(
      "%0 = \"stablehlo.slice\"(%arg0) <{limit_indices = array<i64: 4, 4>, start_indices = array<i64: 0>, "
      "strides "
      "= array<i64: 1>}> : (tensor<4xf32>) -> tensor<4xf32>");
  generic(
      "%0 = \"stablehlo.dot_general\"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<unknown = "
      "[0]>}> : "
      "(tensor<4xf32>, tensor<4xf32>) -> tensor<f32>");
  generic("%0 = \"stablehlo.iota\"() <{iota_dimension = 1 : i32}> : () -> tensor<2x3xf32>");
  generic(R"(%c = "stablehlo.constant"() : () -> tensor<2xi32>)");
  generic(R"("stablehlo.custom_call"() : () -> ())");
  generic(
      "%0 = \"stablehlo.get_tuple_element\"(%arg10) <{index = 0 : i64}> : (tuple<tensor<f32>, tensor<i32>>) "
      "-> "
      "tensor<f32>");
  generic(R"(%0 = "stablehlo.optimization_barrier"(%arg0) : (tensor<4xf32>) -> tensor<?xf32>)");
}

TEST_CASE(
    "an op whose attributes stand in the wrong place prints generically, as a pretty form cannot tell") {
  ir::program in = good(in_function(stablehlo_arguments, "%0 = stablehlo.iota dim = 0 : tensor<4xf32>"));
  ir::op const iota = find(in, "stablehlo.iota");
  in.set_attributes(iota, in.context().with({}, "iota_dimension", in.context().integer_value(1)));
  CHECK(text::to_mlir(in).find(
            "\"stablehlo.iota\"() <{iota_dimension = 0 : i64}> {iota_dimension = 1 : i64} : ()") !=
        std::string::npos);
}

TEST_CASE("an attribute that a StableHLO op does not know is a discardable one wherever it was written") {
  ir::program const read = good(in_function(
      stablehlo_arguments,
      R"(%0 = "stablehlo.abs"(%arg0) <{unheard_of = 1 : i64}> : (tensor<4xf32>) -> tensor<4xf32>)"));
  CHECK(text::to_mlir(read) == in_function(stablehlo_arguments,
                                           "%0 = stablehlo.abs %arg0 {unheard_of = 1 : i64} : tensor<4xf32>"));
}

TEST_CASE("StableHLO constants are named after what they hold") {
  check_print(in_function("",
                          "%c = stablehlo.constant dense<1> : tensor<i32>\n"
                          "    %c_0 = stablehlo.constant dense<true> : tensor<i1>\n"
                          "    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>\n"
                          "    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : "
                          "tensor<complex<f32>>"));
}

TEST_CASE("errors in StableHLO forms say what is expected, where it is missing") {
  auto error = [](std::string_view line) { return errors_of(in_function(stablehlo_arguments, line)); };
  CHECK(error("%0 = stablehlo.add %arg0 : tensor<4xf32>") == "3:29: expected ','");
  CHECK(error("%0 = stablehlo.add %arg0, %arg1, %arg0 : tensor<4xf32>") == "3:36: expected ':'");
  CHECK(error("%0 = stablehlo.add %arg0, %arg1 : tensor<5xf32>") ==
        "3:24: use of value '%arg0' expects different type than prior uses: 'tensor<5xf32>' vs "
        "'tensor<4xf32>'");
  CHECK(error("%0 = stablehlo.add %arg0, %arg1 : (tensor<4xf32>) -> tensor<4xf32>") ==
        "3:24: custom op 'stablehlo.add' 2 operands present, but expected 1");
  CHECK(error("%0 = stablehlo.iota dims = 0 : tensor<4xf32>") == "3:24: expected 'dim'");
  CHECK(error("%0 = stablehlo.reshape %arg0 : tensor<4xf32>") ==
        "3:36: custom op 'stablehlo.reshape' expects a functional type");
  CHECK(error("%0 = stablehlo.select %arg6, %arg0, %arg1 : tensor<4xf32>") ==
        "3:49: custom op 'stablehlo.select' expects a functional type or a list of two types");
  CHECK(error("%0 = stablehlo.complex %arg0, %arg1 : tensor<4xf32>") ==
        "3:43: custom op 'stablehlo.complex' expects a tensor with complex elements");
  CHECK(error("%0 = stablehlo.tuple %arg4, %arg5 : tensor<4xf32>") ==
        "3:41: custom op 'stablehlo.tuple' expects a tuple type");
  CHECK(error("%0 = stablehlo.compare UP, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>") ==
        "3:28: custom op 'stablehlo.compare' expects comparison_direction to be one of: EQ, NE, GE, GT, LE, "
        "LT");
  CHECK(error("%0 = stablehlo.dot %arg0, %arg1, precision = [BEST] : (tensor<4xf32>, tensor<4xf32>) -> "
              "tensor<f32>") ==
        "3:51: custom op 'stablehlo.dot' expects precision to be one of: DEFAULT, HIGH, HIGHEST");
  CHECK(error("%0 = stablehlo.reduce_precision %arg0, format = m5e10 : tensor<4xf32>") ==
        "3:53: custom op 'stablehlo.reduce_precision' expects a format like e5m10");
  CHECK(error("%0 = stablehlo.constant 1 : i32") ==
        "3:29: custom op 'stablehlo.constant' expects elements and their type: dense<...> : T");
  CHECK(error("%0 = stablehlo.concatenate dim = 0 : () -> tensor<4xf32>") ==
        "3:32: custom op 'stablehlo.concatenate' expects at least one operand");
  CHECK(error("%0 = stablehlo.dynamic_update_slice %arg0, : (tensor<4xf32>) -> tensor<4xf32>") ==
        "3:48: custom op 'stablehlo.dynamic_update_slice' expects an operand behind ','");
  std::string const convolution = "%0 = stablehlo.convolution(%arg14, %arg15) dim_numbers = ";
  std::string const rest = " : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>";
  CHECK(error(convolution + "[b, 0, 1, b]x[0, 1, i, o]->[b, 0, 1, f], window = {}" + rest) ==
        "3:72: custom op 'stablehlo.convolution' expects dimension numbers like [b, 0, 1, f]x[0, 1, i, o]->"
        "[b, 0, 1, f]");
  std::string const dimensions = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = ";
  CHECK(error(convolution + dimensions + "{pad = [[0]]}" + rest) ==
        "3:120: custom op 'stablehlo.convolution' expects padding as pairs: [low, high]");
  CHECK(error(convolution + dimensions + "{stride = [1, 1], stride = [1, 1]}" + rest) ==
        "3:130: custom op 'stablehlo.convolution' gives 'stride' twice");
  CHECK(
      error(convolution + dimensions + "{strides = [1, 1]}" + rest) ==
      "3:113: custom op 'stablehlo.convolution' expects one of stride, pad, lhs_dilate, rhs_dilate, reverse");
  CHECK(
      error(
          "%0 = stablehlo.get_tuple_element %arg10[-1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>") ==
      "3:45: custom op 'stablehlo.get_tuple_element' expects the index of an element");
  CHECK(error("%0 = stablehlo.gather %arg0 : tensor<4xf32>") ==
        "3:10: custom op 'stablehlo.gather' has no custom assembly form");
  CHECK(error("%0 = stablehlo.ad %arg0, %arg1 : tensor<4xf32>") ==
        "3:10: custom op 'stablehlo.ad' is unknown");
}

TEST_CASE("a StableHLO text that ends early is an error at every byte") {
  std::string body;
  for (auto const& sample : stablehlo_samples()) {
    if (!body.empty()) body += "\n    ";
    // Each name once: `%0 =` becomes `%v12 =`, `%0:2 =` becomes `%v12:2 =`.
    std::string_view line = sample.pretty;
    if (line[0] == '%') {
      line.remove_prefix(line.find_first_of(" :"));
      body += "%v" + std::to_string(body.size());
    }
    body += line;
  }
  std::string const text = in_function(stablehlo_arguments, body);
  good(text);
  std::size_t const stride = text.size() / 2500 + 1;  // each read is linear, so all prefixes are quadratic
  for (std::size_t size = 0; size + 1 < text.rfind('}') + 1; ++size) {
    bool const near_an_edge = size % stride == 0;
    if (!near_an_edge) continue;
    CHECK(is_bad(text.substr(0, size)) == (size != 0));
  }
  // Every byte of every line, alone.
  for (auto const& sample : stablehlo_samples()) {
    std::string const one = in_function(stablehlo_arguments, sample.pretty);
    std::size_t const from = one.find("stablehlo.", one.find("{\n"));
    for (std::size_t size = from; size < one.find('\n', from); ++size) {
      CHECK(is_bad(one.substr(0, size)));
    }
  }
}

}  // namespace stablehlo_forms_test
