// Use sets, rule by rule. Marks such as {here} are attributes that find a line in the printed program.
#include "mlir_program.hpp"

namespace use_sets_test {

using testing::set_at;
using testing::signature_set;
using testing::with_use_sets;

TEST_CASE("an op is needed where its users are, the last use first, with the labels of the assigns") {
  auto const p = with_use_sets(R"(
    func.func @main(%w: $T, %v: $T) -> ($A, $T) attributes $M {
      %k = stablehlo.constant {k} dense<3.0> : $T
      %d = stablehlo.subtract %w, %k {d} : $T
      %x = mpmd.assign {origin = "enc", x} %d : ($T) -> $A
      %y = mpmd.assign {origin = "dec", y} %d : ($T) -> $B
      %n = stablehlo.negate %v {n} : $T
      return %x, %n : $A, $T
    })");
  CHECK(set_at(p, "x}", "use") == R"(<"a"["enc"]>)");
  CHECK(set_at(p, "y}", "use") == R"(<"b"["dec"]>)");
  CHECK(set_at(p, "{d", "use") == R"(<"b"["dec"], "a"["enc"]>)");
  CHECK(set_at(p, "{k", "use") == R"(<"b"["dec"], "a"["enc"]>)");
  CHECK(set_at(p, "{n}", "use").empty());
  CHECK(signature_set(p, "@main", "%arg0", "use") == R"(<"b"["dec"], "a"["enc"]>)");
  CHECK(signature_set(p, "@main", "%arg1", "use").empty());
}

TEST_CASE("labels of one mesh merge, and an assign without a label adds none") {
  auto const p = with_use_sets(R"(
    func.func @main(%w: $T) attributes $M {
      %d = stablehlo.negate %w {d} : $T
      %x = mpmd.assign %d : ($T) -> $A
      %y = mpmd.assign {origin = "2"} %d : ($T) -> $A
      %z = mpmd.assign {origin = "1"} %d : ($T) -> $A
      return
    })");
  CHECK(set_at(p, "{d", "use") == R"(<"a"["1", "2"]>)");
}

TEST_CASE("sets that are there already are kept first and extended; an assign overwrites its own") {
  auto const p = with_use_sets(R"(
    func.func @main(%w: $T {mpmd.use_set = #mpmd.meshes_with_origins<"c"["mine"]>}) attributes $M {
      %x = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"c">, x} %w : ($T) -> $A
      return
    })");
  CHECK(signature_set(p, "@main", "%arg0", "use") == R"(<"c"["mine"], "a">)");
  CHECK(set_at(p, ", x}", "use") == R"(<"a">)");
}

TEST_CASE("all results of an op share one set: the uses of the first result come first") {
  auto const p = with_use_sets(R"(
    func.func @main(%w: $T) attributes $M {
      %r:2 = stablehlo.optimization_barrier {r} %w, %w : $T, $T
      %x = mpmd.assign %r#0 : ($T) -> $A
      %y = mpmd.assign %r#1 : ($T) -> $B
      return
    })");
  CHECK(set_at(p, "{mpmd.use_set", "use") == R"(<"a", "b">)");
  CHECK(signature_set(p, "@main", "%arg0", "use") == R"(<"a", "b">)");
}

TEST_CASE("ops inside the region of an ordinary op have no set; what they capture is needed where that op is") {
  auto const p = with_use_sets(R"(
    func.func @main(%w: $T, %c: tensor<i32>) attributes $M {
      %f = stablehlo.negate %w {f} : $T
      %r = "stablehlo.case"(%c) ({
        %i = stablehlo.add %f, %f {inner} : $T
        "stablehlo.return"(%i) : ($T) -> ()
      }) {r} : (tensor<i32>) -> $T
      %x = mpmd.assign %r : ($T) -> $B
      return
    })");
  CHECK(set_at(p, "{f", "use") == R"(<"b">)");
  CHECK(set_at(p, "{inner", "use").empty());
  CHECK(signature_set(p, "@main", "%arg1", "use") == R"(<"b">)");
}

TEST_CASE("barriers have the set of their users and pass nothing on, but to a broadcast") {
  auto const p = with_use_sets(R"(
    func.func @main(%w: $T, %v: $T) attributes $M {
      %a = stablehlo.negate %w {a} : $T
      %b = mpmd.broadcast {b} %a : $T
      %c = mpmd.broadcast {c} %b : $T
      %d = stablehlo.negate %v {d} : $T
      %e = mpmd.reduce<add> {e} %d, %d : ($T, $T) -> $T
      %x = mpmd.assign %c : ($T) -> $A
      %y = mpmd.assign %e : ($T) -> $B
      return
    })");
  CHECK(set_at(p, "broadcast {b", "use") == R"(<"a">)");
  CHECK(set_at(p, "broadcast {c", "use") == R"(<"a">)");
  CHECK(set_at(p, "reduce<add> {e", "use") == R"(<"b">)");
  CHECK(set_at(p, "{a}", "use").empty());
  CHECK(set_at(p, "{d}", "use").empty());
}

TEST_CASE("an unassign records its set, which does not reach what it takes off the mesh") {
  auto const p = with_use_sets(R"(
    func.func @main(%w: $A) -> $B attributes $M {
      %u = mpmd.unassign {u} %w : ($A) -> $T
      %x = mpmd.assign %u : ($T) -> $B
      %t = mpmd.transfer %x : ($B) -> $B
      return %t : $B
    })");
  CHECK(set_at(p, "mpmd.unassign", "use") == R"(<"b">)");
  CHECK(signature_set(p, "@main", "%arg0", "use").empty());
  CHECK(set_at(p, "mpmd.transfer", "use").empty());
}

TEST_CASE("a callee is needed where the results of any call are, the last call seen first") {
  auto const p = with_use_sets(R"(
    func.func @main(%v: $T, %w: $T) attributes $M {
      %c = mpmd.call @f(%v) : ($T) -> $T
      %d = mpmd.call @f(%w) : ($T) -> $T
      %x = mpmd.assign %c : ($T) -> $A
      %y = mpmd.assign %d : ($T) -> $B
      return
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      %n = stablehlo.negate %p {n} : $T
      return %n : $T
    })");
  CHECK(set_at(p, "stablehlo.negate", "use") == R"(<"b", "a">)");
  CHECK(signature_set(p, "private @f", "%arg0", "use") == R"(<"b", "a">)");
  CHECK(signature_set(p, "private @f", "->", "use") == R"(<"b", "a">)");
  // Arguments of the caller are visited last, when the callee's needs are complete.
  CHECK(signature_set(p, "@main", "%arg0", "use") == R"(<"b", "a">)");
  CHECK(signature_set(p, "@main", "%arg1", "use") == R"(<"b", "a">)");
}

TEST_CASE("a value that a callee returns twice is needed first where its last result is") {
  auto const p = with_use_sets(R"(
    func.func @main(%v: $T) -> ($A, $B) attributes $M {
      %c:2 = mpmd.call @f(%v) : ($T) -> ($T, $T)
      %x = mpmd.assign %c#0 : ($T) -> $A
      %y = mpmd.assign %c#1 : ($T) -> $B
      return %x, %y : $A, $B
    }
    func.func private @f(%p: $T) -> ($T, $T) attributes $M {
      return %p, %p : $T, $T
    })");
  CHECK(signature_set(p, "private @f", "%arg0", "use") == R"(<"b", "a">)");
  CHECK(signature_set(p, "@main", "%arg0", "use") == R"(<"b", "a">)");
}

TEST_CASE("a callee without arguments is needed where its results are") {
  auto const p = with_use_sets(R"(
    func.func @main() attributes $M {
      %c = mpmd.call @f() : () -> $T
      %x = mpmd.assign %c : ($T) -> $B
      return
    }
    func.func private @f() -> $T attributes $M {
      %n = stablehlo.constant dense<1.0> : $T
      return %n : $T
    })");
  CHECK(set_at(p, "stablehlo.constant", "use") == R"(<"b">)");
  CHECK(signature_set(p, "private @f", "->", "use") == R"(<"b">)");
}

TEST_CASE("an op between two calls was visited before the earlier call added to the callee's needs") {
  auto const p = with_use_sets(R"(
    func.func @main(%v: $T) attributes $M {
      %c = mpmd.call @f(%v) : ($T) -> $T
      %x = mpmd.assign %c : ($T) -> $A
      %between = stablehlo.negate %v {between} : $T
      %d = mpmd.call @f(%between) : ($T) -> $T
      %y = mpmd.assign %d : ($T) -> $B
      return
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      return %p : $T
    })");
  CHECK(set_at(p, "{between", "use") == R"(<"b">)");
  CHECK(signature_set(p, "private @f", "%arg0", "use") == R"(<"b", "a">)");
}

TEST_CASE("calls that feed one another are repeated until nothing grows") {
  // f rotates its three arguments; each of the second call's results is needed on another mesh, so after one full turn
  // every argument is needed on all three.
  auto const p = with_use_sets(R"(
    func.func @main(%u: $T, %v: $T, %w: $T) attributes $M {
      %c:3 = mpmd.call @f(%u, %v, %w) : ($T, $T, $T) -> ($T, $T, $T)
      %d:3 = mpmd.call @f(%c#0, %c#1, %c#2) : ($T, $T, $T) -> ($T, $T, $T)
      %x = mpmd.assign %d#0 : ($T) -> $A
      %y = mpmd.assign %d#1 : ($T) -> $B
      %z = mpmd.assign %d#2 : ($T) -> $C
      return
    }
    func.func private @f(%p: $T, %q: $T, %r: $T) -> ($T, $T, $T) attributes $M {
      return %q, %r, %p : $T, $T, $T
    })");
  CHECK(signature_set(p, "private @f", "%arg0", "use") == R"(<"c", "b", "a">)");
  CHECK(signature_set(p, "private @f", "%arg1", "use") == R"(<"a", "c", "b">)");
  CHECK(signature_set(p, "private @f", "%arg2", "use") == R"(<"b", "a", "c">)");
}

TEST_CASE("what a call leads its function to need reaches the calls behind it when the sets settle") {
  // f is needed on a for the first call and on b for the second.
  constexpr auto text = R"(
    func.func @main(%u: $T, %v: $T) attributes $M {
      %m = stablehlo.negate %u {m} : $T
      %c = mpmd.call @f(%m) : ($T) -> $T
      %n = stablehlo.negate %v {n} : $T
      %d = mpmd.call @f(%n) : ($T) -> $T
      %x = mpmd.assign %c : ($T) -> $A
      %y = mpmd.assign %d : ($T) -> $B
      return
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      return %p : $T
    })";
  auto const once = with_use_sets(text);
  CHECK(signature_set(once, "@main", "%arg0", "use") == R"(<"b", "a">)");
  CHECK(signature_set(once, "@main", "%arg1", "use") == R"(<"b">)");
  auto p = testing::read(text);
  mpmd::diagnostics diags;
  REQUIRE(mpmd::populate_use_set{.settle = true}(p, diags));
  auto const settled = mpmd::text::to_mlir(p);
  CHECK(signature_set(settled, "@main", "%arg0", "use") == R"(<"b", "a">)");
  CHECK(signature_set(settled, "@main", "%arg1", "use") == R"(<"b", "a">)");
}

TEST_CASE("a loop's arguments carry what its body needs; its results are needed of what it yields") {
  auto const p = with_use_sets(R"(
    func.func @main(%v: $T) attributes $M {
      %l = mpmd.for (%v) {iterations = 2 : ui32} (%a: $T, %i: tensor<ui32>) {
        %n = stablehlo.negate %a {n} : $T
        %o = mpmd.assign %a : ($T) -> $B
        mpmd.return %n : $T
      } : $T
      %x = mpmd.assign %l : ($T) -> $A
      return
    })");
  CHECK(set_at(p, "stablehlo.negate", "use") == R"(<"a">)");
  CHECK(p.find(R"(arg_attrs = [{mpmd.use_set = #mpmd.meshes_with_origins<"b", "a">}, {}])") != std::string::npos);
  CHECK(signature_set(p, "@main", "%arg0", "use") == R"(<"b", "a">)");
}

TEST_CASE("further labels of a call's result reach the callee, whose meshes stay as they are") {
  auto const p = with_use_sets(R"(
    func.func @main(%u: $T) attributes $M {
      %c = mpmd.call @f(%u) : ($T) -> $T
      %d = mpmd.call @f(%u) : ($T) -> $T
      %x = mpmd.assign {origin = "one"} %c : ($T) -> $A
      %y = mpmd.assign {origin = "two"} %d : ($T) -> $A
      return
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      %n = stablehlo.negate %p {n} : $T
      return %n : $T
    })");
  CHECK(set_at(p, "stablehlo.negate", "use") == R"(<"a"["two", "one"]>)");
  CHECK(signature_set(p, "@main", "%arg0", "use") == R"(<"a"["two", "one"]>)");
}

TEST_CASE("what a loop captures or yields as it is keeps its uses") {
  auto const p = with_use_sets(R"(
    func.func @main(%v: $T, %w: $T, %u: $T) attributes $M {
      %l:2 = mpmd.for (%v, %u) {iterations = 2 : ui32} (%a: $T, %b: $T, %i: tensor<ui32>) {
        %n = stablehlo.add %a, %w : $T
        mpmd.return %n, %b : $T, $T
      } : $T, $T
      %x = mpmd.assign %l#0 : ($T) -> $A
      %y = mpmd.assign %l#1 : ($T) -> $B
      return
    })");
  INFO(p);
  CHECK(p.find(R"(arg_attrs = [{mpmd.use_set = #mpmd.meshes_with_origins<"a">}, {mpmd.use_set = #mpmd.meshes_with_origins<"b">}, {}])") !=
        std::string::npos);
  CHECK(signature_set(p, "@main", "%arg1", "use") == R"(<"a">)");
  CHECK(signature_set(p, "@main", "%arg2", "use") == R"(<"b">)");
}

TEST_CASE("functions without a topology, fragments and their bodies are left alone") {
  auto const p = with_use_sets(R"(
    func.func @plain(%v: $T) -> $T {
      %n = stablehlo.negate %v : $T
      return %n : $T
    }
    func.func @main(%w: $T) -> $A attributes $M {
      %x = mpmd.assign %w : ($T) -> $A
      %f = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%q: $T) {
        %i = stablehlo.negate %q {inner} : $T
        mpmd.return %i : $T
      } : ($A) -> $A
      return %f : $A
    })");
  CHECK(set_at(p, "@plain", "use").empty());
  CHECK(set_at(p, "mpmd.fragment", "use").empty());
  CHECK(set_at(p, "{inner", "use").empty());
}

TEST_CASE("nothing but the annotation changes, and an empty set is not written") {
  constexpr auto text = R"(
    func.func @main(%w: $T) -> $T attributes $M {
      %n = stablehlo.negate %w : $T
      return %n : $T
    })";
  CHECK(with_use_sets(text) == mpmd::text::to_mlir(testing::read(text)));
}

}  // namespace use_sets_test
