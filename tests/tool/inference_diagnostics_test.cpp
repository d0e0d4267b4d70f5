// What mesh inference reports before it rewrites, as `-verify-diagnostics` sees it: at which line, and that nothing
// else is said; error limits included.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "tool/expected_diagnostics.hpp"

namespace inference_diagnostics_test {
namespace {

constexpr std::string_view preamble = R"(!T = tensor<2xf32>
!A = !mpmd.mesh_tensor<"a", tensor<2xf32>>
!B = !mpmd.mesh_tensor<"b", tensor<2xf32>>
#t = #mpmd.topology<<"a" : <["x"=2]>>, <"b" : <["x"=2]>>>
#none = #mpmd.meshes_with_origins<>
#a = #mpmd.meshes_with_origins<"a"["enc"]>
#b = #mpmd.meshes_with_origins<"b"["dec"]>
)";

void check(std::string const& flags, std::string_view text) {
  mpmd::testing::check_expected_diagnostics(flags, std::string(preamble) + std::string(text), "inference_diagnostics.mlir");
}

constexpr auto not_empty = "-mpmd-infer-mesh-validate-src-set-not-empty";
constexpr auto no_transfers = "-mpmd-infer-mesh-validate-no-additional-transfers-needed";
constexpr auto leaves = "-mpmd-infer-mesh-assign-mesh-func-leaves";

}  // namespace

TEST_CASE("ops and arguments that can be nowhere are reported with their notes") {
  check(not_empty, R"(
func.func @main(%x: !A, %y: !B) -> !T attributes {topology = #t} {
  // expected-note@+1 {{operand 0 can be on mesh "a": it comes off that mesh here ("enc")}}
  %u = mpmd.unassign {origin = "enc", mpmd.src_set = #a} %x : (!A) -> !T
  // expected-note@+1 {{operand 1 can be on mesh "b": it comes off that mesh here ("dec")}}
  %q = mpmd.unassign {origin = "dec", mpmd.src_set = #b} %y : (!B) -> !T
  // expected-error@+1 {{Mesh assignment is not possible for op as its operands are on conflicting meshes}}
  %e = stablehlo.divide %u, %q {mpmd.src_set = #none} : !T
  // expected-error@+1 {{set mpmd_infer_cross_mesh_reductions}}
  %r = stablehlo.add %u, %q {mpmd.reduce = #mpmd.reduction<add>, mpmd.src_set = #a} : !T
  %c = mpmd.call @shardy_mpmdf(%u) : (!T) -> !T
  %d = mpmd.call @shardy_mpmdf(%q) : (!T) -> !T
  return %e : !T
}
// expected-error@+1 {{Mesh assignment is not possible for arg0 of mpmd.call "f" as its caller operands are on conflicting meshes}}
func.func private @shardy_mpmdf(%p: !T {mpmd.src_set = #none}) -> !T attributes {topology = #t} {
  return %p : !T
})");
}

TEST_CASE("ops, arguments and chains of calls that need a transfer are reported with their notes") {
  check(no_transfers, R"(
func.func @main(%x: !A) -> !B attributes {topology = #t} {
  // expected-note@+1 {{it cannot be on mesh "b": it comes off mesh "a" here ("enc")}}
  %u = mpmd.unassign {origin = "enc", mpmd.src_set = #a} %x : (!A) -> !T
  %n = stablehlo.negate %u {mpmd.src_set = #a, mpmd.use_set = #b} : !T
  // expected-error@+2 {{Mesh assignment is not possible for op as it is used in {b} but it can only be placed on {a}}}
  // expected-note@+1 {{it is needed on mesh "b" because of this assign ("dec")}}
  %z = mpmd.assign {origin = "dec", mpmd.src_set = #a, mpmd.use_set = #b} %n : (!T) -> !B
  return %z : !B
}
func.func @chain(%x: !T) -> !T attributes {topology = #t} {
  %1 = mpmd.call @g(%x) : (!T) -> !T
  %2 = mpmd.call @g(%1) : (!T) -> !T
  return %2 : !T
}
// expected-error@+1 {{Mesh assignment is not possible for arg0 of mpmd.call "f" as it is used in {b} but it can only be placed on {a}}}
func.func private @f(%p: !T {mpmd.src_set = #a, mpmd.use_set = #b}) -> !T attributes {topology = #t} {
  return %p : !T
}
// expected-error@+1 {{Mesh assignment is not possible for mpmd.call "g" as it passes result 0 to arg 0 but they have mismatching mesh assignments: res: {a[enc]}, arg: {b[dec]}}}
func.func private @g(%p: !T {mpmd.use_set = #b}) -> (!T {mpmd.use_set = #a}) attributes {topology = #t} {
  return %p : !T
})");
}

TEST_CASE("of calls that feed one another both sets are explained, and where one becomes the other") {
  check("-mpmd-infer-mesh-pipeline", R"(
func.func @main(%x: !T, %y: !T) -> (!A, !B) attributes {topology = #t} {
  %1:2 = mpmd.call @f(%x, %y) : (!T, !T) -> (!T, !T)
  // expected-note@+2 {{result 0 is passed to arg 0 here}}
  // expected-note@+1 {{result 1 is passed to arg 1 here}}
  %2:2 = mpmd.call @f(%1#0, %1#1) : (!T, !T) -> (!T, !T)
  // expected-note@+1 {{result 0 is needed on mesh "a" because of this assign ("enc")}}
  %a = mpmd.assign {origin = "enc"} %2#0 : (!T) -> !A
  // expected-note@+1 {{result 1 is needed on mesh "b" because of this assign ("dec")}}
  %b = mpmd.assign {origin = "dec"} %2#1 : (!T) -> !B
  return %a, %b : !A, !B
}
// expected-error@+2 {{passes result 0 to arg 0 but they have mismatching mesh assignments: res: {a[enc], b[broadcast]}, arg: {b[broadcast]}}}
// expected-error@+1 {{passes result 1 to arg 1 but they have mismatching mesh assignments: res: {b[dec], a[broadcast]}, arg: {a[broadcast]}}}
func.func private @f(%p: !T, %q: !T) -> (!T, !T) attributes {topology = #t} {
  // expected-note@+1 {{arg 0 is needed on mesh "b" because of this broadcast}}
  %0 = mpmd.broadcast %p : !T
  // expected-note@+1 {{arg 1 is needed on mesh "a" because of this broadcast}}
  %1 = mpmd.broadcast %q : !T
  return %1, %0 : !T, !T
})");
}

TEST_CASE("of a reduction that was inferred and is wanted elsewhere the parts are named, and what helps") {
  constexpr std::string_view program = R"(
!C = !mpmd.mesh_tensor<"c", tensor<2xf32>>
func.func @main(%x: !A, %y: !B) -> !C attributes {topology = #mpmd.topology<<"a" : <["x"=2]>>, <"b" : <["x"=2]>>, <"c" : <["x"=2]>>>} {
  %f = mpmd.fragment<mesh="a", origin=["enc"]> (%x) (%v: !T) {
    mpmd.return %v : !T
  } : (!A) -> !A
  %g = mpmd.fragment<mesh="b", origin=["dec"]> (%y) (%v: !T) {
    mpmd.return %v : !T
  } : (!B) -> !B
  // expected-note@+1 {{its part on mesh "a": it comes off that mesh here ("enc")}}
  %u = mpmd.unassign {origin = "enc"} %f : (!A) -> !T
  // expected-note@+1 {{its part on mesh "b": it comes off that mesh here ("dec")}}
  %q = mpmd.unassign {origin = "dec"} %g : (!B) -> !T
  // expected-note@+1 {{it cannot be on mesh "c": this reduction combines values of {a,b}, and can be delivered on those meshes only}}
  %s = stablehlo.add %u, %q : !T
  // expected-error@+2 {{used in {c} but it can only be placed on {a,b}. A cross-mesh reduction can only be delivered on meshes of its parts: wrap the value in mpmd.reduce<none>}}
  // expected-note@+1 {{it is needed on mesh "c" because of this assign ("out")}}
  %c = mpmd.assign {origin = "out"} %s : (!T) -> !C
  return %c : !C
})";
  constexpr auto flags = "-mpmd-infer-mesh-pipeline=infer-cross-mesh-reductions=true";
  check(flags, program);
  // The advice holds.
  std::string helped(program);
  helped.replace(helped.find("%s : (!T) -> !C"), 2, "%n");
  helped.insert(helped.find("  // expected-error"), "  %n = mpmd.reduce<none> %s : (!T) -> !T\n");
  CHECK(mpmd::testing::status_of_tool(flags, std::string(preamble) + helped, "inference_diagnostics.mlir") == 0);
}

TEST_CASE("leaves that can be nowhere are reported") {
  check(leaves, R"(
func.func @output(%x: !T) -> !T attributes {topology = #t} {
  %0 = stablehlo.negate %x {mpmd.src_set = #none} : !T
  // expected-error@+1 {{Func output 0 has no mesh to be assigned to.}}
  return %0 : !T
}
func.func @unused(%x: !T) attributes {topology = #t} {
  // expected-error@+1 {{src_set must not be empty for this op.}}
  %0 = stablehlo.negate %x {mpmd.src_set = #none} : !T
  // expected-error@+1 {{src_set must not be empty for resultless ops.}}
  sdy.sharding_group %x group_id=0 {mpmd.src_set = #none} : !T
  return
}
// expected-error@+1 {{Callee @f unused input 1 has no mesh to be assigned to.}}
func.func private @f(%p: !T, %q: !T {mpmd.src_set = #none}) -> !T attributes {topology = #t} {
  %0 = stablehlo.negate %p {mpmd.src_set = #none} : !T
  // expected-error@+1 {{Callee @f unused output 0 has no mesh to be assigned to.}}
  return %0 : !T
})");
}

TEST_CASE("each pass stops at its error limit") {
  for (std::string const pass : {not_empty, no_transfers, leaves}) {
    bool const backward = pass == no_transfers;
    auto const text = [&](int limit) {
      std::string all = "func.func @main(%x: !T) attributes {topology = #t} {\n";
      for (int i = 0; i < 3; ++i) {
        bool const found = limit < 0 || (backward ? 3 - i <= limit : i < limit);
        if (found) all += "  // expected-error@+1 {{" + std::string(pass == leaves ? "src_set must" : "Mesh assignment") + "}}\n";
        all += "  %" + std::to_string(i) + " = stablehlo.negate %x {mpmd.src_set = #none, mpmd.use_set = #a} : !T\n";
      }
      return all + "  return\n}";
    };
    for (int const limit : {1, 2, 3, 7, -1}) check(pass + "=error-limit=" + std::to_string(limit), text(limit));
    CHECK(mpmd::testing::status_of_tool("-verify-diagnostics " + pass + "=error-limit=0", std::string(preamble) + text(0),
                                        "inference_diagnostics.mlir") == 1);
  }
}

TEST_CASE("a constraint that fits no input or output is reported at the function") {
  check("-mpmd-infer-mesh-assign-using-input-output-constraints=constraints=0:0,2:1", R"(
// expected-error@+2 {{there is no input 2 to constrain: function @main has 1 input}}
// expected-error@+1 {{there is no output 1 to constrain: function @main has 1 output}}
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  return %x : !T
})");
}

}  // namespace inference_diagnostics_test
