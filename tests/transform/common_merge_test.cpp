// The passes that merge fragments: which fragments become one, where it stands, and what it says of itself.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/pipeline/common_passes.hpp>

#include "transform/outline.hpp"

namespace common_merge_test {

using testing::check_pass;
using testing::fragment;

namespace {

constexpr mpmd::merge_inferred_fragments closest{}, any{.merge_any_consumer = true}, sideways{.merge_sideways = true};
std::string const to_b = "%t = mpmd.transfer %0 : ($A) -> $B\n";

std::string result_a(std::string_view v) { return "return " + std::string(v) + " : $A\n"; }

}  // namespace

TEST_CASE_TEMPLATE("all common passes compile on archetypes, which hold no functions", archetype,
                   mpmd::archetypes::mutable_program, mpmd::archetypes::inlinable_program,
                   mpmd::archetypes::foldable_program) {
  archetype p;
  mpmd::diagnostics diags;
  for (auto const& kind : mpmd::common_passes<archetype>()) {
    INFO(std::string(kind.name));
    auto const made = kind.make("", diags);
    REQUIRE(made);
    CHECK(mpmd::run(*made, p, diags));
  }
}

TEST_CASE("an inferred fragment and one that uses it become one behind both, with the origins of both") {
  check_pass("%x: $A) -> $A",
             fragment("%0", 'a', "[]", "%x", "add(p0,p0) return(0)") +
                 fragment("%1", 'a', "[\"f\"(1)]", "%0", "multiply(p0,p0) return(0)") + result_a("%1"),
             "0 = f'@a(x0): add(p0,p0) multiply(0,0) return(1)\nreturn(0)", closest);
}

TEST_CASE("operands of the earlier come first, each once; results that others use stay, those of the earlier first") {
  // What the transfer uses is there before the later one, so the merged fragment stands at the earlier one.
  check_pass("%x: $A, %y: $A, %z: $A) -> ($A, $B)",
             fragment("%0", 'a', "[]", "%x, %y, %x", "add(p0,p2) return(0)") + to_b +
                 fragment("%1", 'a', "[\"f\"]", "%z, %y, %0, %z", "add(p0,p2) add(p1,p3) return(1)") +
                 "return %1, %t : $A, $B\n",
             "0 = f@a(x0,x1,x2): add(p0,p0) add(p2,0) add(p1,p2) return(0,2)\n"
             "1 = transfer(0) b\n"
             "return(0#1,1)",
             closest);
}

TEST_CASE("with one operand and one use, the operand of the earlier takes the place of the result") {
  check_pass("%x: $A, %y: $A) -> $A",
             fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)") +
                 fragment("%1", 'a', "[\"f\"]", "%y, %0", "add(p0,p1) return(0)") + result_a("%1"),
             "0 = f@a(x1,x0): negate(p1) add(p0,0) return(1)\nreturn(0)", closest);
}

TEST_CASE("two fragments that users named, of different meshes or of different stages stay two") {
  for (char const* origins : {"[\"g\"]"})
    check_pass("%x: $A) -> $A",
               fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)") +
                   fragment("%1", 'a', origins, "%0", "negate(p0) return(0)") + result_a("%1"),
               "0 = f@a(x0): negate(p0) return(0)\n1 = g@a(0): negate(p0) return(0)\nreturn(1)", closest);
  std::string const staged = fragment("%0", 'a', "[], stage=0", "%x", "negate(p0) return(0)") +
                             fragment("%1", 'a', "[\"g\"], stage=1", "%0", "negate(p0) return(0)") + result_a("%1");
  check_pass("%x: $A) -> $A", staged,
             "0 = -@a/0(x0): negate(p0) return(0)\n1 = g@a/1(0): negate(p0) return(0)\nreturn(1)", closest);
  check_pass("%x: $A) -> $A",
             fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)") +
                 fragment("%1", 'a', "[\"g\"], stage=1", "%0", "negate(p0) return(0)") + result_a("%1"),
             "0 = g@a/1(x0): negate(p0) negate(0) return(1)\nreturn(0)", closest);
}

TEST_CASE("a value that has to be there in between keeps fragments apart") {
  check_pass("%x: $A) -> $A",
             fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)") + to_b +
                 "%u = mpmd.transfer %t : ($B) -> $A\n" + fragment("%1", 'a', "[\"f\"]", "%0, %u", "add(p0,p1) return(0)") +
                 result_a("%1"),
             "0 = -@a(x0): negate(p0) return(0)\n1 = transfer(0) b\n2 = transfer(1) a\n"
             "3 = f@a(0,2): add(p0,p1) return(0)\nreturn(3)",
             closest);
}

TEST_CASE("the closest user decides, unless any user is asked for") {
  std::string const body = fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)") +
                           fragment("%1", 'a', "[\"g\"]", "%0", "negate(p0) return(0)") +
                           fragment("%2", 'a', "[]", "%0", "add(p0,p0) return(0)") + "return %1, %2 : $A, $A\n";
  check_pass("%x: $A) -> ($A, $A)", body,
             "0 = f@a(x0): negate(p0) return(0)\n1 = g@a(0): negate(p0) return(0)\n2 = -@a(0): add(p0,p0) return(0)\n"
             "return(1,2)",
             closest);
  check_pass("%x: $A) -> ($A, $A)", body,
             "0 = f@a(x0): negate(p0) add(0,0) return(0,1)\n1 = g@a(0): negate(p0) return(0)\nreturn(1,0#1)", any);
}

TEST_CASE("sideways the next fragment on the mesh counts, used or not") {
  check_pass("%x: $A, %y: $B) -> ($A, $B, $A)",
             fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)") +
                 fragment("%1", 'b', "[\"g\"]", "%y", "negate(p0) return(0)") +
                 fragment("%2", 'a', "[\"f\"]", "%x", "add(p0,p0) return(0)") + "return %0, %1, %2 : $A, $B, $A\n",
             "0 = g@b(x1): negate(p0) return(0)\n1 = f@a(x0): negate(p0) add(p0,p0) return(0,1)\nreturn(1,0,1#1)",
             sideways);
}

TEST_CASE("the modes exclude each other") {
  auto const result = testing::run_pass("func.func @main(%x: $A) -> $A attributes $M { return %x : $A }",
                                        mpmd::merge_inferred_fragments{.merge_any_consumer = true, .merge_sideways = true});
  CHECK_FALSE(result.good);
  REQUIRE_EQ(result.said.size(), 1);
  CHECK_EQ(result.said[0].id, "option");
}

TEST_CASE("an unused fragment goes, one with effects stays") {
  check_pass("%x: $A) -> $A",
             fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)") + fragment("%1", 'a', "[\"f\"]", "%0", "negate(p0) return(0)") +
                 result_a("%x"),
             "return(x0)", closest);
  check_pass("%x: $A) -> $A",
             "%0 = mpmd.fragment<mesh=\"a\", origin=[\"f\"]> (%x) (%p: $T) {\n%1 = stablehlo.custom_call @log(%p) "
             "{has_side_effect = true} : ($T) -> $T\nmpmd.return %1 : $T\n} : ($A) -> $A\n" +
                 result_a("%x"),
             "0 = f@a(x0): custom_call(p0) return(0)\nreturn(x0)", closest);
}

TEST_CASE("call counters of a merged fragment: the only one, the common one, else that of the user's") {
  struct row {
    char const *first, *first_notes, *second, *second_notes, *merged;
  };
  for (auto const& r : {row{"[]", "call_counter = 1 : ui32", "[\"f\"]", "", " {call_counter=1}"},
                        row{"[]", "", "[\"f\"]", "call_counter = 2 : ui32", " {call_counter=2}"},
                        row{"[]", "call_counter = 2 : ui32", "[]", "call_counter = 2 : ui32", " {call_counter=2}"},
                        row{"[]", "call_counter = 1 : ui32", "[\"f\"]", "call_counter = 2 : ui32", " {call_counter=2}"},
                        row{"[\"f\"]", "call_counter = 1 : ui32", "[]", "call_counter = 2 : ui32", " {call_counter=1}"},
                        row{"[]", "call_counter = 1 : ui32", "[]", "call_counter = 2 : ui32", ""}}) {
    std::string const who = std::string(r.first) + r.second == "[][]" ? "-" : "f";
    check_pass("%x: $A) -> $A",
               fragment("%0", 'a', r.first, "%x", "negate(p0) return(0)", r.first_notes) +
                   fragment("%1", 'a', r.second, "%0", "negate(p0) return(0)", r.second_notes) + result_a("%1"),
               "0 = " + who + "@a(x0)" + r.merged + ": negate(p0) negate(0) return(1)\nreturn(0)", closest);
  }
}

TEST_CASE("who inferred a fragment is kept while nobody named it") {
  std::string const first = fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)", "mpmd.inferred_by = [\"p\", \"q\"]");
  check_pass("%x: $A) -> $A",
             first + fragment("%1", 'a', "[]", "%0", "negate(p0) return(0)", "mpmd.inferred_by = [\"r\", \"p\"]") +
                 result_a("%1"),
             "0 = -@a(x0) {inferred_by=p,q,r}: negate(p0) negate(0) return(1)\nreturn(0)", closest);
  check_pass("%x: $A) -> $A", first + fragment("%1", 'a', "[\"f\"]", "%0", "negate(p0) return(0)") + result_a("%1"),
             "0 = f@a(x0): negate(p0) negate(0) return(1)\nreturn(0)", closest);
}

TEST_CASE("the two parts of a fragment that was split are not put together again") {
  check_pass("%x: $A) -> $A",
             fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)", "split_keep_transferred") +
                 fragment("%1", 'a', "[]", "%0", "negate(p0) return(0)", "split_drop_transferred") + result_a("%1"),
             "0 = -@a(x0) {split_keep_transferred}: negate(p0) return(0)\n"
             "1 = -@a(0) {split_drop_transferred}: negate(p0) return(0)\nreturn(1)",
             closest);
}

TEST_CASE("scheduling units: named fragments of one direction, microbatch and stage become one") {
  constexpr mpmd::merge_user_fragments_into_scheduling_units units{};
  auto two = [](char const* first, char const* first_notes, char const* second, char const* second_notes) {
    return fragment("%0", 'a', first, "%x", "negate(p0) return(0)", first_notes) +
           fragment("%1", 'a', second, "%0", "negate(p0) return(0)", second_notes) + result_a("%1");
  };
  std::string const merged = ": negate(p0) negate(0) return(1)\nreturn(0)";
  char const *one = "call_counter = 1 : ui32", *other = "call_counter = 2 : ui32";
  check_pass("%x: $A) -> $A", two("[\"f\"]", one, "[\"g\"]", one), "0 = f+g@a(x0) {call_counter=1}" + merged, units);
  check_pass("%x: $A) -> $A", two("[\"f\"(1)]", "", "[\"f\"(1)]", one), "0 = f'@a(x0) {call_counter=1}" + merged, units);
  check_pass("%x: $A) -> $A", two("[\"f\"], stage=2", "", "[\"g\"]", ""), "0 = f+g@a/2(x0)" + merged, units);
  auto stays = [&](std::string const& body, char const* a, char const* b) {
    check_pass("%x: $A) -> $A", body,
               std::string("0 = ") + a + "(x0)" + (body.find("counter") != body.npos ? " {call_counter=1}" : "") +
                   ": negate(p0) return(0)\n1 = " + b + "(0)" +
                   (body.find("counter") != body.npos ? " {call_counter=2}" : "") +
                   ": negate(p0) return(0)\nreturn(1)",
               units);
  };
  stays(two("[\"f\"]", "", "[\"g\"(1)]", ""), "f@a", "g'@a");
  stays(two("[\"f\"]", one, "[\"g\"]", other), "f@a", "g@a");
  stays(two("[\"f\"], stage=0", "", "[\"g\"], stage=1", ""), "f@a/0", "g@a/1");
  stays(two("[]", "", "[\"g\"]", ""), "-@a", "g@a");

}

TEST_CASE("a fragment of mixed transpose counts is an error only where it would be merged") {
  constexpr mpmd::merge_user_fragments_into_scheduling_units units{};
  char const *one = "call_counter = 1 : ui32", *other = "call_counter = 2 : ui32";
  auto two = [](char const* first, char const* first_notes, char const* second, char const* second_notes) {
    return fragment("%0", 'a', first, "%x", "negate(p0) return(0)", first_notes) +
           fragment("%1", 'a', second, "%0", "negate(p0) return(0)", second_notes) + result_a("%1");
  };
  std::string const head = "func.func @main(%x: $A) -> $A attributes $M {\n";
  // Alone; before an inferred one; of another stage or microbatch than the one behind.
  auto stays = [&](std::string const& body) {
    auto const result = testing::run_pass(head + body + "}", units);
    CHECK(result.good);
    CHECK(result.said.empty());
  };
  stays(fragment("%0", 'a', "[\"f\", \"g\"(1)]", "%x", "negate(p0) return(0)") + result_a("%0"));
  stays(two("[\"f\", \"g\"(1)]", "", "[]", ""));
  stays(two("[\"f\", \"g\"(1)], stage=0", "", "[\"h\"], stage=1", ""));
  stays(two("[\"f\", \"g\"(1)]", one, "[\"h\"]", other));
  // As producer and as consumer; the other is where the note is.
  auto refused = [&](std::string const& body, std::size_t line, std::string const& said) {
    auto const result = testing::run_pass(head + body + "}", units);
    CHECK_FALSE(result.good);
    REQUIRE_EQ(result.said.size(), 1);
    auto const& d = result.said[0];
    CHECK_EQ(d.id, "scheduling-units.transpose-count");
    CHECK_EQ(d.where.line, line);
    CHECK_EQ(d.message, said + " The computations of this fragment have been transposed differently often: 'f' (0), 'g' (1)");
    REQUIRE_EQ(d.notes.size(), 2);
    CHECK_NE(d.notes[0].where.line, line);
  };
  std::string const expected = "Expected one and only one transpose count for a user-defined ";
  refused(two("[\"f\", \"g\"(1)]", "", "[\"h\"]", ""), 2, expected + "producer op.");
  std::string const first = fragment("%0", 'a', "[\"h\"]", "%x", "negate(p0) return(0)");
  auto const lines_of_first = static_cast<std::size_t>(std::count(first.begin(), first.end(), '\n'));
  refused(two("[\"h\"]", "", "[\"f\", \"g\"(1)]", ""), 2 + lines_of_first, expected + "consumer op.");
}

TEST_CASE("a forward fragment takes in the backward one that is next on its mesh") {
  constexpr mpmd::merge_forward_with_backward pass{};
  std::string const forward = fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)");
  check_pass("%x: $A) -> $A", forward + fragment("%1", 'a', "[\"f\"(1)]", "%0", "negate(p0) return(0)") + result_a("%1"),
             "0 = f+f'@a(x0): negate(p0) negate(0) return(1)\nreturn(0)", pass);
  check_pass("%x: $A) -> ($A, $A)",
             forward + fragment("%m", 'a', "[\"g\"]", "%x", "negate(p0) return(0)") +
                 fragment("%1", 'a', "[\"f\"(1)]", "%0", "negate(p0) return(0)") + "return %1, %m : $A, $A\n",
             "0 = f@a(x0): negate(p0) return(0)\n1 = g@a(x0): negate(p0) return(0)\n"
             "2 = f'@a(0): negate(p0) return(0)\nreturn(2,1)",
             pass);
}

TEST_CASE("roots absorb what stands before and behind them, and transfers make way") {
  constexpr mpmd::absorb_inferred_fragments pass{.on_entry_points = true};
  // Behind: the transfer of what comes from elsewhere starts earlier.
  check_pass("%x: $A, %y: $B) -> $A",
             fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)", "mark") + "%t = mpmd.transfer %y : ($B) -> $A\n" +
                 fragment("%1", 'a', "[]", "%0, %t", "add(p0,p1) return(0)", "mpmd.inferred_by = [\"p\"]") + result_a("%1"),
             "0 = transfer(x1) a\n1 = f@a(x0,0) {mark}: negate(p0) add(0,p1) return(1)\nreturn(1)", pass);
  // In front: the transfer waits for its own use.
  check_pass("%x: $A) -> ($A, $B)",
             fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)") + to_b +
                 fragment("%1", 'a', "[\"f\"]", "%0", "add(p0,p0) return(0)") + "return %1, %t : $A, $B\n",
             "0 = f@a(x0): negate(p0) add(0,0) return(0,1)\n1 = transfer(0) b\nreturn(0#1,1)", pass);
  // A transfer that is needed before is in the way.
  check_pass("%x: $A) -> ($A, $A)",
             fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)") + to_b + "%u = mpmd.transfer %t : ($B) -> $A\n" +
                 fragment("%1", 'a', "[\"f\"]", "%0, %u", "add(p0,p1) return(0)") + "return %1, %u : $A, $A\n",
             "0 = -@a(x0): negate(p0) return(0)\n1 = transfer(0) b\n2 = transfer(1) a\n"
             "3 = f@a(0,2): add(p0,p1) return(0)\nreturn(3,2)",
             pass);
  // The nearest of two takes it.
  check_pass("%x: $A) -> $A",
             fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)") +
                 fragment("%1", 'a', "[\"g\"]", "%x", "negate(p0) return(0)") +
                 fragment("%2", 'a', "[]", "%0, %1", "add(p0,p1) return(0)") + result_a("%2"),
             "0 = f@a(x0): negate(p0) return(0)\n1 = g@a(0,x0): negate(p1) add(p0,0) return(1)\nreturn(1)", pass);
}

TEST_CASE("which of several is absorbed next goes by operands and uses as they are by then") {
  constexpr mpmd::absorb_inferred_fragments pass{.on_entry_points = true};
  auto const unary = [](char const* result, char const* origins, char const* operand, char const* kind) {
    return fragment(result, 'a', origins, operand, std::string(kind) + "(p0) return(0)");
  };
  // Behind a root: the last use of its result first; each merge turns the uses around.
  check_pass("%x: $A) -> ($A, $A, $A, $A)",
             unary("%0", "[\"f\"]", "%x", "exponential") + unary("%1", "[]", "%0", "negate") +
                 unary("%2", "[]", "%0", "abs") + unary("%3", "[]", "%0", "sine") + unary("%4", "[]", "%0", "cosine") +
                 "return %1, %2, %3, %4 : $A, $A, $A, $A\n",
             "0 = f@a(x0): exponential(p0) cosine(0) negate(0) sine(0) abs(0) return(1,2,3,4)\n"
             "return(0#1,0#3,0#2,0)",
             pass);
  // In front of a root: the first operand first, whose operands come to the front. The one that another uses waits.
  check_pass("%x: $A, %y: $A, %z: $A) -> $A",
             fragment("%0", 'a', "[]", "%x, %x", "add(p0,p1) return(0)") +
                 fragment("%1", 'a', "[]", "%y, %0", "multiply(p0,p1) return(0)") +
                 fragment("%2", 'a', "[]", "%z, %z", "subtract(p0,p1) return(0)") +
                 fragment("%3", 'a', "[\"f\"]", "%0, %1, %2", "add(p0,p1) add(0,p2) return(1)") + result_a("%3"),
             "0 = f@a(x2,x0,x1): subtract(p0,p0) add(p1,p1) multiply(p2,1) add(1,2) add(3,0) return(4)\nreturn(0)", pass);
}

TEST_CASE("thousands of fragments become part of one at once: a fragment a merge would not fit") {
  constexpr int n = 2000;
  std::string const made = [] {
    std::string types = "$A";
    for (int i = 1; i < n; ++i) types += ", $A";
    return types;
  }();
  std::string text = "func.func private @g(%x: $A) -> (" + made + ") attributes $M {\n", results, operands;
  for (int i = 0; i < n; ++i) {
    std::string const in = "%u" + std::to_string(i), out = "%o" + std::to_string(i);
    text += fragment(in, 'a', "[]", "%x", "negate(p0) return(0)");
    operands += (i ? "," : "") + in;
    results += (i ? ", " : "") + out;
  }
  text += fragment("%f", 'a', "[\"f\"]", operands, "negate(p0) return(0)");
  for (int i = 0; i < n; ++i)
    text += fragment("%o" + std::to_string(i), 'a', "[]", "%f", "abs(p0) return(0)");
  mpmd::diagnostics diags;
  auto p = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "test.mlir",
                                 testing::expand(text + "return " + results + " : " + made + "\n}"), diags);
  REQUIRE(p);
  std::size_t const before = p->memory_use();
  CHECK(mpmd::absorb_inferred_fragments{}(*p, diags));
  std::string const outline = testing::outline(*p);
  CHECK(outline.find("f@a(x0)") != std::string::npos);
  CHECK(std::count(outline.begin(), outline.end(), '\n') == 2);
  // Merged one by one, the results alone would take n * n / 2 values.
  CHECK(p->memory_use() < 4 * before);
}

TEST_CASE("entry functions are left alone unless asked for; what is left in others is remarked upon") {
  std::string const body = fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)") +
                           fragment("%1", 'a', "[\"f\"]", "%0", "negate(p0) return(0)") + result_a("%1");
  std::string const whole = "0 = -@a(x0): negate(p0) return(0)\n1 = f@a(0): negate(p0) return(0)\nreturn(1)";
  check_pass("%x: $A) -> $A", body, whole, mpmd::absorb_inferred_fragments{});
  auto const left = testing::run_pass("func.func private @g(%x: $A) -> $B attributes $M {\n" +
                                          fragment("%0", 'a', "[]", "%x", "negate(p0) return(0)") + to_b +
                                          "return %t : $B\n}",
                                      mpmd::absorb_inferred_fragments{});
  CHECK(left.good);
  REQUIRE_EQ(left.said.size(), 1);
  CHECK(left.said[0].level == mpmd::severity::remark);
}

TEST_CASE("control operands stay behind the others, without those the merge makes needless") {
  // Only a scheduler makes them, between two passes of its own, so the verifier does not know them.
  mpmd::diagnostics diags;
  auto p = mpmd::text::read_mlir(
      std::make_shared<mpmd::ir::context>(), "test.mlir",
      testing::expand(
          "func.func @main(%x: $A, %y: $A, %z: $A) -> ($A, $A) attributes $M {\n" +
          fragment("%c", 'a', "[\"c\"]", "%z", "negate(p0) return(0)") +
          "%0 = mpmd.fragment<mesh=\"a\", origin=[]> (%x, %c) {mpmd.control_operand_start_idx = 1 : i64} (%p: $T) {\n"
          "mpmd.return %p : $T\n} : ($A, $A) -> $A\n"
          "%1 = mpmd.fragment<mesh=\"a\", origin=[\"f\"]> (%0, %y, %0) {mpmd.control_operand_start_idx = 2 : i64} "
          "(%p: $T, %q: $T) {\n%r = stablehlo.add %p, %q : $T\nmpmd.return %r : $T\n} : ($A, $A, $A) -> $A\n"
          "return %1, %c : $A, $A\n}"),
      diags);
  REQUIRE(p);
  CHECK(closest(*p, diags));
  CHECK_EQ(testing::outline(*p), "0 = c@a(x2): negate(p0) return(0)\n"
                                 "1 = f@a(x0,x1,0) {control_operand_start_idx=2}: add(p0,p1) return(0)\nreturn(1,0)\n");
}

}  // namespace common_merge_test
