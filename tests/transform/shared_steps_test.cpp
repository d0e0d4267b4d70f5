// The steps that passes share: the order of meshes, wrapping an op, chains of transfers, rewriting to a fixed point.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/transform/chained_transfers.hpp>
#include <mpmd/transform/greedy_rewriter.hpp>
#include <mpmd/transform/mesh_order.hpp>
#include <mpmd/transform/wrap_in_fragment.hpp>

#include "transform/transform_program.hpp"

namespace shared_steps_test {

namespace {

using program = mpmd::ir::program;
using op = mpmd::ir::op;
using value = mpmd::ir::value;
using traits = mpmd::ir_traits<program>;

}  // namespace

TEST_CASE("meshes are ordered by the number at their end, names without one first") {
  mpmd::mesh_order const before;
  CHECK(before("m1", "m2"));
  CHECK(before("mesh2", "mesh10"));
  CHECK(!before("mesh10", "mesh2"));
  CHECK(before("alpha", "beta"));
  CHECK(before("a", "m1"));
  CHECK(before("z", "m1"));   // so that names with and without numbers form no cycle
  CHECK(before("b1", "a2"));  // the number decides
  CHECK(before("a1", "b1"));  // then the name
  CHECK(!before("m1", "m1"));
  CHECK(before("m99999999999", "m1"));  // too large to be a number
}

TEST_CASE("the order of meshes is a strict total order") {
  std::vector<std::string> const names{"",   "a",   "b",   "m1",  "m01", "m2", "m10", "a2",         "b1",
                                       "x",  "m1x", "m2x", "10",  "2",   "m",  "z9",  "m2147483647", "m2147483648"};
  mpmd::mesh_order const before;
  for (auto const& a : names)
    for (auto const& b : names) {
      CHECK((before(a, b) + before(b, a)) == (a == b ? 0 : 1));
      for (auto const& c : names)
        if (before(a, b) && before(b, c)) CHECK(before(a, c));
    }
}

TEST_CASE("an op is wrapped with its operands first, then what its regions capture, each once") {
  auto p = testing::read(R"(
    func.func @main(%x: $T, %y: $T, %i: tensor<i32>) -> $T attributes $M {
      %c = "stablehlo.case"(%i) ({
        %s = stablehlo.add %y, %x : $T
        stablehlo.return %s : $T
      }, {
        %n = stablehlo.add %y, %y : $T
        stablehlo.return %n : $T
      }) : (tensor<i32>) -> $T
      return %c : $T
    })");
  op const c = testing::find(p, "stablehlo.case");
  auto const wrapped = mpmd::wrap_in_fragment(p, c, "b", "tag", [](auto const&) { return true; });
  traits::erase(p, c);
  CHECK(mpmd::operands_of(p, wrapped.fragment).size() == 3);
  testing::expect(p, R"(
    %0 = mpmd.assign %arg2 : (tensor<i32>) -> !mpmd.mesh_tensor<"b", tensor<i32>>
    %1 = mpmd.assign %arg1 : ($T) -> $B
    %2 = mpmd.assign %arg0 : ($T) -> $B
    %3 = mpmd.fragment<mesh="b", origin=[]> (%0, %1, %2) {mpmd.inferred_by = ["tag"]} (%arg3: tensor<i32>, %arg4: $T, %arg5: $T) {
      %5 = "stablehlo.case"(%arg3) ({
        %6 = stablehlo.add %arg4, %arg5 : $T
        stablehlo.return %6 : $T
      }, {
        %6 = stablehlo.add %arg4, %arg4 : $T
        stablehlo.return %6 : $T
      }) : (tensor<i32>) -> $T
      mpmd.return %5 : $T
    } : (!mpmd.mesh_tensor<"b", tensor<i32>>, $B, $B) -> $B
    %4 = mpmd.unassign %3 : ($B) -> $T
    return %4 : $T)");
}

TEST_CASE("a token goes into and out of a wrapped op as it is, and only the uses asked for move") {
  auto p = testing::read(R"(
    func.func @main(%x: $T, %t: !stablehlo.token) -> ($T, $T) attributes $M {
      %r:2 = stablehlo.custom_call @f(%x, %t) {has_side_effect = true} : ($T, !stablehlo.token) -> ($T, !stablehlo.token)
      %a = stablehlo.negate %r#0 : $T
      %b = stablehlo.abs %r#0 : $T
      %u = stablehlo.custom_call @g(%r#1) : (!stablehlo.token) -> $T
      return %a, %b : $T, $T
    })");
  op const call = testing::find(p, "stablehlo.custom_call");
  op const abs = testing::find(p, "stablehlo.abs");
  op const negate = testing::find(p, "stablehlo.negate");
  auto const wrapped = mpmd::wrap_in_fragment(p, call, "a", "tag", [&](auto const& u) { return u.user == abs; });
  CHECK(mpmd::operands_of(p, wrapped.fragment)[1] == mpmd::operands_of(p, call)[1]);
  CHECK(wrapped.results[1] == mpmd::results_of(p, wrapped.fragment)[1]);
  CHECK(mpmd::operand_of(p, abs) == wrapped.results[0]);
  CHECK(mpmd::operand_of(p, negate) == mpmd::result_of(p, call));
}

TEST_CASE("assigns become a chain of transfers from mesh to mesh before the first of them") {
  auto p = testing::read(R"(
    func.func @main(%x: !mpmd.mesh_tensor<"m2", tensor<2xf32>>) attributes {topology = #mpmd.topology<
        <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
      %u = mpmd.unassign %x : (!mpmd.mesh_tensor<"m2", $T>) -> $T
      %a10 = mpmd.assign %u : ($T) -> !mpmd.mesh_tensor<"m10", $T>
      "foreign.use"(%a10) : (!mpmd.mesh_tensor<"m10", $T>) -> ()
      %a3 = mpmd.assign %u : ($T) -> !mpmd.mesh_tensor<"m3", $T>
      %a2 = mpmd.assign %u : ($T) -> !mpmd.mesh_tensor<"m2", $T>
      %a1 = mpmd.assign %u : ($T) -> !mpmd.mesh_tensor<"m1", $T>
      %a3again = mpmd.assign %u : ($T) -> !mpmd.mesh_tensor<"m3", $T>
      "foreign.use"(%a1, %a2, %a3, %a3again) : (!mpmd.mesh_tensor<"m1", $T>, !mpmd.mesh_tensor<"m2", $T>, !mpmd.mesh_tensor<"m3", $T>, !mpmd.mesh_tensor<"m3", $T>) -> ()
      return
    })");
  mpmd::direct_edits edits(p);
  mpmd::replace_by_chained_transfers(edits, testing::argument(p, 0), testing::find_all(p, "mpmd.assign"));
  // m2 is where the value is, so the chain does not come back to it.
  testing::expect(p, R"(
    %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m2", $T>) -> $T
    %1 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m2", $T>) -> !mpmd.mesh_tensor<"m1", $T>
    %2 = mpmd.transfer %1 : (!mpmd.mesh_tensor<"m1", $T>) -> !mpmd.mesh_tensor<"m3", $T>
    %3 = mpmd.transfer %2 : (!mpmd.mesh_tensor<"m3", $T>) -> !mpmd.mesh_tensor<"m10", $T>
    "foreign.use"(%3) : (!mpmd.mesh_tensor<"m10", $T>) -> ()
    "foreign.use"(%1, %arg0, %2, %2) : (!mpmd.mesh_tensor<"m1", $T>, !mpmd.mesh_tensor<"m2", $T>, !mpmd.mesh_tensor<"m3", $T>, !mpmd.mesh_tensor<"m3", $T>) -> ()
    return)");
}

TEST_CASE("a chain makes each memory kind on a mesh once, and goes on from the last") {
  auto p = testing::read(R"(
    func.func @main(%x: $A) attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %h = mpmd.assign %u : ($T) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
      %d = mpmd.assign %u : ($T) -> $A
      %h2 = mpmd.assign %u : ($T) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
      %b = mpmd.assign %u : ($T) -> $B
      "foreign.use"(%h, %d, %h2, %b) : (!mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">, $A, !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">, $B) -> ()
      return
    })");
  mpmd::direct_edits edits(p);
  mpmd::replace_by_chained_transfers(edits, testing::argument(p, 0), testing::find_all(p, "mpmd.assign"));
  testing::expect(p, R"(
    %0 = mpmd.unassign %arg0 : ($A) -> $T
    %1 = mpmd.transfer %arg0 : ($A) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
    %2 = mpmd.transfer %1 : (!mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">) -> $B
    "foreign.use"(%1, %arg0, %1, %2) : (!mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">, $A, !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">, $B) -> ()
    return)");
}

TEST_CASE("a chain for assigns in a loop and outside starts before the loop") {
  auto p = testing::read(R"(
    func.func @main(%x: $A, %y: $B) -> $B attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %r = mpmd.for (%y) {iterations = 3 : ui32, unroll_factor = 1 : ui32} (%i: $B, %index: tensor<ui32>) {
        %in = mpmd.assign %u : ($T) -> $B
        "foreign.use"(%in) : ($B) -> ()
        mpmd.return %i : $B
      } : $B
      %out = mpmd.assign %u : ($T) -> $B
      return %out : $B
    })");
  mpmd::direct_edits edits(p);
  mpmd::replace_by_chained_transfers(edits, testing::argument(p, 0), testing::find_all(p, "mpmd.assign"));
  auto const ops = testing::kinds(p);
  CHECK(ops == std::vector<std::string>{"mpmd.unassign", "mpmd.transfer", "mpmd.for", "foreign.use", "mpmd.return",
                                        "func.return"});
}

TEST_CASE("the rewriter erases what is dead from the last op on, and looks again at what an edit touches") {
  auto p = testing::read(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %a = stablehlo.negate %x : $T
      %b = stablehlo.negate %a : $T
      %c = stablehlo.negate %b : $T
      %d = stablehlo.negate %c : $T
      %unused = stablehlo.abs %b : $T
      %unused2 = stablehlo.add %unused, %a : $T
      %kept = stablehlo.custom_call @f(%x) {has_side_effect = true} : ($T) -> $T
      return %d : $T
    })");
  std::vector<std::string> looked;
  mpmd::greedy_rewriter<program> rewriter(p);
  rewriter.seed(testing::function(p, 0));
  rewriter.run([&](mpmd::greedy_rewriter<program>& r, op o) {
    looked.emplace_back(p.kind_text(o));
    if (p.kind_text(o) != "stablehlo.negate") return false;
    op const inner = mpmd::defining_op(p, p.operand(o, 0));
    if (!inner || p.kind_text(inner) != "stablehlo.negate") return false;
    r.replace(o, {p.operand(inner, 0)});
    return true;
  });
  testing::expect(p, R"(
    %0 = stablehlo.custom_call @f(%arg0) {has_side_effect = true} : ($T) -> $T
    return %arg0 : $T)");
  CHECK(looked.front() == "func.return");
  CHECK(looked[1] == "stablehlo.custom_call");
}

TEST_CASE("the rewriter erases an op whose last use goes with another one, in a body or not") {
  auto p = testing::read(R"(
    func.func @main(%x: $A) -> $A attributes $M {
      %f = mpmd.fragment<mesh="a", origin=[]> (%x) (%y: $T) {
        %dead = stablehlo.abs %y : $T
        %dead2 = stablehlo.abs %dead : $T
        mpmd.return %y : $T
      } : ($A) -> $A
      %g = mpmd.fragment<mesh="a", origin=[]> (%f) (%y: $T) {
        mpmd.return %y : $T
      } : ($A) -> $A
      return %x : $A
    })");
  mpmd::greedy_rewriter<program> rewriter(p);
  rewriter.seed(testing::function(p, 0));
  rewriter.run();
  CHECK(testing::kinds(p) == std::vector<std::string>{"func.return"});
}

TEST_CASE("the shared steps compile with the archetype of their concept") {
  using archetype = mpmd::archetypes::mutable_program;
  archetype p;
  mpmd::greedy_rewriter<archetype> rewriter(p);
  rewriter.seed({});
  rewriter.run([](auto& r, mpmd::op_t<archetype> o) {
    mpmd::replace_by_chained_transfers(r, {}, std::vector{o});
    mpmd::wrap_in_fragment(r.in(), o, "m", "tag", [](auto const&) { return true; });
    return false;
  });
  CHECK(mpmd::captured_values(p, {}).empty());
}

}  // namespace shared_steps_test
