#include <doctest/doctest.h>

#include "text/support/attribute_text.hpp"

namespace locations_test {

namespace {

using mpmd::testing::error_of;
using mpmd::testing::reprinted;

TEST_CASE("locations print as they are written") {
  for (std::string const text :
       {"loc(unknown)", "loc(\"f.py\":3:7)", "loc(\"f.py\":3:7 to :9)", "loc(\"f.py\":3:7 to 4:2)",
        "loc(\"name\")", "loc(\"name\"(\"f.py\":3:7))", "loc(\"a\"(\"b\"(\"c\")))",
        "loc(fused[\"a\", \"b\":1:2])", "loc(fused<\"meta\">[\"a\"])", "loc(fused<1 : i64>[\"a\", \"b\"])",
        "loc(callsite(\"f\" at \"g\":1:2))", "loc(callsite(\"f\" at callsite(\"g\" at \"h\")))",
        "loc(\"\\22\\0A\")"})
    CHECK(reprinted(text) == text);
  CHECK(reprinted("loc( \"f\" : 3 : 7 to 3 : 9 )") == "loc(\"f\":3:7 to :9)");
  CHECK(reprinted("{where = loc(\"f\":3:7)}") == "{where = loc(\"f\":3:7)}");
}

TEST_CASE("locations that say nothing more are simplified") {
  CHECK(reprinted("loc(\"a\"(unknown))") == "loc(\"a\")");
  CHECK(reprinted("loc(fused[])") == "loc(unknown)");
  CHECK(reprinted("loc(fused[unknown])") == "loc(unknown)");
  CHECK(reprinted("loc(fused[\"a\", unknown])") == "loc(\"a\")");
  CHECK(reprinted("loc(fused[\"b\", \"a\", \"b\"])") == "loc(fused[\"b\", \"a\"])");
  CHECK(reprinted("loc(fused[fused[\"a\", \"b\"], \"c\"])") == "loc(fused[\"a\", \"b\", \"c\"])");
  CHECK(reprinted("loc(fused<1>[fused[\"a\", \"b\"], \"c\"])") ==
        "loc(fused<1 : i64>[fused[\"a\", \"b\"], \"c\"])");
  CHECK(reprinted("loc(fused<1>[])") == "loc(fused<1 : i64>[unknown])");
}

TEST_CASE("locations that are not well-formed") {
  CHECK(error_of("loc \"a\"") == "1:5: expected '('");
  CHECK(error_of("loc()") == "1:5: expected location instance");
  CHECK(error_of("loc(\"a\"") == "1:8: expected ')'");
  CHECK(error_of("loc(\"a\":x:1)") == "1:9: expected integer line number in FileLineColLoc");
  CHECK(error_of("loc(\"a\":4294967296:1)") == "1:9: expected integer line number in FileLineColLoc");
  CHECK(error_of("loc(\"a\":1)") == "1:10: expected ':' in FileLineColLoc");
  CHECK(error_of("loc(\"a\":1:)") == "1:11: expected integer column number in FileLineColLoc");
  CHECK(error_of("loc(\"a\":1:1 to x)") == "1:16: expected integer end line number in FileLineColLoc");
  CHECK(error_of("loc(\"a\":1:1 to 2)") == "1:17: expected ':' in FileLineColLoc");
  CHECK(error_of("loc(\"a\"(\"b\")") == "1:13: expected ')'");
  CHECK(error_of("loc(callsite \"a\" at \"b\")") == "1:14: expected '('");
  CHECK(error_of("loc(callsite(\"a\" \"b\"))") == "1:18: expected 'at' in callsite location");
  CHECK(error_of("loc(fused(\"a\"))") == "1:10: expected '['");
  CHECK(error_of("loc(fused<1[\"a\"])") == "1:12: expected '>' after fused location metadata");
  CHECK(error_of("#a = 1\nloc(#a)") == "2:5: expected location attribute");
  CHECK(error_of("loc(#a)") == "1:5: undefined symbol alias id 'a'");
}

/// Reads `loc(...)` texts and alias definitions line by line, as they stand in a program.
struct program_text {
  mpmd::ir::context in;
  std::vector<std::string> errors;
  std::vector<std::string> locations;
  bool sound = true;

  explicit program_text(std::string text) {
    mpmd::diagnostics diags([this](mpmd::diagnostic const& d) {
      errors.push_back(std::to_string(d.where.line) + ':' + std::to_string(d.where.column) + ": " +
                       d.message);
    });
    mpmd::text::mlir::reader r(in, diags, in.sources.add("t", std::move(text)).first);
    std::vector<mpmd::ir::attribute> found;
    while (!r.in.at_end() && errors.empty()) {
      if (r.at_alias_definition()) {
        sound = r.parse_alias_definition() && sound;
      } else if (auto const where = r.parse_optional_location()) {
        found.push_back(*where);
      } else {
        break;
      }
    }
    if (!errors.empty()) return;
    sound = r.finish_locations();
    for (auto where : found) {
      std::string out;
      mpmd::text::mlir::print_location(out, in, r.resolve_location(where));
      locations.push_back(out);
    }
  }
};
using list = std::vector<std::string>;

TEST_CASE("location aliases may be used before they are defined, in other locations too") {
  program_text const p(R"(
loc(#loc)
loc("n"(#loc1))
loc(fused[#loc1, "x", #loc, #loc2])
loc(callsite(#loc1 at #loc2))
#loc2 = loc("two"(#loc1))
loc(#loc2)
#loc1 = loc("one":1:2)
#loc = loc(unknown)
loc(#loc1)
)");
  CHECK(p.errors == list{});
  CHECK(p.sound);
  CHECK(p.locations == list{"unknown", R"("n"("one":1:2))", R"(fused["one":1:2, "x", "two"("one":1:2)])",
                            R"(callsite("one":1:2 at "two"("one":1:2)))", R"("two"("one":1:2))",
                            R"("one":1:2)"});
}

TEST_CASE("an alias that never comes is an error where it was used first") {
  program_text const p("loc(#b)\nloc(\"x\"(#a))\nloc(#a)\n#b = loc(\"b\")");
  CHECK_FALSE(p.sound);
  CHECK(p.errors == list{"2:9: operation location alias was never defined"});
  CHECK(p.locations == list{R"("b")", R"("x")", "unknown"});
}

TEST_CASE("a location that contains itself is an error") {
  program_text const p("loc(#a)\n#a = loc(\"a\"(#b))\n#b = loc(\"b\"(#a))");
  CHECK_FALSE(p.sound);
  CHECK(p.errors == list{"1:5: location alias refers to itself"});
  program_text const self("#a = loc(#a)\nloc(#a)");
  CHECK(self.errors == list{"1:10: location alias refers to itself"});
  CHECK(self.locations == list{"unknown"});
}

TEST_CASE("nesting through aliases is bounded, whatever their order") {
  auto chain = [](int length, bool forward) {
    std::string text;
    for (int i = 0; i < length; ++i) {
      int const at = forward ? i : length - 1 - i;
      text += "#l" + std::to_string(at) + " = loc(\"" + std::to_string(at) + "\"";
      text += at + 1 < length ? "(#l" + std::to_string(at + 1) + "))\n" : ")\n";
    }
    return text + "loc(#l0)";
  };
  for (bool const forward : {false, true}) {
    CHECK(program_text(chain(50, forward)).errors == list{});
    program_text const deep(chain(1000, forward));
    REQUIRE(deep.errors.size() >= 1);
    CHECK(deep.errors[0].ends_with(": nested too deeply"));
  }
  program_text const long_chain(chain(100000, true));
  CHECK(long_chain.errors.size() >= 1);
}

TEST_CASE("a location alias in an attribute must have been defined") {
  CHECK(reprinted("#l = loc(\"a\")\n{x = #l, y = loc(#l), z = loc(\"b\"(#l))}") ==
        "{x = loc(\"a\"), y = loc(\"a\"), z = loc(\"b\"(\"a\"))}");
  CHECK(error_of("#l = loc(\"a\"(#m))\n#m = loc(\"m\")\n{x = #l}") ==
        "3:6: a location used here must not refer to one that is defined later");
  CHECK(error_of("#l = loc(\"a\"(#m))\n#m = loc(\"m\")\n{x = loc(#l)}") ==
        "3:10: a location used here must not refer to one that is defined later");
  CHECK(reprinted("#l = loc(\"a\")\n#foo.bar<loc(#l), #l>") == "#foo.bar<loc(\"a\"), loc(\"a\")>");
}

}  // namespace

}  // namespace locations_test
