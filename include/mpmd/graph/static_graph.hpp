#pragma once

#include <mpmd/graph/flow_graph.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

namespace mpmd {

/// An edge of a `static_graph`, along which facts flow.
struct static_edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// A graph of `Nodes` nodes and `Edges` edges held by value, for programs that are analysed while they
/// compile:
///
///     constexpr auto g = make_static_graph<4>({{0, 1}, {0, 2}, {1, 3}, {2, 3}});
///
/// It may be a template argument itself. Neighbours come in the order in which the edges are written.
template <std::size_t Nodes, std::size_t Edges>
struct static_graph {
  using node = std::uint32_t;

  /// The edges, sorted into one array by their end and into one by their start, and where the part of each
  /// node begins. Public, as a template argument's members must be.
  std::uint32_t first_predecessor[Nodes + 1] = {};
  std::uint32_t first_successor[Nodes + 1] = {};
  node predecessors[Edges + 1] = {};
  node successors[Edges + 1] = {};
  bool ordered = true;

  /// Edges must join nodes below `Nodes`: an error when it happens while compiling.
  constexpr explicit static_graph(std::span<const static_edge> edges) {
    assert(edges.size() == Edges);
    for (auto [from, to] : edges) {
      assert(from < Nodes && to < Nodes && "an edge of a static_graph joins a node that does not exist");
      ++first_predecessor[to];
      ++first_successor[from];
      ordered = ordered && from < to;
    }
    for (std::size_t n = 1; n <= Nodes; ++n) {
      first_predecessor[n] += first_predecessor[n - 1];
      first_successor[n] += first_successor[n - 1];
    }
    // Each entry now holds the end of its part; filling the parts from the back turns it into the beginning.
    for (auto i = edges.size(); i-- > 0;) {
      predecessors[--first_predecessor[edges[i].to]] = edges[i].from;
      successors[--first_successor[edges[i].from]] = edges[i].to;
    }
  }
};

/// A graph of `Nodes` nodes from its edges.
template <std::size_t Nodes, std::size_t Edges>
constexpr static_graph<Nodes, Edges> make_static_graph(const static_edge (&edges)[Edges]) {
  return static_graph<Nodes, Edges>(edges);
}

/// A graph of `Nodes` nodes without edges.
template <std::size_t Nodes>
constexpr static_graph<Nodes, 0> make_static_graph() {
  return static_graph<Nodes, 0>({});
}

template <std::size_t Nodes, std::size_t Edges>
struct ir_traits<static_graph<Nodes, Edges>> {
  using graph = static_graph<Nodes, Edges>;
  using node = typename graph::node;

  static constexpr auto nodes(const graph&) { return std::views::iota(node{0}, static_cast<node>(Nodes)); }
  static constexpr auto predecessors(const graph& g, node n) {
    return std::span<const node>(g.predecessors + g.first_predecessor[n],
                                 g.predecessors + g.first_predecessor[n + 1]);
  }
  static constexpr auto successors(const graph& g, node n) {
    return std::span<const node>(g.successors + g.first_successor[n],
                                 g.successors + g.first_successor[n + 1]);
  }
  static constexpr std::size_t index(const graph&, node n) { return n; }
  static constexpr std::size_t index_bound(const graph&) { return Nodes; }
  static constexpr bool topologically_ordered(const graph& g) { return g.ordered; }
};

static_assert(indexed_flow_graph<static_graph<2, 1>>);

}  // namespace mpmd
