// -mpmd-rule-based-merge, and how its rules are written.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <mpmd/pipeline/rule_options.hpp>
#include <mpmd/transform/rule_based_merge.hpp>

#include "transform/outline.hpp"

namespace common_rules_test {

using testing::check_pass;
using testing::fragment;

namespace {

mpmd::rule_based_merge rules(std::string const& text) {
  mpmd::rule_based_merge pass;
  mpmd::diagnostics diags;
  REQUIRE(mpmd::parse_options(pass, "rules=" + text, diags));
  return pass;
}
std::string info(std::string const& origins, char mesh = 'a') {
  return "FragmentInfo(origins=[" + origins + "],mesh_name=\"" + mesh + "\")";
}
std::string rule(std::string const& sources, std::string const& target) {
  return "FragmentMergeRule(sources=[" + sources + "],target=" + target + ")";
}
std::string const f_and_g = rule(info("\"f\"") + "," + info("\"g\""), info("\"f\",\"g\""));

testing::pass_outcome run(std::string const& signature, std::string const& body, mpmd::rule_based_merge const& pass) {
  return testing::run_pass("func.func @main(" + signature + " attributes $M {\n" + body + "}", pass);
}

}  // namespace

TEST_CASE("listed fragments become one with the target's label, whether or not they use each other") {
  check_pass("%x: $A, %y: $A) -> ($A, $A, $A)",
             fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)") +
                 fragment("%1", 'a', "[\"h\"]", "%y", "abs(p0) return(0)") +
                 fragment("%2", 'a', "[\"g\"]", "%y", "cosine(p0) return(0)") + "return %0, %1, %2 : $A, $A, $A\n",
             "0 = f+g@a(x0,x1): negate(p0) cosine(p1) return(0,1)\n1 = h@a(x1): abs(p0) return(0)\nreturn(0,1,0#1)",
             rules(f_and_g));
  // What the later one needs comes before both.
  check_pass("%x: $A, %y: $B) -> ($A, $A)",
             fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)") + "%t = mpmd.transfer %y : ($B) -> $A\n" +
                 fragment("%2", 'a', "[\"g\"]", "%t", "abs(p0) return(0)") + "return %0, %2 : $A, $A\n",
             "0 = transfer(x1) a\n1 = f+g@a(x0,0): negate(p0) abs(p1) return(0,1)\nreturn(1,1#1)", rules(f_and_g));
  // All of what a target says is said, and all of what a source says counts.
  check_pass("%x: $A) -> $A",
             fragment("%0", 'a', "[\"f\"(1)], stage=1", "%x", "negate(p0) return(0)", "call_counter = 2 : ui32") +
                 fragment("%1", 'a', "[\"f\"(1)], stage=1", "%0", "abs(p0) return(0)", "call_counter = 3 : ui32") +
                 "return %1 : $A\n",
             "0 = h'@a/4(x0) {call_counter=5 split_drop_transferred}: negate(p0) abs(0) return(1)\nreturn(0)",
             rules("FragmentMergeRule( sources = [FragmentInfo(origins=[\"f\"(1)],stage=1,call_counter=2,mesh_name=\"a\"), "
                   "FragmentInfo(origins=[\"f\"(1)],stage_id=1,call_counter=3,mesh_name=\"a\")], target = "
                   "FragmentInfo(origins=[\"h\"(1)],stage=4,call_counter=5,split_type=kDropTransferred,mesh_name=\"a\"))"));
}

TEST_CASE("rules that cannot be carried out leave the function as it was") {
  std::string const f = fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)");
  std::string const g = fragment("%1", 'a', "[\"g\"]", "%x", "negate(p0) return(0)");
  struct row {
    std::string body, rules, error;
  };
  for (auto const& r :
       {row{f + "%t = mpmd.transfer %0 : ($A) -> $B\n%u = mpmd.transfer %t : ($B) -> $A\n" +
                fragment("%1", 'a', "[\"g\"]", "%u", "negate(p0) return(0)"),
            f_and_g, "Cycle detected in the program, not all fragments could be properly merged."},
        row{f + g, f_and_g + "," + f_and_g, "this fragment is named more than once by the rules"},
        row{f + g + fragment("%2", 'a', "[\"g\"]", "%x", "abs(p0) return(0)"), f_and_g, "more than one fragment is"},
        row{f + g, rule(info("\"f\"") + "," + info("\"g\""), info("\"f\",\"g\"", 'b')), "which is on another mesh"}}) {
    auto const result = run("%x: $A) -> ($A, $A)", r.body + "return %0, %1 : $A, $A\n", rules(r.rules));
    CHECK_FALSE(result.good);
    REQUIRE_FALSE(result.said.empty());
    CHECK_MESSAGE(result.said[0].message.find(r.error) != std::string::npos, result.said[0].message);
    CHECK_NE(result.said[0].where.line, 0);
    for (auto const o : testing::find_all(result.program, "mpmd.fragment"))
      CHECK_EQ(mpmd::ir_traits<mpmd::ir::program>::fragment_of(result.program, o).origins.size(), 1);
  }
}

TEST_CASE("rules that find only some of their fragments, or none, are warned about") {
  std::string const f = fragment("%0", 'a', "[\"f\"]", "%x", "negate(p0) return(0)") + "return %0 : $A\n";
  auto const some = run("%x: $A) -> $A", f, rules(f_and_g));
  CHECK(some.good);
  REQUIRE_EQ(some.said.size(), 1);
  CHECK_EQ(some.said[0].id, "rule-based-merge.missing");
  auto const none = run("%x: $A) -> $A", "return %x : $A\n", rules(f_and_g));
  CHECK(none.good);
  REQUIRE_EQ(none.said.size(), 1);
  CHECK_EQ(none.said[0].id, "rule-based-merge.unused");
}

TEST_CASE("rules read back as they are printed, and errors in them have a column") {
  auto const pass = rules(f_and_g + "," + rule(info("\"h\"(2)") + "," + info("", 'b'), info("\"i\"", 'c')));
  REQUIRE_EQ(pass.rules.size(), 2);
  mpmd::rule_based_merge again;
  mpmd::diagnostics diags;
  CHECK(mpmd::parse_options(again, mpmd::print_options(pass), diags));
  CHECK_EQ(again.rules, pass.rules);
  struct row {
    char const* text;
    std::uint32_t column;
    char const* error;
  };
  for (auto const& r : {row{"rules=Rule()", 7, "expected 'FragmentMergeRule'"},
                        row{"rules=FragmentMergeRule(sources=[])", 35, "expected ','"},
                        row{"rules=FragmentMergeRule(sources=[FragmentInfo(color=1)])", 47, "expected origins"},
                        row{"rules=FragmentMergeRule(sources=[FragmentInfo(stage=x)])", 53, "expected a number"},
                        row{"rules=FragmentMergeRule(sources=[FragmentInfo(split_type=kNo)])", 58, "expected kKeepTransferred"},
                        row{"rules=FragmentMergeRule(sources=[FragmentInfo()],target=FragmentInfo())", 72, "two sources"}}) {
    std::vector<mpmd::diagnostic> said;
    mpmd::diagnostics hear([&](mpmd::diagnostic const& d) { said.push_back(d); });
    mpmd::rule_based_merge bad;
    CHECK_FALSE(mpmd::parse_options(bad, r.text, hear));
    REQUIRE_EQ(said.size(), 1);
    CHECK_EQ(said[0].where.column, r.column);
    CHECK_MESSAGE(said[0].message.find(r.error) != std::string::npos, said[0].message);
  }
}

}  // namespace common_rules_test
