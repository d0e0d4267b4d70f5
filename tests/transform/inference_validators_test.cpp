// -mpmd-infer-mesh-validate-src-set-not-empty and -mpmd-infer-mesh-validate-no-additional-transfers-needed: what is an
// error, where it is reported, what it says, and how many there are.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/pipeline/infer_mesh.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/transform/populate_src_set.hpp>
#include <mpmd/transform/populate_use_set.hpp>
#include <mpmd/transform/validate_no_additional_transfers_needed.hpp>
#include <mpmd/transform/validate_src_set_not_empty.hpp>

#include "transform/inference_program.hpp"

namespace inference_validators_test {
namespace {

using testing::has;
using testing::run_on;
using not_empty = mpmd::validate_src_set_not_empty;
using no_transfers = mpmd::validate_no_additional_transfers_needed;

// u is on a, q on b.
constexpr std::string_view two_sources = R"(
  func.func @main(%x: $A, %y: $B) -> $T attributes $M {
    %u = mpmd.unassign {origin = "enc", SRC("a"["enc"])} %x : ($A) -> $T
    %q = mpmd.unassign {origin = "dec", SRC("b"["dec"])} %y : ($B) -> $T
    BODY
    return %r : $T
  })";
std::string with_body(std::string_view body) {
  std::string text(two_sources);
  return text.replace(text.find("BODY"), 4, body);
}

}  // namespace

TEST_CASE("an op whose operands share no mesh is an error, what follows from it is none") {
  auto const result = run_on(with_body(R"(
    %e = stablehlo.divide %u, %q {SRC()} : $T
    %h = stablehlo.negate %e {SRC()} : $T
    %r = stablehlo.add %h, %u {SRC()} : $T)"),
                             not_empty{});
  CHECK(!result.good);
  REQUIRE_EQ(result.said.size(), 1);
  auto const& d = result.said[0];
  CHECK_EQ(d.id, "placement.conflict");
  CHECK(has(d.where.line_text, "%e = stablehlo.divide"));
  CHECK(d.message.starts_with("Mesh assignment is not possible for op as its operands are on conflicting meshes"));
  CHECK(has(d.message, "mpmd_infer_transfers"));
  CHECK(!has(d.message, "mpmd_infer_cross_mesh_reductions"));
  CHECK(has(d.message, "operand 0 can be on {a}:\n - Input test.mlir:3:10: a[enc]"));
  CHECK(has(d.message, "operand 1 can be on {b}:\n - Input test.mlir:4:10: b[dec]"));
  REQUIRE_EQ(d.notes.size(), 2);  // what can be done is said in the error, and once
  CHECK_EQ(d.notes[0].message, R"(operand 0 can be on mesh "a": it comes off that mesh here ("enc"))");
  CHECK(has(d.notes[0].where.line_text, "%u ="));
  CHECK_EQ(d.notes[1].message, R"(operand 1 can be on mesh "b": it comes off that mesh here ("dec"))");
  CHECK(has(d.notes[1].where.line_text, "%q ="));
}

TEST_CASE("a reduction that was not converted is an error, the first of a chain only") {
  auto const result = run_on(with_body(R"(
    %e = stablehlo.add %u, %q {mpmd.reduce = #mpmd.reduction<add>, SRC("a"["enc"], "b"["dec"])} : $T
    %f = stablehlo.add %e, %u {mpmd.reduce = #mpmd.reduction<add>, SRC("a"["enc"], "b"["dec"])} : $T
    %r = stablehlo.negate %f {SRC("a"["enc"], "b"["dec"])} : $T)"),
                             not_empty{});
  CHECK(!result.good);
  REQUIRE_EQ(result.said.size(), 1);
  CHECK_EQ(result.said[0].id, "placement.reduction");
  CHECK(has(result.said[0].where.line_text, "%e ="));
  CHECK(result.said[0].message.starts_with(
      "Mesh assignment is not possible for op as its operands are on conflicting meshes"));
  CHECK(has(result.said[0].message, "mpmd_infer_cross_mesh_reductions"));
  CHECK(!has(result.said[0].message, "mpmd_infer_transfers"));
}

TEST_CASE("an op noted to be a reduction that can be nowhere is a conflict like any other") {
  auto const result = run_on(with_body(R"(
    %r = stablehlo.add %u, %q {mpmd.reduce = #mpmd.reduction<add>, SRC()} : $T)"),
                             not_empty{});
  REQUIRE_EQ(result.said.size(), 1);
  CHECK_EQ(result.said[0].id, "placement.conflict");
}

TEST_CASE("sets that are unspecified or have a mesh are no conflict, and a function without meshes is not looked at") {
  CHECK(run_on(with_body(R"(
    %k = stablehlo.constant dense<1.0> : $T
    %r = stablehlo.add %u, %k {SRC("a")} : $T)"),
               not_empty{})
            .good);
  CHECK(run_on(R"(
    func.func @plain(%x: $T) -> $T {
      %r = stablehlo.add %x, %x {SRC()} : $T
      return %r : $T
    })",
               not_empty{})
            .good);
}

TEST_CASE("where calls disagree on an argument the callee is reported, under the name that users know") {
  auto const result = run_on(R"(
    func.func @main(%x: $A, %y: $B) -> ($T, $T) attributes $M {
      %u = mpmd.unassign {origin = "enc", SRC("a"["enc"])} %x : ($A) -> $T
      %q = mpmd.unassign {origin = "dec", SRC("b"["dec"])} %y : ($B) -> $T
      %e = stablehlo.divide %u, %q {SRC()} : $T
      %c = mpmd.call @shardy_mpmdf(%u, %e) : ($T, $T) -> $T
      %d = mpmd.call @shardy_mpmdf(%q, %u) : ($T, $T) -> $T
      return %c, %d : $T, $T
    }
    func.func private @shardy_mpmdf(%p: $T {SRC()}, %s: $T {SRC()}) -> $T attributes $M {
      return %p : $T
    })",
                             not_empty{});
  CHECK(!result.good);
  // %e, and %p; not %s, as %e is what empties it.
  REQUIRE_EQ(result.said.size(), 2);
  CHECK(has(result.said[0].where.line_text, "%e ="));
  auto const& d = result.said[1];
  CHECK_EQ(d.id, "placement.argument-conflict");
  CHECK(has(d.where.line_text, "func.func private @shardy_mpmdf"));
  CHECK(d.message.starts_with("Mesh assignment is not possible for arg0 of mpmd.call \"f\" as its caller operands are on "
                              "conflicting meshes"));
  CHECK(has(d.message, "2 calls; "));
  // The last call comes first.
  CHECK(has(d.message, ": b[dec]\n - Input test.mlir:3:12: a[enc]"));
  REQUIRE_EQ(d.notes.size(), 2);
  CHECK(has(d.notes[0].message, R"(can be on mesh "a": it comes off that mesh here ("enc"))"));
  CHECK(has(d.notes[1].message, R"(can be on mesh "b": it comes off that mesh here ("dec"))"));
}

TEST_CASE("what a region captures counts, and is named as that") {
  auto p = testing::read(R"(
    func.func @main(%i: tensor<i32>, %x: $A, %y: $B) -> $T attributes $M {
      %u = mpmd.unassign %x : ($A) -> $T
      %q = mpmd.unassign %y : ($B) -> $T
      %r = "stablehlo.case"(%i) ({
        "stablehlo.return"(%u) : ($T) -> ()
      }, {
        "stablehlo.return"(%q) : ($T) -> ()
      }) : (tensor<i32>) -> $T
      return %r : $T
    })");
  std::vector<mpmd::diagnostic> said;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { said.push_back(d); });
  REQUIRE(mpmd::populate_use_set{}(p, diags));
  REQUIRE(mpmd::populate_src_set{}(p, diags));
  CHECK(!not_empty{}(p, diags));
  REQUIRE_EQ(said.size(), 1);
  CHECK(has(said[0].where.line_text, "stablehlo.case"));
  CHECK(has(said[0].message, "captured value 0 can be on {a}:"));
  CHECK(has(said[0].message, "captured value 1 can be on {b}:"));
}

TEST_CASE("an argument and a transfer are named as what puts a value on a mesh") {
  auto p = testing::read(R"(
    func.func @main(%w: $T, %x: $A) -> ($T, $C, $B) attributes $M {
      %c = mpmd.assign {origin = "dec"} %w : ($T) -> $C
      %t = mpmd.transfer %x : ($A) -> $B
      %u = mpmd.unassign {origin = "enc"} %x : ($A) -> $T
      %e = stablehlo.divide %u, %w : $T
      return %e, %c, %t : $T, $C, $B
    })");
  std::vector<mpmd::diagnostic> said;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { said.push_back(d); });
  REQUIRE(mpmd::populate_use_set{}(p, diags));
  REQUIRE(mpmd::populate_src_set{}(p, diags));
  CHECK(!not_empty{}(p, diags));
  REQUIRE_EQ(said.size(), 1);
  auto const& notes = said[0].notes;
  REQUIRE_EQ(notes.size(), 4);
  CHECK_EQ(notes[0].message, R"(operand 0 can be on mesh "a": it comes off that mesh here ("enc"))");
  CHECK_EQ(notes[1].message, R"(operand 0 can be on mesh "b": this transfer takes the same tensor there)");
  CHECK(has(notes[1].where.line_text, "%t ="));
  CHECK_EQ(notes[2].message, R"(operand 1 can be on mesh "c": it comes from argument 0 of @main)");
  CHECK_EQ(notes[3].message, R"(it is needed on mesh "c" because of this assign ("dec"))");
  CHECK(has(notes[3].where.line_text, "%c ="));
}

TEST_CASE("places that a program names are called by their names, through call sites, named computations by theirs") {
  auto const result = run_on(R"(
    #named = loc(callsite("_named_computation.<locals>.wrapped_fn"("t.py":1:2) at "step"("t.py":7:3)))
    func.func @main(%x: $A, %y: $B) -> $T attributes $M {
      %u = mpmd.unassign {origin = "user_in", SRC("a"["user_in"])} %x : ($A) -> $T loc("x")
      %q = mpmd.unassign {origin = "dec", SRC("b"["dec"])} %y : ($B) -> $T loc(#named)
      %r = stablehlo.divide %u, %q {SRC()} : $T
      return %r : $T
    })",
                             not_empty{});
  REQUIRE_EQ(result.said.size(), 1);
  CHECK(has(result.said[0].message, "\n - Input \"x\": a[user_in]\n"));
  CHECK(has(result.said[0].message, "\n - named_computation \"dec\": b[dec] at "
                                    "\"_named_computation.<locals>.wrapped_fn\" t.py:1:2 called from \"step\" t.py:7:3\n"));
  CHECK_EQ(result.said[0].notes[1].message,
           "operand 1 can be on mesh \"b\": it comes off that mesh here (\"dec\"), at "
           "\"_named_computation.<locals>.wrapped_fn\" t.py:1:2 called from \"step\" t.py:7:3");
  // The op that fails has no place but that in the text, which is shown anyway.
  CHECK(!has(result.said[0].message, "stack trace"));
}

TEST_CASE("the place that the program states for what fails is shown, frame by frame") {
  auto const stack = [](std::string_view location) {
    auto const result = run_on(R"(
    func.func @main(%x: $A, %y: $B) -> $T attributes $M {
      %u = mpmd.unassign {SRC("a")} %x : ($A) -> $T
      %q = mpmd.unassign {SRC("b")} %y : ($B) -> $T
      %r = stablehlo.divide %u, %q {SRC()} : $T loc()" + std::string(location) + R"()
      return %r : $T
    })",
                               not_empty{});
    REQUIRE_EQ(result.said.size(), 1);
    std::string const& text = result.said[0].message;
    auto const at = text.find("\nstack trace:");
    return at == std::string::npos ? std::string{} : text.substr(at);
  };
  CHECK_EQ(stack(R"("a.py":1:2)"), "\nstack trace:\n - a.py:1:2");
  CHECK_EQ(stack(R"("f")"), "\nstack trace:\n - \"f\"");
  CHECK_EQ(stack(R"("f"(callsite("g"("a.py":1:2) at callsite("b.py":3:4 at "h"("c.py":5:6)))))"),
           "\nstack trace:\n - \"f/g\" a.py:1:2\n - called from b.py:3:4\n - called from \"h\" c.py:5:6");
  CHECK_EQ(stack("unknown"), "");
}

TEST_CASE("a value of an inferred reduction is traced to the parts, and told how to go elsewhere") {
  auto const result = run_on(with_body(R"(
    %v = mpmd.assign {origin = "reduce"} %u : ($T) -> $A
    %w = mpmd.unassign {SRC("a")} %v : ($A) -> $T
    %s = mpmd.reduce<add> {SRC("a"["enc"], "b"["dec"])} %w, %q : ($T, $T) -> $T
    %r = stablehlo.sqrt %s {SRC("a"["enc"], "b"["dec"]), USE("c"["out"])} : $T
    %z = mpmd.assign {origin = "out", SRC("a"["enc"], "b"["dec"]), USE("c"["out"])} %r : ($T) -> $C)"),
                             no_transfers{});
  REQUIRE_EQ(result.said.size(), 1);
  auto const& d = result.said[0];
  CHECK(has(d.message, "used in {c} but it can only be placed on {a,b}. A cross-mesh reduction can only be delivered on "
                       "meshes of its parts: wrap the value in mpmd.reduce<none>"));
  // %w only hands %u to the reduction.
  CHECK(has(d.message, "it can be on {a,b}:\n - Reduction test.mlir:8:10: a[enc], b[dec], the meshes of its parts\n"
                       " - Input test.mlir:4:10: b[dec]\n - Input test.mlir:3:10: a[enc]\nit is used"));
  REQUIRE_EQ(d.notes.size(), 5);
  CHECK_EQ(d.notes[0].message, R"(it is needed on mesh "c" because of this assign ("out"))");
  CHECK_EQ(d.notes[1].message, R"(it cannot be on mesh "c": this reduction combines values of {a,b}, and can be )"
                               "delivered on those meshes only");
  CHECK(has(d.notes[1].where.line_text, "%s ="));
  CHECK_EQ(d.notes[2].message, R"(its part on mesh "a": it comes off that mesh here ("enc"))");
  CHECK(has(d.notes[2].where.line_text, "%u ="));
  CHECK_EQ(d.notes[3].message, R"(its part on mesh "b": it comes off that mesh here ("dec"))");
  CHECK(has(d.notes[3].where.line_text, "%q ="));
  CHECK_EQ(d.notes[4].message, "it is made of that by this op, which has to be there too");
  CHECK(has(d.notes[4].where.line_text, "%r ="));
  CHECK(has(d.message, "mpmd.reduce<none>"));
}

TEST_CASE("an inferred reduction can be an operand in conflict, a part of another, or wanted on two meshes") {
  auto const operand = run_on(R"(
    func.func @main(%x: $A, %y: $B, %z: $C) -> $T attributes $M {
      %u = mpmd.unassign {origin = "enc", SRC("a"["enc"])} %x : ($A) -> $T
      %q = mpmd.unassign {origin = "dec", SRC("b"["dec"])} %y : ($B) -> $T
      %w = mpmd.unassign {origin = "out", SRC("c"["out"])} %z : ($C) -> $T
      %s = mpmd.reduce<add> {SRC("a"["enc"], "b"["dec"])} %u, %q : ($T, $T) -> $T
      %r = stablehlo.divide %s, %w {SRC()} : $T
      return %r : $T
    })",
                              not_empty{});
  REQUIRE_EQ(operand.said.size(), 1);
  CHECK(has(operand.said[0].message, "mpmd.reduce<none>"));
  // The reduction, on a and on b, is told of twice, its parts are once.
  REQUIRE_EQ(operand.said[0].notes.size(), 5);
  CHECK(operand.said[0].notes[0].message.starts_with(R"(operand 0 can be on mesh "a": this reduction combines)"));
  CHECK(operand.said[0].notes[1].message.starts_with(R"(its part on mesh "a")"));
  CHECK(operand.said[0].notes[2].message.starts_with(R"(its part on mesh "b")"));
  CHECK(operand.said[0].notes[3].message.starts_with(R"(operand 0 can be on mesh "b": this reduction combines)"));
  CHECK_EQ(operand.said[0].notes[4].message, R"(operand 1 can be on mesh "c": it comes off that mesh here ("out"))");

  auto const nested = run_on(with_body(R"(
    %s = mpmd.reduce<add> {SRC("a", "b")} %u, %q : ($T, $T) -> $T
    %r = mpmd.reduce<add> {SRC("a", "b")} %s, %s : ($T, $T) -> $T
    %z = mpmd.assign {SRC("a", "b"), USE("c")} %r : ($T) -> $C)"),
                             no_transfers{});
  REQUIRE_EQ(nested.said.size(), 1);
  REQUIRE_EQ(nested.said[0].notes.size(), 4);
  CHECK(has(nested.said[0].notes[1].where.line_text, "%r ="));
  CHECK(has(nested.said[0].notes[2].where.line_text, "%u ="));
  CHECK(has(nested.said[0].notes[3].where.line_text, "%q ="));
}

TEST_CASE("a reduction that the program states can be anywhere, and explains nothing") {
  auto const result = run_on(with_body(R"(
    %s = mpmd.reduce<add> %u, %q : ($T, $T) -> $T
    %r = stablehlo.divide %s, %u {SRC("a"["enc"]), USE("c"["out"])} : $T
    %z = mpmd.assign {origin = "out", SRC("a"["enc"]), USE("c"["out"])} %r : ($T) -> $C)"),
                             no_transfers{});
  REQUIRE_EQ(result.said.size(), 1);
  CHECK(has(result.said[0].message, "mpmd_infer_transfers"));
  CHECK(!has(result.said[0].message, "mpmd.reduce<none>"));
  CHECK(has(result.said[0].message, "it can be on {a}:\n - Input test.mlir:3:10: a[enc]\nit is used"));
}

TEST_CASE("a value that a user's fragment computes is said to be of that fragment") {
  auto const result = run_on(R"(
    func.func @main(%x: $A, %y: $B) -> $T attributes $M {
      %f = mpmd.fragment<mesh="a", origin=["f", "g"(1)]> (%x) (%v: $T) {
        mpmd.return %v : $T
      } : ($A) -> $A
      %u = mpmd.unassign {SRC("a")} %f : ($A) -> $T
      %q = mpmd.unassign {SRC("b")} %y : ($B) -> $T
      %r = stablehlo.divide %u, %q {SRC()} : $T
      return %r : $T
    })",
                             not_empty{});
  REQUIRE_EQ(result.said.size(), 1);
  CHECK(has(result.said[0].message, " - Input test.mlir:6:12: a[] from \"f\", \"g\"\n"));
  CHECK(has(result.said[0].message, " - Input test.mlir:7:12: b[]\n"));
  CHECK_EQ(result.said[0].notes[0].message,
           R"(operand 0 can be on mesh "a": it comes off that mesh here from "f", "g")");
}

TEST_CASE("errors stop at the limit, -1 is none, and nothing else is one") {
  auto const text = with_body(R"(
    %1 = stablehlo.divide %u, %q {SRC(), USE("c")} : $T
    %2 = stablehlo.divide %u, %q {SRC("b"), USE("c")} : $T
    %3 = stablehlo.divide %u, %q {SRC(), USE("c")} : $T
    %r = stablehlo.divide %u, %q {SRC(), USE("c")} : $T)");
  for (auto const& [limit, found] : {std::pair<std::int64_t, std::size_t>{1, 1}, {2, 2}, {3, 3}, {5, 3}, {-1, 3}}) {
    CAPTURE(limit);
    CHECK_EQ(run_on(text, not_empty{limit}).said.size(), found);
  }
  for (auto const& [limit, found] : {std::pair<std::int64_t, std::size_t>{1, 1}, {3, 3}, {4, 4}, {5, 4}, {-1, 4}}) {
    CAPTURE(limit);
    CHECK_EQ(run_on(text, no_transfers{limit}).said.size(), found);
  }
  for (std::int64_t const limit : {0, -2}) {
    for (auto const& result : {run_on(text, not_empty{limit}), run_on(text, no_transfers{limit})}) {
      CHECK(!result.good);
      REQUIRE_EQ(result.said.size(), 1);
      CHECK(has(result.said[0].message, "it must be positive, or -1 for no limit"));
    }
  }
}

TEST_CASE("the limit holds for arguments and over functions") {
  auto const result = run_on(R"(
    func.func private @f(%p: $T {SRC("b"), USE("a")}, %s: $T {SRC("b"), USE("a")}) -> $T attributes $M {
      return %p : $T
    }
    func.func private @g(%p: $T {SRC("b"), USE("a")}) -> $T attributes $M {
      return %p : $T
    })",
                             no_transfers{2});
  REQUIRE_EQ(result.said.size(), 2);
  CHECK(has(result.said[0].message, "for arg0 of mpmd.call \"f\""));
  CHECK(has(result.said[1].message, "for arg1 of mpmd.call \"f\""));
}

TEST_CASE("an assign that needs a transfer is an error, and the only one of that cause") {
  auto const result = run_on(R"(
    func.func @main(%x: $A) -> $B attributes $M {
      %u = mpmd.unassign {origin = "enc", SRC("a"["enc"])} %x : ($A) -> $T
      %n = stablehlo.negate %u {SRC("a"["enc"]), USE("b"["dec"])} : $T
      %z = mpmd.assign {origin = "dec", SRC("a"["enc"]), USE("b"["dec"])} %n : ($T) -> $B
      return %z : $B
    })",
                             no_transfers{});
  CHECK(!result.good);
  REQUIRE_EQ(result.said.size(), 1);
  auto const& d = result.said[0];
  CHECK_EQ(d.id, "placement.transfer-needed");
  CHECK(has(d.where.line_text, "%z ="));
  CHECK(d.message.starts_with(
      "Mesh assignment is not possible for op as it is used in {b} but it can only be placed on {a}. "));
  CHECK(has(d.message, "it can be on {a}:\n - Input test.mlir:3:12: a[enc]"));
  CHECK(has(d.message, "it is used on {b} by:\n - Output test.mlir:5:12: b[dec]"));
  REQUIRE_EQ(d.notes.size(), 3);
  CHECK_EQ(d.notes[0].message, R"(it is needed on mesh "b" because of this assign ("dec"))");
  CHECK(has(d.notes[0].where.line_text, "%z ="));
  CHECK_EQ(d.notes[1].message, R"(it cannot be on mesh "b": it comes off mesh "a" here ("enc"))");
  CHECK(has(d.notes[1].where.line_text, "%u ="));
  CHECK_EQ(d.notes[2].message, "it is made of that by this op, which has to be there too");
  CHECK(has(d.notes[2].where.line_text, "%n ="));
  CHECK(has(d.message, "mpmd_infer_transfers"));
}

TEST_CASE("a user's assign is named as one, though what it assigns is broadcast then") {
  auto const result = run_on(R"(
    func.func @main(%x: $A) -> $T attributes $M {
      %u = mpmd.unassign {SRC("a")} %x : ($A) -> $T
      %v = mpmd.assign {origin = "dec", SRC("a"), USE("b")} %u : ($T) -> $B
      %w = mpmd.unassign %v : ($B) -> $T
      %c = mpmd.broadcast %w : $T
      return %c : $T
    })",
                             no_transfers{});
  REQUIRE_EQ(result.said.size(), 1);
  CHECK_EQ(result.said[0].notes.at(0).message, R"(it is needed on mesh "b" because of this assign ("dec"))");
}

TEST_CASE("users are looked at before what they use, and the uses of a value are followed to where it leaves") {
  auto const result = run_on(R"(
    func.func @main(%x: $A) -> ($T {jax.result_info = "loss"}) attributes $M {
      %u = mpmd.unassign {SRC("a")} %x : ($A) -> $T
      %m = stablehlo.negate %u {SRC("a", "b"), USE("c", "a")} : $T
      %n = stablehlo.abs %u {SRC("a"), USE("b")} : $T
      return %m : $T
    })",
                             no_transfers{});
  REQUIRE_EQ(result.said.size(), 2);
  CHECK(has(result.said[0].where.line_text, "%n ="));
  CHECK(has(result.said[0].message, "nothing that is placed"));
  CHECK(has(result.said[1].where.line_text, "%m ="));
  CHECK(has(result.said[1].message, "used in {c,a} but it can only be placed on {a,b}"));
  CHECK(has(result.said[1].message, " - Output \"loss\": returned"));
}

TEST_CASE("what is needed where it can be, in whatever order, or can be anywhere, is no error") {
  CHECK(run_on(R"(
    func.func @main(%x: $T {USE("b", "a"), SRC("a", "b")}) -> $T attributes $M {
      %1 = stablehlo.negate %x {USE("b")} : $T
      %2 = stablehlo.negate %x {SRC("b")} : $T
      %3 = stablehlo.negate %x {USE("b", "a"), SRC("c", "a", "b")} : $T
      %4 = stablehlo.negate %x {SRC()} : $T
      %5 = stablehlo.negate %x {USE("c"), SRC("a", "*"["o"])} : $T
      return %1 : $T
    }
    func.func @plain(%x: $T) -> $T {
      %1 = stablehlo.negate %x {USE("b"), SRC("a")} : $T
      return %1 : $T
    })",
               no_transfers{})
            .good);
}

TEST_CASE("of a callee its ops and arguments are reported, of its callers what has no other cause") {
  auto const result = run_on(R"(
    func.func @main(%x: $A, %y: $B) -> $T attributes $M {
      %u = mpmd.unassign {SRC("a")} %x : ($A) -> $T
      %n = stablehlo.negate %u {SRC("a"), USE("b")} : $T
      %q = mpmd.unassign {SRC("b")} %y : ($B) -> $T
      %m = stablehlo.abs %q {SRC("b"), USE("a")} : $T
      %c = mpmd.call @f(%n, %n) : ($T, $T) -> $T
      return %c : $T
    }
    func.func private @f(%p: $T {SRC("a"), USE("b")}, %s: $T {SRC("a"), USE("b")}) -> $T attributes $M {
      %o = stablehlo.negate %s {SRC("a"), USE("b")} : $T
      return %p : $T
    })",
                             no_transfers{-1});
  // In the callee %o, which is why %s fails, and %p; then %m; %n fails for what it is passed as.
  REQUIRE_EQ(result.said.size(), 3);
  CHECK(has(result.said[0].where.line_text, "%o ="));
  CHECK_EQ(result.said[1].id, "placement.argument-transfer-needed");
  CHECK(has(result.said[1].where.line_text, "func.func private @f"));
  CHECK(result.said[1].message.starts_with("Mesh assignment is not possible for arg0 of mpmd.call \"f\" as it is used in "
                                           "{b} but it can only be placed on {a}. "));
  CHECK(has(result.said[2].where.line_text, "%m ="));
}

TEST_CASE("an argument of an entry function is one of no call") {
  auto const result = run_on(R"(
    func.func @main(%x: $T {SRC("a"), USE("b")}) -> $B attributes $M {
      %z = mpmd.assign {origin = "dec", USE("b"["dec"])} %x : ($T) -> $B
      return %z : $B
    })",
                             no_transfers{});
  REQUIRE_EQ(result.said.size(), 1);
  CHECK(has(result.said[0].message, "for arg0 of func \"main\" as it is used in {b} but it can only be placed on {a}"));
  REQUIRE_EQ(result.said[0].notes.size(), 2);
  CHECK_EQ(result.said[0].notes[1].message,
           R"(it cannot be on mesh "b": it comes from argument 0 of @main, which can be on {a})");
}

TEST_CASE("a call that feeds another of the same function needs equal sets, and each pair is reported once") {
  auto const text = [](std::string_view result) {
    return std::string(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %1:2 = mpmd.call @f(%x, %x) : ($T, $T) -> ($T, $T)
      %2:2 = mpmd.call @f(%1#0, %1#1) : ($T, $T) -> ($T, $T)
      %3:2 = mpmd.call @f(%2#0, %2#1) : ($T, $T) -> ($T, $T)
      return %3#0 : $T
    }
    func.func private @f(%p: $T {USE("b"["s"], "a")}, %s: $T {USE("b"["t"])}) -> ($T {USE()")
        .append(result)
        .append(R"()}, $T {USE("b"["u"])}) attributes $M {
      return %p, %s : $T, $T
    })");
  };
  CHECK(run_on(text(R"("a"["r"], "b")"), no_transfers{-1}).good);
  auto const result = run_on(text(R"("a"["r"])"), no_transfers{-1});
  CHECK(!result.good);
  REQUIRE_EQ(result.said.size(), 1);
  CHECK_EQ(result.said[0].id, "placement.call-chain");
  CHECK(has(result.said[0].where.line_text, "func.func private @f"));
  CHECK(result.said[0].message.starts_with(
      "Mesh assignment is not possible for mpmd.call \"f\" as it passes result 0 to arg 0 but they have mismatching mesh "
      "assignments: res: {a[r]}, arg: {b[s], a[]}"));
}

TEST_CASE("what only calls hand round is explained by the call that passes it, and by what has put that on its mesh") {
  // The first call has argument 0 on c. Argument 2 is free then, on b with the second call, and result 2 with it.
  auto p = testing::read(R"(
    func.func @main(%x: $T) attributes $M {
      %k = stablehlo.constant dense<1.0> : $T
      %1:3 = mpmd.call @f(%x, %x, %k) : ($T, $T, $T) -> ($T, $T, $T)
      %2:3 = mpmd.call @f(%1#2, %x, %1#1) : ($T, $T, $T) -> ($T, $T, $T)
      %3:3 = mpmd.call @f(%2#0, %x, %2#1) : ($T, $T, $T) -> ($T, $T, $T)
      return
    }
    func.func private @f(%p: $T, %q: $T, %r: $T) -> ($T, $T, $T) attributes $M {
      %c = mpmd.assign {origin = "out"} %q : ($T) -> $C
      %b = mpmd.assign {origin = "dec"} %r : ($T) -> $B
      %u = mpmd.unassign %b : ($B) -> $T
      %n = stablehlo.negate %r : $T
      %s = stablehlo.sqrt %p : $T
      return %s, %u, %n : $T, $T, $T
    })");
  std::vector<mpmd::diagnostic> said;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { said.push_back(d); });
  CHECK(!mpmd::run(mpmd::infer_mesh_pipeline<mpmd::ir::program>(), p, diags));
  REQUIRE_EQ(said.size(), 1);
  auto const& d = said[0];
  CHECK(has(d.where.line_text, "%n ="));
  CHECK(d.message.starts_with(
      "Mesh assignment is not possible for op as it is used in {c} but it can only be placed on {b}. "));
  CHECK(has(d.message, ": b[dec]\nit is used on {c} by:\n - Argument 0 of @f: c[inferred_unused_callee_in]"));
  REQUIRE_EQ(d.notes.size(), 5);
  CHECK_EQ(d.notes[0].message,
           R"(it is needed on mesh "c" because this call passes it on as arg0 of @f, for which no assign says a mesh)");
  CHECK(has(d.notes[0].where.line_text, "%2:3 ="));
  CHECK_EQ(d.notes[1].message, R"(arg0 can be on mesh "c": it comes from argument 0 of @main)");
  CHECK_EQ(d.notes[2].message, R"(it is needed on mesh "c" because of this assign ("out"))");
  CHECK(has(d.notes[2].where.line_text, "%c ="));
  CHECK_EQ(d.notes[3].message, R"(it cannot be on mesh "c": it comes off mesh "b" here)");
  CHECK(has(d.notes[3].where.line_text, "%u ="));
  CHECK_EQ(d.notes[4].message, R"(it was put on mesh "b" by this assign ("dec"))");
  CHECK(has(d.notes[4].where.line_text, "%b ="));
}

TEST_CASE("calls of different functions may disagree") {
  CHECK(run_on(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %1 = mpmd.call @f(%x) : ($T) -> $T
      %2 = mpmd.call @g(%1) : ($T) -> $T
      return %2 : $T
    }
    func.func private @f(%p: $T {USE("b")}) -> ($T {USE("a")}) attributes $M {
      return %p : $T
    }
    func.func private @g(%p: $T {USE("b")}) -> ($T {USE("a")}) attributes $M {
      return %p : $T
    })",
               no_transfers{})
            .good);
}

TEST_CASE("where calls disagree on an argument that another call feeds with the callee's result, the callee is reported") {
  auto const result = run_on(R"(
    func.func @main(%x: $A, %y: $B) -> $T attributes $M {
      %u = mpmd.unassign {origin = "enc", SRC("a"["enc"])} %x : ($A) -> $T
      %q = mpmd.unassign {origin = "dec", SRC("b"["dec"])} %y : ($B) -> $T
      %c = mpmd.call @f(%u) : ($T) -> $T
      %d = mpmd.call @f(%q) : ($T) -> $T
      %e = mpmd.call @f(%d) : ($T) -> $T
      return %e : $T
    }
    func.func private @f(%p: $T {SRC()}) -> $T attributes $M {
      %n = stablehlo.divide %p, %p {SRC()} : $T
      return %n : $T
    })",
                             not_empty{});
  CHECK(!result.good);
  REQUIRE_EQ(result.said.size(), 1);
  auto const& d = result.said[0];
  CHECK_EQ(d.id, "placement.argument-conflict");
  CHECK(has(d.where.line_text, "func.func private @f"));
  REQUIRE(d.notes.size() >= 2);
  CHECK(has(d.notes[0].message, R"(("enc"))"));
  CHECK(has(d.notes[1].message, R"(("dec"))"));
}

TEST_CASE("a conflict behind a value that calls hand round in a circle, or behind loops, is reported") {
  // No verifier was asked whether calls may nest like this.
  auto const result = run_on(R"(
    func.func @main(%x: $T) -> $T attributes $M {
      %1 = mpmd.call @f(%x) : ($T) -> $T
      %r = stablehlo.divide %1, %1 {SRC()} : $T
      return %r : $T
    }
    func.func private @f(%p: $T) -> $T attributes $M {
      %1 = mpmd.call @f(%p) : ($T) -> $T
      return %1 : $T
    })",
                             not_empty{}, false);
  CHECK_EQ(result.said.size(), 1);

  auto const loop = run_on(with_body(R"(
    %l = mpmd.for (%u) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%p: $T, %i: tensor<ui32>) {
      %n = stablehlo.negate %p {SRC("a"["enc"])} : $T
      mpmd.return %n : $T
    } : $T
    %r = stablehlo.divide %l, %q {SRC()} : $T)"),
                           not_empty{});
  REQUIRE_EQ(loop.said.size(), 1);
  CHECK(has(loop.said[0].message, "operand 0 can be on {a}:\n - Input test.mlir:3:10: a[enc]\noperand 1"));
}

TEST_CASE("without a limit every conflict is reported, and what is said of each is bounded") {
  // Behind each error stands all the program before it.
  std::string text = "func.func @main(%x: $A) -> $T attributes $M {\n"
                     "  %u = mpmd.unassign {SRC(\"a\")} %x : ($A) -> $T\n  %0 = stablehlo.negate %u {SRC(\"a\")} : $T\n";
  constexpr int n = 1000;
  for (int i = 1; i <= n; ++i)
    text += "  %" + std::to_string(i) + " = stablehlo.add %" + std::to_string(i - 1) + ", %u {SRC(\"a\")} : $T\n  %c" +
            std::to_string(i) + " = stablehlo.abs %" + std::to_string(i) + " {SRC(\"a\"), USE(\"b\")} : $T\n";
  text += "  return %" + std::to_string(n) + " : $T\n}";
  auto const result = run_on(text, no_transfers{-1});
  CHECK_EQ(result.said.size(), n);
  for (std::size_t i = 0; i < result.said.size(); ++i) {
    CHECK_LT(result.said[i].message.size(), 1000);
    CHECK(has(result.said[i].message, "mpmd_infer_transfers"));
    CHECK_EQ(result.said[i].notes.empty(), i >= 64);  // only the first are explained
  }
}

TEST_CASE("what fails is left as it was") {
  std::string const text = with_body(R"(
    %e = stablehlo.divide %u, %q {SRC()} : $T
    %r = stablehlo.negate %u {SRC("a"["enc"]), USE("b"["dec"])} : $T)");
  auto untouched = [&](auto const& pass) {
    auto const result = run_on(text, pass);
    CHECK(!result.good);
    auto const nothing = [](mpmd::ir::program&, mpmd::diagnostics&) { return true; };
    CHECK(mpmd::text::to_mlir(result.program) == mpmd::text::to_mlir(run_on(text, nothing).program));
  };
  untouched(not_empty{});
  untouched(no_transfers{});
}

TEST_CASE("both passes run on any program that offers what passes ask for") {
  mpmd::archetypes::mutable_program p;
  mpmd::diagnostics diags;
  CHECK(not_empty{}(p, diags));
  CHECK(no_transfers{}(p, diags));
}

}  // namespace inference_validators_test
