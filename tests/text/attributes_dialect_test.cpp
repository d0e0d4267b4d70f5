#include <doctest/doctest.h>

#include "text/support/attribute_text.hpp"

namespace attributes_dialect_test {

namespace {

using mpmd::testing::error_of;
using mpmd::testing::errors_of;
using mpmd::testing::read_attribute;
using mpmd::testing::reprinted;
using mpmd::testing::same;
using errors = std::vector<std::string>;

TEST_CASE("meshes") {
  for (std::string const text :
       {"#sdy.mesh<[]>", "#sdy.mesh<[\"x\"=2, \"y\"=4]>", "#sdy.mesh<[], device_ids=[3]>",
        "#sdy.mesh<[], device_ids=[0]>", "#sdy.mesh<[\"x\"=2], device_ids=[1, 0]>"})
    CHECK(reprinted(text) == text);
  CHECK(reprinted("#sdy.mesh< [ \"x\" = 2 ] , device_ids = [ 1,0 ] >") ==
        "#sdy.mesh<[\"x\"=2], device_ids=[1, 0]>");
  CHECK(reprinted("#sdy<mesh<[\"x\"=2]>>") == "#sdy.mesh<[\"x\"=2]>");
}

TEST_CASE("device ids in their default order are dropped") {
  CHECK(reprinted("#sdy.mesh<[\"x\"=2, \"y\"=2], device_ids=[0, 1, 2, 3]>") ==
        "#sdy.mesh<[\"x\"=2, \"y\"=2]>");
  CHECK(same("#sdy.mesh<[\"x\"=1], device_ids=[0]>", "#sdy.mesh<[\"x\"=1]>"));
}

TEST_CASE("a mesh is checked when it is read") {
  CHECK(error_of("#sdy.mesh<[\"x\"=0]>") == "1:10: axis size must be at least 1, got: 0");
  CHECK(error_of("#sdy.mesh<[\"x\"=-3]>") == "1:10: axis size must be at least 1, got: -3");
  CHECK(error_of("#sdy.mesh<[\"x\"=-9223372036854775808, \"y\"=-9223372036854775808], device_ids=[0]>") ==
        "1:10: axis size must be at least 1, got: -9223372036854775808");
  CHECK(error_of("#sdy.mesh<[\"a\"=2, \"a\"=2]>") == "1:10: duplicate axis name: \"a\"");
  CHECK(error_of("#sdy.mesh<[\"a\"=2], device_ids=[0, -1]>") ==
        "1:10: device id must be non-negative, got: -1");
  CHECK(error_of("#sdy.mesh<[], device_ids=[0, 1]>") ==
        "1:10: axes is empty and device_ids has more than one element");
  CHECK(error_of("#sdy.mesh<[\"a\"=4], device_ids=[0, 1]>") ==
        "1:10: total product of axis sizes must match total number of device ids, got: 4 != 2");
  CHECK(error_of("#sdy.mesh<[\"a\"=2], device_ids=[0, 2]>") ==
        "1:10: sorted device ids must be iota(product(axes)), got: 0, 2");
}

TEST_CASE("a mesh that is no mesh") {
  CHECK(error_of("#sdy.mesh") == "1:10: expected '<'");
  CHECK(error_of("#sdy.mesh<\"x\"=2>") == "1:11: expected '['");
  CHECK(error_of("#sdy.mesh<[x=2]>") == "1:12: expected string");
  CHECK(error_of("#sdy.mesh<[\"x\" 2]>") == "1:16: expected '='");
  CHECK(error_of("#sdy.mesh<[\"x\"=y]>") == "1:16: expected integer value");
  CHECK(error_of("#sdy.mesh<[\"x\"=99999999999999999999]>") == "1:16: integer value too large");
  CHECK(error_of("#sdy.mesh<[\"x\"=2], ids=[0]>") == "1:20: expected 'device_ids'");
  CHECK(error_of("#sdy.mesh<[\"x\"=2] \"y\">") == "1:19: expected '>'");
}

TEST_CASE("shardings") {
  for (std::string const text :
       {"#sdy.sharding<@mesh, []>",
        "#sdy.sharding<@mesh, [{\"x\"}, {}, {?}, {\"y\", ?}p1, {\"z\":(1)2}, {?}p0], replicated={\"a\"}, "
        "unreduced={\"b\"}>",
        "#sdy.sharding<@\"a b\", [{\"x\", \"y\":(2)4}]>", "#sdy.sharding<mesh<[\"x\"=2]>, [{\"x\"}]>",
        "#sdy.sharding<@mesh, [{}], unreduced=max{\"b\", \"c\":(1)2}>",
        "#sdy.sharding<@mesh, [{}], unreduced=min{\"b\"}>",
        "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>, <@mesh, []>]>", "#sdy.sharding_per_value<[]>"})
    CHECK(reprinted(text) == text);
  // In any order, and with the default said.
  CHECK(reprinted("#sdy.sharding<@mesh,[{}],unreduced=sum{\"b\"},replicated={\"a\"}>") ==
        "#sdy.sharding<@mesh, [{}], replicated={\"a\"}, unreduced={\"b\"}>");
  CHECK(reprinted("#sdy.sharding<@mesh, [{ \"x\" , ? } p3]>") == "#sdy.sharding<@mesh, [{\"x\", ?}p3]>");
  CHECK(reprinted("#sdy.sharding<@mesh, [], replicated={}, unreduced=max{}>") == "#sdy.sharding<@mesh, []>");
}

TEST_CASE("nested attributes may be stripped, full or aliases, side by side") {
  CHECK(reprinted("#a = #sdy.sharding<@m, [{}]>\n#m = #sdy.mesh<[\"x\"=2]>\n"
                  "#sdy.sharding_per_value<[#a, <@m, []>, #sdy.sharding<mesh#m, [{\"x\"}]>]>") ==
        "#sdy.sharding_per_value<[<@m, [{}]>, <@m, []>, <mesh<[\"x\"=2]>, [{\"x\"}]>]>");
  CHECK(reprinted("#m = #sdy.mesh<[\"x\"=2]>\n#mpmd.topology<<\"a\": #m>, <\"b\" : #sdy.mesh<[\"y\"=2]>>>") ==
        "#mpmd.topology<<\"a\" : <[\"x\"=2]>>, <\"b\" : <[\"y\"=2]>>>");
  CHECK(error_of("#m = 1\n#mpmd.topology<<\"a\": #m>>") ==
        "2:22: invalid kind of attribute specified: expected a mesh");
}

TEST_CASE("errors in shardings: the inner one first, then what it spoils") {
  std::string const dims =
      "failed to parse Sdy_TensorSharding parameter 'dim_shardings' which is to be a "
      "`::llvm::ArrayRef<DimensionShardingAttr>`";
  auto with = [&](std::string inner, std::string_view at) {
    return errors{std::move(inner), std::string(at) + ": " + dims};
  };
  CHECK(errors_of("#sdy.sharding<@m, [{\"x\"}1]>") == with("1:25: expected ']'", "1:25"));
  CHECK(errors_of("#sdy.sharding<@m, [{\"x\"}q1]>") ==
        with("1:25: expecting priority in format 'p<number>', got: q1", "1:27"));
  CHECK(errors_of("#sdy.sharding<@m, [{\"x\"}p01]>") ==
        with("1:25: priorities with leading zeros are not allowed, got: 01", "1:28"));
  CHECK(errors_of("#sdy.sharding<@m, [{\"x\"}pa]>") ==
        with("1:25: expecting integer priority, got: a", "1:27"));
  CHECK(errors_of("#sdy.sharding<@m, [{\"x\"}p]>") ==
        with("1:25: expecting integer priority, got: ", "1:26"));
  CHECK(errors_of("#sdy.sharding<@m, [\"x\"]>") == with("1:20: expected '{'", "1:20"));
  CHECK(errors_of("#sdy.sharding<@m, [{x}]>") == with("1:21: expected string", "1:21"));
  CHECK(errors_of("#sdy.sharding<@m, [{\"x\",}]>") == with("1:25: expected string", "1:25"));
  CHECK(errors_of("#sdy.sharding<@m, [{\"x\" \"y\"}]>") == with("1:25: expected '}'", "1:25"));
  CHECK(errors_of("#sdy.sharding<@m, [{?, \"x\"}]>") == with("1:22: expected '}'", "1:22"));
  CHECK(errors_of("#sdy.sharding<@m, [{\"x\":(1)0}]>") ==
        with("1:28: the size of a sub-axis must not be 0", "1:29"));
  CHECK(errors_of("#sdy.sharding<@m, {}>") == with("1:19: expected '['", "1:19"));

  std::string const list = "failed to parse Sdy_TensorSharding, expected valid named axis list after comma";
  CHECK(error_of("#sdy.sharding<@m, [], foo={}>") == "1:23: " + list);
  CHECK(error_of("#sdy.sharding<@m, [], replicated={\"a\"}, replicated={\"b\"}>") == "1:41: " + list);
  CHECK(error_of("#sdy.sharding<@m, [],>") == "1:22: " + list);
  CHECK(errors_of("#sdy.sharding<@m, [], replicated {}>") ==
        errors{"1:34: expected '='",
               "1:34: failed to parse Sdy_TensorSharding parameter 'replicated_axes' which is to be a "
               "`::llvm::ArrayRef<AxisRefAttr>`"});
  CHECK(errors_of("#sdy.sharding<@m, [], unreduced=[]>") ==
        errors{"1:33: expected '{'",
               "1:33: failed to parse Sdy_TensorSharding parameter 'unreduced_axes' which is to be a "
               "`::llvm::ArrayRef<AxisRefAttr>`"});
  CHECK(errors_of("#sdy.sharding<m, []>") == errors{"1:15: expected '@name' of a mesh or 'mesh'",
                                                    "1:15: failed to parse Sdy_TensorSharding parameter "
                                                    "'mesh_or_ref' which is to be a `::mlir::Attribute`"});
  CHECK(error_of("#sdy.sharding<@m [{}]>") == "1:18: expected ','");
  CHECK(error_of("#sdy.sharding<@m, [] {}>") == "1:22: expected '>'");
  CHECK(errors_of("#sdy.sharding_per_value<<@m, []>>") ==
        errors{"1:25: expected '['",
               "1:25: failed to parse Sdy_TensorShardingPerValue parameter 'shardings' which is to be a "
               "`::llvm::ArrayRef<TensorShardingAttr>`"});
  CHECK(error_of("#sdy.sharding<@m, [{\"x\"]>") == "1:20: unbalanced '{' character in pretty dialect name");
}

TEST_CASE("attributes of the mpmd dialect") {
  for (std::string const text :
       {"#mpmd.named_mesh<\"m1\" : <[\"x\"=2]>>",
        "#mpmd.topology<<\"m1\" : <[\"x\"=2]>>, <\"m2\" : <[\"y\"=4], device_ids=[3, 2, 1, 0]>>>",
        "#mpmd.user_origin<\"enc\"(1)>", "#mpmd.user_origin<\"enc\">", "#mpmd.user_origin<\"enc\"(-1)>",
        "#mpmd<origin\"lbl\">", "#mpmd<mesh_with_origins\"m1\"[\"a\", \"b\"]>",
        "#mpmd<mesh_with_origins\"m1\">", "#mpmd.meshes_with_origins<\"m1\"[\"a\"], \"m2\">",
        "#mpmd.meshes_with_origins<>", "#mpmd.reduction<none>", "#mpmd.reduction<add>",
        "#mpmd.reduction<max>", "#mpmd.reduction<min>", "#mpmd.reduction<mul>", "#mpmd.reduction<or>",
        "#mpmd.reduction<and>"})
    CHECK(reprinted(text) == text);
  CHECK(reprinted("#mpmd.user_origin<\"f1\"(0)>") == "#mpmd.user_origin<\"f1\">");
  CHECK(reprinted("#mpmd.meshes_with_origins<\"m\"[\"a\",\"b\"],\"n\" >") ==
        "#mpmd.meshes_with_origins<\"m\"[\"a\", \"b\"], \"n\">");
  CHECK(reprinted("#mpmd<meshes_with_origins<#mpmd<mesh_with_origins\"m\"[#mpmd<origin \"a\">]>>>") ==
        "#mpmd.meshes_with_origins<\"m\"[\"a\"]>");
  CHECK(reprinted("#mpmd.topology<<\"m1\": <[\"x\"=2]>>\n  , <\"m1\" :<[\"x\"=2]>> >") ==
        "#mpmd.topology<<\"m1\" : <[\"x\"=2]>>, <\"m1\" : <[\"x\"=2]>>>");
  CHECK(reprinted("#mpmd.meshes_with_origins<\"a\\22b\"[\"c\\\\d\"]>") ==
        "#mpmd.meshes_with_origins<\"a\\22b\"[\"c\\5Cd\"]>");
}

TEST_CASE("attributes of the mpmd dialect that are not well-formed") {
  CHECK(error_of("#mpmd.topology<>") == "1:16: expected '<'");
  CHECK(error_of("#mpmd.topology<\"m0\": <[\"x\"=4]>>") == "1:16: expected '<'");
  CHECK(error_of("#mpmd.topology<<\"m0\" <[\"x\"=4]>>>") == "1:22: expected ':'");
  CHECK(error_of("#mpmd.topology<<m0: <[\"x\"=4]>>>") == "1:17: expected string");
  CHECK(error_of("#mpmd.topology<<\"m0\": <[\"x\"=4]>>,>") == "1:34: expected '<'");
  CHECK(error_of("#mpmd.topology<<\"m0\": <[\"x\"=4]>>") ==
        "1:15: unbalanced '<' character in pretty dialect name");
  CHECK(error_of("#mpmd.user_origin<enc>") == "1:19: expected string: the name of a user origin");
  CHECK(error_of("#mpmd.user_origin<\"enc\"(x)>") ==
        "1:25: expected integer value: the transpose count of a user origin");
  CHECK(error_of("#mpmd.user_origin<\"enc\"(1 2)>") ==
        "1:27: expected ')' behind the transpose count of a user origin");
  CHECK(error_of("#mpmd.meshes_with_origins<\"m1\"[]>") == "1:32: expected string");
  CHECK(error_of("#mpmd.meshes_with_origins<\"m1\"[\"a\">") ==
        "1:31: unbalanced '[' character in pretty dialect name");
  CHECK(error_of("#mpmd.meshes_with_origins<m1>") == "1:27: expected string");
  CHECK(error_of("#mpmd.reduction<sub>") ==
        "1:17: expected a reduction kind, one of: none, add, max, min, mul, or, and");
  CHECK(error_of("#mpmd.origin\"a\"") == "1:13: expected '<'");
  CHECK(error_of("#mpmd.foo<1>") == "1:1: unknown attribute 'foo' in dialect 'mpmd'");
  CHECK(error_of("#mpmd<foo>") == "1:1: unknown attribute 'foo' in dialect 'mpmd'");
}

TEST_CASE("forms that ops use: lists of origins, shardings and axes") {
  mpmd::ir::context in;
  std::vector<std::string> found;
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { found.push_back(d.message); });
  auto reader_of = [&](std::string text) {
    return mpmd::text::mlir::reader(in, diags, in.sources.add("t", std::move(text)).first);
  };
  auto stripped = [&](mpmd::ir::attribute a) {
    std::string out;
    mpmd::text::mlir::print_stripped(out, in, a);
    return out;
  };
  CHECK(stripped(reader_of("[ \"f\"(1),\"g\", #mpmd.user_origin<\"h\"(2)>]").parse_user_origins()) ==
        "[\"f\"(1), \"g\", \"h\"(2)]");
  CHECK(stripped(reader_of("[]").parse_user_origins()) == "[]");
  CHECK(stripped(reader_of("[<@m, []>, <@m, [{\"x\"}]>]").parse_sharding_list()) ==
        "[<@m, []>, <@m, [{\"x\"}]>]");
  CHECK(stripped(reader_of("<[\"x\"=2]>").parse_mesh()) == "<[\"x\"=2]>");
  CHECK(stripped(reader_of("\"x\"").parse_user_origin()) == "\"x\"");
  CHECK(reader_of("max>").parse_reduction_kind() == mpmd::ir::reduction_kind::max);
  std::vector<mpmd::ir::axis_ref> axes;
  CHECK(reader_of("{\"x\", \"y\":(1)2}").parse_axes(axes));
  CHECK(axes == std::vector<mpmd::ir::axis_ref>{{"x", 0, 0}, {"y", 1, 2}});
  std::vector<std::int64_t> numbers;
  CHECK(reader_of("[1, -2, 0x10]").parse_integers('[', ']', numbers));
  CHECK(numbers == std::vector<std::int64_t>{1, -2, 16});
  CHECK(found.empty());
}

}  // namespace

}  // namespace attributes_dialect_test
