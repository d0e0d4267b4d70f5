// Src sets, rule by rule.
#include "mlir_program.hpp"

namespace src_sets_test {

using testing::set_at;
using testing::signature_set;
using testing::with_sets;
using testing::with_src_sets;

TEST_CASE("an unassigned value can be on its mesh, and where the same tensor is transferred") {
  auto const p = with_src_sets(R"(
    func.func @main(%w: $T) -> $T attributes $M {
      %x = mpmd.assign %w : ($T) -> $A
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%q: $T) { mpmd.return %q : $T } : ($A) -> $A
      %t = mpmd.transfer %f : ($A) -> $B
      %u = mpmd.unassign {origin = "enc", u} %f : ($A) -> $T
      %v = mpmd.unassign {origin = "dec", v} %t : ($B) -> $T
      %s = stablehlo.divide %u, %v {s} : $T
      return %s : $T
    })");
  CHECK(set_at(p, "u}", "src") == R"(<"a"["enc"], "b"["transfer"]>)");
  CHECK(set_at(p, "v}", "src") == R"(<"b"["dec"]>)");
  CHECK(set_at(p, "{mpmd.src_set = #mpmd.meshes_with_origins<\"b\"[\"transfer\", \"dec\"]>, s}", "src") ==
        R"(<"b"["transfer", "dec"]>)");
}

TEST_CASE("operands that share no mesh leave nowhere, unless the op is an associative combination") {
  auto const p = with_src_sets(R"(
    func.func @main(%v: $A, %w: $B) -> ($T, $T) attributes $M {
      %a = mpmd.unassign {origin = "x"} %v : ($A) -> $T
      %b = mpmd.unassign {origin = "y"} %w : ($B) -> $T
      %d = stablehlo.divide %a, %b {d} : $T
      %m = stablehlo.multiply %a, %b {m} : $T
      %k = stablehlo.constant dense<1.0> : $T
      %c = stablehlo.multiply %m, %k {c} : $T
      %o = stablehlo.add %m, %k {o} : $T
      return %d, %c : $T, $T
    })");
  CHECK(set_at(p, "stablehlo.divide", "src") == "<>");
  CHECK(set_at(p, "stablehlo.divide", "src").find("reduce") == std::string::npos);
  CHECK(p.find(R"({m, mpmd.reduce = #mpmd.reduction<mul>, mpmd.src_set = #mpmd.meshes_with_origins<"a"["x"], "b"["y"]>})") !=
        std::string::npos);
  // The same kind fed by a reduction joins the chain, another kind does not.
  CHECK(p.find(R"({c, mpmd.reduce = #mpmd.reduction<mul>, mpmd.src_set = #mpmd.meshes_with_origins<"a"["x"], "b"["y"]>})") !=
        std::string::npos);
  CHECK(p.find(R"({mpmd.src_set = #mpmd.meshes_with_origins<"a"["x"], "b"["y"]>, o})") != std::string::npos);
  CHECK(p.find("stablehlo.constant dense") != std::string::npos);  // a constant can be anywhere: no set
}

TEST_CASE("a conflict further up is not covered by a reduction") {
  auto const p = with_src_sets(R"(
    func.func @main(%v: $A, %w: $B) -> $T attributes $M {
      %a = mpmd.unassign %v : ($A) -> $T
      %b = mpmd.unassign %w : ($B) -> $T
      %d = stablehlo.divide %a, %b : $T
      %m = stablehlo.add %d, %b {m} : $T
      return %m : $T
    })");
  CHECK(set_at(p, "stablehlo.add", "src") == "<>");
  CHECK(p.find("mpmd.reduce =") == std::string::npos);
}

TEST_CASE("a concatenation along an extent of one, reduced over it alone, is a reduction") {
  auto const p = with_src_sets(R"(
    func.func @main(%v: $A, %w: $B) -> tensor<f32> attributes $M {
      %a = mpmd.unassign %v : ($A) -> $T
      %b = mpmd.unassign %w : ($B) -> $T
      %x = stablehlo.reshape %a : ($T) -> tensor<1x2xf32>
      %y = stablehlo.reshape %b : ($T) -> tensor<1x2xf32>
      %k = stablehlo.concatenate %x, %y, dim = 0 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
      %i = stablehlo.constant dense<0.0> : tensor<f32>
      %r = stablehlo.reduce(%k init: %i) applies stablehlo.maximum across dimensions = [0] : (tensor<2x2xf32>, tensor<f32>) -> $T
      %j = stablehlo.reduce(%r init: %i) applies stablehlo.add across dimensions = [0] : ($T, tensor<f32>) -> tensor<f32>
      return %j : tensor<f32>
    })");
  CHECK(set_at(p, "stablehlo.concatenate", "src") == R"(<"a", "b">)");
  CHECK(set_at(p, "applies stablehlo.maximum", "src") == R"(<"a", "b">)");
  std::size_t marked = 0;
  for (auto at = p.find("#mpmd.reduction<max>"); at != std::string::npos; at = p.find("#mpmd.reduction<max>", at + 1))
    ++marked;
  CHECK(marked == 2);
}

TEST_CASE("an argument of an entry function can be wherever it is used; the labels of the uses are not copied") {
  auto const p = with_sets(R"(
    func.func @main(%w: $T, %v: $T) -> $T attributes $M {
      %d = stablehlo.negate %w {d} : $T
      %x = mpmd.assign {origin = "enc"} %d : ($T) -> $A
      %y = mpmd.assign {origin = "dec"} %d : ($T) -> $B
      return %v : $T
    })");
  CHECK(signature_set(p, "@main", "%arg0", "src") == R"(<"b"["inferred_in"], "a"["inferred_in"]>)");
  CHECK(signature_set(p, "@main", "%arg1", "src").empty());
  CHECK(set_at(p, "stablehlo.negate", "src") == R"(<"b"["inferred_in"], "a"["inferred_in"]>)");
}

TEST_CASE("an argument that comes on a mesh moves as freely as one that does not") {
  auto const p = with_sets(R"(
    func.func @main(%w: $A) attributes $M {
      %u = mpmd.unassign {origin = "user_in"} %w : ($A) -> $T
      %x = mpmd.assign %u : ($T) -> $B
      %y = mpmd.assign %u : ($T) -> $C
      return
    })");
  CHECK(set_at(p, "mpmd.unassign", "src") == R"(<"a"["user_in"], "c"["inferred_in"], "b"["inferred_in"]>)");
}

TEST_CASE("several calls meet in the callee by intersection; an earlier call keeps what it was found to give") {
  auto const p = with_src_sets(R"(
    func.func @main(%v: $A, %w: $B) -> ($T, $T) attributes $M {
      %a = mpmd.unassign %v : ($A) -> $T
      %b = mpmd.unassign %w : ($B) -> $T
      %c = mpmd.call @f(%a) : ($T) -> $T
      %x = stablehlo.negate %c {first} : $T
      %d = mpmd.call @f(%b) : ($T) -> $T
      %y = stablehlo.negate %d {second} : $T
      return %x, %y : $T, $T
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      %n = stablehlo.abs %p : $T
      return %n : $T
    })");
  CHECK(set_at(p, "{first", "src") == R"(<"a">)");
  CHECK(set_at(p, ", second}", "src") == "<>");
  CHECK(set_at(p, "stablehlo.abs", "src") == "<>");
  CHECK(signature_set(p, "private @f", "%arg0", "src") == "<>");
}

TEST_CASE("what stands behind a later call sees what that call has found of an earlier one's results") {
  // The second call tells that @f runs on a, where nothing was known of it before; %x stands behind both calls.
  auto const p = with_src_sets(R"(
    func.func @main(%v: $A, %w: $T) -> $T attributes $M {
      %a = mpmd.unassign %v : ($A) -> $T
      %c = mpmd.call @f(%w) : ($T) -> $T
      %b = stablehlo.negate %c {between} : $T
      %d = mpmd.call @f(%a) : ($T) -> $T
      %x = stablehlo.negate %c {behind} : $T
      return %x : $T
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      %n = stablehlo.abs %p : $T
      return %n : $T
    })");
  CHECK(set_at(p, "{between", "src").empty());
  CHECK(set_at(p, "{behind", "src") == R"(<"a">)");
}

TEST_CASE("an argument of several calls has its meshes and reasons in the order of the last call") {
  auto const p = with_sets(R"(
    func.func @main(%v: $T, %w: $T) -> $T attributes $M {
      %c = mpmd.call @f(%v) : ($T) -> $T
      %d = mpmd.call @f(%w) : ($T) -> $T
      %va = mpmd.assign %v : ($T) -> $A
      %vb = mpmd.assign %v : ($T) -> $B
      %wb = mpmd.assign %w : ($T) -> $B
      %wa = mpmd.assign %w : ($T) -> $A
      return %v : $T
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      %n = stablehlo.abs %p : $T
      return %n : $T
    })");
  // The last use comes first: b and a of %v, a and b of %w.
  CHECK(signature_set(p, "@main", "%arg0", "src") == R"(<"b"["inferred_in"], "a"["inferred_in"]>)");
  CHECK(signature_set(p, "private @f", "%arg0", "src") == R"(<"a"["inferred_in"], "b"["inferred_in"]>)");
}

TEST_CASE("behind a call in which an op becomes a reduction is where that reduction can be") {
  // @h adds values of {a, c} and {c}, then of {a} and {c}: with the second call the sum is a reduction on both, and what
  // it gives can be on a, where the other operand of the subtraction is.
  auto const p = with_src_sets(R"(
    func.func @main(%v: $A, %w: $C) -> $T attributes $M {
      %t = mpmd.transfer %v : ($A) -> $C
      %u = mpmd.unassign %v : ($A) -> $T
      %c = mpmd.unassign %w : ($C) -> $T
      %g = mpmd.fragment<mesh="a", origin=["g"]> (%v) (%p: $T) {
        mpmd.return %p : $T
      } : ($A) -> $A
      %a = mpmd.unassign %g : ($A) -> $T
      %0 = mpmd.call @h(%u, %c) : ($T, $T) -> $T
      %1 = mpmd.call @h(%a, %c) : ($T, $T) -> $T
      %s = stablehlo.subtract %1, %a : $T
      return %s : $T
    }
    func.func private @h(%p: $T, %q: $T) -> $T attributes $M {
      %n = stablehlo.add %p, %q : $T
      return %n : $T
    })");
  CHECK(set_at(p, "stablehlo.add", "src") == R"(<"a", "c">)");
  CHECK(set_at(p, "stablehlo.subtract", "src") == R"(<"a">)");
}

TEST_CASE("a callee's argument is not seeded by its own use set") {
  auto const p = with_sets(R"(
    func.func @main(%v: $T) -> $T attributes $M {
      %c = mpmd.call @f(%v) : ($T) -> $T
      return %c : $T
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      %x = mpmd.assign %p : ($T) -> $A
      return %p : $T
    })");
  CHECK(signature_set(p, "private @f", "%arg0", "use") == R"(<"a">)");
  // The caller's argument is used on a, and that is what the callee sees.
  CHECK(signature_set(p, "private @f", "%arg0", "src") == R"(<"a"["inferred_in"]>)");
}

TEST_CASE("values captured by a region count as operands of its op") {
  auto const p = with_src_sets(R"(
    func.func @main(%v: $A, %w: $B, %c: tensor<i32>) -> $T attributes $M {
      %a = mpmd.unassign %v : ($A) -> $T
      %b = mpmd.unassign %w : ($B) -> $T
      %r = "stablehlo.case"(%c) ({
        "stablehlo.return"(%a) : ($T) -> ()
      }, {
        "stablehlo.return"(%b) : ($T) -> ()
      }) : (tensor<i32>) -> $T
      return %r : $T
    })");
  CHECK(set_at(p, "\"stablehlo.case\"", "src").empty());  // the set stands behind the regions
  CHECK(p.find("mpmd.src_set = #mpmd.meshes_with_origins<>") != std::string::npos);
}

TEST_CASE("broadcasts and reduces can deliver anywhere; a loop hands its operands' sets to its body and its yield's out") {
  auto const p = with_src_sets(R"(
    func.func @main(%v: $A) -> ($T, $T) attributes $M {
      %a = mpmd.unassign %v : ($A) -> $T
      %b = mpmd.broadcast %a : $T
      %n = stablehlo.negate %b {n} : $T
      %l = mpmd.for (%a) {iterations = 2 : ui32} (%p: $T, %i: tensor<ui32>) {
        %q = stablehlo.abs %p : $T
        mpmd.return %q : $T
      } : $T
      %s = stablehlo.sqrt %l : $T
      return %n, %s : $T, $T
    })");
  CHECK(set_at(p, "mpmd.broadcast", "src").empty());
  CHECK(set_at(p, "stablehlo.negate", "src").empty());
  CHECK(set_at(p, "stablehlo.abs", "src") == R"(<"a">)");
  CHECK(set_at(p, "stablehlo.sqrt", "src") == R"(<"a">)");
  CHECK(p.find(R"(arg_attrs = [{mpmd.src_set = #mpmd.meshes_with_origins<"a">}, {}])") != std::string::npos);
}

TEST_CASE("an op without results has a set too") {
  auto const p = with_src_sets(R"(
    func.func @main(%v: $A) attributes $M {
      %a = mpmd.unassign %v : ($A) -> $T
      sdy.sharding_group %a group_id=0 : $T
      return
    })");
  CHECK(set_at(p, "sdy.sharding_group", "src") == R"(<"a">)");
}

}  // namespace src_sets_test
