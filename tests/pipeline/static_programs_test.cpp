// What is found of a static program while it compiles is what the passes find when it runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/analysis/static_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/location_attributes.hpp>
#include <mpmd/ir/static_programs.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/pipeline/infer_mesh.hpp>
#include <mpmd/text/mlir.hpp>

#include "testing/static_ops.hpp"

namespace static_programs_test {

using namespace mpmd::static_ops;
using mpmd::ir::program;

// A stage on each of two meshes; what the first makes is sent to the second.
constexpr auto stages = mpmd::make_static_program(
    mpmd::static_meshes("m1", "m2"), argument("x"), argument("w"), compute("h", {"x", "w"}),
    assign("h1", "h", "m1", "first"), transfer("h2", "h1", "m2"), unassign("h3", "h2"), compute("y", {"h3", "w"}),
    assign("y1", "y", "m2", "second"), constant("c"), assign("c1", "c", "m2"), returns({"y1", "c1"}));
static_assert(mpmd::is_placed<stages>());

// The same without the transfer: y is needed on m2, and h3 can be on m1 alone.
constexpr auto stuck = mpmd::make_static_program(
    mpmd::static_meshes("m1", "m2"), argument("x"), argument("w"), compute("h", {"x", "w"}),
    assign("h1", "h", "m1", "first"), unassign("h3", "h1"), compute("y", {"h3", "w"}), assign("y1", "y", "m2", "second"),
    returns({"y1"}));
static_assert(!mpmd::is_placed<stuck>());

std::vector<mpmd::ir::op> ops_of(program const& p, mpmd::ir::opcode code) {
  std::vector<mpmd::ir::op> found;
  mpmd::ir::walk(p, p.root(), [&](mpmd::ir::op o) {
    if (p.is(o, code)) found.push_back(o);
  });
  return found;
}

TEST_CASE("a static program becomes one of the library's IR, each op under its name") {
  program const p = mpmd::ir::to_program(stages);
  std::ostringstream said;
  mpmd::diagnostics diags(said);
  CHECK_MESSAGE(mpmd::ir::verify(p, diags), said.str());
  CHECK(mpmd::text::to_mlir(p) == R"(module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> (!mpmd.mesh_tensor<"m2", tensor<i32>>, !mpmd.mesh_tensor<"m2", tensor<i32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=1]>>, <"m2" : <["x"=1]>>>} {
    %0 = stablehlo.custom_call @h(%arg0, %arg1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = mpmd.assign {origin = "first"} %0 : (tensor<i32>) -> !mpmd.mesh_tensor<"m1", tensor<i32>>
    %2 = mpmd.transfer %1 : (!mpmd.mesh_tensor<"m1", tensor<i32>>) -> !mpmd.mesh_tensor<"m2", tensor<i32>>
    %3 = mpmd.unassign %2 : (!mpmd.mesh_tensor<"m2", tensor<i32>>) -> tensor<i32>
    %4 = stablehlo.custom_call @y(%3, %arg1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = mpmd.assign {origin = "second"} %4 : (tensor<i32>) -> !mpmd.mesh_tensor<"m2", tensor<i32>>
    %6 = stablehlo.custom_call @c() : () -> tensor<i32>
    %7 = mpmd.assign %6 : (tensor<i32>) -> !mpmd.mesh_tensor<"m2", tensor<i32>>
    return %5, %7 : !mpmd.mesh_tensor<"m2", tensor<i32>>, !mpmd.mesh_tensor<"m2", tensor<i32>>
  }
}
)");
}

TEST_CASE("mesh inference places a static program that is placed, and refuses the other at the op that is not") {
  program placed = mpmd::ir::to_program(stages);
  std::ostringstream said;
  mpmd::diagnostics diags(said);
  CHECK(mpmd::run(mpmd::infer_mesh_pipeline<program>(), placed, diags));
  CHECK(said.str() == "");
  // Beside the one that is written down, that of the weights: an argument comes on one mesh, and they are needed on two.
  CHECK(ops_of(placed, mpmd::ir::opcode::mpmd_transfer).size() == 2);
  CHECK(ops_of(placed, mpmd::ir::opcode::mpmd_unassign).empty());

  program refused = mpmd::ir::to_program(stuck);
  CHECK(!mpmd::run(mpmd::infer_mesh_pipeline<program>(), refused, diags));
  CHECK(said.str().find("m2") != std::string::npos);
  CHECK(said.str().find("second") != std::string::npos);
}

template <auto const& Program>
void compare_with_passes() {
  program p = mpmd::ir::to_program(Program);
  std::ostringstream said;
  mpmd::diagnostics diags(said);
  REQUIRE_MESSAGE(mpmd::ir::verify(p, diags), said.str());

  // The analyses see the same; ops of fragments are no part of the description.
  auto const uses = mpmd::use_sets(p);
  auto const srcs = mpmd::src_sets(uses);
  std::unordered_map<std::string, mpmd::ir::value> by_name;
  mpmd::ir::op const f = ops_of(p, mpmd::ir::opcode::func_func).at(0);
  mpmd::ir::block const body = p.first_block(p.regions(f)[0]);
  auto note = [&](mpmd::ir::value v, mpmd::ir::location where) {
    by_name.emplace(mpmd::ir::location_name(p.context(), where), v);
  };
  for (auto const a : p.arguments(body)) note(a, p.argument_where(a));
  for (auto o = p.first_op(body); o; o = p.next_op(o))
    if (p.result_count(o) == 1) note(p.result(o, 0), p.where(o));
  auto sorted = [](std::vector<std::string_view> names) { return std::set<std::string_view>(names.begin(), names.end()); };
  auto named = [](auto const& set) {
    std::set<std::string_view> names;
    for (auto const m : set) names.insert(Program.meshes()[m]);
    return names;
  };
  for (auto const& e : Program.entries()) {
    if (e.means == mpmd::role::terminator) continue;
    CAPTURE(e.name);
    auto const at = by_name.find('"' + std::string(e.name) + '"');
    REQUIRE(at != by_name.end());
    CHECK(sorted(uses.meshes(at->second)) == named(mpmd::static_use_sets<Program>[e.self.number - 1]));
    auto const& src = mpmd::static_src_sets<Program>.sets[e.self.number - 1];
    CHECK(srcs.anywhere(at->second) == !src.has_value());
    if (src) CHECK(sorted(srcs.meshes(at->second)) == named(*src));
  }

  // As text it is the same program.
  auto const again = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "t", mpmd::text::to_mlir(p), diags);
  REQUIRE_MESSAGE(again, said.str());
  CHECK(mpmd::ir::structural_equal(p, *again));

  // And the passes act on it: with transfers everything can be placed, without them what is placed.
  program with_transfers = mpmd::ir::to_program(Program);
  CHECK_MESSAGE(mpmd::run(mpmd::infer_mesh_pipeline<program>({.infer_transfers = true}), with_transfers, diags), said.str());
  CHECK_MESSAGE(mpmd::ir::verify(with_transfers, diags), said.str());
  said.str("");
  bool const done = mpmd::run(mpmd::infer_mesh_pipeline<program>({.infer_cross_mesh_reductions = true}), p, diags);
  CHECK_MESSAGE(done == mpmd::is_placed<Program>(), said.str());
}

template <unsigned Seed>
bool compare_generated() {
  compare_with_passes<testing::generated_static_program<32, Seed>>();
  return mpmd::is_placed<testing::generated_static_program<32, Seed>>();
}

TEST_CASE("passes find of static programs what was found while they compiled") {
  compare_with_passes<stages>();
  compare_with_passes<stuck>();
  int const placed = []<std::size_t... I>(std::index_sequence<I...>) {
    return (int{compare_generated<10 + I>()} + ...);
  }(std::make_index_sequence<12>());
  CHECK(placed > 2);
  CHECK(placed < 10);
}

}  // namespace static_programs_test
