// The passes on what users name: simplified, flattened, cloned past, checked and placed.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/transform/inline_nested_user_exposed_ops.hpp>
#include <mpmd/transform/insert_nameless_clone_of_negligible_ops.hpp>
#include <mpmd/transform/map_named_ops_to_mpmd_ops.hpp>
#include <mpmd/transform/simplify_named_computations.hpp>
#include <mpmd/transform/validate_named_ops_in_mpmd_func.hpp>

#include "transform_program.hpp"

namespace import_named_ops_test {
namespace {

using said = std::vector<std::string>;

// Runs a pass; what it reports, as `line: message`, warnings marked. It fails exactly when it reports an
// error.
template <class Pass>
said run(Pass const& pass, mpmd::ir::program& p, bool succeeds_all_the_same = false) {
  said all;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) {
    CHECK(d.notes.empty());
    all.push_back((d.level == mpmd::severity::warning ? "warning " : "") + std::to_string(d.where.line) +
                  ": " + d.message);
  });
  bool const good = pass(p, diags);
  CHECK(good == (diags.errors() == 0 || succeeds_all_the_same));
  return all;
}

template <class Pass>
void check(Pass const& pass, std::string_view before, std::string_view body) {
  CAPTURE(std::string(before));
  auto p = testing::read(before);
  CHECK(run(pass, p) == said{});
  testing::expect(p, body);
}

template <class Pass>
void check_unchanged(Pass const& pass, std::string_view text) {
  CAPTURE(std::string(text));
  auto p = testing::read(text);
  std::string const before = mpmd::text::to_mlir(p);
  CHECK(run(pass, p) == said{});
  CHECK(mpmd::text::to_mlir(p) == before);
}

// What the pass says, behind which the program is still valid.
template <class Pass>
said complaints(Pass const& pass, std::string_view text) {
  auto p = testing::read(text);
  auto all = run(pass, p);
  mpmd::diagnostics diags;
  CHECK(mpmd::ir::verify(p, diags));
  return all;
}

constexpr mpmd::simplify_named_computations simplify;

}  // namespace

TEST_CASE("the passes on named ops compile with the archetype of their concept") {
  mpmd::archetypes::mutable_program program;
  mpmd::diagnostics diags;
  CHECK(simplify(program, diags));
  CHECK(mpmd::inline_nested_user_exposed_ops{}(program, diags));
  CHECK(mpmd::insert_nameless_clone_of_negligible_ops{}(program, diags));
  CHECK(mpmd::map_named_ops_to_mpmd_ops{}(program, diags));
  CHECK(mpmd::validate_named_ops_in_mpmd_func{}(program, diags));
  CHECK(diags.errors() == 0);
}

// --- simplify-named-computations ---------------------------------------------------------------------------------

TEST_CASE("a named computation takes each operand once and gives each result once") {
  check(simplify, R"(func.func @f(%x: $T, %y: $T) -> ($T, $T, $T) attributes $M {
  %0:3 = mpmd.named_computation<"f"(2)> (%x, %y, %x) {note = 1 : i64} (%a: $T, %b: $T, %c: $T) {
    %1 = stablehlo.add %a, %c : $T
    %2 = stablehlo.add %1, %b : $T
    mpmd.return %2, %1, %2 : $T, $T, $T
  } : ($T, $T, $T) -> ($T, $T, $T)
  return %0#0, %0#1, %0#2 : $T, $T, $T
})",
        R"(%0:2 = mpmd.named_computation<"f"(2)> (%arg0, %arg1) {note = 1 : i64} (%arg2: $T, %arg3: $T) {
%1 = stablehlo.add %arg2, %arg2 : $T
%2 = stablehlo.add %1, %arg3 : $T
mpmd.return %2, %1 : $T, $T
} : ($T, $T) -> ($T, $T)
return %0#0, %0#1, %0#0 : $T, $T, $T)");
}

TEST_CASE("of unused results with an effect one is kept for each value") {
  check(simplify, R"(func.func @f(%x: $T) attributes $M {
  %0:3 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    %1 = stablehlo.custom_call @foo(%a) {has_side_effect = true} : ($T) -> $T
    %2 = stablehlo.custom_call @bar(%a) {has_side_effect = true} : ($T) -> $T
    mpmd.return %1, %2, %1 : $T, $T, $T
  } : ($T) -> ($T, $T, $T)
  return
})",
        R"(%0:2 = mpmd.named_computation<"f"> (%arg0) (%arg1: $T) {
%1 = stablehlo.custom_call @foo(%arg1) {has_side_effect = true} : ($T) -> $T
%2 = stablehlo.custom_call @bar(%arg1) {has_side_effect = true} : ($T) -> $T
mpmd.return %1, %2 : $T, $T
} : ($T) -> ($T, $T)
return)");
}

TEST_CASE("a value that only passes through is taken from where it comes") {
  // Through two computations, and twice through the first: nothing is left of either.
  check(simplify, R"(func.func @f(%x: $T) -> ($T, $T) attributes $M {
  %0:2 = mpmd.named_computation<"f"> (%x, %x) (%a: $T, %b: $T) {
    mpmd.return %b, %a : $T, $T
  } : ($T, $T) -> ($T, $T)
  %1:2 = mpmd.named_computation<"g"> (%0#0, %0#1) (%a: $T, %b: $T) {
    mpmd.return %a, %b : $T, $T
  } : ($T, $T) -> ($T, $T)
  return %1#0, %1#1 : $T, $T
})",
        "return %arg0, %arg0 : $T, $T");
  // Only what the body needs is still handed in; %0#1 and %y turn out to be one operand of the second.
  check(simplify, R"(func.func @f(%x: $T, %y: $T) -> $T attributes $M {
  %0:2 = mpmd.named_computation<"f"> (%x, %y) (%a: $T, %b: $T) {
    %1 = stablehlo.negate %a : $T
    mpmd.return %1, %b : $T, $T
  } : ($T, $T) -> ($T, $T)
  %2 = mpmd.named_computation<"g"> (%0#0, %0#1, %y) (%a: $T, %b: $T, %c: $T) {
    %3 = stablehlo.add %b, %c : $T
    %4 = stablehlo.add %a, %3 : $T
    mpmd.return %4 : $T
  } : ($T, $T, $T) -> $T
  return %2 : $T
})",
        R"(%0 = mpmd.named_computation<"f"> (%arg0) (%arg2: $T) {
%2 = stablehlo.negate %arg2 : $T
mpmd.return %2 : $T
} : ($T) -> $T
%1 = mpmd.named_computation<"g"> (%0, %arg1) (%arg2: $T, %arg3: $T) {
%2 = stablehlo.add %arg3, %arg3 : $T
%3 = stablehlo.add %arg2, %2 : $T
mpmd.return %3 : $T
} : ($T, $T) -> $T
return %1 : $T)");
}

TEST_CASE("what nobody uses goes, with all that served it only") {
  // The second result of g is unused, so its operand is, so f is; the dead op outside goes too.
  check(simplify, R"(func.func @f(%x: $T, %y: $T) -> $T attributes $M {
  %0 = mpmd.named_computation<"f"> (%y) (%a: $T) {
    %1 = stablehlo.negate %a : $T
    mpmd.return %1 : $T
  } : ($T) -> $T
  %2:2 = mpmd.named_computation<"g"> (%x, %0) (%a: $T, %b: $T) {
    %3 = stablehlo.negate %a : $T
    %4 = stablehlo.negate %b : $T
    mpmd.return %3, %4 : $T, $T
  } : ($T, $T) -> ($T, $T)
  %5 = stablehlo.add %2#1, %x : $T
  return %2#0 : $T
})",
        R"(%0 = mpmd.named_computation<"g"> (%arg0) (%arg2: $T) {
%1 = stablehlo.negate %arg2 : $T
mpmd.return %1 : $T
} : ($T) -> $T
return %0 : $T)");
}

TEST_CASE(
    "effects keep a named computation, and of its unused results those that they make, or else the first") {
  check(simplify, R"(func.func @f(%x: $T) -> $T attributes $M {
  %0:3 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    %1 = stablehlo.custom_call @effect(%a) : ($T) -> $T
    %2 = stablehlo.negate %1 : $T
    mpmd.return %a, %1, %2 : $T, $T, $T
  } : ($T) -> ($T, $T, $T)
  return %x : $T
})",
        R"(%0 = mpmd.named_computation<"f"> (%arg0) (%arg1: $T) {
%1 = stablehlo.custom_call @effect(%arg1) : ($T) -> $T
mpmd.return %1 : $T
} : ($T) -> $T
return %arg0 : $T)");
  check(simplify, R"(func.func @f(%x: $T) -> $T attributes $M {
  %0:3 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    stablehlo.custom_call @effect(%a) : ($T) -> ()
    %2 = stablehlo.negate %a : $T
    mpmd.return %2, %a, %2 : $T, $T, $T
  } : ($T) -> ($T, $T, $T)
  return %x : $T
})",
        R"(%0 = mpmd.named_computation<"f"> (%arg0) (%arg1: $T) {
stablehlo.custom_call @effect(%arg1) : ($T) -> ()
%1 = stablehlo.negate %arg1 : $T
mpmd.return %1 : $T
} : ($T) -> $T
return %arg0 : $T)");
}

TEST_CASE("an argument goes past a barrier that only passes it on to be returned") {
  check(simplify, R"(func.func @f(%x: $T, %y: $T) -> ($T, $T) attributes $M {
  %0:2 = mpmd.named_computation<"f"> (%x, %y) (%a: $T, %b: $T) {
    %1:2 = stablehlo.optimization_barrier {note} %a, %b : $T, $T
    %2 = stablehlo.negate %1#0 : $T
    mpmd.return %2, %1#1 : $T, $T
  } : ($T, $T) -> ($T, $T)
  return %0#0, %0#1 : $T, $T
})",
        R"(%0 = mpmd.named_computation<"f"> (%arg0) (%arg2: $T) {
%1 = stablehlo.optimization_barrier {note} %arg2 : $T
%2 = stablehlo.negate %1 : $T
mpmd.return %2 : $T
} : ($T) -> $T
return %0, %arg1 : $T, $T)");
  // Not when it is used twice, nor a value that the computation makes.
  check_unchanged(simplify, R"(func.func @f(%x: $T) -> ($T, $T) attributes $M {
  %0:2 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    %1 = stablehlo.optimization_barrier %a : $T
    %2 = stablehlo.negate %1 : $T
    mpmd.return %1, %2 : $T, $T
  } : ($T) -> ($T, $T)
  return %0#0, %0#1 : $T, $T
})");
  check_unchanged(simplify, R"(func.func @f(%x: $T) -> $T attributes $M {
  %0 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    %1 = stablehlo.negate %a : $T
    %2 = stablehlo.optimization_barrier %1 : $T
    mpmd.return %2 : $T
  } : ($T) -> $T
  return %0 : $T
})");
}

TEST_CASE(
    "nested named computations are simplified from the inside out, functions without meshes not at all") {
  check(simplify, R"(func.func @f(%x: $T, %y: $T) -> ($T, $T) attributes {mesh_shape = #sdy.mesh<["x"=2]>} {
  %0:2 = mpmd.named_computation<"f"> (%x, %y) (%a: $T, %b: $T) {
    %1:2 = mpmd.named_computation<"g"> (%a, %b) (%c: $T, %d: $T) {
      %2 = stablehlo.negate %c : $T
      mpmd.return %2, %d : $T, $T
    } : ($T, $T) -> ($T, $T)
    mpmd.return %1#0, %1#1 : $T, $T
  } : ($T, $T) -> ($T, $T)
  return %0#0, %0#1 : $T, $T
})",
        R"(%0 = mpmd.named_computation<"f"> (%arg0) (%arg2: $T) {
%1 = mpmd.named_computation<"g"> (%arg2) (%arg3: $T) {
%2 = stablehlo.negate %arg3 : $T
mpmd.return %2 : $T
} : ($T) -> $T
mpmd.return %1 : $T
} : ($T) -> $T
return %0, %arg1 : $T, $T)");
  check_unchanged(simplify, R"(func.func @f(%x: $T) -> $T {
  %0 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    mpmd.return %a : $T
  } : ($T) -> $T
  return %0 : $T
})");
}

// --- inline-nested-user-exposed-ops ------------------------------------------------------------------------------

TEST_CASE("what is named inside a named computation dissolves in it, in place") {
  mpmd::inline_nested_user_exposed_ops const flatten{{{"f", {"a", 1}}, {"h", {"a#device", 1}}, {"t", {"a"}}}};
  check(flatten, R"(func.func @f(%x: $T) -> $T attributes $M {
  %0 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    %1 = mpmd.named_tensor %a name="t" : $T
    %2 = mpmd.named_computation<"g"> (%1) (%b: $T) {
      %3 = stablehlo.negate %b : $T
      %4 = mpmd.named_computation<"h"> (%3) (%c: $T) {
        %5 = stablehlo.abs %c : $T
        mpmd.return %5 : $T
      } : ($T) -> $T
      mpmd.return %4 : $T
    } : ($T) -> $T
    %6 = mpmd.broadcast %2 : $T
    mpmd.return %6 : $T
  } : ($T) -> $T
  return %0 : $T
})",
        R"(%0 = mpmd.named_computation<"f"> (%arg0) (%arg1: $T) {
%1 = stablehlo.negate %arg1 : $T
%2 = stablehlo.abs %1 : $T
mpmd.return %2 : $T
} : ($T) -> $T
return %0 : $T)");
}

TEST_CASE("a nested reduce becomes the elementwise ops it stands for") {
  mpmd::inline_nested_user_exposed_ops const flatten;
  check(flatten, R"(func.func @f(%x: $T, %y: $T) -> ($T, $T, $T) attributes $M {
  %0:3 = mpmd.named_computation<"f"> (%x, %y) (%a: $T, %b: $T) {
    %1 = mpmd.reduce<max> %a, %b, %a : ($T, $T, $T) -> $T
    %2 = mpmd.reduce<none> %b : ($T) -> $T
    %3 = mpmd.reduce<add> %a : ($T) -> $T
    mpmd.return %1, %2, %3 : $T, $T, $T
  } : ($T, $T) -> ($T, $T, $T)
  return %0#0, %0#1, %0#2 : $T, $T, $T
})",
        R"(%0:3 = mpmd.named_computation<"f"> (%arg0, %arg1) (%arg2: $T, %arg3: $T) {
%1 = stablehlo.maximum %arg2, %arg3 : $T
%2 = stablehlo.maximum %1, %arg2 : $T
mpmd.return %2, %arg3, %arg2 : $T, $T, $T
} : ($T, $T) -> ($T, $T, $T)
return %0#0, %0#1, %0#2 : $T, $T, $T)");
  // Outside of named computations all of this stays.
  check_unchanged(flatten, R"(func.func @f(%x: $T, %y: $T) -> $T attributes $M {
  %0 = mpmd.reduce<add> %x, %y : ($T, $T) -> $T
  %1 = mpmd.broadcast %0 : $T
  %2 = mpmd.named_tensor %1 name="t" : $T
  return %2 : $T
})");
}

TEST_CASE("nested ops must agree with the computation around them on mesh, and computations on the stage") {
  auto nested = [](std::string_view inner) {
    return "func.func @f(%x: $T) -> $T attributes $M {\n  %0 = mpmd.named_computation<\"f\"> (%x) (%a: $T) "
           "{\n" +
           std::string(inner) + "\n    mpmd.return %1 : $T\n  } : ($T) -> $T\n  return %0 : $T\n}";
  };
  std::string const computation = nested(R"(    %1 = mpmd.named_computation<"g"> (%a) (%b: $T) {
      mpmd.return %b : $T
    } : ($T) -> $T)");
  std::string const tensor = nested(R"(    %1 = mpmd.named_tensor %a name="g" : $T)");
  auto with = [](mpmd::mesh_assignment f, mpmd::mesh_assignment g) {
    return mpmd::inline_nested_user_exposed_ops{{{"f", std::move(f)}, {"g", std::move(g)}}};
  };
  CHECK(
      complaints(with({"a", 1}, {"b", 1}), computation) ==
      said{"3: NamedComputation 'g' is nested in a NamedComputation 'f' which has a different mesh or stage "
           "assignment. "
           "'g' is assigned to mesh 'b', stage 1, 'f' to mesh 'a', stage 1: give both the same, or leave 'g' "
           "unassigned"});
  CHECK(complaints(with({"a", 1}, {"a"}), computation).size() == 1);
  CHECK(complaints(with({"a", 1}, {"a", 2}), computation).size() == 1);
  CHECK(complaints(with({"a", 1}, {"a#device", 1}), computation).empty());
  CHECK(complaints(with({"a#device"}, {"b"}), tensor) ==
        said{"3: NamedTensor 'g' is nested in a NamedComputation 'f' which has a different mesh assignment. "
             "'g' is "
             "assigned to mesh 'b', no stage, 'f' to mesh 'a#device', no stage: give both the same, or leave "
             "'g' "
             "unassigned"});
  CHECK(complaints(with({"a#device", 1}, {"a#pinned_host", 2}), tensor).empty());
}

TEST_CASE("a nested op needs a placed computation around it, however far out") {
  constexpr std::string_view text = R"(func.func @f(%x: $T) -> $T attributes $M {
  %0 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    %1 = mpmd.named_computation<"g"> (%a) (%b: $T) {
      %2 = mpmd.named_tensor %b name="t" : $T
      %3 = mpmd.named_tensor %2 name="t" : $T
      mpmd.return %3 : $T
    } : ($T) -> $T
    mpmd.return %1 : $T
  } : ($T) -> $T
  return %0 : $T
})";
  // Each computation that has to be placed is named once.
  CHECK(complaints(mpmd::inline_nested_user_exposed_ops{}, text) ==
        said{"2: Parent NamedComputation 'f' is not assigned to a mesh in the user-defined name-to-mesh "
             "assignment. 'g' "
             "inside it needs to know where it runs",
             "3: Parent NamedComputation 'g' is not assigned to a mesh in the user-defined name-to-mesh "
             "assignment. 't' "
             "inside it needs to know where it runs"});
  CHECK(complaints(mpmd::inline_nested_user_exposed_ops{{{"f", {"a"}}}}, text).empty());
  // What is compared is the placed one: g is not, f is.
  CHECK(complaints(mpmd::inline_nested_user_exposed_ops{{{"f", {"a"}}, {"t", {"b"}}}}, text).size() == 2);
}

TEST_CASE("chains of nested computations are flattened without recursion and in linear time") {
  std::string text =
      "func.func @f(%x: $T) -> $T attributes $M {\n  %0 = mpmd.named_computation<\"f\"> (%x) (%a0: $T) {\n";
  constexpr int depth = 200;
  for (int i = 1; i <= depth; ++i)
    text += "%v" + std::to_string(i) + " = mpmd.named_computation<\"g\"> (%a" + std::to_string(i - 1) +
            ") (%a" + std::to_string(i) + ": $T) {\n";
  text += "%n = stablehlo.negate %a" + std::to_string(depth) + " : $T\nmpmd.return %n : $T\n} : ($T) -> $T\n";
  for (int i = depth; i >= 1; --i) text += "mpmd.return %v" + std::to_string(i) + " : $T\n} : ($T) -> $T\n";
  text += "return %0 : $T\n}";
  check(mpmd::inline_nested_user_exposed_ops{{{"f", {"a"}}}}, text,
        R"(%0 = mpmd.named_computation<"f"> (%arg0) (%arg1: $T) {
%1 = stablehlo.negate %arg1 : $T
mpmd.return %1 : $T
} : ($T) -> $T
return %0 : $T)");
}

// --- insert-nameless-clone-of-negligible-ops ---------------------------------------------------------------------

TEST_CASE(
    "constants that a named computation returns are made again behind it, but the function returns its own") {
  mpmd::insert_nameless_clone_of_negligible_ops const clone;
  check(clone, R"(func.func @f() -> ($T, $T) attributes $M {
  %0:5 = mpmd.named_computation<"f"> () () {
    %1 = stablehlo.constant dense<1.0> : $T
    %2 = stablehlo.constant dense<2.0> : $T
    %3 = stablehlo.negate %2 : $T
    %4 = stablehlo.constant dense<4.0> : $T
    mpmd.return %1, %2, %3, %1, %4 : $T, $T, $T, $T, $T
  } : () -> ($T, $T, $T, $T, $T)
  %5 = stablehlo.add %0#0, %0#2 : $T
  %6 = stablehlo.add %5, %0#3 : $T
  return %6, %0#1 : $T, $T
})",
        R"(%0:5 = mpmd.named_computation<"f"> () () {
%cst_2 = stablehlo.constant dense<1.000000e+00> : $T
%cst_3 = stablehlo.constant dense<2.000000e+00> : $T
%3 = stablehlo.negate %cst_3 : $T
%cst_4 = stablehlo.constant dense<4.000000e+00> : $T
mpmd.return %cst_2, %cst_3, %3, %cst_2, %cst_4 : $T, $T, $T, $T, $T
} : () -> ($T, $T, $T, $T, $T)
%cst = stablehlo.constant dense<1.000000e+00> : $T
%cst_0 = stablehlo.constant dense<2.000000e+00> : $T
%cst_1 = stablehlo.constant dense<1.000000e+00> : $T
%1 = stablehlo.add %cst, %0#2 : $T
%2 = stablehlo.add %1, %cst_1 : $T
return %2, %0#1 : $T, $T)");
}

TEST_CASE("nothing with an effect, with operands or with a body is made again") {
  check_unchanged(mpmd::insert_nameless_clone_of_negligible_ops{},
                  R"(func.func @f(%x: $T) -> $T attributes $M {
  %0:3 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    %1 = stablehlo.custom_call @effect() : () -> $T
    %2 = mpmd.named_computation<"g"> () () {
      %4 = stablehlo.constant dense<1.0> : $T
      %5 = stablehlo.negate %4 : $T
      mpmd.return %5 : $T
    } : () -> $T
    %3 = stablehlo.negate %a : $T
    mpmd.return %1, %2, %3 : $T, $T, $T
  } : ($T) -> ($T, $T, $T)
  %6 = stablehlo.add %0#0, %0#1 : $T
  %7 = stablehlo.add %6, %0#2 : $T
  return %7 : $T
})");
}

TEST_CASE("a large constant is made again without another copy of its data") {
  auto p = testing::read(R"(func.func @f() -> tensor<4x65536xf32> attributes $M {
  %0 = mpmd.named_computation<"f"> () () {
    %1 = stablehlo.constant dense<1.5> : tensor<4x65536xf32>
    mpmd.return %1 : tensor<4x65536xf32>
  } : () -> tensor<4x65536xf32>
  %2 = stablehlo.negate %0 : tensor<4x65536xf32>
  return %2 : tensor<4x65536xf32>
})");
  mpmd::diagnostics diags;
  REQUIRE(mpmd::insert_nameless_clone_of_negligible_ops{}(p, diags));
  std::vector<mpmd::ir::attribute> data;
  mpmd::walk_ops(p, p.root(), [&](mpmd::ir::op o) {
    if (p.is(o, mpmd::ir::opcode::stablehlo_constant)) data.push_back(p.attr(o, "value"));
    return true;
  });
  REQUIRE(data.size() == 2);
  CHECK(data[0] == data[1]);  // one attribute of the context
}

// --- validate-named-ops-in-mpmd-func -----------------------------------------------------------------------------

TEST_CASE(
    "named ops that stand elsewhere than in mpmd functions and ops are reported, and fail the pass on "
    "demand") {
  constexpr std::string_view text = R"(func.func @spmd(%x: $T) -> $T {
  %0 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    %1 = mpmd.named_tensor %a name="t" : $T
    mpmd.return %1 : $T
  } : ($T) -> $T
  %2 = mpmd.named_tensor %0 name="u" : $T
  return %2 : $T
}
func.func @mpmd(%x: $T, %i: tensor<i32>) -> $T attributes $M {
  %0 = "stablehlo.case"(%i) ({
    %1 = mpmd.named_computation<"g"> (%x) (%a: $T) {
      mpmd.return %a : $T
    } : ($T) -> $T
    stablehlo.return %1 : $T
  }) : (tensor<i32>) -> $T
  %2 = mpmd.named_tensor %0 name="v" : $T
  return %2 : $T
})";
  said const expected{
      "2: Named computations can only be nested in mpmd functions or mpmd ops. 'f' stands in function "
      "'spmd', which has "
      "no topology",
      "6: Named tensors can only be nested in mpmd functions or mpmd ops. 'u' stands in function 'spmd', "
      "which has no "
      "topology",
      "11: Named computations can only be nested in mpmd functions or mpmd ops. 'g' stands in "
      "\"stablehlo.case\" : "
      "(tensor<i32>) -> (tensor<2xf32>)"};
  auto p = testing::read(text);
  CHECK(run(mpmd::validate_named_ops_in_mpmd_func{}, p, true) == expected);
  CHECK(run(mpmd::validate_named_ops_in_mpmd_func{.fail = true}, p) == expected);
}

// --- map-named-ops-to-mpmd-ops -----------------------------------------------------------------------------------

TEST_CASE("a named computation becomes a fragment between assigns and unassigns that bear its name") {
  mpmd::map_named_ops_to_mpmd_ops const map{{{"f", {"a", 2}}}};
  check(map, R"(func.func @f(%x: $T, %y: $T) -> ($T, $T) attributes $M {
  %0:2 = mpmd.named_computation<"f"(1)> (%x, %y, %x) {note = "kept"} (%a: $T, %b: $T, %c: $T) {
    %1 = stablehlo.add %a, %b : $T
    mpmd.return %1, %c : $T, $T
  } : ($T, $T, $T) -> ($T, $T)
  return %0#0, %0#1 : $T, $T
})",
        R"(%0 = mpmd.assign {origin = "f"} %arg0 : ($T) -> $A
%1 = mpmd.assign {origin = "f"} %arg1 : ($T) -> $A
%2:2 = mpmd.fragment<mesh="a", origin=["f"(1)], stage=2> (%0, %1, %0) {note = "kept"} (%arg2: $T, %arg3: $T, %arg4: $T) {
%5 = stablehlo.add %arg2, %arg3 : $T
mpmd.return %5, %arg4 : $T, $T
} : ($A, $A, $A) -> ($A, $A)
%3 = mpmd.unassign {origin = "f"} %2#0 : ($A) -> $T
%4 = mpmd.unassign {origin = "f"} %2#1 : ($A) -> $T
return %3, %4 : $T, $T)");
}

TEST_CASE("a named tensor is assigned, in its memory, and unassigned; one without a mesh is its operand") {
  mpmd::map_named_ops_to_mpmd_ops const map{{{"t", {"a#pinned_host", 7}}}};
  check(
      map, R"(func.func @f(%x: $T) -> $T attributes $M {
  %0 = mpmd.named_tensor %x name="u" : $T
  %1 = mpmd.named_tensor %0 name="t" : $T
  %2 = mpmd.named_tensor %1 name="u" : $T
  return %2 : $T
})",
      R"(%0 = mpmd.assign {origin = "t"} %arg0 : ($T) -> !mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">
%1 = mpmd.unassign {origin = "t"} %0 : (!mpmd.mesh_tensor<"a", $T, memory_kind="pinned_host">) -> $T
return %1 : $T)");
}

TEST_CASE("tokens are handed to a fragment as they are") {
  check(mpmd::map_named_ops_to_mpmd_ops{{{"f", {"a"}}}},
        R"(func.func @f(%x: $T, %t: !stablehlo.token) -> ($T, !stablehlo.token) attributes $M {
  %0:2 = mpmd.named_computation<"f"> (%x, %t) (%a: $T, %b: !stablehlo.token) {
    mpmd.return %a, %b : $T, !stablehlo.token
  } : ($T, !stablehlo.token) -> ($T, !stablehlo.token)
  return %0#0, %0#1 : $T, !stablehlo.token
})",
        R"(%0 = mpmd.assign {origin = "f"} %arg0 : ($T) -> $A
%1:2 = mpmd.fragment<mesh="a", origin=["f"]> (%0, %arg1) (%arg2: $T, %arg3: !stablehlo.token) {
mpmd.return %arg2, %arg3 : $T, !stablehlo.token
} : ($A, !stablehlo.token) -> ($A, !stablehlo.token)
%2 = mpmd.unassign {origin = "f"} %1#0 : ($A) -> $T
return %2, %1#1 : $T, !stablehlo.token)");
}

TEST_CASE("named ops in loops are placed in the loop") {
  check(
      mpmd::map_named_ops_to_mpmd_ops{{{"f", {"a"}}}}, R"(func.func @f(%x: $T) -> $T attributes $M {
  %0 = mpmd.for (%x) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%acc: $T, %i: tensor<ui32>) {
    %1 = mpmd.named_computation<"f"> (%acc) (%a: $T) {
      mpmd.return %a : $T
    } : ($T) -> $T
    mpmd.return %1 : $T
  } : $T
  return %0 : $T
})",
      R"(%0 = mpmd.for (%arg0) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%arg1: $T, %index: tensor<ui32>) {
%1 = mpmd.assign {origin = "f"} %arg1 : ($T) -> $A
%2 = mpmd.fragment<mesh="a", origin=["f"]> (%1) (%arg2: $T) {
mpmd.return %arg2 : $T
} : ($A) -> $A
%3 = mpmd.unassign {origin = "f"} %2 : ($A) -> $T
mpmd.return %3 : $T
} : $T
return %0 : $T)");
}

TEST_CASE("a # belongs to the name of a mesh that is called so; hints write names as options take them") {
  mpmd::map_named_ops_to_mpmd_ops const map{{{"f", {"a#x"}}}, false};
  std::string const text = "func.func @f(%x: $T) -> $T attributes {topology = #mpmd.topology<<\"a#x\" : <[\"x\"=2]>>>} {\n"
                           "  %0 = mpmd.named_computation<\"NAME\"> (%x) (%p: $T) {\n    mpmd.return %p : $T\n  } : ($T) -> $T\n"
                           "  return %0 : $T\n}";
  auto const with = [&](std::string const& name) {
    std::string named = text;
    return named.replace(named.find("NAME"), 4, name);
  };
  CHECK(complaints(map, with("f")) == said{});
  auto const asked = complaints(map, with("a@b"));
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].ends_with("Add 'a@b'@<mesh> to it"));
  // `a\\b"` in the text of a program is a\b".
  auto const escaped = complaints(map, with(R"(a\\b\")"));
  REQUIRE(escaped.size() == 1);
  CHECK(escaped[0].ends_with(R"(Add 'a\\b"'@<mesh> to it)"));
}

TEST_CASE("what cannot be placed is reported, and the rest is placed all the same") {
  constexpr std::string_view text = R"(func.func @f(%x: $T) -> $T attributes $M {
  %0 = mpmd.named_computation<"f"> (%x) (%a: $T) {
    mpmd.return %a : $T
  } : ($T) -> $T
  %1 = mpmd.named_computation<"g"> (%0) (%a: $T) {
    %5 = mpmd.named_computation<"h"> (%a) (%b: $T) {
      mpmd.return %b : $T
    } : ($T) -> $T
    %6 = mpmd.named_tensor %5 name="t" : $T
    %7 = mpmd.named_tensor %6 name="u" : $T
    mpmd.return %7 : $T
  } : ($T) -> $T
  %2 = mpmd.named_tensor %1 name="v" : $T
  return %2 : $T
}
func.func @spmd(%x: $T) -> $T attributes {mesh_shape = #sdy.mesh<["x"=2]>} {
  %0 = mpmd.named_computation<"g"> (%x) (%a: $T) {
    mpmd.return %a : $T
  } : ($T) -> $T
  return %0 : $T
})";
  mpmd::map_named_ops_to_mpmd_ops const map{{{"g", {"a#device"}}, {"t", {"a"}}, {"v", {"m9"}}, {"w", {"b"}}},
                                            true};
  CHECK(
      complaints(map, text) ==
      said{
          "2: Top-level NamedComputation 'f' is not assigned to a mesh in the user-defined named-to-mesh "
          "assignment. "
          "Add 'f@<mesh>' to it",
          "warning 5: the memory kind 'device' of NamedComputation 'g' is ignored: only tensors are placed "
          "in a memory",
          "6: NamedComputation 'h' is nested in another computation and cannot be placed by itself: flatten "
          "named "
          "computations first (-mpmd-inline-nested-user-exposed-ops)",
          "9: NamedTensor 't' is nested in another computation and cannot be placed by itself: flatten named "
          "computations first (-mpmd-inline-nested-user-exposed-ops)",
          "13: Topology doesn't have a mesh with name: m9. It has 'a', 'b', 'c'",
          "17: Function does not have a topology attribute: spmd. Without one, nothing can be placed on mesh "
          "'a'",
          "warning 0: no named computation or tensor is called 'w', which is assigned to mesh 'b'"});
}

TEST_CASE("mapping again without names changes nothing") {
  check_unchanged(mpmd::map_named_ops_to_mpmd_ops{}, R"(func.func @f(%x: $A) -> $A attributes $M {
  %0 = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%p: $T) {
    mpmd.return %p : $T
  } : ($A) -> $A
  return %0 : $A
})");
}

}  // namespace import_named_ops_test
