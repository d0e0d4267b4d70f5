// The passes about loops, calls and functions, those that every compiler has, and the import pipeline as a value.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/common_passes.hpp>
#include <mpmd/pipeline/import_pipeline.hpp>

#include "transform/outline.hpp"

namespace common_calls_test {

using testing::check_pass;

namespace {

std::string callee(std::string_view name, std::string_view signature, std::string_view body) {
  return "func.func private @" + std::string(name) + "(" + std::string(signature) + " attributes $M {\n" +
         std::string(body) + "}\n";
}
std::string loop(std::string_view attributes, std::string_view body) {
  return "%0:2 = mpmd.for (%x, %y) {" + std::string(attributes) + "} (%p: $T, %q: $T, %i: tensor<ui32>) {\n" +
         std::string(body) + "} : $T, $T\n";
}
// A compiler's own canonicaliser: an op that it knows to be its operand goes, beside what the library simplifies.
struct own_canonicalize {
  static constexpr std::string_view name = "own-canonicalize";
  static constexpr std::string_view summary = "Fold x.same, too";
  static constexpr auto options = std::tuple{};
  bool operator()(mpmd::ir::program& p, mpmd::diagnostics&) const {
    using program = mpmd::ir::program;
    auto const drop_same = [](mpmd::greedy_rewriter<program>& r, mpmd::ir::op o) {
      bool const fits = r.in().kind_text(o) == "x.same";
      if (fits) r.replace(o, {r.in().operand(o, 0)});
      return fits;
    };
    mpmd::canonicalize_with(p, p.root(), drop_same, mpmd::rewrite_mpmd<program>, mpmd::rewrite_sdy<program>,
                            mpmd::fold_stablehlo<program>);
    return true;
  }
};
std::vector<std::string> ids(testing::pass_outcome const& o) {
  std::vector<std::string> all;
  for (auto const& d : o.said) all.push_back(d.id);
  return all;
}

}  // namespace

TEST_CASE("loops are written out turn by turn, and turns are counted on from loop to loop") {
  std::string const turn = "%s = stablehlo.add %p, %q : $T\nmpmd.return %q, %s : $T, $T\n";
  std::string const second =
      "%1:2 = mpmd.for (%0#0, %0#1) {iterations = 1 : ui32, unroll_factor = 1 : ui32} (%p: $T, %q: $T, %i: tensor<ui32>) {\n"
      "mpmd.return %q, %p : $T, $T\n} : $T, $T\n";
  check_pass("%x: $T, %y: $T) -> ($T, $T)",
             loop("iterations = 2 : ui32, unroll_factor = 2 : ui32", turn) + second + "return %1#0, %1#1 : $T, $T\n",
             "0 = constant() {unroll_counter=0}\n1 = add(x0,x1) {unroll_counter=0}\n"
             "2 = constant() {unroll_counter=1}\n3 = add(x1,1) {unroll_counter=1}\n"
             "4 = constant() {unroll_counter=2}\nreturn(3,1)",
             mpmd::unroll_for_loops{});
}

TEST_CASE("the index of a loop is the number of its turn, and what is yielded may come from around it") {
  auto const result = testing::run_pass(
      "func.func @main(%x: tensor<ui32>, %y: tensor<ui32>) -> tensor<ui32> attributes $M {\n"
      "%0 = mpmd.for (%x) {iterations = 3 : ui32, unroll_factor = 3 : ui32} (%p: tensor<ui32>, %i: tensor<ui32>) {\n"
      "%s = stablehlo.add %p, %i : tensor<ui32>\nmpmd.return %s : tensor<ui32>\n} : tensor<ui32>\n"
      "%1 = mpmd.for (%0) {iterations = 1 : ui32, unroll_factor = 1 : ui32} (%p: tensor<ui32>, %i: tensor<ui32>) {\n"
      "mpmd.return %y : tensor<ui32>\n} : tensor<ui32>\n"
      "%2 = stablehlo.add %0, %1 : tensor<ui32>\nreturn %2 : tensor<ui32>\n}",
      mpmd::unroll_for_loops{});
  CHECK(result.good);
  testing::expect(result.program,
                  "%c = stablehlo.constant {unroll_counter = 0 : ui32} dense<0> : tensor<ui32>\n"
                  "%0 = stablehlo.add %arg0, %c {unroll_counter = 0 : ui32} : tensor<ui32>\n"
                  "%c_0 = stablehlo.constant {unroll_counter = 1 : ui32} dense<1> : tensor<ui32>\n"
                  "%1 = stablehlo.add %0, %c_0 {unroll_counter = 1 : ui32} : tensor<ui32>\n"
                  "%c_1 = stablehlo.constant {unroll_counter = 2 : ui32} dense<2> : tensor<ui32>\n"
                  "%2 = stablehlo.add %1, %c_1 {unroll_counter = 2 : ui32} : tensor<ui32>\n"
                  "%c_2 = stablehlo.constant {unroll_counter = 3 : ui32} dense<0> : tensor<ui32>\n"
                  "%3 = stablehlo.add %2, %arg1 : tensor<ui32>\n"
                  "return %3 : tensor<ui32>");
}

TEST_CASE("behind mesh inference the number of a turn is computed on the mesh of the index") {
  auto const result = testing::run_pass(
      "func.func @main(%x: $A) -> !mpmd.mesh_tensor<\"b\", tensor<i32>> attributes $M {\n"
      "%z = mpmd.fragment<mesh=\"b\", origin=[\"f\"]> () () {\n%c = stablehlo.constant dense<7> : tensor<i32>\n"
      "mpmd.return %c : tensor<i32>\n} : () -> !mpmd.mesh_tensor<\"b\", tensor<i32>>\n"
      "%0 = mpmd.for (%z) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%p: !mpmd.mesh_tensor<\"b\", tensor<i32>>, "
      "%i: !mpmd.mesh_tensor<\"b\", tensor<i32>>) {\nmpmd.return %i : !mpmd.mesh_tensor<\"b\", tensor<i32>>\n"
      "} : !mpmd.mesh_tensor<\"b\", tensor<i32>>\nreturn %0 : !mpmd.mesh_tensor<\"b\", tensor<i32>>\n}",
      mpmd::unroll_for_loops{});
  CHECK(result.good);
  std::string const text = mpmd::text::to_mlir(result.program);
  CHECK_MESSAGE(text.find("stablehlo.constant dense<1> : tensor<i32>") != std::string::npos, text);
  CHECK_MESSAGE(text.find("return %2 : !mpmd.mesh_tensor<\"b\", tensor<i32>>") != std::string::npos, text);
}

TEST_CASE("loops that cannot be written out are errors, and stay") {
  std::string const yield = "mpmd.return %p, %q : $T, $T\n";
  std::string const inner =
      "%1:2 = mpmd.for (%p, %q) {iterations = 1 : ui32, unroll_factor = 1 : ui32} (%r: $T, %s: $T, %j: tensor<ui32>) {\n"
      "mpmd.return %r, %s : $T, $T\n} : $T, $T\nmpmd.return %1#0, %1#1 : $T, $T\n";
  struct row {
    std::string body, id;
  };
  for (auto const& r : {row{loop("iterations = 4 : ui32", yield), "unroll.factor"},
                        row{loop("iterations = 4 : ui32, unroll_factor = 2 : ui32", yield), "unroll.factor"},
                        row{loop("iterations = 2 : ui32, unroll_factor = 2 : ui32", inner), "unroll.nested"},
                        row{loop("iterations = 4000000000 : ui32, unroll_factor = 4000000000 : ui32", yield), "unroll.size"}}) {
    auto const result = testing::run_pass(
        "func.func @main(%x: $T, %y: $T) -> $T attributes $M {\n" + r.body + "return %0#0 : $T\n}", mpmd::unroll_for_loops{});
    CHECK_FALSE(result.good);
    CHECK_EQ(ids(result), std::vector{r.id});
    CHECK_FALSE(testing::find_all(result.program, "mpmd.for").empty());
  }
}

TEST_CASE("unroll counters of calls become call counters") {
  std::string const g = callee("g", "%p: $T) -> $T", "return %p : $T\n");
  check_pass("%x: $T) -> $T",
             "%0 = mpmd.call @g(%x) {unroll_counter = 3 : ui32, call_counter = 1 : ui32} : ($T) -> $T\n"
             "%1 = stablehlo.negate %0 {unroll_counter = 3 : ui32} : $T\nreturn %1 : $T\n",
             "0 = call g(x0) {call_counter=3}\n1 = negate(0) {unroll_counter=3}\nreturn(1)",
             mpmd::from_unroll_to_call_counter{}, g);
  auto const bad = testing::run_pass("func.func @main(%x: $T) -> $T attributes $M {\n%0 = mpmd.call @g(%x) "
                                     "{unroll_counter = -1 : i64} : ($T) -> $T\nreturn %0 : $T\n}\n" +
                                         g,
                                     mpmd::from_unroll_to_call_counter{});
  CHECK_FALSE(bad.good);
  CHECK_EQ(ids(bad), std::vector<std::string>{"unroll-counter"});
}

TEST_CASE("a constant that all calls hand in moves into the function") {
  constexpr mpmd::sink_negligible_ops_into_call_op pass{};
  std::string const g = callee("g", "%p: $T, %q: $T) -> $T", "%0 = stablehlo.subtract %p, %q : $T\nreturn %0 : $T\n");
  auto const sunk = testing::run_pass("func.func @main(%x: $T) -> ($T, $T) attributes $M {\n"
                                      "%c = stablehlo.constant dense<1.0> : $T\n%0 = mpmd.call @g(%x, %c) : ($T, $T) -> $T\n"
                                      "%1 = mpmd.call @g(%0, %c) : ($T, $T) -> $T\nreturn %0, %1 : $T, $T\n}\n" +
                                          g,
                                      pass);
  CHECK_EQ(testing::outline(sunk.program), "0 = call g(x0)\n1 = call g(0)\nreturn(0,1)\n");
  CHECK_EQ(testing::outline(sunk.program, 1), "0 = constant()\n1 = subtract(x0,0)\nreturn(1)\n");
  // Not the same value in all calls, one of which nobody uses; made from something.
  for (char const* body : {"%c = stablehlo.constant dense<1.0> : $T\n%d = stablehlo.constant dense<2.0> : $T\n"
                           "%0 = mpmd.call @g(%x, %c) : ($T, $T) -> $T\n%1 = mpmd.call @g(%x, %d) : ($T, $T) -> $T\n",
                           "%c = stablehlo.negate %x : $T\n%0 = mpmd.call @g(%x, %c) : ($T, $T) -> $T\n"}) {
    auto const stays = testing::run_pass(
        "func.func @main(%x: $T) -> $T attributes $M {\n" + std::string(body) + "return %0 : $T\n}\n" + g, pass);
    CHECK_EQ(testing::outline(stays.program, 1), "0 = subtract(x0,x1)\nreturn(0)\n");
  }
}

TEST_CASE("nothing moves into a function without a body") {
  auto const result = testing::run_pass(
      "func.func @main() -> $T attributes $M {\n%c = stablehlo.constant dense<1.0> : $T\n"
      "%0 = mpmd.call @g(%c) : ($T) -> $T\nreturn %0 : $T\n}\nfunc.func private @g($T) -> $T attributes $M\n",
      mpmd::sink_negligible_ops_into_call_op{});
  CHECK(result.good);
  CHECK_EQ(testing::find_all(result.program, "stablehlo.constant").size(), 1);
}

TEST_CASE("arguments that are unused or handed back go, with the results they are, and whole calls") {
  constexpr mpmd::erase_unused_callee_block_arguments pass{};
  std::string const g =
      callee("g", "%p: $T, %q: $T, %r: $T) -> ($T, $T)", "%0 = stablehlo.negate %p : $T\nreturn %q, %0 : $T, $T\n");
  auto const result = testing::run_pass("func.func @main(%x: $T, %y: $T, %z: $T) -> ($T, $T) attributes $M {\n"
                                        "%0:2 = mpmd.call @g(%x, %y, %z) {call_counter = 1 : ui32} : ($T, $T, $T) -> ($T, $T)\n"
                                        "return %0#0, %0#1 : $T, $T\n}\n" +
                                            g,
                                        pass);
  CHECK_EQ(testing::outline(result.program), "0 = call g(x0) {call_counter=1}\nreturn(x1,0)\n");
  CHECK_EQ(testing::outline(result.program, 1), "0 = negate(x0)\nreturn(0)\n");

  // A call whose results nobody uses follows its function like any other.
  auto const idle = testing::run_pass("func.func @main(%x: $T, %y: $T, %z: $T) -> ($T, $T) attributes $M {\n"
                                      "%0:2 = mpmd.call @g(%z, %y, %x) : ($T, $T, $T) -> ($T, $T)\n"
                                      "%1:2 = mpmd.call @g(%x, %y, %z) : ($T, $T, $T) -> ($T, $T)\n"
                                      "return %1#0, %1#1 : $T, $T\n}\n" +
                                          g,
                                      pass);
  CHECK_EQ(testing::outline(idle.program), "0 = call g(x2)\n1 = call g(x0)\nreturn(x1,1)\n");

  auto const gone = testing::run_pass("func.func @main(%x: $T) -> $T attributes $M {\n%0 = mpmd.call @g(%x) : ($T) -> $T\n"
                                      "return %0 : $T\n}\n" +
                                          callee("g", "%p: $T) -> $T", "return %p : $T\n"),
                                      pass);
  CHECK_EQ(testing::outline(gone.program), "return(x0)\n");
  CHECK_EQ(mpmd::ir_traits<mpmd::ir::program>::functions(gone.program).size(), 1);
}

TEST_CASE("what has effects is not sunk into a function, and a function with effects keeps its calls") {
  auto unchanged = [](std::string const& text, auto const& pass) {
    std::string const before = mpmd::text::to_mlir(testing::read(text));
    auto const result = testing::run_pass(text, pass);
    CHECK(result.good);
    CHECK(mpmd::text::to_mlir(result.program) == before);
  };
  unchanged(R"(
    func.func @main() -> ($T, $T) attributes $M {
      %k = stablehlo.custom_call @draw() {has_side_effect = true} : () -> $T
      %0 = mpmd.call @f(%k) : ($T) -> $T
      %1 = mpmd.call @f(%k) : ($T) -> $T
      return %0, %1 : $T, $T
    }
    func.func private @f(%x: $T) -> $T attributes $M {
      %0 = stablehlo.negate %x : $T
      return %0 : $T
    })",
            mpmd::sink_negligible_ops_into_call_op{});
  auto const kept = testing::run_pass(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %0 = mpmd.call @f(%x) : ($T) -> $T
      return %0 : $T
    }
    func.func private @f(%x: $T) -> $T attributes $M {
      stablehlo.custom_call @log() {has_side_effect = true} : () -> ()
      return %x : $T
    })",
                                      mpmd::erase_unused_callee_block_arguments{});
  CHECK(kept.good);
  CHECK(mpmd::text::to_mlir(kept.program).find("mpmd.call @f(") != std::string::npos);
}

TEST_CASE("calls are inlined, callees first, and fragments take their notes over") {
  std::string const g =
      callee("g", "%p: $A) -> ($A, $A)",
             testing::fragment("%0", 'a', "[\"f\"]", "%p", "negate(p0) return(0)", "call_counter = 7 : ui32, mark") +
                 "%t = mpmd.transfer %0 : ($A) -> $B\n%u = mpmd.transfer %t : ($B) -> $A\nreturn %u, %p : $A, $A\n");
  check_pass("%x: $A) -> ($A, $A)",
             "%0:2 = mpmd.call @g(%x) {call_counter = 1 : ui32} : ($A) -> ($A, $A)\nreturn %0#0, %0#1 : $A, $A\n",
             "0 = f@a(x0) {call_counter=1 mark}: negate(p0) return(0)\n1 = transfer(0) b\n2 = transfer(1) a\nreturn(2,x0)",
             mpmd::call_inline{}, g);
  // What a called function calls comes in with it.
  std::string const f = "func.func private @f(%x: $T) -> $T {\n%0 = mpmd.call @g(%x) : ($T) -> $T\n"
                        "%1 = stablehlo.abs %0 : $T\nreturn %1 : $T\n}\n"
                        "func.func private @g(%x: $T) -> $T {\n%0 = stablehlo.negate %x : $T\nreturn %0 : $T\n}\n";
  check_pass("%x: $T) -> $T", "%0 = mpmd.call @f(%x) : ($T) -> $T\nreturn %0 : $T\n", "0 = negate(x0)\n1 = abs(0)\nreturn(1)",
             mpmd::call_inline{}, f);
}

TEST_CASE("what cannot be inlined is an error that says why") {
  struct row {
    char const *text, *why;
  };
  for (auto const& r : {row{"func.func @main(%x: $T) -> $T {\n%0 = mpmd.call @g(%x) : ($T) -> $T\nreturn %0 : $T\n}\n"
                            "func.func private @g($T) -> $T\n",
                            "no body"},
                        row{"func.func @main(%x: $T) -> $T {\n%0 = mpmd.call @g(%x) : ($T) -> $T\nreturn %0 : $T\n}\n"
                            "func.func private @g(%x: $T) -> $T {\ncf.br ^b\n^b:\nreturn %x : $T\n}\n",
                            "more than one block"},
                        row{"func.func @main(%x: $T) -> $T {\n%0 = mpmd.call @g(%x) : ($T) -> $T\nreturn %0 : $T\n}\n"
                            "func.func private @g(%x: $T) -> $T {\n%0 = mpmd.call @main(%x) : ($T) -> $T\nreturn %0 : $T\n}\n",
                            "calls itself"}}) {
    auto const result = testing::run_pass(r.text, mpmd::call_inline{});
    CHECK_FALSE(result.good);
    REQUIRE_EQ(result.said.size(), 1);
    CHECK(result.said[0].message.find("Failed to inline") == 0);
    CHECK(result.said[0].message.find(r.why) != std::string::npos);
  }
}

TEST_CASE("what would grow beyond bounds is an error before anything is made") {
  // Each function calls the next twice: 2^41 copies of the last.
  for (std::string const call : {"mpmd.call", "func.call"}) {
    std::string text = "func.func @f0(%x: $T) -> $T {\n";
    for (int i = 1; i <= 41; ++i)
      text += "%0 = " + call + " @f" + std::to_string(i) + "(%x) : ($T) -> $T\n%1 = " + call + " @f" + std::to_string(i) +
              "(%0) : ($T) -> $T\nreturn %1 : $T\n}\nfunc.func private @f" + std::to_string(i) + "(%x: $T) -> $T {\n";
    text += "%0 = stablehlo.negate %x : $T\nreturn %0 : $T\n}\n";
    auto const result = call == "mpmd.call" ? testing::run_pass(text, mpmd::call_inline{})
                                            : testing::run_pass(text, mpmd::inline_functions{});
    CHECK_FALSE(result.good);
    CHECK_EQ(ids(result), std::vector<std::string>{call == "mpmd.call" ? "call-inline" : "inline"});
    CHECK_EQ(testing::find_all(result.program, call).size(), 82);
  }
  // Two loops that fit only one by one.
  std::string const yield = "mpmd.return %p, %q : $T, $T\n", big = "iterations = 9000000 : ui32, unroll_factor = 9000000 : ui32";
  std::string second = loop(big, yield);
  second.replace(0, 4, "%1:2");
  auto const result = testing::run_pass(
      "func.func @main(%x: $T, %y: $T) -> $T attributes $M {\n" + loop(big, yield) + second + "return %1#0 : $T\n}",
      mpmd::unroll_for_loops{});
  CHECK_FALSE(result.good);
  CHECK_EQ(testing::find_all(result.program, "mpmd.for").size(), 2);
}

TEST_CASE("ordinary calls are inlined where they stand, but not in a cycle, and mpmd.call never") {
  auto const result = testing::run_pass(
      "func.func @main(%x: $T) -> ($T, $T, $T) attributes $M {\n%0 = func.call @g(%x) : ($T) -> $T\n"
      "%1 = func.call @r(%0) : ($T) -> $T\n%2 = mpmd.call @m(%1) : ($T) -> $T\nreturn %0, %1, %2 : $T, $T, $T\n}\n"
      "func.func private @g(%p: $T) -> $T {\n%0 = func.call @h(%p) : ($T) -> $T\nreturn %0 : $T\n}\n"
      "func.func private @h(%p: $T) -> $T {\n%0 = stablehlo.negate %p : $T\nreturn %0 : $T\n}\n"
      "func.func private @r(%p: $T) -> $T {\n%0 = func.call @r(%p) : ($T) -> $T\nreturn %0 : $T\n}\n" +
          callee("m", "%p: $T) -> $T", "return %p : $T\n"),
      mpmd::inline_functions{});
  CHECK(result.good);
  CHECK_EQ(testing::outline(result.program), "0 = negate(x0)\n1 = call(0)\n2 = call m(1)\nreturn(0,1,2)\n");
  CHECK_EQ(mpmd::ir_traits<mpmd::ir::program>::functions(result.program).size(), 3);  // @g and @h are gone
}

TEST_CASE("a function that is to run on meshes cannot call itself") {
  std::string const loops = "(%p: $T) -> $T {\n%0 = func.call @g(%p) : ($T) -> $T\nreturn %0 : $T\n}\n";
  auto const placed = testing::run_pass("func.func @main(%x: $T) -> $T attributes $M {\n%0 = mpmd.call @g(%x) : ($T) -> $T\n"
                                        "return %0 : $T\n}\nfunc.func private @g" + loops,
                                        mpmd::inline_functions{});
  CHECK_FALSE(placed.good);
  CHECK_EQ(ids(placed), std::vector<std::string>{"inline.recursion"});
  CHECK_EQ(placed.said[0].message,
           "function 'g' calls itself, directly or through other functions, and cannot be inlined");
  CHECK_EQ(testing::find_all(placed.program, "func.call").size(), 1);
  auto const ordinary = testing::run_pass("func.func @g" + loops, mpmd::inline_functions{});
  CHECK(ordinary.good);
  CHECK(ordinary.said.empty());
}

TEST_CASE("names mean what they do in the module around, for calls and for erasure") {
  std::string const f = "(%p: $T) -> $T {\n%0 = stablehlo.negate %p : $T\nreturn %0 : $T\n}\n";
  std::string const calls = "func.func @main(%x: $T) -> $T {\n%0 = func.call @f(%x) : ($T) -> $T\nreturn %0 : $T\n}\n";
  auto const inlined = testing::run_pass(calls + "func.func private @f" + f + "module @inner {\n" + calls +
                                             "func.func private @f(%p: $T) -> $T {\n%0 = stablehlo.abs %p : $T\n"
                                             "return %0 : $T\n}\n}\n",
                                         mpmd::inline_functions{});
  CHECK(inlined.good);
  CHECK_EQ(testing::find_all(inlined.program, "func.call").size(), 0);
  CHECK_EQ(testing::find_all(inlined.program, "func.func").size(), 2);
  CHECK_EQ(testing::find_all(inlined.program, "stablehlo.negate").size(), 1);
  CHECK_EQ(testing::find_all(inlined.program, "stablehlo.abs").size(), 1);
  auto const erased = testing::run_pass("func.func private @f" + f + "module @inner {\n" + calls + "func.func private @f" + f +
                                            "func.func private @g" + f + "}\n",
                                        mpmd::erase_unused_symbols{});
  CHECK_EQ(testing::find_all(erased.program, "func.func").size(), 3);  // both named @f: erasure goes by name alone
}

TEST_CASE("functions of several blocks or other types stay calls") {
  auto const result = testing::run_pass(
      "func.func @main(%x: $T) -> $T {\n%0 = func.call @two(%x) : ($T) -> $T\nreturn %0 : $T\n}\n"
      "func.func private @two(%x: $T) -> $T {\n  \"cf.br\"(%x)[^end] : ($T) -> ()\n^end(%p: $T):\n  return %p : $T\n}\n",
      mpmd::inline_functions{});
  CHECK(result.good);
  CHECK_EQ(testing::find_all(result.program, "func.call").size(), 1);
}

TEST_CASE("sums and the like are equal in whatever order they take their operands, in bodies too") {
  auto p = testing::read(R"(
    func.func @main(%x: $T, %y: $T, %a: tensor<i1>, %b: tensor<i1>) -> ($T, $T, $T, $T, $T, $T, tensor<i1>, tensor<i1>) {
      %0 = stablehlo.add %x, %y : $T
      %1 = stablehlo.add %y, %x : $T
      %2 = stablehlo.subtract %x, %y : $T
      %3 = stablehlo.subtract %y, %x : $T
      %4 = mpmd.named_computation<"f"> (%x, %y) (%p: $T, %q: $T) {
        %8 = stablehlo.maximum %p, %q : $T
        mpmd.return %8 : $T
      } : ($T, $T) -> $T
      %5 = mpmd.named_computation<"f"> (%x, %y) (%p: $T, %q: $T) {
        %8 = stablehlo.maximum %q, %p : $T
        mpmd.return %8 : $T
      } : ($T, $T) -> $T
      %6 = stablehlo.xor %a, %b : tensor<i1>
      %7 = stablehlo.xor %b, %a : tensor<i1>
      return %0, %1, %2, %3, %4, %5, %6, %7 : $T, $T, $T, $T, $T, $T, tensor<i1>, tensor<i1>
    })");
  mpmd::merge_common_subexpressions(p, p.root());
  CHECK(mpmd::text::to_mlir(p).find("return %0, %0, %1, %2, %3, %3, %4, %4 :") != std::string::npos);
}

TEST_CASE("equal computations become one, named ones with equal bodies included; calls do not") {
  std::string const named = " = mpmd.named_computation<\"f\"> (%x) (%p: $T) {\n%n = stablehlo.negate %p : $T\n"
                            "mpmd.return %n : $T\n} : ($T) -> $T\n";
  check_pass("%x: $T) -> ($T, $T, $T, $T, $T, $T)",
             "%0" + named + "%1" + named + "%2 = stablehlo.add %x, %x : $T\n%3 = stablehlo.add %x, %x : $T\n"
             "%4 = mpmd.call @g(%x) : ($T) -> $T\n%5 = mpmd.call @g(%x) : ($T) -> $T\n"
             "return %0, %1, %2, %3, %4, %5 : $T, $T, $T, $T, $T, $T\n",
             "0 = named_computation(x0)\n1 = add(x0,x0)\n2 = call g(x0)\n3 = call g(x0)\nreturn(0,0,1,1,2,3)",
             mpmd::eliminate_common_subexpressions{}, callee("g", "%p: $T) -> $T", "return %p : $T\n"));
  // Inside an isolated body nothing from outside is used.
  check_pass("%x: $T) -> ($T, $T)",
             "%0" + named + "%1 = stablehlo.negate %x : $T\nreturn %0, %1 : $T, $T\n",
             "0 = named_computation(x0)\n1 = negate(x0)\nreturn(0,1)", mpmd::eliminate_common_subexpressions{});
}

TEST_CASE("private functions that nothing names go, with what only they name") {
  auto const result = testing::run_pass("func.func @main(%x: $T) -> $T {\n%0 = func.call @used(%x) : ($T) -> $T\nreturn %0 : $T\n}\n"
                                        "func.func private @used(%x: $T) -> $T { return %x : $T }\n"
                                        "func.func private @a(%x: $T) -> $T {\n%0 = func.call @b(%x) : ($T) -> $T\nreturn %0 : $T\n}\n"
                                        "func.func private @b(%x: $T) -> $T {\n%0 = func.call @a(%x) : ($T) -> $T\nreturn %0 : $T\n}\n"
                                        "func.func @open(%x: $T) -> $T { return %x : $T }\n",
                                        mpmd::erase_unused_symbols{});
  std::vector<std::string> names;
  for (auto const f : mpmd::ir_traits<mpmd::ir::program>::functions(result.program))
    names.emplace_back(mpmd::ir_traits<mpmd::ir::program>::function_name(result.program, f));
  CHECK_EQ(names, std::vector<std::string>{"main", "used", "open"});
}

TEST_CASE("a long chain of concatenations becomes one, at once") {
  constexpr int n = 1000;
  std::string text = "func.func @main(%x: tensor<1xf32>) -> tensor<" + std::to_string(n + 1) + "xf32> {\n", last = "%x";
  for (int i = 1; i <= n; ++i) {
    std::string const from = "tensor<" + std::to_string(i) + "xf32>", to = "tensor<" + std::to_string(i + 1) + "xf32>";
    std::string const made = "%c" + std::to_string(i);
    text += made + " = stablehlo.concatenate " + last + ", %x, dim = 0 : (" + from + ", tensor<1xf32>) -> " + to + "\n";
    last = made;
  }
  mpmd::diagnostics diags;
  auto p = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "test.mlir",
                                 text + "return " + last + " : tensor<" + std::to_string(n + 1) + "xf32>\n}", diags);
  REQUIRE(p);
  std::size_t const before = p->memory_use();
  CHECK(mpmd::canonicalize{}(*p, diags));
  auto const left = testing::find_all(*p, "stablehlo.concatenate");
  REQUIRE_EQ(left.size(), 1);
  CHECK_EQ(p->operand_count(left[0]), n + 1);
  // Flattened step by step, the operands alone would take n * n / 2 places.
  CHECK(p->memory_use() < 4 * before);
}

TEST_CASE("bodies that capture other values are other bodies, and cost no comparison with each other") {
  // Half of the conditionals are there twice.
  constexpr int n = 10000;
  std::string text = "func.func @main(%p: tensor<i1>) attributes $M {\n";
  for (int i = 0; i < n; ++i) {
    std::string const k = std::to_string(i), of = std::to_string(i % (n / 2));
    if (i < n / 2) text += "%x" + k + " = \"x.made\"() : () -> $T\n";
    text += "%y" + k + " = \"stablehlo.if\"(%p) ({\n%q = stablehlo.abs %x" + of + " : $T\nstablehlo.return %q : $T\n}, {\n" +
            "stablehlo.return %x" + of + " : $T\n}) : (tensor<i1>) -> $T\n\"x.used\"(%y" + k + ") : ($T) -> ()\n";
  }
  auto p = testing::read(text + "return\n}");
  mpmd::diagnostics diags;
  CHECK(mpmd::eliminate_common_subexpressions{}(p, diags));
  CHECK_EQ(testing::find_all(p, "stablehlo.if").size(), n / 2);
}

TEST_CASE("a dynamic slice of no size that there can be is left to whoever checks it") {
  auto p = testing::read(R"(func.func @main(%x: tensor<5xf32>, %i: tensor<i32>) -> tensor<1xf32> {
    %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: -9223372036854775808>}> : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  })");
  mpmd::diagnostics diags;
  CHECK(mpmd::canonicalize{}(p, diags));
  CHECK_EQ(testing::find_all(p, "stablehlo.dynamic_slice").size(), 1);
}

TEST_CASE("an order of dimensions that is none, by its length or its type, is folded to nothing") {
  for (std::string_view const order : {"array<i64>", "array<i64: 0>", "array<i64: 0, 1, 2>", "array<i32: 0, 1>"}) {
    CAPTURE(order);
    std::string text = "func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {\n%0 = \"stablehlo.transpose\"(%x) <{permutation = ";
    text.append(order).append("}> : (tensor<2x2xf32>) -> tensor<2x2xf32>\nreturn %0 : tensor<2x2xf32>\n}");
    mpmd::diagnostics diags;
    auto p = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "test.mlir", text, diags);
    REQUIRE(p);
    CHECK(mpmd::canonicalize{}(*p, diags));
    CHECK_EQ(testing::find_all(*p, "stablehlo.transpose").size(), 1);
  }
}

TEST_CASE("folds of stablehlo ops") {
  struct row {
    char const *signature, *body, *expected;
  };
  for (auto const& r : {
           row{"%x: tensor<2xf32>, %y: tensor<1xf32>) -> tensor<6xf32>",
               "%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>\n"
               "%1 = stablehlo.concatenate %0, %y, %x, dim = 0 : (tensor<3xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<6xf32>\n"
               "return %1 : tensor<6xf32>\n",
               "0 = concatenate(x0,x1,x1,x0)\nreturn(0)"},
           row{"%x: tensor<2xf32>, %y: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<2xf32>)",
               "%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>\n"
               "%1 = stablehlo.slice %0 [2:3] : (tensor<3xf32>) -> tensor<1xf32>\n"
               "%2 = stablehlo.slice %0 [1:2] : (tensor<3xf32>) -> tensor<1xf32>\n"
               "%3 = stablehlo.slice %0 [1:3] : (tensor<3xf32>) -> tensor<2xf32>\n"
               "return %1, %2, %3 : tensor<1xf32>, tensor<1xf32>, tensor<2xf32>\n",
               "0 = concatenate(x0,x1)\n1 = slice(x0)\n2 = slice(0)\nreturn(x1,1,2)"},
           row{"%x: tensor<3x2xf32>) -> tensor<1x2xf32>",
               "%c = stablehlo.constant dense<1> : tensor<ui32>\n%d = stablehlo.constant dense<0> : tensor<ui32>\n"
               "%i = stablehlo.add %c, %d : tensor<ui32>\n"
               "%0 = stablehlo.dynamic_slice %x, %i, %d, sizes = [1, 2] : (tensor<3x2xf32>, tensor<ui32>, tensor<ui32>) -> "
               "tensor<1x2xf32>\nreturn %0 : tensor<1x2xf32>\n",
               "0 = slice(x0)\nreturn(0)"},
           row{"%x: tensor<2x3xf32>) -> (tensor<6xf32>, tensor<2x3xf32>, tensor<2x3xf32>)",
               "%0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
               "%1 = stablehlo.reshape %0 : (tensor<3x2xf32>) -> tensor<6xf32>\n"
               "%2 = stablehlo.reshape %0 : (tensor<3x2xf32>) -> tensor<2x3xf32>\n"
               "%3 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
               "return %1, %2, %3 : tensor<6xf32>, tensor<2x3xf32>, tensor<2x3xf32>\n",
               "0 = reshape(x0)\nreturn(0,x0,x0)"},
           row{"%x: tensor<3x3xf32>, %i: tensor<i32>) -> (tensor<3x3xf32>, tensor<i32>, tensor<i32>)",
               "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>\n"
               "%c = stablehlo.constant dense<2> : tensor<i32>\n%d = stablehlo.constant dense<5> : tensor<i32>\n"
               "%b = stablehlo.compare LT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
               "%1 = stablehlo.select %b, %i, %d : tensor<i1>, tensor<i32>\n"
               "%z = stablehlo.subtract %c, %c : tensor<i32>\n%2 = stablehlo.add %z, %i : tensor<i32>\n"
               "return %0, %1, %2 : tensor<3x3xf32>, tensor<i32>, tensor<i32>\n",
               "0 = transpose(x0)\nreturn(0,x1,x1)"},
       })
    check_pass(r.signature, r.body, r.expected, mpmd::canonicalize{});
  // Indices are clamped, and numbers wrap.
  auto const result = testing::run_pass(
      "func.func @main(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<ui8>, tensor<i4>) attributes $M {\n"
      "%c = stablehlo.constant dense<9> : tensor<i32>\n%d = stablehlo.constant dense<200> : tensor<ui8>\n"
      "%e = stablehlo.constant dense<7> : tensor<i4>\n%2 = stablehlo.add %e, %e : tensor<i4>\n"
      "%0 = stablehlo.dynamic_slice %x, %c, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>\n"
      "%1 = stablehlo.add %d, %d : tensor<ui8>\nreturn %0, %1, %2 : tensor<2xf32>, tensor<ui8>, tensor<i4>\n}",
      mpmd::canonicalize{});
  testing::expect(result.program, "%c = stablehlo.constant dense<144> : tensor<ui8>\n"
                                  "%c_0 = stablehlo.constant dense<-2> : tensor<i4>\n"
                                  "%0 = stablehlo.slice %arg0 [2:4] : (tensor<4xf32>) -> tensor<2xf32>\n"
                                  "return %0, %c, %c_0 : tensor<2xf32>, tensor<ui8>, tensor<i4>");
}

TEST_CASE("a way over host memory on one mesh is no detour") {
  std::string const host = "!mpmd.mesh_tensor<\"a\", tensor<2xf32>, memory_kind=\"pinned_host\">";
  check_pass("%x: $A) -> $A",
             "%0 = mpmd.transfer %x : ($A) -> " + host + "\n%1 = mpmd.transfer %0 : (" + host + ") -> $A\nreturn %1 : $A\n",
             "0 = transfer(x0) a\n1 = transfer(0) a\nreturn(1)", mpmd::canonicalize{});
}

TEST_CASE("the import pipeline is a list of passes that options lengthen and shorten") {
  using program = mpmd::ir::program;
  auto names = [](mpmd::import_options const& asked) {
    std::vector<std::string> all;
    for (auto const& one : mpmd::import_pipeline<program>(asked)) all.push_back(one.name);
    return all;
  };
  auto has = [](std::vector<std::string> const& all, char const* name) {
    return std::count(all.begin(), all.end(), name);
  };
  auto const usual = names({});
  CHECK_EQ(usual.front(), "inline");
  CHECK_EQ(std::vector<std::string>(usual.end() - 3, usual.end()),
           std::vector<std::string>{"mpmd-merge-user-fragments-into-scheduling-units", "mpmd-fragment-dedup",
                                    "mpmd-fragment-dce"});
  CHECK_EQ(has(usual, "mpmd-merge-inferred-fragments"), 3);
  CHECK_EQ(has(usual, "mpmd-generate-sdy-meshes-from-topology"), 0);
  CHECK_EQ(has(usual, "mpmd-scheduling-units-verifier"), 0);
  for (auto const& one : mpmd::import_pipeline<program>({}))  // misplaced names stop it
    if (one.name == "mpmd-validate-named-ops-in-mpmd-func") CHECK_EQ(one.options, "fail=true");
  auto const late = names({.merge_after_scheduling = true});
  CHECK_EQ(has(late, "mpmd-merge-inferred-fragments"), 0);
  CHECK_EQ(has(late, "mpmd-absorb-inferred-fragments"), 0);
  CHECK_EQ(has(late, "mpmd-merge-user-fragments-into-scheduling-units"), 1);
  CHECK_EQ(has(names({.heterogeneous_meshes = true}), "mpmd-generate-sdy-meshes-from-topology"), 1);
  auto const all = names({.split_bwd = true, .verify_schedule_units = true});
  CHECK_EQ(has(all, "mpmd-scheduling-units-verifier"), 1);
  CHECK_EQ(std::vector<std::string>(all.end() - 3, all.end()),
           std::vector<std::string>{"mpmd-split-bwd-fragments", "canonicalize", "mpmd-fragment-dce"});
}

TEST_CASE("a compiler puts its own canonicaliser in the place of the library's") {
  std::string const text = R"(func.func @main(%x: $T) -> $T attributes $M {
    %0 = "x.same"(%x) : ($T) -> $T
    %1 = mpmd.named_computation<"f"> (%0) (%p: $T) {
      %2 = "x.same"(%p) : ($T) -> $T
      %3 = stablehlo.negate %2 : $T
      mpmd.return %3 : $T
    } : ($T) -> $T
    return %1 : $T
  })";
  auto passes = mpmd::import_pipeline<mpmd::ir::program>({.name_to_mesh = {{"f", {"a"}}}});
  for (auto& one : passes)
    if (one.name == mpmd::canonicalize::name) one = own_canonicalize{};
  CHECK_EQ(std::count_if(passes.begin(), passes.end(), [](auto const& one) { return one.name == "own-canonicalize"; }), 2);
  mpmd::diagnostics diags;
  auto p = testing::read(text);
  CHECK(mpmd::run(passes, p, diags));
  CHECK_EQ(testing::outline(p), "0 = f@a(x0): negate(p0) return(0)\nreturn(0)\n");
}

TEST_CASE("the import pipeline places named computations, and can be cut behind any pass") {
  std::string const text = R"(func.func @main(%x: $T) -> $T attributes $M {
    %0 = mpmd.named_computation<"f"> (%x) (%p: $T) {
      %1 = stablehlo.negate %p : $T
      mpmd.return %1 : $T
    } : ($T) -> $T
    %2 = mpmd.named_computation<"g"> (%0) (%p: $T) {
      %3 = stablehlo.abs %p : $T
      mpmd.return %3 : $T
    } : ($T) -> $T
    %4 = stablehlo.add %2, %2 : $T
    return %4 : $T
  })";
  auto const passes = mpmd::import_pipeline<mpmd::ir::program>({.name_to_mesh = {{"f", {"a"}}, {"g", {"b", 1}}}});
  mpmd::diagnostics diags;
  auto p = testing::read(text);
  CHECK(mpmd::run(passes, p, diags));
  CHECK_EQ(testing::outline(p), "0 = f@a(x0): negate(p0) return(0)\n1 = transfer(0) b\n"
                                "2 = g@b/1(1): abs(p0) add(0,0) return(1)\nreturn(2)\n");
  auto cut = testing::read(text);
  CHECK_FALSE(mpmd::run(passes, cut, diags, [](auto const& ran) { return ran.name != "mpmd-map-named-ops-to-mpmd-ops"; }));
  CHECK_EQ(testing::find_all(cut, "mpmd.assign").size(), 2);
}

TEST_CASE("an imported program moves nothing that nobody uses") {
  auto const passes = mpmd::import_pipeline<mpmd::ir::program>({.name_to_mesh = {{"at_a", {"a"}}, {"at_b", {"b"}}}});
  mpmd::diagnostics diags;
  // A way from a to b and back is no way, and then nothing uses what is on b.
  auto back = testing::read(R"(func.func @main(%x: $T) -> $T attributes $M {
    %0 = mpmd.named_tensor %x name="at_a" : $T
    %1 = mpmd.named_tensor %0 name="at_b" : $T
    %2 = mpmd.named_tensor %1 name="at_a" : $T
    return %2 : $T
  })");
  CHECK(mpmd::run(passes, back, diags));
  CHECK_EQ(testing::outline(back), "return(x0)\n");
  // A result that no call of the function uses.
  auto called = testing::read(R"(func.func @main(%x: $T) -> $T attributes $M {
    %0:2 = mpmd.call @g(%x) : ($T) -> ($T, $T)
    return %0#0 : $T
  }
  func.func private @g(%x: $T) -> ($T, $T) {
    %0 = mpmd.named_tensor %x name="at_a" : $T
    %1 = mpmd.named_tensor %0 name="at_b" : $T
    return %0, %1 : $T, $T
  })");
  CHECK(mpmd::run(passes, called, diags));
  CHECK_EQ(testing::outline(called), "return(x0)\n");
}

TEST_CASE("what several calls need on a mesh is sent there once") {
  auto const passes = mpmd::import_pipeline<mpmd::ir::program>({.name_to_mesh = {{"f", {"a"}}}, .input_to_mesh = {{0, "b"}}});
  mpmd::diagnostics diags;
  auto p = testing::read(R"(func.func @main(%w: $T, %x: $T) -> $T attributes $M {
    %0 = mpmd.call @g(%w, %x) : ($T, $T) -> $T
    %1 = mpmd.call @g(%w, %0) : ($T, $T) -> $T
    return %1 : $T
  }
  func.func private @g(%w: $T, %x: $T) -> $T {
    %0 = mpmd.named_computation<"f"> (%w, %x) (%v: $T, %y: $T) {
      %1 = stablehlo.add %v, %y : $T
      mpmd.return %1 : $T
    } : ($T, $T) -> $T
    return %0 : $T
  })");
  CHECK(mpmd::run(passes, p, diags));
  CHECK_EQ(testing::outline(p), "0 = transfer(x0) a\n1 = f@a(0,x1): add(p0,p1) add(p0,0) return(1)\nreturn(1)\n");
}

}  // namespace common_calls_test
