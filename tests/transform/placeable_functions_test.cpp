// What functions must be like to be put on meshes, and that a program with one that is not stays as it was.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/passes.hpp>

#include "transform/transform_program.hpp"

namespace placeable_functions_test {

namespace {

using mpmd::ir::program;

// The passes with these options report one error in that line, whose text and note hold these words, and change nothing.
void refuses(std::vector<std::string> const& passes, std::string_view text, std::size_t line, std::string_view words,
             std::string_view hint) {
  auto const known = mpmd::all_passes<program>();
  for (std::string const& one : passes) {
    CAPTURE(one);
    std::string const name = one.substr(0, one.find(' ')), options = one.substr(std::min(one.size(), name.size() + 1));
    auto const kind = std::find_if(known.begin(), known.end(), [&](auto const& k) { return k.name == name; });
    REQUIRE(kind != known.end());
    program p = testing::read(text);
    std::string const before = mpmd::text::to_mlir(p);
    std::vector<mpmd::diagnostic> said;
    mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { said.push_back(d); });
    auto const made = kind->make(options, diags);
    REQUIRE(made);
    CHECK_FALSE(mpmd::run(*made, p, diags));
    REQUIRE_EQ(said.size(), 1);
    CHECK_EQ(said[0].where.line, line);
    CHECK_MESSAGE(said[0].message.find(words) != std::string::npos, said[0].message);
    REQUIRE_EQ(said[0].notes.size(), 1);
    CHECK_MESSAGE(said[0].notes[0].message.find(hint) != std::string::npos, said[0].notes[0].message);
    if (made->size() == 1) CHECK_EQ(mpmd::text::to_mlir(p), before);
  }
}
std::vector<std::string> const placing{"mpmd-infer-mesh-assign-mesh-func-leaves", "mpmd-infer-mesh-rewrite-using-analysis",
                                       "mpmd-infer-mesh-pipeline infer-transfers"};

}  // namespace

TEST_CASE_TEMPLATE("the checks compile on archetypes", archetype, mpmd::archetypes::mutable_program,
                   mpmd::archetypes::inlinable_program, mpmd::archetypes::sharded_program) {
  archetype p;
  mpmd::diagnostics diags;
  CHECK(mpmd::entries_may_be_placed(p, diags));
  CHECK(mpmd::functions_may_be_placed(p, true, diags));
}

TEST_CASE("a foreign op that takes or makes a value on a mesh must stand in a fragment") {
  std::string_view const takes = "this op takes a value on mesh a, but stands in no fragment",
                         hint = "a fragment of that mesh has to be around it, or mpmd.unassign take the value off the mesh";
  refuses(placing, R"(
func.func @main(%x: $A) -> $A attributes $M {
  %0 = "x.y"(%x) : ($A) -> $A
  return %0 : $A
})",
          3, takes, hint);
  refuses(placing, R"(
func.func @main(%x: $T) -> $B attributes $M {
  %0 = "x.y"(%x) : ($T) -> $B
  return %0 : $B
})",
          3, "this op makes a value on mesh b", hint);
  // Without results it is placed by the first of them.
  refuses({placing[0], placing[2]}, R"(
func.func @main(%x: $A) attributes $M {
  "x.y"(%x) : ($A) -> ()
  return
})",
          3, takes, hint);
  // What a region uses comes in with its op; a loop is no fragment.
  refuses(placing, R"(
func.func @main(%x: $A, %y: $T) -> $T attributes $M {
  %0 = mpmd.for (%y) {iterations = 2 : ui32} (%c: $T, %i: tensor<ui32>) {
    %1 = "x.y"(%c) ({
      "x.z"(%x) : ($A) -> ()
    }) : ($T) -> $T
    mpmd.return %1 : $T
  } : $T
  return %0 : $T
})",
          4, takes, hint);
  refuses(placing, R"(
func.func @main(%x: $A) -> $A attributes $M {
  %0 = call @f(%x) : ($A) -> $A
  return %0 : $A
}
func.func private @f(%x: $A) -> $A attributes $M {
  return %x : $A
})",
          3, takes, "-inline");
}

TEST_CASE("an op inside a fragment, and one of no mesh, are placed as before") {
  program p = testing::read(R"(
func.func @main(%x: $A, %y: $T) -> $A attributes $M {
  %0 = mpmd.fragment<mesh="a", origin=[]> (%x) (%a: $T) {
    %1 = "x.y"(%a) : ($T) -> $T
    mpmd.return %1 : $T
  } : ($A) -> $A
  %2 = "x.y"(%y) : ($T) -> $T
  return %0 : $A
})");
  mpmd::diagnostics diags;
  CHECK(mpmd::functions_may_be_placed(p, true, diags));
  CHECK_EQ(diags.errors(), 0);
}

TEST_CASE("a function with a topology that ordinary calls enter cannot come onto meshes") {
  std::string_view const what = "'f' has a topology, so that what it takes and returns comes onto meshes, and this ordinary "
                                "call of it cannot follow",
                         hint = "call it by mpmd.call from a function of the same topology, or inline the call there";
  std::string_view const text = R"(
func.func @main(%x: $T) -> $A {
  %0 = call @f(%x) : ($T) -> $A
  return %0 : $A
}
func.func @f(%x: $T) -> $A attributes $M {
  %0 = mpmd.assign %x : ($T) -> $A
  return %0 : $A
})";
  refuses(placing, text, 3, what, hint);
  refuses({"mpmd-map-input-output-to-mesh input-assignment=0@b", "mpmd-infer-mesh-finalize",
           "mpmd-infer-mesh-assign-using-input-output-constraints constraints=0:0", "mpmd-import-pipeline"},
          text, 3, what, hint);
  // From inside a function that is called, too; and by an mpmd call where the caller has no topology.
  refuses({"mpmd-infer-mesh-rewrite-using-analysis"}, R"(
func.func @main(%x: $T) -> $T attributes $M {
  return %x : $T
}
func.func private @f(%x: $T) -> $T {
  %0 = call @g(%x) : ($T) -> $T
  return %0 : $T
}
func.func private @g(%x: $T) -> $T attributes $M {
  return %x : $T
})",
          6, "and this ordinary call of it cannot follow", hint);
  refuses(placing, R"(
func.func @f(%x: $T) -> $T {
  %0 = mpmd.call @g(%x) : ($T) -> $T
  return %0 : $T
}
func.func private @g(%x: $T) -> $T attributes $M {
  return %x : $T
})",
          3, "and this call of it stands in a function without one", "give function 'f' the topology of 'g'");
}

TEST_CASE("an ordinary call may hand over what is on meshes already") {
  program p = testing::read(R"(
func.func @main(%x: $A) -> $A {
  %0 = call @f(%x) : ($A) -> $A
  return %0 : $A
}
func.func @f(%x: $A) -> $A attributes $M {
  %0 = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%a: $T) {
    mpmd.return %a : $T
  } : ($A) -> $A
  return %0 : $A
})");
  mpmd::diagnostics diags;
  CHECK(mpmd::run(mpmd::import_pipeline<program>(), p, diags));
  testing::expect(p, "%0 = call @f(%arg0) : ($A) -> $A\nreturn %0 : $A");
}

TEST_CASE("what stands on meshes is not inlined where the topology of the caller lacks them") {
  auto inlined = [](std::string_view attributes) {
    program p = testing::read("func.func @main(%x: $T) -> $A" + std::string(attributes) + R"( {
  %0 = call @f(%x) : ($T) -> $A
  return %0 : $A
}
func.func @f(%x: $T) -> $A attributes {topology = #mpmd.topology<<"a" : <["x"=2]>>>} {
  %0 = call @g(%x) : ($T) -> $A
  return %0 : $A
}
func.func @g(%x: $T) -> $A attributes {topology = #mpmd.topology<<"a" : <["x"=2]>>>} {
  %0 = mpmd.assign %x : ($T) -> $A
  return %0 : $A
})");
    mpmd::diagnostics diags;
    CHECK(mpmd::inline_functions{}(p, diags));
    return p;
  };
  std::string const stays = "%0 = call @f(%arg0) : ($T) -> $A\nreturn %0 : $A",
                    comes = "%0 = mpmd.assign %arg0 : ($T) -> $A\nreturn %0 : $A";
  testing::expect(inlined(""), stays);
  testing::expect(inlined(R"( attributes {topology = #mpmd.topology<<"b" : <["x"=2]>>>})"), stays);
  testing::expect(inlined(" attributes $M"), comes);
  testing::expect(inlined(""), comes, 1);  // @f has it
}

TEST_CASE("a caller and what it calls must have the same meshes") {
  refuses(placing, R"(
func.func @main(%x: $T) -> $T attributes {topology = #mpmd.topology<<"b" : <["x"=2]>>>} {
  %0 = mpmd.call @f(%x) : ($T) -> $T
  %1 = mpmd.call @f(%0) : ($T) -> $T
  return %1 : $T
}
func.func private @f(%x: $T) -> $T attributes {topology = #mpmd.topology<<"a" : <["x"=2]>>, <"b" : <["x"=2]>>>} {
  %0 = stablehlo.add %x, %x : $T
  return %0 : $T
})",
          3, "function 'f' has another topology than its caller 'main'", "one function cannot run on both");
  // Axes may differ, and the order of meshes, as in the reference.
  program p = testing::read(R"(
func.func @main(%x: $T) -> $T attributes {topology = #mpmd.topology<<"b" : <["x"=2]>>, <"a" : <["y"=4]>>>} {
  %0 = mpmd.call @f(%x) : ($T) -> $T
  return %0 : $T
}
func.func private @f(%x: $T) -> $T attributes {topology = #mpmd.topology<<"a" : <["x"=2]>>, <"b" : <["x"=2]>>>} {
  return %x : $T
})");
  mpmd::diagnostics diags;
  CHECK(mpmd::functions_may_be_placed(p, true, diags));
}

TEST_CASE("a function with a topology has one block") {
  refuses({"mpmd-infer-mesh-assign-mesh-func-leaves", "mpmd-infer-mesh-rewrite-using-analysis",
           "mpmd-infer-mesh-pipeline infer-transfers", "mpmd-infer-mesh-finalize", "mpmd-import-pipeline",
           "mpmd-map-input-output-to-mesh output-assignment=0@a",
           "mpmd-infer-mesh-assign-using-input-output-constraints constraints=0:0"},
          R"(
func.func @main(%x: $T) -> $T attributes $M {
  cf.br ^b
^b:
  return %x : $T
})",
          5, "a second block begins here, but function 'main' has a topology and can have but one",
          "write stablehlo.if, case or while");
}

TEST_CASE("an output changes its type only where nothing else is to follow") {
  refuses({"mpmd-enforce-input-output-equisharding constraints=0:0"}, R"(
func.func @main(%x: $A) -> $B attributes $M {
  %0 = mpmd.transfer %x : ($A) -> $B
  cf.br ^b
^b:
  return %0 : $B
})",
          6, "a second block begins here", "write stablehlo.if, case or while");
  std::string const text = R"(
func.func @other(%x: $A) -> $B {
  %0 = call @main(%x) : ($A) -> $B
  return %0 : $B
}
func.func @main(%x: $A) -> $B attributes $M {
  %0 = mpmd.transfer %x : ($A) -> $B
  return %0 : $B
})";
  refuses({"mpmd-enforce-input-output-equisharding constraints=0:0"}, text, 3,
          "'main' comes to return a value of another type, and this ordinary call of it cannot follow",
          "inline the call before");
  // Where it has the type of the input already, the call is fine.
  std::string same = text;
  for (auto at = same.find("$B"); at != same.npos; at = same.find("$B")) same.replace(at, 2, "$A");
  program p = testing::read(same);
  mpmd::diagnostics diags;
  CHECK(mpmd::enforce_input_output_equisharding{.constraints = {{0, 0}}}(p, diags));
}

TEST_CASE("what ordinary calls enter, or has several blocks, keeps its arguments") {
  program branching = testing::read(R"(
func.func @main(%x: $T) -> $T attributes $M {
  %0 = mpmd.call @f(%x) : ($T) -> $T
  return %0 : $T
}
func.func private @f(%x: $T) -> $T attributes $M {
  cf.br ^b
^b:
  return %x : $T
})");
  std::string const was = mpmd::text::to_mlir(branching);
  mpmd::diagnostics quiet;
  CHECK(mpmd::erase_unused_callee_block_arguments{}(branching, quiet));
  CHECK_EQ(mpmd::text::to_mlir(branching), was);

  std::string_view const text = R"(
func.func @main(%x: $T) -> $T attributes $M {
  %c = stablehlo.constant dense<1.0> : $T
  %0 = mpmd.call @f(%x, %c) : ($T, $T) -> $T
  return %0 : $T
}
func.func @other(%x: $T) -> $T {
  %0 = call @f(%x, %x) : ($T, $T) -> $T
  return %0 : $T
}
func.func private @f(%x: $T, %y: $T) -> $T attributes $M {
  %0 = stablehlo.negate %y : $T
  return %0 : $T
})";
  program p = testing::read(text);
  std::string const before = mpmd::text::to_mlir(p);
  mpmd::diagnostics diags;
  CHECK(mpmd::erase_unused_callee_block_arguments{}(p, diags));
  CHECK(mpmd::sink_negligible_ops_into_call_op{}(p, diags));
  CHECK_EQ(mpmd::text::to_mlir(p), before);
}

TEST_CASE("what is neither a tensor nor a token stays in the fragment that it is made in, and so in no function") {
  std::string_view const words = "which is neither a tensor nor a token and cannot leave the fragment",
                         hint = "put the op into one computation with what uses it";
  refuses(placing, R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %i = "my.made"() : () -> index
      %0 = "my.used"(%x, %i) : ($T, index) -> $T
      return %0 : $T
    })",
          3, words, hint);
  refuses(placing, R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %t = stablehlo.tuple %x, %x : tuple<$T, $T>
      %0 = stablehlo.get_tuple_element %t[0] : (tuple<$T, $T>) -> $T
      return %0 : $T
    })",
          3, "of type 'tuple<tensor<2xf32>, tensor<2xf32>>', which is neither", hint);
  // Within an op it is the op's own affair.
  program p = testing::read(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %0 = "my.around"() ({
        %i = "my.made"() : () -> index
        %1 = "my.used"(%x, %i) : ($T, index) -> $T
        "my.end"(%1) : ($T) -> ()
      }) : () -> $T
      return %0 : $T
    })");
  mpmd::diagnostics diags;
  CHECK(mpmd::run(mpmd::infer_mesh_pipeline<program>({.infer_transfers = true}), p, diags));
  CHECK(mpmd::ir::verify(p, diags));
}

TEST_CASE("a function with a topology ends in what returns its results") {
  refuses(placing, R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %0 = stablehlo.abs %x : $T
      "my.end"(%0) : ($T) -> ()
    })",
          4, "function 'main' has a topology, and ends in an op that is not known to return", "end it in func.return");
}

}  // namespace placeable_functions_test
