#include <mpmd/dataflow/solver.hpp>

#include <mpmd/dataflow/detail/rank_set.hpp>
#include <mpmd/graph/static_graph.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "graphs.hpp"

namespace cycles_test {

using namespace mpmd;
using namespace mpmd::testing;

namespace {

// Numbers without an end: a chain which rises for ever.
struct any_number {
  using element = std::uint64_t;
  static constexpr bool finite_height = false;
  constexpr element bottom() const { return 0; }
  constexpr change join(element& into, element from) const {
    return changed_if(std::exchange(into, into < from ? from : into) != into);
  }
};
static_assert(!has_finite_height<any_number>);

// One node in fifty adds one of a thousand elements: facts grow from many places, each a long way from most
// others.
constexpr auto seldom_seeded = [](std::uint32_t number, mesh_set<1024>& fact) {
  const auto mixed = number * 2654435761u;
  if ((mixed >> 8) % 50 == 0) fact.insert((mixed >> 16) % 1024);
};

// The most visits a node of `g` takes on average, over both directions and both kinds of neighbours.
double visits_a_node(const edge_list& g) {
  double most = 0;
  const auto measure = [&]<direction D>(const auto& graph) {
    count_visits count;
    CHECK(solve<D>(
              graph, mesh_sets<1024>{}, [](const auto&, auto n, auto& fact) { seldom_seeded(n, fact); }, {},
              count)
              .converged());
    const auto average = static_cast<double>(count.visits) / g.nodes;
    if (average > most) most = average;
  };
  const csr_arrays<csr_rows::predecessors> uses(g);
  const csr_arrays<csr_rows::successors> users(g);
  measure.template operator()<forward>(uses.graph());
  measure.template operator()<backward>(uses.graph());
  measure.template operator()<forward>(users.graph());
  measure.template operator()<backward>(users.graph());
  return most;
}

edge_list chain(std::uint32_t nodes) {
  edge_list g(nodes);
  for (std::uint32_t i = 0; i + 1 < nodes; ++i) g.add(i, i + 1);
  return g;
}

}  // namespace

TEST_CASE("a set of ranks finds its members in both directions") {
  engine random(1);
  for (std::size_t bound : {1u, 2u, 63u, 64u, 65u, 128u, 4095u, 4096u, 4097u, 5000u}) {
    detail::rank_set ranks;
    ranks.fill(bound);
    std::set<std::size_t> expected;
    for (std::size_t i = 0; i < bound; ++i) expected.insert(i);
    for (int step = 0; step < 300; ++step) {
      // First mostly empties it, then fills it again.
      const auto i = below(random, static_cast<std::uint32_t>(bound));
      if (step == 0)
        while (!expected.empty()) {
          ranks.erase(*expected.begin());
          expected.erase(expected.begin());
        }
      if (below(random, 3) != 0) {
        ranks.insert(i);
        expected.insert(i);
      } else {
        ranks.erase(i);
        expected.erase(i);
      }
      const auto from = below(random, static_cast<std::uint32_t>(bound));
      const auto next = expected.lower_bound(from);
      CHECK(ranks.next(from) == (next == expected.end() ? detail::rank_set::none : *next));
      const auto after = expected.upper_bound(from);
      CHECK(ranks.previous(from) == (after == expected.begin() ? detail::rank_set::none : *std::prev(after)));
    }
  }
}

TEST_CASE("a cycle takes two visits a node") {
  engine random(1);
  auto g = chain(100'000);
  g.add(g.nodes - 1, 0);
  CHECK(visits_a_node(g) <= 2.01);
  CHECK(visits_a_node(shuffled(g, random)) <= 2.01);
}

TEST_CASE("a chain with edges in both directions takes no more than three visits a node") {
  engine random(2);
  auto g = chain(20'000);
  for (std::uint32_t i = 0; i + 1 < g.nodes; ++i) g.add(i + 1, i);
  CHECK(visits_a_node(g) <= 3.01);
  CHECK(visits_a_node(shuffled(g, random)) <= 3.01);
}

TEST_CASE("loops nested ten deep, one nest after the other in a loop, take fewer visits than their depth") {
  engine random(3);
  constexpr std::uint32_t depth = 10;
  auto g = chain(20'000);
  for (std::uint32_t start = 0; start < g.nodes; start += 2 * depth)
    for (std::uint32_t i = 0; i < depth; ++i) g.add(start + 2 * depth - 1 - i, start + i);
  g.add(g.nodes - 1, 0);
  CHECK(visits_a_node(g) <= 3);
  CHECK(visits_a_node(shuffled(g, random)) <= 3);
}

TEST_CASE("loops nested ten thousand deep take a few visits a node") {
  engine random(4);
  auto g = chain(20'000);
  for (std::uint32_t i = 0; i < g.nodes / 2; ++i) g.add(g.nodes - 1 - i, i);
  CHECK(visits_a_node(g) <= 3);
  CHECK(visits_a_node(shuffled(g, random)) <= 3);
}

TEST_CASE("random graphs of one large component take a few visits a node") {
  engine random(5);
  CHECK(visits_a_node(random_cyclic(random, 20'000, 40'000)) <= 4);
  CHECK(visits_a_node(random_cyclic(random, 20'000, 80'000)) <= 4);
}

TEST_CASE("many small cycles cost no more than their nodes") {
  engine random(6);
  auto g = chain(100'000);
  for (std::uint32_t i = 0; i + 1 < g.nodes; i += 2) g.add(i + 1, i);
  CHECK(visits_a_node(g) <= 2.01);
  CHECK(visits_a_node(shuffled(g, random)) <= 2.01);
}

TEST_CASE("an endless ascent stops at the budget and names the cycle along which facts grow") {
  // 0 -> 1 -> 2 -> 3 -> 1, with 4 behind 3; a harmless loop 2 -> 2. Node 3 counts up.
  edge_list g(5);
  for (auto [from, to] : {std::pair{0u, 1u}, {1u, 2u}, {2u, 3u}, {3u, 1u}, {3u, 4u}, {2u, 2u}})
    g.add(from, to);
  with_each_model(g, [](const auto& graph, auto number_of) {
    const auto count_at_3 = [&](const auto&, auto n, std::uint64_t& fact) { fact += number_of(n) == 3; };
    const auto check = [&](const auto& found, std::vector<std::uint32_t> cycle) {
      CHECK(!found.converged());
      CHECK(found.outcome.status == solve_status::budget_exceeded);
      REQUIRE(found.outcome.cycle.size() == cycle.size());
      // The cycle may be told from any of its nodes.
      std::size_t start = 0;
      while (start < cycle.size() && number_of(found.outcome.cycle[start]) != cycle[0]) ++start;
      for (std::size_t i = 0; i < cycle.size(); ++i)
        CHECK(number_of(found.outcome.cycle[(start + i) % cycle.size()]) == cycle[i]);
    };
    check(solve<forward>(graph, any_number{}, count_at_3), {1, 2, 3});
    check(solve<backward>(graph, any_number{}, count_at_3), {1, 3, 2});
    check(solve<forward>(graph, any_number{}, count_at_3, {.max_visits_per_node = 5}), {1, 2, 3});
  });
}

TEST_CASE("a loop of one node which counts up names itself") {
  constexpr auto g = make_static_graph<3>({{0, 1}, {1, 1}, {1, 2}});
  const auto found = solve<forward>(g, any_number{}, [](const auto&, auto, std::uint64_t& fact) { ++fact; });
  CHECK(!found.converged());
  CHECK(found.outcome.cycle == std::vector<std::uint32_t>{1});
}

TEST_CASE("the budget counts visits of one node, and suffices when it equals the most that any node needs") {
  // Counts to 6 round the loop 0 <-> 1: node 0 is visited with 0, 2, 4, 6 and node 1 with 1, 3, 5, 6.
  constexpr auto g = make_static_graph<2>({{0, 1}, {1, 0}});
  const auto to_6 = [](const auto&, auto, std::uint64_t& fact) { fact = fact < 6 ? fact + 1 : 6; };
  count_visits count;
  const auto found = solve<forward>(g, any_number{}, to_6, {}, count);
  CHECK(found.converged());
  CHECK(found[0] == 6);
  CHECK(found[1] == 6);
  const auto needed = (count.visits + 1) / 2;
  CHECK(solve<forward>(g, any_number{}, to_6, {.max_visits_per_node = needed}).converged());
  CHECK(!solve<forward>(g, any_number{}, to_6, {.max_visits_per_node = needed - 1}).converged());
}

TEST_CASE("an acyclic graph never meets the budget") {
  CHECK(solve<forward>(make_static_graph<3>({{0, 1}, {1, 2}}), any_number{},
                       [](const auto&, auto, std::uint64_t& fact) { ++fact; }, {.max_visits_per_node = 1})
            .converged());
}

TEST_CASE("a budget too small for facts to go round names the whole component") {
  constexpr auto g = make_static_graph<4>({{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  const auto found = solve<forward>(g, any_number{}, [](const auto&, auto, std::uint64_t& fact) { ++fact; },
                                    {.max_visits_per_node = 0});
  CHECK(!found.converged());
  CHECK(found.outcome.cycle == std::vector<std::uint32_t>{1, 2});
}

}  // namespace cycles_test
