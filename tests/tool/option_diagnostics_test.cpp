// Options that passes cannot read, as `-verify-diagnostics` sees them. In which column each is said to be is
// tested where the options are (tests/pipeline/option_values_test.cpp).
#include <doctest/doctest.h>

#include <string>

#include "tool/expected_diagnostics.hpp"

namespace option_diagnostics_test {
namespace {

constexpr auto file = "option_diagnostics.mlir";

// A pass with these options says this, once, and of no place in the input.
void check(std::string const& pass, std::string const& options, std::string const& said) {
  std::string quoted = "'";
  for (char const c : pass + '=' + options) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  mpmd::testing::check_expected_diagnostics(
      quoted + "'", "// expected-error@unknown {{" + said + "}}\nfunc.func @f() {\n  return\n}\n", file);
}

}  // namespace

TEST_CASE("assignments of names that cannot be read") {
  for (std::string const pass : {"-mpmd-map-named-ops-to-mpmd-ops", "-mpmd-inline-nested-user-exposed-ops"}) {
    check(pass, "assignment=f",
          "'assignment': Assignment must contain '@' denoting a name assigned to a mesh (and stage), got: f");
    check(pass, "assignment=f@m/1x", "'assignment': Failed to parse stage number: 1x");
    check(pass, "assignment=f@'m'x,g@m", "'assignment': expected ',' before 'x,g@m'");
    check(pass, "assignment=\"f@'m\"", "'assignment': the quote is not closed");
    check(pass, "assignment={f@m", "a bracket or quote is not closed");
    check(pass, "names=f@m", "no such option: 'names'");
  }
  check("-mpmd-import-pipeline", "name-to-mesh-assignment=f@m,,g@m",
        "'name-to-mesh-assignment': Assignment must contain '@' denoting a name assigned to a mesh (and "
        "stage), got: ");
}

TEST_CASE("assignments of inputs and outputs that cannot be read") {
  for (std::string const option : {"input-assignment", "output-assignment"}) {
    check("-mpmd-map-input-output-to-mesh", option + "=0",
          "Assignment must contain '@' denoting a name assigned to a mesh, got: 0");
    check("-mpmd-map-input-output-to-mesh", option + "=a@m", "Failed to parse index: a");
    check("-mpmd-map-input-output-to-mesh", option + "=9223372036854775808@m",
          "Failed to parse index: 9223372036854775808");
    check("-mpmd-map-input-output-to-mesh", option + "=\"0@'m\"", "the quote is not closed");
  }
  check("-mpmd-import-pipeline", "input-index-to-mesh-assignment=0@m,x@m",
        "'input-index-to-mesh-assignment': Failed to parse index: x");
  check("-mpmd-import-pipeline", "output-index-to-mesh-assignment=@m",
        "'output-index-to-mesh-assignment': Failed to parse index: ");
}

TEST_CASE("constraints that cannot be read") {
  for (std::string const pass : {"-mpmd-enforce-input-output-equisharding",
                                 "-mpmd-infer-mesh-assign-using-input-output-constraints"}) {
    check(pass, "constraints=a:0", "'constraints': Failed to parse input index: a");
    check(pass, "constraints=0:1:2", "'constraints': Failed to parse output index: 1:2");
    check(pass, "constraints=0:9223372036854775808",
          "'constraints': Failed to parse output index: 9223372036854775808");
    check(pass, "constraints='{0:1'", "'constraints': the bracket or quote is not closed");
  }
  check("-mpmd-import-pipeline", "input-output-constraints=0",
        "'input-output-constraints': Failed to parse output index: ");
}

TEST_CASE("numbers and switches that are none") {
  check("-mpmd-infer-mesh-validate-src-set-not-empty", "error-limit=1.5",
        "'error-limit': '1.5' is not an integer of this option's range");
  check("-mpmd-infer-mesh-finalize", "infer-transfers=yes",
        "'infer-transfers': 'yes' is neither true nor false");
}

TEST_CASE("merge rules that cannot be read") {
  auto rules = [](std::string const& text, std::string const& said) {
    check("-mpmd-rule-based-merge", "rules={" + text + "}", "'rules': " + said);
  };
  std::string const f = "FragmentInfo(origins=[\"f\"],mesh_name=\"m\")",
                    two = "FragmentMergeRule(sources=[" + f + "," + f + "],target=" + f + ")";
  rules("FragmentMergeRule(sources=[" + f + "],target=" + f + ")", "a rule needs two sources at least");
  rules(two + " " + two, "expected ',' between rules");
  rules("FragmentMergeRule(sources=[" + f + "," + f + "])", "expected ','");
  rules("FragmentMergeRule(sources=[FragmentInfo(stage=x)])", "expected a number");
  rules("FragmentMergeRule(sources=[FragmentInfo(split_type=kKeep)])",
        "expected kKeepTransferred or kDropTransferred");
  rules("FragmentMergeRule(sources=[FragmentInfo(name=\"f\")])",
        "expected origins, stage, call_counter, split_type or mesh_name");
}

}  // namespace option_diagnostics_test
