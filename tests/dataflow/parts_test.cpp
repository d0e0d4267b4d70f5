// Solving a part of a graph at a time, on facts that the parts share.

#include <mpmd/dataflow/solver.hpp>

#include <mpmd/lattice/mesh_set.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graphs.hpp"

using namespace mpmd;
using namespace mpmd::testing;

namespace {

using set = mesh_set<64>;
using sets = mesh_sets<64>;

// Some nodes of a larger graph, with all their neighbours.
template <csr_rows Rows>
struct part {
  csr_graph<Rows> whole;
  std::span<const std::uint32_t> listed;
};

constexpr auto add_own_number = [](const auto&, std::uint32_t n, set& fact) { fact.insert(n % 64); };

}  // namespace

template <csr_rows Rows>
struct mpmd::ir_traits<part<Rows>> {
  using node = std::uint32_t;
  static constexpr bool is_view = true;
  static auto nodes(const part<Rows>& g) { return g.listed; }
  static auto predecessors(const part<Rows>& g, node n)
    requires(Rows == csr_rows::predecessors)
  {
    return g.whole.row(n);
  }
  static auto successors(const part<Rows>& g, node n)
    requires(Rows == csr_rows::successors)
  {
    return g.whole.row(n);
  }
  static std::size_t index(const part<Rows>&, node n) { return n; }
  static std::size_t index_bound(const part<Rows>& g) { return g.whole.size(); }
};

TEST_CASE("facts flow between a part and the nodes around it, which are not visited") {
  // 0 -> 1 -> 2 <-> 3 -> 4; the part is {3, 2, 1}.
  edge_list g(5);
  for (auto [from, to] : {std::pair{0u, 1u}, {1u, 2u}, {2u, 3u}, {3u, 2u}, {3u, 4u}}) g.add(from, to);
  const std::vector<std::uint32_t> listed{3, 2, 1};

  const auto check = [&]<csr_rows Rows>(const csr_arrays<Rows>& arrays) {
    const part<Rows> graph{arrays.graph(), listed};
    fact_map<part<Rows>, set> facts(graph, {});
    facts[0] = {10};
    facts[4] = {14};
    count_visits count;
    CHECK(solve_into<forward>(facts, graph, sets{}, add_own_number, {}, count).converged());
    CHECK(count.nodes_in_cycles == 2);
    CHECK(facts[0] == set{10});
    CHECK(facts[3] == (Rows == csr_rows::predecessors ? set{1, 2, 3, 10} : set{1, 2, 3}));  // 0 does not push
    CHECK(facts[4] == (Rows == csr_rows::predecessors ? set{14} : set{1, 2, 3, 14}));       // 4 does not pull
  };
  check(csr_arrays<csr_rows::predecessors>(g));
  check(csr_arrays<csr_rows::successors>(g));
}

TEST_CASE("parts solved one after the other in the order of the flow give what the whole gives") {
  engine random(1);
  constexpr std::uint32_t parts = 20;
  constexpr std::uint32_t size = 30;
  edge_list g(parts * size);
  for (std::uint32_t i = 0; i < parts; ++i) {
    for (const auto& [from, to] : random_cyclic(random, size, 40).edges)
      g.add(i * size + from, i * size + to);
    if (i > 0)
      for (int j = 0; j < 3; ++j) g.add(below(random, i * size), i * size + below(random, size));
  }
  const csr_arrays<csr_rows::predecessors> arrays(g);
  const auto graph = arrays.graph();
  const auto whole = solve<forward>(graph, sets{}, add_own_number);

  solve_workspace workspace;
  fact_map<part<csr_rows::predecessors>, set> facts({graph, {}}, {});
  for (std::uint32_t i = 0; i < parts; ++i) {
    auto listed = edge_list(size).order;
    for (auto& n : listed) n += i * size;
    shuffle(listed, random);
    const part<csr_rows::predecessors> section{graph, listed};
    CHECK(solve_into<forward>(facts, section, sets{}, add_own_number, {.workspace = &workspace}).converged());
  }
  for (std::uint32_t n = 0; n < g.nodes; ++n) CHECK(facts[n] == whole[n]);
}

TEST_CASE("with a workspace, many small parts of a large graph cost what their nodes cost") {
  // A hundred thousand loops of two nodes each: clearing an array as long as the graph for each would take 2
  // * 10^10 steps, hours where this takes a moment.
  constexpr std::uint32_t loops = 100'000;
  edge_list g(2 * loops);
  for (std::uint32_t i = 0; i < loops; ++i) {
    g.add(2 * i, 2 * i + 1);
    g.add(2 * i + 1, 2 * i);
  }
  const csr_arrays<csr_rows::predecessors> arrays(g);
  const auto graph = arrays.graph();
  solve_workspace workspace;
  fact_map<part<csr_rows::predecessors>, set> facts({graph, {}}, {});
  count_visits count;
  for (std::uint32_t i = 0; i < loops; ++i) {
    const std::vector<std::uint32_t> listed{2 * i, 2 * i + 1};
    const part<csr_rows::predecessors> section{graph, listed};
    CHECK(solve_into<forward>(facts, section, sets{}, add_own_number, {.workspace = &workspace}, count)
              .converged());
  }
  CHECK(count.visits <= 4 * loops);
  CHECK(facts[2 * loops - 1] == set{(2 * loops - 2) % 64, (2 * loops - 1) % 64});
}

TEST_CASE("calls are edges: two call sites share a callee, and recursion is a cycle") {
  // A caller: 0 and 1 are arguments of two calls whose results are 2 and 3. The callee: parameter 4, 5
  // computed from it, 6 returned. 7 is the argument of a call of itself inside, 8 that call's result, which 6
  // uses.
  edge_list g(9);
  for (auto [from, to] : {std::pair{0u, 4u},
                          {1u, 4u},
                          {4u, 5u},
                          {5u, 6u},
                          {5u, 7u},
                          {7u, 4u},
                          {6u, 8u},
                          {8u, 6u},
                          {6u, 2u},
                          {6u, 3u}})
    g.add(from, to);
  with_each_model(g, [](const auto& graph, auto number_of) {
    const auto found = solve<forward>(graph, sets{}, [&](const auto&, auto n, set& fact) {
      if (number_of(n) <= 1 || number_of(n) == 8) fact.insert(number_of(n));
    });
    for (auto&& n : nodes(graph)) {
      if (number_of(n) == 4) CHECK(found[n] == set{0, 1});
      if (number_of(n) == 6) CHECK(found[n] == set{0, 1, 8});
      if (number_of(n) == 2) CHECK(found[n] == set{0, 1, 8});
    }
  });
}
