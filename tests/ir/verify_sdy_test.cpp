#include <mpmd/ir/verify.hpp>

#include <doctest/doctest.h>

#include "ir/support.hpp"

namespace verify_sdy_test {

using namespace mpmd::ir;
using testing::expect_error;
using testing::expect_valid;
using testing::sample;

namespace {

dim_sharding by(std::string axis) { return {{{std::move(axis), 0, 0}}, false, {}}; }

/// A mesh @mesh = ["x"=2, "y"=4] and a function with two tensors.
struct sharded : sample {
  op f;
  builder b;
  sharded() : f(make_function()), b(in(f)) {}
  op make_function() {
    define_mesh("mesh", mesh_attr{{{"x", 2}, {"y", 4}}, {}});
    return top.func("f", {t48(), t48()}, {t48()});
  }
  op define_mesh(std::string_view label, mesh_attr mesh) {
    return top.create(
        opcode::sdy_mesh, {}, {},
        make_dictionary(cx(), {{"sym_name", cx().string(label)}, {"mesh", cx().get(std::move(mesh))}}));
  }
  attribute sharding(std::vector<dim_sharding> dims, std::string_view mesh = "mesh") {
    return cx().get(sharding_attr{cx().symbol(mesh), std::move(dims)});
  }
  attribute list(std::vector<attribute> shardings) {
    return cx().get(sharding_per_value_attr{std::move(shardings)});
  }
  op constraint(value of, attribute s) {
    return b.create(opcode::sdy_sharding_constraint, {of}, {p.type_of(of)},
                    make_dictionary(cx(), {{"sharding", s}}));
  }
  void fails(op at, std::string_view id, std::string_view message) {
    b.func_return({arg(f, 0)});
    expect_error(*this, at, id, message);
  }
  void holds() {
    b.func_return({arg(f, 0)});
    expect_valid(*this);
  }
};

}  // namespace

TEST_CASE("sharding: on arguments and results of functions") {
  sharded s;
  auto on = [&](io_side side, std::size_t i, attribute held) {
    set_io_attribute(s.p, s.f, side, i, "sdy.sharding", held);
  };
  SUBCASE("fits, and need not divide") {
    on(io_side::arguments, 1, s.sharding({by("x"), by("y")}));
    on(io_side::results, 0, s.sharding({{{{"y", 0, 0}, {"x", 0, 0}}, false, {}}, {}}));
    s.holds();
  }
  SUBCASE("argument") {
    on(io_side::arguments, 1, s.sharding({by("q"), {}}));
    s.fails(s.f, "sharding", "'func.func' op arg 1 - unknown axis name: \"q\"");
  }
  SUBCASE("result") {
    on(io_side::results, 0, s.sharding({by("x")}));
    s.fails(s.f, "sharding", "'func.func' op result 0 - sharding doesn't match tensor rank: 1 != 2");
  }
  SUBCASE("kind") {
    on(io_side::arguments, 0, s.list({}));
    s.fails(s.f, "sharding",
            "'func.func' op arg 0 - should have a sharding attribute of type TensorShardingAttr");
  }
  SUBCASE("mesh") {
    on(io_side::arguments, 0, s.sharding({{}, {}}, "nowhere"));
    s.fails(s.f, "sharding", "'func.func' op arg 0 - unknown mesh: @nowhere");
  }
  SUBCASE("a symbol that is no mesh") {
    on(io_side::arguments, 0, s.sharding({{}, {}}, "f"));
    s.fails(s.f, "sharding", "'func.func' op arg 0 - unknown mesh: @f");
  }
}

TEST_CASE("sharding: on any op, one a result") {
  sharded s;
  op const one = s.plain(s.b, "x.one", {});
  op const two = s.plain(s.b, "x.two", {}, 2);
  op const none = s.plain(s.b, "x.none", {}, 0);
  auto with = [&](op o, attribute held) { s.p.set_attr(o, "sdy.sharding", held); };
  attribute const good = s.sharding({by("x"), {}}), bad = s.sharding({by("q"), {}});
  SUBCASE("fits") {
    with(one, s.list({good}));
    with(two, s.list({good, good}));
    with(none, s.list({}));
    s.holds();
  }
  SUBCASE("one result") {
    with(one, s.list({bad}));
    s.fails(one, "sharding", "'x.one' op result - unknown axis name: \"q\"");
  }
  SUBCASE("several results") {
    with(two, s.list({good, bad}));
    s.fails(two, "sharding", "'x.two' op result 1 - unknown axis name: \"q\"");
  }
  SUBCASE("kind") {
    with(one, good);
    s.fails(one, "sharding",
            "'x.one' op should have a sharding attribute of type TensorShardingPerValueAttr");
  }
  SUBCASE("count") {
    with(two, s.list({good}));
    s.fails(two, "sharding",
            "'x.two' op result shardings don't match number of values: 1 shardings vs 2 values");
  }
  SUBCASE("no results, but a sharding that splits nothing") {
    with(none, s.list({s.sharding({{}, {}})}));
    s.holds();
  }
  SUBCASE("no results, but a maximal sharding") {
    s.define_mesh("one", mesh_attr{{}, {5}});
    with(none, s.list({s.sharding({}, "one")}));
    s.holds();
  }
  SUBCASE("no results, but a sharding that splits") {
    with(none, s.list({good}));
    s.fails(none, "sharding",
            "'x.none' op result shardings don't match number of values: 1 shardings vs 0 values");
  }
  SUBCASE("an inlined mesh") {
    with(one, s.list({s.cx().get(sharding_attr{make_mesh(s.cx(), {{"q", 2}}), {by("q"), {}}})}));
    s.holds();
  }
}

TEST_CASE("sdy: meshes are well formed") {
  sharded s;
  op const m = s.define_mesh("bad", mesh_attr{{{"a", 2}, {"a", 2}}, {}});
  SUBCASE("fault") { s.fails(m, "sdy", "'sdy.mesh' op duplicate axis name: \"a\""); }
  SUBCASE("no mesh") {
    s.p.remove_attr(m, "mesh");
    s.fails(m, "attribute", "'sdy.mesh' op requires attribute 'mesh'");
  }
}

TEST_CASE("sharding: of constraints and reshards") {
  sharded s;
  SUBCASE("fits") {
    s.constraint(s.arg(s.f, 0), s.sharding({by("x"), {}}));
    s.holds();
  }
  SUBCASE("none") {
    s.fails(s.constraint(s.arg(s.f, 0), {}), "attribute",
            "'sdy.sharding_constraint' op requires attribute 'sharding'");
  }
  SUBCASE("rank") {
    s.fails(s.constraint(s.arg(s.f, 0), s.sharding({by("x")})), "sharding",
            "'sdy.sharding_constraint' op sharding doesn't match tensor rank: 1 != 2");
  }
  SUBCASE("type") {
    op const o = s.b.create(opcode::sdy_reshard, {s.arg(s.f, 0)}, {s.f32()},
                            make_dictionary(s.cx(), {{"sharding", s.sharding({{}, {}})}}));
    s.fails(o, "type", "'sdy.reshard' op requires the same type for all operands and results");
  }
}

TEST_CASE("sdy: sharding groups have a 64-bit id") {
  sharded s;
  op const o = s.b.create(opcode::sdy_sharding_group, {s.arg(s.f, 0)}, {},
                          make_dictionary(s.cx(), {{"group_id", s.cx().integer_value(1, 32)}}));
  s.fails(
      o, "attribute",
      "'sdy.sharding_group' op attribute 'group_id' failed to satisfy constraint: 64-bit signless integer "
      "attribute");
}

TEST_CASE("sdy: the source of a data flow edge has one use and comes from no sdy op") {
  sharded s;
  auto edge = [&](value of) { return s.b.create(opcode::sdy_data_flow_edge, {of}, {s.p.type_of(of)}); };
  SUBCASE("fits") {
    edge(s.arg(s.f, 1));
    s.holds();
  }
  SUBCASE("uses") {
    op const o = edge(s.arg(s.f, 1));
    s.plain(s.b, "x.use", {s.arg(s.f, 1)});
    s.fails(o, "sdy", "'sdy.data_flow_edge' op expected input of sdy.data_flow_edge to have a single user");
  }
  SUBCASE("an sdy op") {
    op const c = s.constraint(s.arg(s.f, 1), s.sharding({{}, {}}));
    s.fails(edge(s.res(c)), "sdy",
            "'sdy.data_flow_edge' op expected input of sdy.data_flow_edge to not be defined by an sdy op");
  }
  SUBCASE("sharding") {
    op const o = edge(s.arg(s.f, 1));
    s.p.set_attr(o, "sharding", s.sharding({by("q"), {}}));
    s.fails(o, "sharding", "'sdy.data_flow_edge' op unknown axis name: \"q\"");
  }
}

TEST_CASE("sdy: a propagation barrier does not allow both directions") {
  sharded s;
  auto barrier = [&](attribute direction) {
    return s.b.create(opcode::sdy_propagation_barrier, {s.arg(s.f, 0)}, {s.t48()},
                      make_dictionary(s.cx(), {{"allowed_direction", direction}}));
  };
  SUBCASE("one") {
    barrier(s.cx().integer_value(0, 32));
    s.holds();
  }
  SUBCASE("both") {
    s.fails(barrier(s.cx().integer_value(3, 32)), "sdy",
            "'sdy.propagation_barrier' op cannot specify `BOTH` as the direction");
  }
  SUBCASE("none") {
    s.fails(barrier({}), "attribute", "'sdy.propagation_barrier' op requires attribute 'allowed_direction'");
  }
}

namespace {

/// A manual computation over axis x: tensor<4x8xf32> split by x in dimension 0 is tensor<2x8xf32> inside.
struct manual : sharded {
  op mc = {};
  void make(std::vector<dim_sharding> in_dims, std::vector<dim_sharding> out_dims, type inside) {
    mc = b.create(opcode::sdy_manual_computation, {arg(f, 0)}, {t48()},
                  make_dictionary(cx(), {{"in_shardings", list({sharding(std::move(in_dims))})},
                                         {"out_shardings", list({sharding(std::move(out_dims))})},
                                         {"manual_axes", cx().get(array_attr{{cx().string("x")}})}}),
                  {}, {b.make_body({inside})});
  }
  op end() {
    builder inner = in(mc);
    return inner.create(opcode::sdy_return, {arg(mc, 0)}, {});
  }
};

}  // namespace

TEST_CASE("sdy: a manual computation sees the shape of one device of its manual axes") {
  manual s;
  SUBCASE("fits") {
    s.make({by("x"), by("y")}, {by("x"), {}}, s.tensor({2, 8}));
    s.end();
    s.holds();
  }
  SUBCASE("shape") {
    s.make({by("x"), {}}, {by("x"), {}}, s.tensor({4, 8}));
    s.end();
    s.fails(s.mc, "sdy",
            "'sdy.manual_computation' op operand 0 has type 'tensor<4x8xf32>' whose shape on each device "
            "does not "
            "match the type inside, 'tensor<4x8xf32>'");
  }
  SUBCASE("manual axes stand before free ones") {
    s.make({{{{"y", 0, 0}, {"x", 0, 0}}, false, {}}, {}}, {by("x"), {}}, s.tensor({2, 8}));
    s.end();
    s.fails(s.mc, "sdy",
            "'sdy.manual_computation' op operand 0 - manual axes must come before free axes in dimension 0");
  }
  SUBCASE("result") {
    s.make({by("x"), {}}, {by("q"), {}}, s.tensor({2, 8}));
    s.end();
    s.fails(s.mc, "sharding", "'sdy.manual_computation' op result - unknown axis name: \"q\"");
  }
  SUBCASE("count") {
    s.make({by("x"), {}}, {by("x"), {}}, s.tensor({2, 8}));
    s.p.set_attr(s.mc, "in_shardings", s.list({}));
    s.end();
    s.fails(s.mc, "sharding",
            "'sdy.manual_computation' op operand shardings don't match number of values: 0 shardings vs 1 "
            "values");
  }
}

TEST_CASE("attribute: manual axes are named in an array or in text") {
  manual s;
  s.make({by("x"), {}}, {by("x"), {}}, s.tensor({2, 8}));
  s.end();
  auto with = [&](attribute held) { s.p.set_attr(s.mc, "manual_axes", held); };
  SUBCASE("text") {
    with(s.cx().get(opaque_attr{"#sdy<manual_axes {\"x\"}>"}));
    s.holds();
  }
  SUBCASE("other text") {
    with(s.cx().get(opaque_attr{"#x.y<\"x\">"}));
    s.fails(
        s.mc, "attribute",
        "'sdy.manual_computation' op attribute 'manual_axes' failed to satisfy constraint: names of axes");
  }
  SUBCASE("nothing") {
    with({});
    s.fails(s.mc, "attribute", "'sdy.manual_computation' op requires attribute 'manual_axes'");
  }
}

TEST_CASE("sharding: an axis bound by a manual computation is not used inside") {
  manual s;
  s.make({by("x"), {}}, {by("x"), {}}, s.tensor({2, 8}));
  builder inner = s.in(s.mc);
  SUBCASE("another axis") {
    op const o = inner.create("x.op", {}, {s.t48()});
    s.p.set_attr(o, "sdy.sharding", s.list({s.sharding({by("y"), {}})}));
    s.end();
    s.holds();
  }
  std::string const message =
      "operates on axis \"x\" which is already bound by a parent sdy.manual_computation op";
  SUBCASE("by attribute") {
    op const o = inner.create("x.op", {}, {s.t48()});
    s.p.set_attr(o, "sdy.sharding", s.list({s.sharding({by("x"), {}})}));
    s.end();
    s.b.func_return({s.arg(s.f, 0)});
    auto const notes = expect_error(s, o, "sharding", "'x.op' op result - " + message);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].message == "parent bounding this axis as manual");
    CHECK(notes[0].where.line == locate(s.p, s.mc).line);
  }
  SUBCASE("by a constraint") {
    op const o = inner.create(opcode::sdy_sharding_constraint, {s.arg(s.mc, 0)}, {s.tensor({2, 8})},
                              make_dictionary(s.cx(), {{"sharding", s.sharding({{}, by("x")})}}));
    s.end();
    s.fails(o, "sharding", "'sdy.sharding_constraint' op " + message);
  }
}

TEST_CASE("sdy: a named computation has the same types inside and outside") {
  sharded s;
  op const nc =
      s.b.create(opcode::sdy_named_computation, {s.arg(s.f, 0)}, {s.t48()},
                 make_dictionary(s.cx(), {{"name", s.cx().string("n")}}), {}, {s.b.make_body({s.t48()})});
  builder inner = s.in(nc);
  op const end = inner.create(opcode::sdy_return, {s.arg(nc, 0)}, {});
  SUBCASE("fits") { s.holds(); }
  SUBCASE("operands") {
    s.p.append_operand(nc, s.arg(s.f, 0));
    s.fails(nc, "sdy",
            "'sdy.named_computation' op types of the block arguments must match those of the operands");
  }
  SUBCASE("results") {
    s.p.set_operands(end, {});
    s.fails(nc, "sdy",
            "'sdy.named_computation' op types of the returned values must match those of the results");
  }
  SUBCASE("shardings") {
    s.p.set_attr(nc, "out_shardings", s.list({s.sharding({by("q"), {}})}));
    s.fails(nc, "sharding", "'sdy.named_computation' op result - unknown axis name: \"q\"");
  }
}

TEST_CASE("stablehlo: elementwise ops work on compatible tensors") {
  sharded s;
  value const x = s.arg(s.f, 0);
  auto op_of = [&](std::string_view kind, std::vector<value> operands, type result) {
    return s.b.create(kind, std::move(operands), {result});
  };
  SUBCASE("fits") {
    op_of("stablehlo.add", {x, x}, s.t48());
    op_of("stablehlo.negate", {x}, s.tensor({4, dynamic_extent}));
    op_of("stablehlo.tanh", {x}, s.cx().get(unranked_tensor_type{s.f32()}));
    op_of("stablehlo.convert", {x}, s.cx().tensor({4, 8}, s.i32()));
    op_of("stablehlo.no_such_op", {}, s.f32());
    s.holds();
  }
  SUBCASE("shape") {
    s.fails(op_of("stablehlo.add", {x, x}, s.tensor({8, 4})), "type",
            "'stablehlo.add' op requires compatible types for all operands and results");
  }
  SUBCASE("element") {
    s.fails(op_of("stablehlo.sqrt", {x}, s.cx().tensor({4, 8}, s.i32())), "type",
            "'stablehlo.sqrt' op requires compatible types for all operands and results");
  }
  SUBCASE("operands") {
    s.fails(op_of("stablehlo.add", {x}, s.t48()), "operand-count",
            "'stablehlo.add' op expected 2 operands, but found 1");
  }
  SUBCASE("a placed tensor") {
    s.fails(op_of("stablehlo.negate", {x}, s.on("m1")), "type",
            "'stablehlo.negate' op result #0 must be tensor, but got '!mpmd.mesh_tensor<\"m1\", "
            "tensor<4x8xf32>>'");
  }
  SUBCASE("barrier") {
    s.fails(op_of("stablehlo.optimization_barrier", {x, x}, s.t48()), "result-count",
            "'stablehlo.optimization_barrier' op expected as many results as operands: 1 vs 2");
  }
  SUBCASE("barrier types") {
    s.fails(
        op_of("stablehlo.optimization_barrier", {x}, s.f32()), "type",
        "'stablehlo.optimization_barrier' op operand #0 has type 'tensor<4x8xf32>' but the result has type "
        "'f32'");
  }
  SUBCASE("constant") {
    op const c = op_of("stablehlo.constant", {}, s.t48());
    s.p.set_attr(c, "value", s.cx().get(dense_attr{s.tensor({2}), std::string(4, '\0'), true}));
    s.fails(
        c, "type",
        "'stablehlo.constant' op value has type 'tensor<2xf32>' but the result has type 'tensor<4x8xf32>'");
  }
}

}  // namespace verify_sdy_test
