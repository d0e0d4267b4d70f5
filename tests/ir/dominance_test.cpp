#include <mpmd/ir/dominance.hpp>

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "ir/support.hpp"

namespace dominance_test {

using namespace mpmd::ir;
using mpmd::ir::testing::sample;

namespace {

/// A region whose block i branches to the blocks edges[i].
struct graph : sample {
  region r;
  std::vector<block> b;
  explicit graph(std::vector<std::vector<std::size_t>> const& edges) {
    op const holder = top.create({.kind = cx().intern("x.cfg"), .regions = {p.create_region()}});
    r = p.regions(holder)[0];
    for (std::size_t i = 0; i < edges.size(); ++i) b.push_back(p.append_block(r));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      std::vector<block> to;
      for (std::size_t const e : edges[i]) to.push_back(b[e]);
      p.append(b[i], p.create({.kind = cx().intern("x.br"), .successors = to}));
    }
  }
};

/// Blocks reachable from 0 when `without` is taken away.
std::set<std::size_t> reach(std::vector<std::vector<std::size_t>> const& edges, std::size_t without) {
  std::set<std::size_t> seen;
  std::vector<std::size_t> todo;
  if (without != 0) todo.push_back(0);
  while (!todo.empty()) {
    std::size_t const at = todo.back();
    todo.pop_back();
    if (!seen.insert(at).second) continue;
    for (std::size_t const e : edges[at])
      if (e != without) todo.push_back(e);
  }
  return seen;
}

}  // namespace

TEST_CASE("a diamond with a loop and an unreachable block") {
  graph g({{1, 2}, {3}, {3}, {0, 4}, {}, {3}});
  dominator_tree t(g.p, g.r);
  CHECK(t.dominates(g.b[0], g.b[3]));
  CHECK_FALSE(t.dominates(g.b[1], g.b[3]));
  CHECK(t.dominates(g.b[3], g.b[4]));
  CHECK(t.dominates(g.b[3], g.b[3]));
  CHECK_FALSE(t.dominates(g.b[4], g.b[3]));
  CHECK(t.immediate_dominator(g.b[3]) == g.b[0]);
  CHECK(t.immediate_dominator(g.b[4]) == g.b[3]);
  CHECK(t.immediate_dominator(g.b[0]) == block{});
  CHECK_FALSE(t.is_reachable(g.b[5]));
  CHECK_FALSE(t.dominates(g.b[5], g.b[5]));
  CHECK(t.immediate_dominator(g.b[5]) == block{});
}

TEST_CASE("dominance in random graphs is what removing a block says") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::size_t const n = 1 + random() % 9;
    std::vector<std::vector<std::size_t>> edges(n);
    for (auto& e : edges)
      for (std::size_t k = random() % 4; k > 0; --k) e.push_back(random() % n);
    graph g(edges);
    dominator_tree t(g.p, g.r);
    auto const all = reach(edges, n);
    for (std::size_t a = 0; a < n; ++a) {
      CHECK(t.is_reachable(g.b[a]) == all.contains(a));
      auto const rest = reach(edges, a);
      for (std::size_t b = 0; b < n; ++b) {
        bool const expected = all.contains(a) && all.contains(b) && !rest.contains(b);
        CHECK(t.dominates(g.b[a], g.b[b]) == expected);
      }
    }
  }
}

TEST_CASE("a region without blocks and a long chain of blocks") {
  sample s;
  op const empty = s.top.create({.kind = s.cx().intern("x.cfg"), .regions = {s.p.create_region()}});
  CHECK(dominator_tree(s.p, s.p.regions(empty)[0]).reachable().empty());

  std::vector<std::vector<std::size_t>> edges(100000);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) edges[i] = {i + 1, i / 2};
  graph g(edges);
  dominator_tree t(g.p, g.r);
  CHECK(t.dominates(g.b[500], g.b[99999]));
  CHECK_FALSE(t.dominates(g.b[99999], g.b[500]));
  CHECK(t.reachable().size() == edges.size());
}

}  // namespace dominance_test
