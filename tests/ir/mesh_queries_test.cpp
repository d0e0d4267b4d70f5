#include <mpmd/ir/mesh_queries.hpp>

#include <doctest/doctest.h>

#include <mpmd/ir/type_text.hpp>

#include "ir/support.hpp"

namespace mesh_queries_test {

using namespace mpmd::ir;
using mpmd::ir::testing::sample;

TEST_CASE("a mesh tensor knows its mesh, its shapes and its memory") {
  sample s;
  attribute const sharding =
      s.cx().get(sharding_attr{s.cx().symbol("mesh"), {{{{"x", 0, 0}}, false, {}}, {}}});
  type const plain = s.on("m1");
  type const split = with_sharding(s.cx(), plain, sharding);
  mesh_attr const mesh{{{"x", 2}}, {}};
  CHECK(mesh_of(s.cx(), plain) == "m1");
  CHECK(mesh_of(s.cx(), s.t48()) == std::nullopt);
  CHECK(global_type(s.cx(), split) == s.t48());
  CHECK(global_type(s.cx(), s.t48()) == s.t48());
  CHECK(local_type(s.cx(), split, mesh) == s.tensor({2, 8}));
  CHECK(local_type(s.cx(), plain, mesh) == s.t48());
  CHECK(with_sharding(s.cx(), split, {}) == plain);
  CHECK(with_sharding(s.cx(), s.t48(), sharding) == s.t48());

  auto data = [&](type t) { return *s.cx().get_if<mesh_tensor_type>(t); };
  type const host = with_memory_kind(s.cx(), split, "pinned_host");
  type const device = with_memory_kind(s.cx(), split, "device");
  CHECK(is_on_host(data(host)));
  CHECK_FALSE(is_on_host(data(device)));
  CHECK_FALSE(is_on_host(data(plain)));
  CHECK(is_fully_replicated(s.cx(), data(plain)));
  CHECK_FALSE(is_fully_replicated(s.cx(), data(split)));
  CHECK(is_intra_mesh(data(plain), data(split)));
  CHECK_FALSE(is_intra_mesh(data(split), data(device)));
  CHECK_FALSE(is_intra_mesh(data(plain), data(s.on("m2"))));
}

TEST_CASE("a topology gives the first mesh of a name") {
  sample s;
  attribute const x = make_mesh(s.cx(), {{"x", 2}}), y = make_mesh(s.cx(), {{"y", 2}});
  auto topology = [&](std::vector<std::pair<std::string, attribute>> const& meshes) {
    return *s.cx().get_if<topology_attr>(make_topology(s.cx(), meshes));
  };
  CHECK(find_mesh(s.cx(), topology({{"a", x}, {"b", y}, {"b", x}}), "b") == y);
  CHECK(find_mesh(s.cx(), topology({{"a", x}}), "b") == attribute{});
  CHECK(is_homogeneous(s.cx(), topology({{"a", x}, {"b", make_mesh(s.cx(), {{"u", 1}, {"x", 2}})}})));
  CHECK_FALSE(is_homogeneous(s.cx(), topology({{"a", x}, {"b", y}})));
}

TEST_CASE("mesh names carry conventions") {
  CHECK(is_cpu_mesh("m1/cpu"));
  CHECK_FALSE(is_cpu_mesh("cpu"));
  using split = std::pair<std::string_view, std::optional<std::string_view>>;
  CHECK(split_memory_kind("m1#pinned_host") == split{"m1", "pinned_host"});
  CHECK(split_memory_kind("m1") == split{"m1", std::nullopt});
  CHECK(split_memory_kind("m1#") == split{"m1", std::nullopt});
  CHECK(split_memory_kind("m1#a#b") == split{"m1", "a#b"});
}

TEST_CASE("mesh names sort by the number at their end when all have one") {
  CHECK(compare_mesh_names("mesh2", "mesh10") < 0);
  CHECK(compare_mesh_names("b1", "a2") < 0);
  CHECK(compare_mesh_names("a1", "b1") == 0);
  CHECK(compare_mesh_names("m007", "m7") == 0);
  CHECK(compare_mesh_names("a", "a1") < 0);
  CHECK(compare_mesh_names("m99999999999999999999", "m100000000000000000000") < 0);
  auto sorted = [](std::vector<std::string> names) {
    sort_by_mesh_name(names, [](std::string const& s) { return std::string_view(s); });
    return names;
  };
  CHECK(sorted({"mesh10", "b1", "mesh2", "a1"}) == std::vector<std::string>{"b1", "a1", "mesh2", "mesh10"});
  // By numbers z1 < a2 and as text a2 < m < z1: with a name without a number, all are text.
  CHECK(sorted({"z1", "m", "a2"}) == std::vector<std::string>{"a2", "m", "z1"});
}

TEST_CASE("types are spelled as in MLIR") {
  sample s;
  context& cx = s.cx();
  auto text = [&](type t) { return to_text(cx, t); };
  CHECK(text(s.u32()) == "ui32");
  CHECK(text(cx.integer(8, signedness::is_signed)) == "si8");
  CHECK(text(s.tensor({4, dynamic_extent})) == "tensor<4x?xf32>");
  CHECK(text(s.tensor({})) == "tensor<f32>");
  CHECK(text(cx.get(unranked_tensor_type{s.i32()})) == "tensor<*xi32>");
  CHECK(text(cx.get(vector_type{{4, 8}, {false, true}, s.f32()})) == "vector<4x[8]xf32>");
  CHECK(text(cx.get(complex_type{s.f32()})) == "complex<f32>");
  CHECK(text(cx.get(tuple_type{{s.i32(), s.f32()}})) == "tuple<i32, f32>");
  CHECK(text(cx.get(tuple_type{{}})) == "tuple<>");
  CHECK(text(cx.get(token_type{})) == "!stablehlo.token");
  CHECK(text(cx.get(function_type{{s.i32(), s.f32()}, {s.i32()}})) == "(i32, f32) -> i32");
  CHECK(text(cx.get(function_type{{}, {}})) == "() -> ()");
  CHECK(text(cx.get(function_type{{}, {cx.get(function_type{{}, {s.i32()}})}})) == "() -> (() -> i32)");
  CHECK(text(cx.get(tensor_type{{2}, s.f32(), cx.string("rows")})) == "tensor<2xf32, \"rows\">");
  CHECK(text(cx.get(tensor_type{{2}, s.f32(), cx.get(opaque_attr{"#x.y"})})) == "tensor<2xf32, #x.y>");
  CHECK(text(s.on("m1")) == "!mpmd.mesh_tensor<\"m1\", tensor<4x8xf32>>");
  sharding_attr sharding{cx.get(mesh_attr{{{"x", 2}, {"y", 2}}, {1, 0, 2, 3}}),
                         {{{{"x", 0, 0}}, true, 1}, {{}, true, {}}, {{{"y", 1, 2}}, false, {}}}};
  sharding.replicated = {{"a", 0, 0}};
  sharding.unreduced = {{"b", 0, 0}, {"c", 0, 0}};
  sharding.reduction = unreduced_kind::max;
  mesh_tensor_type full{"m", s.tensor({2}), cx.get(sharding), "device"};
  CHECK(
      text(cx.get(full)) ==
      "!mpmd.mesh_tensor<\"m\", tensor<2xf32>, sharding=<mesh<[\"x\"=2, \"y\"=2], device_ids=[1, 0, 2, 3]>, "
      "[{\"x\", ?}p1, {?}, {\"y\":(1)2}], replicated={\"a\"}, unreduced=max{\"b\", \"c\"}>, "
      "memory_kind=\"device\">");
  type deep = s.i32();
  for (int i = 0; i < 100000; ++i) deep = cx.get(tuple_type{{deep}});
  CHECK(text(deep).size() == 3 + 100000 * 7);
}

}  // namespace mesh_queries_test
