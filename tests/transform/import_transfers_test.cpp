// introduce-transfers: which pairs of an unassign and an assign become transfers, where those stand and which
// way they go.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <string_view>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/transform/introduce_transfers.hpp>

#include "transform_program.hpp"

namespace import_transfers_test {
namespace {

void check(std::string_view before, std::string_view body, int function = 0) {
  CAPTURE(std::string(before));
  auto p = testing::read(before);
  mpmd::diagnostics diags;
  REQUIRE(mpmd::introduce_transfers{}(p, diags));
  CHECK(diags.errors() == 0);
  testing::expect(p, body, function);
  std::string const once = mpmd::text::to_mlir(p);
  REQUIRE(mpmd::introduce_transfers{}(p, diags));
  CHECK(mpmd::text::to_mlir(p) == once);
}

}  // namespace

TEST_CASE("introduce-transfers compiles with the archetype of its concept") {
  mpmd::archetypes::mutable_program program;
  mpmd::diagnostics diags;
  CHECK(mpmd::introduce_transfers{}(program, diags));
}

TEST_CASE("an assign of an unassigned value is the value or a transfer of it") {
  check(R"(func.func @f(%x: $A) -> ($A, $B) attributes $M {
  %u = mpmd.unassign %x : ($A) -> $T
  %a = mpmd.assign %u : ($T) -> $A
  %b = mpmd.assign {origin = "g"} %u : ($T) -> $B
  return %a, %b : $A, $B
})",
        R"(%0 = mpmd.transfer %arg0 : ($A) -> $B
return %arg0, %0 : $A, $B)");
  // Another memory on the same mesh is another place.
  check(R"(func.func @f(%x: $A) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host"> attributes $M {
  %u = mpmd.unassign %x : ($A) -> $T
  %a = mpmd.assign %u : ($T) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
  return %a : !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
})",
        R"(%0 = mpmd.transfer %arg0 : ($A) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
return %0 : !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">)");
}

TEST_CASE("other ops between an unassign and an assign keep both") {
  check(R"(func.func @f(%x: $A) -> $B attributes $M {
  %u = mpmd.unassign %x : ($A) -> $T
  %n = stablehlo.negate %u : $T
  %b = mpmd.assign %n : ($T) -> $B
  return %b : $B
})",
        R"(%0 = mpmd.unassign %arg0 : ($A) -> $T
%1 = stablehlo.negate %0 : $T
%2 = mpmd.assign %1 : ($T) -> $B
return %2 : $B)");
}

TEST_CASE("a value goes from mesh to mesh, in either direction from its own") {
  // From a: b, then c. From c: b, then a. From b: to each side directly.
  check(R"(func.func @f(%x: $A, %y: $C, %z: $B) -> ($C, $B, $A, $B, $C, $A) attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.assign %0 : ($T) -> $C
  %2 = mpmd.assign %0 : ($T) -> $B
  %3 = mpmd.unassign %y : ($C) -> $T
  %4 = mpmd.assign %3 : ($T) -> $A
  %5 = mpmd.assign %3 : ($T) -> $B
  %6 = mpmd.unassign %z : ($B) -> $T
  %7 = mpmd.assign %6 : ($T) -> $C
  %8 = mpmd.assign %6 : ($T) -> $A
  return %1, %2, %4, %5, %7, %8 : $C, $B, $A, $B, $C, $A
})",
        R"(%0 = mpmd.transfer %arg0 : ($A) -> $B
%1 = mpmd.transfer %0 : ($B) -> $C
%2 = mpmd.transfer %arg1 : ($C) -> $B
%3 = mpmd.transfer %2 : ($B) -> $A
%4 = mpmd.transfer %arg2 : ($B) -> $C
%5 = mpmd.transfer %arg2 : ($B) -> $A
return %1, %0, %3, %2, %4, %5 : $C, $B, $A, $B, $C, $A)");
  // Meshes with numbers come in their order: m9 before m10.
  check(
      R"(func.func @f(%x: !mpmd.mesh_tensor<"m1", $T>) -> (!mpmd.mesh_tensor<"m10", $T>, !mpmd.mesh_tensor<"m9", $T>)
    attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m9" : <["x"=2]>>>} {
  %0 = mpmd.unassign %x : (!mpmd.mesh_tensor<"m1", $T>) -> $T
  %1 = mpmd.assign %0 : ($T) -> !mpmd.mesh_tensor<"m10", $T>
  %2 = mpmd.assign %0 : ($T) -> !mpmd.mesh_tensor<"m9", $T>
  return %1, %2 : !mpmd.mesh_tensor<"m10", $T>, !mpmd.mesh_tensor<"m9", $T>
})",
      R"(%0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", $T>) -> !mpmd.mesh_tensor<"m9", $T>
%1 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m9", $T>) -> !mpmd.mesh_tensor<"m10", $T>
return %1, %0 : !mpmd.mesh_tensor<"m10", $T>, !mpmd.mesh_tensor<"m9", $T>)");
}

TEST_CASE("nothing is sent on from host memory") {
  check(
      R"(func.func @f(%x: $A) -> (!mpmd.mesh_tensor<"b", $T, memory_kind="pinned_host">, $C, $B) attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.assign %0 : ($T) -> !mpmd.mesh_tensor<"b", $T, memory_kind="pinned_host">
  %2 = mpmd.assign %0 : ($T) -> $C
  %3 = mpmd.assign %0 : ($T) -> $B
  return %1, %2, %3 : !mpmd.mesh_tensor<"b", $T, memory_kind="pinned_host">, $C, $B
})",
      R"(%0 = mpmd.transfer %arg0 : ($A) -> $B
%1 = mpmd.transfer %0 : ($B) -> !mpmd.mesh_tensor<"b", $T, memory_kind="pinned_host">
%2 = mpmd.transfer %0 : ($B) -> $C
return %1, %2, %0 : !mpmd.mesh_tensor<"b", $T, memory_kind="pinned_host">, $C, $B)");
}

TEST_CASE("a value goes to one place once, however often it is taken off its mesh") {
  // %4 is reached over a detour within mesh a; %6 finds a transfer that comes too late and moves up.
  check(R"(func.func @f(%x: $A, %y: $A) -> ($B, $B, $C, $C) attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.assign %0 : ($T) -> $B
  %2 = mpmd.unassign %x : ($A) -> $T
  %3 = mpmd.assign %2 : ($T) -> $A
  %9 = mpmd.unassign %3 : ($A) -> $T
  %4 = mpmd.assign %9 : ($T) -> $B
  %5 = mpmd.unassign %y : ($A) -> $T
  %6 = mpmd.assign %5 : ($T) -> $C
  %7 = mpmd.transfer %y : ($A) -> $C
  return %1, %4, %6, %7 : $B, $B, $C, $C
})",
        R"(%0 = mpmd.transfer %arg0 : ($A) -> $B
%1 = mpmd.transfer %arg1 : ($A) -> $C
return %0, %0, %1, %1 : $B, $B, $C, $C)");
}

TEST_CASE("what is sent on from an assigned value is sent on from the transfer, whichever pair comes first") {
  check(R"(func.func @f(%x: $A) -> ($A, $A) attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.assign %0 : ($T) -> $B
  %2 = mpmd.unassign %1 : ($B) -> $T
  %3 = mpmd.assign %2 : ($T) -> $A
  %4 = mpmd.unassign %x : ($A) -> $T
  %5 = mpmd.assign %4 : ($T) -> $B
  %6 = mpmd.unassign %5 : ($B) -> $T
  %7 = mpmd.assign %6 : ($T) -> $A
  return %3, %7 : $A, $A
})",
        R"(%0 = mpmd.transfer %arg0 : ($A) -> $B
%1 = mpmd.transfer %0 : ($B) -> $A
return %1, %1 : $A, $A)");
  // The transfer %1 of the program has its own assign before %3 comes to share it.
  check(R"(func.func @f(%x: $A) -> ($C, $C) attributes $M {
  %1 = mpmd.transfer %x : ($A) -> $B
  %2 = mpmd.unassign %1 : ($B) -> $T
  %3 = mpmd.assign %2 : ($T) -> $C
  %4 = mpmd.unassign %x : ($A) -> $T
  %5 = mpmd.assign %4 : ($T) -> $B
  %6 = mpmd.unassign %5 : ($B) -> $T
  %7 = mpmd.assign %6 : ($T) -> $C
  return %3, %7 : $C, $C
})",
        R"(%0 = mpmd.transfer %arg0 : ($A) -> $B
%1 = mpmd.transfer %0 : ($B) -> $C
return %1, %1 : $C, $C)");
}

TEST_CASE(
    "transfers stay out of loops: what comes from outside is sent before the loop, the rest waits for "
    "unrolling") {
  check(R"(func.func @f(%x: $A, %y: $B) -> $B attributes $M {
  %r = mpmd.for (%y) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%acc: $B, %i: tensor<ui32>) {
    %0 = mpmd.unassign %x : ($A) -> $T
    %1 = mpmd.assign %0 : ($T) -> $B
    %2 = mpmd.fragment<mesh="a", origin=["g"]> (%x) (%p: $T) { mpmd.return %p : $T } : ($A) -> $A
    %3 = mpmd.unassign %2 : ($A) -> $T
    %4 = mpmd.assign %3 : ($T) -> $B
    %5 = mpmd.unassign %acc : ($B) -> $T
    %6 = mpmd.assign %5 : ($T) -> $A
    %7 = mpmd.fragment<mesh="b", origin=["g"]> (%acc, %1, %4) (%p: $T, %q: $T, %s: $T) {
      mpmd.return %p : $T
    } : ($B, $B, $B) -> $B
    %8 = mpmd.fragment<mesh="a", origin=["g"]> (%6) (%p: $T) {
      %c = stablehlo.custom_call @effect(%p) : ($T) -> $T
      mpmd.return %c : $T
    } : ($A) -> $A
    mpmd.return %7 : $B
  } : $B
  return %r : $B
})",
        R"(%0 = mpmd.transfer %arg0 : ($A) -> $B
%1 = mpmd.for (%arg1) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%arg2: $B, %index: tensor<ui32>) {
%2 = mpmd.fragment<mesh="a", origin=["g"]> (%arg0) (%arg3: $T) {
mpmd.return %arg3 : $T
} : ($A) -> $A
%3 = mpmd.unassign %2 : ($A) -> $T
%4 = mpmd.assign %3 : ($T) -> $B
%5 = mpmd.unassign %arg2 : ($B) -> $T
%6 = mpmd.assign %5 : ($T) -> $A
%7 = mpmd.fragment<mesh="b", origin=["g"]> (%arg2, %0, %4) (%arg3: $T, %arg4: $T, %arg5: $T) {
mpmd.return %arg3 : $T
} : ($B, $B, $B) -> $B
%8 = mpmd.fragment<mesh="a", origin=["g"]> (%6) (%arg3: $T) {
%9 = stablehlo.custom_call @effect(%arg3) : ($T) -> $T
mpmd.return %9 : $T
} : ($A) -> $A
mpmd.return %7 : $B
} : $B
return %1 : $B)");
}

TEST_CASE("a sum of unassigned values is computed on the mesh to which it is assigned") {
  check(R"(func.func @f(%x: $A, %y: $B, %z: $B) -> $A attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.unassign %y : ($B) -> $T
  %2 = mpmd.unassign %z : ($B) -> $T
  %3 = stablehlo.add %0, %1 : $T
  %4 = stablehlo.add %2, %3 : $T
  %5 = mpmd.assign %4 : ($T) -> $A
  return %5 : $A
})",
        R"(%0 = mpmd.transfer %arg1 : ($B) -> $A
%1 = mpmd.fragment<mesh="a", origin=[]> (%arg0, %0) {mpmd.inferred_by = ["introduce_transfers"]} (%arg3: $T, %arg4: $T) {
%4 = stablehlo.add %arg3, %arg4 : $T
mpmd.return %4 : $T
} : ($A, $A) -> $A
%2 = mpmd.transfer %arg2 : ($B) -> $A
%3 = mpmd.fragment<mesh="a", origin=[]> (%2, %1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg3: $T, %arg4: $T) {
%4 = stablehlo.add %arg3, %arg4 : $T
mpmd.return %4 : $T
} : ($A, $A) -> $A
return %3 : $A)");
}

TEST_CASE("a sum stays when anything but unassigned values is added, or when it is used twice") {
  check(R"(func.func @f(%x: $A, %y: $T) -> $A attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = stablehlo.add %0, %0 : $T
  %2 = stablehlo.add %1, %y : $T
  %3 = mpmd.assign %2 : ($T) -> $A
  return %3 : $A
})",
        R"(%0 = mpmd.unassign %arg0 : ($A) -> $T
%1 = stablehlo.add %0, %0 : $T
%2 = stablehlo.add %1, %arg1 : $T
%3 = mpmd.assign %2 : ($T) -> $A
return %3 : $A)");
  check(R"(func.func @f(%x: $A) -> ($A, $B) attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = stablehlo.add %0, %0 : $T
  %2 = mpmd.assign %1 : ($T) -> $A
  %3 = mpmd.assign %1 : ($T) -> $B
  return %2, %3 : $A, $B
})",
        R"(%0 = mpmd.unassign %arg0 : ($A) -> $T
%1 = stablehlo.add %0, %0 : $T
%2 = mpmd.assign %1 : ($T) -> $A
%3 = mpmd.assign %1 : ($T) -> $B
return %2, %3 : $A, $B)");
}

TEST_CASE("a callee unassigns itself what all its callers have just unassigned") {
  // %x and %y both come from a; the callee puts only the first argument somewhere.
  check(R"(func.func @main(%x: $A, %y: $A) -> ($B, $T) attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.unassign %y : ($A) -> $T
  %2:2 = mpmd.call @f(%0, %1) : ($T, $T) -> ($B, $T)
  %3:2 = mpmd.call @f(%1, %0) : ($T, $T) -> ($B, $T)
  return %2#0, %3#1 : $B, $T
}
func.func private @f(%p: $T, %q: $T) -> ($B, $T) attributes $M {
  %0 = mpmd.assign %p : ($T) -> $B
  %1 = stablehlo.add %p, %q : $T
  return %0, %1 : $B, $T
})",
        R"(%0 = mpmd.assign %arg0 : ($T) -> $A
%1 = mpmd.unassign %0 : ($A) -> $T
%2 = mpmd.transfer %0 : ($A) -> $B
%3 = stablehlo.add %1, %arg1 : $T
return %2, %3 : $B, $T)",
        1);
}

TEST_CASE(
    "a callee is left alone when its callers disagree, when it is entered from outside, and when nobody "
    "calls it") {
  constexpr std::string_view unchanged = R"(%0 = mpmd.assign %arg0 : ($T) -> $B
return %0 : $B)";
  constexpr std::string_view f = R"(
func.func private @f(%p: $T) -> $B attributes $M {
  %0 = mpmd.assign %p : ($T) -> $B
  return %0 : $B
})";
  auto with_main = [&](std::string_view main) { return std::string(main) + std::string(f); };
  // From a and from c; from one mesh in two memories; from a mesh and from nowhere.
  check(with_main(R"(func.func @main(%x: $A, %y: $C) -> ($B, $B) attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.unassign %y : ($C) -> $T
  %2 = mpmd.call @f(%0) : ($T) -> $B
  %3 = mpmd.call @f(%1) : ($T) -> $B
  return %2, %3 : $B, $B
})"),
        unchanged, 1);
  check(
      with_main(
          R"(func.func @main(%x: $A, %y: !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">) -> ($B, $B) attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.unassign %y : (!mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">) -> $T
  %2 = mpmd.call @f(%0) : ($T) -> $B
  %3 = mpmd.call @f(%1) : ($T) -> $B
  return %2, %3 : $B, $B
})"),
      unchanged, 1);
  check(with_main(R"(func.func @main(%x: $A, %y: $T) -> ($B, $B) attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %2 = mpmd.call @f(%0) : ($T) -> $B
  %3 = mpmd.call @f(%y) : ($T) -> $B
  return %2, %3 : $B, $B
})"),
        unchanged, 1);
  // A call counts although nobody uses what it returns.
  check(with_main(R"(func.func @main(%x: $A, %y: $T) -> $B attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %2 = mpmd.call @f(%0) : ($T) -> $B
  %3 = mpmd.call @f(%y) : ($T) -> $B
  return %2 : $B
})"),
        unchanged, 1);
  check(with_main("func.func @main(%x: $A) -> $A attributes $M {\n  return %x : $A\n}"), unchanged, 1);
  check(R"(func.func @f(%p: $T) -> $B attributes $M {
  %0 = mpmd.assign %p : ($T) -> $B
  return %0 : $B
})",
        unchanged);
}

TEST_CASE("pushing looks through a call that ends with an unassign") {
  // The second call takes what the first returns: result 0 comes from a, as %x does.
  check(R"(func.func @main(%x: $A) -> $T attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.call @f(%0) : ($T) -> $T
  %2 = mpmd.call @f(%1) : ($T) -> $T
  return %2 : $T
}
func.func private @f(%p: $T) -> $T attributes $M {
  %0 = mpmd.assign %p : ($T) -> $A
  %1 = mpmd.unassign %0 : ($A) -> $T
  return %1 : $T
})",
        R"(%0 = mpmd.assign %arg0 : ($T) -> $A
%1 = mpmd.unassign %0 : ($A) -> $T
return %1 : $T)",
        1);
}

TEST_CASE("dead assigns, unassigns and other pure ops go, effects stay") {
  check(R"(func.func @f(%x: $A, %y: $T) -> $A attributes $M {
  %0 = mpmd.unassign %x : ($A) -> $T
  %1 = mpmd.assign %y : ($T) -> $B
  %2 = stablehlo.negate %0 : $T
  %3 = stablehlo.custom_call @effect(%y) : ($T) -> $T
  return %x : $A
})",
        R"(%0 = stablehlo.custom_call @effect(%arg1) : ($T) -> $T
return %arg0 : $A)");
}

}  // namespace import_transfers_test
