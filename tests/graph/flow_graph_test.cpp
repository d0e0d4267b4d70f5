#include <mpmd/graph/flow_graph.hpp>

#include <mpmd/graph/archetypes.hpp>
#include <mpmd/graph/csr_graph.hpp>
#include <mpmd/graph/static_graph.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using namespace mpmd;

namespace {

struct not_described {};

// Says nothing of order or index, and of neighbours only successors.
struct least {
  std::vector<std::vector<int>> users;
};

}  // namespace

template <>
struct mpmd::ir_traits<least> {
  using node = int;
  static std::vector<int> nodes(const least& g) {
    std::vector<int> all;
    for (std::size_t i = 0; i < g.users.size(); ++i) all.push_back(static_cast<int>(i));
    return all;
  }
  static const std::vector<int>& successors(const least& g, int n) {
    return g.users[static_cast<std::size_t>(n)];
  }
};

namespace {

template <class Range>
std::vector<std::uint32_t> listed(Range&& range) {
  std::vector<std::uint32_t> all;
  for (auto&& n : range) all.push_back(n);
  return all;
}

using list = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the concept holds for what offers nodes and one kind of neighbours, with an index or a hash") {
  static_assert(flow_graph<csr_graph<>>);
  static_assert(indexed_flow_graph<csr_graph<>>);
  static_assert(has_predecessors<csr_graph<>> && !has_successors<csr_graph<>>);
  static_assert(has_successors<csr_graph<csr_rows::successors>> &&
                !has_predecessors<csr_graph<csr_rows::successors>>);
  static_assert(flow_graph<least>);
  static_assert(!indexed_flow_graph<least>);
  static_assert(!flow_graph<not_described>);
  static_assert(!flow_graph<int>);
}

TEST_CASE("each archetype offers what its name says and no more") {
  using namespace archetypes;
  static_assert(has_predecessors<predecessors_only> && !has_successors<predecessors_only>);
  static_assert(has_successors<successors_only> && !has_predecessors<successors_only>);
  static_assert(!has_index<predecessors_without_index> && !has_index<successors_without_index>);
  static_assert(!std::equality_comparable<opaque_node> && !std::default_initializable<opaque_node>);
  static_assert(!std::default_initializable<hashed_node>);
  static_assert(!std::ranges::forward_range<single_pass_range<opaque_node>>);
  static_assert(!std::copyable<predecessors_only>);
}

TEST_CASE("what the traits do not say of the order is no") {
  const least g{{{1}, {}}};
  CHECK(!topologically_ordered(g));
  CHECK(successors(g, 0).front() == 1);
  CHECK(nodes(g).size() == 2);
}

TEST_CASE("the rows of a flat graph are what its offsets say") {
  // 0, 1 <- 0 0, 2 <- 1
  const std::array<std::uint32_t, 4> offsets{0, 0, 2, 3};
  const std::array<std::uint32_t, 3> operands{0, 0, 1};
  const csr_graph<> g(offsets, operands);
  CHECK(listed(nodes(g)) == list{0, 1, 2});
  CHECK(listed(predecessors(g, 0)).empty());
  CHECK(listed(predecessors(g, 1)) == list{0, 0});
  CHECK(listed(predecessors(g, 2)) == list{1});
  CHECK(index_bound(g) == 3);
  CHECK(index_of(g, 2) == 2);
  CHECK(!topologically_ordered(g));
  CHECK(topologically_ordered(csr_graph<>(offsets, operands, csr_order::topological)));
  CHECK(listed(nodes(csr_graph<>())).empty());
}

TEST_CASE("arrays that make no graph are told from those that do") {
  const auto well_formed = [](std::vector<std::uint32_t> offsets, std::vector<std::uint32_t> neighbours) {
    return csr_graph<>::well_formed(offsets, neighbours);
  };
  CHECK(well_formed({}, {}));
  CHECK(well_formed({0}, {}));
  CHECK(well_formed({0, 1, 2}, {1, 0}));
  CHECK(!well_formed({}, {0}));
  CHECK(!well_formed({1, 2}, {0, 0}));        // does not start at 0
  CHECK(!well_formed({0, 1}, {0, 0}));        // ends too early
  CHECK(!well_formed({0, 3}, {0, 0}));        // ends too late
  CHECK(!well_formed({0, 2, 1, 2}, {0, 0}));  // falls
  CHECK(!well_formed({0, 1, 2}, {0, 2}));     // there is no node 2
}

TEST_CASE("a static graph lists both kinds of neighbours in the order in which edges are written") {
  constexpr auto g = make_static_graph<4>({{2, 3}, {0, 2}, {0, 3}, {1, 3}, {0, 2}});
  static_assert(topologically_ordered(g));
  CHECK(listed(predecessors(g, 3)) == list{2, 0, 1});
  CHECK(listed(predecessors(g, 2)) == list{0, 0});
  CHECK(listed(predecessors(g, 0)).empty());
  CHECK(listed(successors(g, 0)) == list{2, 3, 2});
  CHECK(listed(successors(g, 3)).empty());
  CHECK(listed(nodes(make_static_graph<2>())) == list{0, 1});
}

TEST_CASE("a static graph knows whether its edges follow the numbers") {
  static_assert(topologically_ordered(make_static_graph<3>({{0, 1}, {0, 2}})));
  static_assert(!topologically_ordered(make_static_graph<3>({{0, 1}, {2, 1}})));
  static_assert(!topologically_ordered(make_static_graph<3>({{1, 1}})));
}

namespace {

template <auto Graph>
constexpr std::size_t node_count = index_bound(Graph);

}  // namespace

TEST_CASE("a static graph may be a template argument") {
  static_assert(node_count<make_static_graph<3>({{0, 1}, {0, 2}})> == 3);
}
