#include <mpmd/ir/verify.hpp>

#include <doctest/doctest.h>

#include "ir/support.hpp"

namespace verify_mpmd_test {

using namespace mpmd::ir;
using testing::expect_error;
using testing::expect_valid;
using testing::sample;

namespace {

/// An MPMD function on meshes m1 and m2 (both ["x"=2, "y"=4]) with arguments
/// 0: tensor<4x8xf32>, 1: the same on m1, 2: the same on m2, 3: f32, 4: a token.
struct main_function : sample {
  op f;
  builder b;
  explicit main_function(bool distributed = true)
      : f(top.func("main", {t48(), on("m1"), on("m2"), f32(), token()}, {},
                   distributed ? with_topology() : attribute{})),
        b(in(f)) {}
  type token() { return cx().get(token_type{}); }
  using sample::tensor;
  value tensor() { return arg(f, 0); }
  value m1() { return arg(f, 1); }
  value m2() { return arg(f, 2); }
  value scalar() { return arg(f, 3); }
  value a_token() { return arg(f, 4); }
  attribute origins() { return make_origins(cx(), {}); }
  /// A sharding [{"x"}, {}] or with other axes.
  attribute sharding(std::vector<dim_sharding> dims = {{{{"x", 0, 0}}, false, {}}, {}}) {
    return cx().get(sharding_attr{cx().symbol("mesh"), std::move(dims)});
  }
  type split(std::string_view mesh, std::vector<dim_sharding> dims) {
    return with_sharding(cx(), on(mesh), sharding(std::move(dims)));
  }
  /// A fragment on m1 that returns its first argument as often as there are results.
  op fragment(std::vector<value> operands, std::vector<type> results, std::string_view mesh = "m1") {
    op const frag = b.fragment(mesh, origins(), std::move(operands), results);
    builder inner = in(frag);
    inner.mpmd_return(std::vector<value>(results.size(), results.empty() ? value{} : arg(frag, 0)));
    return frag;
  }
  void fails(op at, std::string_view id, std::string_view message) {
    b.func_return({});
    expect_error(*this, at, id, message);
  }
  void holds() {
    b.func_return({});
    expect_valid(*this);
  }
};

dim_sharding by(std::string axis) { return {{{std::move(axis), 0, 0}}, false, {}}; }

}  // namespace

TEST_CASE("fragment: one that fits") {
  main_function s;
  op const frag = s.fragment({s.m1()}, {s.on("m1"), s.split("m1", {by("x"), by("y")})});
  s.p.set_attr(frag, "call_counter", s.cx().integer_value(3, 32, signedness::is_unsigned));
  s.p.set_attr(frag, "stage_id", s.cx().integer_value(1));
  s.fragment({}, {});
  s.fragment({s.a_token()}, {s.token()});
  s.holds();
}

TEST_CASE("attribute: inherent attributes of a fragment") {
  main_function s;
  op const frag = s.fragment({}, {});
  auto with = [&](std::string_view key, attribute held, std::string const& message) {
    s.p.set_attr(frag, key, held);
    s.fails(frag, "attribute", "'mpmd.fragment' op " + message);
  };
  std::string const failed = "failed to satisfy constraint: ";
  SUBCASE("no origin") { with("origin", {}, "requires attribute 'origin'"); }
  SUBCASE("origin") {
    with("origin", s.cx().unit(), "attribute 'origin' " + failed + "array of user origins");
  }
  SUBCASE("origins") {
    with("origin", s.cx().get(array_attr{{s.cx().unit()}}),
         "attribute 'origin' " + failed + "array of user origins");
  }
  SUBCASE("no mesh") { with("mesh_name", {}, "requires attribute 'mesh_name'"); }
  SUBCASE("mesh") {
    with("mesh_name", s.cx().unit(), "attribute 'mesh_name' " + failed + "string attribute");
  }
  SUBCASE("stage") {
    with("stage_id", s.cx().integer_value(1, 32),
         "attribute 'stage_id' " + failed + "64-bit signless integer attribute");
  }
  SUBCASE("shardings") {
    with("in_shardings", s.cx().unit(),
         "attribute 'in_shardings' " + failed + "Tensor sharding per operand/result");
  }
}

TEST_CASE("type: operands and results of a fragment are placed, or tokens") {
  main_function s;
  SUBCASE("operand") {
    s.fails(s.fragment({s.tensor()}, {}), "type",
            "'mpmd.fragment' op operand #0 must be mesh tensor or token, but got 'tensor<4x8xf32>'");
  }
  SUBCASE("result") {
    s.fails(s.fragment({s.m1()}, {s.t48()}), "type",
            "'mpmd.fragment' op result #0 must be mesh tensor or token, but got 'tensor<4x8xf32>'");
  }
}

TEST_CASE("fragment: counts of values outside and inside") {
  main_function s;
  SUBCASE("operands") {
    op const frag = s.fragment({s.m1()}, {});
    s.p.append_operand(frag, s.m1());
    s.fails(frag, "fragment", "Number of block arguments and operands must match: 1 vs 2");
  }
  SUBCASE("results") {
    op const frag = s.fragment({s.m1()}, {s.on("m1")});
    s.p.set_operands(terminator(s.p, frag), {});
    s.fails(frag, "fragment", "Number of returned values and results must match: 0 vs 1");
  }
}

TEST_CASE("mesh: the topology has the mesh that is named") {
  SUBCASE("fragment") {
    main_function s;
    s.fails(s.fragment({s.m1()}, {}, "m9"), "mesh", "Topology doesn't have a mesh with name: m9");
  }
  SUBCASE("result type of a transfer") {
    main_function s;
    op const t = s.p.defining_op(s.b.transfer(s.m1(), s.on("m9")));
    s.fails(t, "mesh", "Topology doesn't have a mesh with name: m9");
  }
  SUBCASE("no topology") {
    main_function s(false);
    s.fails(s.fragment({s.m1()}, {}), "mesh", "Function does not have a topology attribute: main");
  }
}

TEST_CASE("fragment: types inside are the global types of those outside, on its own mesh") {
  main_function s;
  SUBCASE("another mesh") {
    s.fails(s.fragment({s.m1(), s.m2()}, {}), "fragment",
            "operand #1 lives on mesh \"m2\" but the mesh of the op is \"m1\"");
  }
  SUBCASE("result on another mesh") {
    s.fails(s.fragment({s.m1()}, {s.on("m2")}), "fragment",
            "result #0 lives on mesh \"m2\" but the mesh of the op is \"m1\"");
  }
  SUBCASE("a token changes its type") {
    op const frag = s.fragment({s.a_token()}, {});
    s.p.set_type(s.arg(frag, 0), s.f32());
    s.fails(frag, "fragment", "block argument #0 has type 'f32' but the operand has type '!stablehlo.token'");
  }
  SUBCASE("another shape inside") {
    op const frag = s.fragment({s.m1()}, {});
    s.p.set_type(s.arg(frag, 0), s.tensor({2, 8}));
    s.fails(frag, "fragment",
            "block argument #0 has type 'tensor<2x8xf32>' but the global type of the operand is "
            "'tensor<4x8xf32>'");
  }
  SUBCASE("another shape returned") {
    s.fails(s.fragment({s.m1()}, {s.on("m1", s.tensor({2, 8}))}), "fragment",
            "returned value #0 has type 'tensor<4x8xf32>' but the global type of the result is "
            "'tensor<2x8xf32>'");
  }
  SUBCASE("a sharding that does not divide") {
    s.fails(s.fragment({s.m1()}, {s.split("m1", {by("z"), {}})}), "mesh-tensor",
            "'mpmd.fragment' op unknown axis name: \"z\"");
  }
}

TEST_CASE("call-counter: an unsigned 32-bit integer on fragments and calls") {
  main_function s;
  op const frag = s.fragment({}, {});
  SUBCASE("i64") {
    s.p.set_attr(frag, "call_counter", s.cx().integer_value(1));
    s.fails(frag, "call-counter", "call_counter must be an uint32, got 'i64'");
  }
  SUBCASE("no integer") {
    s.p.set_attr(frag, "call_counter", s.cx().string("1"));
    s.fails(frag, "call-counter", "call_counter must be an uint32, got an attribute of another kind");
  }
}

TEST_CASE("mesh-tensor: shardings divide the global shape on their mesh") {
  main_function s;
  auto transfer_to = [&](type t) { return s.p.defining_op(s.b.transfer(s.m1(), t)); };
  SUBCASE("divides") {
    transfer_to(s.split("m2", {by("x"), by("y")}));
    s.holds();
  }
  SUBCASE("does not divide") {
    type const odd = s.on("m1", s.tensor({3, 8}));
    op const frag = s.b.fragment("m1", s.origins(), {}, {odd});
    builder inner = s.in(frag);
    inner.mpmd_return({s.p.result(inner.create("x.make", {}, {s.tensor({3, 8})}), 0)});
    value const moved = s.b.transfer(s.res(frag), with_sharding(s.cx(), odd, s.sharding()));
    s.fails(s.p.defining_op(moved), "mesh-tensor",
            "'mpmd.transfer' op dim 0 with size 3 is not divisible by its sharded size 2");
  }
  SUBCASE("rank") {
    s.fails(transfer_to(s.split("m1", {by("x")})), "mesh-tensor",
            "'mpmd.transfer' op sharding doesn't match tensor rank: 1 != 2");
  }
  SUBCASE("the symbol of the sharding need not exist, and an inlined mesh is not looked at") {
    attribute const inlined = s.cx().get(sharding_attr{make_mesh(s.cx(), {{"q", 3}}), {by("x"), {}}});
    transfer_to(with_sharding(s.cx(), s.on("m1"), inlined));
    s.holds();
  }
  SUBCASE("not a ranked tensor") {
    s.fails(transfer_to(s.on("m1", s.f32())), "mesh-tensor",
            "'mpmd.transfer' op a mesh tensor must hold a ranked tensor, but got 'f32'");
  }
}

TEST_CASE("transfer: placed values of one global type") {
  main_function s;
  SUBCASE("operand") {
    op const t = s.b.create(opcode::mpmd_transfer, {s.tensor()}, {s.on("m1")});
    s.fails(t, "type", "'mpmd.transfer' op operand #0 must be mesh tensor, but got 'tensor<4x8xf32>'");
  }
  SUBCASE("result") {
    op const t = s.b.create(opcode::mpmd_transfer, {s.m1()}, {s.t48()});
    s.fails(t, "type", "'mpmd.transfer' op result #0 must be mesh tensor, but got 'tensor<4x8xf32>'");
  }
  SUBCASE("global types") {
    op const t = s.b.create(opcode::mpmd_transfer, {s.m1()}, {s.on("m2", s.tensor({8, 4}))});
    s.fails(t, "transfer",
            "cannot transfer between mesh tensors with different global types: 'tensor<4x8xf32>' vs "
            "'tensor<8x4xf32>'");
  }
}

TEST_CASE("transfer: memory kinds are known and stand in types") {
  main_function s;
  attribute const host = make_dictionary(s.cx(), {{"mhlo.memory_kind", s.cx().string("pinned_host")}});
  attribute const device = make_dictionary(s.cx(), {{"mhlo.memory_kind", s.cx().string("device")}});
  type const on_host = with_memory_kind(s.cx(), s.on("m1"), "pinned_host");
  std::string const from_host =
      "Transfers from host with attributes are not supported. Memory kinds must be expressed in the type.";
  SUBCASE("known") {
    s.b.transfer(s.b.transfer(s.m1(), on_host), with_memory_kind(s.cx(), s.on("m1"), "device"), device);
    s.holds();
  }
  SUBCASE("unknown result") {
    op const t = s.p.defining_op(s.b.transfer(s.m1(), with_memory_kind(s.cx(), s.on("m1"), "attic")));
    s.fails(t, "transfer", "memory kind must be either 'pinned_host' or 'device'. Found 'attic'.");
  }
  SUBCASE("unknown operand") {
    op const frag = s.fragment({s.m1()}, {with_memory_kind(s.cx(), s.on("m1"), "attic")});
    op const t = s.p.defining_op(s.b.transfer(s.res(frag), s.on("m1")));
    s.fails(t, "transfer", "memory kind must be either 'pinned_host' or 'device'. Found 'attic'.");
  }
  SUBCASE("from host, function argument") {
    set_io_attribute(s.p, s.f, io_side::arguments, 1, "mhlo.memory_kind", s.cx().string("pinned_host"));
    s.fails(s.p.defining_op(s.b.transfer(s.m1(), s.on("m2"))), "transfer", from_host);
  }
  SUBCASE("from host, result of a fragment") {
    op const frag = s.fragment({s.m1()}, {s.on("m1"), s.on("m1")});
    set_io_attribute(s.p, frag, io_side::results, 1, "mhlo.memory_kind", s.cx().string("pinned_host"));
    s.b.transfer(s.res(frag, 0), s.on("m2"));
    s.fails(s.p.defining_op(s.b.transfer(s.res(frag, 1), s.on("m2"))), "transfer", from_host);
  }
  SUBCASE("to host") {
    s.fails(
        s.p.defining_op(s.b.transfer(s.m1(), s.on("m2"), host)), "transfer",
        "Transfers to host with attributes are not supported. Memory kinds must expressed be in the type.");
  }
}

TEST_CASE("assign: the result is the operand, replicated on a mesh") {
  main_function s;
  auto assign_to = [&](type t) { return s.p.defining_op(s.b.assign(s.tensor(), t)); };
  SUBCASE("fits") {
    s.b.assign(s.tensor(), s.on("m1"), "why");
    s.b.assign(s.tensor(), s.split("m2", {{{}, true, {}}, {}}));
    s.b.unassign(s.m1());
    s.holds();
  }
  SUBCASE("operand") {
    op const o = s.b.create(opcode::mpmd_assign, {s.m1()}, {s.on("m1")});
    s.fails(
        o, "type",
        "'mpmd.assign' op operand #0 must be tensor, but got '!mpmd.mesh_tensor<\"m1\", tensor<4x8xf32>>'");
  }
  SUBCASE("result") {
    s.fails(assign_to(s.t48()), "type",
            "'mpmd.assign' op result #0 must be mesh tensor, but got 'tensor<4x8xf32>'");
  }
  SUBCASE("sharded") {
    s.fails(assign_to(s.split("m1", {by("x"), {}})), "assign",
            "the mesh tensor must be fully replicated, but got '!mpmd.mesh_tensor<\"m1\", tensor<4x8xf32>, "
            "sharding=<@mesh, [{\"x\"}, {}]>>'");
  }
  SUBCASE("global type") {
    s.fails(assign_to(s.on("m1", s.tensor({8}))), "assign",
            "the global type 'tensor<8xf32>' must be the tensor type 'tensor<4x8xf32>'");
  }
  SUBCASE("mesh") { s.fails(assign_to(s.on("m9")), "mesh", "Topology doesn't have a mesh with name: m9"); }
  SUBCASE("origin") {
    op const o = assign_to(s.on("m1"));
    s.p.set_attr(o, "origin", s.cx().unit());
    s.fails(o, "attribute",
            "'mpmd.assign' op attribute 'origin' failed to satisfy constraint: string attribute");
  }
}

TEST_CASE("unassign: the result is the global type of the operand, replicated") {
  main_function s;
  SUBCASE("type") {
    op const o = s.b.create(opcode::mpmd_unassign, {s.m1()}, {s.tensor({8})});
    s.fails(o, "assign",
            "'mpmd.unassign' op inferred type(s) 'tensor<4x8xf32>' are incompatible with return type(s) of "
            "operation 'tensor<8xf32>'");
  }
  SUBCASE("sharded") {
    op const frag = s.fragment({s.m1()}, {s.split("m1", {by("x"), {}})});
    op const o = s.p.defining_op(s.b.unassign(s.res(frag)));
    s.fails(o, "assign",
            "the mesh tensor must be fully replicated, but got '!mpmd.mesh_tensor<\"m1\", tensor<4x8xf32>, "
            "sharding=<@mesh, [{\"x\"}, {}]>>'");
  }
}

TEST_CASE("type: named_tensor, broadcast and reduce keep one tensor type") {
  main_function s;
  SUBCASE("fits") {
    s.b.broadcast(s.b.named_tensor(s.tensor(), "w"));
    s.b.reduce(reduction_kind::none, {s.tensor()});
    s.b.reduce(reduction_kind::max, {s.tensor(), s.tensor()});
    s.holds();
  }
  SUBCASE("name") {
    op const o = s.p.defining_op(s.b.named_tensor(s.tensor(), "w"));
    s.p.remove_attr(o, "name");
    s.fails(o, "attribute", "'mpmd.named_tensor' op requires attribute 'name'");
  }
  SUBCASE("type") {
    op const o = s.b.create(opcode::mpmd_broadcast, {s.tensor()}, {s.tensor({8})});
    s.fails(o, "type", "'mpmd.broadcast' op requires the same type for all operands and results");
  }
  SUBCASE("not a tensor") {
    op const o = s.b.create(opcode::mpmd_broadcast, {s.scalar()}, {s.f32()});
    s.fails(o, "type", "'mpmd.broadcast' op operand #0 must be tensor, but got 'f32'");
  }
}

TEST_CASE("reduce: without a reduction there is one operand") {
  main_function s;
  std::string const message = "ReduceOp must have exactly one operand if the reduction type is none";
  SUBCASE("none") {
    value const r = s.b.reduce(reduction_kind::none, {s.tensor(), s.tensor()});
    s.fails(s.p.defining_op(r), "reduce", message);
  }
  SUBCASE("absent") {
    value const r = s.b.reduce(reduction_kind::add, {s.tensor(), s.tensor()});
    s.p.remove_attr(s.p.defining_op(r), "reduction");
    s.fails(s.p.defining_op(r), "reduce", message);
  }
  SUBCASE("kind") {
    value const r = s.b.reduce(reduction_kind::add, {s.tensor(), s.tensor()});
    s.p.set_attr(s.p.defining_op(r), "reduction", s.cx().unit());
    s.fails(s.p.defining_op(r), "attribute",
            "'mpmd.reduce' op attribute 'reduction' failed to satisfy constraint: reduction type");
  }
}

TEST_CASE("named-computation: types inside are those outside") {
  main_function s;
  op const nc = s.b.named_computation({"n", 0}, {s.tensor(), s.a_token()}, {s.t48()});
  builder inner = s.in(nc);
  op const end = inner.mpmd_return({s.arg(nc, 0)});
  auto fails = [&](std::string_view message) { s.fails(nc, "named-computation", message); };
  SUBCASE("fits") { s.holds(); }
  SUBCASE("origin") {
    s.p.set_attr(nc, "origin", s.cx().string("n"));
    s.fails(nc, "attribute",
            "'mpmd.named_computation' op attribute 'origin' failed to satisfy constraint: user origin");
  }
  SUBCASE("operands") {
    s.p.erase_operand(nc, 1);
    fails("Number of block arguments and operands must match: 2 vs 1");
  }
  SUBCASE("operand types") {
    s.p.set_type(s.arg(nc, 1), s.t48());
    fails("Types of block argument and operand #1 must match: 'tensor<4x8xf32>' vs '!stablehlo.token'");
  }
  SUBCASE("results") {
    s.p.append_operand(end, s.arg(nc, 0));
    fails("Number of returned values and results must match: 2 vs 1");
  }
  SUBCASE("result types") {
    s.p.set_operand(end, 0, s.arg(nc, 1));
    fails("Types of returned value and result #0 must match: '!stablehlo.token' vs 'tensor<4x8xf32>'");
  }
  SUBCASE("placed") {
    s.p.set_operand(nc, 0, s.m1());
    s.fails(nc, "type",
            "'mpmd.named_computation' op operand #0 must be ranked tensor or token, but got "
            "'!mpmd.mesh_tensor<\"m1\", tensor<4x8xf32>>'");
  }
}

TEST_CASE("for: values are carried around with their types, and the index comes last") {
  main_function s;
  op const loop = s.b.for_loop(6, 3, {s.tensor(), s.tensor()});
  builder inner = s.in(loop);
  op const end = inner.mpmd_return({s.arg(loop, 0), s.arg(loop, 1)});
  auto fails = [&](std::string_view message) { s.fails(loop, "for", message); };
  auto count = [&](std::int64_t n) { return s.cx().integer_value(n, 32, signedness::is_unsigned); };
  SUBCASE("fits") { s.holds(); }
  SUBCASE("placed values and a placed index") {
    op const placed = s.b.for_loop(1, 1, {s.m1()});
    s.p.set_type(s.arg(placed, 1), s.on("m1", s.tensor({})));
    builder in_placed = s.in(placed);
    in_placed.mpmd_return({s.arg(placed, 0)});
    s.holds();
  }
  SUBCASE("results") {
    s.p.append_operand(loop, s.tensor());
    fails("Number of results must be that of the operands: 2 vs 3");
  }
  SUBCASE("result types") {
    s.p.set_type(s.res(loop, 1), s.f32());
    fails("Type of result #1 must be that of the operand: 'f32' vs 'tensor<4x8xf32>'");
  }
  SUBCASE("block arguments") {
    s.p.erase_argument(s.entry(loop), 2);
    fails("Number of block arguments must be that of the operands and one for the index: 2 vs 3");
  }
  SUBCASE("block argument types") {
    s.p.set_type(s.arg(loop, 0), s.f32());
    fails("Type of block argument #0 must be that of the operand: 'f32' vs 'tensor<4x8xf32>'");
  }
  SUBCASE("rank of the index") {
    s.p.set_type(s.arg(loop, 2), s.cx().tensor({1}, s.i32()));
    fails("the index must be a 0-dimensional tensor of 32-bit integers, but got 'tensor<1xi32>'");
  }
  SUBCASE("element of the index") {
    s.p.set_type(s.arg(loop, 2), s.cx().tensor({}, s.cx().integer(64)));
    fails("the index must be a 0-dimensional tensor of 32-bit integers, but got 'tensor<i64>'");
  }
  SUBCASE("a signed index") {
    s.p.set_type(s.arg(loop, 2), s.cx().tensor({}, s.i32()));
    s.holds();
  }
  SUBCASE("returned") {
    s.p.erase_operand(end, 1);
    fails("Number of returned values must be that of the results: 1 vs 2");
  }
  SUBCASE("returned types") {
    s.p.set_operand(end, 0, s.arg(loop, 2));
    fails("Type of returned value #0 must be that of the operand: 'tensor<ui32>' vs 'tensor<4x8xf32>'");
  }
  SUBCASE("kinds") {
    op const mixed = s.b.for_loop(1, 1, {s.tensor(), s.m1()});
    builder in_mixed = s.in(mixed);
    in_mixed.mpmd_return({s.arg(mixed, 0), s.arg(mixed, 1)});
    s.fails(mixed, "for",
            "all operands must be of one kind of type, but got 'tensor<4x8xf32>' and "
            "'!mpmd.mesh_tensor<\"m1\", tensor<4x8xf32>>'");
  }
  SUBCASE("no iterations") {
    s.p.set_attr(loop, "iterations", count(0));
    fails("number of iterations must be greater than 0");
  }
  SUBCASE("no factor") {
    s.p.set_attr(loop, "unroll_factor", count(0));
    fails("unroll factor must be greater than 0");
  }
  SUBCASE("factor") {
    s.p.set_attr(loop, "unroll_factor", count(4));
    fails("unroll factor 4 must divide the number of iterations 6");
  }
  SUBCASE("iterations of another type") {
    s.p.set_attr(loop, "iterations", s.cx().integer_value(6));
    s.fails(loop, "attribute",
            "'mpmd.for' op attribute 'iterations' failed to satisfy constraint: 32-bit unsigned integer "
            "attribute");
  }
}

TEST_CASE("call: where it may stand") {
  SUBCASE("in an entry point and in a loop") {
    main_function s;
    s.top.func_declaration("g", {s.t48()}, {s.t48()}, s.with_topology());
    s.b.call(
        "g", {s.tensor()}, {s.t48()},
        make_dictionary(s.cx(), {{"call_counter", s.cx().integer_value(0, 32, signedness::is_unsigned)}}));
    op const loop = s.b.for_loop(1, 1, {s.tensor()});
    builder inner = s.in(loop);
    inner.mpmd_return({s.res(inner.call("g", {s.arg(loop, 0)}, {s.t48()}))});
    s.holds();
  }
  SUBCASE("in another op") {
    main_function s;
    op const region = s.b.create({.kind = s.cx().intern("x.region"), .regions = {s.b.make_body({})}});
    builder inner = s.in(region);
    op const call = inner.call("g", {}, {});
    s.fails(
        call, "call",
        "Mpmd CallOp on \"g\" can only be used in a function or for_op block but was called from inside op "
        "x.region");
  }
  SUBCASE("outside a function") {
    sample s;
    op const call = s.top.call("g", {}, {});
    expect_error(s, call, "call", "Mpmd CallOp on \"g\" must be used in a function");
  }
  SUBCASE("in a function of vhlo") {
    sample s;
    op const v = s.top.create({.kind = s.cx().intern("vhlo.func_v1"), .regions = {s.top.make_body({})}});
    builder b = s.in(v);
    b.call("nobody", {}, {});
    expect_valid(s);
  }
  SUBCASE("in a private MPMD function") {
    sample s;
    op const f = s.top.func("f", {}, {}, s.with_topology(), "private");
    builder b = s.in(f);
    op const call = b.call("g", {}, {});
    b.func_return({});
    expect_error(
        s, call, "call",
        "Mpmd CallOp on \"g\" in an Mpmd function can only be used directly by the entrypoint function, "
        "i.e. the main function, but was called from \"f\"");
  }
  SUBCASE("in a private function without topology") {
    sample s;
    s.top.func_declaration("g", {}, {});
    op const f = s.top.func("f", {}, {}, {}, "private");
    builder b = s.in(f);
    b.call("g", {}, {});
    b.func_return({});
    expect_valid(s);
  }
  SUBCASE("call_counter comes first") {
    main_function s;
    op const region = s.b.create({.kind = s.cx().intern("x.region"), .regions = {s.b.make_body({})}});
    builder inner = s.in(region);
    op const call =
        inner.call("g", {}, {}, make_dictionary(s.cx(), {{"call_counter", s.cx().integer_value(1)}}));
    s.fails(call, "call-counter", "call_counter must be an uint32, got 'i64'");
  }
  SUBCASE("types") {
    main_function s;
    s.fails(s.b.call("g", {s.scalar()}, {}), "type",
            "'mpmd.call' op operand #0 must be tensor or mesh tensor, but got 'f32'");
  }
}

TEST_CASE("call: the callee takes and gives these types") {
  main_function s;
  s.top.func_declaration("g", {s.t48(), s.on("m1")}, {s.t48()});
  std::string const t = "'tensor<4x8xf32>'", m = "'!mpmd.mesh_tensor<\"m1\", tensor<4x8xf32>>'";
  auto fails = [&](op call, std::string const& message) { s.fails(call, "call", message); };
  SUBCASE("fits") {
    s.b.call("g", {s.tensor(), s.m1()}, {s.t48()});
    s.holds();
  }
  SUBCASE("unknown") { fails(s.b.call("h", {}, {}), "Mpmd CallOp callee @h does not refer to a function"); }
  SUBCASE("operand") {
    fails(s.b.call("g", {s.tensor(), s.tensor()}, {s.t48()}),
          "Type mismatch. Expected call operand to have type " + m + " but got " + t);
  }
  SUBCASE("operand before result") {
    fails(s.b.call("g", {s.m1(), s.m1()}, {s.on("m1")}),
          "Type mismatch. Expected call operand to have type " + t + " but got " + m);
  }
  SUBCASE("result") {
    fails(s.b.call("g", {s.tensor(), s.m1()}, {s.on("m1")}),
          "Type mismatch. Expected call result to have type " + t + " but got " + m);
  }
  SUBCASE("number of operands") {
    fails(s.b.call("g", {s.tensor()}, {s.t48()}), "Mpmd CallOp on \"g\" expects 2 operands, but got 1");
  }
  SUBCASE("more operands") {
    fails(s.b.call("g", {s.tensor(), s.m1(), s.m1()}, {s.t48()}),
          "Mpmd CallOp on \"g\" expects 2 operands, but got 3");
  }
  SUBCASE("operands may be missing for parameters that are not used") {
    op const h = s.top.func("h", {s.t48(), s.t48(), s.t48()}, {s.t48()});
    s.in(h).func_return({s.arg(h, 0)});
    s.b.call("h", {s.tensor()}, {s.t48()});
    s.b.call("h", {s.tensor(), s.tensor()}, {s.t48()});
    s.holds();
  }
  SUBCASE("an operand is missing for a parameter that is used") {
    op const h = s.top.func("h", {s.t48(), s.t48(), s.t48()}, {s.t48()});
    s.in(h).func_return({s.arg(h, 1)});
    s.b.call("h", {s.tensor(), s.tensor()}, {s.t48()});
    fails(s.b.call("h", {s.tensor()}, {s.t48()}), "Mpmd CallOp on \"h\" expects 3 operands, but got 1");
  }
  SUBCASE("number of results") {
    fails(s.b.call("g", {s.tensor(), s.m1()}, {}), "Mpmd CallOp on \"g\" expects 1 results, but got 0");
  }
  SUBCASE("a public callee with a topology") {
    op const h = s.top.func("h", {}, {}, s.with_topology());
    s.in(h).func_return({});
    fails(s.b.call("h", {}, {}),
          "Mpmd CallOp callee \"h\" has a topology, so that it must have private visibility");
  }
  SUBCASE("a function of vhlo") {
    s.top.create({.kind = s.cx().intern("vhlo.func_v1"),
                  .attributes = make_dictionary(s.cx(), {{"sym_name", s.cx().string("v")}}),
                  .regions = {s.top.make_body({})}});
    s.b.call("v", {}, {s.t48()});
    s.holds();
  }
}

TEST_CASE("fragment-call: the callee is a function over global types for the mesh") {
  main_function s;
  auto callee = [&](std::string_view label, std::vector<type> inputs, attribute mesh) {
    op const g = s.top.func(label, std::move(inputs), {s.t48()},
                            mesh ? make_dictionary(s.cx(), {{"mesh_shape", mesh}}) : attribute{});
    s.in(g).func_return({s.arg(g, 0)});
  };
  attribute const mesh = make_mesh(s.cx(), {{"x", 2}, {"y", 4}});
  auto call = [&](std::string_view label, value operand, std::string_view on_mesh = "m1") {
    return s.b.fragment_call(on_mesh, s.origins(), label, {operand}, {s.on(on_mesh)});
  };
  SUBCASE("fits") {
    callee("g", {s.t48()}, mesh);
    call("g", s.m1());
    call("g", s.m2(), "m2");
    s.holds();
  }
  SUBCASE("unknown") {
    s.fails(call("g", s.m1()), "fragment-call",
            "'mpmd.fragment_call' op callee @g does not refer to a function");
  }
  SUBCASE("count") {
    callee("g", {s.t48(), s.t48()}, mesh);
    s.fails(call("g", s.m1()), "fragment", "Number of function arguments and operands must match: 2 vs 1");
  }
  SUBCASE("another mesh") {
    callee("g", {s.t48()}, mesh);
    s.fails(call("g", s.m2()), "fragment",
            "operand #0 lives on mesh \"m2\" but the mesh of the op is \"m1\"");
  }
  SUBCASE("type") {
    op const g = s.top.func("g", {s.tensor({2, 8})}, {}, make_dictionary(s.cx(), {{"mesh_shape", mesh}}));
    s.in(g).func_return({});
    s.fails(s.b.fragment_call("m1", s.origins(), "g", {s.m1()}, {}), "fragment",
            "function argument #0 has type 'tensor<2x8xf32>' but the global type of the operand is "
            "'tensor<4x8xf32>'");
  }
  SUBCASE("no mesh_shape") {
    callee("g", {s.t48()}, {});
    s.fails(call("g", s.m1()), "fragment-call", "callee @g must have a mesh_shape attribute");
  }
  SUBCASE("another mesh_shape") {
    callee("g", {s.t48()}, make_mesh(s.cx(), {{"x", 8}}));
    s.fails(call("g", s.m1()), "fragment-call",
            "mesh_shape of callee @g, <[\"x\"=8]>, must be the mesh \"m1\" of the topology, <[\"x\"=2, "
            "\"y\"=4]>");
  }
  SUBCASE("operands") {
    op const o = s.b.fragment_call("m1", s.origins(), "g", {s.tensor()}, {});
    s.fails(o, "type", "'mpmd.fragment_call' op operand #0 must be mesh tensor, but got 'tensor<4x8xf32>'");
  }
  SUBCASE("callee attribute") {
    op const o = s.b.fragment_call("m1", s.origins(), "g", {}, {});
    s.p.remove_attr(o, "callee");
    s.fails(o, "attribute", "'mpmd.fragment_call' op requires attribute 'callee'");
  }
}

}  // namespace verify_mpmd_test
