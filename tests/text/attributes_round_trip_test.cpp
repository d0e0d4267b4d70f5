#include <doctest/doctest.h>

#include "text/support/attribute_text.hpp"
#include "text/support/random_attributes.hpp"

namespace attributes_round_trip_test {

namespace {

using mpmd::testing::random_attributes;
using mpmd::testing::read_attribute;
using mpmd::text::mlir::to_string;

TEST_CASE("any attribute reads back as itself, in its own context and in another") {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    mpmd::ir::context in, other;
    random_attributes random(in, seed);
    auto const made = random.attribute();
    std::string const text = to_string(in, made);
    CAPTURE(text);
    auto const again = read_attribute(in, text);
    REQUIRE(again.errors == std::vector<std::string>{});
    REQUIRE(again.whole);
    REQUIRE(again.value == made);
    auto const elsewhere = read_attribute(other, text);
    REQUIRE(other.hash_of(elsewhere.value) == in.hash_of(made));
    REQUIRE(to_string(other, elsewhere.value) == text);
  }
}

TEST_CASE("any type reads back as itself, alone and inside of other things") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    mpmd::ir::context in;
    random_attributes random(in, seed);
    auto const made = in.get(mpmd::ir::type_attr{random.type()});
    auto const inside = in.get(mpmd::ir::array_attr{{made, in.dictionary({{in.intern("t"), made}})}});
    std::string const text = to_string(in, inside);
    CAPTURE(text);
    auto const again = read_attribute(in, text);
    REQUIRE(again.errors == std::vector<std::string>{});
    REQUIRE(again.value == inside);
  }
}

TEST_CASE("foreign text is the same however it is spaced, and reads back as itself") {
  std::vector<std::string> const tokens = {"a",  "bc.d", "12", "1.0e-5",  "\"s  t\"", ",",  "=",
                                           ":",  "->",   "-",  "x",       "?",        "::", "@s",
                                           "#t", "!u",   "%v", "4x8xf32", "*",        "|"};
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    mpmd::ir::context in;
    random_attributes random(in, seed);
    std::string tight = "#foo.bar<", loose = tight, open;
    for (auto n = random.below(12); n > 0; --n) {
      std::string token = tokens[random.below(tokens.size())];
      if (random.below(4) == 0) {
        auto const kind = random.below(3);
        token = "([{"[kind];
        open += ")]}"[kind];
      } else if (!open.empty() && random.below(3) == 0) {
        token = open.back();
        open.pop_back();
      }
      // Something must keep words and marks apart that would be one token side by side.
      tight += ' ' + token;
      loose += std::string(1 + random.below(3), ' ') + (random.below(8) == 0 ? "// <\n" : "") + token;
    }
    std::string close(open.rbegin(), open.rend());
    tight += ' ' + close + " >";  // a mark '-' and a bracket must not become an arrow
    loose += ' ' + close + " \n>";
    CAPTURE(loose);
    auto const a = read_attribute(in, tight), b = read_attribute(in, loose);
    REQUIRE(a.errors == std::vector<std::string>{});
    REQUIRE(a.value == b.value);
    std::string const text = to_string(in, a.value);
    CAPTURE(text);
    auto const again = read_attribute(in, text);
    REQUIRE(again.errors == std::vector<std::string>{});
    REQUIRE(to_string(in, again.value) == text);
  }
}

}  // namespace

}  // namespace attributes_round_trip_test
