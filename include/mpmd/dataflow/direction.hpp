#pragma once

#include <mpmd/graph/flow_graph.hpp>

#include <ranges>
#include <vector>

namespace mpmd {

/// Which way facts flow: along the edges, from definitions to uses, or against them.
enum class direction { forward, backward };

inline constexpr direction forward = direction::forward;
inline constexpr direction backward = direction::backward;

namespace detail {

/// The one kind of neighbours that an algorithm asks a graph for: predecessors where there are any, because
/// an op's operands lie side by side in every IR while its users are scattered.
template <flow_graph G>
constexpr decltype(auto) neighbours(const G& g, const node_t<G>& n) {
  if constexpr (has_predecessors<G>)
    return mpmd::predecessors(g, n);
  else
    return mpmd::successors(g, n);
}

/// Calls `visit(m)` for each of `neighbours`: through the graph's own loop where it has one, which spares a range.
template <flow_graph G, class Visit>
[[gnu::always_inline]] constexpr void for_each_neighbour(const G& g, const node_t<G>& n, Visit visit) {
  if constexpr (has_predecessors<G> && requires { ir_traits<G>::for_each_predecessor(g, n, visit); })
    ir_traits<G>::for_each_predecessor(g, n, visit);
  else
    for (auto&& m : neighbours(g, n)) visit(m);
}

/// Whether `neighbours` are those a node's fact comes from (it pulls) or those it goes to (it pushes).
template <direction D, flow_graph G>
inline constexpr bool pulls = (D == direction::forward) == has_predecessors<G>;

/// Whether a graph can be asked for the neighbours that a node's fact comes from, and calls `visit(m)` for each of them.
template <direction D, flow_graph G>
inline constexpr bool has_sources = D == direction::forward ? has_predecessors<G> : has_successors<G>;
template <direction D, flow_graph G, class Visit>
  requires has_sources<D, G>
[[gnu::always_inline]] constexpr void for_each_source(const G& g, const node_t<G>& n, Visit visit) {
  if constexpr (pulls<D, G>)
    for_each_neighbour(g, n, visit);
  else
    for (auto&& m : mpmd::successors(g, n)) visit(m);  // a graph that lists both
}

/// Calls `visit(n)` for all nodes in their natural order, or in reverse for backward. Needs memory for the
/// handles of all nodes only when it has to reverse a range that cannot be walked backwards.
template <direction D, flow_graph G, class Visit>
constexpr void for_each_in_natural_order(const G& g, Visit visit) {
  if constexpr (requires { ir_traits<G>::template for_each_node<D>(g, visit); })
    return ir_traits<G>::template for_each_node<D>(g, visit);
  auto&& all = mpmd::nodes(g);
  if constexpr (D == direction::forward) {
    for (auto&& n : all) visit(static_cast<node_t<G>>(n));
  } else if constexpr (std::ranges::random_access_range<decltype(all)>) {
    // Counting down instead of walking back lets a compiler use one register for the arrays of an index.
    const auto first = std::ranges::begin(all);
    for (auto left = std::ranges::distance(all); left-- > 0;) visit(static_cast<node_t<G>>(first[left]));
  } else if constexpr (std::ranges::bidirectional_range<decltype(all)>) {
    const auto first = std::ranges::begin(all);
    for (auto at = std::ranges::next(first, std::ranges::end(all)); at != first;) {
      --at;
      visit(static_cast<node_t<G>>(*at));
    }
  } else {
    std::vector<node_t<G>> kept;
    for (auto&& n : all) kept.push_back(static_cast<node_t<G>>(n));
    for (auto i = kept.size(); i-- > 0;) visit(kept[i]);
  }
}

}  // namespace detail
}  // namespace mpmd
