// Explanations: shortest chains from a value to the annotation that caused a fact.
#include "mlir_program.hpp"

#include <mpmd/analysis/why.hpp>

#include <string>
#include <vector>

namespace why_test {

namespace {

// The kinds of ops along a chain; `argument` and `result` for steps that are no op's.
template <class Chain>
std::vector<std::string> kinds(mpmd::ir::program const& p, Chain const& chain) {
  std::vector<std::string> found;
  for (auto const& s : chain)
    found.push_back(s.kind == mpmd::step_kind::argument          ? "argument"
                    : s.kind == mpmd::step_kind::function_result ? "result"
                                                                 : std::string(p.kind_text(s.o)));
  return found;
}

constexpr auto called_twice = R"(
  func.func @main(%v: $T) attributes $M {
    %c = mpmd.call @f(%v) : ($T) -> $T
    %d = mpmd.call @f(%c) : ($T) -> $T
    %x = mpmd.assign {origin = "enc"} %d : ($T) -> $A
    return
  }
  func.func private @f(%p: $T) -> $T attributes $M {
    %n = stablehlo.negate %p : $T
    return %n : $T
  })";

}  // namespace

TEST_CASE("the chain of a use leads through calls and back to the nearest assign") {
  auto const p = testing::read(called_twice);
  auto const uses = mpmd::use_sets(p);
  mpmd::explainer why(uses);
  auto const main = mpmd::functions(p)[0];
  auto const v = mpmd::arguments(p, main)[0];
  using list = std::vector<std::string>;
  // %v is passed to @f, whose negated argument it returns; the second call's result is assigned.
  CHECK(kinds(p, why.why(v, "a")) == list{"argument", "argument", "stablehlo.negate", "result", "mpmd.call", "mpmd.assign"});
  CHECK(why.why(v, "b").empty());
  CHECK(why.why(v, "no such mesh").empty());
}

TEST_CASE("what no assign needs leads to the argument that it is passed on as") {
  // The mesh of @f's argument is noted on it.
  auto const p = testing::read(R"(
  func.func @main(%v: $T) attributes $M {
    %n = stablehlo.negate %v : $T
    %c = mpmd.call @f(%n) : ($T) -> $T
    %d = mpmd.call @f(%c) : ($T) -> $T
    return
  }
  func.func private @f(%p: $T {mpmd.use_set = #mpmd.meshes_with_origins<"a">}) -> $T attributes $M {
    %q = stablehlo.abs %p : $T
    return %q : $T
  })");
  auto const uses = mpmd::use_sets(p, {.from_annotations = true, .settle = true});
  mpmd::explainer why(uses);
  auto const v = mpmd::arguments(p, mpmd::functions(p)[0])[0];
  auto const noted = mpmd::arguments(p, mpmd::functions(p)[1])[0];
  using list = std::vector<std::string>;
  CHECK(why.why(v, "a").empty());
  CHECK(kinds(p, why.why_passed(v, "a")) == list{"argument", "stablehlo.negate", "argument"});
  CHECK(why.why_passed(v, "a").back().v == noted);
  CHECK(why.why_passed(v, "b").empty());
  // It comes back to itself only.
  CHECK(why.why_passed(noted, "a").empty());
}

TEST_CASE("a src set that a reduction has kept is explained by the reduction") {
  auto const p = testing::read(R"(
    func.func @main(%v: $A, %w: $B) -> $T attributes $M {
      %a = mpmd.unassign %v : ($A) -> $T
      %b = mpmd.unassign %w : ($B) -> $T
      %s = mpmd.reduce<add> {mpmd.src_set = #mpmd.meshes_with_origins<"a", "b">} %a, %b : ($T, $T) -> $T
      %n = stablehlo.negate %s : $T
      %r = mpmd.reduce<add> %n, %n : ($T, $T) -> $T
      return %r : $T
    })");
  auto const srcs = mpmd::src_sets<mpmd::sets_with_origins>(p, {.from_annotations = true});
  mpmd::explainer<mpmd::ir::program, mpmd::sets_with_origins, false> why(srcs);
  mpmd::ir::op o = p.first_op(p.first_block(p.regions(mpmd::functions(p)[0])[0]));
  while (p.kind_text(o) != "stablehlo.negate") o = p.next_op(o);
  using list = std::vector<std::string>;
  CHECK(kinds(p, why.why(p.result(o, 0), "b")) == list{"stablehlo.negate", "mpmd.reduce"});
  CHECK(kinds(p, why.why_not(p.result(o, 0), "c")) == list{"stablehlo.negate", "mpmd.reduce"});
  // One that the program states can be anywhere.
  auto const stated = p.result(p.next_op(o), 0);
  CHECK(why.why(stated, "a").empty());
  CHECK(why.why_not(stated, "c").empty());
}

TEST_CASE("among several assigns the nearest is named") {
  auto const p = testing::read(R"(
    func.func @main(%v: $T) attributes $M {
      %a = stablehlo.negate %v : $T
      %far = mpmd.assign {origin = "far"} %a : ($T) -> $A
      %near = mpmd.assign {origin = "near"} %v : ($T) -> $A
      return
    })");
  auto const uses = mpmd::use_sets(p);
  mpmd::explainer why(uses);
  auto const chain = why.why(mpmd::arguments(p, mpmd::functions(p)[0])[0], "a");
  REQUIRE(chain.size() == 2);
  CHECK(mpmd::label_of(p, chain[1].o) == "near");
}

TEST_CASE("a src set is explained by what offers the mesh, and by what keeps it out") {
  auto const p = testing::read(R"(
    func.func @main(%v: $A, %w: $B) -> $T attributes $M {
      %a = mpmd.unassign {origin = "x"} %v : ($A) -> $T
      %b = mpmd.unassign {origin = "y"} %w : ($B) -> $T
      %n = stablehlo.negate %a : $T
      %d = stablehlo.divide %n, %b : $T
      return %d : $T
    })");
  auto const srcs = mpmd::src_sets<mpmd::sets_with_origins>(p);
  mpmd::explainer<mpmd::ir::program, mpmd::sets_with_origins, false> why(srcs);
  mpmd::ir::op d = p.first_op(p.first_block(p.regions(mpmd::functions(p)[0])[0]));
  while (p.kind_text(d) != "stablehlo.divide") d = p.next_op(d);
  auto const divided = p.result(d, 0);
  using list = std::vector<std::string>;
  CHECK(kinds(p, why.why(p.operand(d, 0), "a")) == list{"stablehlo.negate", "mpmd.unassign"});
  CHECK(kinds(p, why.why_not(divided, "a")) == list{"stablehlo.divide", "mpmd.unassign"});
  CHECK(kinds(p, why.why_not(divided, "b")) == list{"stablehlo.divide", "stablehlo.negate", "mpmd.unassign"});
  CHECK(why.why(divided, "a").empty());
}

}  // namespace why_test
