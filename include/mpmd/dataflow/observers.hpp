#pragma once

#include <mpmd/graph/flow_graph.hpp>

#include <cstddef>
#include <vector>

/// Who watches a solve.
///
/// An observer is any object with some of these members; those that it lacks cost nothing:
///
///     visit(n, fact)          after each call of the transfer function, with what it made of the fact
///     enter_cycle(nodes)      before the nodes of a cycle are solved together, with their number
///     leave_cycle()           when they are stable, or the budget is exceeded
namespace mpmd {

/// Watches nothing.
struct no_observer {};

/// Counts calls of the transfer function.
struct count_visits {
  std::size_t visits = 0;
  std::size_t cycles = 0;           ///< strongly connected components with a cycle
  std::size_t nodes_in_cycles = 0;  ///< and their nodes

  template <class Node, class Fact>
  constexpr void visit(const Node&, const Fact&) {
    ++visits;
  }
  constexpr void enter_cycle(std::size_t nodes) {
    ++cycles;
    nodes_in_cycles += nodes;
  }
};

/// Keeps the nodes of `G` in the order in which they are visited.
template <class G>
struct record_visits {
  std::vector<node_t<G>> visited;

  template <class Fact>
  constexpr void visit(const node_t<G>& n, const Fact&) {
    visited.push_back(n);
  }
};

namespace detail {

template <class O, class Node, class Fact>
concept observes_visits = requires(O& o, const Node& n, const Fact& fact) { o.visit(n, fact); };

template <class O>
concept observes_cycle_starts = requires(O& o, std::size_t nodes) { o.enter_cycle(nodes); };

template <class O>
concept observes_cycle_ends = requires(O& o) { o.leave_cycle(); };

}  // namespace detail
}  // namespace mpmd
