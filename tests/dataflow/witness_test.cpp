#include <mpmd/dataflow/witness.hpp>

#include <mpmd/dataflow/solver.hpp>
#include <mpmd/graph/archetypes.hpp>
#include <mpmd/graph/static_graph.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "graphs.hpp"

namespace witness_test {

using namespace mpmd;
using namespace mpmd::testing;

namespace {

constexpr std::uint32_t unreached = 0xffffffff;

// Steps from each node to the nearest source against the flow, by relaxing every edge until nothing changes.
template <direction D>
std::vector<std::uint32_t> distances(const edge_list& g, const std::vector<bool>& carries,
                                     const std::vector<bool>& source) {
  std::vector<std::uint32_t> distance(g.nodes, unreached);
  for (std::uint32_t n = 0; n < g.nodes; ++n)
    if (carries[n] && source[n]) distance[n] = 0;
  for (bool again = true; again;) {
    again = false;
    for (auto [from, to] : g.edges) {
      const auto giver = D == forward ? from : to;
      const auto taker = D == forward ? to : from;
      if (!carries[giver] || !carries[taker] || distance[giver] == unreached) continue;
      if (distance[giver] + 1 < distance[taker]) {
        distance[taker] = distance[giver] + 1;
        again = true;
      }
    }
  }
  return distance;
}

template <direction D>
bool has_edge(const edge_list& g, std::uint32_t giver, std::uint32_t taker) {
  for (auto [from, to] : g.edges)
    if ((D == forward ? from : to) == giver && (D == forward ? to : from) == taker) return true;
  return false;
}

template <direction D>
void check_chains(const edge_list& g, const std::vector<bool>& carries, const std::vector<bool>& source) {
  const auto distance = distances<D>(g, carries, source);
  with_each_model(g, [&](const auto& graph, auto number_of) {
    using graph_type = std::remove_cvref_t<decltype(graph)>;
    witness_finder<D, graph_type> finder(graph);
    for (auto&& n : nodes(graph)) {
      const auto chain = finder.find(
          n, [&](const auto& m) { return carries[number_of(m)]; },
          [&](const auto& m) { return source[number_of(m)]; });
      const auto expected = distance[number_of(n)];
      if (expected == unreached) {
        CHECK(chain.empty());
        continue;
      }
      REQUIRE(chain.size() == expected + std::size_t{1});
      CHECK(number_of(chain.front()) == number_of(n));
      CHECK(source[number_of(chain.back())]);
      bool valid = true;
      for (std::size_t i = 0; i < chain.size(); ++i) {
        valid = valid && carries[number_of(chain[i])];
        if (i > 0) valid = valid && has_edge<D>(g, number_of(chain[i]), number_of(chain[i - 1]));
      }
      CHECK(valid);
    }
  });
}

std::vector<bool> some(engine& random, std::uint32_t nodes, std::uint32_t one_in) {
  std::vector<bool> chosen(nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) chosen[n] = below(random, one_in) == 0;
  return chosen;
}

}  // namespace

TEST_CASE("a witness is a shortest chain from a node to a source") {
  engine random(1);
  for (std::uint32_t nodes : {1u, 2u, 10u, 60u})
    for (auto density : {1u, 2u, 3u})
      for (int repeat = 0; repeat < 3; ++repeat) {
        const auto g = shuffled(random_cyclic(random, nodes, nodes * density), random);
        const auto sources = some(random, nodes, 8);
        auto carries = some(random, nodes, 5);
        carries.flip();  // most do
        check_chains<forward>(g, carries, sources);
        check_chains<backward>(g, carries, sources);
        check_chains<forward>(g, std::vector<bool>(nodes, true), sources);
      }
}

TEST_CASE("a witness is found exactly for the facts that the solver finds") {
  engine random(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto g = random_cyclic(random, 40, 60);
    const csr_arrays<csr_rows::predecessors> arrays(g);
    const auto graph = arrays.graph();
    const auto source = some(random, 40, 6);
    // Node n gives mesh n % 8 if it is a source, and lets no mesh n % 5 pass.
    const auto found = solve<backward>(graph, mesh_sets<8>{}, [&](const auto&, auto n, mesh_set<8>& fact) {
      fact.erase(n % 5);
      if (source[n]) fact.insert(n % 8);
    });
    witness_finder<backward, csr_graph<>> finder(graph);
    for (std::uint32_t n = 0; n < g.nodes; ++n)
      for (unsigned mesh = 0; mesh < 8; ++mesh) {
        const auto chain = finder.find(
            n, [&](auto m) { return found[m].contains(mesh); },
            [&](auto m) { return source[m] && m % 8 == mesh; });
        CHECK(!chain.empty() == found[n].contains(mesh));
      }
  }
}

TEST_CASE("among equally short chains the order of neighbours decides") {
  constexpr auto g = make_static_graph<4>({{2, 3}, {1, 3}, {0, 1}, {0, 2}});
  const auto any = [](std::uint32_t) { return true; };
  CHECK(witness<forward>(g, 3u, any, [](auto n) { return n == 0; }) == std::vector<std::uint32_t>{3, 2, 0});
}

TEST_CASE("a node that is a source explains itself, and one without the fact has no witness") {
  constexpr auto g = make_static_graph<2>({{0, 1}});
  const auto any = [](std::uint32_t) { return true; };
  CHECK(witness<backward>(g, 1u, any, any) == std::vector<std::uint32_t>{1});
  CHECK(witness<backward>(g, 0u, [](auto n) { return n != 0; }, any).empty());
  CHECK(witness<backward>(g, 0u, any, [](auto) { return false; }).empty());
}

TEST_CASE("a witness is found while compiling") {
  static constexpr auto g = make_static_graph<4>({{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  static_assert(
      witness<forward>(g, 3u, [](auto) { return true; }, [](auto n) { return n == 0; }).size() == 2);
  static_assert(
      witness<backward>(g, 0u, [](auto n) { return n != 3; }, [](auto n) { return n == 2; }).size() == 3);
}

TEST_CASE("the archetypes compile with the witnesses: they ask for no more than the concept") {
  const auto ask_both = []<class G>(const G& g) {
    const node_t<G> n(0);
    const auto yes = [](const node_t<G>&) { return true; };
    const auto no = [](const node_t<G>&) { return false; };
    CHECK(witness<forward>(g, n, yes, yes).size() == 1);
    CHECK(witness<backward>(g, n, yes, no).empty());
  };
  ask_both(archetypes::predecessors_only{});
  ask_both(archetypes::successors_only{});
  ask_both(archetypes::predecessors_without_index{});
  ask_both(archetypes::successors_without_index{});
}

}  // namespace witness_test
