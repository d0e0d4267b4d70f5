// What the common passes, mesh inference and the import pipeline report of programs that they cannot process, as
// `-verify-diagnostics` sees it.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "tool/expected_diagnostics.hpp"

namespace common_diagnostics_test {
namespace {

constexpr std::string_view preamble = R"(!T = tensor<2xf32>
!A = !mpmd.mesh_tensor<"a", tensor<2xf32>>
!B = !mpmd.mesh_tensor<"b", tensor<2xf32>>
#t = #mpmd.topology<<"a" : <["a_x"=2]>>, <"b" : <["b_x"=2]>>>
)";

int run(std::string const& flags, std::string const& text) {
  return mpmd::testing::status_of_tool(flags, text, "common_diagnostics.mlir");
}

// The same without -verify-diagnostics: what is said of a program that the tool can go on with does not make it fail.
void check(std::string const& flags, std::string_view text) {
  std::string const whole = std::string(preamble) + std::string(text);
  mpmd::testing::check_expected_diagnostics(flags, whole, "common_diagnostics.mlir");
  CAPTURE(flags);
  CAPTURE(whole);
  CHECK(run(flags, whole) == (whole.find("expected-error") == std::string::npos ? 0 : 1));
}

}  // namespace

TEST_CASE("loops that cannot be written out") {
  check("-mpmd-unroll-for-loops", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-note@+1 {{the loop around it is here; unroll the inner one by hand, or make one loop of both}}
  %0 = mpmd.for (%x) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%a: !T, %i: tensor<ui32>) {
    // expected-error@+1 {{Nested fori loops aren't supported.}}
    %1 = mpmd.for (%a) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%b: !T, %k: tensor<ui32>) {
      mpmd.return %b : !T
    } : !T
    mpmd.return %1 : !T
  } : !T
  return %0 : !T
})");
  check("-mpmd-unroll-for-loops", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+2 {{The unroll factor is required to be the same as the number of iterations.}}
  // expected-note@+1 {{the loop has 4 iterations and an unroll factor of 2; set unroll_factor = 4 : ui32}}
  %0 = mpmd.for (%x) {iterations = 4 : ui32, unroll_factor = 2 : ui32} (%a: !T, %i: tensor<ui32>) {
    mpmd.return %a : !T
  } : !T
  return %0 : !T
})");
  check("-mpmd-import-pipeline", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+2 {{The unroll factor is required to be the same as the number of iterations.}}
  // expected-note@+1 {{the loop has 4 iterations and no unroll factor}}
  %0 = mpmd.for (%x) {iterations = 4 : ui32} (%a: !T, %i: tensor<ui32>) {
    mpmd.return %a : !T
  } : !T
  return %0 : !T
})");
  check("-mpmd-unroll-for-loops", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+1 {{unrolling this loop would make 4294967295 copies of}}
  %0 = mpmd.for (%x) {iterations = 4294967295 : ui32, unroll_factor = 4294967295 : ui32} (%a: !T, %i: tensor<ui32>) {
    %1 = stablehlo.negate %a : !T
    mpmd.return %1 : !T
  } : !T
  return %0 : !T
})");
}

TEST_CASE("counters that are no microbatch") {
  check("-mpmd-from-unroll-to-call-counter", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+1 {{the unroll counter of this call, -1, cannot become a call counter: that is a 32-bit number without a sign}}
  %0 = mpmd.call @f(%x) {unroll_counter = -1 : i64} : (!T) -> !T
  return %0 : !T
}
func.func private @f(%x: !T) -> !T attributes {topology = #t} {
  return %x : !T
})");
  check("-mpmd-scheduling-units-verifier", R"(
// expected-warning@+1 {{Number of microbatches is zero. Make sure that the program uses call counters}}
func.func @main(%x: !A) -> !A attributes {topology = #t} {
  return %x : !A
})");
  check("-mpmd-scheduling-units-verifier", R"(
// expected-warning@+2 {{Number of forward scheduling units in mesh b does not match expected number for 1 microbatches. Got 0.}}
// expected-warning@+1 {{Number of backward scheduling units in mesh b does not match expected number for 1 microbatches. Got 0.}}
func.func @main(%x: !A) -> !A attributes {topology = #t} {
  %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) {call_counter = 0 : ui32} (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  %g = mpmd.fragment<mesh="a", origin=["f"(1)]> (%f) {call_counter = 0 : ui32} (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  return %g : !A
})");
}

TEST_CASE("calls that cannot be inlined") {
  check("-mpmd-import-pipeline", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  %0 = mpmd.call @f(%x) : (!T) -> !T
  return %0 : !T
}
// expected-note@+1 {{it is to run on meshes, and what runs there is written out; make a loop of it}}
func.func private @f(%x: !T) -> !T {
  %0 = func.call @g(%x) : (!T) -> !T
  return %0 : !T
}
func.func private @g(%x: !T) -> !T {
  // expected-error@+1 {{function 'f' calls itself, directly or through other functions, and cannot be inlined}}
  %0 = func.call @f(%x) : (!T) -> !T
  return %0 : !T
})");
  // Recursion apart from what is placed is nobody's business: the call goes into a fragment.
  CHECK(run("-mpmd-import-pipeline -verify-roundtrip", std::string(preamble) + R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  %0 = func.call @f(%x) : (!T) -> !T
  return %0 : !T
}
func.func private @f(%x: !T) -> !T {
  %0 = func.call @f(%x) : (!T) -> !T
  return %0 : !T
})") == 0);
  check("-mpmd-call-inline", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+1 {{Failed to inline f: the function has no body}}
  %0 = mpmd.call @f(%x) : (!T) -> !T
  return %0 : !T
}
func.func private @f(!T) -> !T attributes {topology = #t}
)");
  check("-mpmd-call-inline", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+1 {{Failed to inline f: the function has more than one block}}
  %0 = mpmd.call @f(%x) : (!T) -> !T
  return %0 : !T
}
func.func private @f(%x: !T) -> !T attributes {topology = #t} {
  "cf.br"()[^end] : () -> ()
^end:
  return %x : !T
})");
}

TEST_CASE("fragments that cannot be merged as asked") {
  check("-mpmd-merge-inferred-fragments='merge-any-consumer merge-sideways'",
        "// expected-error@unknown {{merge-any-consumer and merge-sideways cannot both be set}}\n");
  check("-mpmd-merge-user-fragments-into-scheduling-units", R"(
func.func @main(%x: !A) -> !A attributes {topology = #t} {
  // expected-error@+2 {{Expected one and only one transpose count for a user-defined producer op. The computations of this fragment have been transposed differently often: 'f' (0), 'g' (1)}}
  // expected-note@+1 {{a scheduling unit is a forward or a backward computation}}
  %f = mpmd.fragment<mesh="a", origin=["f", "g"(1)]> (%x) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  // expected-note@+1 {{it would be merged with this fragment}}
  %h = mpmd.fragment<mesh="a", origin=["h"]> (%f) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  return %h : !A
})");
  check("-mpmd-verify-stage-merging", R"(
func.func @main(%x: !A) -> !A attributes {topology = #t} {
  // expected-note@+1 {{the other fragment is here; merge the two, or give them different stages or call counters}}
  %f = mpmd.fragment<mesh="a", origin=["f"], stage=1> (%x) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  // expected-error@+1 {{A valid program cannot have more than one fragment with the same mesh, stage,}}
  %g = mpmd.fragment<mesh="a", origin=["g"], stage=1> (%f) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  return %g : !A
})");
  check("-mpmd-absorb-inferred-fragments", R"(
func.func private @f(%x: !A) -> !A attributes {topology = #t} {
  // expected-remark@+1 {{1 inferred fragment is left in this function, which is called}}
  %f = mpmd.fragment<mesh="a", origin=[]> (%x) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  return %f : !A
}
func.func @main(%x: !A) -> !A attributes {topology = #t} {
  %0 = mpmd.call @f(%x) : (!A) -> !A
  return %0 : !A
})");
}

TEST_CASE("what mesh inference cannot finish") {
  check("-mpmd-infer-mesh-finalize", R"(
// expected-error@+4 {{function input 0 is not a MeshTensorType, but a tensor<2xf32>}}
// expected-note@+3 {{only tensors that are assigned to meshes can go into and out of functions}}
// expected-error@+2 {{function output 0 is not a MeshTensorType, but a tensor<2xf32>}}
// expected-note@+1 {{only tensors that are assigned to meshes can go into and out of functions}}
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+2 {{no more meshless ops are expected at this point}}
  // expected-note@+1 {{-mpmd-infer-mesh-rewrite-using-analysis puts ops into fragments}}
  %0 = stablehlo.negate %x : !T
  return %0 : !T
})");
  check("-mpmd-infer-mesh-finalize", R"(
// expected-error@+2 {{Argument 0 has different memory kinds assigned to it. Found at least one user with undefined memory kind and at least one user with a memory kind.}}
// expected-note@+1 {{an argument is in one kind of memory: assign it to one kind everywhere}}
func.func @main(%x: !T) -> (!A, !mpmd.mesh_tensor<"a", !T, memory_kind="pinned_host">) attributes {topology = #t} {
  // expected-note@+1 {{assigned without a memory kind here}}
  %0 = mpmd.assign %x : (!T) -> !A
  // expected-note@+1 {{assigned to memory kind pinned_host here}}
  %1 = mpmd.assign %x : (!T) -> !mpmd.mesh_tensor<"a", !T, memory_kind="pinned_host">
  return %0, %1 : !A, !mpmd.mesh_tensor<"a", !T, memory_kind="pinned_host">
})");
  check("-mpmd-infer-mesh-finalize", R"(
func.func @main(%x: !A) -> !B attributes {topology = #t} {
  %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  // expected-error@+2 {{assigns, unassigns or broadcasts are not allowed after mesh inference}}
  // expected-note@+1 {{this value is used outside its mesh, and no transfer takes it there; infer-transfers makes one}}
  %0 = mpmd.unassign %f : (!A) -> !T
  // expected-error@+2 {{assigns, unassigns or broadcasts are not allowed after mesh inference}}
  // expected-note@+1 {{no transfer brings this value from mesh a to mesh b; infer-transfers makes one}}
  %1 = mpmd.assign %0 : (!T) -> !B
  return %1 : !B
})");
  for (std::string const pass : {"-mpmd-infer-mesh-validate-src-set-not-empty", "-mpmd-infer-mesh-assign-mesh-func-leaves",
                                 "-mpmd-infer-mesh-validate-no-additional-transfers-needed"})
    check(pass + "=error-limit=0",
          "// expected-error@unknown {{it must be positive, or -1 for no limit, as the check cannot be turned off}}\n");
  check("-mpmd-infer-mesh-assign-using-input-output-constraints='constraints=0:0 verbose-logging'", R"(
// expected-remark@+1 {{input 0 and output 0 can share no mesh without a transfer}}
func.func @main(%x: !A) -> !B attributes {topology = #t} {
  %0 = mpmd.transfer %x : (!A) -> !B
  return %0 : !B
})");
}

TEST_CASE("reductions whose initial values say something") {
  check("-mpmd-infer-mesh-convert-reduce-ops=infer-cross-mesh-reductions", R"(
func.func @main(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>) -> !T attributes {topology = #t} {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %c = stablehlo.concatenate %x, %y, dim = 0 {mpmd.reduce = #mpmd.reduction<max>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  // expected-warning@+1 {{the initial value of this reduction is dropped, though it is not known to be the neutral element: the result may change}}
  %r = stablehlo.reduce(%c init: %one) applies stablehlo.maximum across dimensions = [0] {mpmd.reduce = #mpmd.reduction<max>} : (tensor<2x2xf32>, tensor<f32>) -> !T
  return %r : !T
})");
  check("-mpmd-infer-mesh-convert-reduce-ops=infer-cross-mesh-reductions", R"(
func.func @main(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>, %i: tensor<f32>) -> !T attributes {topology = #t} {
  %c = stablehlo.concatenate %x, %y, dim = 0 {mpmd.reduce = #mpmd.reduction<add>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  // expected-warning@+1 {{this op is not made a cross-mesh reduction, because its initial value is no constant}}
  %r = stablehlo.reduce(%c init: %i) applies stablehlo.add across dimensions = [0] {mpmd.reduce = #mpmd.reduction<add>} : (tensor<2x2xf32>, tensor<f32>) -> !T
  return %r : !T
})");
}

TEST_CASE("topologies and shardings that do not fit each other") {
  check("-mpmd-generate-sdy-meshes-from-topology", "// expected-error@unknown {{no function has a topology to take meshes from}}\n");
  check("-mpmd-generate-sdy-meshes-from-topology", R"(
sdy.mesh @mesh = <["z"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #t} {
  // expected-error@+1 {{Axis name does not contain '_': no mesh of the topology has an axis 'z'}}
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"z"}]>]>} : tensor<4xf32>
  return %0 : tensor<4xf32>
})");
  check("-mpmd-generate-sdy-meshes-from-topology", R"(
sdy.mesh @mesh = <["a_y"=2, "q_x"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #t} {
  // expected-error@+1 {{mesh 'a' of the topology has no axis 'a_y'}}
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a_y"}]>]>} : tensor<4xf32>
  // expected-error@+1 {{Invalid mesh name: q. No mesh of the topology has an axis 'q_x'}}
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"q_x"}]>]>} : tensor<4xf32>
  return %1 : tensor<4xf32>
})");
}

TEST_CASE("bad modules through the import pipeline") {
  check("-mpmd-import-pipeline=name-to-mesh-assignment=f@nowhere", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+1 {{Topology doesn't have a mesh with name: nowhere}}
  %0 = mpmd.named_computation<"f"> (%x) (%a: !T) {
    %1 = stablehlo.negate %a : !T
    mpmd.return %1 : !T
  } : (!T) -> !T
  return %0 : !T
})");
  check("-mpmd-import-pipeline", R"(
// expected-note@+1 {{see existing symbol definition here}}
func.func private @f(%x: !T) -> !T {
  return %x : !T
}
// expected-error@+1 {{redefinition of symbol named 'f'}}
func.func private @f(%x: !T) -> !T {
  return %x : !T
})");
  check("-mpmd-import-pipeline", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+1 {{Mpmd CallOp callee @nobody does not refer to a function}}
  %0 = mpmd.call @nobody(%x) : (!T) -> !T
  return %0 : !T
})");
  // Constraints that ask for input 0 on the mesh of output 1, and the other way round.
  CHECK(run("-mpmd-import-pipeline='name-to-mesh-assignment=f@a,g@b input-output-constraints=0:1,1:0'", std::string(preamble) + R"(
func.func @main(%x: !T, %y: !T) -> (!T, !T) attributes {topology = #t} {
  %0 = mpmd.named_computation<"f"> (%x) (%a: !T) {
    %1 = stablehlo.negate %a : !T
    mpmd.return %1 : !T
  } : (!T) -> !T
  %2 = mpmd.named_computation<"g"> (%y) (%a: !T) {
    %1 = stablehlo.negate %a : !T
    mpmd.return %1 : !T
  } : (!T) -> !T
  return %0, %2 : !T, !T
})") == 0);
}

TEST_CASE("maps of inputs, outputs and constraints that fit no function, through the import pipeline") {
  check("'-mpmd-import-pipeline=input-index-to-mesh-assignment=0@a,-1@a,5@b,9223372036854775807@a "
        "output-index-to-mesh-assignment=0@a#pinned_host,-9223372036854775808@b,1@q'",
        R"(
// expected-error@+5 {{Input index must be non-negative. It is -1}}
// expected-error@+4 {{Input index out of bounds. Input 5 of function 'main' is assigned to mesh 'b', but there are 1}}
// expected-error@+3 {{Input index out of bounds. Input 9223372036854775807 of function 'main'}}
// expected-error@+2 {{Output index must be non-negative. It is -9223372036854775808}}
// expected-error@+1 {{Output index must be less than the number of results. Output 1 of function 'main' is assigned to mesh 'q'}}
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  return %x : !T
})");
  check("-mpmd-import-pipeline=input-index-to-mesh-assignment=0@", R"(
// expected-error@+1 {{Topology doesn't have a mesh with name: . It has 'a', 'b'}}
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  return %x : !T
})");
  check("-mpmd-import-pipeline=input-output-constraints=0:0,5:0,-1:3", R"(
// expected-error@+3 {{there is no input 5 to constrain: function @main has 1 input}}
// expected-error@+2 {{there is no input -1 to constrain: function @main has 1 input}}
// expected-error@+1 {{there is no output 3 to constrain: function @main has 1 output}}
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  return %x : !T
})");
  // Of an index that is given twice the last mesh counts.
  std::string const passes = "input-index-to-mesh-assignment=0@a,0@b output-index-to-mesh-assignment=0@a,0@b";
  CHECK(run("'-mpmd-import-pipeline=" + passes + "'", std::string(preamble) + R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  return %x : !T
})") == 0);
  // Inputs 0 and 1 may each be where output 0 and 1 are, but not both everywhere.
  check("'-mpmd-import-pipeline=input-output-constraints=0:1,1:0,0:0,1:1 infer-transfers'", R"(
// expected-error@+2 {{input 0 and output 0 of function 'main' cannot be of one type: the output is also constrained to input 1}}
// expected-error@+1 {{input 1 and output 1 of function 'main' cannot be of one type: the output is also constrained to input 0}}
func.func @main(%x: !T, %y: !T) -> (!T, !T) attributes {topology = #t} {
  %0 = mpmd.assign %x : (!T) -> !A
  %1 = mpmd.assign %y : (!T) -> !B
  %2 = mpmd.unassign %0 : (!A) -> !T
  %3 = mpmd.unassign %1 : (!B) -> !T
  return %2, %3 : !T, !T
})");
}

TEST_CASE("rules for merging that the fragments do not meet") {
  constexpr std::string_view two = R"(
%at+1
func.func @main(%x: !A, %y: !B) -> (!A, !B) attributes {topology = #t} {
  %first
  %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  %second
  %g = mpmd.fragment<mesh="b", origin=["g"]> (%y) (%p: !T) {
    mpmd.return %p : !T
  } : (!B) -> !B
  return %f, %g : !A, !B
})";
  auto info = [](std::string const& name, std::string const& mesh) {
    return "FragmentInfo(origins=[\"" + name + "\"],mesh_name=\"" + mesh + "\")";
  };
  auto rule = [&](std::string const& sources, std::string const& target) {
    return "-mpmd-rule-based-merge='rules=FragmentMergeRule(sources=[" + sources + "],target=" + target + ")'";
  };
  auto with = [&](std::string const& at, std::string const& first, std::string const& second) {
    std::string text(two);
    text.replace(text.find("%second"), 7, second);
    text.replace(text.find("%first"), 6, first);
    text.replace(text.find("%at+1"), 5, at);
    return text;
  };
  check(rule(info("h", "a") + "," + info("i", "a"), info("k", "a")),
        with("// expected-warning@unknown {{no function has the fragments of the rule that begins with FragmentInfo}}", "", ""));
  check(rule(info("f", "a") + "," + info("h", "a"), info("k", "a")),
        with("// expected-warning@+1 {{the function has only some of the fragments that are to become FragmentInfo}}", "", ""));
  check(rule(info("f", "a") + "," + info("g", "b"), info("k", "a")),
        with("", "", "// expected-error@+1 {{this fragment is to become part of FragmentInfo}}"));
}

TEST_CASE("what is left over, and why") {
  check("-mpmd-infer-mesh-finalize", R"(
func.func @main(%x: !A) -> (!B, !A, !A) attributes {topology = #t} {
  %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  // expected-error@+1 {{assigns, unassigns or broadcasts are not allowed after mesh inference}}
  %u = mpmd.unassign %f : (!A) -> !T
  // expected-error@+1 {{no more meshless ops are expected at this point}}
  %n = stablehlo.negate %u : !T
  // expected-error@+2 {{assigns, unassigns or broadcasts are not allowed after mesh inference}}
  // expected-note@+1 {{this value is on no mesh that it could be brought from to mesh b; infer-transfers makes one}}
  %b = mpmd.assign %n : (!T) -> !B
  // expected-error@+2 {{assigns, unassigns or broadcasts are not allowed after mesh inference}}
  // expected-note@+1 {{what is broadcast has to be taken off a mesh, and all that uses it assigned to one}}
  %c = mpmd.broadcast %n : !T
  // expected-error@+1 {{assigns, unassigns or broadcasts are not allowed after mesh inference}}
  %d = mpmd.assign %c : (!T) -> !A
  // expected-error@+2 {{reduces are not allowed after mesh inference}}
  // expected-note@+1 {{all that is reduced has to be taken off a mesh, and all that uses the result assigned to one}}
  %r = mpmd.reduce<add> %n, %u : (!T, !T) -> !T
  // expected-error@+1 {{assigns, unassigns or broadcasts are not allowed after mesh inference}}
  %e = mpmd.assign %r : (!T) -> !A
  return %b, %d, %e : !B, !A, !A
})");
  check("-mpmd-map-input-output-to-mesh=input-assignment=0@a#device", R"(
// expected-warning@+1 {{Memory kind attribute of another form on function argument 0 does not match the memory kind "device" in its type.}}
func.func @main(%x: !T {mhlo.memory_kind = 3 : i32}) -> !T attributes {topology = #t} {
  return %x : !T
})");
}

TEST_CASE("calls that would make a program grow without bound") {
  std::string text = R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  %0 = mpmd.call @f0(%x) : (!T) -> !T
  return %0 : !T
}
func.func private @last(%x: !T) -> !T {
  %0 = stablehlo.negate %x : !T
  return %0 : !T
}
)";
  constexpr int levels = 40;
  for (int i = 0; i < levels; ++i) {
    std::string const called = i + 1 < levels ? "f" + std::to_string(i + 1) : "last";
    text += "func.func private @f" + std::to_string(i) + "(%x: !T) -> !T {\n  %0 = func.call @" + called + "(%x) : (!T) -> !T\n";
    if (i == 19)  // 2^20 ops a call by then
      text += "  // expected-error@+1 {{inlining the functions of this program would make more than 16777216 ops}}\n";
    text += "  %1 = func.call @" + called + "(%0) : (!T) -> !T\n  return %1 : !T\n}\n";
  }
  check("-mpmd-import-pipeline", text);
}

TEST_CASE("a hundred thousand functions are imported") {
  std::string text(preamble);
  std::size_t const callees = 50'000;
  text += "func.func @main(%x: !T) -> !T attributes {topology = #t} {\n  %0 = mpmd.call @f0(%x) : (!T) -> !T\n";
  for (std::size_t i = 1; i < callees; ++i)
    text += "  %" + std::to_string(i) + " = mpmd.call @f" + std::to_string(i) + "(%" + std::to_string(i - 1) + ") : (!T) -> !T\n";
  text += "  return %" + std::to_string(callees - 1) + " : !T\n}\n";
  for (std::size_t i = 0; i < callees; ++i) {
    std::string const n = std::to_string(i);
    text += "func.func private @f" + n + "(%x: !T) -> !T {\n  %0 = func.call @g" + n + "(%x) : (!T) -> !T\n  return %0 : !T\n}\n";
    text += "func.func private @g" + n + "(%x: !T) -> !T {\n  %0 = stablehlo.negate %x : !T\n  return %0 : !T\n}\n";
  }
  CHECK(run("-mpmd-import-pipeline -verify-each=false -o /dev/null", text) == 0);
}

}  // namespace common_diagnostics_test
