#include <doctest/doctest.h>

#include "text/support/attribute_text.hpp"

namespace attributes_dense_test {

namespace {

using mpmd::testing::error_of;
using mpmd::testing::read_attribute;
using mpmd::testing::reprinted;
using mpmd::testing::same;

mpmd::ir::dense_attr dense(std::string text) {
  mpmd::ir::context in;
  auto const* found = in.get_if<mpmd::ir::dense_attr>(read_attribute(in, std::move(text)).value);
  return found != nullptr ? *found : mpmd::ir::dense_attr{};
}

std::string bytes(std::initializer_list<unsigned> values) {
  std::string made;
  for (unsigned v : values) made += static_cast<char>(v);
  return made;
}

TEST_CASE("elements are stored in row-major order, little endian, in whole bytes") {
  CHECK(dense("dense<[[1, 2], [3, -1]]> : tensor<2x2xi16>").data == bytes({1, 0, 2, 0, 3, 0, 0xFF, 0xFF}));
  CHECK(dense("dense<[1, -1]> : tensor<2xi4>").data == bytes({1, 0x0F}));
  CHECK(dense("dense<[true, false]> : tensor<2xi1>").data == bytes({1, 0}));
  CHECK(dense("dense<[1.0, -2.0]> : tensor<2xbf16>").data == bytes({0x80, 0x3F, 0x00, 0xC0}));
  CHECK(dense("dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i8>>").data == bytes({1, 2, 3, 4}));
  CHECK(dense("dense<[1, 2]> : tensor<2xindex>").data.size() == 16);
  CHECK(dense("dense<[1, -1]> : tensor<2xi72>").data ==
        bytes({1, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255}));
  CHECK(dense("dense<1.0> : tensor<f80>").data == bytes({0, 0, 0, 0, 0, 0, 0, 0x80, 0xFF, 0x3F}));
}

TEST_CASE("a value that can be a splat is one, however it is written") {
  for (std::string const text :
       {"dense<2> : tensor<2x2xi8>", "dense<[[2, 2], [2, 2]]> : tensor<2x2xi8>",
        "dense<\"0x02\"> : tensor<2x2xi8>", "dense<\"0x02020202\"> : tensor<2x2xi8>"}) {
    CHECK(dense(text).splat);
    CHECK(dense(text).data == bytes({2}));
    CHECK(reprinted(text) == "dense<2> : tensor<2x2xi8>");
  }
  CHECK(dense("dense<[7]> : tensor<1xi8>").splat);
  CHECK(dense("dense<7> : tensor<i8>").splat);
  CHECK_FALSE(dense("dense<[0.0, -0.0]> : tensor<2xf32>").splat);
  CHECK_FALSE(dense("dense<[1, 2, 1, 2]> : tensor<4xi8>").splat);
  // Zero and one agree in every byte of one but not of the other.
  CHECK_FALSE(dense("dense<[0, 256]> : tensor<2xi16>").splat);
}

TEST_CASE("elements print as nested lists") {
  for (std::string const text :
       {"dense<[1, 2]> : tensor<2xi64>", "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>",
        "dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>", "dense<[[1], [2]]> : tensor<2x1xui8>",
        "dense<[true, false]> : tensor<2xi1>", "dense<[1.000000e+00, -2.500000e+00]> : tensor<2xf32>",
        "dense<0x7FC00000> : tensor<2xf32>",
        "dense<[(1.000000e+00,2.000000e+00), (0.000000e+00,0x7FC00000)]> : "
        "tensor<2xcomplex<f32>>",
        "dense<[1, 2]> : vector<2xi32>", "dense<3> : vector<[2]xi32>", "dense<> : tensor<0xi32>",
        "dense<> : tensor<2x0xf32>", "dense<5> : tensor<0xi32>", "dense<[0, -1]> : tensor<2xi128>"})
    CHECK(reprinted(text) == text);
  CHECK(reprinted("dense<[[], []]> : tensor<2x0xi32>") == "dense<> : tensor<2x0xi32>");
  CHECK(reprinted("dense< [ 1 ,// one\n 2 ] > : tensor<2xi64>") == "dense<[1, 2]> : tensor<2xi64>");
}

TEST_CASE("more than a hundred elements print in hexadecimal, those of i1 packed") {
  auto numbers = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i ? ", " : "") + std::to_string(i % 128);
    return list;
  };
  std::string const hundred = "dense<[" + numbers(100) + "]> : tensor<100xi8>";
  CHECK(reprinted(hundred) == hundred);
  std::string hex;
  for (int i = 0; i < 101; ++i) {
    hex += "0123456789ABCDEF"[i / 16];
    hex += "0123456789ABCDEF"[i % 16];
  }
  CHECK(reprinted("dense<[" + numbers(101) + "]> : tensor<101xi8>") ==
        "dense<\"0x" + hex + "\"> : tensor<101xi8>");
  // true, then 100 times false: the lowest bit of the first of 13 bytes.
  std::string bits = "true";
  for (int i = 1; i < 101; ++i) bits += ", false";
  CHECK(reprinted("dense<[" + bits + "]> : tensor<101xi1>") ==
        "dense<\"0x01" + std::string(24, '0') + "\"> : tensor<101xi1>");
}

TEST_CASE("hexadecimal strings hold the bytes of the elements") {
  CHECK(reprinted("dense<\"0x0100000002000000\"> : tensor<2xi32>") == "dense<[1, 2]> : tensor<2xi32>");
  CHECK(reprinted("dense<\"0x0000803F\"> : tensor<3xf32>") == "dense<1.000000e+00> : tensor<3xf32>");
  CHECK(reprinted("dense<\"0xff\"> : tensor<12xi1>") == "dense<true> : tensor<12xi1>");
  CHECK(reprinted("dense<\"0x0500\"> : tensor<10xi1>") ==
        "dense<[true, false, true, false, false, false, false, false, false, false]> : tensor<10xi1>");
  CHECK(same("dense<\"0xF1F2\"> : tensor<2xi4>", "dense<[1, 2]> : tensor<2xi4>"));  // spare bits say nothing
  CHECK(error_of("dense<\"0x010000\"> : tensor<2xi32>") ==
        "1:7: elements hex data size is invalid for provided type: 'tensor<2xi32>'");
  CHECK(error_of("dense<\"0x00\"> : tensor<0xi8>") ==
        "1:7: elements hex data size is invalid for provided type: 'tensor<0xi8>'");
  std::string const bad = "1:7: expected string containing hex digits, two for each byte, starting with `0x`";
  CHECK(error_of("dense<\"0x010\"> : tensor<2xi32>") == bad);
  CHECK(error_of("dense<\"0x0g\"> : tensor<2xi32>") == bad);
  CHECK(error_of("dense<\"1\"> : tensor<2xi32>") == bad);
}

TEST_CASE("the shape of the list must be that of the type") {
  CHECK(error_of("dense<[1, 2]> : tensor<3xi32>") ==
        "1:7: inferred shape of elements literal ([2]) does not match type ([3])");
  CHECK(error_of("dense<[[1, 2], [3, 4]]> : tensor<4xi32>") ==
        "1:7: inferred shape of elements literal ([2, 2]) does not match type ([4])");
  CHECK(error_of("dense<[]> : tensor<2xi32>") ==
        "1:7: inferred shape of elements literal ([0]) does not match type ([2])");
  CHECK(error_of("dense<[1]> : tensor<i32>") ==
        "1:7: inferred shape of elements literal ([1]) does not match type ([])");
  CHECK(error_of("dense<> : tensor<2xi32>") ==
        "1:7: parsed zero elements, but type ('tensor<2xi32>') expected at least 1");
  std::string const ragged = "tensor literal is invalid; ranks are not consistent between elements";
  CHECK(error_of("dense<[[1, 2], [3]]> : tensor<2x2xi32>") == "1:19: " + ragged);
  CHECK(error_of("dense<[[1, 2], 3]> : tensor<2x2xi32>") == "1:16: " + ragged);
  CHECK(error_of("dense<[1, [2]]> : tensor<2x2xi32>") == "1:11: " + ragged);
  CHECK(error_of("dense<[[], [[]]]> : tensor<2x0xi32>") == "1:13: " + ragged);
  CHECK(error_of("dense<[[[]], []]> : tensor<2x0xi32>") == "1:15: " + ragged);
}

TEST_CASE("elements must be of the type") {
  CHECK(error_of("dense<true> : tensor<2xi32>") == "1:7: expected i1 type for 'true' or 'false' values");
  CHECK(error_of("dense<true> : tensor<2xf32>") ==
        "1:7: expected floating-point elements, but parsed integer");
  CHECK(error_of("dense<-1> : tensor<2xui8>") ==
        "1:7: expected unsigned integer elements, but parsed negative value");
  CHECK(error_of("dense<[1, 2]> : tensor<2xf32>") ==
        "1:8: expected floating-point elements, but parsed integer");
  CHECK(error_of("dense<[1, 2.0]> : tensor<2xi32>") ==
        "1:11: expected integer elements, but parsed floating-point");
  CHECK(error_of("dense<[1, 256]> : tensor<2xi8>") == "1:11: integer constant out of range for type");
  CHECK(error_of("dense<[1, 4722366482869645213696]> : tensor<2xi72>") ==
        "1:11: integer constant out of range for type");
  CHECK(error_of("dense<x> : tensor<2xi8>") == "1:7: expected element literal of primitive type");
  CHECK(error_of("dense<[1,]> : tensor<2xi8>") == "1:10: expected element literal of primitive type");
  CHECK(error_of("dense<-  > : tensor<2xi8>") == "1:10: expected integer or floating point literal");
  CHECK(error_of("dense<1 2> : tensor<2xi8>") == "1:9: expected '>'");
  CHECK(error_of("dense<[1 2]> : tensor<2xi8>") == "1:10: expected ']'");
  CHECK(error_of("dense<1.0> : tensor<2xcomplex<f32>>") == "1:7: expected '(' before complex element");
  CHECK(error_of("dense<(1.0 2.0)> : tensor<2xcomplex<f32>>") ==
        "1:12: expected ',' between complex elements");
  CHECK(error_of("dense<(1.0, 2.0> : tensor<2xcomplex<f32>>") == "1:16: expected ')' after complex elements");
}

TEST_CASE("the type of elements is a static shape") {
  CHECK(error_of("dense<1> : tensor<?xi32>") == "1:12: elements literal type must have static shape");
  CHECK(error_of("dense<1> : i32") == "1:12: elements literal must be a shaped type");
  CHECK(error_of("dense<1> : tensor<*xi32>") == "1:12: elements literal must be a shaped type");
  CHECK(error_of("dense<1>") == "1:9: expected ':'");
  CHECK(error_of("dense<1 : tensor<i32>") == "1:6: expected '>' to close the elements that begin here");
  CHECK(error_of("dense 1") == "1:7: expected '<' after 'dense'");
}

TEST_CASE("a type given by the context may be left out") {
  mpmd::ir::context in;
  mpmd::diagnostics diags;
  auto const buffer = in.sources.add("t", "dense<[1, 2]> 3 0x3F800000 \"s\"").first;
  mpmd::text::mlir::reader r(in, diags, buffer);
  auto next = [&](mpmd::ir::type of) { return mpmd::text::mlir::to_string(in, r.parse_attribute(of)); };
  CHECK(next(in.tensor({2}, in.integer(8))) == "dense<[1, 2]> : tensor<2xi8>");
  CHECK(next(in.integer(8)) == "3 : i8");
  CHECK(next(in.floating("f32")) == "1.000000e+00 : f32");
  CHECK(next(in.integer(8)) == "\"s\" : i8");
}

TEST_CASE("elements that are no numbers stay text") {
  CHECK(reprinted("dense<[ \"a\",\"b  c\" ]> : tensor<2x!foo.str>") ==
        "dense<[\"a\", \"b  c\"]> : tensor<2x!foo.str>");
}

TEST_CASE("a huge shape needs no memory as long as its elements are one") {
  CHECK(reprinted("dense<1> : tensor<4611686018427387904x4611686018427387904xi8>") ==
        "dense<1> : tensor<4611686018427387904x4611686018427387904xi8>");
  CHECK(error_of("dense<[1]> : tensor<4611686018427387904x4611686018427387904xi8>") ==
        "1:7: inferred shape of elements literal ([1]) does not match type ([4611686018427387904, "
        "4611686018427387904])");
  CHECK(error_of("dense<\"0x0101\"> : tensor<4611686018427387904xi1>") ==
        "1:7: elements hex data size is invalid for provided type: 'tensor<4611686018427387904xi1>'");
}

TEST_CASE("arrays of numbers") {
  for (std::string const text :
       {"array<i64>", "array<i64: 1, -2>", "array<i1: true, false>", "array<ui8: 255>", "array<si32: -1>",
        "array<f32: 1.000000e+00, 0x7FC00000>", "array<f64: 0.33333333333333331>", "array<i8: -1>"})
    CHECK(reprinted(text) == text);
  CHECK(reprinted("array < i8 :255>") == "array<i8: -1>");
  CHECK(error_of("array<i8: 256>") == "1:11: integer constant out of range for type");
  CHECK(error_of("array<f64: 1>") == "1:12: expected floating-point elements, but parsed integer");
  CHECK(error_of("array<i4: 1>") == "1:7: element type bitwidth must be a multiple of 8");
  CHECK(error_of("array<i128: 1>") == "1:7: elements of an array are at most 64 bits wide");
  CHECK(error_of("array<index: 1>") == "1:7: expected an integer or floating point type");
  CHECK(error_of("array<i8 1>") == "1:10: expected ':' after dense array type");
  CHECK(error_of("array<i8: 1") == "1:12: expected '>' to close an array attribute");
  CHECK(error_of("array<i8: >") == "1:11: expected element literal of primitive type");
}

TEST_CASE("elements in a resource are known by their key") {
  CHECK(reprinted("dense_resource< key > : tensor<2xf32>") == "dense_resource<key> : tensor<2xf32>");
  CHECK(reprinted("dense_resource<\"a b\"> : tensor<2xf32>") == "dense_resource<\"a b\"> : tensor<2xf32>");
  CHECK(error_of("dense_resource<1> : tensor<2xf32>") == "1:16: expected the key of a resource");
  CHECK(error_of("dense_resource<a> : f32") == "1:21: `dense_resource` expected a shaped type");
}

}  // namespace

}  // namespace attributes_dense_test
