#include <mpmd/ir/program.hpp>

#include <doctest/doctest.h>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/invariants.hpp>

#include "ir/support.hpp"

namespace program_test {

using namespace mpmd;
using namespace mpmd::ir;
using testing::sample;

namespace {

/// Uses as text, most recent first: "b1 a0" is operand 1 of x.b, then operand 0 of x.a.
std::string uses(program const& p, value v) {
  std::string out;
  for (use const u : p.uses(v))
    out += (out.empty() ? "" : " ") + std::string(1, p.kind_text(u.user).back()) + std::to_string(u.index);
  return out;
}

std::string order(program const& p, block b) {
  std::string out;
  for (op const o : ops(p, b)) out += p.kind_text(o).back();
  return out;
}

/// A function with three arguments and a block to fill.
struct fixture : sample {
  op f;
  builder b;
  fixture() : f(top.func("f", {t48(), t48(), t48()}, {})), b(in(f)) {}
  op make(char letter, std::vector<value> operands = {}, std::size_t results = 1) {
    return plain(b, std::string("x.") + letter, std::move(operands), results);
  }
  void check_links(std::vector<op> const& detached = {}) { CHECK(find_broken_link(p, detached) == ""); }
};

}  // namespace

TEST_CASE("an op with two operands and one result takes at most 200 bytes") {
  for (std::size_t const n : {1000u, 65536u, 65537u, 100000u}) {
    sample s;
    op const f = s.top.func("f", {s.t48()}, {});
    builder b = s.in(f);
    value v = s.arg(f, 0);
    for (std::size_t i = 0; i < n; ++i) v = s.add(b, v, v);
    double const per_op = static_cast<double>(s.p.memory_use()) / static_cast<double>(n);
    MESSAGE(n << " ops: " << per_op << " bytes an op");
    CHECK(per_op <= 200);
  }
}

TEST_CASE("uses are listed most recent first") {
  fixture s;
  value const v = s.arg(s.f, 0);
  s.make('a', {v});
  s.make('b', {v, v});
  CHECK(uses(s.p, v) == "b1 b0 a0");
  CHECK_FALSE(s.p.is_unused(v));
  CHECK_FALSE(s.p.has_one_use(v));
  CHECK(s.p.is_unused(s.arg(s.f, 1)));
}

TEST_CASE("setting an operand makes it the most recent use") {
  fixture s;
  value const v = s.arg(s.f, 0), w = s.arg(s.f, 1);
  op const a = s.make('a', {v, v});
  s.make('b', {v});
  s.p.set_operand(a, 0, v);
  CHECK(uses(s.p, v) == "a0 b0 a1");
  s.p.set_operand(a, 1, w);
  CHECK(uses(s.p, v) == "a0 b0");
  CHECK(uses(s.p, w) == "a1");
  CHECK(s.p.has_one_use(w));
  s.check_links();
}

TEST_CASE("replaced uses go to the front, one by one") {
  fixture s;
  value const v = s.arg(s.f, 0), w = s.arg(s.f, 1);
  s.make('a', {v});
  s.make('b', {v, w});
  s.make('c', {v});
  CHECK(uses(s.p, v) == "c0 b0 a0");
  s.p.replace_all_uses(v, w);
  CHECK(uses(s.p, v) == "");
  CHECK(s.p.is_unused(v));
  CHECK(uses(s.p, w) == "a0 b0 c0 b1");
  s.p.replace_all_uses(w, w);
  CHECK(uses(s.p, w) == "a0 b0 c0 b1");
  s.check_links();
}

TEST_CASE("appended operands keep the uses of those before, wherever they are moved to") {
  fixture s;
  value const v = s.arg(s.f, 0), w = s.arg(s.f, 1);
  op const a = s.make('a', {v, w});
  op const z = s.make('z', {w});  // behind a in the pool, so that a must move
  for (int i = 0; i < 100; ++i) s.p.append_operand(a, i % 2 == 0 ? v : w);
  CHECK(s.p.operand_count(a) == 102);
  for (std::uint32_t i = 0; i < 102; ++i) CHECK(s.p.operand(a, i) == (i % 2 == 0 ? v : w));
  CHECK(uses(s.p, v).starts_with("a100 a98 a96"));
  CHECK(uses(s.p, v).ends_with("a2 a0"));
  CHECK(uses(s.p, w).ends_with("a3 z0 a1"));
  s.p.append_operand(z, v);  // z in turn is not last any more
  s.p.append_operand(z, v);
  CHECK(s.p.operand(z, 2) == v);
  s.check_links();
}

TEST_CASE("an op with very many operands grows in steps") {
  fixture s;
  op const a = s.make('a');
  op const z = s.make('z', {s.arg(s.f, 0)});
  for (int i = 0; i < 200000; ++i) {
    s.p.append_operand(a, s.arg(s.f, 0));
    if (i % 1000 == 0) s.p.append_operand(z, s.arg(s.f, 1));
  }
  CHECK(s.p.operand_count(a) == 200000);
  s.check_links();
}

TEST_CASE("erased operands close the gap and their place is used again") {
  fixture s;
  value const v = s.arg(s.f, 0), w = s.arg(s.f, 1);
  op const a = s.make('a', {v, w, v, v});
  s.make('b', {v});
  s.p.erase_operand(a, 0);
  CHECK(s.p.operand_count(a) == 3);
  CHECK(s.p.operand(a, 0) == w);
  CHECK(uses(s.p, v) == "b0 a2 a1");
  CHECK(uses(s.p, w) == "a0");
  s.p.append_operand(a, w);
  CHECK(uses(s.p, w) == "a3 a0");
  s.p.erase_operand(a, 3);
  s.p.erase_operand(a, 1);
  CHECK(uses(s.p, v) == "b0 a1");
  s.check_links();
}

TEST_CASE("set_operands may be given the operands of the op itself") {
  fixture s;
  value const v = s.arg(s.f, 0), w = s.arg(s.f, 1);
  op const a = s.make('a', {v, w});
  s.p.set_operands(a, s.p.operands(a));
  CHECK(s.p.operand(a, 0) == v);
  CHECK(s.p.operand(a, 1) == w);
  std::vector<value> const three{w, v, w};
  s.p.set_operands(a, three);
  CHECK(std::vector<value>(s.p.operands(a).begin(), s.p.operands(a).end()) == three);
  s.p.set_operands(a, {});
  CHECK(s.p.operand_count(a) == 0);
  CHECK(s.p.is_unused(v));
  CHECK(s.p.is_unused(w));
  s.check_links();
}

TEST_CASE("the order in a block follows insertions, moves and removals") {
  fixture s;
  op const a = s.make('a'), c = s.make('c'), e = s.make('e');
  auto loose = [&](char letter) { return s.p.create({.kind = s.cx().intern(std::string("x.") + letter)}); };
  op const b = loose('b'), d = loose('d'), first = loose('0');
  s.p.insert_before(c, b);
  s.p.insert_after(c, d);
  s.p.prepend(s.entry(s.f), first);
  CHECK(order(s.p, s.entry(s.f)) == "0abcde");
  CHECK(s.p.is_before(b, d));
  CHECK_FALSE(s.p.is_before(e, first));
  s.p.move_before(a, e);
  CHECK(order(s.p, s.entry(s.f)) == "0eabcd");
  CHECK(s.p.is_before(e, a));
  CHECK_FALSE(s.p.is_before(d, c));
  s.p.move_before(c, c);
  CHECK(order(s.p, s.entry(s.f)) == "0eabcd");
  s.p.unlink(b);
  CHECK(order(s.p, s.entry(s.f)) == "0eacd");
  CHECK(s.p.parent_block(b) == block{});
  s.p.append(s.entry(s.f), b);
  CHECK(s.p.is_before(d, b));
  CHECK_FALSE(s.p.is_before(b, d));
  s.check_links();
}

TEST_CASE("erasing an op takes its regions and its uses with it") {
  fixture s;
  value const v = s.arg(s.f, 0);
  op const outer = s.b.create({.kind = s.cx().intern("x.outer"), .regions = {s.b.make_body({s.t48()})}});
  builder inner = s.in(outer);
  op const x = s.plain(inner, "x.x", {v, s.arg(outer, 0)});
  op const deep = inner.create({.kind = s.cx().intern("x.deep"), .regions = {inner.make_body({})}});
  builder deepest = s.in(deep);
  s.plain(deepest, "x.y", {s.res(x), v});
  // A use of a value that is defined later, in the same region.
  op const z = s.plain(inner, "x.z", {});
  s.p.append_operand(x, s.res(z));
  s.p.erase(outer);
  CHECK(s.p.is_unused(v));
  CHECK(order(s.p, s.entry(s.f)) == "");
  s.check_links();
}

TEST_CASE("the slots of erased ops are used again") {
  fixture s;
  op const a = s.make('a');
  op const nest = s.b.create({.kind = s.cx().intern("x.nest"), .regions = {s.b.make_body({})}});
  builder inner = s.in(nest);
  s.plain(inner, "x.inner", {});
  auto const capacity = s.p.op_capacity();
  s.p.erase(a);
  s.p.erase(nest);
  std::vector<op> made{s.make('b'), s.make('c'), s.make('d')};
  CHECK(s.p.op_capacity() == capacity);
  for (op const o : made) {
    CHECK(s.p.regions(o).empty());
    CHECK(s.p.operand_count(o) == 0);
    CHECK(s.p.successors(o).empty());
  }
  s.make('e');
  CHECK(s.p.op_capacity() == capacity + 1);
  CHECK(order(s.p, s.entry(s.f)) == "bcde");
  s.check_links();
}

TEST_CASE("blocks are moved with their ops, and erased with them") {
  fixture s;
  op const from = s.b.create({.kind = s.cx().intern("x.from"), .regions = {s.p.create_region()}});
  op const to = s.b.create({.kind = s.cx().intern("x.to"), .regions = {s.p.create_region()}});
  region const r = s.p.regions(from)[0], t = s.p.regions(to)[0];
  std::vector<block> bs;
  for (char const letter : {'1', '2', '3'}) {
    bs.push_back(s.p.append_block(r));
    builder at(s.p, bs.back());
    s.plain(at, std::string("x.") + letter, {});
  }
  s.p.move_block(bs[1], t);
  s.p.move_block(bs[0], t);
  CHECK(s.p.first_block(r) == bs[2]);
  CHECK(s.p.last_block(r) == bs[2]);
  CHECK(s.p.first_block(t) == bs[1]);
  CHECK(s.p.next_block(bs[1]) == bs[0]);
  CHECK(s.p.parent_op(s.p.first_op(bs[0])) == to);
  s.p.erase_block(bs[1]);
  CHECK(s.p.first_block(t) == bs[0]);
  CHECK(s.p.previous_block(bs[0]) == block{});
  s.check_links();
}

TEST_CASE("erased block arguments close the gap") {
  fixture s;
  s.p.set_argument_where(s.arg(s.f, 2), {.given = s.cx().get(name_loc{"third"})});
  value const third = s.arg(s.f, 2);
  s.make('a', {third});
  s.p.erase_argument(s.entry(s.f), 1);
  CHECK(s.arg(s.f, 1) == third);
  CHECK(s.p.index_of(third) == 1);
  CHECK(uses(s.p, third) == "a0");
  CHECK(s.p.argument_where(third) == location{.given = s.cx().get(name_loc{"third"})});
  s.check_links();
}

TEST_CASE("a clone has its own values, and shares those from outside") {
  fixture s;
  value const v = s.arg(s.f, 0), w = s.arg(s.f, 1);
  op const outer = s.b.create({.kind = s.cx().intern("x.outer"),
                               .operands = {v},
                               .results = {s.t48()},
                               .properties = make_dictionary(s.cx(), {{"p", s.cx().unit()}}),
                               .attributes = make_dictionary(s.cx(), {{"d", s.cx().unit()}}),
                               .where = {.given = s.cx().get(name_loc{"here"})},
                               .regions = {s.b.make_body({s.t48()}), s.p.create_region()}});
  region const cfg = s.p.regions(outer)[1];
  block const b0 = s.p.append_block(cfg), b1 = s.p.append_block(cfg);
  builder inner = s.in(outer), in0(s.p, b0), in1(s.p, b1);
  op const early = s.plain(inner, "x.early", {s.arg(outer, 0), w});
  op const late = s.plain(inner, "x.late", {});
  s.p.append_operand(early, s.res(late));  // forward
  op const later_block = s.plain(in1, "x.def", {});
  s.plain(in0, "x.use", {s.res(later_block)});
  in0.create({.kind = s.cx().intern("x.br"), .successors = {b1, b0}});

  program::value_map map;
  op const copy = s.p.clone(outer, map);
  CHECK(s.p.parent_block(copy) == block{});
  CHECK(structural_equal(s.p, outer, s.p, copy));
  CHECK(s.p.where(copy) == s.p.where(outer));
  op const early_copy = s.p.first_op(s.entry(copy));
  CHECK(s.p.operand(early_copy, 0) == s.arg(copy, 0));
  CHECK(s.p.operand(early_copy, 1) == w);
  CHECK(s.p.operand(early_copy, 2) == s.res(s.p.next_op(early_copy)));
  CHECK(map.at(s.res(outer)) == s.res(copy));
  CHECK(map.at(s.arg(outer, 0)) == s.arg(copy, 0));
  block const c0 = s.p.first_block(s.p.regions(copy)[1]);
  auto const to = s.p.successors(s.p.last_op(c0));
  CHECK(std::vector<block>(to.begin(), to.end()) == std::vector<block>{s.p.next_block(c0), c0});
  s.check_links({copy});

  program::value_map redirected{{v, w}};
  op const other = s.p.clone(outer, redirected);
  CHECK(s.p.operand(other, 0) == w);
  s.check_links({copy, other});
}

TEST_CASE("attributes are set where the kind of op declares them") {
  fixture s;
  attribute const one = s.cx().string("1"), two = s.cx().string("2");
  op const frag = s.b.fragment("m1", make_origins(s.cx(), {}), {}, {});
  s.p.set_attr(frag, "mesh_name", one);
  s.p.set_attr(frag, "other", two);
  CHECK(s.cx().lookup(s.p.properties(frag), "mesh_name") == one);
  CHECK(s.cx().lookup(s.p.attributes(frag), "other") == two);
  CHECK(s.p.attr(frag, "other") == two);
  s.p.remove_attr(frag, "other");
  s.p.remove_attr(frag, "never_there");
  CHECK(s.p.attributes(frag) == s.cx().empty_dictionary());
  s.p.set_attributes(frag, {});
  CHECK(s.p.attributes(frag) == s.cx().empty_dictionary());
  op const foreign = s.make('a');
  s.p.set_properties(foreign, make_dictionary(s.cx(), {{"known", one}}));
  s.p.set_attr(foreign, "known", two);  // it has been inherent so far
  CHECK(s.cx().lookup(s.p.properties(foreign), "known") == two);
  CHECK(s.p.attributes(foreign) == s.cx().empty_dictionary());
}

TEST_CASE("edits of structure grow the revision") {
  fixture s;
  auto last = s.p.revision();
  auto grew = [&] {
    auto const now = s.p.revision();
    bool const did = now > last;
    last = now;
    return did;
  };
  op const a = s.make('a', {s.arg(s.f, 0)});
  CHECK(grew());
  s.p.set_operand(a, 0, s.arg(s.f, 1));
  CHECK(grew());
  s.p.set_type(s.res(a), s.f32());
  CHECK(grew());
  s.p.replace_all_uses(s.arg(s.f, 1), s.arg(s.f, 2));
  CHECK(grew());
  s.p.erase(a);
  CHECK(grew());
  CHECK_FALSE(grew());
}

TEST_CASE("a chain of a hundred thousand nested regions is cloned and erased without recursion") {
  constexpr int depth = 100000;
  sample s;
  block at = s.p.body();
  op outermost;
  for (int i = 0; i < depth; ++i) {
    builder b(s.p, at);
    op const o = b.create({.kind = s.cx().intern("x.nest"), .regions = {b.make_body({s.t48()})}});
    if (i == 0) outermost = o;
    at = s.entry(o);
  }
  program::value_map map;
  op const copy = s.p.clone(outermost, map);
  CHECK(map.size() == depth);
  s.p.erase(copy);
  s.p.erase(outermost);
  CHECK(find_broken_link(s.p) == "");
}

TEST_CASE("ops know their order wherever and however often others are put between them") {
  fixture s;
  block const b = s.entry(s.f);
  // Always between the same two, from either side, and at both ends.
  op const left = s.make('l'), right = s.make('r');
  op anchor = right;
  for (int i = 0; i < 200'000; ++i) {
    op const made = s.p.create({.kind = s.cx().intern("x.m")});
    switch (i % 4) {
      case 0: s.p.insert_before(anchor, made); break;
      case 1: s.p.insert_after(left, made); break;
      case 2:
        s.p.insert_before(anchor, made);
        anchor = made;
        break;
      default:
        if (i % 8 < 4)
          s.p.append(b, made);
        else
          s.p.prepend(b, made);
    }
  }
  bool ordered = true;
  for (op o = s.p.first_op(b); s.p.next_op(o); o = s.p.next_op(o))
    ordered = ordered && s.p.is_before(o, s.p.next_op(o)) && !s.p.is_before(s.p.next_op(o), o);
  CHECK(ordered);
}

}  // namespace program_test
