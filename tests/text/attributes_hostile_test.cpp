#include <doctest/doctest.h>

#include <chrono>

#include "text/support/attribute_text.hpp"
#include "text/support/random_attributes.hpp"

namespace attributes_hostile_test {

namespace {

using mpmd::testing::error_of;
using mpmd::testing::errors_of;
using mpmd::testing::read_attribute;
using mpmd::testing::reprinted;

std::string repeated(std::string_view text, int times) {
  std::string made;
  for (int i = 0; i < times; ++i) made += text;
  return made;
}

std::string const rich =
    "!t = tensor<4x?xf32, #foo.bar<\"a\", [1]>>\n"
    "#l = loc(\"n\"(\"f\":1:2 to :3))\n"
    "#m = #sdy.mesh<[\"x\"=2, \"y\"=2], device_ids=[3, 2, 1, 0]>\n"
    "{a = [1 : i32, -2.5e3, true, \"s\\22\\\\\", unit], b = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>,\n"
    " c = dense<\"0x0102\"> : tensor<2xi8>, d = array<f32: 1.0, 0x7FC00000>, e = (!t, vector<[4]xi1>) -> "
    "tuple<>,\n"
    " f = #sdy.sharding<mesh#m, [{\"x\", ?}p1, {\"y\":(1)2}], replicated={\"z\"}, unreduced=max{\"w\"}>,\n"
    " g = !mpmd.mesh_tensor<\"m\", tensor<2xf32>, sharding=<@m, [{}]>, memory_kind=\"device\">,\n"
    " h = #mpmd.topology<<\"m1\" : <[\"x\"=2]>>, <\"m2\" : #m>>, i = #mpmd<mesh_with_origins\"m\"[\"o\"]>,\n"
    " j = affine_map<(d0) -> (d0 + 1)>, k = loc(fused<1>[#l, callsite(\"a\" at unknown)]), // why\n"
    " l = @a::@\"b c\", m = #mpmd.user_origin<\"u\"(2)>, n = dense<(1.0, 2.0)> : tensor<complex<f64>>}";

TEST_CASE("a text cut off anywhere is an error, reported once or with what it spoils") {
  CHECK(errors_of(rich) == std::vector<std::string>{"no error"});
  for (std::size_t size = 0; size < rich.size(); ++size) {
    auto const errors = errors_of(rich.substr(0, size));
    CAPTURE(size);
    REQUIRE(!errors.empty());
    REQUIRE(errors[0] != "no error");
    REQUIRE(errors.back() != "a value in spite of errors");
    REQUIRE(errors.size() <= 4);
  }
}

TEST_CASE("a byte changed anywhere is read or reported, never more") {
  for (std::size_t at = 0; at < rich.size(); ++at) {
    for (char const c : {'\0', '\xff', '"', '<', '>', ']', '#', '!', '\\', '9', '-', '\n'}) {
      std::string text = rich;
      text[at] = c;
      mpmd::ir::context in;
      auto const read = read_attribute(in, std::move(text));
      REQUIRE((read.value ? read.errors.empty() : !read.errors.empty()));
    }
  }
}

TEST_CASE("bytes deleted and moved around") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    mpmd::ir::context in;
    mpmd::testing::random_attributes random(in, seed);
    std::string text = rich;
    for (int edits = 0; edits < 3; ++edits) {
      auto const from = random.below(text.size()), size = random.below(12), to = random.below(text.size());
      std::string const piece = text.substr(from, size);
      if (random.coin()) text.erase(from, size);
      text.insert(std::min<std::size_t>(to, text.size()), piece);
    }
    auto const read = read_attribute(in, std::move(text));
    REQUIRE((read.value ? read.errors.empty() : !read.errors.empty()));
  }
}

TEST_CASE("nesting is bounded, in every construct that nests") {
  struct construct {
    std::string open, middle, close;
  };
  for (construct const& c : {construct{"[", "1", "]"},
                             {"{a = ", "1", "}"},
                             {"tuple<", "i32", ">"},
                             {"() -> (", "i32", ")"},
                             {"tensor<1xf32, ", "1", ">"},
                             {"[{a = tensor<1xf32, ", "1", ">}]"},
                             {"loc(fused<", "1", ">[\"a\"])"},
                             {"!mpmd.mesh_tensor<\"m\", tensor<1xf32, ", "1", ">>"}}) {
    auto nested = [&](int depth) { return repeated(c.open, depth) + c.middle + repeated(c.close, depth); };
    CAPTURE(c.open);
    CHECK(errors_of(nested(30)) == std::vector<std::string>{"no error"});
    CHECK(error_of(nested(129)).ends_with(": nested too deeply"));
    CHECK(error_of(nested(20000)).ends_with(": nested too deeply"));
  }
  CHECK(errors_of("loc(" + repeated("\"a\"(", 100) + "\"b\"" + repeated(")", 100) + ")") ==
        std::vector<std::string>{"no error"});
  CHECK(error_of("loc(" + repeated("\"a\"(", 5000) + "\"b\"" + repeated(")", 5000) + ")")
            .ends_with("nested too deeply"));
  CHECK(error_of("loc(" + repeated("callsite(\"a\" at ", 5000)).ends_with("nested too deeply"));
  CHECK(error_of("dense<" + repeated("[", 5000) + ">: tensor<1xi8>").ends_with("nested too deeply"));
  CHECK(reprinted("#a.b<" + repeated("[", 100000) + repeated("]", 100000) + ">").size() == 200006);
}

TEST_CASE("aliases count with what they stand for, so chains of them cannot grow without bound") {
  std::string deep = "#a0 = 1\n", wide = "#a0 = [1, 1, 1, 1, 1, 1, 1, 1]\n", types = "!t0 = i32\n",
              text = wide;
  for (int i = 1; i <= 200; ++i) {
    std::string const last = "#a" + std::to_string(i - 1), now = "#a" + std::to_string(i);
    std::string const last_type = "!t" + std::to_string(i - 1);
    deep += now + " = [" + last + "]\n";
    wide += now + " = [" + last + ", " + last + ", " + last + ", " + last + "]\n";
    types += "!t" + std::to_string(i) + " = tuple<" + last_type + ">\n";
    text += now + " = #foo.bar<" + last + ", " + last + ">\n";
  }
  CHECK(error_of(deep).ends_with("nested too deeply"));
  CHECK(error_of(types).ends_with("nested too deeply"));
  CHECK(error_of(wide).ends_with("too large with its aliases written out"));
  CHECK(error_of(text).ends_with("too large with its aliases written out"));
}

TEST_CASE("long texts take time in proportion: a million entries, a bracket deep or side by side") {
  auto const start = std::chrono::steady_clock::now();
  int const n = 200000;
  std::string dictionary, entries;
  for (int i = 0; i < n; ++i) dictionary += (i ? ", k" : "k") + std::to_string(i) + " = " + std::to_string(i);
  CHECK(errors_of("{" + dictionary + "}") == std::vector<std::string>{"no error"});
  CHECK(errors_of("[" + repeated("1,", n) + "1]") == std::vector<std::string>{"no error"});
  CHECK(errors_of("#a.b<" + repeated("<a=[1]>,", n) + "1>") == std::vector<std::string>{"no error"});
  CHECK(errors_of("#mpmd.topology<" + repeated("<\"m\":<[\"x\"=2]>>,", n) + "<\"m\":<[]>>>") ==
        std::vector<std::string>{"no error"});
  CHECK(error_of("#mpmd.topology<" + repeated("<\"m\":<[\"x\"=2]>>,", n)) ==
        "1:15: unbalanced '<' character in pretty dialect name");
  CHECK(errors_of("dense<[" + repeated("1,", n) + "2]> : tensor<" + std::to_string(n + 1) + "xi8>") ==
        std::vector<std::string>{"no error"});
  // Quadratic time would take minutes.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
}

TEST_CASE("numbers of any length") {
  CHECK(error_of(repeated("9", 100000)) == "1:1: integer constant out of range for attribute");
  CHECK(error_of("0x" + repeated("F", 100000)) == "1:1: integer constant out of range for attribute");
  CHECK(reprinted("0x" + repeated("0", 100000) + "1") == "1 : i64");
  CHECK(reprinted(repeated("0", 100000) + "1") == "1 : i64");
  CHECK(reprinted("1." + repeated("0", 100000)) == "1.000000e+00 : f64");
  CHECK(error_of("tensor<" + repeated("9", 1000) + "xf32>") == "1:8: invalid dimension");
  CHECK(error_of("i" + repeated("9", 1000)) == "1:1: integer bitwidth is limited to 16777215 bits");
}

TEST_CASE("bytes that are no text") {
  using namespace std::string_literals;
  CHECK(error_of("\0"s) == "1:1: expected attribute value");
  CHECK(error_of("[1, \0]"s) == "1:5: expected attribute value");
  CHECK(error_of("\xff\xfe"s) == "1:1: expected attribute value");
  CHECK(reprinted("\"\xff\0\"s"s.substr(0, 4)) == "\"\\FF\\00\"");
  CHECK(reprinted("#a.b<\xff \0>"s) == "#a.b<\xff\0>"s);
}

}  // namespace

}  // namespace attributes_hostile_test
