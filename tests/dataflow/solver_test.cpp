#include <mpmd/dataflow/solver.hpp>

#include <mpmd/graph/archetypes.hpp>
#include <mpmd/graph/csr_graph.hpp>
#include <mpmd/graph/static_graph.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "graphs.hpp"

using namespace mpmd;
using namespace mpmd::testing;

namespace {

using set = mesh_set<64>;
using sets = mesh_sets<64>;

// Node n adds the element n (of 64) to its fact.
constexpr auto add_own_number = [](const auto&, auto n, set& fact) {
  fact.insert(static_cast<unsigned>(n) % 64);
};

// The least solution by definition: facts from bottom, each node again and again, until nothing changes.
template <direction D, class L, class Transfer>
std::vector<element_t<L>> naive_solution(const edge_list& g, const L& lattice, Transfer transfer,
                                         const std::vector<element_t<L>>& initial) {
  std::vector<std::vector<std::uint32_t>> sources(g.nodes);
  for (auto [from, to] : g.edges) {
    if (D == forward)
      sources[to].push_back(from);
    else
      sources[from].push_back(to);
  }
  std::vector<element_t<L>> facts(g.nodes, lattice.bottom());
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t n = 0; n < g.nodes; ++n) {
      auto fact = initial[n];
      for (auto m : sources[n]) static_cast<void>(lattice.join(fact, facts[m]));
      transfer(n, fact);
      if (!(fact == facts[n])) again = true;
      facts[n] = fact;
    }
  }
  return facts;
}

// Solves on every model and in both directions; facts must be those of the definition, and be found in as
// many visits as there are nodes if the graph has no cycle.
template <class L, class Transfer>
void check_against_definition(const edge_list& g, const L& lattice, Transfer transfer,
                              const std::vector<element_t<L>>& initial, bool acyclic) {
  const auto check = [&]<direction D>() {
    const auto expected = naive_solution<D>(g, lattice, transfer, initial);
    with_each_model(g, [&](const auto& graph, auto number_of) {
      using graph_type = std::remove_cvref_t<decltype(graph)>;
      fact_map<graph_type, element_t<L>> facts(graph, lattice.bottom());
      for (auto&& n : nodes(graph)) facts[n] = initial[number_of(n)];
      count_visits count;
      const auto outcome = solve_into<D>(
          facts, graph, lattice, [&](const auto&, auto n, auto& fact) { transfer(number_of(n), fact); }, {},
          count);
      CHECK(outcome.converged());
      CHECK(outcome.cycle.empty());
      if (acyclic) {
        CHECK(count.visits == g.nodes);
        CHECK(count.cycles == 0);
      }
      bool equal = true;
      for (auto&& n : nodes(graph)) equal = equal && std::as_const(facts)[n] == expected[number_of(n)];
      CHECK(equal);
    });
  };
  check.template operator()<forward>();
  check.template operator()<backward>();
}

// Numbers up to a bound, the greater the higher.
struct capped_numbers {
  using element = std::uint32_t;
  constexpr element bottom() const { return 0; }
  constexpr change join(element& into, element from) const {
    return changed_if(std::exchange(into, into < from ? from : into) != into);
  }
};

struct booleans {
  using element = bool;
  constexpr element bottom() const { return false; }
  constexpr change join(element& into, element from) const {
    return changed_if(std::exchange(into, into || from) != into);
  }
};

// Random monotone functions on sets: what a node adds, removes, what it renames, or that it replaces the lot.
template <std::size_t Capacity>
struct random_transfer {
  struct rule {
    mesh_set<Capacity> adds, keeps;
    bool replaces = false, rotates = false;
  };
  std::vector<rule> rules;
  unsigned universe;

  random_transfer(engine& random, std::uint32_t nodes, unsigned size) : rules(nodes), universe(size) {
    for (auto& r : rules) {
      r.keeps = mesh_set<Capacity>::first_n(universe);
      if (below(random, 3) == 0) r.adds.insert(below(random, universe));
      for (int i = 0; i < 4; ++i) r.keeps.erase(below(random, universe));
      r.replaces = below(random, 12) == 0;
      r.rotates = below(random, 6) == 0;
    }
  }
  void operator()(std::uint32_t n, mesh_set<Capacity>& fact) const {
    const auto& r = rules[n];
    if (r.replaces) {
      fact = r.adds;
      return;
    }
    if (r.rotates) {
      mesh_set<Capacity> turned;
      for (auto member : fact) turned.insert((member + 1) % universe);
      fact = turned;
    }
    fact &= r.keeps;
    fact |= r.adds;
  }
};

template <std::size_t Capacity>
std::vector<mesh_set<Capacity>> random_sets(engine& random, std::uint32_t nodes, unsigned universe) {
  std::vector<mesh_set<Capacity>> facts(nodes);
  for (auto& fact : facts)
    if (below(random, 5) == 0) fact.insert(below(random, universe));
  return facts;
}

}  // namespace

TEST_CASE("a static graph is solved while it compiles") {
  // A diamond 0 -> {1, 2} -> 3, and a loop between 4 and 5 that 3 feeds.
  constexpr auto g = make_static_graph<6>({{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {5, 4}});
  static_assert(solve<forward>(g, sets{}, add_own_number)[3] == set{0, 1, 2, 3});
  static_assert(solve<forward>(g, sets{}, add_own_number)[1] == set{0, 1});
  static_assert(solve<forward>(g, sets{}, add_own_number)[4] == set{0, 1, 2, 3, 4, 5});
  static_assert(solve<backward>(g, sets{}, add_own_number)[5] == set{4, 5});
  static_assert(solve<backward>(g, sets{}, add_own_number)[1] == set{1, 3, 4, 5});
  const auto found = solve<backward>(g, sets{}, add_own_number);
  CHECK(found[0] == set{0, 1, 2, 3, 4, 5});
}

TEST_CASE("each node of an acyclic graph is visited once, in whatever order the nodes come") {
  engine random(1);
  for (std::uint32_t nodes : {0u, 1u, 2u, 3u, 10u, 100u, 500u})
    for (int repeat = 0; repeat < 4; ++repeat) {
      const auto ordered = random_acyclic(random, nodes, 2 * nodes);
      for (const auto& g : {ordered, shuffled(ordered, random)})
        check_against_definition(g, sets{}, random_transfer<64>(random, nodes, 64),
                                 random_sets<64>(random, nodes, 64), true);
    }
}

TEST_CASE("the natural order of an index that follows the edges is kept") {
  const csr_arrays<csr_rows::predecessors> arrays([] {
    edge_list g(4);
    g.add(0, 3);
    g.add(1, 2);
    return g;
  }());
  for (auto order : {csr_order::unknown, csr_order::topological}) {
    const auto g = arrays.graph(order);
    record_visits<csr_graph<>> log;
    CHECK(solve<forward>(g, sets{}, add_own_number, {}, log).converged());
    CHECK(log.visited == std::vector<std::uint32_t>{0, 1, 2, 3});
    log.visited.clear();
    CHECK(solve<backward>(g, sets{}, add_own_number, {}, log).converged());
    CHECK(log.visited == std::vector<std::uint32_t>{3, 2, 1, 0});
  }
}

TEST_CASE("facts on cyclic graphs are the least solution") {
  engine random(2);
  for (std::uint32_t nodes : {1u, 2u, 3u, 5u, 12u, 40u, 150u})
    for (auto density : {1u, 2u, 4u})
      for (int repeat = 0; repeat < 4; ++repeat) {
        const auto g = random_cyclic(random, nodes, nodes * density);
        check_against_definition(g, sets{}, random_transfer<64>(random, nodes, 64),
                                 random_sets<64>(random, nodes, 64), false);
      }
}

TEST_CASE("facts on cyclic graphs are the least solution: sets on the heap") {
  engine random(3);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const auto g = random_cyclic(random, 60, 100);
    constexpr auto any = std::dynamic_extent;
    check_against_definition(g, mesh_sets<>(200), random_transfer<any>(random, 60, 200),
                             random_sets<any>(random, 60, 200), false);
  }
}

TEST_CASE("facts on cyclic graphs are the least solution: counting up to a cap") {
  engine random(4);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto g = random_cyclic(random, 30, 45);
    const auto count = [](std::uint32_t n, std::uint32_t& fact) {
      fact = fact + n % 3 > 50 ? 50 : fact + n % 3;
    };
    check_against_definition(g, capped_numbers{}, count, std::vector<std::uint32_t>(30), false);
  }
}

TEST_CASE("facts on cyclic graphs are the least solution: booleans") {
  engine random(5);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto g = random_cyclic(random, 30, 40);
    const auto mark = [](std::uint32_t n, bool& fact) { fact = n % 11 == 0 || (fact && n % 5 != 0); };
    check_against_definition(g, booleans{}, mark, std::vector<bool>(30), false);
  }
}

TEST_CASE("no nodes, parallel edges, loops, and nodes that nothing reaches") {
  const auto every_mesh = std::vector<set>{};
  check_against_definition(edge_list(0), sets{}, [](std::uint32_t, set&) {}, every_mesh, true);

  edge_list g(5);  // 4 is alone
  g.add(0, 1);
  g.add(0, 1);
  g.add(1, 1);
  g.add(1, 2);
  g.add(3, 2);
  const auto add = [](std::uint32_t n, set& fact) { fact.insert(n); };
  check_against_definition(g, sets{}, add, std::vector<set>(5), false);

  with_each_model(g, [](const auto& graph, auto number_of) {
    const auto found =
        solve<forward>(graph, sets{}, [&](const auto&, auto n, set& fact) { fact.insert(number_of(n)); });
    for (auto&& n : nodes(graph)) {
      if (number_of(n) == 1) CHECK(found[n] == set{0, 1});
      if (number_of(n) == 2) CHECK(found[n] == set{0, 1, 2, 3});
      if (number_of(n) == 4) CHECK(found[n] == set{4});
    }
  });
}

TEST_CASE("a transfer function that replaces the fact cuts the flow") {
  constexpr auto g = make_static_graph<3>({{0, 1}, {1, 2}});
  constexpr auto cut_at_1 = [](const auto&, auto n, set& fact) {
    if (n == 1)
      fact = {};
    else
      fact.insert(n);
  };
  static_assert(solve<forward>(g, sets{}, cut_at_1)[1].empty());
  static_assert(solve<forward>(g, sets{}, cut_at_1)[2] == set{2});
  CHECK(solve<backward>(g, sets{}, cut_at_1)[0] == set{0});
}

TEST_CASE("solving continues from the facts in the map, and may be repeated") {
  constexpr auto g = make_static_graph<4>({{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  fact_map<static_graph<4, 4>, set> facts(g, {});
  facts[0] = {9};
  facts[2] = {8};
  const auto keep = [](const auto&, auto, set&) {};
  CHECK(solve_into<forward>(facts, g, sets{}, keep).converged());
  CHECK(facts[0] == set{9});
  CHECK(facts[1] == set{8, 9});
  CHECK(facts[3] == set{8, 9});
  CHECK(solve_into<forward>(facts, g, sets{}, keep).converged());
  CHECK(facts[3] == set{8, 9});
}

TEST_CASE("moving the facts out leaves them as they were") {
  constexpr auto g = make_static_graph<2>({{0, 1}});
  auto facts = solve<forward>(g, sets{}, add_own_number).facts;
  const auto moved = std::move(facts);
  CHECK(moved[1] == set{0, 1});
}

TEST_CASE("observers see every visit and the cycles") {
  constexpr auto g = make_static_graph<4>({{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  struct events {
    std::vector<int> seen;  // a node, or -1 and -2 round a cycle
    void visit(std::uint32_t n, const set&) { seen.push_back(static_cast<int>(n)); }
    void enter_cycle(std::size_t size) {
      CHECK(size == 2);
      seen.push_back(-1);
    }
    void leave_cycle() { seen.push_back(-2); }
  } observer;
  // 1 takes from 0 and 2; 2's number reaches 1 once, then nothing is new to 2.
  const auto found = solve<forward>(g, sets{}, add_own_number, {}, observer);
  CHECK(found[1] == set{0, 1, 2});
  CHECK(observer.seen == std::vector<int>{0, -1, 1, 2, 1, 2, -2, 3});
}

namespace {

// A chain of three which brings loops of its own and counts how often they run.
struct self_walking {
  mutable int node_loops = 0;
  mutable int neighbour_loops = 0;
};

}  // namespace

template <>
struct mpmd::ir_traits<self_walking> {
  using node = std::uint32_t;
  static auto nodes(const self_walking&) { return std::views::iota(0u, 3u); }
  static std::vector<node> predecessors(const self_walking&, node n) {
    return n == 0 ? std::vector<node>{} : std::vector<node>{n - 1};
  }
  static std::size_t index(const self_walking&, node n) { return n; }
  static std::size_t index_bound(const self_walking&) { return 3; }
  static bool topologically_ordered(const self_walking&) { return true; }
  template <direction D>
  static void for_each_node(const self_walking& g, auto visit) {
    ++g.node_loops;
    for (std::uint32_t i = 0; i < 3; ++i) visit(D == forward ? i : 2 - i);
  }
  static void for_each_predecessor(const self_walking& g, node n, auto visit) {
    ++g.neighbour_loops;
    if (n > 0) visit(n - 1);
  }
};

TEST_CASE("a graph's own loops over nodes and predecessors are used") {
  const self_walking g;
  CHECK(solve<forward>(g, sets{}, add_own_number)[2] == set{0, 1, 2});
  CHECK(solve<backward>(g, sets{}, add_own_number)[0] == set{0, 1, 2});
  CHECK(g.node_loops == 2);
  CHECK(g.neighbour_loops == 6);
}

TEST_CASE("the archetypes compile with the solver: it asks for no more than the concept") {
  const auto keep = [](const auto&, auto, set&) {};
  const auto solve_both = [&](const auto& g) {
    CHECK(solve<forward>(g, sets{}, keep).converged());
    CHECK(solve<backward>(g, sets{}, keep).converged());
  };
  solve_both(archetypes::predecessors_only{});
  solve_both(archetypes::successors_only{});
  solve_both(archetypes::predecessors_without_index{});
  solve_both(archetypes::successors_without_index{});
}
