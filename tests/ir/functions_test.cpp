#include <mpmd/ir/functions.hpp>

#include <doctest/doctest.h>

#include <mpmd/ir/call_graph.hpp>

#include "ir/support.hpp"

namespace functions_test {

using namespace mpmd::ir;
using mpmd::ir::testing::sample;

TEST_CASE("the kinds of function follow from topology, mesh_shape and visibility") {
  sample s;
  attribute const shape = make_dictionary(s.cx(), {{"mesh_shape", make_mesh(s.cx(), {{"x", 2}})}});
  op const plain = s.top.func("plain", {}, {});
  op const mpmd = s.top.func("main", {}, {}, s.with_topology());
  op const spmd = s.top.func("spmd", {}, {}, shape, "private");
  op const other = s.plain(s.top, "x.op", {});
  s.p.set_attr(other, "topology", s.topology());

  CHECK(is_mpmd_function(s.p, mpmd));
  CHECK_FALSE(is_mpmd_function(s.p, spmd));
  CHECK_FALSE(is_mpmd_function(s.p, other));
  CHECK(is_spmd_function(s.p, spmd));
  CHECK(is_distributed(s.p, mpmd));
  CHECK(is_distributed(s.p, spmd));
  CHECK_FALSE(is_distributed(s.p, plain));
  CHECK(is_entry_point(s.p, mpmd));
  CHECK_FALSE(is_entry_point(s.p, spmd));
  CHECK_FALSE(is_entry_point(s.p, plain));
  CHECK(is_main(s.p, mpmd));
  CHECK_FALSE(is_main(s.p, plain));
  CHECK(functions(s.p) == std::vector<op>{plain, mpmd, spmd});
  CHECK(is_mpmd_module(s.p, s.p.root()));
  CHECK(module_topology(s.p, s.p.root()) == topology_of(s.p, mpmd));
}

TEST_CASE("a module without MPMD functions has no topology") {
  sample s;
  s.top.func("f", {}, {});
  CHECK_FALSE(is_mpmd_module(s.p, s.p.root()));
}

TEST_CASE("the function type is made to fit the body") {
  sample s;
  op const f = s.top.func("f", {s.t48()}, {s.f32()});
  builder b = s.in(f);
  s.p.add_argument(s.entry(f), s.i32());
  b.func_return({s.arg(f, 0), s.arg(f, 1)});
  update_function_type(s.p, f);
  CHECK(*signature(s.p, f) == function_type{{s.t48(), s.i32()}, {s.t48(), s.i32()}});

  op const declared = s.top.func_declaration("d", {s.t48()}, {s.f32()});
  update_function_type(s.p, declared);
  CHECK(*signature(s.p, declared) == function_type{{s.t48()}, {s.f32()}});
  CHECK(is_declaration(s.p, declared));
  CHECK(parameters(s.p, declared).empty());
  CHECK(terminator(s.p, declared) == op{});
}

TEST_CASE("a body whose last op is no terminator has none") {
  sample s;
  op const f = s.top.func("f", {}, {});
  CHECK(terminator(s.p, f) == op{});
  builder b = s.in(f);
  s.plain(b, "x.op", {});
  CHECK(terminator(s.p, f) == op{});
  op const end = b.func_return({});
  CHECK(terminator(s.p, f) == end);
}

TEST_CASE("argument and result attributes are read, written, completed and dropped when empty") {
  sample s;
  op const f = s.top.func("f", {s.t48(), s.t48()}, {s.t48()});
  attribute const one = s.cx().string("1");
  CHECK(io_attribute(s.p, f, io_side::arguments, 1, "a.k") == attribute{});
  set_io_attribute(s.p, f, io_side::arguments, 1, "a.k", one);
  CHECK(io_attribute(s.p, f, io_side::arguments, 1, "a.k") == one);
  CHECK(io_attribute(s.p, f, io_side::arguments, 0, "a.k") == attribute{});
  CHECK(s.p.attr_if<array_attr>(f, "arg_attrs")->elements.size() == 2);
  CHECK(s.cx().lookup(s.p.properties(f), "arg_attrs"));  // inherent on a function
  CHECK(s.p.attr(f, "res_attrs") == attribute{});
  CHECK(remove_io_attribute(s.p, f, io_side::arguments, 1, "a.k"));
  CHECK_FALSE(remove_io_attribute(s.p, f, io_side::arguments, 1, "a.k"));
  CHECK(s.p.attr(f, "arg_attrs") == attribute{});
}

TEST_CASE("a loop has one argument dictionary a block argument, a fragment one an operand") {
  sample s;
  op const f = s.top.func("f", {s.t48()}, {});
  builder b = s.in(f);
  op const loop = b.for_loop(2, 1, {s.arg(f, 0)});
  op const frag = b.fragment("m1", make_origins(s.cx(), {}), {s.arg(f, 0)}, {s.on("m1"), s.on("m1")});
  CHECK(io_count(s.p, loop, io_side::arguments) == 2);
  CHECK(io_count(s.p, loop, io_side::results) == 1);
  CHECK(io_count(s.p, frag, io_side::arguments) == 1);
  CHECK(io_count(s.p, frag, io_side::results) == 2);
  set_io_attribute(s.p, frag, io_side::results, 0, "k", s.cx().unit());
  CHECK(s.cx().lookup(s.p.attributes(frag), "res_attrs"));  // discardable on a fragment
}

TEST_CASE("all dictionaries of one side are edited at once") {
  sample s;
  op const f = s.top.func("f", {s.t48(), s.t48(), s.t48()}, {});
  attribute const one = s.cx().string("1"), two = s.cx().string("2");
  {
    io_attributes all(s.p, f, io_side::arguments);
    CHECK(all.size() == 3);
    all.set(s.cx(), 0, "k", one);
    all.set(s.cx(), 2, "k", two);
    all.store(s.p, f);
  }
  io_attributes all(s.p, f, io_side::arguments);
  CHECK(all.get(s.cx(), 2, "k") == two);
  all.erase(1);
  CHECK(all.get(s.cx(), 1, "k") == two);
  all.append(make_dictionary(s.cx(), {{"k", one}}));
  CHECK(all.remove_everywhere(s.cx(), "k"));
  CHECK_FALSE(all.remove_everywhere(s.cx(), "k"));
  all.set(s.cx(), 4, "k", one);  // grows
  CHECK(all.size() == 5);
}

TEST_CASE("entries that are no dictionaries read as nothing") {
  sample s;
  op const f = s.top.func("f", {s.t48(), s.t48()}, {});
  s.p.set_attr(f, "arg_attrs", s.cx().get(array_attr{{s.cx().unit()}}));
  CHECK(io_attribute(s.p, f, io_side::arguments, 0, "k") == attribute{});
  CHECK(io_attribute(s.p, f, io_side::arguments, 7, "k") == attribute{});
  CHECK(io_attributes(s.p, f, io_side::arguments)[0] == s.cx().empty_dictionary());
  s.p.set_attr(f, "arg_attrs", s.cx().unit());
  CHECK(io_attribute(s.p, f, io_side::arguments, 0, "k") == attribute{});
}

TEST_CASE("the mesh around an op is the fragment's, else the function's mesh_shape") {
  sample s;
  attribute const one = make_mesh(s.cx(), {{"x", 2}}), shape = make_mesh(s.cx(), {{"s", 8}});
  op const f = s.top.func(
      "f", {s.on("m1")}, {},
      make_dictionary(s.cx(), {{"topology", make_topology(s.cx(), {{"m1", one}})}, {"mesh_shape", shape}}));
  builder b = s.in(f);
  op const frag = b.fragment("m1", make_origins(s.cx(), {}), {s.arg(f, 0)}, {});
  builder inner = s.in(frag);
  op const leaf = s.plain(inner, "x.leaf", {});
  op const beside = s.plain(b, "x.beside", {});
  CHECK(mesh_around(s.p, leaf) == one);
  CHECK(mesh_around(s.p, frag) == one);
  CHECK(mesh_around(s.p, beside) == shape);
  CHECK(mesh_by_name(s.p, leaf, "m1") == one);
  CHECK(mesh_by_name(s.p, f, "m1") == one);
  CHECK(mesh_by_name(s.p, leaf, "m2") == attribute{});
  CHECK(mesh_around(s.p, s.plain(s.top, "x.outside", {})) == attribute{});
}

TEST_CASE("a memory kind by attribute is found where the value is made") {
  sample s;
  attribute const host = s.cx().string("pinned_host");
  op const f = s.top.func("f", {s.on("m1"), s.on("m1")}, {});
  set_io_attribute(s.p, f, io_side::arguments, 1, "mhlo.memory_kind", host);
  builder b = s.in(f);
  CHECK(memory_kind_attribute(s.p, s.arg(f, 1)) == host);
  CHECK(memory_kind_attribute(s.p, s.arg(f, 0)) == attribute{});
  value const moved =
      b.transfer(s.arg(f, 0), s.on("m2"), make_dictionary(s.cx(), {{"mhlo.memory_kind", host}}));
  CHECK(memory_kind_attribute(s.p, moved) == host);
  op const call = b.call("g", {}, {s.on("m1"), s.on("m1")});
  set_io_attribute(s.p, call, io_side::results, 1, "mhlo.memory_kind", host);
  CHECK(memory_kind_attribute(s.p, s.res(call, 1)) == host);
  CHECK(memory_kind_attribute(s.p, s.res(call, 0)) == attribute{});
  op const other = s.plain(b, "x.op", {});
  s.p.set_attr(other, "mhlo.memory_kind", host);
  CHECK(memory_kind_attribute(s.p, s.res(other)) == attribute{});
  op const loop = b.for_loop(1, 1, {s.arg(f, 1)});
  CHECK(memory_kind_attribute(s.p, s.arg(loop, 0)) == attribute{});
}

TEST_CASE("calls are found in MPMD functions and loops if a result is used") {
  sample s;
  op const callee = s.top.func("callee", {s.t48()}, {s.t48()}, s.with_topology(), "private");
  builder in_callee = s.in(callee);
  op const end = in_callee.func_return({s.arg(callee, 0)});
  op const main = s.top.func("main", {s.t48()}, {s.t48()}, s.with_topology());
  builder b = s.in(main);
  op const loop = b.for_loop(2, 1, {s.arg(main, 0)});
  builder in_loop = s.in(loop);
  op const in_the_loop = in_loop.call("callee", {s.arg(loop, 0)}, {s.t48()});
  in_loop.mpmd_return({s.res(in_the_loop)});
  op const direct = b.call("callee", {s.res(loop)}, {s.t48()});
  b.call("callee", {s.res(loop)}, {s.t48()});  // unused
  op const elsewhere = b.create({.kind = s.cx().intern("x.region"), .regions = {b.make_body({})}});
  builder in_region = s.in(elsewhere);
  op const hidden = in_region.call("callee", {s.res(loop)}, {s.t48()});
  s.plain(in_region, "x.use", {s.res(hidden)});
  b.func_return({s.res(direct)});
  op const local = s.top.func("not_mpmd", {s.t48()}, {s.t48()});
  builder in_local = s.in(local);
  in_local.func_return({s.res(in_local.call("callee", {s.arg(local, 0)}, {s.t48()}))});

  call_graph graph(s.p);
  CHECK(graph.calls_of(callee) == std::vector<op>{in_the_loop, direct});
  CHECK(graph.calls_of(main).empty());

  auto const edges = data_flow_edges(s.p, graph, callee);
  REQUIRE(edges.size() == 2);
  CHECK(edges[0].sources == std::vector<use>{{end, 0}});
  CHECK(edges[0].targets == std::vector<value>{s.res(in_the_loop), s.res(direct)});
  CHECK(edges[1].sources == std::vector<use>{{in_the_loop, 0}, {direct, 0}});
  CHECK(edges[1].targets == std::vector<value>{s.arg(callee, 0)});
  CHECK(data_flow_edges(s.p, graph, main).empty());
}

}  // namespace functions_test
