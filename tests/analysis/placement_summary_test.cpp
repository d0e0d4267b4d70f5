// The summary of a placement: what stands where, what goes from where to where.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include <mpmd/analysis/placement_summary.hpp>
#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/ir/type_size.hpp>

#include "transform/transform_program.hpp"

using mpmd::placement_summary;
using work = placement_summary::work;

TEST_CASE("a summary counts fragments and ops by mesh, and transfers with bytes by pair of meshes") {
  auto const p = testing::read(R"(
    func.func @main(%x: $A, %y: $A, %z: $B) -> ($B, $C, $A) attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%p: $T) {
        %n = stablehlo.negate %p : $T
        %m = stablehlo.add %n, %n : $T
        mpmd.return %m : $T
      } : ($A) -> $A
      %t = mpmd.transfer %f : ($A) -> $B
      %t2 = mpmd.transfer %y : ($A) -> $B
      %g = mpmd.fragment<mesh="b", origin=[]> (%t, %t2) {mpmd.inferred_by = ["why", "also"]} (%p: $T, %q: $T) {
        %m = stablehlo.add %p, %q : $T
        mpmd.return %m : $T
      } : ($B, $B) -> $B
      %c = mpmd.transfer %z : ($B) -> $C
      %l = mpmd.for (%f) {iterations = 3 : ui32, unroll_factor = 1 : ui32} (%i: $A, %index: tensor<ui32>) {
        %h = mpmd.fragment<mesh="a", origin=["f"]> (%i) (%p: $T) {
          mpmd.return %p : $T
        } : ($A) -> $A
        mpmd.return %h : $A
      } : $A
      return %g, %c, %l : $B, $C, $A
    })");
  auto const found = mpmd::summarize_placement(p);
  REQUIRE(found.functions.size() == 1);
  auto const& f = found.functions[0];
  CHECK(f.name == "main");
  CHECK(f.entry);
  CHECK(f.meshes == std::vector<placement_summary::mesh>{{"a", {2, 2}, {}}, {"b", {}, {1, 1}}, {"c", {}, {}}});
  CHECK(f.routes == std::vector<placement_summary::route>{{"a", "b", 2, 16, 0}, {"b", "c", 1, 8, 0}});
  CHECK(f.arguments == std::vector<std::string>{"a", "a", "b"});
  CHECK(f.results == std::vector<std::string>{"b", "c", "a"});
  CHECK(f.reasons == std::map<std::string, work>{{"also", {1, 1}}, {"why", {1, 1}}});
  CHECK(f.unplaced == 0);
}

TEST_CASE("a summary tells what is not placed yet, and functions that are called from those that are entered") {
  auto const p = testing::read(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %n = mpmd.named_computation<"f"> (%x) (%p: $T) {
        %m = stablehlo.negate %p : $T
        mpmd.return %m : $T
      } : ($T) -> $T
      %a = stablehlo.add %n, %n : $T
      %r = mpmd.call @f(%a) {call_counter = 0 : ui32} : ($T) -> $T
      return %r : $T
    }
    func.func private @f(%x: $T) -> $T attributes $M {
      return %x : $T
    }
    func.func @plain(%x: $T) -> $T {
      return %x : $T
    })");
  auto const found = mpmd::summarize_placement(p);
  REQUIRE(found.functions.size() == 2);
  CHECK(found.functions[0].named == 1);
  CHECK(found.functions[0].unplaced == 1);
  CHECK(found.functions[0].calls == 1);
  CHECK(found.functions[0].arguments == std::vector<std::string>{""});
  CHECK(found.functions[1].name == "f");
  CHECK_FALSE(found.functions[1].entry);
}

TEST_CASE("the bytes of a type count its bits, and are unknown where its extent is") {
  struct row {
    char const* type;
    std::optional<std::uint64_t> bytes;
  };
  for (row const& r : {row{"tensor<2x3xf32>", 24}, row{"tensor<f64>", 8}, row{"tensor<3xbf16>", 6},
                       row{"tensor<9xi1>", 2}, row{"tensor<5xi4>", 3}, row{"tensor<4xf8E4M3FN>", 4},
                       row{"tensor<2xcomplex<f32>>", 16}, row{"tensor<0x7xf32>", 0}, row{"tensor<?xf32>", std::nullopt},
                       row{"tensor<4294967296x4294967296xf32>", std::nullopt}, row{"tensor<2xindex>", std::nullopt}}) {
    CAPTURE(r.type);
    auto const p = testing::read("func.func private @f(" + std::string(r.type) + ")");
    auto const* held = p.attr_if<mpmd::ir::type_attr>(testing::function(p, 0), "function_type");
    REQUIRE(held != nullptr);
    auto const* type = p.context().get_if<mpmd::ir::function_type>(held->held);
    CHECK(mpmd::ir::byte_size(p.context(), type->inputs[0]) == r.bytes);
  }
}

TEST_CASE("the summary asks for no more than the concept of an analysis, and takes more where there is more") {
  CHECK(mpmd::summarize_placement(mpmd::archetypes::straight_program{}).functions.size() == 1);
  CHECK(mpmd::summarize_placement(mpmd::archetypes::mutable_program{}).functions.empty());
}
