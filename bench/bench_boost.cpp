// Set propagation by the solver on graphs of Boost.Graph against the same graph in flat arrays: what a host's own graph
// costs. Each checks that the sets are the same.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <mpmd/adapters/boost_graph.hpp>

#include "propagation_graph.hpp"
#include "propagation_kernels.hpp"

namespace {

using namespace mpmd::bench;

// An edge leads from what is used to what uses it.
using list_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using list_graph_both_ways = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
using csr_of_boost = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                        boost::no_property, std::uint32_t, std::uint32_t>;

propagation_graph const& arrays_of(std::int64_t ops) {
  static std::map<std::int64_t, propagation_graph> graphs;
  auto const [at, fresh] = graphs.try_emplace(ops);
  if (fresh) at->second = make_propagation_graph(static_cast<std::uint32_t>(ops));
  return at->second;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_of(propagation_graph const& g) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < g.size(); ++i)
    for (auto e = g.offsets[i]; e < g.offsets[i + 1]; ++e) edges.emplace_back(g.operands[e], i);
  return edges;
}

template <class Graph>
Graph make(propagation_graph const& g) {
  auto const edges = edges_of(g);
  if constexpr (std::is_same_v<Graph, csr_of_boost>)
    return Graph(boost::edges_are_unsorted, edges.begin(), edges.end(),
                 static_cast<std::uint32_t>(g.size()));
  else
    return Graph(edges.begin(), edges.end(), g.size());
}

template <class Graph>
auto use_set(Graph const& graph, propagation_graph const& g) {
  return mpmd::solve<mpmd::backward>(graph, mpmd::mesh_sets<64>(mesh_count),
                                     [&](Graph const&, auto op, mpmd::mesh_set<64>& uses) {
                                       if (g.assigned[op] != no_mesh) uses.insert(g.assigned[op]);
                                     });
}

// Our flat graph. It is told nothing of its order either, as no Boost graph tells of its own.
void use_set_flat_any_order(benchmark::State& state) {
  auto const& g = arrays_of(state.range(0));
  for (auto _ : state) {
    auto found = use_set_flat(g, mpmd::csr_order::unknown);
    benchmark::DoNotOptimize(found);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> users_of(propagation_graph const& g) {
  std::vector<std::uint32_t> offsets(g.size() + 1, 0), users(g.operands.size());
  for (auto const operand : g.operands) ++offsets[operand + 1];
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  auto next = offsets;
  for (auto const& [from, to] : edges_of(g)) users[next[from]++] = to;
  return {std::move(offsets), std::move(users)};
}

// The same with the users of each op side by side, as Boost keeps them.
template <mpmd::csr_order Order>
void use_set_flat_users(benchmark::State& state) {
  auto const& g = arrays_of(state.range(0));
  auto const [offsets, users] = users_of(g);
  mpmd::csr_graph<mpmd::csr_rows::successors> const graph(offsets, users, Order);
  for (auto _ : state) {
    auto found = use_set(graph, g);
    benchmark::DoNotOptimize(found);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Graph>
void use_set_boost(benchmark::State& state) {
  auto const& g = arrays_of(state.range(0));
  auto const graph = make<Graph>(g);
  auto const expected = use_set_flat(g);
  for (auto _ : state) {
    auto found = use_set(graph, g);
    benchmark::DoNotOptimize(found);
    state.PauseTiming();
    for (std::uint32_t i = 0; i < g.size(); ++i)
      if (!(found[i] == expected[i])) return state.SkipWithError("the sets differ");
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// Told that the order is one of the flow.
template <class Graph>
void use_set_boost_ordered(benchmark::State& state) {
  auto const& g = arrays_of(state.range(0));
  auto const graph = make<Graph>(g);
  mpmd::boost_flow const flow(graph, get(boost::vertex_index, graph), mpmd::csr_order::topological);
  for (auto _ : state) {
    auto found = use_set(flow, g);
    benchmark::DoNotOptimize(found);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(use_set_flat_any_order)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(use_set_flat_users<mpmd::csr_order::unknown>)
    ->Name("use_set_flat_users")->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(use_set_boost<csr_of_boost>)
    ->Name("use_set_boost_csr")->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(use_set_boost<list_graph>)
    ->Name("use_set_boost_list")->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(use_set_boost<list_graph_both_ways>)
    ->Name("use_set_boost_list_both_ways")->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(use_set_flat_users<mpmd::csr_order::topological>)
    ->Name("use_set_flat_users_ordered")->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(use_set_boost_ordered<list_graph>)
    ->Name("use_set_boost_list_ordered")->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(use_set_boost_ordered<list_graph_both_ways>)
    ->Name("use_set_boost_list_both_ways_ordered")
    ->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMicrosecond);

}  // namespace
