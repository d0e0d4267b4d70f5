#include <mpmd/ir/walk.hpp>

#include <doctest/doctest.h>

#include "ir/support.hpp"

namespace walk_test {

using namespace mpmd::ir;
using mpmd::ir::testing::sample;

namespace {

/// x.a { x.b { x.c } {} , { x.d  ^second: x.e } } x.f, by the last letter of each name.
struct tree : sample {
  op outer;
  tree() {
    outer = holder(top, "x.a", 2);
    builder first(p, p.append_block(p.regions(outer)[0]));
    op const b = holder(first, "x.b", 2);
    builder in_b(p, p.append_block(p.regions(b)[0]));
    plain(in_b, "x.c", {});
    p.append_block(p.regions(b)[1]);
    builder second(p, p.append_block(p.regions(outer)[1]));
    plain(second, "x.d", {});
    builder third(p, p.append_block(p.regions(outer)[1]));
    plain(third, "x.e", {});
    plain(top, "x.f", {});
  }
  op holder(builder& b, std::string_view kind, int regions) {
    op_state state{.kind = cx().intern(kind)};
    for (int i = 0; i < regions; ++i) state.regions.push_back(p.create_region());
    return b.create(state);
  }
  char letter(op o) const { return p.kind_text(o).back(); }
};

}  // namespace

TEST_CASE("a walk visits ops before or after their regions, in either direction") {
  tree t;
  std::string seen;
  auto note = [&](op o) { seen += t.letter(o); };
  walk(t.p, t.p.root(), note);
  CHECK(seen == "eabcdef");  // the first e is builtin.module
  seen.clear();
  walk_post_order(t.p, t.p.root(), note);
  CHECK(seen == "cbdeafe");
  seen.clear();
  walk<walk_direction::reversed>(t.p, t.p.root(), note);
  CHECK(seen == "efaedbc");
  seen.clear();
  walk_post_order<walk_direction::reversed>(t.p, t.p.root(), note);
  CHECK(seen == "fedcbae");
  seen.clear();
  walk(t.p, t.outer, note);
  CHECK(seen == "abcde");
}

TEST_CASE("a visitor can skip regions and stop the walk") {
  tree t;
  std::string seen;
  CHECK(walk(t.p, t.p.root(), [&](op o) {
    seen += t.letter(o);
    return t.letter(o) == 'b' ? walk_step::skip : walk_step::advance;
  }));
  CHECK(seen == "eabdef");
  seen.clear();
  CHECK_FALSE(walk(t.p, t.p.root(), [&](op o) {
    seen += t.letter(o);
    return t.letter(o) == 'c' ? walk_step::interrupt : walk_step::advance;
  }));
  CHECK(seen == "eabc");
  seen.clear();
  CHECK_FALSE(walk_post_order(t.p, t.p.root(), [&](op o) {
    seen += t.letter(o);
    return t.letter(o) == 'b' ? walk_step::interrupt : walk_step::advance;
  }));
  CHECK(seen == "cb");
}

TEST_CASE("a skipped op is entered but not left") {
  tree t;
  std::string seen;
  walk_around(
      t.p, t.p.root(),
      [&](op o) {
        seen += t.letter(o);
        return t.letter(o) == 'b' ? walk_step::skip : walk_step::advance;
      },
      [&](op o) { seen += static_cast<char>(t.letter(o) - 'a' + 'A'); });
  CHECK(seen == "eabdDeEAfFE");
}

TEST_CASE("the visited op may be erased") {
  tree t;
  walk(t.p, t.p.root(), [&](op o) {
    if (t.letter(o) != 'b') return walk_step::advance;
    t.p.erase(o);
    return walk_step::skip;
  });
  std::string seen;
  walk(t.p, t.p.root(), [&](op o) { seen += t.letter(o); });
  CHECK(seen == "eadef");
  walk_post_order(t.p, t.p.root(), [&](op o) {
    if (o != t.p.root()) t.p.erase(o);
  });
  CHECK(ops(t.p, t.p.body()).empty());
}

TEST_CASE("ops and blocks are listed in order while the current one is erased") {
  tree t;
  std::string seen;
  for (op const o : ops(t.p, t.p.body())) {
    seen += t.letter(o);
    t.p.erase(o);
  }
  CHECK(seen == "af");

  tree u;
  int count = 0;
  for (block const b : blocks(u.p, u.p.regions(u.outer)[1])) {
    ++count;
    u.p.erase_block(b);
  }
  CHECK(count == 2);
  CHECK(blocks(u.p, u.p.regions(u.outer)[1]).empty());
}

TEST_CASE("enclosing finds the closest op of a kind, not the op itself") {
  sample s;
  op const f = s.top.func("f", {}, {});
  builder b = s.in(f);
  op const loop = b.for_loop(1, 1, {});
  builder inner = s.in(loop);
  op const leaf = s.plain(inner, "x.leaf", {});
  CHECK(enclosing(s.p, leaf, opcode::mpmd_for) == loop);
  CHECK(enclosing(s.p, leaf, opcode::func_func) == f);
  CHECK(enclosing(s.p, loop, opcode::mpmd_for) == op{});
  CHECK(enclosing(s.p, leaf, opcode::builtin_module) == s.p.root());
}

TEST_CASE("a chain of a hundred thousand nested regions is walked without recursion") {
  constexpr int depth = 100000;
  sample s;
  block at = s.p.body();
  for (int i = 0; i < depth; ++i) {
    builder b(s.p, at);
    at = s.entry(b.create({.kind = s.cx().intern("x.nest"), .regions = {b.make_body({})}}));
  }
  int before = 0, after = 0;
  walk_around(s.p, s.p.root(), [&](op) { ++before; }, [&](op) { ++after; });
  CHECK(before == depth + 1);
  CHECK(after == depth + 1);
}

}  // namespace walk_test
