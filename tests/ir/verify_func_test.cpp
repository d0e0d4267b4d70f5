#include <mpmd/ir/verify.hpp>

#include <doctest/doctest.h>

#include "ir/support.hpp"

namespace verify_func_test {

using namespace mpmd::ir;
using testing::expect_error;
using testing::expect_valid;
using testing::faults;
using testing::sample;

namespace {

op empty_function(sample& s, std::string_view label, attribute attributes = {},
                  std::string_view visibility = {}) {
  op const f = s.top.func(label, {}, {}, attributes, visibility);
  s.in(f).func_return({});
  return f;
}

/// f : (tensor<4x8xf32>) -> tensor<4x8xf32>, which returns its argument.
op identity(sample& s, std::string_view label) {
  op const f = s.top.func(label, {s.t48()}, {s.t48()});
  s.in(f).func_return({s.arg(f, 0)});
  return f;
}

}  // namespace

TEST_CASE("symbol: names, visibilities and places") {
  SUBCASE("no name") {
    sample s;
    op const f = empty_function(s, "f");
    s.p.remove_attr(f, "sym_name");
    expect_error(s, f, "symbol", "'func.func' op requires string attribute 'sym_name'");
  }
  SUBCASE("a name of another kind") {
    sample s;
    op const f = empty_function(s, "f");
    s.p.set_attr(f, "sym_name", s.cx().unit());
    expect_error(s, f, "symbol", "'func.func' op requires string attribute 'sym_name'");
  }
  SUBCASE("visibility of another kind") {
    sample s;
    op const f = empty_function(s, "f");
    s.p.set_attr(f, "sym_visibility", s.cx().unit());
    expect_error(s, f, "symbol",
                 "'func.func' op requires visibility attribute 'sym_visibility' to be a string attribute");
  }
  SUBCASE("unknown visibility") {
    sample s;
    op const f = empty_function(s, "f", {}, "secret");
    expect_error(
        s, f, "symbol",
        "'func.func' op visibility expected to be one of [\"public\", \"private\", \"nested\"], but got "
        "\"secret\"");
  }
  SUBCASE("a function in a function") {
    sample s;
    op const f = s.top.func("f", {}, {});
    builder b = s.in(f);
    op const g = b.func("g", {}, {});
    s.in(g).func_return({});
    b.func_return({});
    expect_error(s, g, "symbol", "'func.func' op symbol's parent must have the SymbolTable trait");
  }
  SUBCASE("a public declaration") {
    sample s;
    op const f = s.top.func_declaration("f", {}, {}, {}, "");
    expect_error(s, f, "symbol", "'func.func' op symbol declaration cannot have public visibility");
  }
  SUBCASE("a private declaration") {
    sample s;
    s.top.func_declaration("f", {s.t48()}, {s.t48()});
    expect_valid(s);
  }
}

TEST_CASE("symbol: no name twice in a module") {
  sample s;
  op const first = empty_function(s, "f");
  op const second = empty_function(s, "f");
  auto const notes = expect_error(s, second, "symbol", "redefinition of symbol named 'f'");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].message == "see existing symbol definition here");
  CHECK(notes[0].where.line == locate(s.p, first).line);
}

TEST_CASE("symbol: nested modules have names of their own") {
  sample s;
  empty_function(s, "f");
  op const inner = s.top.create(opcode::builtin_module, {}, {}, {}, {}, {s.top.make_body({})});
  builder b = s.in(inner);
  s.in(b.func("f", {}, {})).func_return({});
  expect_valid(s);
}

TEST_CASE("block-arguments: a module has none") {
  sample s;
  s.p.add_argument(s.p.body(), s.t48());
  expect_error(s, s.p.root(), "block-arguments", "'builtin.module' op region should have no arguments");
}

TEST_CASE("attribute: a function has a function type") {
  sample s;
  op const f = empty_function(s, "f");
  SUBCASE("none") {
    s.p.remove_attr(f, "function_type");
    expect_error(s, f, "attribute", "'func.func' op requires attribute 'function_type'");
  }
  SUBCASE("another type") {
    s.p.set_attr(f, "function_type", s.cx().get(type_attr{s.f32()}));
    expect_error(
        s, f, "attribute",
        "'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function "
        "type");
  }
}

TEST_CASE("attribute: arrays of argument and result attributes are complete and hold names of dialects") {
  sample s;
  op const f = identity(s, "f");
  auto array = [&](std::vector<attribute> entries) { return s.cx().get(array_attr{std::move(entries)}); };
  attribute const empty = s.cx().empty_dictionary();
  attribute const bare = make_dictionary(s.cx(), {{"bare", s.cx().unit()}});
  SUBCASE("well formed") {
    s.p.set_attr(f, "arg_attrs", array({make_dictionary(s.cx(), {{"jax.donor", s.cx().unit()}})}));
    expect_valid(s);
  }
  SUBCASE("no array") {
    s.p.set_attr(f, "arg_attrs", empty);
    expect_error(
        s, f, "attribute",
        "'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes");
  }
  SUBCASE("too many arguments") {
    s.p.set_attr(f, "arg_attrs", array({empty, empty}));
    expect_error(
        s, f, "attribute",
        "'func.func' op expects argument attribute array to have the same number of elements as the number "
        "of function arguments, got 2, but expected 1");
  }
  SUBCASE("too few results") {
    s.p.set_attr(f, "res_attrs", array({}));
    expect_error(
        s, f, "attribute",
        "'func.func' op expects result attribute array to have the same number of elements as the number of "
        "function results, got 0, but expected 1");
  }
  SUBCASE("no dictionary") {
    s.p.set_attr(f, "res_attrs", array({s.cx().unit()}));
    expect_error(s, f, "attribute",
                 "'func.func' op expects result attribute dictionary to be a DictionaryAttr");
  }
  SUBCASE("argument names without a dot") {
    s.p.set_attr(f, "arg_attrs", array({bare}));
    expect_error(s, f, "attribute", "'func.func' op arguments may only have dialect attributes");
  }
  SUBCASE("result names without a dot") {
    s.p.set_attr(f, "res_attrs", array({bare}));
    expect_error(s, f, "attribute", "'func.func' op results may only have dialect attributes");
  }
}

TEST_CASE("func: the entry block fits the function type") {
  sample s;
  op const f = s.top.func("f", {s.t48()}, {});
  SUBCASE("number") {
    s.p.add_argument(s.entry(f), s.f32());
    expect_error(s, f, "func",
                 "'func.func' op entry block must have 1 arguments to match function signature");
  }
  SUBCASE("type") {
    s.p.set_type(s.arg(f, 0), s.f32());
    expect_error(
        s, f, "func",
        "'func.func' op type of entry block argument #0('f32') must match the type of the corresponding "
        "argument in function signature('tensor<4x8xf32>')");
  }
}

TEST_CASE("func-return: what is returned fits the function type") {
  sample s;
  op const f = s.top.func("f", {s.t48(), s.f32()}, {s.t48()});
  builder b = s.in(f);
  SUBCASE("number") {
    op const r = b.func_return({});
    expect_error(s, r, "func-return",
                 "'func.return' op has 0 operands, but enclosing function (@f) returns 1");
  }
  SUBCASE("type") {
    op const r = b.func_return({s.arg(f, 1)});
    expect_error(s, r, "func-return",
                 "type of return operand 0 ('f32') doesn't match function result type ('tensor<4x8xf32>') in "
                 "function @f");
  }
}

TEST_CASE("func-call: the callee is a function that takes and gives these types") {
  sample s;
  identity(s, "callee");
  op const f = s.top.func("f", {s.t48(), s.f32()}, {});
  builder b = s.in(f);
  value const tensor = s.arg(f, 0), scalar = s.arg(f, 1);
  auto fails = [&](op call, std::string const& message) {
    b.func_return({});
    expect_error(s, call, "func-call", "'func.call' op " + message);
  };
  SUBCASE("fits") {
    b.func_call("callee", {tensor}, {s.t48()});
    b.func_return({});
    expect_valid(s);
  }
  SUBCASE("no callee attribute") {
    op const call = b.func_call("callee", {tensor}, {s.t48()});
    s.p.remove_attr(call, "callee");
    fails(call, "requires a 'callee' symbol reference attribute");
  }
  SUBCASE("unknown") { fails(b.func_call("x", {}, {}), "'x' does not reference a valid function"); }
  SUBCASE("not a function") {
    s.top.create(
        opcode::sdy_mesh, {}, {},
        make_dictionary(s.cx(), {{"sym_name", s.cx().string("m")}, {"mesh", make_mesh(s.cx(), {{"x", 2}})}}));
    fails(b.func_call("m", {}, {}), "'m' does not reference a valid function");
  }
  SUBCASE("operands") {
    fails(b.func_call("callee", {}, {s.t48()}), "incorrect number of operands for callee");
  }
  SUBCASE("operand types") {
    fails(b.func_call("callee", {scalar}, {s.t48()}),
          "operand type mismatch: expected operand type 'tensor<4x8xf32>', but provided 'f32' for operand "
          "number 0");
  }
  SUBCASE("results") { fails(b.func_call("callee", {tensor}, {}), "incorrect number of results for callee"); }
  SUBCASE("result types") {
    fails(b.func_call("callee", {tensor}, {s.f32()}),
          "result type mismatch at index 0: expected 'tensor<4x8xf32>', but got 'f32'");
  }
}

TEST_CASE("topology: well-formed meshes, each name once") {
  auto with = [](sample& s, attribute topology) {
    return empty_function(s, "f", make_dictionary(s.cx(), {{"topology", topology}}));
  };
  SUBCASE("duplicate mesh") {
    sample s;
    attribute const mesh = make_mesh(s.cx(), {{"x", 2}});
    op const f = with(s, make_topology(s.cx(), {{"a", mesh}, {"b", mesh}, {"a", mesh}}));
    expect_error(s, f, "topology", "'func.func' op topology has a duplicate mesh with name: a");
  }
  SUBCASE("a mesh without a name") {
    sample s;
    op const f = with(s, make_topology(s.cx(), {{"", make_mesh(s.cx(), {{"x", 2}})}}));
    expect_error(s, f, "topology", "'func.func' op topology has a mesh without a name");
  }
  SUBCASE("no mesh") {
    sample s;
    op const f = with(s, make_topology(s.cx(), {}));
    expect_error(s, f, "topology", "'func.func' op topology must have at least one mesh");
  }
  SUBCASE("no topology") {
    sample s;
    op const f = with(s, s.cx().string("m1"));
    expect_error(s, f, "topology", "'func.func' op attribute 'topology' must be a topology");
  }
  SUBCASE("not meshes") {
    sample s;
    op const f = with(s, s.cx().get(topology_attr{{s.cx().unit()}}));
    expect_error(s, f, "topology", "'func.func' op topology must be made of named meshes");
  }
  SUBCASE("a bad mesh") {
    sample s;
    op const f = with(s, make_topology(s.cx(), {{"a", s.cx().get(mesh_attr{{{"x", 0}}, {}})}}));
    expect_error(s, f, "topology",
                 "'func.func' op mesh \"a\" of the topology: axis size must be at least 1, got: 0");
  }
}

TEST_CASE("mesh-shape: a well-formed mesh") {
  sample s;
  SUBCASE("another kind") {
    op const f = empty_function(s, "f", make_dictionary(s.cx(), {{"mesh_shape", s.cx().unit()}}));
    expect_error(s, f, "mesh-shape", "'func.func' op attribute 'mesh_shape' must be a mesh");
  }
  SUBCASE("a bad mesh") {
    attribute const bad = s.cx().get(mesh_attr{{{"x", 2}, {"x", 2}}, {}});
    op const f = empty_function(s, "f", make_dictionary(s.cx(), {{"mesh_shape", bad}}));
    expect_error(s, f, "mesh-shape", "'func.func' op mesh_shape: duplicate axis name: \"x\"");
  }
}

}  // namespace verify_func_test
