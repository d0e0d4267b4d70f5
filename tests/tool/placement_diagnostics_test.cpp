// Why something cannot be placed, merged or finished, in the cases that are rare, as `-verify-diagnostics`
// sees it.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "tool/expected_diagnostics.hpp"

namespace placement_diagnostics_test {
namespace {

constexpr std::string_view preamble = R"(!T = tensor<2xf32>
!A = !mpmd.mesh_tensor<"a", tensor<2xf32>>
!B = !mpmd.mesh_tensor<"b", tensor<2xf32>>
!A_device = !mpmd.mesh_tensor<"a", tensor<2xf32>, memory_kind="device">
!A_host = !mpmd.mesh_tensor<"a", tensor<2xf32>, memory_kind="pinned_host">
#t = #mpmd.topology<<"a" : <["a_x"=2]>>, <"b" : <["b_x"=2]>>>
#none = #mpmd.meshes_with_origins<>
#a = #mpmd.meshes_with_origins<"a"["enc"]>
#b = #mpmd.meshes_with_origins<"b"["dec"]>
#ab = #mpmd.meshes_with_origins<"a"["enc"], "b">
)";

void check(std::string const& flags, std::string_view text) {
  mpmd::testing::check_expected_diagnostics(flags, std::string(preamble) + std::string(text),
                                            "placement_diagnostics.mlir");
}

constexpr auto not_empty = "-mpmd-infer-mesh-validate-src-set-not-empty";
constexpr auto leaves = "-mpmd-infer-mesh-assign-mesh-func-leaves";
constexpr auto rewrite = "-mpmd-infer-mesh-rewrite-using-analysis";

}  // namespace

TEST_CASE(
    "notes tell what brings a value to a mesh: an unassign, a transfer, an argument, an argument that is "
    "unassigned") {
  check(not_empty, R"(
// expected-note@+1 {{operand 1 can be on mesh "b": it comes from argument 2 of @main}}
func.func @main(%x: !A, %y: !B, %z: !T {mpmd.src_set = #b}) -> !T attributes {topology = #t} {
  // expected-note@+1 {{operand 0 can be on mesh "b": this transfer takes the same tensor there}}
  %m = mpmd.transfer %x : (!A) -> !B
  // expected-note@+1 {{operand 0 can be on mesh "a": it comes off that mesh here ("enc")}}
  %u = mpmd.unassign {origin = "enc", mpmd.src_set = #ab} %x : (!A) -> !T
  // expected-error@+1 {{Mesh assignment is not possible for op as its operands are on conflicting meshes}}
  %e = stablehlo.divide %u, %z {mpmd.src_set = #none} : !T
  return %e : !T
})");
  check(not_empty, R"(
func.func @main(%x: !A, %z: !T {mpmd.src_set = #b}) -> !T attributes {topology = #t} {
  // expected-note@+2 {{operand 0 can be on mesh "a": it comes off that mesh here ("enc")}}
  // expected-note@+1 {{operand 0 can be on mesh "b": argument unassigned here ("enc")}}
  %u = mpmd.unassign {origin = "enc", mpmd.src_set = #ab} %x : (!A) -> !T
  // expected-error@+1 {{Mesh assignment is not possible for op}}
  %e = stablehlo.divide %u, %z {mpmd.src_set = #none} : !T
  return %e : !T
})");
}

TEST_CASE("notes tell which calls bring a value, and what a region captures") {
  check(not_empty, R"(
func.func @main(%x: !A, %y: !B) -> !T attributes {topology = #t} {
  // expected-note@+1 {{the operand of call 0 can be on mesh "a": it comes off that mesh here ("enc")}}
  %u = mpmd.unassign {origin = "enc", mpmd.src_set = #a} %x : (!A) -> !T
  // expected-note@+1 {{the operand of call 1 can be on mesh "b": it comes off that mesh here ("dec")}}
  %q = mpmd.unassign {origin = "dec", mpmd.src_set = #b} %y : (!B) -> !T
  %c = mpmd.call @f(%u) : (!T) -> !T
  %d = mpmd.call @f(%q) : (!T) -> !T
  return %d : !T
}
// expected-error@+1 {{Mesh assignment is not possible for arg0 of mpmd.call "f" as its caller operands are on conflicting}}
func.func private @f(%p: !T {mpmd.src_set = #none}) -> !T attributes {topology = #t} {
  return %p : !T
})");
  check(not_empty, R"(
func.func @main(%x: !A, %y: !B, %i: tensor<i32>) -> !T attributes {topology = #t} {
  // expected-note@+1 {{captured value 0 can be on mesh "a": it comes off that mesh here ("enc")}}
  %u = mpmd.unassign {origin = "enc", mpmd.src_set = #a} %x : (!A) -> !T
  // expected-note@+1 {{captured value 1 can be on mesh "b": it comes off that mesh here ("dec")}}
  %q = mpmd.unassign {origin = "dec", mpmd.src_set = #b} %y : (!B) -> !T
  // expected-error@+1 {{Mesh assignment is not possible for op as its operands are on conflicting meshes}}
  %w = "stablehlo.case"(%i) ({
    stablehlo.return %u : !T
  }, {
    stablehlo.return %q : !T
  }) {mpmd.src_set = #none} : (tensor<i32>) -> !T
  return %w : !T
})");
}

TEST_CASE("notes tell what keeps a value away from where it is needed") {
  check("-mpmd-infer-mesh-validate-no-additional-transfers-needed", R"(
// expected-note@+1 {{it cannot be on mesh "b": it comes from argument 0 of @main, which can be on {a}}}
func.func @main(%x: !T {mpmd.src_set = #a}) -> !B attributes {topology = #t} {
  // expected-error@+2 {{Mesh assignment is not possible for op as it is used in {b} but it can only be placed on {a}}}
  // expected-note@+1 {{it is needed on mesh "b" because of this assign ("dec")}}
  %z = mpmd.assign {origin = "dec", mpmd.src_set = #a, mpmd.use_set = #b} %x : (!T) -> !B
  return %z : !B
})");
}

TEST_CASE("an operand of a broadcast that can be nowhere, and the op that made it so") {
  check(leaves, R"(
func.func @main(%x: !A, %y: !B) -> !A attributes {topology = #t} {
  %u = mpmd.unassign {origin = "enc", mpmd.src_set = #a} %x : (!A) -> !T
  %q = mpmd.unassign {origin = "dec", mpmd.src_set = #b} %y : (!B) -> !T
  // expected-note@+1 {{the operands of this op share no mesh}}
  %0 = stablehlo.divide %u, %q {mpmd.src_set = #none, mpmd.use_set = #a} : !T
  // expected-error@+1 {{src_set must not be empty for operand 0 of this op.}}
  %1 = mpmd.broadcast %0 : !T
  %2 = mpmd.assign %1 : (!T) -> !A
  return %2 : !A
})");
}

TEST_CASE("what loops carry, and values whose uses say no mesh") {
  check(rewrite, R"(
func.func @main(%x: !T) -> !A attributes {topology = #t} {
  // expected-error@+2 {{value 0 of the loop is needed on several meshes: {a,b}}}
  // expected-note@+1 {{what a loop carries stands on one mesh; unroll the loop, or keep its body on one mesh}}
  %c = mpmd.for (%x) {iterations = 2 : ui32, unroll_factor = 2 : ui32, mpmd.use_set = #ab} (%p: !T, %i: tensor<ui32>) {
    %n = stablehlo.negate %p {mpmd.use_set = #ab} : !T
    mpmd.return %n : !T
  } : !T
  %0 = mpmd.assign %c : (!T) -> !A
  return %0 : !A
})");
  check(rewrite, R"(
func.func @main(%x: !T) -> !A attributes {topology = #t} {
  // expected-error@+1 {{the index of the loop is needed on several meshes: {a,b}}}
  %c = mpmd.for (%x) {iterations = 2 : ui32, unroll_factor = 2 : ui32, mpmd.use_set = #a} (%p: !T, %i: tensor<ui32>) {
    %0 = mpmd.assign %i : (tensor<ui32>) -> !mpmd.mesh_tensor<"a", tensor<ui32>>
    %1 = mpmd.assign %i : (tensor<ui32>) -> !mpmd.mesh_tensor<"b", tensor<ui32>>
    %n = stablehlo.negate %p {mpmd.use_set = #a} : !T
    mpmd.return %n : !T
  } : !T
  %0 = mpmd.assign %c : (!T) -> !A
  return %0 : !A
})");
  check(rewrite, R"(
func.func @main(%x: !T) -> !A attributes {topology = #t} {
  // expected-error@+1 {{the op cannot be put on a mesh: it is used by an op that says no mesh}}
  %n = stablehlo.negate %x : !T
  // expected-note@+2 {{used here, without an mpmd.assign between}}
  // expected-note@+1 {{-mpmd-infer-mesh-assign-mesh-func-leaves gives every use a mesh}}
  %b = mpmd.broadcast %n : !T
  // expected-error@+1 {{result 0 of the call cannot be put on a mesh: it is used by an op that says no mesh}}
  %c = mpmd.call @f(%b) : (!T) -> !T
  // expected-note@+1 {{used here, without an mpmd.assign between}}
  %d = mpmd.broadcast %c : !T
  %r = mpmd.assign %d : (!T) -> !A
  return %r : !A
}
// expected-error@+1 {{the argument cannot be put on a mesh: it is used by an op that says no mesh}}
func.func private @f(%x: !T) -> !T attributes {topology = #t} {
  // expected-note@+1 {{used here, without an mpmd.assign between}}
  %0 = mpmd.broadcast %x : !T
  return %0 : !T
})");
}

TEST_CASE("an argument in two kinds of memory") {
  check("-mpmd-infer-mesh-finalize", R"(
// expected-error@+2 {{Argument 0 has different memory kinds assigned to it.}}
// expected-note@+1 {{an argument is in one kind of memory: assign it to one kind everywhere}}
func.func @main(%x: !T) -> (!A_device, !A_host) attributes {topology = #t} {
  // expected-note@+1 {{assigned to memory kind device here}}
  %0 = mpmd.assign %x : (!T) -> !A_device
  // expected-note@+1 {{assigned to memory kind pinned_host here}}
  %1 = mpmd.assign %x : (!T) -> !A_host
  return %0, %1 : !A_device, !A_host
})");
}

TEST_CASE("inputs and outputs that cannot be of one type, and why") {
  check("-mpmd-enforce-input-output-equisharding=constraints=0:0,1:0", R"(
// expected-error@+1 {{input 1 and output 0 of function 'main' cannot be of one type: the output is also constrained to input 0, of another type}}
func.func @main(%x: !A, %y: !B) -> !A attributes {topology = #t} {
  return %x : !A
})");
  check("-mpmd-enforce-input-output-equisharding=constraints=0:0,-1:0,9223372036854775807:0", R"(
// expected-error@+3 {{input 0 and output 0 of function 'main' cannot be of one type: they are different tensors}}
// expected-error@+2 {{input -1 and output 0 of function 'main' cannot be of one type: it has 2 inputs}}
// expected-error@+1 {{input 9223372036854775807 and output 0 of function 'main' cannot be of one type: it has 2 inputs}}
func.func @main(%x: !A, %y: !mpmd.mesh_tensor<"a", tensor<3xf32>>) -> !mpmd.mesh_tensor<"a", tensor<3xf32>> attributes {topology = #t} {
  return %y : !mpmd.mesh_tensor<"a", tensor<3xf32>>
})");
  check("-mpmd-infer-mesh-assign-using-input-output-constraints=constraints=-1:0,0:9223372036854775807", R"(
// expected-error@+2 {{there is no input -1 to constrain: function @main has 1 input}}
// expected-error@+1 {{there is no output 9223372036854775807 to constrain: function @main has 1 output}}
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  return %x : !T
})");
}

TEST_CASE("meshes of shardings that cannot be told, and names that are taken") {
  constexpr auto pass = "-mpmd-generate-sdy-meshes-from-topology";
  check(pass, R"(
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"a" : <["x"=2]>>, <"b" : <["x"=2]>>>} {
  // expected-error@+1 {{axis 'x' belongs to 2 meshes of the topology, 'a' and 'b' among them: call it <mesh>_<axis>}}
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return %0 : tensor<4xf32>
})");
  check(pass, R"(
sdy.mesh @a = <[]>
// expected-error@+1 {{Invalid mesh name: a. It is the name of a mesh of the topology and of a declared mesh without axes}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #t} {
  return %x : tensor<4xf32>
})");
  check(pass, R"(
sdy.mesh @empty_mesh = <["z"=2]>
// expected-error@+1 {{Mesh named 'empty_mesh' already exists but is not empty.}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #t} {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@empty_mesh, [{}]>]>} : tensor<4xf32>
  return %0 : tensor<4xf32>
})");
  check(pass, R"(
sdy.mesh @mesh = <["a_x"=2]>
// expected-error@+1 {{Mesh named 'empty_mesh' already exists but is not empty.}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"empty_mesh" : <["a_x"=2]>>>} {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<4xf32>
  return %0 : tensor<4xf32>
})");
}

TEST_CASE("names that nothing bears, if asked for") {
  check("'-mpmd-map-named-ops-to-mpmd-ops=assignment=f@a,g@b warn-unused'", R"(
// expected-warning@unknown {{no named computation or tensor is called 'g', which is assigned to mesh 'b'}}
func.func @main(%x: !T) -> !T attributes {topology = #t} {
  %0 = mpmd.named_tensor %x name="f" : !T
  return %0 : !T
})");
}

TEST_CASE("rules for merging that name too much, or close a circle") {
  auto merge = [](std::string const& first, std::string const& second) {
    auto info = [](std::string const& name) {
      return "FragmentInfo(origins=[\"" + name + "\"],mesh_name=\"a\")";
    };
    return "-mpmd-rule-based-merge='rules=FragmentMergeRule(sources=[" + info(first) + "," + info(second) +
           "],target=" + info("k") + ")'";
  };
  constexpr std::string_view chain = R"(
%function
func.func @main(%x: !A) -> !A attributes {topology = #t} {
  %first
  %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  %g = mpmd.fragment<mesh="a", origin=["g"]> (%f) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  %h = mpmd.fragment<mesh="a", origin=["%name"]> (%g) (%p: !T) {
    mpmd.return %p : !T
  } : (!A) -> !A
  return %h : !A
})";
  auto with = [&](std::string const& function, std::string const& first, std::string const& name) {
    std::string text(chain);
    text.replace(text.find("%function"), 9, function);
    text.replace(text.find("%first"), 6, first);
    text.replace(text.find("%name"), 5, name);
    return text;
  };
  check(merge("f", "g"),
        with("", "// expected-error@+1 {{more than one fragment is FragmentInfo(origins=[\"f\"]}}", "f"));
  check(merge("f", "f"),
        with("", "// expected-error@+1 {{this fragment is named more than once by the rules}}", "h"));
  check(merge("f", "h"), with("// expected-error@+1 {{Cycle detected in the program, not all fragments could "
                              "be properly merged.}}",
                              "", "h"));
}

TEST_CASE("calls by which more comes in than a program can hold") {
  constexpr int ops = 4200;
  constexpr int fit = (1 << 24) / (ops + 1);  // calls: the return counts, too
  auto chain = [](int count, std::string_view op, std::string_view type) {
    std::string text;
    for (int i = 1; i <= count; ++i)
      text.append("  %x")
          .append(std::to_string(i))
          .append(" = ")
          .append(op)
          .append(std::to_string(i - 1))
          .append(type);
    return text + "  return %x" + std::to_string(count) + " : !T\n}\n";
  };
  std::string calls = chain(ops, "mpmd.call @f(%x", ") : (!T) -> !T\n");
  calls.insert(
      calls.find("  %x" + std::to_string(fit + 1) + " "),
      "  // expected-error@+1 {{Failed to inline f: more than 16777216 ops would come in by calls}}\n");
  constexpr std::string_view head = " attributes {topology = #t} {\n";
  check("-mpmd-call-inline", "func.func @main(%x0: !T) -> !T" + std::string(head) + calls +
                                 "func.func private @f(%x0: !T) -> !T" + std::string(head) +
                                 chain(ops, "stablehlo.negate %x", " : !T\n"));
}

}  // namespace placement_diagnostics_test
