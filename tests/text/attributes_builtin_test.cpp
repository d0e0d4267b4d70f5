#include <doctest/doctest.h>

#include "text/support/attribute_text.hpp"

namespace attributes_builtin_test {

namespace {

using mpmd::testing::error_of;
using mpmd::testing::reprinted;
using mpmd::testing::same;

TEST_CASE("strings: quotes and what does not print are escaped by their bytes") {
  CHECK(reprinted(R"("abc")") == R"("abc")");
  CHECK(reprinted(R"("a\\b\"c\nd\te\41")") == R"("a\\b\22c\0Ad\09eA")");
  CHECK(reprinted("\"\xC3\xA9\"") == R"("\C3\A9")");
  CHECK(reprinted(std::string("\"\0\"", 3)) == R"("\00")");
  CHECK(reprinted(R"("x" : i32)") == R"("x" : i32)");
  CHECK(reprinted(R"("x" : none)") == R"("x")");
  CHECK(error_of("\"x") == "1:1: expected '\"' in string literal");
  CHECK(error_of(R"("a\q")") == "1:3: unknown escape in string literal");
}

TEST_CASE("symbol references") {
  CHECK(reprinted("@a") == "@a");
  CHECK(reprinted("@a::@\"b c\"::@\"d\"") == "@a::@\"b c\"::@d");
  CHECK(error_of("@1") == "1:1: @ identifier expected to start with letter or '_'");
  CHECK(error_of("@ a") == "1:1: @ identifier expected to start with letter or '_'");
  CHECK(error_of("@\"\"") == "1:1: expected a symbol name that is not empty");
  CHECK(error_of("@a::b") == "1:5: expected a symbol name: '@name'");
}

TEST_CASE("in an array the default types of numbers are left out") {
  CHECK(reprinted("[1, 2.0, 3 : i32, true, \"x\", unit, i32, 1 : i64, 2.0 : f64, 4 : si64]") ==
        "[1, 2.000000e+00, 3 : i32, true, \"x\", unit, i32, 1, 2.000000e+00, 4 : si64]");
  CHECK(reprinted("[[1], {a = 1}]") == "[[1], {a = 1 : i64}]");
  CHECK(reprinted("[ ]") == "[]");
  CHECK(error_of("[1,]") == "1:4: expected attribute value");
  CHECK(error_of("[1 2]") == "1:4: expected ']'");
  CHECK(error_of("[1") == "1:3: expected ']'");
}

TEST_CASE("dictionaries print in byte order, unit values as bare names, names quoted where they must be") {
  CHECK(reprinted("{b = 1, a, \"c d\" = 2.0, B, a.b$c = \"x\", \"1\" = true, i32 = 4, true = 5}") ==
        "{\"1\" = true, B, a, a.b$c = \"x\", b = 1 : i64, \"c d\" = 2.000000e+00 : f64, i32 = 4 : i64, "
        "true = 5 : i64}");
  CHECK(reprinted("{}") == "{}");
  CHECK(reprinted("{a = unit}") == "{a}");
  CHECK(same("{topology = 1}", "{\"topology\"=1}"));
  CHECK(error_of("{a = 1, b, \"a\"}") == "1:12: duplicate key 'a' in dictionary attribute");
  CHECK(error_of("{a = }") == "1:6: expected attribute value");
  CHECK(error_of("{a = 1 b = 2}") == "1:8: expected '}'");
  CHECK(error_of("{\"\" = 1}") == "1:2: expected valid attribute name");
  CHECK(error_of("{1 = 1}") == "1:2: expected attribute name");
  CHECK(error_of("{a") == "1:3: expected '}'");
}

TEST_CASE("types are attributes") {
  CHECK(reprinted("[i32, (i32) -> (), tensor<2xf32>, !a.b]") == "[i32, (i32) -> (), tensor<2xf32>, !a.b]");
  CHECK(error_of("foo") == "1:1: expected attribute value");
  CHECK(error_of("") == "1:1: expected attribute value");
  CHECK(error_of("\n  ?") == "2:3: expected attribute value");
}

TEST_CASE("what is kept as text has one spelling") {
  CHECK(reprinted("affine_map<(d0,d1)[s0]->(d0+d1*2,-s0 floordiv 2, (d0) mod(2))>") ==
        "affine_map<(d0, d1)[s0] -> (d0 + d1 * 2, -s0 floordiv 2, (d0) mod (2))>");
  CHECK(reprinted("affine_map<()->()>") == "affine_map<() -> ()>");
  CHECK(reprinted("affine_set<(d0)[s0]:(d0-10>=0,s0==0)>") ==
        "affine_set<(d0)[s0] : (d0 - 10 >= 0, s0 == 0)>");
  CHECK(reprinted("strided<[1,?],offset:4>") == "strided<[1, ?], offset: 4>");
  CHECK(reprinted("distinct[ 0 ]<42:i32>") == "distinct[0]<42 : i32>");
  CHECK(reprinted("sparse<[[0,0],[1,2]],[1,5]>:tensor<3x4xi32>") ==
        "sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>");
  CHECK(error_of("affine_set<(d0) : (d0 >= 0)") == "1:11: expected the bracket opened here to be closed");
  CHECK(error_of("affine_map<(d0] -> ()>") == "1:15: unexpected ']'");
}

TEST_CASE("attributes of other dialects are text; strings in them stay as they are") {
  CHECK(reprinted("#stablehlo<precision   DEFAULT>") == "#stablehlo<precision DEFAULT>");
  CHECK(reprinted("#stablehlo.dot<lhs_contracting_dimensions=[1],rhs_contracting_dimensions = [0]>") ==
        "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>");
  CHECK(reprinted("#stablehlo.conv<[b, 0, f] x [0,i,o] -> [b,0,f]>") ==
        "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>");
  CHECK(reprinted("#sdy.op_sharding_rule<([i, j]) -> ([i]) {i = 8, j=2}>") ==
        "#sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=2}>");
  CHECK(reprinted("#foo.bar") == "#foo.bar");
  CHECK(reprinted("#foo.bar : i32") == "#foo.bar : i32");
  CHECK(reprinted("#foo<bar>") == "#foo.bar");
  CHECK(reprinted("#foo.bar<\"a  //b\", 1.0e-5, x-y, @s::@t, -1>") ==
        "#foo.bar<\"a  //b\", 1.0e-5, x-y, @s::@t, -1>");
  CHECK(same("#foo.bar<a=[1,2],b>", "#foo.bar< a = [ 1, // one\n 2 ] , b >"));
  CHECK_FALSE(same("#foo.bar<\"a\">", "#foo.bar<\"a \">"));
  CHECK(error_of("#foo.bar<(a]>") == "1:10: unbalanced '(' character in pretty dialect name");
  CHECK(error_of("#foo.bar<a") == "1:9: unbalanced '<' character in pretty dialect name");
  CHECK(error_of("#foo.bar<\"a>") == "1:10: expected '\"' in string literal");
  CHECK(error_of("# foo") == "1:1: invalid attribute name");
}

TEST_CASE("blanks stay where tokens would become others without them") {
  CHECK(reprinted("#foo.bar<a - >") == "#foo.bar<a- >");
  CHECK(reprinted("#foo.bar<a / / b>") == "#foo.bar<a/ /b>");
  CHECK(reprinted("#foo.bar<# a>") == "#foo.bar<# a>");
  CHECK(reprinted("#foo.bar<#a - 1>") == "#foo.bar<#a -1>");
  // An alias name may contain a dash, so a blank keeps the arrow apart from it.
  CHECK(reprinted("#stablehlo.x<#a->b>") == "#stablehlo.x<#a ->b>");
  CHECK(reprinted("#foo.bar<#a->b>") == "#foo.bar<#a -> b>");
}

TEST_CASE("attribute aliases, also inside text that is kept") {
  CHECK(reprinted("#a = 1 : i32\n#b = [#a, #a]\n{x = #b}") == "{x = [1 : i32, 1 : i32]}");
  CHECK(reprinted("#map = affine_map<(d0)->(d0)>\nmemref<4xf32, #map>") ==
        "memref<4xf32, affine_map<(d0) -> (d0)>>");
  CHECK(reprinted("#a = [1]\n#foo.bar<x = #a, #c, #a.b, \"#a\">") == "#foo.bar<x = [1], #c, #a.b, \"#a\">");
  CHECK(reprinted("!t = !mpmd.mesh_tensor<\"m\", tensor<f32>, memory_kind=\"device\">\n#foo.bar<x!t[1]>") ==
        "#foo.bar<x !mpmd.mesh_tensor<\"m\", tensor<f32>, memory_kind = \"device\">[1]>");
  CHECK(error_of("[#a]") == "1:2: undefined symbol alias id 'a'");
}

TEST_CASE("elided names and default types are left out of what an op prints") {
  mpmd::ir::context in;
  auto const dictionary = mpmd::testing::read_attribute(in, "{a = 1, b, c = [1]}").value;
  auto printed = [&](std::vector<std::string_view> const& elided, std::string_view before) {
    std::string out = "op";
    mpmd::text::mlir::print_optional_dictionary(out, in, dictionary, elided, before);
    return out;
  };
  CHECK(printed({}, " ") == "op {a = 1 : i64, b, c = [1]}");
  CHECK(printed({"a", "x"}, " attributes ") == "op attributes {b, c = [1]}");
  CHECK(printed({"a", "b", "c"}, " ") == "op");
}

}  // namespace

}  // namespace attributes_builtin_test
