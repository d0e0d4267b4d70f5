// What the import passes report, as `-verify-diagnostics` sees it: at which line, and that nothing else is
// said.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "tool/expected_diagnostics.hpp"

namespace import_diagnostics_test {
namespace {

// T is tensor<2xf32>, A and B the same on meshes a and b of topology #t.
constexpr std::string_view preamble = R"(!T = tensor<2xf32>
!A = !mpmd.mesh_tensor<"a", tensor<2xf32>>
!B = !mpmd.mesh_tensor<"b", tensor<2xf32>>
#t = #mpmd.topology<<"a" : <["a_x"=2]>>, <"b" : <["b_x"=2]>>>
)";

void check(std::string const& flags, std::string_view text) {
  mpmd::testing::check_expected_diagnostics(flags, std::string(preamble) + std::string(text), "import_diagnostics.mlir");
}

}  // namespace

TEST_CASE("errors of the import passes stand at the op, argument or function that they are about") {
  check("-mpmd-copy-topology-from-main", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-error@+1 {{function 'f' has another topology than its caller 'main'}}
  %0 = mpmd.call @f(%x) : (!T) -> !T
  return %0 : !T
}
func.func private @f(%x: !T) -> !T attributes {topology = #mpmd.topology<<"z" : <["x"=2]>>>} {
  return %x : !T
})");
  for (char const* const pipeline : {"-mpmd-import-pipeline", "-mpmd-import-pipeline=infer-transfers=true",
                                     "-mpmd-infer-mesh-pipeline"})
    check(pipeline, R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  %c = stablehlo.constant dense<1.0> : !T
  %0 = mpmd.call @f(%x, %c) : (!T, !T) -> !T // expected-error {{this calls 'f', which has no body}}
  return %0 : !T
}
// expected-note@+1 {{it is declared here}}
func.func private @f(!T, !T) -> !T attributes {topology = #t}
func.func private @unused(!T) -> !T attributes {topology = #t})");
  check("-mpmd-enforce-input-output-equisharding=constraints=0:0,1:7", R"(
// expected-error@+2 {{input 0 and output 0 of function 'main' cannot be of one type: the input stands on no mesh}}
// expected-error@+1 {{input 1 and output 7 of function 'main' cannot be of one type: it has 1 outputs}}
func.func @main(%x: !T, %y: !A) -> !A attributes {topology = #t} {
  return %y : !A
})");
  check("-mpmd-generate-sdy-meshes-from-topology", R"(
sdy.mesh @mesh = <["a_x"=2, "b_x"=2]>
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {topology = #t} {
  // expected-error@+1 {{Mesh name mismatch: a vs b}}
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a_x"}, {"b_x"}]>]>} : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
})");
  check("-mpmd-inline-nested-user-exposed-ops=assignment=f@a,g@b,h@b/2,i@b/1", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  %0 = mpmd.named_computation<"f"> (%x) (%a: !T) {
    // expected-error@+1 {{NamedComputation 'g' is nested in a NamedComputation 'f' which has a different mesh or stage assignment.}}
    %1 = mpmd.named_computation<"g"> (%a) (%b: !T) {
      mpmd.return %b : !T
    } : (!T) -> !T
    // expected-error@+1 {{NamedTensor 'h' is nested in a NamedComputation 'f' which has a different mesh assignment.}}
    %2 = mpmd.named_tensor %1 name="h" : !T
    mpmd.return %2 : !T
  } : (!T) -> !T
  %3 = mpmd.named_computation<"h"> (%0) (%a: !T) {
    // expected-error@+1 {{'i' is assigned to mesh 'b', stage 1, 'h' to mesh 'b', stage 2}}
    %4 = mpmd.named_computation<"i"> (%a) (%b: !T) {
      mpmd.return %b : !T
    } : (!T) -> !T
    mpmd.return %4 : !T
  } : (!T) -> !T
  // expected-error@+1 {{Parent NamedComputation 'p' is not assigned to a mesh in the user-defined name-to-mesh assignment.}}
  %5 = mpmd.named_computation<"p"> (%3) (%a: !T) {
    %6 = mpmd.named_tensor %a name="q" : !T
    mpmd.return %6 : !T
  } : (!T) -> !T
  return %5 : !T
})");
  check("-mpmd-map-input-output-to-mesh='input-assignment=-1@a,0@nowhere,1@a,2@b output-assignment=0@b,4@b'",
        R"(
// expected-error@+4 {{Input index must be non-negative.}}
// expected-error@+3 {{Topology doesn't have a mesh with name: nowhere}}
// expected-error@+2 {{Input index out of bounds.}}
// expected-error@+1 {{Output index must be less than the number of results.}}
func.func @main(%x: !T,
    // expected-error@+2 {{Input 1 of function 'main' cannot be placed on mesh 'a': its type is}}
    // expected-error@+1 {{Output 0 of function 'main' cannot be placed on mesh 'b': its type is}}
    %y: !A) -> !A attributes {topology = #t} {
  return %y : !A
})");
  check("-mpmd-map-input-output-to-mesh=input-assignment=0@a#device", R"(
// expected-warning@+1 {{Memory kind attribute "pinned_host" on function argument 0 does not match the memory kind "device" in its type.}}
func.func @main(%x: !T {mhlo.memory_kind = "pinned_host"}) attributes {topology = #t} {
  return
})");
  check("-mpmd-map-named-ops-to-mpmd-ops='assignment=f@a#device,g@nowhere,n@a'", R"(
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  // expected-warning@+1 {{the memory kind 'device' of NamedComputation 'f' is ignored}}
  %0 = mpmd.named_computation<"f"> (%x) (%a: !T) {
    // expected-error@+1 {{NamedComputation 'n' is nested in another computation}}
    %9 = mpmd.named_computation<"n"> (%a) (%b: !T) {
      mpmd.return %b : !T
    } : (!T) -> !T
    mpmd.return %9 : !T
  } : (!T) -> !T
  // expected-error@+1 {{Topology doesn't have a mesh with name: nowhere}}
  %1 = mpmd.named_tensor %0 name="g" : !T
  // expected-error@+1 {{Top-level NamedComputation 'stage2' is not assigned to a mesh in the user-defined named-to-mesh assignment.}}
  %2 = mpmd.named_computation<"stage2"> (%1) (%a: !T) {
    mpmd.return %a : !T
  } : (!T) -> !T
  return %2 : !T
}
func.func @spmd(%x: !T) -> !T attributes {mesh_shape = #sdy.mesh<["x"=2]>} {
  // expected-error@+1 {{Function does not have a topology attribute: spmd}}
  %0 = mpmd.named_tensor %x name="n" : !T
  return %0 : !T
})");
  check("-mpmd-validate-named-ops-in-mpmd-func", R"(
func.func @main(%x: !T) -> !T {
  // expected-error@+1 {{Named computations can only be nested in mpmd functions or mpmd ops.}}
  %0 = mpmd.named_computation<"f"> (%x) (%a: !T) {
    mpmd.return %a : !T
  } : (!T) -> !T
  // expected-error@+1 {{Named tensors can only be nested in mpmd functions or mpmd ops.}}
  %1 = mpmd.named_tensor %0 name="t" : !T
  return %1 : !T
})");
}

}  // namespace import_diagnostics_test
