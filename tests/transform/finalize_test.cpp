// -mpmd-infer-mesh-finalize, rule by rule.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/transform/finalize.hpp>

#include "transform/transform_program.hpp"

namespace finalize_test {

namespace {

struct outcome {
  mpmd::ir::program program;
  bool good;
  std::vector<mpmd::diagnostic> said;
};

outcome finalized(std::string_view text, mpmd::finalize const& pass = {}) {
  outcome result{testing::read(text), false, {}};
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { result.said.push_back(d); });
  result.good = pass(result.program, diags);
  return result;
}
void check(std::string_view text, std::string_view body, mpmd::finalize const& pass = {}) {
  auto const result = finalized(text, pass);
  CHECK(result.good);
  for (auto const& d : result.said) FAIL_CHECK(d.message);
  testing::expect(result.program, body);
}
constexpr mpmd::finalize with_transfers{.infer_transfers = true};

}  // namespace

TEST_CASE("an assign of what was taken off the same mesh is that value, in whatever order assigns follow each other") {
  check(R"(
    func.func @main(%x: $A) -> ($A, $A) attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %a = mpmd.assign %u : ($T) -> $A
      %u2 = mpmd.unassign %a : ($A) -> $T
      %b = mpmd.assign %u2 : ($T) -> $A
      %u3 = mpmd.unassign %b : ($A) -> $T
      %c = mpmd.assign %u3 : ($T) -> $A
      return %c, %a : $A, $A
    })",
        "return %arg0, %arg0 : $A, $A");
}

TEST_CASE("an assign takes a transfer that is there, which moves up if it stands below") {
  check(R"(
    func.func @main(%x: $A) -> ($B, $B, $C) attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%y: $T) {
        mpmd.return %y : $T
      } : ($A) -> $A
      %u = mpmd.unassign %f : ($A) -> $T
      %b = mpmd.assign %u : ($T) -> $B
      %g = mpmd.fragment<mesh="b", origin=["g"]> (%b) (%y: $T) {
        mpmd.return %y : $T
      } : ($B) -> $B
      %t = mpmd.transfer %f : ($A) -> $B
      %c = mpmd.transfer %f : ($A) -> $C
      return %g, %t, %c : $B, $B, $C
    })",
        R"(
      %0 = mpmd.fragment<mesh="a", origin=["f"]> (%arg0) (%arg1: $T) {
        mpmd.return %arg1 : $T
      } : ($A) -> $A
      %1 = mpmd.transfer %0 : ($A) -> $B
      %2 = mpmd.fragment<mesh="b", origin=["g"]> (%1) (%arg1: $T) {
        mpmd.return %arg1 : $T
      } : ($B) -> $B
      %3 = mpmd.transfer %0 : ($A) -> $C
      return %2, %1, %3 : $B, $B, $C)");
}

TEST_CASE("of several transfers to one place an assign takes the last") {
  check(R"(
    func.func @main(%x: $A) -> ($B, $B, $B) attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %s = mpmd.transfer %x : ($A) -> $B
      %t = mpmd.transfer %x : ($A) -> $B
      %b = mpmd.assign %u : ($T) -> $B
      return %s, %t, %b : $B, $B, $B
    })",
        R"(
      %0 = mpmd.transfer %arg0 : ($A) -> $B
      %1 = mpmd.transfer %arg0 : ($A) -> $B
      return %0, %1, %1 : $B, $B, $B)");
}

TEST_CASE("an assign for which there was no way takes the transfer that a broadcast makes later") {
  auto const result = finalized(R"(
    func.func private @f(%x: $B) -> ($C, $C, $C) attributes $M {
      %u = mpmd.unassign %x : ($B) -> $T
      %a = mpmd.assign %u : ($T) -> $B
      %b = mpmd.assign %u : ($T) -> $B
      %v = mpmd.unassign %b : ($B) -> $T
      %w = mpmd.broadcast %v : $T
      %y = mpmd.unassign %a : ($B) -> $T
      %c = mpmd.assign %y : ($T) -> $C
      %t = mpmd.transfer %a : ($B) -> $C
      %d = mpmd.assign %w : ($T) -> $C
      return %c, %t, %d : $C, $C, $C
    })");
  CHECK(result.good);
  CHECK(result.said.empty());
}

TEST_CASE("cross-mesh assigns of an entry function's argument become one chain") {
  check(R"(
    func.func @main(%x: $A) -> ($C, $B, $A) attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %c = mpmd.assign %u : ($T) -> $C
      %b = mpmd.assign %u : ($T) -> $B
      %a = mpmd.assign %u : ($T) -> $A
      return %c, %b, %a : $C, $B, $A
    })",
        R"(
      %0 = mpmd.transfer %arg0 : ($A) -> $B
      %1 = mpmd.transfer %0 : ($B) -> $C
      return %1, %0, %arg0 : $C, $B, $A)");
}

TEST_CASE("an argument of a function that is called is not transferred, unless transfers are inferred") {
  std::string_view const text = R"(
    func.func @main(%x: $A) -> $B attributes $M {
      %r = mpmd.call @f(%x) {call_counter = 0 : ui32} : ($A) -> $B
      return %r : $B
    }
    func.func private @f(%x: $A) -> $B attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %b = mpmd.assign %u : ($T) -> $B
      return %b : $B
    })";
  auto const refused = finalized(text);
  CHECK_FALSE(refused.good);
  REQUIRE(refused.said.size() == 2);
  CHECK(refused.said[0].message == "assigns, unassigns or broadcasts are not allowed after mesh inference");
  CHECK(refused.said[0].where.line == 7);
  CHECK(refused.said[1].where.line == 8);
  REQUIRE(refused.said[1].notes.size() == 1);
  CHECK(refused.said[1].notes[0].message ==
        "no transfer brings this value from mesh a to mesh b; infer-transfers makes one");

  auto const allowed = finalized(text, with_transfers);
  CHECK(allowed.good);
  testing::expect(allowed.program, R"(
      %0 = mpmd.transfer %arg0 : ($A) -> $B
      return %0 : $B)",
                  1);
}

TEST_CASE("another kind of memory on the same mesh is a transfer, so that it is not lost") {
  check(R"(
    func.func @main(%x: $A) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host"> attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%y: $T) {
        mpmd.return %y : $T
      } : ($A) -> $A
      %u = mpmd.unassign %f : ($A) -> $T
      %h = mpmd.assign %u : ($T) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
      return %h : !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
    })",
        R"(
      %0 = mpmd.fragment<mesh="a", origin=["f"]> (%arg0) (%arg1: $T) {
        mpmd.return %arg1 : $T
      } : ($A) -> $A
      %1 = mpmd.transfer %0 : ($A) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
      return %1 : !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">)");
}

TEST_CASE("a broadcast is a chain which starts where the value is") {
  check(R"(
    func.func @main(%x: $B) -> ($A, $B, $C) attributes $M {
      %f = mpmd.fragment<mesh="b", origin=["f"]> (%x) (%y: $T) {
        mpmd.return %y : $T
      } : ($B) -> $B
      %u = mpmd.unassign %f : ($B) -> $T
      %v = mpmd.broadcast %u : $T
      %c = mpmd.assign %v : ($T) -> $C
      %a = mpmd.assign %v : ($T) -> $A
      %b = mpmd.assign %v : ($T) -> $B
      return %a, %b, %c : $A, $B, $C
    })",
        R"(
      %0 = mpmd.fragment<mesh="b", origin=["f"]> (%arg0) (%arg1: $T) {
        mpmd.return %arg1 : $T
      } : ($B) -> $B
      %1 = mpmd.transfer %0 : ($B) -> $A
      %2 = mpmd.transfer %1 : ($A) -> $C
      return %1, %0, %2 : $A, $B, $C)");
}

TEST_CASE("a reduce folds what is on one mesh, transfers the parts and folds them where the result is wanted") {
  // Meshes in their order whatever the order of operands; operands of one mesh in theirs.
  check(R"(
    func.func @main(%x: $A, %y: $B, %z: $B) -> ($C, $A) attributes $M {
      %ux = mpmd.unassign %x : ($A) -> $T
      %uy = mpmd.unassign %y : ($B) -> $T
      %uz = mpmd.unassign %z : ($B) -> $T
      %r = mpmd.reduce<max> %uz, %ux, %uy : ($T, $T, $T) -> $T
      %c = mpmd.assign %r : ($T) -> $C
      %a = mpmd.assign %r : ($T) -> $A
      return %c, %a : $C, $A
    })",
        R"(
      %0 = mpmd.fragment<mesh="b", origin=[]> (%arg2, %arg1) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg3: $T, %arg4: $T) {
        %6 = stablehlo.maximum %arg3, %arg4 : $T
        mpmd.return %6 : $T
      } : ($B, $B) -> $B
      %1 = mpmd.transfer %0 : ($B) -> $A
      %2 = mpmd.fragment<mesh="a", origin=[]> (%arg0, %1) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg3: $T, %arg4: $T) {
        %6 = stablehlo.maximum %arg3, %arg4 : $T
        mpmd.return %6 : $T
      } : ($A, $A) -> $A
      %3 = mpmd.transfer %arg0 : ($A) -> $C
      %4 = mpmd.transfer %0 : ($B) -> $C
      %5 = mpmd.fragment<mesh="c", origin=[]> (%3, %4) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg3: $T, %arg4: $T) {
        %6 = stablehlo.maximum %arg3, %arg4 : $T
        mpmd.return %6 : $T
      } : ($C, $C) -> $C
      return %5, %2 : $C, $A)");
}

TEST_CASE("a fold goes from the left, for each kind of reduction by its op") {
  struct row {
    char const* kind;
    char const* op;
  };
  for (row const& r : {row{"add", "stablehlo.add"}, row{"max", "stablehlo.maximum"}, row{"min", "stablehlo.minimum"},
                       row{"mul", "stablehlo.multiply"}, row{"or", "stablehlo.or"}, row{"and", "stablehlo.and"}}) {
    auto const result = finalized(std::string(R"(
    func.func @main(%x: !mpmd.mesh_tensor<"a", tensor<2xi1>>) -> !mpmd.mesh_tensor<"a", tensor<2xi1>> attributes $M {
      %u = mpmd.unassign %x : (!mpmd.mesh_tensor<"a", tensor<2xi1>>) -> tensor<2xi1>
      %r = mpmd.reduce<)") + r.kind + R"(> %u, %u, %u : (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
      %a = mpmd.assign %r : (tensor<2xi1>) -> !mpmd.mesh_tensor<"a", tensor<2xi1>>
      return %a : !mpmd.mesh_tensor<"a", tensor<2xi1>>
    })");
    CHECK(result.good);
    CHECK(testing::kinds(result.program) ==
          std::vector<std::string>{"mpmd.fragment", r.op, r.op, "mpmd.return", "func.return"});
    auto const folds = testing::find_all(result.program, r.op);
    auto const& p = result.program;
    CHECK(p.operand(folds[1], 0) == p.result(folds[0], 0));
    CHECK(p.operand(folds[0], 0) != p.operand(folds[0], 1));
  }
}

TEST_CASE("a reduce of one operand, of no kind or of any, is the operand, transferred where it is wanted") {
  for (char const* kind : {"none", "add"})
    check(std::string(R"(
    func.func @main(%x: $A) -> ($A, $B) attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %r = mpmd.reduce<)") + kind + R"(> %u : ($T) -> $T
      %a = mpmd.assign %r : ($T) -> $A
      %b = mpmd.assign %r : ($T) -> $B
      return %a, %b : $A, $B
    })",
          R"(
      %0 = mpmd.transfer %arg0 : ($A) -> $B
      return %arg0, %0 : $A, $B)");
}

TEST_CASE("a reduce goes where its users are, not where its stale use set says") {
  check(R"(
    func.func @main(%x: $A) -> $B attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %r = mpmd.reduce<none> {mpmd.use_set = #mpmd.meshes_with_origins<"c", "b">} %u : ($T) -> $T
      %b = mpmd.assign %r : ($T) -> $B
      %dead = mpmd.assign %r : ($T) -> $C
      return %b : $B
    })",
        R"(
      %0 = mpmd.transfer %arg0 : ($A) -> $B
      return %0 : $B)");
}

TEST_CASE("a transfer that nothing uses yet takes a value where it is needed, wherever it stands") {
  for (bool const above : {false, true}) {
    std::string const transfer = "%t = mpmd.transfer %x : ($A) -> $B\n";
    std::string const assign = "%u = mpmd.unassign %x : ($A) -> $T\n%a = mpmd.assign %u : ($T) -> $B\n";
    check("func.func @main(%y: $A) -> $B attributes $M {\n%x = mpmd.fragment<mesh=\"a\", origin=[\"f\"]> (%y) (%p: $T) {\n"
          "mpmd.return %p : $T\n} : ($A) -> $A\n" +
              (above ? transfer + assign : assign + transfer) + "return %a : $B\n}",
          R"(
      %0 = mpmd.fragment<mesh="a", origin=["f"]> (%arg0) (%arg1: $T) {
        mpmd.return %arg1 : $T
      } : ($A) -> $A
      %1 = mpmd.transfer %0 : ($A) -> $B
      return %1 : $B)");
  }
}

TEST_CASE("a value that was sent to a mesh into another memory is copied there") {
  std::string const host = R"(!mpmd.mesh_tensor<"b", $T, memory_kind="pinned_host">)";
  check("func.func @main(%y: $A) -> (" + host + ", $B) attributes $M {\n%x = mpmd.fragment<mesh=\"a\", origin=[\"f\"]> (%y) (%p: $T) {\n"
        "mpmd.return %p : $T\n} : ($A) -> $A\n%h = mpmd.transfer %x : ($A) -> " + host +
            "\n%u = mpmd.unassign %x : ($A) -> $T\n%a = mpmd.assign %u : ($T) -> $B\nreturn %h, %a : " + host + ", $B\n}",
        R"(
      %0 = mpmd.fragment<mesh="a", origin=["f"]> (%arg0) (%arg1: $T) {
        mpmd.return %arg1 : $T
      } : ($A) -> $A
      %1 = mpmd.transfer %0 : ($A) -> )" + host + R"(
      %2 = mpmd.transfer %1 : ()" + host + R"() -> $B
      return %1, %2 : )" + host + ", $B");
}

TEST_CASE("an argument that nobody needs does not come onto a mesh without devices") {
  auto const result = finalized(R"(
    func.func @main(%unused: $T) attributes {topology = #mpmd.topology<<"empty_mesh" : <[]>>, <"tpu" : <["x"=2]>>, <"gpu" : <["x"=2]>>>} {
      return
    })");
  CHECK(mpmd::text::to_mlir(result.program).find("(%arg0: !mpmd.mesh_tensor<\"gpu\", tensor<2xf32>>)") != std::string::npos);
}

TEST_CASE("an argument of no mesh comes onto the first mesh where it is assigned, by number and with its memory kind") {
  auto const result = finalized(R"(
    func.func @main(%x: $T, %unused: $T) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
      %a = mpmd.assign %x : ($T) -> !mpmd.mesh_tensor<"m10", $T, memory_kind="pinned_host">
      %b = mpmd.assign %x : ($T) -> !mpmd.mesh_tensor<"m2", $T, memory_kind="pinned_host">
      "foreign.use"(%a, %b) : (!mpmd.mesh_tensor<"m10", $T, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m2", $T, memory_kind="pinned_host">) -> ()
      return
    })");
  auto const& p = result.program;
  CHECK(mpmd::text::to_mlir(p.context(), p.type_of(testing::argument(p, 0))) ==
        testing::expand(R"(!mpmd.mesh_tensor<"m2", $T, memory_kind="pinned_host">)"));
  CHECK(mpmd::text::to_mlir(p.context(), p.type_of(testing::argument(p, 1))) ==
        testing::expand(R"(!mpmd.mesh_tensor<"m2", $T>)"));
}

TEST_CASE("an argument in memory of several kinds is an error, with where each is asked for") {
  struct row {
    char const* first;
    char const* second;
    char const* message;
  };
  for (row const& r : {row{R"(, memory_kind="device")", R"(, memory_kind="pinned_host")",
                           "Argument 0 has different memory kinds assigned to it."},
                       row{"", R"(, memory_kind="pinned_host")",
                           "Argument 0 has different memory kinds assigned to it. Found at least one user with "
                           "undefined memory kind and at least one user with a memory kind."}}) {
    auto const result = finalized(std::string(R"(
    func.func @main(%x: $T) attributes $M {
      %a = mpmd.assign %x : ($T) -> !mpmd.mesh_tensor<"a", $T)") + r.first + R"(>
      %b = mpmd.assign %x : ($T) -> !mpmd.mesh_tensor<"a", $T)" + r.second + R"(>
      return
    })");
    CHECK_FALSE(result.good);
    REQUIRE(result.said.size() == 1);
    CHECK(result.said[0].message == r.message);
    CHECK(result.said[0].where.line == 2);
    REQUIRE(result.said[0].notes.size() == 3);
    CHECK(result.said[0].notes[0].where.line + result.said[0].notes[1].where.line == 3 + 4);
  }
}

TEST_CASE("dead ops without effects go, dead fragments and ops inside fragments too; those with effects stay") {
  check(R"(
    func.func @main(%x: $A) -> $A attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%y: $T) {
        %d = stablehlo.abs %y : $T
        %e = stablehlo.custom_call @effect(%y) {has_side_effect = true} : ($T) -> $T
        mpmd.return %y : $T
      } : ($A) -> $A
      %g = mpmd.fragment<mesh="a", origin=["g"]> (%x) (%y: $T) {
        mpmd.return %y : $T
      } : ($A) -> $A
      %t = mpmd.transfer %g : ($A) -> $B
      %u = mpmd.unassign %t : ($B) -> $T
      return %x : $A
    })",
        R"(
      %0 = mpmd.fragment<mesh="a", origin=["f"]> (%arg0) (%arg1: $T) {
        %1 = stablehlo.custom_call @effect(%arg1) {has_side_effect = true} : ($T) -> $T
        mpmd.return %arg1 : $T
      } : ($A) -> $A
      return %arg0 : $A)");
}

TEST_CASE("no set is left on ops, on ops in fragments, on arguments, results or what loops carry") {
  auto const result = finalized(R"(
    func.func @main(%x: $A {mpmd.src_set = #mpmd.meshes_with_origins<"a">, mpmd.use_set = #mpmd.meshes_with_origins<"a">, jax.kept = 1 : i32}) -> $A attributes $M {
      %r = mpmd.call @f(%x) {mpmd.use_set = #mpmd.meshes_with_origins<"a">} : ($A) -> $A
      %l = mpmd.for (%r) {arg_attrs = [{mpmd.use_set = #mpmd.meshes_with_origins<"a">}, {}], iterations = 3 : ui32, unroll_factor = 1 : ui32} (%i: $A, %index: tensor<ui32>) {
        mpmd.return {mpmd.src_set = #mpmd.meshes_with_origins<>} %i : $A
      } : $A
      return %l : $A
    }
    func.func private @f(%x: $A) -> ($A {mpmd.use_set = #mpmd.meshes_with_origins<"a">}) attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%y: $T) {
        %d = stablehlo.abs %y {mpmd.src_set = #mpmd.meshes_with_origins<"a">} : $T
        mpmd.return %d : $T
      } : ($A) -> $A
      return %f : $A
    })");
  CHECK(result.good);
  std::string const printed = mpmd::text::to_mlir(result.program);
  CHECK(printed.find("_set") == std::string::npos);
  CHECK(printed.find("jax.kept") != std::string::npos);
}

TEST_CASE("whatever stands on no mesh in the end is reported, each op and each end of a function") {
  auto const result = finalized(R"(
    func.func @main(%x: $T, %y: $A) -> ($T, $A) attributes $M {
      %n = stablehlo.negate %x : $T
      %u = mpmd.unassign %y : ($A) -> $T
      %b = mpmd.broadcast %u : $T
      %s = stablehlo.add %n, %b : $T
      %d = mpmd.reduce<add> %u, %n : ($T, $T) -> $T
      %a = mpmd.assign %d : ($T) -> $A
      return %s, %a : $T, $A
    })");
  CHECK_FALSE(result.good);
  std::vector<std::string> messages;
  for (auto const& d : result.said) {
    messages.push_back(std::to_string(d.where.line) + ": " + d.message);
    CHECK(d.notes.size() == 1);  // what to do
  }
  CHECK(messages == std::vector<std::string>{
                        "2: function input 0 is not a MeshTensorType, but a tensor<2xf32>",
                        "2: function output 0 is not a MeshTensorType, but a tensor<2xf32>",
                        "3: no more meshless ops are expected at this point",
                        "4: assigns, unassigns or broadcasts are not allowed after mesh inference",
                        "5: assigns, unassigns or broadcasts are not allowed after mesh inference",
                        "6: no more meshless ops are expected at this point",
                        "7: reduces are not allowed after mesh inference",
                        "8: assigns, unassigns or broadcasts are not allowed after mesh inference"});
}

TEST_CASE("an argument that is no tensor can be on no mesh, and is told to become one") {
  auto const result = finalized(R"(
    func.func @main(%x: i1) -> $A attributes $M {
      %a = "my.made"(%x) : (i1) -> $A
      return %a : $A
    })");
  CHECK_FALSE(result.good);
  REQUIRE(!result.said.empty());
  CHECK(result.said[0].message == "function input 0 is not a MeshTensorType, but a i1");
  CHECK(result.said[0].notes[0].message ==
        "only tensors that are assigned to meshes can go into and out of functions; what is no tensor can be on no mesh: "
        "make it one, such as tensor<i1> for i1");
}

TEST_CASE("what is left over is advised on by where it comes from, and infer-transfers only where it is not set") {
  auto advice = [](std::string_view text, mpmd::finalize const& pass) {
    auto p = testing::read(text);
    std::vector<std::string> found;
    mpmd::diagnostics diags([&](mpmd::diagnostic const& d) {
      if (d.id == "infer-mesh.leftover" && d.where.line_text.find("mpmd.assign") != std::string::npos)
        for (auto const& n : d.notes) found.push_back(n.message);
    });
    CHECK_FALSE(pass(p, diags));
    return found;
  };
  using messages = std::vector<std::string>;
  constexpr mpmd::finalize without{}, with{.infer_transfers = true};
  // Of an op that is on no mesh.
  std::string_view const op = R"(
    func.func @main(%x: $A) -> $B attributes $M {
      %n = "x.y"() : () -> $T
      %b = mpmd.assign %n : ($T) -> $B
      return %b : $B
    })";
  std::string const on_none = "this value is on no mesh that it could be brought from to mesh b";
  CHECK(advice(op, without) == messages{on_none + "; infer-transfers makes one"});
  CHECK(advice(op, with) == messages{on_none});
  // Of what a user named: transfers are not what is missing.
  std::string_view const named = R"(
    func.func @main(%x: $A) -> ($B, $B) attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %n = mpmd.named_computation<"f"> (%u) (%p: $T) { mpmd.return %p : $T } : ($T) -> $T
      %t = mpmd.named_tensor %u name="t" : $T
      %b = mpmd.assign %n : ($T) -> $B
      %c = mpmd.assign %t : ($T) -> $B
      return %b, %c : $B, $B
    })";
  std::string const map = "this value is that of a named computation or tensor, which has no mesh yet; "
                          "-mpmd-map-named-ops-to-mpmd-ops gives it one";
  CHECK(advice(named, without) == messages{map, map});
  CHECK(advice(named, with) == messages{map, map});
  // Of the call of a function that has no topology.
  std::string_view const call = R"(
    func.func @main(%x: $A) -> $B attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %n = mpmd.call @f(%u) : ($T) -> $T
      %b = mpmd.assign %n : ($T) -> $B
      return %b : $B
    }
    func.func private @f(%x: $T) -> $T {
      return %x : $T
    })";
  std::string const topology =
      on_none + "; a function that is called needs a topology, which -mpmd-copy-topology-from-main gives it";
  CHECK(advice(call, without) == messages{topology});
  CHECK(advice(call, with) == messages{topology});
}

TEST_CASE("functions without a topology are not touched") {
  auto const result = finalized(R"(
    func.func @main(%x: $T) -> $T {
      %n = stablehlo.negate %x {mpmd.src_set = #mpmd.meshes_with_origins<"a">} : $T
      %d = stablehlo.negate %x : $T
      return %n : $T
    })");
  CHECK(result.good);
  CHECK(testing::find_all(result.program, "stablehlo.negate").size() == 2);
  CHECK(mpmd::text::to_mlir(result.program).find("src_set") != std::string::npos);
}

TEST_CASE("with inferred transfers any value is chained to where it is assigned") {
  check(R"(
    func.func @main(%x: $A) -> ($B, $C) attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%y: $T) {
        mpmd.return %y : $T
      } : ($A) -> $A
      %u = mpmd.unassign %f : ($A) -> $T
      %c = mpmd.assign %u : ($T) -> $C
      %b = mpmd.assign %u : ($T) -> $B
      return %b, %c : $B, $C
    })",
        R"(
      %0 = mpmd.fragment<mesh="a", origin=["f"]> (%arg0) (%arg1: $T) {
        mpmd.return %arg1 : $T
      } : ($A) -> $A
      %1 = mpmd.transfer %0 : ($A) -> $B
      %2 = mpmd.transfer %1 : ($B) -> $C
      return %1, %2 : $B, $C)",
        with_transfers);
}

TEST_CASE("transfers stand outside loops: before one for what comes from outside, else they are refused") {
  auto loop = [](std::string const& assigned, std::string const& yielded) {
    return R"(
    func.func @main(%x: $A, %y: $B) -> $B attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %r = mpmd.for (%y) {iterations = 3 : ui32, unroll_factor = 1 : ui32} (%i: $B, %index: tensor<ui32>) {
        %v = mpmd.unassign %i : ($B) -> $T
        %in = mpmd.assign )" + assigned + R"(
        mpmd.return )" + yielded + R"( : $B
      } : $B
      return %r : $B
    })";
  };
  check(loop("%u : ($T) -> $B", "%in"),
        R"(
      %0 = mpmd.transfer %arg0 : ($A) -> $B
      %1 = mpmd.for (%arg1) {iterations = 3 : ui32, unroll_factor = 1 : ui32} (%arg2: $B, %index: tensor<ui32>) {
        mpmd.return %0 : $B
      } : $B
      return %1 : $B)");
  auto const refused = finalized(loop(R"(%v : ($T) -> $C
        "foreign.use"(%in) : ($C) -> ())",
                                      "%i"),
                                 with_transfers);
  CHECK_FALSE(refused.good);
  CHECK(testing::find_all(refused.program, "mpmd.transfer").empty());
}

TEST_CASE("finalize compiles with the archetype of its concept") {
  mpmd::archetypes::mutable_program p;
  mpmd::diagnostics diags;
  CHECK(mpmd::finalize{}(p, diags));
}

}  // namespace finalize_test
