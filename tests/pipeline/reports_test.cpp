// What people reported to public trackers about placing programs on several meshes, as small programs, with the outcome
// that is right.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/infer_mesh.hpp>
#include <mpmd/pipeline/import_pipeline.hpp>
#include <mpmd/sim/compare.hpp>

#include "transform/outline.hpp"

namespace reports_test {
namespace {

using program = mpmd::ir::program;
using strings = std::vector<std::string>;

struct outcome {
  std::string error, notes;      // the first error with the number of its line, and all notes
  std::size_t errors = 0;
  std::string arguments, results;  // the meshes of the first function's, by first letters
  strings transfers;               // "a>b", in program order
  std::map<std::string, std::string> where;  // the meshes of the fragments that an op stands in, in program order
};

// The program behind inference, verified, and found by simulation to compute what it did before.
outcome infer(std::string const& text, mpmd::infer_mesh_options const& options = {}) {
  outcome found;
  program p = testing::read(text);
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) {
    if (d.level != mpmd::severity::error) return;
    if (found.errors++ == 0) found.error = std::to_string(d.where.line) + ": " + d.message;
    for (auto const& n : d.notes) found.notes += n.message + "\n";
  });
  auto const before = mpmd::sim::observe(p, diags, {.trials = 1}, mpmd::sim::memories::one);
  REQUIRE(before);
  if (!mpmd::run(mpmd::infer_mesh_pipeline<program>(options), p, diags)) return found;
  CHECK(mpmd::ir::verify(p, diags));
  auto const after = mpmd::sim::observe(p, diags, {.trials = 1}, mpmd::sim::memories::one_per_mesh);
  CHECK((after && mpmd::sim::same_behaviour(*before, *after, diags)));
  using traits = mpmd::ir_traits<program>;
  auto const f = testing::function(p, 0);
  for (auto const v : traits::arguments(p, f)) found.arguments += traits::mesh_of(p, v);
  mpmd::ir::walk(p, f, [&](mpmd::ir::op o) {
    auto const kind = std::string(p.kind_text(o));
    auto const around = p.parent_op(o);
    if (kind == "func.return")
      for (auto const v : p.operands(o)) found.results += traits::mesh_of(p, v);
    else if (kind == "mpmd.transfer")
      found.transfers.push_back(std::string(traits::mesh_of(p, p.operand(o, 0))) + ">" +
                                std::string(traits::mesh_of(p, p.result(o, 0))));
    else if (p.is(around, mpmd::ir::opcode::mpmd_fragment))
      found.where[kind.substr(kind.find('.') + 1)] += traits::fragment_of(p, around).mesh;
  });
  return found;
}

std::string entry(std::string_view signature, std::string const& body) {
  return "func.func @main(" + std::string(signature) + " attributes $M {\n" + body + "}\n";
}
std::string stage(std::string_view result, char mesh, std::string const& name, std::string_view operand) {
  return testing::fragment(result, mesh, "[\"" + name + "\"]", operand, "abs(p0) return(0)");
}
std::string assign(std::string const& result, std::string const& v, char to) {
  return result + " = mpmd.assign " + v + " : ($T) -> $" + std::string(1, to) + "\n";
}
std::string unassign(std::string const& result, std::string const& v, char from) {
  return result + " = mpmd.unassign " + v + " : ($" + std::string(1, from) + ") -> $T\n";
}
std::string op(std::string const& result, std::string const& kind, std::string const& operands) {
  return result + " = stablehlo." + kind + " " + operands + " : $T\n";
}

// Every combination of the two switches.
std::vector<mpmd::infer_mesh_options> modes() {
  std::vector<mpmd::infer_mesh_options> all;
  for (bool const transfers : {false, true})
    for (bool const reductions : {false, true})
      all.push_back({.infer_transfers = transfers, .infer_cross_mesh_reductions = reductions});
  return all;
}

}  // namespace

TEST_CASE("an unnamed loss runs where the last stage and the targets are, with its constants") {
  std::string const text =
      entry("%x: $T, %t: $B) -> $T", assign("%0", "%x", 'A') + stage("%1", 'a', "s0", "%0") +
                                         "%2 = mpmd.transfer %1 : ($A) -> $B\n" + stage("%3", 'b', "s1", "%2") +
                                         unassign("%p", "%3", 'B') + unassign("%q", "%t", 'B') +
                                         op("%d", "subtract", "%p, %q") + op("%s", "multiply", "%d, %d") +
                                         "%n = stablehlo.constant dense<32.0> : $T\n" + op("%l", "divide", "%s, %n") +
                                         "return %l : $T\n");
  for (auto const& mode : modes()) {
    auto const r = infer(text, mode);
    CHECK_EQ(r.errors, 0);
    CHECK_EQ(r.arguments, "ab");
    CHECK_EQ(r.results, "b");
    CHECK_EQ(r.transfers, strings{"a>b"});
    for (auto const* kind : {"subtract", "multiply", "constant", "divide"}) CHECK_EQ(r.where.at(kind), "b");
  }
}

TEST_CASE("a weight of the first and the last stage is sent once, and its gradients become a reduction if that is asked for") {
  std::string const text =
      entry("%w: $T) -> $T", assign("%0", "%w", 'A') + assign("%1", "%w", 'B') + stage("%2", 'a', "embed", "%0") +
                                 stage("%3", 'b', "unembed", "%1") + unassign("%g1", "%2", 'A') +
                                 unassign("%g2", "%3", 'B') + op("%g", "add", "%g1, %g2") + "return %g : $T\n");
  auto const refused = infer(text);
  CHECK_EQ(refused.errors, 1);
  CHECK(refused.error.starts_with("14: Mesh assignment is not possible for op as its operands are on conflicting meshes"));
  CHECK(refused.error.find("mpmd_infer_cross_mesh_reductions") != std::string::npos);
  auto const r = infer(text, {.infer_cross_mesh_reductions = true});
  CHECK_EQ(r.errors, 0);
  CHECK_EQ(r.arguments, "a");
  CHECK_EQ(r.results, "a");
  CHECK_EQ(r.transfers, strings{"a>b", "b>a"});
  CHECK_EQ(r.where.at("add"), "a");
}

TEST_CASE("what comes from nothing is computed in each stage that takes it, never sent") {
  std::string body = "%i = stablehlo.iota dim = 0 : $T\n" + op("%r", "sine", "%i");
  for (char const mesh : {'A', 'B', 'C'}) body += assign(std::string("%r") + mesh, "%r", mesh);
  body += assign("%x1", "%x", 'A') + testing::fragment("%1", 'a', "[\"s0\"]", "%x1, %rA", "multiply(p0,p1) return(0)") +
          "%2 = mpmd.transfer %1 : ($A) -> $B\n" +
          testing::fragment("%3", 'b', "[\"s1\"]", "%2, %rB", "multiply(p0,p1) return(0)") +
          "%4 = mpmd.transfer %3 : ($B) -> $C\n" +
          testing::fragment("%5", 'c', "[\"s2\"]", "%4, %rC", "multiply(p0,p1) return(0)") + unassign("%o", "%5", 'C') +
          "return %o : $T\n";
  for (auto const& mode : modes()) {
    auto const r = infer(entry("%x: $T) -> $T", body), mode);
    CHECK_EQ(r.errors, 0);
    CHECK_EQ(r.transfers, strings{"a>b", "b>c"});
    CHECK_EQ(r.where.at("iota"), "abc");
    CHECK_EQ(r.where.at("sine"), "abc");
  }
}

TEST_CASE("glue between stages is one error for one cause, or runs behind the earliest transfer") {
  std::string const text =
      entry("%x: $T) -> $T", assign("%0", "%x", 'A') + stage("%1", 'a', "s0", "%0") + unassign("%u", "%1", 'A') +
                                 "%z = stablehlo.constant dense<0.0> : $T\n" + op("%m", "maximum", "%u, %z") +
                                 assign("%a", "%m", 'B') + stage("%2", 'b', "s1", "%a") + unassign("%o", "%2", 'B') +
                                 "return %o : $T\n");
  auto const refused = infer(text, {.error_limit = -1});
  CHECK_EQ(refused.errors, 1);
  CHECK(refused.error.find("used in {b} but it can only be placed on {a}") != std::string::npos);
  CHECK(refused.notes.find("it is made of that by this op") != std::string::npos);  // the maximum
  auto const r = infer(text, {.infer_transfers = true});
  CHECK_EQ(r.errors, 0);
  CHECK_EQ(r.transfers, strings{"a>b"});
  CHECK_EQ(r.where.at("maximum"), "b");
}

TEST_CASE("operands on different meshes are an error that names both, whatever op takes them; with transfers the first mesh is taken") {
  std::string const text =
      entry("%x: $T, %y: $T) -> $T", assign("%0", "%x", 'A') + assign("%1", "%y", 'B') + stage("%2", 'a', "f", "%0") +
                                         stage("%3", 'b', "g", "%1") + unassign("%u", "%2", 'A') +
                                         unassign("%v", "%3", 'B') + op("%d", "subtract", "%u, %v") + "return %d : $T\n");
  for (bool const reductions : {false, true}) {
    auto const refused = infer(text, {.infer_cross_mesh_reductions = reductions});
    CHECK_EQ(refused.errors, 1);
    CHECK(refused.error.find("mpmd_infer_transfers") != std::string::npos);
    CHECK(refused.notes.find("\"a\": it comes off that mesh here from \"f\"") != std::string::npos);
    CHECK(refused.notes.find("\"b\": it comes off that mesh here from \"g\"") != std::string::npos);
  }
  auto const r = infer(text, {.infer_transfers = true});
  CHECK_EQ(r.results, "a");
  CHECK_EQ(r.transfers, strings{"b>a"});
  CHECK_EQ(r.where.at("subtract"), "a");
}

TEST_CASE("a counter that every mesh needs is counted on every mesh") {
  std::string const text = entry("%s: $T, %p: $A, %q: $B) -> ($T, $A, $B)",
                                 "%one = stablehlo.constant dense<1.0> : $T\n" + op("%1", "add", "%s, %one") +
                                     assign("%a", "%1", 'A') + assign("%b", "%1", 'B') + "return %1, %a, %b : $T, $A, $B\n");
  for (auto const& mode : modes()) {
    auto const r = infer(text, mode);
    CHECK_EQ(r.errors, 0);
    CHECK_EQ(r.arguments, "aab");
    CHECK_EQ(r.results, "aab");
    CHECK_EQ(r.transfers, strings{"a>b"});
    CHECK_EQ(r.where.at("add"), "ab");
  }
}

TEST_CASE("a norm over parts on all meshes is one error or one reduction, and each mesh finishes its own") {
  std::string body;
  for (char const m : {'1', '2', '3'}) {
    char const mesh = static_cast<char>('a' + m - '1'), type = static_cast<char>('A' + m - '1');
    body += stage(std::string("%f") + m, mesh, std::string("f") + m, std::string("%n") + m) +
            unassign(std::string("%u") + m, std::string("%f") + m, type);
  }
  body += op("%s", "add", "%u1, %u2") + op("%t", "add", "%s, %u3") + op("%n", "sqrt", "%t") + assign("%r1", "%n", 'A') +
          assign("%r2", "%n", 'B') + assign("%r3", "%n", 'C') + "return %r1, %r2, %r3 : $A, $B, $C\n";
  std::string const text = entry("%n1: $A, %n2: $B, %n3: $C) -> ($A, $B, $C)", body);
  CHECK_EQ(infer(text, {.error_limit = -1}).errors, 1);
  auto const r = infer(text, {.infer_cross_mesh_reductions = true});
  CHECK_EQ(r.errors, 0);
  CHECK_EQ(r.results, "abc");
  CHECK_EQ(r.transfers.size(), 6);  // each part to the two other meshes
  CHECK_EQ(r.where.at("sqrt"), "abc");
}

TEST_CASE("a value that several meshes take goes along one chain, whatever the order in which they are named") {
  strings assigns = {assign("%a", "%x", 'A'), assign("%b", "%x", 'B'), assign("%c", "%x", 'C')};
  std::sort(assigns.begin(), assigns.end());
  do {
    auto const r = infer(entry("%x: $T) -> ($A, $B, $C)", assigns[0] + assigns[1] + assigns[2] + stage("%1", 'a', "f", "%a") +
                                                              stage("%2", 'b', "g", "%b") + stage("%3", 'c', "h", "%c") +
                                                              "return %1, %2, %3 : $A, $B, $C\n"));
    CHECK_EQ(r.arguments, "a");
    CHECK_EQ(r.transfers, strings{"a>b", "b>c"});
  } while (std::next_permutation(assigns.begin(), assigns.end()));
}

TEST_CASE("an op that two fragments take is copied into both if that many copies are allowed, else it stands once") {
  std::string const text = entry("%x: $T) -> ($A, $A)", op("%0", "add", "%x, %x") + op("%n", "negate", "%0") +
                                                            assign("%a", "%n", 'A') + stage("%1", 'a', "f", "%a") +
                                                            assign("%b", "%n", 'A') + stage("%2", 'a', "g", "%b") +
                                                            "return %1, %2 : $A, $A\n");
  for (int const clones : {1, 2}) {
    auto const r = infer(text, {.max_clones = clones});
    CHECK_EQ(r.where.at("negate"), "aa");
    CHECK_EQ(r.where.at("add"), clones == 1 ? "a" : "aa");
    CHECK_EQ(r.results, "aa");
  }
}

TEST_CASE("what a region captures counts as what its op takes") {
  std::string const text =
      entry("%i: tensor<i32>, %x: $T, %y: $T) -> $T",
            assign("%0", "%x", 'A') + stage("%1", 'a', "f", "%0") + unassign("%u", "%1", 'A') + assign("%2", "%y", 'B') +
                stage("%3", 'b', "g", "%2") + unassign("%v", "%3", 'B') +
                "%r = \"stablehlo.case\"(%i) ({\n%p = stablehlo.add %u, %u : $T\nstablehlo.return %p : $T\n}, {\n"
                "%q = stablehlo.add %v, %v : $T\nstablehlo.return %q : $T\n}) : (tensor<i32>) -> $T\n" +
                assign("%o", "%r", 'A') + stage("%z", 'a', "h", "%o") + unassign("%w", "%z", 'A') + "return %w : $T\n");
  auto const refused = infer(text);
  CHECK_EQ(refused.errors, 1);
  CHECK(refused.notes.find("captured value 1 can be on mesh \"b\"") != std::string::npos);
  auto const r = infer(text, {.infer_transfers = true});
  CHECK_EQ(r.errors, 0);
  CHECK_EQ(r.arguments, "aab");
  CHECK_EQ(r.transfers, strings{"b>a"});
}

TEST_CASE("a function called for two meshes serves both in each call, whichever call comes first") {
  auto const text = [](char first, char second) {
    return "func.func @main(%x: $T, %y: $T) -> ($" + std::string(1, first) + ", $" + std::string(1, second) +
           ") attributes $M {\n%0 = mpmd.call @f(%x) : ($T) -> $T\n" + assign("%a", "%0", first) +
           "%1 = mpmd.call @f(%y) : ($T) -> $T\n" + assign("%b", "%1", second) + "return %a, %b : $" +
           std::string(1, first) + ", $" + std::string(1, second) +
           "\n}\nfunc.func private @f(%p: $T) -> $T attributes $M {\n%s = stablehlo.add %p, %p : $T\nreturn %s : $T\n}\n";
  };
  for (auto const& [first, second] : {std::pair{'A', 'B'}, std::pair{'B', 'A'}}) {
    auto const r = infer(text(first, second));
    CHECK_EQ(r.errors, 0);
    CHECK_EQ(r.arguments, "aa");
    CHECK_EQ(r.transfers, strings{"a>b", "a>b"});
  }
}

TEST_CASE("a function that calls itself is an error") {
  std::string said;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { said += d.message; });
  auto const p = mpmd::text::read_mlir(
      std::make_shared<mpmd::ir::context>(), "recursive",
      testing::expand("func.func @main(%x: $T) -> $T attributes $M {\n%0 = mpmd.call @r(%x) : ($T) -> $T\nreturn %0 : $T\n}\n"
                      "func.func private @r(%x: $T) -> $T attributes $M {\n%0 = mpmd.call @r(%x) : ($T) -> $T\nreturn %0 : "
                      "$T\n}\n"),
      diags);
  REQUIRE(p);
  CHECK_FALSE(mpmd::ir::verify(*p, diags));
  CHECK(said.find("was called from \"r\"") != std::string::npos);
}

TEST_CASE("a program that says nothing of meshes is placed on the first") {
  auto const r = infer(entry(") -> ($T, $T)", "%c = stablehlo.constant dense<1.0> : $T\n" + op("%d", "negate", "%c") +
                                                  "return %c, %d : $T, $T\n"));
  CHECK_EQ(r.errors, 0);
  CHECK_EQ(r.results, "aa");
  CHECK_EQ(r.transfers, strings{});
}

TEST_CASE("a weight of two stages on one mesh is one value there") {
  auto const r = infer(entry("%w: $T, %x: $T) -> $T",
                             assign("%w1", "%w", 'A') + assign("%x1", "%x", 'A') +
                                 testing::fragment("%1", 'a', "[\"s0\"]", "%x1, %w1", "multiply(p0,p1) return(0)") +
                                 "%2 = mpmd.transfer %1 : ($A) -> $B\n" + stage("%3", 'b', "s1", "%2") +
                                 "%4 = mpmd.transfer %3 : ($B) -> $A\n" + assign("%w2", "%w", 'A') +
                                 testing::fragment("%5", 'a', "[\"s3\"]", "%4, %w2", "multiply(p0,p1) return(0)") +
                                 unassign("%o", "%5", 'A') + "return %o : $T\n"));
  CHECK_EQ(r.errors, 0);
  CHECK_EQ(r.arguments, "aa");
  CHECK_EQ(r.transfers, strings{"a>b", "b>a"});
}

TEST_CASE("pretty and generic forms of an op are one op") {
  auto const p = testing::read(entry(
      "%x: tensor<2x3xf32>) -> tensor<2x2xf32>",
      "%w = stablehlo.constant dense<\"0x0000803F0000004000004040000080400000A0400000C040\"> : tensor<3x2xf32>\n"
      "%p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : "
      "(tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>\n"
      "%g = \"stablehlo.dot_general\"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
      "rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> "
      ": (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>\nreturn %g : tensor<2x2xf32>\n"));
  auto const products = testing::find_all(p, "stablehlo.dot_general");
  REQUIRE_EQ(products.size(), 2);
  CHECK(p.properties(products[0]) == p.properties(products[1]));
  CHECK(std::ranges::equal(p.operands(products[0]), p.operands(products[1])));
}

TEST_CASE("meshes that the topology does not have or has twice, and broken topologies, are errors at their place") {
  auto const errors = [](std::string const& text) {
    std::string said;
    mpmd::diagnostics diags([&](mpmd::diagnostic const& d) {
      said += std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + " " + d.message + "\n";
    });
    auto const p = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "t", text, diags);
    if (p) static_cast<void>(mpmd::ir::verify(*p, diags));
    return said;
  };
  CHECK(errors(testing::expand("func.func @main(%x: $T) attributes $M {\n%0 = mpmd.assign %x : ($T) -> "
                               "!mpmd.mesh_tensor<\"m9\", $T>\nreturn\n}"))
            .find("2:6 Topology doesn't have a mesh with name: m9") == 0);
  CHECK(errors("func.func @main() attributes {topology = #mpmd.topology<<\"a\": <[\"x\"=2]>>, <\"a\": <[\"x\"=2]>>>} {\nreturn\n}")
            .find("1:1 ") == 0);
  CHECK(errors("func.func @main() attributes {topology = #mpmd.topology< \"a\": <[\"x\"=4]>>>} {\nreturn\n}")
            .find("1:58 expected '<'") == 0);
}

}  // namespace reports_test
