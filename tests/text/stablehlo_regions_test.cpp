#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "text/pretty_forms.hpp"

namespace stablehlo_regions_test {

using namespace mpmd;
using namespace mpmd::text::testing;

namespace {

constexpr std::string_view args =
    "%arg0: tensor<4x8xf32>, %arg1: tensor<f32>, %arg2: tensor<4x8xi32>, %arg3: tensor<i32>";

constexpr std::string_view long_reduce =
    "%0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0, 1] {a} : (tensor<4x8xf32>, "
    "tensor<f32>) -> "
    "tensor<f32>\n"
    "     reducer(%arg4: tensor<f32>, %arg5: tensor<f32>)  {\n"
    "      %1 = stablehlo.subtract %arg4, %arg5 : tensor<f32>\n"
    "      stablehlo.return %1 : tensor<f32>\n"
    "    }";

constexpr std::string_view wide_reduce =
    "%0:2 = stablehlo.reduce(%arg0 init: %arg1), (%arg2 init: %arg3) across dimensions = [1] : "
    "(tensor<4x8xf32>, "
    "tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)\n"
    "     reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>)  {\n"
    "      stablehlo.return %arg6, %arg5 : tensor<f32>, tensor<i32>\n"
    "    }";

constexpr std::string_view loop =
    "%0:2 = stablehlo.while(%iterArg = %arg3, %iterArg_0 = %arg1) : tensor<i32>, tensor<f32> attributes "
    "{note = "
    "\"loop\"}\n"
    "     cond {\n"
    "      %1 = stablehlo.compare  LT, %iterArg, %arg3 : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "      stablehlo.return %1 : tensor<i1>\n"
    "    } do {\n"
    "      %1 = stablehlo.add %iterArg, %iterArg : tensor<i32>\n"
    "      stablehlo.return %1, %iterArg_0 : tensor<i32>, tensor<f32>\n"
    "    }";

ir::block body_of(ir::program const& in, ir::op o, std::size_t region = 0) {
  return in.first_block(in.regions(o)[region]);
}

}  // namespace

TEST_CASE("a reduce that applies one commutative op prints on one line") {
  for (std::string_view const name : {"add", "and", "maximum", "minimum", "multiply", "or", "xor"})
    check_print(in_function(args, "%0 = stablehlo.reduce(%arg2 init: %arg3) applies stablehlo." +
                                      std::string(name) +
                                      " across dimensions = [1] {a} : (tensor<4x8xi32>, tensor<i32>) -> "
                                      "tensor<4xi32>"));
}

TEST_CASE("the one-line reduce has the region that it stands for") {
  ir::program const in = good(
      in_function(args,
                  "%0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = "
                  "[0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>"));
  ir::op const reduce = find(in, "stablehlo.reduce");
  ir::block const body = body_of(in, reduce);
  REQUIRE(in.arguments(body).size() == 2);
  ir::type const scalar = in.context().tensor({}, in.context().floating("f32"));
  CHECK(in.type_of(in.argument(body, 0)) == scalar);
  CHECK(in.type_of(in.argument(body, 1)) == scalar);
  ir::op const inner = in.first_op(body);
  CHECK(in.kind_text(inner) == "stablehlo.maximum");
  CHECK(in.operand(inner, 0) == in.argument(body, 0));
  CHECK(in.operand(inner, 1) == in.argument(body, 1));
  ir::op const end = in.next_op(inner);
  CHECK(in.is(end, ir::opcode::stablehlo_return));
  CHECK(in.operand(end, 0) == in.result(inner, 0));
  CHECK(in.operand(reduce, 0) != in.operand(reduce, 1));
}

TEST_CASE("a reduce whose region says more than one op prints its region") {
  check_print(in_function(args, long_reduce));
  check_print(in_function(args, wide_reduce));
  auto with_body = [](std::string_view first, std::string_view last) {
    return in_function(args,
                       "%0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : "
                       "(tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>\n"
                       "     reducer(%arg4: tensor<f32>, %arg5: tensor<f32>)  {\n"
                       "      %1 = " +
                           std::string(first) + "\n      stablehlo.return " + std::string(last) + "\n    }");
  };
  // Operands swapped, an attribute that would get lost, another value returned.
  check_print(with_body("stablehlo.add %arg5, %arg4 : tensor<f32>", "%1 : tensor<f32>"));
  check_print(with_body("stablehlo.add %arg4, %arg5 {mpmd.reduce} : tensor<f32>", "%1 : tensor<f32>"));
  check_print(with_body("stablehlo.add %arg4, %arg5 : tensor<f32>", "%1 {last} : tensor<f32>"));
  check_print(with_body("stablehlo.add %arg4, %arg5 : tensor<f32>", "%arg4 : tensor<f32>"));
  check_print(with_body("stablehlo.add %arg4, %arg1 : tensor<f32>", "%1 : tensor<f32>"));
}

TEST_CASE("the arguments of a wide reduce are all first elements, then all second ones") {
  ir::program const in = good(in_function(args, wide_reduce));
  ir::block const body = body_of(in, find(in, "stablehlo.reduce"));
  REQUIRE(in.arguments(body).size() == 4);
  ir::type const real = in.context().tensor({}, in.context().floating("f32"));
  ir::type const whole = in.context().tensor({}, in.context().integer(32));
  ir::type const expected[] = {real, whole, real, whole};
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(in.type_of(in.argument(body, i)) == expected[i]);
  ir::op const end = in.last_op(body);
  CHECK(in.operand(end, 0) == in.argument(body, 2));
  CHECK(in.operand(end, 1) == in.argument(body, 1));
}

TEST_CASE("a reduce equals its generic spelling") {
  std::string const generic = in_function(args, R"(%0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) {dimensions = dense<[0, 1]> : tensor<2xi64>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>)");
  CHECK(text::to_mlir(good(generic)) ==
        in_function(args,
                    "%0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = "
                    "[0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>"));
}

TEST_CASE("a while prints its arguments as iterArg in both regions") {
  check_print(in_function(args, loop));
  check_print(in_function("",
                          "stablehlo.while()\n"
                          "     cond {\n"
                          "      %c = stablehlo.constant dense<false> : tensor<i1>\n"
                          "      stablehlo.return %c : tensor<i1>\n"
                          "    } do {\n"
                          "      stablehlo.return\n"
                          "    }"));
}

TEST_CASE("both regions of a while have arguments of the carried types") {
  ir::program const in = good(in_function(args, loop));
  ir::op const o = find(in, "stablehlo.while");
  REQUIRE(in.regions(o).size() == 2);
  for (std::size_t r = 0; r < 2; ++r) {
    REQUIRE(in.arguments(body_of(in, o, r)).size() == 2);
    for (std::uint32_t i = 0; i < 2; ++i)
      CHECK(in.type_of(in.argument(body_of(in, o, r), i)) == in.type_of(in.operand(o, i)));
  }
  CHECK(in.operand(in.last_op(body_of(in, o, 1)), 1) == in.argument(body_of(in, o, 1), 1));
}

TEST_CASE("ops without a pretty form of their own keep their regions in generic form") {
  check_print(in_function(args, R"(%0 = "stablehlo.case"(%arg3) ({
      stablehlo.return %arg1 : tensor<f32>
    }, {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      stablehlo.return %cst : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>)"));
  check_print(
      in_function(args, R"(%0:2 = "stablehlo.sort"(%arg0, %arg2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<i32>, %arg7: tensor<i32>):
      %1 = stablehlo.compare  LT, %arg4, %arg5,  TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>))"));
}

TEST_CASE("ops with regions that their pretty form cannot spell print generically") {
  check_print(in_function(args, R"(%0 = "stablehlo.while"(%arg1) ({
    ^bb0(%iterArg: tensor<f32>, %iterArg_0: tensor<f32>):
      stablehlo.return
    }, {
    }) : (tensor<f32>) -> tensor<f32>)"));
  check_print(in_function(args,
                          "%0 = \"stablehlo.reduce\"(%arg0, %arg1) <{dimensions = array<i64: 0>}> ({\n"
                          "    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>"));
}

TEST_CASE("errors in reduce and while say what is expected, where it is missing") {
  auto error = [](std::string_view line) { return errors_of(in_function(args, line)); };
  std::string const type = " : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>";
  CHECK(error("%0 = stablehlo.reduce(%arg0, %arg1) applies stablehlo.add across dimensions = [0]" + type) ==
        "3:32: expected 'init'");
  CHECK(error("%0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.subtract across dimensions = [0]" +
              type) ==
        "3:54: custom op 'stablehlo.reduce' expects a commutative binary op of the dialect stablehlo that "
        "has no "
        "region");
  CHECK(error("%0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across = [0]" + type) ==
        "3:74: expected 'dimensions'");
  CHECK(error("%0:2 = stablehlo.reduce(%arg0 init: %arg1), (%arg2 init: %arg3) applies stablehlo.add across "
              "dimensions "
              "= [1] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, "
              "tensor<4xi32>)") ==
        "3:28: custom op 'stablehlo.reduce' can apply an op to one operand and its initial value only");
  CHECK(error("%0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0]" + type +
              " reducer(%a: tensor<f32>) { stablehlo.return %a : tensor<f32> }") ==
        "3:127: custom op 'stablehlo.reduce' expects two arguments for each operand");
  CHECK(error("%0 = stablehlo.while(%i = %arg3) : tensor<f32> cond { } do { }") ==
        "3:31: use of value '%arg3' expects different type than prior uses: 'tensor<f32>' vs 'tensor<i32>'");
  CHECK(error("%0 = stablehlo.while(%i = %arg3) : tensor<i32>, tensor<f32> cond { } do { }") ==
        "3:25: custom op 'stablehlo.while' 1 operands present, but expected 2");
  CHECK(error("%0 = stablehlo.while(%i = %arg3) : tensor<i32> do { }") == "3:51: expected 'cond'");
  CHECK(error("%0 = stablehlo.while(%arg3) : tensor<i32> cond { } do { }") == "3:31: expected '='");
}

TEST_CASE("a region op that ends early is an error at every byte") {
  for (std::string_view const sample : {long_reduce, wide_reduce, loop}) {
    std::string const text = in_function(args, sample);
    for (std::size_t size = text.find("stablehlo."); size < text.rfind('}'); ++size) {
      CHECK(is_bad(text.substr(0, size)));
    }
  }
}

TEST_CASE("loops and reductions nest as deep as the text likes") {
  constexpr int depth = 50000;
  std::string text = "func.func @f(%x: tensor<i32>) {\n";
  for (int i = 0; i < depth; ++i) {
    std::string const name = "%a" + std::to_string(i);
    text +=
        "%r" + std::to_string(i) + " = stablehlo.while(" + name + " = %x) : tensor<i32>\n cond {\n} do {\n";
  }
  for (int i = 0; i < depth; ++i) text += "}\n";
  text += "return\n}\n";
  ir::program const in = good(text);
  ir::op o = find(in, "stablehlo.while");
  int found = 0;
  for (; o; ++found) o = in.first_op(body_of(in, o, 1));
  CHECK(found == depth);
}

}  // namespace stablehlo_regions_test
