// Faults of the reference that no other test is about: what the passes do instead. docs/differences.md lists them.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <mpmd/pipeline/infer_mesh.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/transform/populate_src_set.hpp>
#include <mpmd/transform/populate_use_set.hpp>

#include "transform/transform_program.hpp"

namespace reference_faults_test {
namespace {

using program = mpmd::ir::program;

// What is reported, which is nothing when all passes succeed.
std::string run(program& p, mpmd::pipeline<program> const& passes) {
  std::string said;
  mpmd::diagnostics diags([&said](mpmd::diagnostic const& d) { said += d.message + '\n'; });
  if (!mpmd::run(passes, p, diags)) return said.empty() ? "failed without a word" : said;
  return said;
}

}  // namespace

TEST_CASE("sets are found again where they were, in loops too") {
  auto const* const text = R"(
    func.func @main(%x: $T, %y: $T) -> $A attributes $M {
      %l = mpmd.for (%x) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%p: $T, %i: tensor<ui32>) {
        %c:2 = mpmd.call @f(%p, %y) : ($T, $T) -> ($T, $T)
        mpmd.return %c#1 : $T
      } : $T
      %a = mpmd.assign {origin = "enc"} %l : ($T) -> $A
      return %a : $A
    }
    func.func private @f(%x: $T, %y: $T) -> ($T, $T) attributes $M {
      %0 = stablehlo.negate %x : $T
      %1 = stablehlo.abs %y : $T
      return %0, %1 : $T, $T
    })";
  auto p = testing::read(text);
  CHECK(run(p, {mpmd::populate_use_set{}, mpmd::populate_src_set{}}) == "");
  std::string const once = mpmd::text::to_mlir(p);
  CHECK(run(p, {mpmd::populate_use_set{}, mpmd::populate_src_set{}}) == "");
  CHECK(mpmd::text::to_mlir(p) == once);
  // The loop yields result 1 of the call, which the second argument makes: that one is needed, and not the first.
  CHECK(once.find("stablehlo.abs %arg1 {mpmd.") != std::string::npos);
  CHECK(once.find("stablehlo.negate %arg0 : ") != std::string::npos);

  // What a loop carries has a set, and so has what it carries in a function that is called twice.
  auto carried = testing::read(R"(
    func.func @main(%x: $T) -> ($A, $B) attributes $M {
      %l = mpmd.for (%x) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%p: $T, %i: tensor<ui32>) {
        %n = stablehlo.negate %p : $T
        mpmd.return %n : $T
      } : $T
      %c = mpmd.call @f(%l) : ($T) -> $T
      %d = mpmd.call @f(%c) : ($T) -> $T
      %a = mpmd.assign {origin = "enc"} %l : ($T) -> $A
      %b = mpmd.assign {origin = "dec"} %d : ($T) -> $B
      return %a, %b : $A, $B
    }
    func.func private @f(%x: $T) -> $T attributes $M {
      %l = mpmd.for (%x) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%p: $T, %i: tensor<ui32>) {
        %n = stablehlo.abs %p : $T
        mpmd.return %n : $T
      } : $T
      return %l : $T
    })");
  CHECK(run(carried, {mpmd::populate_use_set{}}) == "");
  CHECK(mpmd::text::to_mlir(carried).find("mpmd.for (%arg0) {arg_attrs = [{mpmd.use_set = ") != std::string::npos);
  CHECK(run(carried, {mpmd::populate_src_set{}}) == "");
  std::string const first = mpmd::text::to_mlir(carried);
  CHECK(run(carried, {mpmd::populate_use_set{}, mpmd::populate_src_set{}}) == "");
  CHECK(mpmd::text::to_mlir(carried) == first);
}

TEST_CASE("an operand of a call goes wherever an earlier call leads the function to need it") {
  // The first call is needed on a, the second on b only; both functions are on both meshes then.
  constexpr auto text = R"(
    func.func @main() -> ($T, $B) attributes $M {
      %k = stablehlo.constant dense<1.0> : $T
      %b:2 = mpmd.call @f(%k, %k) : ($T, $T) -> ($T, $T)
      %n = mpmd.call @h() : () -> $T
      %c:2 = mpmd.call @f(%n, %n) : ($T, $T) -> ($T, $T)
      %y = mpmd.assign {origin = "out"} %c#1 : ($T) -> $B
      return %b#0, %y : $T, $B
    }
    func.func private @f(%x: $T, %y: $T) -> ($T, $T) attributes $M {
      %s = stablehlo.abs %x : $T
      %t = stablehlo.abs %y : $T
      return %s, %t : $T, $T
    }
    func.func private @h() -> $T attributes $M {
      %k = stablehlo.constant dense<1.0> : $T
      return %k : $T
    })";
  auto p = testing::read(text);
  CHECK(run(p, mpmd::infer_mesh_pipeline<program>()) == "");
  std::string const placed = mpmd::text::to_mlir(p);
  std::string const a = testing::expand("$A"), b = testing::expand("$B");
  CHECK(placed.find("mpmd.call @h() : () -> (" + b + ", " + a + ")") != std::string::npos);
  CHECK(placed.find("mpmd.transfer") == std::string::npos);
}

TEST_CASE("an input that a constraint placed is read where it is, and transferred to what uses it elsewhere") {
  // The pipeline assigns x to b, where the first output is; the value taken off b has no set to tell.
  auto constrained = [](std::string_view text) {
    auto p = testing::read(text);
    CHECK(run(p, mpmd::infer_mesh_pipeline<program>({.constraints = {{0, 0}}})) == "");
    return mpmd::text::to_mlir(p);
  };
  std::string const returned = constrained(R"(
    func.func @main(%x: $T) -> ($B, $T, $T) attributes $M {
      %b = mpmd.assign {origin = "g"} %x : ($T) -> $B
      %f = mpmd.fragment<mesh="b", origin=["g"]> (%b) (%p: $T) {
        %n = stablehlo.negate %p : $T
        mpmd.return %n : $T
      } : ($B) -> $B
      %w = mpmd.broadcast %x : $T
      return %f, %x, %w : $B, $T, $T
    })");
  // The first mesh is a: only the broadcast goes there, to an output that can be anywhere.
  CHECK_MESSAGE(returned.find(", %arg0, ") != std::string::npos, returned);
  CHECK_MESSAGE(returned.find(testing::expand(": $B, $B, $A")) != std::string::npos, returned);

  std::string const elsewhere = constrained(R"(
    func.func @main(%x: $T) -> ($B, $C) attributes $M {
      %b = mpmd.assign {origin = "f"} %x : ($T) -> $B
      %f = mpmd.fragment<mesh="b", origin=["f"]> (%b) (%p: $T) {
        %n = stablehlo.negate %p : $T
        mpmd.return %n : $T
      } : ($B) -> $B
      %c = mpmd.assign {origin = "g"} %x : ($T) -> $C
      %g = mpmd.fragment<mesh="c", origin=["g"]> (%c) (%p: $T) {
        %n = stablehlo.negate %p : $T
        mpmd.return %n : $T
      } : ($C) -> $C
      return %f, %g : $B, $C
    })");
  CHECK_MESSAGE(elsewhere.find(testing::expand("mpmd.transfer %arg0 : ($B) -> $C")) != std::string::npos, elsewhere);
}

TEST_CASE("an argument that calls only hand round has a mesh, where what is handed in comes") {
  // Nothing needs the second result of f in the end, but each call hands it to the next.
  auto p = testing::read(R"(
    func.func @main() -> $B attributes $M {
      %k = mpmd.call @h() : () -> $T
      %c:2 = mpmd.call @f(%k, %k) : ($T, $T) -> ($T, $T)
      %d:2 = mpmd.call @f(%c#0, %c#1) : ($T, $T) -> ($T, $T)
      %b = mpmd.assign {origin = "out"} %d#0 : ($T) -> $B
      return %b : $B
    }
    func.func private @f(%x: $T, %y: $T) -> ($T, $T) attributes $M {
      %s = stablehlo.abs %x : $T
      %t = stablehlo.abs %y : $T
      return %s, %t : $T, $T
    }
    func.func private @h() -> $T attributes $M {
      %k = stablehlo.constant dense<1.0> : $T
      %c = mpmd.assign {origin = "in"} %k : ($T) -> $C
      %u = mpmd.unassign {origin = "in"} %c : ($C) -> $T
      %w = mpmd.broadcast %u : $T
      return %w : $T
    })");
  CHECK(run(p, mpmd::infer_mesh_pipeline<program>()) == "");
  std::string const placed = mpmd::text::to_mlir(p);
  CHECK_MESSAGE(placed.find(testing::expand("(%arg0: $B, %arg1: $A)")) != std::string::npos, placed);
}

TEST_CASE("nothing goes to the empty mesh of a topology that was not assigned to it") {
  auto p = testing::read(R"(
    func.func @main(%x: $T, %y: $T) -> $T attributes {topology = #mpmd.topology<<"tpu" : <["x"=2]>>, <"gpu" : <["x"=2]>>, <"empty_mesh" : <[]>>>} {
      %k = stablehlo.constant dense<1.0> : $T
      return %k : $T
    })");
  CHECK(run(p, mpmd::infer_mesh_pipeline<program>()) == "");
  std::string const placed = mpmd::text::to_mlir(p);
  CHECK_MESSAGE(placed.find("mesh_tensor<\"empty_mesh\"") == std::string::npos, placed);
  CHECK(placed.find("mesh=\"gpu\"") != std::string::npos);
}

TEST_CASE("ops inside regions have no sets in callees either") {
  auto p = testing::read(R"(
    func.func @main(%x: $A, %i: tensor<i32>) -> $A attributes $M {
      %u = mpmd.unassign {origin = "f"} %x : ($A) -> $T
      %r = mpmd.call @f(%u, %i) : ($T, tensor<i32>) -> $T
      %a = mpmd.assign {origin = "h"} %r : ($T) -> $A
      return %a : $A
    }
    func.func private @f(%x: $T, %i: tensor<i32>) -> $T attributes $M {
      %c = "stablehlo.case"(%i) ({
        %n = stablehlo.negate %x : $T
        stablehlo.return %n : $T
      }, {
        stablehlo.return %x : $T
      }) : (tensor<i32>) -> $T
      return %c : $T
    })");
  CHECK(run(p, {mpmd::populate_use_set{}, mpmd::populate_src_set{}}) == "");
  std::string const text = mpmd::text::to_mlir(p);
  CHECK(text.find("stablehlo.negate %arg0 : ") != std::string::npos);
  CHECK(text.find("}) {mpmd.src_set = #mpmd.meshes_with_origins<\"a\"[\"inferred_in\", \"f\"]>") != std::string::npos);
}

TEST_CASE("what is inferred to be a reduction stays on meshes of its parts, and a reduce of no kind takes it further") {
  std::string const head = R"(
    func.func @main(%x: $A, %y: $B) -> $C attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%p: $T) {
        mpmd.return %p : $T
      } : ($A) -> $A
      %g = mpmd.fragment<mesh="b", origin=["g"]> (%y) (%p: $T) {
        mpmd.return %p : $T
      } : ($B) -> $B
      %u = mpmd.unassign {origin = "f"} %f : ($A) -> $T
      %v = mpmd.unassign {origin = "g"} %g : ($B) -> $T
      %s = stablehlo.add %u, %v : $T
      )";
  std::string const end = R"(
      %c = mpmd.assign {origin = "h"} %n : ($T) -> $C
      return %c : $C
    })";
  mpmd::infer_mesh_options const reductions{.infer_cross_mesh_reductions = true};
  auto confined = testing::read(head + "%n = stablehlo.negate %s : $T" + end);
  CHECK(run(confined, mpmd::infer_mesh_pipeline<program>(reductions)).find("it can only be placed on {a,b}") != std::string::npos);
  auto free = testing::read(head + "%n = mpmd.reduce<none> %s : ($T) -> $T" + end);
  CHECK(run(free, mpmd::infer_mesh_pipeline<program>(reductions)) == "");
}

TEST_CASE("what a fragment says of its operands stays with them when ops move into it") {
  auto p = testing::read(R"(
    func.func @main(%x: $T, %y: $A) -> $A attributes $M {
      %e = stablehlo.add %x, %x : $T
      %a = mpmd.assign {origin = "f"} %e : ($T) -> $A
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%a, %y) {arg_attrs = [{first}, {second}]} (%p: $T, %q: $T) {
        %n = stablehlo.add %p, %q : $T
        mpmd.return %n : $T
      } : ($A, $A) -> $A
      return %f : $A
    })");
  CHECK(run(p, mpmd::infer_mesh_pipeline<program>()) == "");
  // %y comes first now, and the operand of what moved in has nothing said of it.
  testing::expect(p, R"(
    %0 = mpmd.fragment<mesh="a", origin=["f"]> (%arg1, %arg0) {arg_attrs = [{second}]} (%arg2: $T, %arg3: $T) {
      %1 = stablehlo.add %arg3, %arg3 : $T
      %2 = stablehlo.add %1, %arg2 : $T
      mpmd.return %2 : $T
    } : ($A, $A) -> $A
    return %0 : $A)");
}

TEST_CASE("an op with effects is done on every mesh that needs what it returns") {
  auto p = testing::read(R"(
    func.func @main(%x: $T) -> ($A, $B) attributes $M {
      %e = stablehlo.custom_call @log(%x) {has_side_effect = true} : ($T) -> $T
      %a = mpmd.assign %e : ($T) -> $A
      %b = mpmd.assign %e : ($T) -> $B
      return %a, %b : $A, $B
    })");
  CHECK(run(p, mpmd::infer_mesh_pipeline<program>()) == "");
  CHECK(testing::find_all(p, "stablehlo.custom_call").size() == 2);
}

TEST_CASE("mesh inference leaves no mark of its passes on functions that are called") {
  auto p = testing::read(R"(
    func.func @main(%x: $T) -> ($A, $B) attributes $M {
      %c = mpmd.call @f(%x) : ($T) -> $T
      %a = mpmd.assign %c : ($T) -> $A
      %b = mpmd.assign %c : ($T) -> $B
      return %a, %b : $A, $B
    }
    func.func private @f(%x: $T) -> $T attributes $M {
      %0 = stablehlo.negate %x : $T
      return %0 : $T
    })");
  auto passes = mpmd::infer_mesh_pipeline<program>();
  passes.pop_back();  // finalize
  CHECK(run(p, passes) == "");
  CHECK(mpmd::text::to_mlir(p).find("mpmd.copies") != std::string::npos);
  CHECK(run(p, {mpmd::finalize{}}) == "");
  std::string const left = mpmd::text::to_mlir(p);
  for (std::string const mark : {"mpmd.copies", "mpmd.use_set", "mpmd.src_set"}) {
    CAPTURE(mark);
    CHECK(left.find(mark) == std::string::npos);
  }
}

TEST_CASE("any number of named results is added up on one mesh") {
  // Rewriting goes on until nothing changes, however many rounds that takes.
  std::string text = "func.func @main(%x: $A) -> $A attributes $M {\n";
  std::string sum;
  for (int i = 0; i < 40; ++i) {
    std::string const n = std::to_string(i);
    text += "%f" + n + " = mpmd.fragment<mesh=\"a\", origin=[\"f" + n + "\"]> (%x) (%p: $T) {\n%n = stablehlo.negate %p : $T\n" +
            "mpmd.return %n : $T\n} : ($A) -> $A\n%u" + n + " = mpmd.unassign %f" + n + " : ($A) -> $T\n";
    if (i == 0) {
      sum = "%u0";
    } else {
      text += "%s" + n + " = stablehlo.add " + sum + ", %u" + n + " : $T\n";
      sum = "%s" + n;
    }
  }
  text += "%a = mpmd.assign " + sum + " : ($T) -> $A\nreturn %a : $A\n}";
  auto p = testing::read(text);
  CHECK(run(p, mpmd::infer_mesh_pipeline<program>()) == "");
  CHECK(testing::find_all(p, "mpmd.transfer").empty());
}

}  // namespace reference_faults_test
