#include <mpmd/ir/equality.hpp>

#include <doctest/doctest.h>

#include <functional>

#include "ir/support.hpp"

namespace equality_test {

using namespace mpmd;
using namespace mpmd::ir;
using testing::sample;

namespace {

/// A function with a fragment, attributes of several kinds and a mesh tensor.
void fill(sample& s, std::string_view label = "main", std::int64_t size = 2) {
  attribute const mesh = make_mesh(s.cx(), {{"x", size}});
  attribute const topology = make_topology(s.cx(), {{"m1", mesh}});
  type const placed = s.on("m1");
  op const f = s.top.func(label, {placed}, {placed}, make_dictionary(s.cx(), {{"topology", topology}}));
  builder b = s.in(f);
  op const frag = b.fragment("m1", make_origins(s.cx(), {{"f", 1}}), {s.arg(f, 0)}, {placed});
  builder inner = s.in(frag);
  value const sum = s.add(inner, s.arg(frag, 0), s.arg(frag, 0));
  inner.mpmd_return({sum});
  b.func_return({s.res(frag)});
}

void check_equal(program const& a, program const& b) {
  auto const found = first_difference(a, b);
  if (found) FAIL(describe(*found, a, b));
  CHECK(structural_hash(a) == structural_hash(b));
  CHECK(structural_equal(b, a));
}

std::string check_different(program const& a, program const& b) {
  auto const found = first_difference(a, b);
  REQUIRE(found);
  CHECK(first_difference(b, a));
  CHECK(structural_hash(a) != structural_hash(b));
  return found->what;
}

}  // namespace

TEST_CASE("equal programs of one context are equal and hash alike") {
  sample a;
  sample b(a.p.shared_context());
  fill(a);
  fill(b);
  check_equal(a.p, b.p);
}

TEST_CASE("programs of two contexts are compared by what their types and attributes say") {
  sample a, b;
  // The handles differ because the contexts met other things first.
  b.cx().get(opaque_type{"!x.y"});
  b.cx().string("something else");
  b.cx().intern("an.op");
  fill(a);
  fill(b);
  check_equal(a.p, b.p);
  sample c;
  fill(c, "main", 4);
  CHECK(check_different(a.p, c.p) == "the attribute 'topology'");
  sample d;
  fill(d, "other");
  CHECK(check_different(a.p, d.p) == "the inherent attribute 'sym_name'");
}

TEST_CASE("every part of an op counts for equality") {
  using edit = std::function<void(sample&, op)>;
  auto make = [](edit const& change) {
    auto s = std::make_unique<sample>();
    op const f = s->top.func("f", {s->t48(), s->t48()}, {});
    builder b = s->in(f);
    op const o = b.create({.kind = s->cx().intern("x.op"),
                           .operands = {s->arg(f, 0), s->arg(f, 1)},
                           .results = {s->t48()},
                           .properties = make_dictionary(s->cx(), {{"p", s->cx().string("1")}}),
                           .attributes = make_dictionary(s->cx(), {{"d", s->cx().string("1")}}),
                           .regions = {b.make_body({s->t48()})}});
    change(*s, o);
    return s;
  };
  auto const base = make([](sample&, op) {});
  auto what = [&](edit const& change) { return check_different(base->p, make(change)->p); };

  CHECK(what([](sample& s, op o) { s.p.append_operand(o, s.p.operand(o, 0)); }) == "the number of operands");
  CHECK(what([](sample& s, op o) { s.p.set_operand(o, 1, s.p.operand(o, 0)); }) == "operand 1");
  CHECK(what([](sample& s, op o) { s.p.set_type(s.res(o), s.f32()); }) == "the type of result 0");
  CHECK(what([](sample& s, op o) { s.p.set_attr(o, "p", s.cx().string("2")); }) == "the attribute 'p'");
  CHECK(what([](sample& s, op o) { s.p.set_attr(o, "d", s.cx().string("2")); }) == "the attribute 'd'");
  CHECK(what([](sample& s, op o) { s.p.set_attr(o, "a", s.cx().unit()); }) == "the attribute 'a'");
  CHECK(what([](sample& s, op o) { s.p.set_attr(o, "z", s.cx().unit()); }) == "the attribute 'z'");
  CHECK(what([](sample& s, op o) { s.p.remove_attr(o, "d"); }) == "the attribute 'd'");
  CHECK(what([](sample& s, op o) { s.p.append_block(s.p.regions(o)[0]); }) ==
        "the number of blocks of region 0");
  CHECK(what([](sample& s, op o) { s.p.add_argument(s.entry(o), s.f32()); }) ==
        "the number of arguments of block 0 of region 0");
  CHECK(what([](sample& s, op o) { s.p.set_type(s.arg(o, 0), s.f32()); }) ==
        "the type of argument 0 of block 0 of region 0");
  CHECK(what([](sample& s, op o) { s.p.set_successors(o, {s.entry(o)}); }) == "the number of successors");
  CHECK(what([](sample& s, op o) {
          builder b = s.in(o);
          s.plain(b, "x.inner", {});
        }) == "only the second has this op");
  CHECK(what([](sample& s, op o) {
          auto b = builder::before(s.p, o);
          s.plain(b, "x.before", {});
        }) == "'x.op' against 'x.before'");
  CHECK(what([](sample& s, op) { s.p.file_metadata() = "{-# #-}"; }) == "the metadata of the file");
}

TEST_CASE("locations and the order of uses do not count for equality") {
  sample a, b;
  fill(a);
  fill(b);
  op const f = b.p.first_op(b.p.body());
  b.p.set_where(f, {.text = {7}, .given = b.cx().get(name_loc{"here"})});
  b.p.set_argument_where(b.arg(f, 0), {.given = b.cx().get(unknown_loc{})});
  op const frag = b.p.first_op(b.entry(f));
  op const add = b.p.first_op(b.entry(frag));
  b.p.set_operand(add, 0, b.arg(frag, 0));  // makes operand 0 the most recent use
  check_equal(a.p, b.p);
}

TEST_CASE("a missing dictionary equals an empty one") {
  sample a, b;
  op const x = a.plain(a.top, "x.op", {});
  a.plain(a.top, "x.op", {});
  b.plain(b.top, "x.op", {});
  b.plain(b.top, "x.op", {});
  a.p.set_properties(x, {});
  a.p.set_attributes(x, {});
  check_equal(a.p, b.p);
}

TEST_CASE("of an op that is not known it does not count which attributes are inherent") {
  auto make = [](sample& s, std::string_view kind, bool inherent, std::int64_t size) {
    attribute const first =
        make_dictionary(s.cx(), {{"a", s.cx().unit()}, {"z", s.cx().integer_value(size)}});
    attribute const rest = make_dictionary(s.cx(), {{"m", s.cx().unit()}});
    s.top.create(kind, {}, {}, inherent ? first : rest, inherent ? rest : first);
  };
  sample a, b, c;
  make(a, "not.known", true, 1);
  make(b, "not.known", false, 1);
  make(c, "not.known", false, 2);
  check_equal(a.p, b.p);
  CHECK(check_different(a.p, c.p) == "the attribute 'z'");
  sample x, y;
  make(x, "stablehlo.iota", true, 1);
  make(y, "stablehlo.iota", false, 1);
  check_different(x.p, y.p);
}

TEST_CASE("uses of values that are defined later correspond") {
  auto make = [](sample& s, int used) {
    op const user = s.plain(s.top, "x.user", {});
    op const d1 = s.plain(s.top, "x.def", {});
    op const d2 = s.plain(s.top, "x.def", {});
    s.p.append_operand(user, s.res(used == 1 ? d1 : d2));
  };
  sample a, b, c;
  make(a, 1);
  make(b, 1);
  make(c, 2);
  check_equal(a.p, b.p);
  CHECK(check_different(a.p, c.p) == "operand 0");
}

TEST_CASE("successors correspond by the order of blocks") {
  auto make = [](sample& s, int target) {
    op const holder = s.top.create({.kind = s.cx().intern("x.cfg"), .regions = {s.p.create_region()}});
    region const r = s.p.regions(holder)[0];
    block const b0 = s.p.append_block(r), b1 = s.p.append_block(r), b2 = s.p.append_block(r);
    s.p.append(b0, s.p.create({.kind = s.cx().intern("x.br"), .successors = {target == 1 ? b1 : b2}}));
  };
  sample a, b, c;
  make(a, 1);
  make(b, 1);
  make(c, 2);
  check_equal(a.p, b.p);
  CHECK(check_different(a.p, c.p) == "successor 0");
}

TEST_CASE("two ops of one program are equal only if they use the same outer values") {
  sample s;
  op const f = s.top.func("f", {s.t48(), s.t48()}, {});
  builder b = s.in(f);
  op const x = s.plain(b, "x.op", {s.arg(f, 0)});
  op const same = s.plain(b, "x.op", {s.arg(f, 0)});
  op const other = s.plain(b, "x.op", {s.arg(f, 1)});
  CHECK(structural_equal(s.p, x, s.p, same));
  CHECK_FALSE(structural_equal(s.p, x, s.p, other));
}

TEST_CASE("two ops of two programs are equal if their outer values correspond one to one") {
  auto make = [](sample& s, bool twice) {
    op const f = s.top.func("f", {s.t48(), s.t48()}, {});
    builder b = s.in(f);
    return s.plain(b, "x.op", {s.arg(f, 0), s.arg(f, twice ? 0 : 1)});
  };
  sample a, b, c;
  op const x = make(a, false), y = make(b, false), z = make(c, true);
  CHECK(structural_equal(a.p, x, b.p, y));
  CHECK_FALSE(structural_equal(a.p, x, c.p, z));
  CHECK_FALSE(structural_equal(c.p, z, a.p, x));
}

TEST_CASE("a difference says where it is in each text") {
  sample a, b;
  auto place = [](sample& s, std::string const& text) {
    auto const [id, ok] = s.cx().sources.add("in.mlir", text);
    REQUIRE(ok);
    op const o = s.plain(s.top, "x.op", {});
    s.p.set_where(o, {.text = s.cx().sources.position(id, text.find("x.op"))});
    return o;
  };
  place(a, "\n  x.op\n");
  b.p.set_attr(place(b, "x.op\n"), "k", b.cx().unit());
  auto const found = first_difference(a.p, b.p);
  REQUIRE(found);
  CHECK(describe(*found, a.p, b.p) ==
        "'x.op' at in.mlir:2:3 and 'x.op' at in.mlir:1:1 differ: the attribute 'k'");
}

TEST_CASE("deeply nested regions and attributes are compared and hashed without recursion") {
  constexpr int depth = 100000;
  auto make = [](sample& s, std::string_view innermost) {
    block at = s.p.body();
    for (int i = 0; i < depth; ++i) {
      builder b(s.p, at);
      op const o = b.create({.kind = s.cx().intern("x.nest"), .regions = {b.make_body({})}});
      at = s.entry(o);
    }
    attribute held = s.cx().string(innermost);
    for (int i = 0; i < depth; ++i) held = s.cx().get(array_attr{{held}});
    builder b(s.p, at);
    b.create("x.leaf", {}, {}, {}, make_dictionary(s.cx(), {{"deep", held}}));
  };
  sample a, b, c;
  make(a, "same");
  make(b, "same");
  make(c, "other");
  check_equal(a.p, b.p);
  CHECK(check_different(a.p, c.p) == "the attribute 'deep'");
}

}  // namespace equality_test
