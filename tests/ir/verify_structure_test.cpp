#include <mpmd/ir/verify.hpp>

#include <doctest/doctest.h>

#include "ir/support.hpp"

namespace verify_structure_test {

using namespace mpmd;
using namespace mpmd::ir;
using testing::expect_error;
using testing::expect_valid;
using testing::faults;
using testing::sample;

namespace {

/// A function without arguments whose body is given by the test.
struct in_function : sample {
  op f;
  builder b;
  in_function() : f(top.func("f", {}, {})), b(in(f)) {}
  op holder(builder& at, std::string_view kind, std::vector<type> const& arguments = {}) {
    return at.create({.kind = cx().intern(kind), .regions = {at.make_body(arguments)}});
  }
};

}  // namespace

TEST_CASE("an empty program is valid") {
  sample s;
  expect_valid(s);
}

TEST_CASE("foreign ops may do anything that keeps the structure") {
  in_function s;
  op const outer = s.holder(s.b, "x.region");
  builder inner = s.in(outer);
  op const later = s.plain(inner, "x.later", {});
  op const user = s.plain(inner, "x.user", {});
  s.p.move_before(later, user);
  s.p.append_operand(user, s.res(later));  // order means nothing in a foreign region
  op const self = s.plain(inner, "x.self", {});
  s.p.append_operand(self, s.res(self));
  s.holder(s.b, "x.empty");
  s.b.func_return({});
  expect_valid(s);
}

TEST_CASE("terminator: a terminator stands last") {
  in_function s;
  op const early = s.b.func_return({});
  s.b.func_return({});
  expect_error(s, early, "terminator", "'func.return' op must be the last operation in the parent block");
}

TEST_CASE("terminator: a block of a known op ends with one") {
  in_function s;
  op const last = s.b.create(opcode::stablehlo_constant, {}, {s.t48()});
  expect_error(s, last, "terminator", "block with no terminator, has 'stablehlo.constant'");
}

TEST_CASE("terminator: a block of a known op is not empty") {
  in_function s;
  expect_error(s, s.f, "terminator", "empty block: expect at least a terminator");
}

TEST_CASE("terminator: each of several blocks needs one, whatever op holds them") {
  sample s;
  op const holder = s.top.create({.kind = s.cx().intern("x.cfg"), .regions = {s.top.make_body({})}});
  block const first = s.entry(holder);
  block const second = s.p.append_block(s.p.regions(holder)[0]);
  s.p.append(first, s.p.create({.kind = s.cx().intern("x.br"), .successors = {second}}));
  expect_error(s, holder, "terminator", "empty block: expect at least a terminator");
}

TEST_CASE("terminator: regions of mpmd ops end with mpmd.return") {
  in_function s;
  op const nc = s.b.named_computation({"n", 0}, {}, {});
  builder inner = s.in(nc);
  inner.func_return({});
  s.b.func_return({});
  // Not the fault of the inner op, whose parent is wrong too: the op around is checked first.
  expect_error(s, nc, "terminator",
               "'mpmd.named_computation' op expects regions to end with 'mpmd.return', found 'func.return'");
}

TEST_CASE("terminator: the region of an mpmd op is checked before its terminator is read") {
  in_function s;
  op const loop = s.b.for_loop(1, 1, {});
  s.b.func_return({});
  expect_error(s, loop, "terminator", "'mpmd.for' op expects a non-empty block");
}

TEST_CASE("block-count: the region of an mpmd op has one block") {
  in_function s;
  op const loop = s.b.for_loop(1, 1, {});
  builder inner = s.in(loop);
  inner.mpmd_return({});
  s.p.append_block(s.p.regions(loop)[0]);
  s.b.func_return({});
  expect_error(s, loop, "block-count", "'mpmd.for' op expects region #0 to have one block");
}

TEST_CASE("operand-count, result-count, region-count: as the op declares") {
  SUBCASE("operands") {
    in_function s;
    op const o = s.b.create(opcode::mpmd_broadcast, {}, {s.t48()});
    s.b.func_return({});
    expect_error(s, o, "operand-count", "'mpmd.broadcast' op expected 1 operands, but found 0");
  }
  SUBCASE("at least some operands") {
    in_function s;
    op const o = s.b.create(opcode::mpmd_reduce, {}, {s.t48()});
    s.b.func_return({});
    expect_error(s, o, "operand-count", "'mpmd.reduce' op expected 1 or more operands, but found 0");
  }
  SUBCASE("results") {
    in_function s;
    op const o = s.b.create(opcode::func_return, {}, {s.t48()});
    expect_error(s, o, "result-count", "'func.return' op expected 0 results, but found 1");
  }
  SUBCASE("regions") {
    in_function s;
    op const o = s.b.create(opcode::mpmd_for, {}, {});
    s.b.func_return({});
    expect_error(s, o, "region-count", "'mpmd.for' op expected 1 regions, but found 0");
  }
}

TEST_CASE("successor: only the last op of a block branches, and only in its region") {
  SUBCASE("not the last") {
    in_function s;
    block const other = s.p.append_block(s.p.regions(s.f)[0]);
    op const early = s.b.create({.kind = s.cx().intern("x.br"), .successors = {other}});
    s.b.func_return({});
    builder(s.p, other).func_return({});
    expect_error(s, early, "successor", "operation with block successors must terminate its parent block");
  }
  SUBCASE("another region") {
    in_function s;
    op const away = s.b.create({.kind = s.cx().intern("x.br"), .successors = {s.p.body()}});
    expect_error(s, away, "successor", "'x.br' op branching to block of a different region");
  }
}

TEST_CASE("parent: some ops stand in functions and loops only") {
  SUBCASE("transfer in a loop") {
    sample s;
    op const f = s.top.func("f", {s.on("m1")}, {}, s.with_topology());
    builder b = s.in(f);
    op const loop = b.for_loop(1, 1, {s.arg(f, 0)});
    builder inner = s.in(loop);
    value const moved = inner.transfer(s.arg(loop, 0), s.on("m1"));
    inner.mpmd_return({moved});
    b.func_return({});
    expect_error(s, s.p.defining_op(moved), "parent", "'mpmd.transfer' op expects parent op 'func.func'");
  }
  SUBCASE("assign in a named computation") {
    in_function s;
    op const nc = s.b.named_computation({"n", 0}, {}, {});
    builder inner = s.in(nc);
    value const c = s.p.result(inner.create("x.value", {}, {s.t48()}), 0);
    value const placed = inner.assign(c, s.on("m1"));
    inner.mpmd_return({});
    s.b.func_return({});
    expect_error(s, s.p.defining_op(placed), "parent",
                 "'mpmd.assign' op expects parent op to be one of 'func.func, mpmd.for'");
  }
  SUBCASE("return in a module") {
    sample s;
    op const r = s.top.func_return({});
    expect_error(s, r, "parent", "'func.return' op expects parent op 'func.func'");
  }
}

TEST_CASE("isolation: an isolated region uses nothing from around it") {
  sample s;
  op const f = s.top.func("f", {s.t48()}, {});
  builder b = s.in(f);
  op const nc = b.named_computation({"n", 0}, {s.arg(f, 0)}, {s.t48()});
  builder inner = s.in(nc);
  op const mixed = s.plain(inner, "x.op", {s.arg(nc, 0), s.arg(f, 0)});
  inner.mpmd_return({s.res(mixed)});
  b.func_return({});
  auto const notes = expect_error(s, mixed, "isolation", "'x.op' op using value defined outside the region");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].message == "required by region isolation constraints");
  CHECK(notes[0].where.line == locate(s.p, nc).line);
}

TEST_CASE("isolation: regions inside count to the isolated op, and loops are open") {
  sample s;
  op const f = s.top.func("f", {s.t48()}, {});
  builder b = s.in(f);
  op const loop = b.for_loop(2, 1, {s.arg(f, 0)});
  builder in_loop = s.in(loop);
  op const uses_outer = s.plain(in_loop, "x.op", {s.arg(f, 0), s.arg(loop, 1)});
  in_loop.mpmd_return({s.res(uses_outer)});
  b.func_return({});
  expect_valid(s);

  sample t;
  op const g = t.top.func("g", {t.t48()}, {});
  builder c = t.in(g);
  op const nc = c.named_computation({"n", 0}, {}, {});
  builder in_nc = t.in(nc);
  op const nested = in_nc.create({.kind = t.cx().intern("x.region"), .regions = {in_nc.make_body({})}});
  builder deep = t.in(nested);
  op const leak = t.plain(deep, "x.leak", {t.arg(g, 0)});
  in_nc.mpmd_return({});
  c.func_return({});
  expect_error(t, leak, "isolation", "'x.leak' op using value defined outside the region");
}

TEST_CASE("isolation: functions do not use each other's values") {
  sample s;
  op const f = s.top.func("f", {s.t48()}, {});
  builder b = s.in(f);
  b.func_return({});
  op const g = s.top.func("g", {}, {});
  builder c = s.in(g);
  op const thief = s.plain(c, "x.thief", {s.arg(f, 0)});
  c.func_return({});
  expect_error(s, thief, "isolation", "'x.thief' op using value defined outside the region");
}

TEST_CASE("dominance: in a block, definitions stand before uses") {
  sample s;
  op const f = s.top.func("f", {s.t48()}, {});
  builder b = s.in(f);
  op const user = s.plain(b, "x.user", {s.arg(f, 0)});
  op const later = s.plain(b, "x.later", {});
  s.p.append_operand(user, s.res(later));
  b.func_return({});
  auto const notes = expect_error(s, user, "dominance", "operand #1 does not dominate this use");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].message == "operand defined here (op in the same block)");
  CHECK(notes[0].where.line == locate(s.p, later).line);
}

TEST_CASE("dominance: an op does not use its own result") {
  in_function s;
  op const self = s.plain(s.b, "x.self", {});
  s.p.append_operand(self, s.res(self));
  s.b.func_return({});
  expect_error(s, self, "dominance", "operand #0 does not dominate this use");
}

TEST_CASE("dominance: regions see what stands before the op around them, not the op itself or what follows") {
  auto build = [](int which) {
    auto s = std::make_unique<in_function>();
    op const before = s->plain(s->b, "x.before", {});
    op const around = s->b.create(
        {.kind = s->cx().intern("x.around"), .results = {s->t48()}, .regions = {s->b.make_body({})}});
    op const after = s->plain(s->b, "x.after", {});
    s->b.func_return({});
    builder inner = s->in(around);
    op const from = which == 0 ? before : which == 1 ? around : after;
    op const use = s->plain(inner, "x.use", {s->res(from)});
    return std::pair(std::move(s), use);
  };
  auto [good, good_use] = build(0);
  expect_valid(*good);
  auto [own, own_use] = build(1);
  expect_error(*own, own_use, "dominance", "operand #0 does not dominate this use");
  auto [after, after_use] = build(2);
  expect_error(*after, after_use, "dominance", "operand #0 does not dominate this use");
}

TEST_CASE("dominance: values inside a region are not seen outside it") {
  in_function s;
  op const around = s.holder(s.b, "x.around", {s.t48()});
  op const use = s.plain(s.b, "x.use", {s.arg(around, 0)});
  s.b.func_return({});
  auto const notes = expect_error(s, use, "dominance", "operand #0 does not dominate this use");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].message == "operand defined as a block argument");
}

TEST_CASE("dominance: values inside an isolated op are not seen outside it") {
  in_function s;
  op const nc = s.b.named_computation({"n", 0}, {}, {});
  builder inner = s.in(nc);
  op const hidden = s.plain(inner, "x.hidden", {});
  inner.mpmd_return({});
  op const use = s.plain(s.b, "x.use", {s.res(hidden)});
  s.b.func_return({});
  expect_error(s, use, "dominance", "operand #0 does not dominate this use");
}

TEST_CASE("dominance: between blocks, a definition stands on every way to its use") {
  auto build = [](bool through, bool reachable) {
    auto s = std::make_unique<in_function>();
    region const r = s->p.regions(s->f)[0];
    block const left = s->p.append_block(r), join = s->p.append_block(r);
    // entry -> left -> join, and entry -> join unless all ways lead through left.
    std::vector<block> from_entry{left};
    if (!through) from_entry.push_back(join);
    s->b.create({.kind = s->cx().intern("x.br"), .successors = from_entry});
    builder in_left(s->p, left), in_join(s->p, join);
    op const def = s->plain(in_left, "x.def", {});
    in_left.create(
        {.kind = s->cx().intern("x.br"), .successors = reachable ? std::vector{join} : std::vector{left}});
    op const use = s->plain(in_join, "x.use", {s->res(def)});
    in_join.func_return({});
    return std::pair(std::move(s), use);
  };
  auto [good, good_use] = build(true, true);
  expect_valid(*good);
  auto [bad, bad_use] = build(false, true);
  auto const notes = expect_error(*bad, bad_use, "dominance", "operand #0 does not dominate this use");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].message == "operand defined here (op in the same region)");
  auto [unreachable, its_use] = build(true, false);
  expect_valid(*unreachable);  // dominance says nothing about a block nobody reaches
}

TEST_CASE("a faulty function does not hide faults of another") {
  sample s;
  for (char const* label : {"f", "g", "h"}) {
    op const f = s.top.func(label, {}, {});
    builder b = s.in(f);
    if (label[0] != 'g') b.create(opcode::mpmd_broadcast, {}, {s.t48()});
    b.func_return({});
  }
  CHECK(faults(s).size() == 2);
}

TEST_CASE("in one function the first fault hides the others") {
  in_function s;
  s.b.create(opcode::mpmd_broadcast, {}, {s.t48()});
  s.b.create(opcode::mpmd_broadcast, {}, {s.t48()});
  s.b.func_return({});
  CHECK(faults(s).size() == 1);
}

TEST_CASE("a fault of an op hides references to symbols in the whole module") {
  sample s;
  op const f = s.top.func("f", {}, {});
  builder b = s.in(f);
  b.func_call("nobody", {}, {});
  b.func_return({});
  op const g = s.top.func("g", {}, {});
  builder c = s.in(g);
  op const bad = c.create(opcode::mpmd_broadcast, {}, {s.t48()});
  c.func_return({});
  expect_error(s, bad, "operand-count", "'mpmd.broadcast' op expected 1 operands, but found 0");
}

TEST_CASE("one op can be verified by itself") {
  sample s;
  op const f = s.top.func("f", {s.t48()}, {});
  builder b = s.in(f);
  op const loop = b.for_loop(1, 1, {s.arg(f, 0)});
  builder inner = s.in(loop);
  op const use = s.plain(inner, "x.use", {s.arg(f, 0)});
  inner.mpmd_return({s.res(use)});
  diagnostics out;
  CHECK(verify(s.p, loop, out));  // what is outside is not looked at: f has no terminator
  CHECK_FALSE(verify(s.p, f, out));
  s.p.set_attr(loop, "iterations", {});
  CHECK_FALSE(verify(s.p, loop, out));
}

TEST_CASE("a hundred thousand nested ops are verified without recursion, near-linearly") {
  constexpr int depth = 100000;
  for (bool const isolated : {false, true}) {
    sample s;
    op const f = s.top.func("f", {s.t48()}, {});
    std::vector<builder> at{s.in(f)};
    for (int i = 0; i < depth; ++i) {
      op const o = isolated ? at.back().named_computation({"n", 0}, {}, {}) : at.back().for_loop(1, 1, {});
      at.push_back(s.in(o));
      if (!isolated) s.plain(at.back(), "x.use", {s.arg(f, 0)});
    }
    for (int i = depth; i > 0; --i) at[static_cast<std::size_t>(i)].mpmd_return({});
    at[0].func_return({});
    expect_valid(s);
  }
}

}  // namespace verify_structure_test
