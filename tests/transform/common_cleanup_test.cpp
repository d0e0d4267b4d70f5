// The passes that simplify, split and check fragments and transfers.
#include <doctest/doctest.h>

#include <string>

#include <mpmd/pipeline/common_passes.hpp>

#include "transform/outline.hpp"

namespace common_cleanup_test {

using testing::check_pass;
using testing::fragment;

namespace {

std::string send(char const* to, char const* what, char from, char mesh) {
  auto placed = [](char m) { return std::string("$") + static_cast<char>(m - 'a' + 'A'); };
  return std::string(to) + " = mpmd.transfer " + what + " : (" + placed(from) + ") -> " + placed(mesh) + "\n";
}

}  // namespace

TEST_CASE("dedup uses repeated operands and results once, and removes nothing") {
  check_pass("%x: $A, %y: $A) -> ($A, $A, $A)",
             fragment("%0:3", 'a', "[\"f\"]", "%x, %y, %x", "add(p0,p2) add(p1,p2) return(0,1,0)", "", 3) +
                 "return %0#0, %0#1, %0#2 : $A, $A, $A\n",
             "0 = f@a(x0,x1,x0): add(p0,p0) add(p1,p0) return(0,1,0)\nreturn(0,0#1,0)", mpmd::fragment_dedup{});
}

TEST_CASE("dedup keeps results apart that differ in type") {
  std::string const other = "!mpmd.mesh_tensor<\"a\", tensor<2xf32>, memory_kind=\"pinned_host\">";
  check_pass("%x: $A) -> ($A, " + other + ")",
             "%0:2 = mpmd.fragment<mesh=\"a\", origin=[\"f\"]> (%x) (%p: $T) {\nmpmd.return %p, %p : $T, $T\n} : ($A) -> "
             "($A, " +
                 other + ")\nreturn %0#0, %0#1 : $A, " + other + "\n",
             "0 = f@a(x0): return(p0,p0)\nreturn(0,0#1)", mpmd::fragment_dedup{});
}

TEST_CASE("dce removes unused results, what only they needed, unused operands, and what is empty then") {
  check_pass("%x: $A, %y: $A) -> $A",
             fragment("%0", 'a', "[\"f\"]", "%y", "negate(p0) return(0)") + send("%t", "%0", 'a', 'b') +
                 send("%u", "%t", 'b', 'a') +
                 fragment("%1:2", 'a', "[\"g\"]", "%x, %u", "add(p0,p0) add(p1,p1) return(1,0)", "mark", 2) +
                 "return %1#1 : $A\n",
             "0 = g@a(x0) {mark}: add(p0,p0) return(0)\nreturn(0)", mpmd::fragment_dce{});
  // What the fragment says of each operand and result goes with it.
  auto const result = testing::run_pass(R"(
    func.func @main(%x: $A, %y: $A) -> $A attributes $M {
      %0:2 = mpmd.fragment<mesh="a", origin=["g"]> (%x, %y) {arg_attrs = [{o.x}, {o.y}], res_attrs = [{r.x}, {r.y}]} (%p: $T, %q: $T) {
        mpmd.return %p, %q : $T, $T
      } : ($A, $A) -> ($A, $A)
      return %0#1 : $A
    })",
                                        mpmd::fragment_dce{});
  std::string const left = mpmd::text::to_mlir(result.program);
  CHECK_MESSAGE(left.find("{arg_attrs = [{o.y}], res_attrs = [{r.y}]}") != std::string::npos, left);
}

TEST_CASE("dce keeps ops with effects and the fragments around them") {
  check_pass("%x: $A) -> $A",
             "%0 = mpmd.fragment<mesh=\"a\", origin=[\"f\"]> (%x) (%p: $T) {\n%1 = stablehlo.add %p, %p : $T\n"
             "%2 = stablehlo.custom_call @log(%p) {has_side_effect = true} : ($T) -> $T\nmpmd.return %1 : $T\n} : ($A) -> "
             "$A\nreturn %x : $A\n",
             "f@a(x0): custom_call(p0) return()\nreturn(x0)", mpmd::fragment_dce{});
}

TEST_CASE("a value that comes back is the one that left, if it never was in host memory") {
  check_pass("%x: $A) -> ($A, $C)",
             send("%0", "%x", 'a', 'b') + send("%1", "%0", 'b', 'c') + send("%2", "%1", 'c', 'a') +
                 "return %2, %1 : $A, $C\n",
             "0 = transfer(x0) b\n1 = transfer(0) c\nreturn(x0,1)", mpmd::remove_transfer_cycles{});
  std::string const host = "!mpmd.mesh_tensor<\"b\", tensor<2xf32>, memory_kind=\"pinned_host\">";
  check_pass("%x: $A) -> $A",
             "%0 = mpmd.transfer %x : ($A) -> " + host + "\n%1 = mpmd.transfer %0 : (" + host + ") -> $A\nreturn %1 : $A\n",
             "0 = transfer(x0) b\n1 = transfer(0) a\nreturn(1)", mpmd::remove_transfer_cycles{});
}

TEST_CASE("transfers move behind what they transfer, those of arguments to the start in reverse") {
  check_pass("%x: $A, %y: $A) -> ($A, $A, $B, $B, $B)",
             fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)") +
                 fragment("%1", 'a', "[\"g\"]", "%x", "negate(p0) return(0)") + send("%2", "%0", 'a', 'b') +
                 send("%3", "%x", 'a', 'b') + send("%4", "%y", 'a', 'b') + "return %0, %1, %2, %3, %4 : $A, $A, $B, $B, $B\n",
             "0 = transfer(x1) b\n1 = transfer(x0) b\n2 = f@a(x0): negate(p0) return(0)\n3 = transfer(2) b\n"
             "4 = g@a(x0): negate(p0) return(0)\nreturn(2,4,3,1,0)",
             mpmd::move_transfers_to_producer{});
}

TEST_CASE("uniquify: one more fragment a mesh, or transfers") {
  std::string const body = fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)") +
                           fragment("%1", 'a', "[\"g\"]", "%x", "negate(p0) return(0)") +
                           "return %0, %y, %0, %1, %x : $A, $B, $A, $A, $A\n";
  std::string const top = "0 = f@a(x0): negate(p0) return(0)\n1 = g@a(x0): negate(p0) return(0)\n";
  check_pass("%x: $A, %y: $B) -> ($A, $B, $A, $A, $A)", body,
             top + "2 = -@a(0,x0) {inferred_by=uniquify}: return(p0,p0,p1)\n3 = -@b(x1) {inferred_by=uniquify}: return(p0)\n"
                   "return(2,3,2#1,1,2#2)",
             mpmd::uniquify_function_inputs_outputs{});
  check_pass("%x: $A, %y: $B) -> ($A, $B, $A, $A, $A)", body,
             top + "2 = transfer(x1) b\n3 = transfer(0) a\n4 = transfer(x0) a\nreturn(0,2,3,1,4)",
             mpmd::uniquify_function_inputs_outputs{.use_transfer_instead_of_fragment = true});
}

TEST_CASE("a constant that comes in through transfers is made where it is used") {
  check_pass("%x: $B) -> ($B, $A)",
             fragment("%0", 'a', "[\"f\"]", "", "constant() return(0)") + send("%t", "%0", 'a', 'b') +
                 fragment("%1", 'b', "[\"g\"]", "%x, %t", "add(p0,p1) return(0)") + "return %1, %0 : $B, $A\n",
             "0 = f@a(): constant() return(0)\n1 = transfer(0) b\n2 = g@b(x0,1): constant() add(p0,0) return(1)\n"
             "return(2,0)",
             mpmd::copy_constants{});
}

TEST_CASE("scalars of one type that go from one fragment to another go together") {
  auto const result = testing::run_pass(R"(
    func.func @main(%x: !mpmd.mesh_tensor<"a", tensor<f32>>) -> !mpmd.mesh_tensor<"b", tensor<f32>> attributes $M {
      %0:2 = mpmd.fragment<mesh="a", origin=["f"]> (%x) (%p: tensor<f32>) {
        mpmd.return %p, %p : tensor<f32>, tensor<f32>
      } : (!mpmd.mesh_tensor<"a", tensor<f32>>) -> (!mpmd.mesh_tensor<"a", tensor<f32>>, !mpmd.mesh_tensor<"a", tensor<f32>>)
      %t = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"a", tensor<f32>>) -> !mpmd.mesh_tensor<"b", tensor<f32>>
      %u = mpmd.transfer %0#1 : (!mpmd.mesh_tensor<"a", tensor<f32>>) -> !mpmd.mesh_tensor<"b", tensor<f32>>
      %1 = mpmd.fragment<mesh="b", origin=["g"]> (%u, %t) (%p: tensor<f32>, %q: tensor<f32>) {
        %2 = stablehlo.subtract %p, %q : tensor<f32>
        mpmd.return %2 : tensor<f32>
      } : (!mpmd.mesh_tensor<"b", tensor<f32>>, !mpmd.mesh_tensor<"b", tensor<f32>>) -> !mpmd.mesh_tensor<"b", tensor<f32>>
      return %1 : !mpmd.mesh_tensor<"b", tensor<f32>>
    })",
                                        mpmd::merge_transfers{});
  CHECK(result.good);
  CHECK_EQ(testing::outline(result.program),
           "0 = f@a(x0): reshape(p0) reshape(p0) concatenate(0,1) return(p0,p0,2)\n"
           "1 = transfer(0#2) b {concat_transfer}\n2 = transfer(0) b\n3 = transfer(0#1) b\n"
           "4 = g@b(3,2,1): slice(p2) reshape(0) slice(p2) reshape(2) subtract(1,3) return(4)\nreturn(4)\n");
  // %u is the second to be sent, and the first operand.
  auto const slices = testing::find_all(result.program, "stablehlo.slice");
  auto start = [&](std::size_t i) {
    return result.program.attr_if<mpmd::ir::dense_array_attr>(slices.at(i), "start_indices")->values.front();
  };
  CHECK_EQ(start(0), 1);
  CHECK_EQ(start(1), 0);
}

TEST_CASE("backward fragments are cut behind what is transferred") {
  constexpr mpmd::split_bwd_fragments pass{};
  std::string const parts = "add(p0,p0) multiply(0,p1) negate(1) return(0,2)";
  auto body = [&](char const* origins, char const* sent) {
    return fragment("%0:2", 'a', origins, "%x, %y", parts, "mark", 2) + send("%t", sent, 'a', 'b') +
           "return %0#0, %0#1, %t : $A, $A, $B\n";
  };
  char const* signature = "%x: $A, %y: $A) -> ($A, $A, $B)";
  check_pass(signature, body("[\"f\"(1)]", "%0#0"),
             "0 = f'@a(x0,x1) {split_keep_transferred mark}: add(p0,p0) return(0)\n"
             "1 = f'@a(x1,0) {split_drop_transferred mark}: multiply(p1,p0) negate(0) return(1)\n2 = transfer(0) b\n"
             "return(0,1,2)",
             pass);
  std::string const whole = "@a(x0,x1) {mark}: add(p0,p0) multiply(0,p1) negate(1) return(0,2)\n1 = transfer(";
  // What is not transferred is needed for what is: nothing stands in a second part.
  check_pass(signature, body("[\"f\"(1)]", "%0#1"),
             "0 = f'@a(x0,x1) {split_keep_transferred mark}: add(p0,p0) multiply(0,p1) negate(1) return(0,2)\n"
             "1 = transfer(0#1) b\nreturn(0,0#1,1)",
             pass);
  // No backward fragments.
  check_pass(signature, body("[\"f\"]", "%0#0"), "0 = f" + whole + "0) b\nreturn(0,0#1,1)", pass);
  check_pass(signature, body("[\"f\"(1), \"g\"]", "%0#0"), "0 = f'+g" + whole + "0) b\nreturn(0,0#1,1)", pass);
}

TEST_CASE("what needs no transfer is put in front, constants excepted") {
  constexpr mpmd::split_and_prioritize_transfer_independent_computations pass{};
  check_pass("%x: $A, %y: $B) -> ($A, $A)",
             send("%t", "%y", 'b', 'a') +
                 fragment("%0:2", 'a', "[\"f\"]", "%x, %t", "add(p0,p0) constant() multiply(p1,1) add(2,0) return(0,3)", "", 2) +
                 "return %0#0, %0#1 : $A, $A\n",
             "0 = transfer(x1) a\n1 = f@a(x0,0) {split_keep_transferred}: add(p0,p0) return(0)\n"
             "2 = f@a(1,0) {split_drop_transferred}: constant() multiply(p1,0) add(1,p0) return(2)\nreturn(1,2)",
             pass);
  check_pass("%y: $B) -> $A",
             send("%t", "%y", 'b', 'a') + fragment("%0", 'a', "[\"f\"]", "%t", "constant() add(p0,0) return(1)") +
                 "return %0 : $A\n",
             "0 = transfer(x0) a\n1 = f@a(0): constant() add(p0,0) return(1)\nreturn(1)", pass);
}

TEST_CASE("two fragments of one stage, direction and microbatch are an error at the second") {
  struct row {
    char const *first, *first_notes, *second, *second_notes;
    bool good;
  };
  char const *f = "[\"f\"], stage=0", *b = "[\"f\"(1)], stage=0", *one = "call_counter = 1 : ui32";
  for (auto const& r : {row{f, "", f, "", false}, row{f, "", f, one, false}, row{f, one, f, one, false},
                        row{f, one, f, "call_counter = 2 : ui32", true}, row{f, "", b, "", true},
                        row{f, "", "[\"f\"], stage=1", "", true}, row{"[\"f\"]", "", f, "", true},
                        row{f, "", f, "remat", true}, row{f, "split_keep_transferred", f, "split_drop_transferred", true}}) {
    auto const result = testing::run_pass("func.func @main(%x: $A) -> $A attributes $M {\n" +
                                              fragment("%0", 'a', r.first, "%x", "return(p0)", r.first_notes) +
                                              fragment("%1", 'a', r.second, "%0", "return(p0)", r.second_notes) +
                                              "return %1 : $A }",
                                          mpmd::verify_stage_merging{});
    CHECK_EQ(result.good, r.good);
    REQUIRE_EQ(result.said.size(), r.good ? 0u : 1u);
    if (!r.good) {
      CHECK_EQ(result.said[0].where.line, 5);
      CHECK_EQ(result.said[0].notes.at(0).where.line, 2);
    }
  }
}

TEST_CASE("each mesh but those of hosts needs a unit of each direction a microbatch") {
  auto run = [](std::string const& body) {
    return testing::run_pass("func.func @main(%x: $A) -> $A attributes {topology = #mpmd.topology<<\"a\": <[\"x\"=2]>>, "
                             "<\"a/cpu\": <[\"x\"=2]>>>} {\n" +
                                 body + "}",
                             mpmd::scheduling_units_verifier{});
  };
  auto unit = [](char const* result, char const* origins, char const* operand, char const* counter) {
    return fragment(result, 'a', origins, operand, "return(p0)", std::string("call_counter = ") + counter + " : ui32");
  };
  auto const missing = run(unit("%0", "[\"f\"]", "%x", "0") + unit("%1", "[\"f\"]", "%0", "1") +
                           unit("%2", "[\"f\"(1)]", "%1", "1") + "return %2 : $A\n");
  CHECK(missing.good);
  REQUIRE_EQ(missing.said.size(), 1);
  CHECK_EQ(missing.said[0].message,
           "Number of backward scheduling units in mesh a does not match expected number for 2 microbatches. Got 1.");
  CHECK(missing.said[0].level == mpmd::severity::warning);
  // Counted from one.
  CHECK(run(unit("%0", "[\"f\"]", "%x", "1") + unit("%1", "[\"f\"(1)]", "%0", "1") + "return %1 : $A\n").said.empty());
  CHECK_EQ(run("return %x : $A\n").said.at(0).id, "scheduling-units.none");
}

}  // namespace common_cleanup_test
