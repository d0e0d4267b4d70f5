#include <mpmd/dataflow/solver.hpp>
#include <mpmd/dataflow/witness.hpp>

#include <mpmd/lattice/mesh_set.hpp>

#include <doctest/doctest.h>

#include <cstdint>

#include "graphs.hpp"
#include "testing/small_stack.hpp"

namespace deep_graphs_test {

using namespace mpmd;
using namespace mpmd::testing;

namespace {

constexpr std::uint32_t length = 1'000'000;

edge_list chain(bool closed) {
  edge_list g(length);
  for (std::uint32_t i = 0; i + 1 < length; ++i) g.add(i, i + 1);
  if (closed) g.add(length - 1, 0);
  return g;
}

// Node 0 has the element 1, node length - 1 the element 2.
constexpr auto seed_the_ends = [](const auto&, std::uint32_t n, mesh_set<64>& fact) {
  if (n == 0) fact.insert(1);
  if (n == length - 1) fact.insert(2);
};

template <csr_rows Rows>
void check_chain(const edge_list& edges, bool closed) {
  const csr_arrays<Rows> arrays(edges);
  const auto g = arrays.graph();
  count_visits count;
  const auto down = solve<forward>(g, mesh_sets<64>{}, seed_the_ends, {}, count);
  const auto up = solve<backward>(g, mesh_sets<64>{}, seed_the_ends);
  CHECK(down.converged());
  CHECK(down[length - 1] == mesh_set<64>{1, 2});
  CHECK(up[0] == mesh_set<64>{1, 2});
  CHECK(up[length - 1] == (closed ? mesh_set<64>{1, 2} : mesh_set<64>{2}));
  if (!closed) CHECK(count.visits == length);

  const auto is_first = [](std::uint32_t n) { return n == 0; };
  const auto always = [](std::uint32_t) { return true; };
  CHECK(witness<forward>(g, length - 1, always, is_first).size() == length);
}

}  // namespace

TEST_CASE("a chain of a million nodes needs no stack") {
  with_small_stack([] {
    check_chain<csr_rows::predecessors>(chain(false), false);
    check_chain<csr_rows::successors>(chain(false), false);
  });
}

TEST_CASE("a cycle of a million nodes needs no stack") {
  with_small_stack([] { check_chain<csr_rows::predecessors>(chain(true), true); });
}

TEST_CASE("a chain of a million nodes in random order needs no stack, and one visit a node") {
  with_small_stack([] {
    engine random(1);
    const auto edges = shuffled(chain(false), random);
    const csr_arrays<csr_rows::predecessors> arrays(edges);
    count_visits count;
    CHECK(solve<forward>(
              arrays.graph(), mesh_sets<64>{}, [](const auto&, auto, auto&) {}, {}, count)
              .converged());
    CHECK(count.visits == length);
    CHECK(solve<backward>(
              arrays.graph(), mesh_sets<64>{}, [](const auto&, auto, auto&) {}, {}, count)
              .converged());
    CHECK(count.visits == 2 * length);
    const pointer_graph pointers(edges);
    CHECK(solve<forward>(pointers, mesh_sets<64>{}, [](const auto&, auto, auto&) {}, {}, count).converged());
    CHECK(count.visits == 3 * length);
  });
}

}  // namespace deep_graphs_test
