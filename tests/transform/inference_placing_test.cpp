// What mesh inference places before it rewrites: -mpmd-infer-mesh-assign-using-input-output-constraints,
// -mpmd-infer-mesh-convert-reduce-ops and -mpmd-infer-mesh-assign-mesh-func-leaves.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/pipeline/placement_options.hpp>
#include <mpmd/transform/assign_mesh_func_leaves.hpp>
#include <mpmd/transform/assign_using_input_output_constraints.hpp>
#include <mpmd/transform/convert_reduce_ops.hpp>

#include "transform/inference_program.hpp"

namespace inference_placing_test {

// A minimal program on which an earlier pass can have noted reductions.
struct noted_program : mpmd::archetypes::mutable_program {};

}  // namespace inference_placing_test

template <>
struct mpmd::ir_traits<inference_placing_test::noted_program> : ir_traits<archetypes::mutable_program> {
  using program = inference_placing_test::noted_program;
  static reduction_op<op> reduction_of(program const&, op) { return {}; }
  static reduction_kind reduction_annotation(program const&, op) { return {}; }
};

namespace inference_placing_test {
namespace {

using testing::check_body;
using testing::has;
using testing::line_with;
using testing::run_on;
using constraints = mpmd::assign_using_input_output_constraints;
using convert = mpmd::convert_reduce_ops;
using leaves = mpmd::assign_mesh_func_leaves;
constexpr convert all{.infer_cross_mesh_reductions = true};
constexpr leaves with_transfers{.infer_transfers = true};
constraints pairs(std::vector<mpmd::io_constraint> which, bool verbose = false) { return {std::move(which), verbose}; }

// The mesh on which output and input 0 end up under the constraint 0:0; empty if they are left as they are.
std::string constrained(std::string_view argument, std::string_view op, std::string_view result = "$T") {
  std::string const text = "func.func @main(%x: " + std::string(argument) + ") -> " + std::string(result) +
                           " attributes $M {\n" + std::string(op) + "\n  return %r : " + std::string(result) + "\n}";
  auto const after = run_on(text, pairs({{0, 0}}));
  CHECK(after.good);
  mpmd::diagnostics diags;
  CHECK(mpmd::ir::verify(after.program, diags));
  auto const mesh = [&](mpmd::ir::value v) {
    return std::string(mpmd::ir_traits<mpmd::ir::program>::mesh_of(after.program, v));
  };
  auto const in = mesh(testing::argument(after.program, 0));
  auto const out = mesh(after.program.operand(testing::find(after.program, "func.return"), 0));
  if (in != out) return in + "->" + out;
  return in;
}

}  // namespace

// Input and output constraints.

TEST_CASE("a constraint places both ends where both are used, or else where the output can be") {
  // The mesh of an output that has one.
  CHECK_EQ(constrained("$T {USE(\"a\")}", "%r = mpmd.assign %x : ($T) -> $B", "$B"), "b");
  CHECK_EQ(constrained("$B", "%u = mpmd.unassign %x : ($B) -> $T\n%r = mpmd.assign %u : ($T) -> $B", "$B"), "b");
  CHECK_EQ(constrained("$A", "%u = mpmd.unassign %x : ($A) -> $T\n%r = mpmd.assign %u : ($T) -> $B", "$B"), "a->b");
  // An input that is not used: where the output is, then where it can be, then nowhere.
  CHECK_EQ(constrained("$T", "%r = stablehlo.negate %x {USE(\"c\", \"b\"), SRC(\"a\")} : $T"), "b");
  CHECK_EQ(constrained("$T", "%r = stablehlo.negate %x {SRC(\"c\", \"b\")} : $T"), "b");
  CHECK_EQ(constrained("$T", "%r = stablehlo.negate %x {SRC()} : $T"), "");
  CHECK_EQ(constrained("$T", "%r = stablehlo.negate %x : $T"), "");
  // Used on both sides, even against where the output can be.
  CHECK_EQ(constrained("$T {USE(\"b\", \"c\")}", "%r = stablehlo.negate %x {USE(\"c\"), SRC(\"b\")} : $T"), "c");
  // No common use: where the input is used and the output can be.
  CHECK_EQ(constrained("$T {USE(\"c\", \"b\")}", "%r = stablehlo.negate %x {USE(\"a\"), SRC(\"b\", \"a\")} : $T"), "b");
  CHECK_EQ(constrained("$T {USE(\"c\", \"b\")}", "%r = stablehlo.negate %x : $T"), "b");
  CHECK_EQ(constrained("$T {USE(\"c\")}", "%r = stablehlo.negate %x {SRC(\"a\")} : $T"), "");
  // An input that is on a mesh counts as used there.
  CHECK_EQ(constrained("$B", "%u = mpmd.unassign %x : ($B) -> $T\n%r = stablehlo.negate %u : $T"), "b");
  CHECK_EQ(constrained("$B", "%u = mpmd.unassign %x : ($B) -> $T\n%r = stablehlo.negate %u {USE(\"b\"), SRC(\"a\")} : $T"),
           "b");
  CHECK_EQ(constrained("$B", "%u = mpmd.unassign %x : ($B) -> $T\n%r = stablehlo.negate %u {SRC(\"a\")} : $T"), "b->");
}

TEST_CASE("the input is unassigned for all its uses, the output assigned before the return") {
  check_body(R"(
    func.func @main(%x: $T {USE("b", "a")}) -> ($T, $T) attributes $M {
      %r = stablehlo.add %x, %x {SRC("a")} : $T
      return %r, %x : $T, $T
    })",
             R"(
      %0 = mpmd.unassign {origin = "io_constraint_in"} %arg0 : ($A) -> $T
      %1 = stablehlo.add %0, %0 {SRC("a")} : $T
      %2 = mpmd.assign {origin = "io_constraint_out"} %1 : ($T) -> $A
      return %2, %0 : $A, $T)",
             pairs({{0, 0}}));
}

TEST_CASE("an argument that is returned, at several places, is constrained to each") {
  check_body(R"(
    func.func @main(%x: $T {USE("b")}) -> ($T, $T) attributes $M {
      return %x, %x : $T, $T
    })",
             R"(
      %0 = mpmd.unassign {origin = "io_constraint_in"} %arg0 : ($B) -> $T
      %1 = mpmd.assign {origin = "io_constraint_out"} %0 : ($T) -> $B
      %2 = mpmd.assign {origin = "io_constraint_out"} %0 : ($T) -> $B
      return %1, %2 : $B, $B)",
             pairs({{0, 0}, {0, 1}}));
}

TEST_CASE("an earlier constraint decides for a later one of the same input or output") {
  auto const result = run_on(R"(
    func.func @main(%x: $T {USE("b")}, %y: $T {USE("c")}) -> $T attributes $M {
      %r = stablehlo.add %x, %y : $T
      return %r : $T
    })",
                             pairs({{0, 0}, {1, 0}}));
  CHECK(result.good);
  CHECK(has(line_with(result.program, "func.func"), "%arg1: !mpmd.mesh_tensor<\"b\""));
}

TEST_CASE("the result of a call is constrained by where the callee's value can be") {
  check_body(R"(
    func.func @main(%x: $T {USE("c", "b")}) -> $T attributes $M {
      %r = mpmd.call @f(%x) : ($T) -> $T
      return %r : $T
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      %n = stablehlo.negate %p {SRC("c")} : $T
      return %n : $T
    })",
             R"(
      %0 = mpmd.unassign {origin = "io_constraint_in"} %arg0 : ($C) -> $T
      %1 = mpmd.call @f(%0) : ($T) -> $T
      %2 = mpmd.assign {origin = "io_constraint_out"} %1 : ($T) -> $C
      return %2 : $C)",
             pairs({{0, 0}}));
}

TEST_CASE("constraints hold for entry functions; one that does not fit is an error before anything changes") {
  constexpr auto text = R"(
    func.func @main(%x: $T {USE("b")}) -> $T attributes $M {
      %r = mpmd.call @f(%x, %x) : ($T, $T) -> $T
      return %r : $T
    }
    func.func private @f(%p: $T, %q: $T) -> $T attributes $M {
      return %p : $T
    })";
  auto const before = mpmd::text::to_mlir(run_on(text, pairs({})).program);
  for (auto const& which : {mpmd::io_constraint{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
    auto const result = run_on(text, pairs({{0, 0}, which}));
    CHECK(!result.good);
    REQUIRE_EQ(result.said.size(), 1);
    CHECK(has(result.said[0].message, "to constrain: function @main has 1 "));
    CHECK_EQ(mpmd::text::to_mlir(result.program), before);
  }
}

TEST_CASE("with verbose logging a pair without a mesh is remarked on") {
  constexpr auto text = "func.func @main(%x: $T) -> $T attributes $M { return %x : $T }";
  CHECK(run_on(text, pairs({{0, 0}})).said.empty());
  auto const result = run_on(text, pairs({{0, 0}}, true));
  CHECK(result.good);
  REQUIRE_EQ(result.said.size(), 1);
  CHECK(result.said[0].level == mpmd::severity::remark);
}

TEST_CASE("constraints are read from their option and printed back") {
  constraints pass;
  mpmd::diagnostics diags;
  CHECK(mpmd::parse_options(pass, "constraints=0:0,2:1 verbose-logging=True", diags));
  CHECK(pass.constraints == std::vector<mpmd::io_constraint>{{0, 0}, {2, 1}});
  CHECK(pass.verbose_logging);
  CHECK_EQ(mpmd::print_options(pass), "constraints=0:0,2:1 verbose-logging=true");
  std::vector<std::string> said;
  mpmd::diagnostics errors([&](mpmd::diagnostic const& d) { said.push_back(d.message); });
  CHECK(!mpmd::parse_options(pass, "constraints=a:0", errors));
  CHECK(!mpmd::parse_options(pass, "constraints=0:b", errors));
  REQUIRE_EQ(said.size(), 2);
  CHECK(has(said[0], "Failed to parse input index: a"));
  CHECK(has(said[1], "Failed to parse output index: b"));
}

// Reductions.

TEST_CASE("a tree of noted ops of one kind becomes one reduction with the sets of its root") {
  check_body(R"(
    func.func @main(%x: $T, %y: $T, %z: $T) -> $T attributes $M {
      %1 = stablehlo.add %x, %y {mpmd.reduce = #mpmd.reduction<add>, SRC("a", "b")} : $T
      %2 = stablehlo.add %z, %x {mpmd.reduce = #mpmd.reduction<add>, SRC("b")} : $T
      %3 = stablehlo.add %1, %2 {mpmd.reduce = #mpmd.reduction<add>, SRC("a", "b", "c"), USE("c"), other = 1 : i64} : $T
      %4 = stablehlo.add %3, %z {mpmd.reduce = #mpmd.reduction<add>, SRC("b", "a")} : $T
      return %4 : $T
    })",
             R"(
      %0 = mpmd.reduce<add> {SRC("b", "a")} %arg0, %arg1, %arg2, %arg0, %arg2 : ($T, $T, $T, $T, $T) -> $T
      return %0 : $T)",
             all);
  auto const result = run_on(R"(
    func.func @main(%x: $T, %y: $T) -> $T attributes $M {
      %r = stablehlo.maximum %x, %y {mpmd.reduce = #mpmd.reduction<max>, SRC("a"), USE("c"), other = 1 : i64} : $T
      return %r : $T
    })",
                             all);
  CHECK_EQ(line_with(result.program, "mpmd.reduce<"),
           "    %0 = mpmd.reduce<max> {mpmd.src_set = #mpmd.meshes_with_origins<\"a\">, mpmd.use_set = "
           "#mpmd.meshes_with_origins<\"c\">} %arg0, %arg1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>");
}

TEST_CASE("every kind is converted to its own, and kinds do not mix") {
  for (auto const& [op, kind] : {std::pair{"add", "add"}, {"maximum", "max"}, {"minimum", "min"}, {"multiply", "mul"},
                                 {"or", "or"}, {"and", "and"}}) {
    std::string const text = "func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> attributes $M {\n"
                             "  %1 = stablehlo." + std::string(op) + " %x, %y {mpmd.reduce = #mpmd.reduction<" + kind +
                             ">} : tensor<2xi32>\n  return %1 : tensor<2xi32>\n}";
    auto const result = run_on(text, all);
    CHECK(has(mpmd::text::to_mlir(result.program), "mpmd.reduce<" + std::string(kind) + ">"));
  }
  check_body(R"(
    func.func @main(%x: $T, %y: $T) -> $T attributes $M {
      %1 = stablehlo.maximum %x, %y {mpmd.reduce = #mpmd.reduction<max>} : $T
      %2 = stablehlo.add %x, %y {mpmd.reduce = #mpmd.reduction<add>} : $T
      %3 = stablehlo.maximum %1, %2 {mpmd.reduce = #mpmd.reduction<max>} : $T
      return %3 : $T
    })",
             R"(
      %0 = mpmd.reduce<add> %arg0, %arg1 : ($T, $T) -> $T
      %1 = mpmd.reduce<max> %arg0, %arg1, %0 : ($T, $T, $T) -> $T
      return %1 : $T)",
             all);
}

TEST_CASE("a reduction with other users stays and lends its operands, one that only this op uses goes") {
  check_body(R"(
    func.func @main(%x: $T, %y: $T) -> ($T, $T) attributes $M {
      %1 = stablehlo.add %x, %y {mpmd.reduce = #mpmd.reduction<add>} : $T
      %2 = stablehlo.add %1, %y {mpmd.reduce = #mpmd.reduction<add>} : $T
      return %1, %2 : $T, $T
    })",
             R"(
      %0 = mpmd.reduce<add> %arg0, %arg1 : ($T, $T) -> $T
      %1 = mpmd.reduce<add> %arg0, %arg1, %arg1 : ($T, $T, $T) -> $T
      return %0, %1 : $T, $T)",
             all);
  // Used twice by the op itself: taken twice, and nothing dead is left.
  check_body(R"(
    func.func @main(%x: $T, %y: $T) -> $T attributes $M {
      %1 = mpmd.reduce<add> %x, %y : ($T, $T) -> $T
      %2 = stablehlo.add %1, %1 {mpmd.reduce = #mpmd.reduction<add>} : $T
      return %2 : $T
    })",
             R"(
      %0 = mpmd.reduce<add> %arg0, %arg1, %arg0, %arg1 : ($T, $T, $T, $T) -> $T
      return %0 : $T)",
             all);
}

TEST_CASE("sums of a value with itself and chains of returned sums do not grow without bound") {
  std::string doubled = "func.func @main(%x: $T) -> $T attributes $M {\n  %0 = stablehlo.negate %x : $T\n";
  std::string returned = "func.func @main(%x: $T) -> $T attributes $M {\n  %0 = stablehlo.negate %x : $T\n";
  constexpr int n = 400;
  for (int i = 1; i <= n; ++i) {
    std::string const before = "%" + std::to_string(i - 1);
    std::string const made = "  %" + std::to_string(i) + " = stablehlo.add " + before + ", ";
    doubled += made + before + " {mpmd.reduce = #mpmd.reduction<add>} : $T\n";
    returned += made + "%x {mpmd.reduce = #mpmd.reduction<add>} : $T\n  %c" + std::to_string(i) +
                " = mpmd.assign %" + std::to_string(i) + " : ($T) -> $A\n";
  }
  for (auto const& text : {doubled, returned}) {
    auto const result = run_on(text + "  return %" + std::to_string(n) + " : $T\n}", all);
    std::size_t operands = 0, reduces = 0;
    for (auto const o : testing::find_all(result.program, "mpmd.reduce")) {
      operands += result.program.operand_count(o);
      ++reduces;
    }
    CHECK_GE(reduces, n / 6);
    CHECK_LE(operands, 66 * n);
    CHECK(testing::find_all(result.program, "stablehlo.add").empty());
  }
}

TEST_CASE("a long chain of sums becomes one reduction") {
  std::string text = "func.func @main(%x: $T) -> $T attributes $M {\n  %0 = stablehlo.negate %x : $T\n";
  constexpr int n = 5000;
  for (int i = 1; i <= n; ++i)
    text += "  %" + std::to_string(i) + " = stablehlo.add %" + std::to_string(i - 1) +
            ", %x {mpmd.reduce = #mpmd.reduction<add>} : $T\n";
  auto const result = run_on(text + "  return %" + std::to_string(n) + " : $T\n}", all);
  auto const found = testing::find_all(result.program, "mpmd.reduce");
  REQUIRE_EQ(found.size(), 1);
  CHECK_EQ(result.program.operand_count(found[0]), n + 1);
}

TEST_CASE("without the option only what a reduce of no kind asks for is converted, through ops of one operand") {
  constexpr auto text = R"(
    func.func @main(%x: $T, %y: $T, %z: $T) -> ($T, $T, $T) attributes $M {
      %1 = stablehlo.maximum %x, %y {mpmd.reduce = #mpmd.reduction<max>} : $T
      %2 = stablehlo.maximum %1, %z {mpmd.reduce = #mpmd.reduction<max>} : $T
      %3 = stablehlo.sqrt %2 : $T
      %4 = stablehlo.abs %3 : $T
      %5 = mpmd.reduce<none> %4 : ($T) -> $T
      %6 = stablehlo.maximum %x, %y {mpmd.reduce = #mpmd.reduction<max>} : $T
      %7 = mpmd.reduce<none> %x : ($T) -> $T
      return %5, %6, %7 : $T, $T, $T
    })";
  check_body(text, R"(
      %0 = mpmd.reduce<max> %arg0, %arg1, %arg2 : ($T, $T, $T) -> $T
      %1 = stablehlo.sqrt %0 : $T
      %2 = stablehlo.abs %1 : $T
      %3 = mpmd.reduce<none> %2 : ($T) -> $T
      %4 = stablehlo.maximum %arg0, %arg1 {mpmd.reduce = #mpmd.reduction<max>} : $T
      %5 = mpmd.reduce<none> %arg0 : ($T) -> $T
      return %3, %4, %5 : $T, $T, $T)",
             convert{});
}

TEST_CASE("what is asked for but was not noted is left, and so is what stands behind a fragment") {
  check_body(R"(
    func.func @main(%x: $T, %y: $T) -> ($T, $T) attributes $M {
      %1 = stablehlo.add %x, %y : $T
      %2 = stablehlo.add %1, %y {mpmd.reduce = #mpmd.reduction<add>} : $T
      %3 = mpmd.reduce<none> %2 : ($T) -> $T
      %4 = stablehlo.add %x, %y {mpmd.reduce = #mpmd.reduction<add>} : $T
      %5 = mpmd.assign %4 : ($T) -> $A
      %6 = mpmd.unassign %5 : ($A) -> $T
      %7 = mpmd.reduce<none> %6 : ($T) -> $T
      return %3, %7 : $T, $T
    })",
             R"(
      %0 = stablehlo.add %arg0, %arg1 : $T
      %1 = mpmd.reduce<add> %0, %arg1 : ($T, $T) -> $T
      %2 = mpmd.reduce<none> %1 : ($T) -> $T
      %3 = stablehlo.add %arg0, %arg1 {mpmd.reduce = #mpmd.reduction<add>} : $T
      %4 = mpmd.assign %3 : ($T) -> $A
      %5 = mpmd.unassign %4 : ($A) -> $T
      %6 = mpmd.reduce<none> %5 : ($T) -> $T
      return %2, %6 : $T, $T)",
             convert{});
}

TEST_CASE("a concatenation and the reduction over it become a reduction of reshaped parts, which can be where the parts can") {
  check_body(R"(
    func.func @main(%x: tensor<1x2xf32> {SRC("b")}, %y: tensor<1x2xf32>) -> $T attributes $M {
      %n = stablehlo.negate %y {SRC("a"), USE("c")} : tensor<1x2xf32>
      %k = stablehlo.constant dense<0.0> : tensor<f32>
      %c = stablehlo.concatenate %x, %n, %x, dim = 0 {mpmd.reduce = #mpmd.reduction<add>, SRC("a", "b")} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
      %r = stablehlo.reduce(%c init: %k) applies stablehlo.add across dimensions = [0] {mpmd.reduce = #mpmd.reduction<add>, SRC("a", "b")} : (tensor<3x2xf32>, tensor<f32>) -> $T
      return %r : $T
    })",
             R"(
      %0 = stablehlo.negate %arg1 {SRC("a"), USE("c")} : tensor<1x2xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reshape %arg0 {SRC("b")} : (tensor<1x2xf32>) -> $T
      %2 = stablehlo.reshape %0 {SRC("a")} : (tensor<1x2xf32>) -> $T
      %3 = stablehlo.reshape %arg0 {SRC("b")} : (tensor<1x2xf32>) -> $T
      %4 = mpmd.reduce<add> {SRC("a", "b")} %1, %2, %3 : ($T, $T, $T) -> $T
      return %4 : $T)",
             all);
}

TEST_CASE("a reduction whose initial value is computed is left, with a warning") {
  auto const result = run_on(R"(
    func.func @main(%x: tensor<1x2xf32>, %k: tensor<f32>) -> $T attributes $M {
      %c = stablehlo.concatenate %x, %x, dim = 0 {mpmd.reduce = #mpmd.reduction<add>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
      %r = stablehlo.reduce(%c init: %k) applies stablehlo.add across dimensions = [0] {mpmd.reduce = #mpmd.reduction<add>} : (tensor<2x2xf32>, tensor<f32>) -> $T
      return %r : $T
    })",
                             all);
  CHECK(result.good);
  REQUIRE_EQ(result.said.size(), 1);
  CHECK(result.said[0].level == mpmd::severity::warning);
  CHECK(testing::find_all(result.program, "mpmd.reduce").empty());
}

TEST_CASE("a constant initial value is dropped if it is neutral; else it is one more operand, or dropped with a warning for maxima and minima") {
  struct example {
    std::string_view element, op, kind, value;
    bool neutral;
  };
  for (auto const& [element, op, kind, value, neutral] :
       {example{"f32", "add", "add", "0.0", true}, {"f32", "add", "add", "-0.0", true}, {"f32", "add", "add", "1.0", false},
        {"f64", "multiply", "mul", "1.0", true}, {"bf16", "multiply", "mul", "2.0", false},
        {"f16", "maximum", "max", "0xFC00", true}, {"f32", "maximum", "max", "1.0", false},
        {"f32", "minimum", "min", "0x7F800000", true}, {"f32", "minimum", "min", "0xFF800000", false},
        {"i32", "maximum", "max", "-2147483648", true}, {"i32", "maximum", "max", "0", false},
        {"ui8", "maximum", "max", "0", true}, {"ui8", "minimum", "min", "255", true}, {"i8", "minimum", "min", "127", true},
        {"i32", "and", "and", "-1", true}, {"i32", "and", "and", "0", false}, {"i1", "or", "or", "false", true},
        {"i1", "and", "and", "true", true}, {"i64", "add", "add", "3", false}}) {
    CAPTURE(element);
    CAPTURE(op);
    CAPTURE(value);
    std::string text = R"(
    func.func @main(%x: tensor<1x2x@E>) -> tensor<2x@E> attributes $M {
      %k = stablehlo.constant dense<@V> : tensor<@E>
      %c = stablehlo.concatenate %x, %x, dim = 0 {mpmd.reduce = #mpmd.reduction<@K>} : (tensor<1x2x@E>, tensor<1x2x@E>) -> tensor<2x2x@E>
      %r = stablehlo.reduce(%c init: %k) applies stablehlo.@O across dimensions = [0] {mpmd.reduce = #mpmd.reduction<@K>} : (tensor<2x2x@E>, tensor<@E>) -> tensor<2x@E>
      return %r : tensor<2x@E>
    })";
    for (auto const& [mark, with] : {std::pair{"@E", element}, {"@V", value}, {"@K", kind}, {"@O", op}})
      for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark)) text.replace(at, 2, with);
    auto const result = run_on(text, all);
    CHECK(result.good);
    bool const dropped = neutral || kind == "max" || kind == "min";
    auto const reductions = testing::find_all(result.program, "mpmd.reduce");
    REQUIRE_EQ(reductions.size(), 1);
    CHECK_EQ(result.program.operand_count(reductions[0]), dropped ? 2 : 3);
    CHECK_EQ(result.said.size(), !neutral && dropped ? 1 : 0);
  }
}

TEST_CASE("an initial value that is not neutral is reduced once, everywhere in the result") {
  check_body(R"(
    func.func @main(%x: tensor<1x2xf32> {SRC("b")}) -> $T attributes $M {
      %k = stablehlo.constant {SRC("a", "b")} dense<5.5> : tensor<f32>
      %c = stablehlo.concatenate %x, %x, dim = 0 {mpmd.reduce = #mpmd.reduction<mul>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
      %r = stablehlo.reduce(%c init: %k) applies stablehlo.multiply across dimensions = [0] {mpmd.reduce = #mpmd.reduction<mul>} : (tensor<2x2xf32>, tensor<f32>) -> $T
      return %r : $T
    })",
             R"(
      %cst = stablehlo.constant {SRC("a", "b")} dense<5.500000e+00> : tensor<f32>
      %0 = stablehlo.reshape %arg0 {SRC("b")} : (tensor<1x2xf32>) -> $T
      %1 = stablehlo.reshape %arg0 {SRC("b")} : (tensor<1x2xf32>) -> $T
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] {SRC("a", "b")} : (tensor<f32>) -> $T
      %3 = mpmd.reduce<mul> %0, %1, %2 : ($T, $T, $T) -> $T
      return %3 : $T)",
             all);
}

TEST_CASE("reductions are converted in functions without meshes too, but not in fragments") {
  auto const result = run_on(R"(
    func.func @plain(%x: $T, %y: $T) -> $T {
      %1 = stablehlo.add %x, %y {mpmd.reduce = #mpmd.reduction<add>} : $T
      return %1 : $T
    }
    func.func @main(%x: $A) -> $A attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%v: $T) {
        %1 = stablehlo.multiply %v, %v {mpmd.reduce = #mpmd.reduction<mul>} : $T
        mpmd.return %1 : $T
      } : ($A) -> $A
      return %f : $A
    })",
                             all);
  CHECK_EQ(testing::find_all(result.program, "mpmd.reduce").size(), 1);
  CHECK_EQ(testing::find_all(result.program, "stablehlo.multiply").size(), 1);
}

// Leaves.

TEST_CASE("unused inputs go to the first mesh, by the number at its end") {
  auto const result = run_on(R"(
    func.func @main(%x: $T, %y: $T) -> $T attributes {topology = #mpmd.topology<<"m10": <["x"=2]>>, <"m2": <["x"=2]>>>} {
      %k = stablehlo.constant dense<1.0> : $T
      return %k : $T
    })",
                             leaves{});
  CHECK(result.good);
  CHECK(has(line_with(result.program, "func.func"), "%arg0: !mpmd.mesh_tensor<\"m2\", tensor<2xf32>>, %arg1: "
                                                    "!mpmd.mesh_tensor<\"m2\", tensor<2xf32>>)"));
  CHECK(has(line_with(result.program, "mpmd.assign"), "\"m2\""));
}

TEST_CASE("outputs go where they can be and are used, else where they can be, else where they are used, else first") {
  // Each returned value has its own assign, right before the return; what is on a mesh stays.
  check_body(R"(
    func.func @main(%x: $T {SRC("c", "b"), USE("c", "b")}, %y: $C) -> ($T, $T, $T, $T, $T, $T, $C, $T) attributes $M {
      %1 = stablehlo.negate %x {SRC("a", "b", "c"), USE("c", "b")} : $T
      %2 = stablehlo.negate %x {SRC("c", "b"), USE("a")} : $T
      %3 = stablehlo.negate %x {USE("c", "b")} : $T
      %4 = stablehlo.negate %x : $T
      %5 = mpmd.unassign {SRC("c", "b"), USE("c")} %y : ($C) -> $T
      return %1, %2, %3, %4, %x, %x, %y, %5 : $T, $T, $T, $T, $T, $T, $C, $T
    })",
             R"(
      %0 = stablehlo.negate %arg0 {SRC("a", "b", "c")} : $T
      %1 = stablehlo.negate %arg0 {SRC("c", "b")} : $T
      %2 = stablehlo.negate %arg0 : $T
      %3 = stablehlo.negate %arg0 : $T
      %4 = mpmd.unassign {SRC("c", "b"), USE("c")} %arg1 : ($C) -> $T
      %5 = mpmd.assign {origin = "inferred_out"} %0 : ($T) -> $B
      %6 = mpmd.assign {origin = "inferred_out"} %1 : ($T) -> $B
      %7 = mpmd.assign {origin = "inferred_out"} %2 : ($T) -> $B
      %8 = mpmd.assign {origin = "inferred_out"} %3 : ($T) -> $A
      %9 = mpmd.assign {origin = "inferred_out"} %arg0 : ($T) -> $B
      %10 = mpmd.assign {origin = "inferred_out"} %arg0 : ($T) -> $B
      %11 = mpmd.assign {origin = "inferred_out"} %4 : ($T) -> $C
      return %5, %6, %7, %8, %9, %10, %arg1, %11 : $B, $B, $B, $A, $B, $B, $C, $C)",
             leaves{});
}

TEST_CASE("an output stands where its result is said to come from") {
  auto const result = run_on(R"(
    func.func @main(%x: $T) -> ($T {jax.result_info = "loss"}) attributes $M {
      return %x : $T
    })",
                             leaves{});
  auto const assign = testing::find(result.program, "mpmd.assign");
  CHECK_EQ(mpmd::ir_traits<mpmd::ir::program>::location_text(result.program, result.program.where(assign)), "\"loss\"");
}

TEST_CASE("the label of low priority yields to any other") {
  auto const result = run_on(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %1 = stablehlo.negate %x {SRC("a"["broadcast_in"], "c"["o"], "b"["o"])} : $T
      return %1 : $T
    })",
                             leaves{});
  CHECK(has(line_with(result.program, "mpmd.assign"), "\"b\""));
}

TEST_CASE("an output that can be nowhere is an error, or with transfers goes to the first mesh") {
  constexpr auto text = R"(
    func.func @main(%x: $A, %y: $B) -> ($T, $T) attributes $M {
      %u = mpmd.unassign {origin = "enc", SRC("a"["enc"])} %x : ($A) -> $T
      %q = mpmd.unassign {origin = "dec", SRC("b"["dec"])} %y : ($B) -> $T
      %r = stablehlo.divide %u, %q {SRC(), USE("c")} : $T
      %s = stablehlo.negate %r {SRC()} : $T
      return %u, %s : $T, $T
    })";
  auto const result = run_on(text, leaves{});
  CHECK(!result.good);
  REQUIRE_EQ(result.said.size(), 1);
  auto const& d = result.said[0];
  CHECK(d.message.starts_with("Func output 1 has no mesh to be assigned to."));
  CHECK(has(d.where.line_text, "return %u, %s"));
  // The notes go back to the op at which the conflict begins.
  REQUIRE_EQ(d.notes.size(), 3);
  CHECK(has(d.notes[0].where.line_text, "%r = stablehlo.divide"));
  CHECK_EQ(d.notes[1].message, R"(operand 0 can be on mesh "a": it comes off that mesh here ("enc"))");
  CHECK_EQ(d.notes[2].message, R"(operand 1 can be on mesh "b": it comes off that mesh here ("dec"))");
  auto const placed = run_on(text, with_transfers);
  CHECK(placed.good);
  CHECK(has(line_with(placed.program, "%5 = mpmd.assign"), "\"a\""));
}

TEST_CASE("an unused value is assigned right behind its op, each tensor of it") {
  check_body(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %1 = stablehlo.negate %x {SRC("c", "b"), USE("a")} : $T
      %2:2 = stablehlo.optimization_barrier %x, %x : $T, $T
      %3 = stablehlo.abs %x {SRC("b")} : $T
      return %3 : $T
    })",
             R"(
      %0 = stablehlo.negate %arg0 {SRC("c", "b")} : $T
      %1 = mpmd.assign {origin = "inferred_unused"} %0 : ($T) -> $B
      %2:2 = stablehlo.optimization_barrier %arg0, %arg0 : $T, $T
      %3 = mpmd.assign {origin = "inferred_unused"} %2#0 : ($T) -> $A
      %4 = mpmd.assign {origin = "inferred_unused"} %2#1 : ($T) -> $A
      %5 = stablehlo.abs %arg0 {SRC("b")} : $T
      %6 = mpmd.assign {origin = "inferred_out"} %5 : ($T) -> $B
      return %6 : $B)",
             leaves{});
}

TEST_CASE("an unused value that can be nowhere is an error, or with transfers goes to the first mesh; others are placed") {
  constexpr auto text = R"(
    func.func @main(%x: $T) attributes $M {
      %1 = stablehlo.negate %x {SRC()} : $T
      %2 = stablehlo.abs %x {SRC("c")} : $T
      return
    })";
  auto const result = run_on(text, leaves{});
  CHECK(!result.good);
  REQUIRE_EQ(result.said.size(), 1);
  CHECK(result.said[0].message.starts_with("src_set must not be empty for this op."));
  CHECK(has(result.said[0].where.line_text, "%1 ="));
  check_body(text, R"(
      %0 = stablehlo.negate %arg0 {SRC()} : $T
      %1 = mpmd.assign {origin = "inferred_unused"} %0 : ($T) -> $A
      %2 = stablehlo.abs %arg0 {SRC("c")} : $T
      %3 = mpmd.assign {origin = "inferred_unused"} %2 : ($T) -> $C
      return)",
             with_transfers);
}

TEST_CASE("an op without results is wrapped on every mesh where it can be, a pure one on the first only") {
  check_body(R"(
    func.func @main(%x: $A) attributes $M {
      %u = mpmd.unassign {SRC("c", "b")} %x : ($A) -> $T
      sdy.sharding_group %u group_id=0 {SRC("c", "b"), USE("a")} : $T
      return
    })",
             R"(
      %0 = mpmd.unassign {SRC("c", "b")} %arg0 : ($A) -> $T
      %1 = mpmd.assign %0 : ($T) -> $B
      mpmd.fragment<mesh="b", origin=[]> (%1) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg1: $T) {
        sdy.sharding_group %arg1 group_id=0 : $T
        mpmd.return
      } : ($B) -> ()
      %2 = mpmd.assign %0 : ($T) -> $C
      mpmd.fragment<mesh="c", origin=[]> (%2) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg1: $T) {
        sdy.sharding_group %arg1 group_id=0 : $T
        mpmd.return
      } : ($C) -> ()
      return)",
             leaves{});
  // Tokens go from fragment to fragment; anywhere means the first mesh.
  check_body(R"(
    func.func @main() attributes $M {
      %t = stablehlo.create_token {SRC("c", "b")} : !stablehlo.token
      %s = stablehlo.after_all %t, %t : !stablehlo.token
      return
    })",
             R"(
      %0 = mpmd.fragment<mesh="b", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} () {
        %2 = stablehlo.create_token : !stablehlo.token
        mpmd.return %2 : !stablehlo.token
      } : () -> !stablehlo.token
      %1 = mpmd.fragment<mesh="a", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg0: !stablehlo.token) {
        %2 = stablehlo.after_all %arg0, %arg0 : !stablehlo.token
        mpmd.return %2 : !stablehlo.token
      } : (!stablehlo.token) -> !stablehlo.token
      return)",
             leaves{});
}

TEST_CASE("an op without results that can be nowhere is an error, or with transfers goes to the first mesh") {
  constexpr auto text = R"(
    func.func @main(%x: $A, %y: $B) attributes $M {
      %u = mpmd.unassign {SRC("a")} %x : ($A) -> $T
      sdy.sharding_group %u group_id=0 {SRC()} : $T
      return
    })";
  auto const result = run_on(text, leaves{});
  CHECK(!result.good);
  REQUIRE_EQ(result.said.size(), 1);
  CHECK(result.said[0].message.starts_with("src_set must not be empty for resultless ops."));
  CHECK(has(result.said[0].where.line_text, "sdy.sharding_group"));
  auto const placed = run_on(text, with_transfers);
  CHECK(placed.good);
  CHECK(has(line_with(placed.program, "mpmd.fragment"), "mesh=\"a\""));
}

TEST_CASE("operands of broadcasts and reductions are assigned and unassigned, if possible where the result is used") {
  check_body(R"(
    func.func @main(%x: $T {SRC("c", "b")}, %y: $T) -> $B attributes $M {
      %1 = stablehlo.negate %x {SRC("b", "a"), USE("b")} : $T
      %2 = mpmd.broadcast {USE("b")} %1 : $T
      %3 = mpmd.reduce<add> {USE("c", "a")} %2, %x, %1, %y : ($T, $T, $T, $T) -> $T
      %4 = mpmd.assign {USE("b")} %3 : ($T) -> $B
      return %4 : $B
    })",
             R"(
      %0 = stablehlo.negate %arg0 {SRC("b", "a")} : $T
      %1 = mpmd.assign {origin = "broadcast"} %0 : ($T) -> $B
      %2 = mpmd.unassign %1 : ($B) -> $T
      %3 = mpmd.broadcast %2 : $T
      %4 = mpmd.assign {origin = "reduce"} %3 : ($T) -> $A
      %5 = mpmd.unassign %4 : ($A) -> $T
      %6 = mpmd.assign {origin = "reduce"} %arg0 : ($T) -> $C
      %7 = mpmd.unassign %6 : ($C) -> $T
      %8 = mpmd.assign {origin = "reduce"} %0 : ($T) -> $A
      %9 = mpmd.unassign %8 : ($A) -> $T
      %10 = mpmd.assign {origin = "reduce"} %arg1 : ($T) -> $A
      %11 = mpmd.unassign %10 : ($A) -> $T
      %12 = mpmd.reduce<add> %5, %7, %9, %11 : ($T, $T, $T, $T) -> $T
      %13 = mpmd.assign {USE("b")} %12 : ($T) -> $B
      return %13 : $B)",
             leaves{});
}

TEST_CASE("an operand of a broadcast that can be nowhere is an error, or with transfers goes where the result is used") {
  for (auto const& [use, mesh] : {std::pair{"USE(\"c\", \"b\")", "\"b\""}, {"", "\"a\""}}) {
    std::string const text = "func.func @main(%x: $T) -> $T attributes $M {\n  %1 = stablehlo.negate %x {SRC()} : $T\n"
                             "  %2 = mpmd.broadcast {" + std::string(use) + "} %1 : $T\n  return %2 : $T\n}";
    auto const result = run_on(text, leaves{});
    CHECK(!result.good);
    REQUIRE_EQ(result.said.size(), 1);
    CHECK(has(result.said[0].where.line_text, "mpmd.broadcast"));
    auto const placed = run_on(text, with_transfers);
    CHECK(placed.good);
    CHECK(has(line_with(placed.program, "{origin = \"broadcast\"}"), mesh));
  }
}

TEST_CASE("use sets are removed from ops, arguments and results, and stay on assigns; src sets stay everywhere") {
  auto const result = run_on(R"(
    func.func @main(%x: $T {SRC("b"), USE("b")}) -> $B attributes $M {
      %1 = mpmd.call @f(%x) : ($T) -> $T
      %i = stablehlo.constant dense<0> : tensor<i32>
      %2 = "stablehlo.case"(%i) ({
        %n = stablehlo.negate %1 : $T
        "stablehlo.return"(%1) : ($T) -> ()
      }) {USE("b"), SRC("b")} : (tensor<i32>) -> $T
      %3 = mpmd.assign {USE("b")} %2 : ($T) -> $B
      return %3 : $B
    }
    func.func private @f(%p: $T {SRC("b"), USE("b")}) -> ($T {USE("b")}) attributes $M {
      %n = stablehlo.negate %p {USE("b")} : $T
      return %n : $T
    })",
                             leaves{}, false);
  CHECK(result.good);
  std::string const printed = mpmd::text::to_mlir(result.program);
  auto const first = printed.find("use_set");
  REQUIRE(first != std::string::npos);
  CHECK_EQ(printed.find("use_set", first + 1), std::string::npos);
  CHECK(has(line_with(result.program, "use_set"), "mpmd.assign"));
  CHECK(has(line_with(result.program, "func.func @main"), "mpmd.src_set"));
  CHECK(has(line_with(result.program, "func.func private @f"), "mpmd.src_set"));
  // What is inside the region of an op is not looked at, used or not.
  CHECK(!has(printed, "inferred_unused"));
}

TEST_CASE("unused inputs and outputs of callees get a use set, and nothing else") {
  auto const result = run_on(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %1:2 = mpmd.call @f(%x, %x, %x) : ($T, $T, $T) -> ($T, $T)
      %2:2 = mpmd.call @f(%x, %x, %x) : ($T, $T, $T) -> ($T, $T)
      return %1#0 : $T
    }
    func.func private @f(%p: $T, %q: $T {SRC("c", "b"), USE("a")}, %s: $T) -> ($T {USE("a")}, $T) attributes $M {
      %n = stablehlo.negate %p {SRC("c", "b")} : $T
      return %p, %n : $T, $T
    }
    func.func private @never_called(%p: $T) -> $T attributes $M {
      return %p : $T
    })",
                             leaves{});
  CHECK(result.good);
  std::string const f = line_with(result.program, "func.func private @f");
  CHECK(has(f, R"((%arg0: tensor<2xf32>, %arg1: tensor<2xf32> {mpmd.src_set = #mpmd.meshes_with_origins<"c", "b">, )"
               R"(mpmd.use_set = #mpmd.meshes_with_origins<"b"["inferred_unused_callee_in"]>}, %arg2: tensor<2xf32> )"
               R"({mpmd.use_set = #mpmd.meshes_with_origins<"a"["inferred_unused_callee_in"]>}) -> (tensor<2xf32>, )"
               R"(tensor<2xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"b"["inferred_unused_callee_out"]>}))"));
  CHECK(has(line_with(result.program, "@never_called"),
            R"(-> (tensor<2xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"a"["inferred_unused_callee_out"]>}))"));
}

TEST_CASE("what callees do not use or hand out for nothing, and can be nowhere, is an error, or first with transfers") {
  constexpr auto text = R"(
    func.func private @f(%p: $T, %q: $T {SRC()}) -> ($T, $T) attributes $M {
      %n = stablehlo.negate %p {SRC()} : $T
      return %p, %n : $T, $T
    })";
  auto const result = run_on(text, leaves{});
  CHECK(!result.good);
  REQUIRE_EQ(result.said.size(), 2);
  CHECK(result.said[0].message.starts_with("Callee @f unused input 1 has no mesh to be assigned to."));
  CHECK(has(result.said[0].where.line_text, "func.func private @f"));
  CHECK(result.said[1].message.starts_with("Callee @f unused output 1 has no mesh to be assigned to."));
  CHECK(has(result.said[1].where.line_text, "return %p, %n"));
  auto const placed = run_on(text, with_transfers);
  CHECK(placed.good);
  CHECK(has(line_with(placed.program, "@f"), R"("a"["inferred_unused_callee_in"])"));
}

TEST_CASE("errors of leaves stop at the limit, and one is enough to fail") {
  std::string text;
  for (int i = 0; i < 3; ++i)
    text += "func.func @f" + std::to_string(i) + "(%x: $T) -> $T attributes $M {\n  %1 = stablehlo.abs %x {SRC()} : $T\n"
            "  %2 = stablehlo.negate %x {SRC()} : $T\n  return %2 : $T\n}\n";
  for (auto const& [limit, found] : {std::pair<std::int64_t, std::size_t>{1, 1}, {2, 2}, {3, 3}, {5, 5}, {6, 6}, {-1, 6}}) {
    CAPTURE(limit);
    auto const result = run_on(text, leaves{.error_limit = limit});
    CHECK(!result.good);
    CHECK_EQ(result.said.size(), found);
  }
  CHECK(!run_on(text, leaves{.error_limit = 0}).good);
}

TEST_CASE("functions without a topology are left alone") {
  check_body("func.func @plain(%x: $T, %y: $T) -> $T {\n  %1 = stablehlo.negate %x {USE(\"a\")} : $T\n  return %1 : $T\n}",
             "%0 = stablehlo.negate %arg0 {USE(\"a\")} : $T\n return %0 : $T", leaves{});
}

TEST_CASE("the passes run on any program that offers what passes ask for") {
  mpmd::archetypes::mutable_program p;
  noted_program noted;
  mpmd::diagnostics diags;
  CHECK(pairs({})(p, diags));
  CHECK(pairs({{0, 0}})(p, diags));
  CHECK(convert{}(noted, diags));
  CHECK(convert{}(p, diags));
  CHECK(leaves{}(p, diags));
}

}  // namespace inference_placing_test
