#include <mpmd/dataflow/fact_map.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graphs.hpp"

using namespace mpmd;
using namespace mpmd::testing;

namespace {

// A graph that grows: numbers below a size.
struct growing {
  std::uint32_t size = 0;
};

}  // namespace

template <>
struct mpmd::ir_traits<growing> {
  using node = std::uint32_t;
  static auto nodes(const growing& g) { return std::views::iota(0u, g.size); }
  static std::vector<node> predecessors(const growing&, node) { return {}; }
  static std::size_t index(const growing&, node n) { return n; }
  static std::size_t index_bound(const growing& g) { return g.size; }
};

TEST_CASE("every node has the initial fact until it is given another") {
  engine random(1);
  const auto g = shuffled(random_acyclic(random, 100, 200), random);
  with_each_model(g, [](const auto& graph, auto number_of) {
    using graph_type = std::remove_cvref_t<decltype(graph)>;
    fact_map<graph_type, std::uint32_t> facts(graph, 7);
    for (auto&& n : nodes(graph))
      if (number_of(n) % 2 == 0) facts[n] = number_of(n);
    const auto copy = facts;
    for (auto&& n : nodes(graph)) facts[n] = 0;
    for (auto&& n : nodes(graph)) CHECK(copy[n] == (number_of(n) % 2 == 0 ? number_of(n) : 7));
    const auto moved = std::move(facts);
    for (auto&& n : nodes(graph)) CHECK(moved[n] == 0);
  });
}

TEST_CASE("booleans are facts like any other") {
  const growing g{3};
  fact_map<growing, bool> facts(g, false);
  bool& fact = facts[1];
  fact = true;
  CHECK(!facts[0]);
  CHECK(facts[1]);
}

TEST_CASE("fitting gives nodes that came later the initial fact, and keeps the others") {
  growing g{2};
  fact_map<growing, int> facts(g, 5);
  facts[1] = 6;
  g.size = 4;
  facts.fit();
  CHECK(facts.slots() == 4);
  CHECK(facts[1] == 6);
  CHECK(facts[3] == 5);
  g.size = 1;
  facts.fit();
  CHECK(facts[1] == 6);
}

TEST_CASE("a view is kept by value, so facts outlive the variable that held it") {
  const csr_arrays<csr_rows::predecessors> arrays(edge_list(3));
  const auto make = [&] {
    const auto view = arrays.graph();
    fact_map<csr_graph<>, int> facts(view, 1);
    facts[2] = 3;
    return facts;
  };
  const auto facts = make();
  CHECK(facts[0] == 1);
  CHECK(facts[2] == 3);
}

TEST_CASE("the hash table numbers nodes in the order in which it meets them") {
  const pointer_graph g(edge_list(1000));
  node_numbering<pointer_graph> numbering(g);
  engine random(2);
  std::unordered_map<const pointer_graph::node*, std::size_t> expected;
  for (int step = 0; step < 3000; ++step) {
    const auto n = g.list()[below(random, 1000)];
    const auto known = expected.find(n);
    CHECK(numbering.find(n) == (known == expected.end() ? numbering.bound() : known->second));
    CHECK(numbering.number(n) == expected.try_emplace(n, expected.size()).first->second);
    CHECK(numbering.bound() == expected.size());
  }
}
