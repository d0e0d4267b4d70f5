#include <mpmd/ir/sharding.hpp>

#include <doctest/doctest.h>

#include <mpmd/ir/sharding_check.hpp>

#include "ir/support.hpp"

namespace sharding_test {

using namespace mpmd::ir;
using mpmd::ir::testing::sample;

namespace {

axis_ref full(std::string label) { return {std::move(label), 0, 0}; }
axis_ref part(std::string label, std::int64_t pre, std::int64_t size) {
  return {std::move(label), pre, size};
}
dim_sharding on(std::vector<axis_ref> axes, bool open = false, std::optional<std::int64_t> priority = {}) {
  return {std::move(axes), open, priority};
}

/// A mesh ["x"=2, "y"=4, "z"=16] and shardings on it.
struct fixture : sample {
  mesh_attr mesh{{{"x", 2}, {"y", 4}, {"z", 16}}, {}};
  sharding_attr sharding(std::vector<dim_sharding> dims) { return {cx().symbol("mesh"), std::move(dims)}; }
  std::string check(sharding_attr const& s, type of, divisibility d = divisibility::required) {
    return find_fault(cx(), s, of, mesh, d).value_or("");
  }
  std::string local(std::vector<dim_sharding> dims, type of) {
    return to_text(cx(), local_type(cx(), of, sharding(std::move(dims)), mesh));
  }
};

}  // namespace

TEST_CASE("axis sizes") {
  fixture f;
  CHECK(axis_size(f.mesh, "y") == 4);
  CHECK(axis_size(f.mesh, full("z")) == 16);
  CHECK(axis_size(f.mesh, part("z", 2, 4)) == 4);
  CHECK(axis_size(f.mesh, "none") == 1);
  CHECK(sharded_size(f.mesh, {full("x"), part("z", 1, 8)}) == 16);
  CHECK(device_count(f.mesh) == 128);
  CHECK(device_count({{}, {5}}) == 1);
  CHECK(device_count({}) == 0);
}

TEST_CASE("products of absurd sizes saturate") {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  CHECK(saturating_product(most, 2) == most);
  CHECK(saturating_product(most, 1) == most);
  CHECK(saturating_product(0, most) == 0);
  CHECK(device_count({{{"a", std::int64_t{1} << 40}, {"b", std::int64_t{1} << 40}}, {}}) == most);
}

TEST_CASE("axes are ordered by the mesh, then by where a sub-axis starts") {
  fixture f;
  auto less = [&](axis_ref const& a, axis_ref const& b) {
    return compare_axes(f.mesh, a, b) < 0 && compare_axes(f.mesh, b, a) > 0;
  };
  CHECK(less(full("x"), full("y")));
  CHECK(less(full("y"), part("z", 1, 2)));
  CHECK(less(part("z", 1, 2), part("z", 1, 4)));
  CHECK(less(part("z", 1, 8), part("z", 2, 2)));
  CHECK(less(full("z"), part("z", 2, 2)));
  CHECK(less(part("z", 1, 8), full("z")));
  CHECK(compare_axes(f.mesh, full("z"), full("z")) == 0);
  CHECK(less(full("z"), full("a")));  // not in the mesh
}

TEST_CASE("adjacent sub-axes can be merged") {
  CHECK(can_merge(part("z", 1, 2), part("z", 2, 4)));
  CHECK_FALSE(can_merge(part("z", 1, 2), part("z", 4, 2)));
  CHECK_FALSE(can_merge(part("z", 2, 4), part("z", 1, 2)));
  CHECK_FALSE(can_merge(part("y", 1, 2), part("z", 2, 4)));
  CHECK_FALSE(can_merge(full("z"), part("z", 2, 4)));
}

TEST_CASE("shardings are equivalent when they place the parts alike") {
  fixture f;
  auto const split = f.sharding({on({full("x")}), on({})});
  auto const split_open = f.sharding({on({full("x")}, true, 1), on({}, true)});
  auto const other = f.sharding({on({}), on({full("x")})});
  auto const replicated = f.sharding({on({}), on({}, true)});
  auto named = replicated;
  named.replicated = {full("y")};
  auto unreduced = replicated;
  unreduced.unreduced = {full("y")};
  auto elsewhere = split;
  elsewhere.mesh = f.cx().symbol("other");

  CHECK(equivalent(&split, &split_open));
  CHECK_FALSE(equivalent(&split, &other));
  CHECK_FALSE(equivalent(&split, &elsewhere));
  CHECK(equivalent(&replicated, nullptr));
  CHECK(equivalent(&named, &replicated));
  CHECK_FALSE(equivalent(&unreduced, &replicated));
  CHECK_FALSE(equivalent(nullptr, &unreduced));
  CHECK_FALSE(equivalent(&split, nullptr));
  auto const s = f.cx().get(split), t = f.cx().get(split_open);
  CHECK(equivalent_shardings(f.cx(), s, t));
  CHECK(equivalent_shardings(f.cx(), {}, f.cx().get(named)));
}

TEST_CASE("fully open and fully closed shardings") {
  fixture f;
  attribute const mesh = f.cx().symbol("mesh");
  CHECK(to_text(f.cx(), *f.cx().get_if<sharding_attr>(fully_open(f.cx(), mesh, 2))) == "<@mesh, [{?}, {?}]>");
  CHECK(to_text(f.cx(), *f.cx().get_if<sharding_attr>(fully_closed(f.cx(), mesh, 1))) == "<@mesh, [{}]>");
}

TEST_CASE("the local shape divides each dimension by its axes, rounding up") {
  fixture f;
  type const t = f.tensor({12, 16});
  CHECK(f.local({on({full("x")}), on({full("y")})}, t) == "tensor<6x4xf32>");
  CHECK(f.local({on({}), on({full("x"), full("y")})}, t) == "tensor<12x2xf32>");
  CHECK(f.local({on({part("y", 1, 2)}), on({}, true)}, t) == "tensor<6x16xf32>");
  CHECK(f.local({on({full("y")}), on({})}, f.tensor({5, dynamic_extent})) == "tensor<2x?xf32>");
  CHECK(f.local({on({}), on({full("x")})}, f.tensor({5, dynamic_extent})) == "tensor<5x?xf32>");
  CHECK(f.local({}, f.tensor({})) == "tensor<f32>");
  CHECK(f.local({}, t) == "tensor<12x16xf32>");
  CHECK(f.local({on({full("x")})}, f.i32()) == "i32");
  auto const back = global_type(f.cx(), f.tensor({2, 16}), f.sharding({on({full("y")}), on({})}), f.mesh);
  CHECK(to_text(f.cx(), back) == "tensor<8x16xf32>");
}

TEST_CASE("manual axes are read from an array or from text") {
  fixture f;
  using names = std::vector<std::string>;
  auto text = [&](std::string const& t) { return manual_axes(f.cx(), f.cx().get(opaque_attr{t})); };
  CHECK(manual_axes(f.cx(), f.cx().get(array_attr{{f.cx().string("a"), f.cx().string("b")}})) ==
        names{"a", "b"});
  CHECK(text("#sdy<manual_axes {\"a\", \"b\"}>") == names{"a", "b"});
  CHECK(text("#sdy<manual_axes{}>") == names{});
  CHECK(text(R"(#sdy<manual_axes {"q\22\\\"x"}>)") == names{"q\"\\\"x"});
  CHECK(text("#sdy<manual_axes {\"a}>") == std::nullopt);
  CHECK(text("#other<\"a\">") == std::nullopt);
  CHECK(manual_axes(f.cx(), f.cx().get(array_attr{{f.cx().unit()}})) == std::nullopt);
  CHECK(manual_axes(f.cx(), {}) == std::nullopt);
}

TEST_CASE("meshes are equivalent up to axes of size 1") {
  CHECK(equivalent(mesh_attr{{{"x", 2}, {"one", 1}}, {}}, mesh_attr{{{"x", 2}}, {}}));
  CHECK_FALSE(equivalent(mesh_attr{{{"x", 2}}, {}}, mesh_attr{{{"y", 2}}, {}}));
  CHECK_FALSE(equivalent(mesh_attr{{{"x", 2}}, {1, 0}}, mesh_attr{{{"x", 2}}, {}}));
}

TEST_CASE("faults of a mesh") {
  auto what = [](mesh_attr const& m) { return find_fault(m).value_or(""); };
  CHECK(what({}) == "");
  CHECK(what({{}, {7}}) == "");
  CHECK(what({{{"x", 2}, {"y", 1}}, {}}) == "");
  CHECK(what({{{"x", 2}}, {1, 0}}) == "");
  CHECK(what({{{"x", 0}}, {}}) == "axis size must be at least 1, got: 0");
  CHECK(what({{{"a", 2}, {"b", 2}, {"a", 2}}, {}}) == "duplicate axis name: \"a\"");
  CHECK(what({{{"a", 2}}, {0, -3}}) == "device id must be non-negative, got: -3");
  CHECK(what({{}, {0, 1}}) == "axes is empty and device_ids has more than one element");
  CHECK(what({{{"a", 2}, {"b", 2}}, {0, 1}}) ==
        "total product of axis sizes must match total number of device ids, got: 4 != 2");
  CHECK(what({{{"a", 3}}, {3, 0, 1}}) == "sorted device ids must be iota(product(axes)), got: 0, 1, 3");
  CHECK(what({{{"a", 3}}, {0, 1, 2}}).starts_with("device ids in increasing order"));
}

TEST_CASE("a sharding fits its tensor") {
  fixture f;
  CHECK(f.check(f.sharding({on({full("x")}), on({full("y")}, true)}), f.t48()) == "");
  CHECK(f.check(f.sharding({on({part("z", 1, 4)}), on({part("z", 8, 2)})}), f.t48()) == "");
  CHECK(f.check(f.sharding({on({full("x")}), on({full("y")})}), f.on("m1")) == "");
  CHECK(f.check(f.sharding({}), f.cx().get(token_type{})) == "");
  CHECK(f.check(f.sharding({on({full("x")})}), f.cx().get(tuple_type{{f.tensor({4})}})) == "");
  CHECK(f.check(f.sharding({on({full("x")})}), f.tensor({dynamic_extent})) == "");
}

TEST_CASE("faults of a sharding as a whole") {
  fixture f;
  CHECK(f.check(f.sharding({on({full("x")})}), f.t48()) == "sharding doesn't match tensor rank: 1 != 2");
  CHECK(f.check(f.sharding({on({})}), f.cx().get(tuple_type{{f.t48(), f.t48()}})) ==
        "ops can only have a sharding for a tuple of size 1");
  CHECK(f.check(f.sharding({on({})}), f.cx().get(unranked_tensor_type{f.f32()})) ==
        "only ranked tensors can have a sharding");
  auto const token = f.cx().get(token_type{});
  std::string const unshaped =
      "non-shaped tensors can only have a sharding with rank 0 and no replicated or unreduced axes";
  CHECK(f.check(f.sharding({on({})}), token) == unshaped);
  auto replicated = f.sharding({});
  replicated.replicated = {full("x")};
  CHECK(f.check(replicated, token) == unshaped);

  f.mesh = {{}, {3}};
  std::string const maximal =
      "a maximal sharding can only have a sharding with rank 0 and no replicated or unreduced axes";
  CHECK(f.check(f.sharding({}), f.t48()) == "");
  CHECK(f.check(f.sharding({on({}), on({})}), f.t48()) == maximal);
  CHECK(f.check(replicated, f.t48()) == maximal);
}

TEST_CASE("faults of a dimension") {
  fixture f;
  auto first = [&](dim_sharding d, std::int64_t size = 64) {
    return f.check(f.sharding({std::move(d)}), f.tensor({size}));
  };
  CHECK(first(on({}, false, 0)) == "dim 0 is empty and closed but has a priority");
  CHECK(first(on({}, true, 3)) == "");
  CHECK(first(on({full("x")}, false, -1)) == "dim 0 has a negative priority: -1");
  CHECK(first(on({full("q")})) == "unknown axis name: \"q\"");
  CHECK(first(on({full("x"), full("x")})) == "duplicate axis ref: \"x\"");
  CHECK(first(on({part("z", 1, 2), part("z", 1, 2)})) == "duplicate axis ref: \"z\":(1)2");
  CHECK(first(on({part("z", 1, 2), part("z", 2, 4)})) ==
        "two consecutive sub-axes can be merged: \"z\":(1)2, \"z\":(2)4");
  CHECK(first(on({full("y")}), 6) == "dim 0 with size 6 is not divisible by its sharded size 4");
  CHECK(f.check(f.sharding({on({full("y")})}), f.tensor({6}), divisibility::ignored) == "");
  CHECK(f.check(f.sharding({on({full("x")}), on({full("x")})}), f.t48()) == "duplicate axis ref: \"x\"");
}

TEST_CASE("faults of replicated and unreduced axes") {
  fixture f;
  auto s = f.sharding({on({})});
  s.replicated = {full("y"), full("x")};
  CHECK(f.check(s, f.tensor({4})) == "replicated axes are not ordered w.r.t. mesh");
  s.replicated = {full("x")};
  s.unreduced = {full("z"), full("y")};
  CHECK(f.check(s, f.tensor({4})) == "unreduced axes are not ordered w.r.t. mesh");
  s.unreduced = {full("x")};
  CHECK(f.check(s, f.tensor({4})) == "duplicate axis ref: \"x\"");
  s.unreduced = {full("q")};
  CHECK(f.check(s, f.tensor({4})) == "unknown axis name: \"q\"");
}

TEST_CASE("faults of sub-axes") {
  fixture f;
  auto first = [&](std::vector<axis_ref> axes) {
    return f.check(f.sharding({on({axes[0]}), on({axes.begin() + 1, axes.end()})}), f.tensor({64, 64}));
  };
  CHECK(first({full("z"), part("z", 1, 2)}) == "both sub-axis and full-axis are used for axis name: \"z\"");
  CHECK(first({part("z", 0, 2)}) == "sub-axis pre-size must be at least 1: \"z\":(0)2");
  CHECK(first({part("z", 2, 1)}) == "sub-axis sizes must be greater than 1: \"z\":(2)1");
  CHECK(first({part("z", 2, 3)}).starts_with("dim 0 with size 64 is not divisible"));
  CHECK(f.check(f.sharding({on({part("z", 2, 3)})}), f.tensor({6})) ==
        "sub-axis next pre-size 6 doesn't divide the size of the full axis 16: \"z\":(2)3");
  CHECK(first({part("z", 8, 4)}) ==
        "sub-axis next pre-size 32 doesn't divide the size of the full axis 16: \"z\":(8)4");
  CHECK(first({part("z", 1, 16)}) == "sub-axis size is equal to the full axis size: \"z\":(1)16");
  CHECK(first({part("z", 2, 4), part("z", 1, 4)}) == "overlapping sub-axes: \"z\":(1)4, \"z\":(2)4");
}

}  // namespace sharding_test
