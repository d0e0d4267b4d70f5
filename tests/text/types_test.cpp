#include <doctest/doctest.h>

#include "text/support/attribute_text.hpp"

namespace types_test {

namespace {

using mpmd::testing::error_of;
using mpmd::testing::reprinted;
using mpmd::testing::same;

TEST_CASE("builtin types print as they are written, without the freedom in white space") {
  for (std::string const text : {"i1",
                                 "i32",
                                 "si8",
                                 "ui64",
                                 "i0",
                                 "i16777215",
                                 "index",
                                 "none",
                                 "f32",
                                 "bf16",
                                 "f80",
                                 "f8E4M3B11FNUZ",
                                 "f8E8M0FNU",
                                 "tensor<f32>",
                                 "tensor<4x?xf32>",
                                 "tensor<0x0xi1>",
                                 "tensor<*xf32>",
                                 "tensor<2x!quant.any<i8>>",
                                 "tensor<?x4xf32, #stablehlo.bounds<?, 4>>",
                                 "tensor<4xf32, \"rows\">",
                                 "tensor<4xcomplex<f64>>",
                                 "tensor<4xvector<2xf32>>",
                                 "vector<f32>",
                                 "vector<4x[8]xindex>",
                                 "vector<[2]xi1>",
                                 "complex<i8>",
                                 "complex<bf16>",
                                 "tuple<>",
                                 "tuple<i32, tuple<f32>>",
                                 "() -> ()",
                                 "(i32) -> f32",
                                 "(i32, f32) -> (f32, i32)",
                                 "() -> (() -> i1)",
                                 "(() -> i1) -> i1",
                                 "!stablehlo.token",
                                 "!mpmd.mesh_tensor<\"m1\", tensor<8x4xf32>>"})
    CHECK(reprinted(text) == text);
  CHECK(reprinted("tensor < 4 x ? x f32 ,\"e\" >") == "tensor<4x?xf32, \"e\">");
  CHECK(reprinted("vector<4x[ 8 ]xf32>") == "vector<4x[8]xf32>");
  CHECK(reprinted("( i32 )->( f32 )") == "(i32) -> f32");
}

TEST_CASE("mesh tensors") {
  std::string const full =
      "!mpmd.mesh_tensor<\"m1\", tensor<8x4xf32>, sharding=<@mesh, [{\"x\"}, {?}]>, "
      "memory_kind=\"pinned_host\">";
  CHECK(reprinted(full) == full);
  CHECK(reprinted("!mpmd.mesh_tensor< \"m1\" ,tensor<8xf32> , memory_kind = \"device\" >") ==
        "!mpmd.mesh_tensor<\"m1\", tensor<8xf32>, memory_kind=\"device\">");
  CHECK(reprinted("!mpmd.mesh_tensor<\"m1\", tensor<8xf32>, sharding = <@mesh, [{}]>>") ==
        "!mpmd.mesh_tensor<\"m1\", tensor<8xf32>, sharding=<@mesh, [{}]>>");
  CHECK(reprinted("!mpmd<mesh_tensor<\"m1\", tensor<8xf32>>>") == "!mpmd.mesh_tensor<\"m1\", tensor<8xf32>>");
  // Nothing given, a sharding that splits nothing, and a memory kind that is the default are different types.
  std::string const start = "!mpmd.mesh_tensor<\"m1\", tensor<8xf32>";
  CHECK_FALSE(same(start + ">", start + ", sharding=<@mesh, [{}]>>"));
  CHECK_FALSE(same(start + ", sharding=<@mesh, [{?}]>>", start + ", sharding=<@mesh, [{}]>>"));
  CHECK_FALSE(same(start + ">", start + ", memory_kind=\"device\">"));
}

TEST_CASE("a sharding in a type may be given in full or as an alias") {
  std::string const plain = "!mpmd.mesh_tensor<\"m\", tensor<8xf32>, sharding=<@mesh, [{\"x\"}]>>";
  CHECK(reprinted("!mpmd.mesh_tensor<\"m\", tensor<8xf32>, sharding=#sdy.sharding<@mesh, [{\"x\"}]>>") ==
        plain);
  CHECK(reprinted("#s = #sdy.sharding<@mesh, [{\"x\"}]>\n"
                  "!mpmd.mesh_tensor<\"m\", tensor<8xf32>, sharding=#s>") == plain);
  CHECK(error_of("#s = \"x\"\n!mpmd.mesh_tensor<\"m\", tensor<8xf32>, sharding=#s>") ==
        "2:48: invalid kind of attribute specified: expected a sharding");
}

TEST_CASE("names that could not be read back raw are escaped; all others print as they are") {
  CHECK(reprinted("!mpmd.mesh_tensor<\"a\\22b\\\\c\\0Ad\", tensor<f32>>") ==
        "!mpmd.mesh_tensor<\"a\\22b\\5Cc\\0Ad\", tensor<f32>>");
  CHECK(reprinted("!mpmd.mesh_tensor<\"m\xC3\xA9 <>[]{}()\", tensor<f32>>") ==
        "!mpmd.mesh_tensor<\"m\xC3\xA9 <>[]{}()\", tensor<f32>>");
}

TEST_CASE("a mesh tensor that is not well-formed") {
  std::string const start = "!mpmd.mesh_tensor<\"mesh\", tensor<4xf32>";
  std::string const sharding = ", sharding=<@mesh, [{?}]>";
  CHECK(error_of(start + sharding + " memory_kind=\"device\">") == "1:66: expected '>'");
  CHECK(error_of(start + sharding + ", memory_kind=\"device\",>") == "1:87: expected '>'");
  CHECK(error_of(start + ", memory_kind=\"device\", sharding=<@mesh, [{?}]>>") == "1:62: expected '>'");
  CHECK(error_of(start + sharding + ",>") == "1:66: expected 'memory_kind'");
  CHECK(error_of(start + ", sharding=\"no\">") == "1:51: expected '<'");
  CHECK(error_of(start) == "1:18: unbalanced '<' character in pretty dialect name");
  CHECK(error_of("(" + start + ")") == "1:19: unbalanced '<' character in pretty dialect name");
  CHECK(error_of("!mpmd.mesh_tensor") == "1:18: expected '<'");
  CHECK(error_of("!mpmd.mesh_tensor<m, tensor<4xf32>>") == "1:19: expected string");
  CHECK(error_of("!mpmd.mesh_tensor<\"m\", f32>") == "1:24: expected a ranked tensor type");
  CHECK(error_of("!mpmd.mesh_tensor<\"m\", tensor<*xf32>>") == "1:24: expected a ranked tensor type");
  CHECK(error_of("!mpmd.other<\"m\">") == "1:1: unknown type 'mpmd.other' in dialect 'mpmd'");
}

TEST_CASE("builtin types that are not well-formed") {
  CHECK(error_of("i16777216") == "1:1: integer bitwidth is limited to 16777215 bits");
  CHECK(error_of("i99999999999999999999") == "1:1: integer bitwidth is limited to 16777215 bits");
  CHECK(error_of("tensor<4f32>") == "1:9: expected 'x' in dimension list");
  CHECK(error_of("tensor<4>") == "1:9: expected 'x' in dimension list");
  CHECK(error_of("tensor<4x>") == "1:10: expected non-function type");
  CHECK(error_of("tensor<-1xf32>") == "1:8: expected non-function type");
  CHECK(error_of("tensor<99999999999999999999xf32>") == "1:8: invalid dimension");
  CHECK(error_of("tensor<4xf32") == "1:13: expected '>' in tensor type");
  CHECK(error_of("tensor<*f32>") == "1:9: expected 'x' in dimension list");
  CHECK(error_of("tensor<tensor<f32>>") == "1:8: invalid tensor element type");
  CHECK(error_of("tensor<4xnone>") == "1:10: invalid tensor element type");
  CHECK(error_of("tensor<4xmemref<f32>>") == "1:10: invalid tensor element type");
  CHECK(error_of("tensor<*xf32, \"e\">") == "1:10: cannot apply encoding to unranked tensor");
  CHECK(error_of("vector<0xf32>") == "1:8: vector types must have positive constant sizes");
  CHECK(error_of("vector<[]xf32>") == "1:8: vector types must have positive constant sizes");
  CHECK(error_of("vector<[4xf32>") == "1:10: missing ']' closing scalable dimension");
  CHECK(error_of("vector<4xcomplex<f32>>") == "1:10: vector elements must be int/index/float type");
  CHECK(error_of("complex<index>") == "1:9: invalid element type for complex");
  CHECK(error_of("tuple<i32") == "1:10: expected '>'");
  CHECK(error_of("(i32) i32") == "1:7: expected '->'");
  CHECK(error_of("(i32) -> ") == "1:9: expected non-function type");
  CHECK(error_of("! foo") == "1:1: invalid type identifier");
}

TEST_CASE("types of other dialects are text; white space makes no difference") {
  CHECK(reprinted("!util.ptr<i32>") == "!util.ptr<i32>");
  CHECK(reprinted("!a.b") == "!a.b");
  CHECK(reprinted("!a.b< 1,[ 2 ]  ,x  y>") == "!a.b<1, [2], x y>");
  CHECK(reprinted("!a<b c>") == "!a<b c>");
  CHECK(reprinted("!a<\"b  c\">") == "!a<\"b  c\">");
  CHECK(reprinted("!a<b<1>>") == "!a.b<1>");  // MLIR's choice of the two spellings
  CHECK(reprinted("!a<b>") == "!a.b");
  CHECK(reprinted("!a<b<1>c<2>>") == "!a<b<1> c<2>>");
  CHECK(reprinted("memref< 4x8xf32 ,strided<[8,1] , offset :?>,1:i32 >") ==
        "memref<4x8xf32, strided<[8, 1], offset: ?>, 1 : i32>");
  CHECK(same("!a.b<x = 1 // why\n, y>", "!a.b<x=1,y>"));
  CHECK_FALSE(same("!a.b<\"x y\">", "!a.b<\"x  y\">"));
  CHECK_FALSE(same("!a.b<x y>", "!a.b<xy>"));
  CHECK(error_of("!a.b<(1]>") == "1:6: unbalanced '(' character in pretty dialect name");
  CHECK(error_of("!a.b<\"x>") == "1:6: expected '\"' in string literal");
  CHECK(error_of("memref<4xf32") == "1:7: unbalanced '<' character in pretty dialect name");
}

TEST_CASE("an arrow in a body is no closing bracket") {
  CHECK(reprinted("!a.b<(i32)->i32>") == "!a.b<(i32) -> i32>");
  CHECK(reprinted("!mpmd.mesh_tensor<\"->\", tensor<4x!a.b<x->y>>>") ==
        "!mpmd.mesh_tensor<\"->\", tensor<4x!a.b<x -> y>>>");
}

TEST_CASE("type aliases stand for their type wherever one is expected") {
  CHECK(reprinted("!t = tensor<4xf32>\n!f = (!t) -> !t\n[!f, tensor<4x!e>]") ==
        "3:15: undefined symbol alias id 'e'");
  CHECK(reprinted("!t = tensor<4xf32>\n!f = (!t) -> !t\n!f") == "(tensor<4xf32>) -> tensor<4xf32>");
  CHECK(reprinted("!e = i8\ntensor<4x!e>") == "tensor<4xi8>");
  CHECK(reprinted("!e = i8\n!a.b<!e, !x>") == "!a.b<i8, !x>");
  CHECK(reprinted("!0 = i8\n!0") == "i8");
}

TEST_CASE("aliases that are not well-formed") {
  CHECK(error_of("!t") == "1:1: undefined symbol alias id 't'");
  CHECK(error_of("!t = i8\n!t = i8\n1") == "2:1: redefinition of type alias id 't'");
  CHECK(error_of("#t = 1\n#t = 1\n1") == "2:1: redefinition of attribute alias id 't'");
  CHECK(error_of("!a.b = i8\n1") == "1:1: type names with a '.' are reserved for dialect-defined names");
  CHECK(error_of("!t = \n") == "1:5: expected non-function type");
}

TEST_CASE("an alias and a bracket are not the attribute of a dialect") {
  CHECK(reprinted("#x = 1\n#a.b<#x <2>>") == "#a.b<1 : i64<2>>");
  CHECK(reprinted("#a.b<#x <2>>") == "#a.b<#x <2>>");
  CHECK(reprinted("#a.b<#x<2>>") == "#a.b<#x<2>>");
}

}  // namespace

}  // namespace types_test
