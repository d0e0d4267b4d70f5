// -mpmd-infer-mesh-rewrite-using-analysis, rule by rule.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/transform/rewrite_using_analysis.hpp>

#include "transform/transform_program.hpp"

namespace rewrite_using_analysis_test {

namespace {

struct outcome {
  mpmd::ir::program program;
  bool good;
  std::vector<mpmd::diagnostic> said;
};

outcome rewritten(std::string_view text, std::int64_t max_clones = 1) {
  outcome result{testing::read(text), false, {}};
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { result.said.push_back(d); });
  result.good = mpmd::rewrite_using_analysis{.max_clones = max_clones}(result.program, diags);
  return result;
}
void check(std::string_view text, std::string_view body, int function = 0, std::int64_t max_clones = 1) {
  auto const result = rewritten(text, max_clones);
  CHECK(result.good);
  for (auto const& d : result.said) FAIL_CHECK(d.message);
  testing::expect(result.program, body, function);
}
// A fragment that hands its one argument back.
std::string identity(std::string_view result, std::string_view operand, std::string_view mesh = "a",
                     std::string_view type = "$A") {
  std::string text(result);
  text.append(" = mpmd.fragment<mesh=\"").append(mesh).append("\", origin=[\"f\"]> (").append(operand);
  text.append(") (%y: $T) {\n mpmd.return %y : $T\n } : (").append(type).append(") -> ").append(type);
  return text + "\n";
}
// How often each kind of op stands in the program.
std::size_t count(mpmd::ir::program const& p, std::string_view kind) { return testing::find_all(p, kind).size(); }

}  // namespace

TEST_CASE("an op that one fragment uses moves to its start, behind the operands that the fragment has") {
  // The assign that nobody uses does not keep it outside. The same value comes in twice: operands are not merged.
  check(R"(
    func.func @main(%x: $A, %v: $T) -> $A attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %s = stablehlo.subtract %u, %v {mpmd.use_set = #mpmd.meshes_with_origins<"a">, kept = 1 : i32} : $T
      %a = mpmd.assign %s : ($T) -> $A
      %unused = mpmd.assign %s : ($T) -> $B
      %f = mpmd.fragment<mesh="a", origin=["f"], stage=3> (%a, %x, %a) (%p: $T, %q: $T, %r: $T) {
        %m = stablehlo.multiply %p, %r : $T
        %n = stablehlo.add %m, %q : $T
        mpmd.return %n : $T
      } : ($A, $A, $A) -> $A
      return %f : $A
    })",
        R"(
      %0 = mpmd.unassign %arg0 : ($A) -> $T
      %1 = mpmd.assign %0 : ($T) -> $A
      %2 = mpmd.assign %arg1 : ($T) -> $A
      %3 = mpmd.fragment<mesh="a", origin=["f"], stage=3> (%arg0, %1, %2) (%arg2: $T, %arg3: $T, %arg4: $T) {
        %4 = stablehlo.subtract %arg3, %arg4 {kept = 1 : i32} : $T
        %5 = stablehlo.multiply %4, %4 : $T
        %6 = stablehlo.add %5, %arg2 : $T
        mpmd.return %6 : $T
      } : ($A, $A, $A) -> $A
      return %3 : $A)");
}

TEST_CASE("a value that an op takes twice comes into the fragment once") {
  check(R"(
    func.func @main(%v: $T) -> $A attributes $M {
      %p = stablehlo.add %v, %v : $T
      %a = mpmd.assign %p : ($T) -> $A
)" + identity("%f", "%a") + R"(
      return %f : $A
    })",
        R"(
      %0 = mpmd.assign %arg0 : ($T) -> $A
      %1 = mpmd.fragment<mesh="a", origin=["f"]> (%0) (%arg1: $T) {
        %2 = stablehlo.add %arg1, %arg1 : $T
        mpmd.return %2 : $T
      } : ($A) -> $A
      return %1 : $A)");
}

TEST_CASE("a chain moves into the fragment one op after the other") {
  check(R"(
    func.func @main(%v: $T) -> $A attributes $M {
      %p = stablehlo.abs %v : $T
      %q = stablehlo.negate %p : $T
      %r = stablehlo.sqrt %q : $T
      %a = mpmd.assign %r : ($T) -> $A
)" + identity("%f", "%a") + R"(
      return %f : $A
    })",
        R"(
      %0 = mpmd.assign %arg0 : ($T) -> $A
      %1 = mpmd.fragment<mesh="a", origin=["f"]> (%0) (%arg1: $T) {
        %2 = stablehlo.abs %arg1 : $T
        %3 = stablehlo.negate %2 : $T
        %4 = stablehlo.sqrt %3 : $T
        mpmd.return %4 : $T
      } : ($A) -> $A
      return %1 : $A)");
}

TEST_CASE("a region op moves with its regions; what they capture comes in before its operands") {
  check(R"(
    func.func @main(%c: $T, %d: $T, %i: tensor<i32>) -> $A attributes $M {
      %s = "stablehlo.case"(%i) ({
        %p = stablehlo.add %c, %d : $T
        stablehlo.return %p : $T
      }, {
        stablehlo.return %c : $T
      }) : (tensor<i32>) -> $T
      %a = mpmd.assign %s : ($T) -> $A
)" + identity("%f", "%a") + R"(
      return %f : $A
    })",
        R"(
      %0 = mpmd.assign %arg0 : ($T) -> $A
      %1 = mpmd.assign %arg1 : ($T) -> $A
      %2 = mpmd.assign %arg2 : (tensor<i32>) -> !mpmd.mesh_tensor<"a", tensor<i32>>
      %3 = mpmd.fragment<mesh="a", origin=["f"]> (%0, %1, %2) (%arg3: $T, %arg4: $T, %arg5: tensor<i32>) {
        %4 = "stablehlo.case"(%arg5) ({
          %5 = stablehlo.add %arg3, %arg4 : $T
          stablehlo.return %5 : $T
        }, {
          stablehlo.return %arg3 : $T
        }) : (tensor<i32>) -> $T
        mpmd.return %4 : $T
      } : ($A, $A, !mpmd.mesh_tensor<"a", tensor<i32>>) -> $A
      return %3 : $A)");
}

TEST_CASE("a graph region moves with its op: what is used there before it is defined is not captured") {
  check(R"(
    func.func @main(%c: $T) -> $A attributes $M {
      %s = "my.graph"() ({
        %u = "my.user"(%h, %c) : ($T, $T) -> $T
        %h = "my.made"(%u) : ($T) -> $T
        "my.return"(%u) : ($T) -> ()
      }) : () -> $T
      %a = mpmd.assign %s : ($T) -> $A
)" + identity("%f", "%a") + R"(
      return %f : $A
    })",
        R"(
      %0 = mpmd.assign %arg0 : ($T) -> $A
      %1 = mpmd.fragment<mesh="a", origin=["f"]> (%0) (%arg1: $T) {
        %2 = "my.graph"() ({
          %3 = "my.user"(%4, %arg1) : ($T, $T) -> $T
          %4 = "my.made"(%3) : ($T) -> $T
          "my.return"(%3) : ($T) -> ()
        }) : () -> $T
        mpmd.return %2 : $T
      } : ($A) -> $A
      return %1 : $A)");
}

TEST_CASE("an op that something else than fragments needs gets a fragment on each mesh, in the order of meshes") {
  check(R"(
    func.func @main(%v: $T) -> ($B, $A, $B) attributes $M {
      %k = stablehlo.constant dense<1.0> : $T
      %s = stablehlo.add %v, %k : $T
      %b = mpmd.assign %s : ($T) -> $B
      %a = mpmd.assign %s : ($T) -> $A
      %b2 = mpmd.assign %s : ($T) -> $B
      return %b, %a, %b2 : $B, $A, $B
    })",
        R"(
      %0 = mpmd.assign %arg0 : ($T) -> $A
      %1 = mpmd.fragment<mesh="a", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: $T) {
        %cst = stablehlo.constant dense<1.000000e+00> : $T
        %9 = stablehlo.add %arg1, %cst : $T
        mpmd.return %9 : $T
      } : ($A) -> $A
      %2 = mpmd.unassign %1 : ($A) -> $T
      %3 = mpmd.assign %arg0 : ($T) -> $B
      %4 = mpmd.fragment<mesh="b", origin=[]> (%3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: $T) {
        %cst = stablehlo.constant dense<1.000000e+00> : $T
        %9 = stablehlo.add %arg1, %cst : $T
        mpmd.return %9 : $T
      } : ($B) -> $B
      %5 = mpmd.unassign %4 : ($B) -> $T
      %6 = mpmd.assign %5 : ($T) -> $B
      %7 = mpmd.assign %2 : ($T) -> $A
      %8 = mpmd.assign %5 : ($T) -> $B
      return %6, %7, %8 : $B, $A, $B)");
}

TEST_CASE("how many fragments decides whether an op is copied into them or gets one of its own") {
  struct row {
    char const* what;
    char const* op;
    int users;
    std::int64_t max_clones;
    bool copied;
  };
  for (row const& r : {
           row{"two operands, more than one user", "stablehlo.add %v, %v : $T", 2, 1, false},
           row{"two operands, as many as allowed", "stablehlo.add %v, %v : $T", 3, 3, true},
           row{"two operands, one more", "stablehlo.add %v, %v : $T", 4, 3, false},
           row{"one operand and pure", "stablehlo.negate %v : $T", 5, 1, true},
           row{"no operands", "stablehlo.constant dense<1.0> : $T", 5, 1, true},
           row{"one operand with effects", "stablehlo.custom_call @f(%v) {has_side_effect = true} : ($T) -> $T", 2, 3, false},
           row{"no operands with effects", "stablehlo.custom_call @f() {has_side_effect = true} : () -> $T", 2, 3, false},
       }) {
    CAPTURE(r.what);
    std::string text = "func.func @main(%v: $T) attributes $M {\n %s = " + std::string(r.op) + "\n";
    for (int i = 0; i < r.users; ++i) {
      std::string const n = std::to_string(i);
      text += "%a" + n + " = mpmd.assign %s : ($T) -> $A\n" + identity("%f" + n, "%a" + n);
    }
    auto const result = rewritten(text + "return\n}", r.max_clones);
    CHECK(result.good);
    auto const& p = result.program;
    auto const kind = std::string(r.op).substr(0, std::string(r.op).find(' '));
    CHECK(count(p, kind) == (r.copied ? static_cast<std::size_t>(r.users) : 1));
    CHECK(count(p, "mpmd.fragment") == static_cast<std::size_t>(r.users) + (r.copied ? 0 : 1));
    for (auto const o : testing::find_all(p, kind)) CHECK(p.is(p.parent_op(o), mpmd::ir::opcode::mpmd_fragment));
    testing::expect(p, mpmd::text::to_mlir(p), -1);  // valid
  }
}

TEST_CASE("an op with results that only dead assigns use is wrapped; one that nobody uses is left for others") {
  auto const result = rewritten(R"(
    func.func @main(%v: $T) attributes $M {
      %s = stablehlo.add %v, %v : $T
      %dead = mpmd.assign %s : ($T) -> $B
      %unused = stablehlo.custom_call @f(%v) {has_side_effect = true} : ($T) -> $T
      return
    })");
  CHECK_FALSE(result.good == false);
  CHECK(testing::kinds(result.program) ==
        std::vector<std::string>{"mpmd.assign", "mpmd.fragment", "stablehlo.add", "mpmd.return", "mpmd.unassign",
                                 "mpmd.assign", "stablehlo.custom_call", "func.return"});
}

TEST_CASE("tokens go from fragment to fragment as they are") {
  auto const result = rewritten(R"(
    func.func @main(%v: $T) -> ($A, $A) attributes $M {
      %r:2 = stablehlo.custom_call @f(%v) {has_side_effect = true} : ($T) -> ($T, !stablehlo.token)
      %a = mpmd.assign %r#0 : ($T) -> $A
      %f = mpmd.fragment<mesh="a", origin=[]> (%r#1) (%t: !stablehlo.token) {
        %s = stablehlo.custom_call @g(%t) {has_side_effect = true} : (!stablehlo.token) -> $T
        mpmd.return %s : $T
      } : (!stablehlo.token) -> $A
      return %a, %f : $A, $A
    })");
  CHECK(result.good);
  auto const& p = result.program;
  auto const fragments = testing::find_all(p, "mpmd.fragment");
  REQUIRE(fragments.size() == 2);
  CHECK(p.operand(fragments[1], 0) == p.result(fragments[0], 1));
  testing::expect(p, mpmd::text::to_mlir(p), -1);
}

TEST_CASE("a function that is called takes and gives each value once for each mesh, and every call with it") {
  auto const result = rewritten(R"(
    func.func @main(%v: $T, %w: $T) -> ($B, $A, $B) attributes $M {
      %r:2 = mpmd.call @f(%v, %w) {call_counter = 7 : ui32, kept = 1 : i32} : ($T, $T) -> ($T, $T)
      %b = mpmd.assign %r#0 : ($T) -> $B
      %a = mpmd.assign %r#0 : ($T) -> $A
      %b2 = mpmd.assign %r#1 : ($T) -> $B
      return %b, %a, %b2 : $B, $A, $B
    }
    func.func private @f(%x: $T, %y: $T) -> ($T {mpmd.use_set = #mpmd.meshes_with_origins<"b", "a">}, $T {mpmd.use_set = #mpmd.meshes_with_origins<"b">}) attributes $M {
      %s = stablehlo.add %x, %x : $T
      return %s, %y : $T, $T
    })");
  CHECK(result.good);
  // Result 0 on b, its copy on a behind all results; argument 0 on a, its copy on b behind all arguments. Each assign
  // reads the results through an unassign of its own, the last use first.
  testing::expect(result.program, R"(
      %0 = mpmd.assign %arg0 : ($T) -> $A
      %1 = mpmd.assign %arg0 : ($T) -> $B
      %2 = mpmd.assign %arg1 : ($T) -> $B
      %3:3 = mpmd.call @f(%0, %2, %1) {call_counter = 7 : ui32, kept = 1 : i32} : ($A, $B, $B) -> ($B, $B, $A)
      %4 = mpmd.unassign %3#2 : ($A) -> $T
      %5 = mpmd.unassign %3#0 : ($B) -> $T
      %6 = mpmd.unassign %3#1 : ($B) -> $T
      %7 = mpmd.assign %5 : ($T) -> $B
      %8 = mpmd.assign %4 : ($T) -> $A
      %9 = mpmd.assign %6 : ($T) -> $B
      return %7, %8, %9 : $B, $A, $B)");
  std::string const printed = mpmd::text::to_mlir(result.program);
  auto const header = printed.substr(printed.find("func.func private"));
  CHECK(header.substr(0, header.find('\n')) ==
        testing::expand(R"(func.func private @f(%arg0: $A {mpmd.copies = array<i64: 2>}, %arg1: $B, %arg2: $B) -> ($B {mpmd.copies = array<i64: 2>, mpmd.use_set = #mpmd.meshes_with_origins<"b", "a">}, $B {mpmd.use_set = #mpmd.meshes_with_origins<"b">}, $A) attributes $M {)"));
}

TEST_CASE("a function nobody calls, or that hands an argument back, comes onto meshes all the same") {
  // From the src set, else from the first mesh. An argument that nobody uses takes its use set.
  auto const result = rewritten(R"(
    func.func private @f(%x: $T {mpmd.src_set = #mpmd.meshes_with_origins<"c", "b">}, %y: $T {mpmd.use_set = #mpmd.meshes_with_origins<"c">}, %z: $T) -> ($T, $T) attributes $M {
      %n = stablehlo.negate %z : $T
      return %x, %n : $T, $T
    })");
  CHECK(result.good);
  auto const& p = result.program;
  auto type = [&](std::size_t i) { return mpmd::text::to_mlir(p.context(), p.type_of(testing::argument(p, i))); };
  CHECK(type(0) == testing::expand("$B"));
  CHECK(type(1) == testing::expand("$C"));
  CHECK(type(2) == testing::expand("$A"));
  testing::expect(p, mpmd::text::to_mlir(p), -1);
}

TEST_CASE("a loop carries each value on one mesh, which its users or its body name; its index comes onto one if used") {
  auto const result = rewritten(R"(
    func.func @main(%v: $T, %w: $T) -> ($A, $B) attributes $M {
      %r:2 = mpmd.for (%v, %w) {arg_attrs = [{mpmd.use_set = #mpmd.meshes_with_origins<"a">}, {}, {}], iterations = 3 : ui32, unroll_factor = 1 : ui32} (%i: $T, %j: $T, %index: tensor<ui32>) {
        %s = stablehlo.negate %i : $T
        %n = mpmd.assign %index : (tensor<ui32>) -> !mpmd.mesh_tensor<"b", tensor<ui32>>
        "foreign.use"(%n) : (!mpmd.mesh_tensor<"b", tensor<ui32>>) -> ()
        mpmd.return %s, %j : $T, $T
      } : $T, $T
      %a = mpmd.assign %r#0 : ($T) -> $A
      %b = mpmd.assign %r#1 : ($T) -> $B
      return %a, %b : $A, $B
    })");
  CHECK(result.good);
  for (auto const& d : result.said) FAIL_CHECK(d.message);
  testing::expect(result.program, R"(
      %0 = mpmd.assign %arg0 : ($T) -> $A
      %1 = mpmd.assign %arg1 : ($T) -> $B
      %2:2 = mpmd.for (%0, %1) {iterations = 3 : ui32, unroll_factor = 1 : ui32} (%arg2: $A, %arg3: $B, %index: !mpmd.mesh_tensor<"b", tensor<ui32>>) {
        %7 = mpmd.unassign %arg2 : ($A) -> $T
        %8 = mpmd.unassign %arg3 : ($B) -> $T
        %9 = mpmd.unassign %index : (!mpmd.mesh_tensor<"b", tensor<ui32>>) -> tensor<ui32>
        %10 = mpmd.assign %7 : ($T) -> $A
        %11 = mpmd.fragment<mesh="a", origin=[]> (%10) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: $T) {
          %16 = stablehlo.negate %arg4 : $T
          mpmd.return %16 : $T
        } : ($A) -> $A
        %12 = mpmd.unassign %11 : ($A) -> $T
        %13 = mpmd.assign %9 : (tensor<ui32>) -> !mpmd.mesh_tensor<"b", tensor<ui32>>
        "foreign.use"(%13) : (!mpmd.mesh_tensor<"b", tensor<ui32>>) -> ()
        %14 = mpmd.assign %12 : ($T) -> $A
        %15 = mpmd.assign %8 : ($T) -> $B
        mpmd.return %14, %15 : $A, $B
      } : $A, $B
      %3 = mpmd.unassign %2#0 : ($A) -> $T
      %4 = mpmd.unassign %2#1 : ($B) -> $T
      %5 = mpmd.assign %3 : ($T) -> $A
      %6 = mpmd.assign %4 : ($T) -> $B
      return %5, %6 : $A, $B)");
}

TEST_CASE("what a loop would carry on two meshes is reported") {
  auto const result = rewritten(R"(
    func.func @main(%v: $T) -> ($A, $B) attributes $M {
      %r = mpmd.for (%v) {iterations = 3 : ui32, unroll_factor = 1 : ui32} (%i: $T, %index: tensor<ui32>) {
        mpmd.return %i : $T
      } : $T
      %a = mpmd.assign %r : ($T) -> $A
      %b = mpmd.assign %r : ($T) -> $B
      return %a, %b : $A, $B
    })");
  CHECK_FALSE(result.good);
  REQUIRE(!result.said.empty());
  CHECK(result.said[0].message == "value 0 of the loop is needed on several meshes: {b,a}");
  CHECK(result.said[0].where.line == 3);
}

TEST_CASE("a use that no pass has given a mesh is reported, and the op stays") {
  auto const result = rewritten(R"(
    func.func @main(%v: $T) -> $T attributes $M {
      %s = stablehlo.add %v, %v : $T
      return %s : $T
    })");
  CHECK_FALSE(result.good);
  REQUIRE(result.said.size() == 1);
  CHECK(result.said[0].message == "the op cannot be put on a mesh: it is used by an op that says no mesh");
  CHECK(result.said[0].where.line == 3);
  REQUIRE(result.said[0].notes.size() == 2);
  CHECK(result.said[0].notes[0].where.line == 4);
  CHECK(count(result.program, "stablehlo.add") == 1);
}

TEST_CASE("a call result needed where the function does not give it is read where it does") {
  check(R"(
    func.func @main(%v: $T) -> $B attributes $M {
      %r = mpmd.call @f(%v) {call_counter = 0 : ui32} : ($T) -> $T
      %b = mpmd.assign %r : ($T) -> $B
      return %b : $B
    }
    func.func private @f(%x: $T) -> ($T {mpmd.use_set = #mpmd.meshes_with_origins<"a">}) attributes $M {
      %n = stablehlo.negate %x : $T
      return %n : $T
    })",
        R"(
      %0 = mpmd.assign %arg0 : ($T) -> $A
      %1 = mpmd.call @f(%0) {call_counter = 0 : ui32} : ($A) -> $A
      %2 = mpmd.unassign %1 : ($A) -> $T
      %3 = mpmd.assign %2 : ($T) -> $B
      return %3 : $B)");
}

TEST_CASE("a call of another number of values than the function takes or returns is an error, and nothing changes") {
  auto const* const text = R"(
    func.func @main(%v: $T) attributes $M {
      mpmd.call @f() : () -> ()
      return
    }
    func.func private @f(%p: $T) attributes $M {
      return
    })";
  auto const result = rewritten(text);
  CHECK_FALSE(result.good);
  REQUIRE(result.said.size() == 1);
  CHECK(result.said[0].message ==
        "this call of 'f' has 0 operands and 0 results, but the function takes 1 and returns 0");
  CHECK(result.said[0].where.line == 3);
  CHECK(mpmd::text::to_mlir(result.program) == mpmd::text::to_mlir(testing::read(text)));
}

TEST_CASE("functions without a topology are left alone") {
  std::string_view const text = R"(
    func.func @main(%v: $T) -> $T {
      %s = stablehlo.add %v, %v {mpmd.use_set = #mpmd.meshes_with_origins<"a">} : $T
      return %s : $T
    })";
  auto const result = rewritten(text);
  CHECK(result.good);
  testing::expect(result.program, mpmd::text::to_mlir(testing::read(text)), -1);
}

TEST_CASE("taking many ops into one fragment keeps its operands few") {
  // A chain of ops with an operand each, all used by the fragment as well: n ops go in, in time linear in n.
  constexpr int n = 20'000;
  std::string text = "func.func @main(%v: $T) -> $A attributes $M {\n %s0 = stablehlo.negate %v : $T\n";
  for (int i = 1; i < n; ++i)
    text += "%s" + std::to_string(i) + " = stablehlo.add %s" + std::to_string(i - 1) + ", %v : $T\n";
  text += "%a = mpmd.assign %s" + std::to_string(n - 1) + " : ($T) -> $A\n" + identity("%f", "%a") + "return %f : $A\n}";
  auto const result = rewritten(text);
  CHECK(result.good);
  auto const& p = result.program;
  auto const fragment = testing::find(p, "mpmd.fragment");
  CHECK(p.operand_count(fragment) == n);  // %v, once for each op
  CHECK(count(p, "stablehlo.add") == n - 1);
}

TEST_CASE("rewriting compiles with the archetype of its concept") {
  mpmd::archetypes::mutable_program p;
  mpmd::diagnostics diags;
  CHECK(mpmd::rewrite_using_analysis{}(p, diags));
}

}  // namespace rewrite_using_analysis_test
