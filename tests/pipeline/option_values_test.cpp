// The text of options: how values are cut out of it, read and printed, and where errors are said to be.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/pipeline/canonicalize_options.hpp>
#include <mpmd/pipeline/import_pipeline.hpp>
#include <mpmd/pipeline/placement_options.hpp>
#include <mpmd/pipeline/rule_options.hpp>

namespace option_values_test {
namespace {

using mpmd::index_to_mesh_map;
using mpmd::io_constraint;
using mpmd::name_to_mesh_map;

struct placing_pass {
  name_to_mesh_map names;
  index_to_mesh_map inputs;
  std::vector<io_constraint> constraints;
  bool clone = false;
  std::int64_t limit = 3;
  std::string prefix;
  static constexpr std::string_view name = "placing";
  static constexpr auto options = std::tuple{mpmd::option{"names", &placing_pass::names, ""},
                                             mpmd::option{"inputs", &placing_pass::inputs, ""},
                                             mpmd::option{"constraints", &placing_pass::constraints, ""},
                                             mpmd::option{"clone", &placing_pass::clone, ""},
                                             mpmd::option{"limit", &placing_pass::limit, ""},
                                             mpmd::option{"prefix", &placing_pass::prefix, ""}};
};

struct outcome {
  placing_pass pass;
  std::vector<std::string> said;  // column: message
};
outcome parse(std::string_view text) {
  outcome o;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) {
    o.said.push_back(std::to_string(d.where.column) + ": " + d.message);
    CHECK(d.where.line_text == text);
    CHECK(d.id == "option");
  });
  bool const good = mpmd::parse_options(o.pass, text, diags);
  CHECK(good == o.said.empty());
  return o;
}

name_to_mesh_map names(std::string_view text) {
  name_to_mesh_map found;
  auto const error = mpmd::option_value<name_to_mesh_map>::parse(text, found);
  CHECK_MESSAGE(error.message.empty(), error.message);
  return found;
}
index_to_mesh_map indices(std::string_view text) {
  index_to_mesh_map found;
  auto const error = mpmd::option_value<index_to_mesh_map>::parse(text, found);
  CHECK_MESSAGE(error.message.empty(), error.message);
  return found;
}
std::vector<io_constraint> constraints(std::string_view text) {
  std::vector<io_constraint> found;
  auto const error = mpmd::option_value<std::vector<io_constraint>>::parse(text, found);
  CHECK_MESSAGE(error.message.empty(), error.message);
  return found;
}

}  // namespace

TEST_CASE("names are mapped to meshes and stages") {
  CHECK(names("") == name_to_mesh_map{});
  CHECK(names("n0@m0,n1@m1") == name_to_mesh_map{{"n0", {"m0"}}, {"n1", {"m1"}}});
  CHECK(names("n0@m0/0,n1@m1/1") == name_to_mesh_map{{"n0", {"m0", 0}}, {"n1", {"m1", 1}}});
  CHECK(names("x@m1#pinned_host,f@m1#device/3") ==
        name_to_mesh_map{{"x", {"m1#pinned_host"}}, {"f", {"m1#device", 3}}});
  CHECK(names("f@m/-2") == name_to_mesh_map{{"f", {"m", -2}}});
  CHECK(names("f@m,") == name_to_mesh_map{{"f", {"m"}}});
  CHECK(names("  f@m , g h@n/1  ") == name_to_mesh_map{{"f", {"m"}}, {"g h", {"n", 1}}});
  CHECK(names("f@a@b") == name_to_mesh_map{{"f", {"a@b"}}});
  CHECK(names("@m,f@") == name_to_mesh_map{{"", {"m"}}, {"f", {""}}});
}

TEST_CASE("a later item replaces an earlier one of the same name") {
  CHECK(names("f@m1/1,f@m2") == name_to_mesh_map{{"f", {"m2"}}});
  CHECK(indices("3@a,3@b") == index_to_mesh_map{{3, "b"}});
}

TEST_CASE("a mesh may hold a slash: a stage stands behind the last one and begins like a number") {
  CHECK(names("f@m/cpu") == name_to_mesh_map{{"f", {"m/cpu"}}});
  CHECK(names("f@m/cpu/2") == name_to_mesh_map{{"f", {"m/cpu", 2}}});
  CHECK(names("f@m/cpu#pinned_host/2") == name_to_mesh_map{{"f", {"m/cpu#pinned_host", 2}}});
  CHECK(names("f@m/2/cpu") == name_to_mesh_map{{"f", {"m/2/cpu"}}});
}

TEST_CASE("quotes keep names and meshes whole") {
  CHECK(names("'a,b@c'@m") == name_to_mesh_map{{"a,b@c", {"m"}}});
  CHECK(names("\" f \"@'m/1'") == name_to_mesh_map{{" f ", {"m/1"}}});
  CHECK(names("f@'m/1'/2") == name_to_mesh_map{{"f", {"m/1", 2}}});
  CHECK(names(R"('it\'s \\'@"m\"")") == name_to_mesh_map{{R"(it's \)", {"m\""}}});
  CHECK(indices("0@'a,b'") == index_to_mesh_map{{0, "a,b"}});
}

TEST_CASE("indices are mapped to meshes, everything behind the @ being the mesh") {
  CHECK(indices("") == index_to_mesh_map{});
  CHECK(indices("1@m1, 0@m1/cpu,10@m2#pinned_host") ==
        index_to_mesh_map{{0, "m1/cpu"}, {1, "m1"}, {10, "m2#pinned_host"}});
  CHECK(indices("-1@m,0@m/1") == index_to_mesh_map{{-1, "m"}, {0, "m/1"}});
  CHECK(mpmd::index_to_mesh({"a", std::nullopt, "b"}) == index_to_mesh_map{{0, "a"}, {2, "b"}});
}

TEST_CASE("constraints pair inputs with outputs, in order") {
  CHECK(constraints("") == std::vector<io_constraint>{});
  CHECK(constraints("2:1,0:0") == std::vector<io_constraint>{{2, 1}, {0, 0}});
  CHECK(constraints("{2:1},'0:0',\"3:3\"") == std::vector<io_constraint>{{2, 1}, {0, 0}, {3, 3}});
  CHECK(io_constraint{} == io_constraint{-1, -1});
}

TEST_CASE(
    "values are printed so that they read back as they were, in order and without blanks between items") {
  auto printed = [](name_to_mesh_map const& m) { return mpmd::option_value<name_to_mesh_map>::print(m); };
  CHECK(printed({{"f2", {"m2", 1}}, {"f1", {"m1"}}}) == "f1@m1,f2@m2/1");
  CHECK(printed({{"f", {"m/cpu"}}}) == "f@m/cpu");
  CHECK(printed({{"f", {"m/1"}}}) == "f@'m/1'");
  CHECK(printed({{"a@b", {"x/", 4}}}) == "'a@b'@'x/'/4");
  CHECK(printed({{"it's", {"m"}}}) == R"('it\'s'@m)");
  CHECK(mpmd::option_value<index_to_mesh_map>::print({{2, "b"}, {10, "m/1"}, {1, "a b"}}) ==
        "1@'a b',2@b,10@m/1");
  CHECK(mpmd::option_value<std::vector<io_constraint>>::print({{2, 1}, {0, 0}}) == "2:1,0:0");

  placing_pass pass;
  pass.names = {{"it's \"", {"m {1"}}, {"b\\", {"m/7", 7}}, {"", {""}}};
  pass.inputs = {{0, "x y"}, {-4, ",'"}};
  pass.constraints = {{1, 2}, {3, 4}};
  pass.clone = true;
  std::string const text = mpmd::print_options(pass);
  auto const again = parse(text);
  CHECK_MESSAGE(again.said.empty(), text);
  CHECK(again.pass.names == pass.names);
  CHECK(again.pass.inputs == pass.inputs);
  CHECK(again.pass.constraints == pass.constraints);
  CHECK(again.pass.clone);
}

TEST_CASE("a pass takes its options as MLIR writes them") {
  auto const o =
      parse("names=f@m1,g@m2/1 inputs={0@a, 1@b} constraints=0:0 clone constraints=1:1,2:2 limit=-1");
  CHECK(o.said.empty());
  CHECK(o.pass.names == name_to_mesh_map{{"f", {"m1"}}, {"g", {"m2", 1}}});
  CHECK(o.pass.inputs == index_to_mesh_map{{0, "a"}, {1, "b"}});
  CHECK(o.pass.constraints ==
        std::vector<io_constraint>{{0, 0}, {1, 1}, {2, 2}});  // a list given twice goes on
  CHECK(o.pass.clone);
  CHECK(o.pass.limit == -1);
  // Of a value given twice the last one counts.
  CHECK(parse("names=f@m1 names=g@m2").pass.names == name_to_mesh_map{{"g", {"m2"}}});
  // A pair of quotes or braces around a whole value is taken off, and only then.
  CHECK(parse("names='f@m1, g@m2'").pass.names == name_to_mesh_map{{"f", {"m1"}}, {"g", {"m2"}}});
  CHECK(parse("names='f 1'@'m 1'").pass.names == name_to_mesh_map{{"f 1", {"m 1"}}});
  CHECK(parse("names={'f 1'@'m 1'}").pass.names == name_to_mesh_map{{"f 1", {"m 1"}}});
  CHECK(parse("constraints={0:1},{1:0}").pass.constraints == std::vector<io_constraint>{{0, 1}, {1, 0}});
  CHECK(parse("clone=1").pass.clone);
  CHECK_FALSE(parse("clone=False").pass.clone);
}

TEST_CASE("errors in options tell what is wrong and in which column") {
  struct {
    std::string_view text;
    std::string_view said;
  } const cases[] = {
      {"names=f1",
       "7: option 'names': Assignment must contain '@' denoting a name assigned to a mesh (and stage), got: "
       "f1"},
      {"names=f@m,g,h@m",
       "11: option 'names': Assignment must contain '@' denoting a name assigned to a mesh (and stage), got: "
       "g"},
      {"names=f@m,,g@m",
       "11: option 'names': Assignment must contain '@' denoting a name assigned to a mesh (and stage), "
       "got: "},
      {"names=,",
       "7: option 'names': Assignment must contain '@' denoting a name assigned to a mesh (and stage), "
       "got: "},
      {"names={f@m, }",
       "13: option 'names': Assignment must contain '@' denoting a name assigned to a mesh (and stage), "
       "got: "},
      {"limit=1 names=f@m/1x", "19: option 'names': Failed to parse stage number: 1x"},
      {"names=f@m/", "11: option 'names': Failed to parse stage number: "},
      {"names=f@m/+1", "11: option 'names': Failed to parse stage number: +1"},
      {"names='f@m/ 1'", "12: option 'names': Failed to parse stage number:  1"},
      {"names=f@m/9223372036854775808",
       "11: option 'names': Failed to parse stage number: 9223372036854775808"},
      {"names=f@'m'/cpu", "13: option 'names': Failed to parse stage number: cpu"},
      {"names=f@'m'x,g@m", "12: option 'names': expected ',' before 'x,g@m'"},
      {"inputs=0",
       "8: option 'inputs': Assignment must contain '@' denoting a name assigned to a mesh, got: 0"},
      {"inputs=0@m,x@m", "12: option 'inputs': Failed to parse index: x"},
      {"inputs=@m", "8: option 'inputs': Failed to parse index: "},
      {"inputs=99999999999999999999@m", "8: option 'inputs': Failed to parse index: 99999999999999999999"},
      {"constraints=a:0", "13: option 'constraints': Failed to parse input index: a"},
      {"constraints=0:0,1:b", "19: option 'constraints': Failed to parse output index: b"},
      {"constraints=0", "14: option 'constraints': Failed to parse output index: "},
      {"constraints=0:1:2", "15: option 'constraints': Failed to parse output index: 1:2"},
      {"constraints=0:1,", ""},
      {"constraints='{0:1'", "14: option 'constraints': the bracket or quote is not closed"},
      {"names=\"f@'m\"", "10: option 'names': the quote is not closed"},
      {"clone=yes", "7: option 'clone': 'yes' is neither true nor false"},
      {"limit=1.5", "7: option 'limit': '1.5' is not an integer of this option's range"},
      {"nmaes=f@m", "1: no such option: 'nmaes'"},
      {"names={f@m", "11: a bracket or quote is not closed"},
      {"names='f@m", "11: a bracket or quote is not closed"},
  };
  for (auto const& c : cases) {
    CAPTURE(c.text);
    auto const o = parse(c.text);
    CHECK(o.said == (c.said.empty() ? std::vector<std::string>{} : std::vector{std::string(c.said)}));
  }
  name_to_mesh_map to;
  auto const error = mpmd::option_value<name_to_mesh_map>::parse("f@m,'g@m", to);
  CHECK(error.message == "the quote is not closed");
  CHECK(error.at == 4);
}

TEST_CASE("an option that is no good, alone or beside another, is reported where the user wrote it") {
  auto said_of = []<class Pass>(Pass made, std::string_view text) {
    std::vector<std::string> said;
    mpmd::diagnostics diags([&](mpmd::diagnostic const& d) {
      CHECK(d.where.file == "<options of " + std::string(Pass::name) + ">");
      said.push_back(std::to_string(d.where.column) + ": " + d.message);
    });
    bool const good = mpmd::parse_options(made, text, diags);
    CHECK(good == said.empty());
    return said;
  };
  using messages = std::vector<std::string>;
  messages const both{"20: option 'merge-sideways': merge-any-consumer and merge-sideways cannot both be set: run the pass "
                      "twice, once with each"};
  CHECK(said_of(mpmd::merge_inferred_fragments{}, "merge-any-consumer merge-sideways") == both);
  CHECK(said_of(mpmd::merge_inferred_fragments{}, "merge-any-consumer merge-sideways merge-any-consumer=false").empty());
  auto limit = [](int column, int n) {
    return messages{std::to_string(column) +
                    ": option 'error-limit': it must be positive, or -1 for no limit, as the check cannot be turned off; it is " +
                    std::to_string(n)};
  };
  CHECK(said_of(mpmd::import_options{}, "max-clones=2 error-limit=0") == limit(26, 0));
  CHECK(said_of(mpmd::import_options{}, "error-limit=5 error-limit=-2") == limit(27, -2));
  CHECK(said_of(mpmd::import_options{}, "error-limit=-2 error-limit=-1").empty());
  CHECK(said_of(mpmd::assign_mesh_func_leaves{}, "error-limit=0") == limit(13, 0));
  CHECK(said_of(mpmd::validate_src_set_not_empty{}, "error-limit=0") == limit(13, 0));
  CHECK(said_of(mpmd::validate_no_additional_transfers_needed{}, "error-limit=0") == limit(13, 0));
  // What cannot be read is said first, and alone.
  CHECK(said_of(mpmd::import_options{}, "error-limit=0 max-clones=x") ==
        messages{"26: option 'max-clones': 'x' is not an integer of this option's range"});
}

TEST_CASE("canonicalize takes the options that mlir-opt gives it, and switches") {
  using level = mpmd::region_simplification;
  auto read = [](std::string_view text, level expected) {
    mpmd::canonicalize pass;
    mpmd::diagnostics diags;
    CHECK(mpmd::parse_options(pass, text, diags));
    CHECK(pass.simplify_regions == expected);
    return pass;
  };
  read("", level::normal);
  read("region-simplify=disabled", level::disabled);
  read("region-simplify=normal", level::normal);
  read("region-simplify=aggressive", level::aggressive);
  read("region-simplify=false", level::disabled);
  read("region-simplify=true", level::normal);
  read("region-simplify", level::normal);
  auto const all = read("max-iterations=-1 region-simplify=disabled top-down=false", level::disabled);
  CHECK(all.max_iterations == -1);
  CHECK_FALSE(all.top_down);
  CHECK(mpmd::print_options(all) == "region-simplify=disabled max-iterations=-1 top-down=false");
  mpmd::canonicalize pass;
  std::string said;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { said = std::to_string(d.where.column) + ": " + d.message; });
  CHECK_FALSE(mpmd::parse_options(pass, "region-simplify=some", diags));
  CHECK(said == "17: option 'region-simplify': 'some' is none of disabled, normal and aggressive");
}

TEST_CASE("merge rules read back whatever names hold") {
  std::vector<mpmd::fragment_merge_rule> const rules{
      {{{.origins = {{"a\"b\\", 2}, {"(", 0}}, .mesh = "m\"1"}, {.origins = {{"c d", 0}}, .call_counter = 3, .mesh = "m\"1"}},
       {.stage = -1, .split = mpmd::split_part::second, .mesh = "m\"1"}}};
  std::vector<mpmd::fragment_merge_rule> again;
  using value = mpmd::option_value<std::vector<mpmd::fragment_merge_rule>>;
  CHECK(value::parse(value::print(rules), again).message == "");
  CHECK(again == rules);
}

TEST_CASE("errors in merge rules tell what is wrong and where") {
  std::string const f = "FragmentInfo(origins=[\"f\"(1)],stage=2,mesh_name=\"m\")";
  std::string const rule = "FragmentMergeRule(sources=[" + f + ", " + f + "], target=" + f + ")";
  auto read = [](std::string const& text) {
    std::vector<mpmd::fragment_merge_rule> to;
    auto const error = mpmd::option_value<std::vector<mpmd::fragment_merge_rule>>::parse(text, to);
    return std::to_string(error.at) + ": " + error.message;
  };
  CHECK(read(rule + "," + rule) == "0: ");
  CHECK(read("Rule") == "0: expected 'FragmentMergeRule'");
  CHECK(read(rule + ' ' + rule) == std::to_string(rule.size() + 1) + ": expected ',' between rules");
  CHECK(read("FragmentMergeRule(sources=[" + f + "],target=" + f + ")") ==
        std::to_string(37 + 2 * f.size()) + ": a rule needs two sources at least");
  CHECK(read("FragmentMergeRule(sources=[" + f + "])") == std::to_string(28 + f.size()) + ": expected ','");
  std::string const start = "FragmentMergeRule(sources=[FragmentInfo(";  // 40 characters
  CHECK(read(start + "origins=[f]") == "49: expected '\"'");
  CHECK(read(start + "mesh_name=\"m)])") == "51: the quote is not closed");
  CHECK(read(start + "stage=x)") == "46: expected a number");
  CHECK(read(start + "call_counter=-1)") == "53: expected a number");
  CHECK(read(start + "call_counter=4294967296)") == "53: expected a number");
  CHECK(read(start + "split_type=kKeep)") == "51: expected kKeepTransferred or kDropTransferred");
  CHECK(read(start + "name=1)") == "40: expected origins, stage, call_counter, split_type or mesh_name");
  CHECK(read(start) == "40: expected origins, stage, call_counter, split_type or mesh_name");
}

}  // namespace option_values_test
