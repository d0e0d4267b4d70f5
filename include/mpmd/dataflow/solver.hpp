#pragma once

// First, so that a compiler which reports a graph that falls short has little to say about how it got there.
#include <mpmd/graph/flow_graph.hpp>

#include <mpmd/dataflow/detail/cycle_solver.hpp>
#include <mpmd/dataflow/detail/flow_order.hpp>
#include <mpmd/dataflow/detail/solve_checks.hpp>
#include <mpmd/dataflow/direction.hpp>
#include <mpmd/dataflow/fact_map.hpp>
#include <mpmd/dataflow/observers.hpp>
#include <mpmd/lattice/lattice.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpmd {

struct solve_options {
  /// How often the transfer function may be called for one node. Only nodes of cycles are visited more than
  /// once, and again only after their input grew, so a lattice whose ascending chains are shorter than this
  /// never meets it.
  std::size_t max_visits_per_node = 4096;
  /// For callers which solve many parts of one large graph.
  solve_workspace* workspace = nullptr;
};

enum class solve_status {
  converged,
  /// Facts grew along a cycle until a node had been visited too often: the lattice has an ascending chain
  /// that is longer than the budget, or endless.
  budget_exceeded,
};

/// How a solve ended. After `budget_exceeded` the facts are what had been found by then, which is too little.
template <class Node>
struct [[nodiscard]] solve_outcome {
  solve_status status = solve_status::converged;
  /// With `budget_exceeded`: the nodes along which the facts grew, in the order of the flow, the last one
  /// leading back to the first. If the budget was too small for facts to go round, all nodes that lie on
  /// cycles together.
  std::vector<Node> cycle;

  constexpr bool converged() const noexcept { return status == solve_status::converged; }
};

/// The facts, and whether they are all there is to find.
template <flow_graph G, class T>
struct [[nodiscard]] solution {
  fact_map<G, T> facts;
  solve_outcome<node_t<G>> outcome;

  constexpr const T& operator[](const node_t<G>& n) const { return facts[n]; }
  constexpr bool converged() const noexcept { return outcome.converged(); }
};

namespace detail {

/// One solve: what the steps share.
template <direction D, flow_graph G, join_semilattice L, class Transfer, class Observer>
struct solve_run {
  using node = node_t<G>;
  using element = element_t<L>;

  const G& graph;
  const L& lattice;
  Transfer& transfer;
  Observer& observer;
  fact_map<G, element>& facts;
  const solve_options& options;

  constexpr solve_outcome<node> solve() {
    if (topologically_ordered(graph)) {
      assert(is_ordered() && "topologically_ordered(g) is true of a graph that is not");
      if constexpr (lists_both_ends)
        if (indices_rise(graph, true)) {
          pull({});
          return {};
        }
      sweep();
      return {};
    }
    index_range left;
    if constexpr (indexed_flow_graph<G> && has_sources<D, G>) {
      // A graph that lists both ends of edges is asked for the other one below, and there may be nodes it does not list.
      if (indices_rise(graph, lists_both_ends) && pull_in_order(left)) return {};
    } else if constexpr (indexed_flow_graph<G>) {
      if (rises_with_index(graph)) {
        sweep();
        return {};
      }
    }
    solve_workspace memory;
    placement places(options.workspace ? *options.workspace : memory);
    for (auto&& n : mpmd::nodes(graph))
      if (left.contains(graph, n)) places.add(facts.slot(n));
    // With a hash table a look at the edges costs as much as making an array of them.
    if constexpr (indexed_flow_graph<G>)
      if (in_order(graph, facts, places, left)) {
        if (left.is_all())
          sweep();
        else if constexpr (has_sources<D, G>)
          pull(left);
        return {};
      }
    return solve_components(places, left);
  }

 private:
  // Then a node's fact can be made in one go, where `neighbours` are those it goes to.
  static constexpr bool lists_both_ends = indexed_flow_graph<G> && has_sources<D, G> && !pulls<D, G>;

  // A copy of a small fact spares a load for each neighbour: the compiler cannot see that the two are not the
  // same.
  static constexpr bool fits_registers =
      std::is_trivially_copyable_v<element> && sizeof(element) <= 2 * sizeof(void*);
  static constexpr bool may_fit_registers =
      sizeof(element) <= 2 * sizeof(void*) && requires(const element& e) {
        { e.in_place() } -> std::same_as<bool>;
      };
  // Facts that are joined into lie before the node, mostly not far, and the first touch of each line of them
  // would wait for memory: for longer, the less of the next visits a processor sees meanwhile, so not where
  // nodes are mere numbers. Measured: 1100 serves best on graphs whose edges reach 1000 nodes back,
  // and cost no other.
  static constexpr std::size_t prefetched_ahead = 1100;

  // For the assertion above.
  constexpr bool is_ordered() {
    if constexpr (indexed_flow_graph<G>)
      if (rises_with_index(graph)) return true;
    solve_workspace memory;
    placement places(options.workspace ? *options.workspace : memory);
    for (auto&& n : mpmd::nodes(graph)) places.add(facts.slot(n));
    return in_order(graph, facts, places);
  }

  constexpr void visit(const node& n, element& fact) {
    transfer(graph, n, fact);
    if constexpr (observes_visits<Observer, node, element>) observer.visit(n, std::as_const(fact));
  }

  constexpr void join_onto(std::size_t slot, const element& fact) {
    static_cast<void>(lattice.join(facts.at_slot(slot), fact));
  }
  constexpr void flow(std::size_t from, std::size_t into) {
    join_onto(into, std::as_const(facts).at_slot(from));
  }

  /// The natural order is an order of the flow: one visit each, and no other memory than the facts.
  constexpr void sweep() {
    for_each_in_natural_order<D>(graph, [&](const node& n) __attribute__((always_inline)) {
      const auto slot = facts.slot(n);
      // By slots, since without an index a look at a neighbour may move the facts.
      if constexpr (pulls<D, G>)
        for_each_neighbour(graph, n, [&](const node& m) { flow(facts.slot(m), slot); });
      if constexpr (!pulls<D, G> && sizeof(node) > sizeof(std::size_t))
        facts.prefetch(slot - prefetched_ahead);
      visit(n, facts.at_slot(slot));
      if constexpr (!pulls<D, G> && fits_registers) {
        const element fact = facts.at_slot(slot);
        for_each_neighbour(graph, n, [&](const node& m) { join_onto(facts.slot(m), fact); });
      } else if constexpr (!pulls<D, G> && may_fit_registers && indexed_flow_graph<G>) {
        // As long as a fact has no memory of its own, a copy stays in registers.
        if (auto* const all = facts.data(); all[slot].fact.in_place()) [[likely]] {
          const element fact = all[slot].fact;
          for_each_neighbour(graph, n, [&](const node& m) __attribute__((always_inline)) {
            static_cast<void>(lattice.join(all[index_of(graph, m)].fact, fact));
          });
        } else {
          for_each_neighbour(graph, n, [&](const node& m) { flow(slot, facts.slot(m)); });
        }
      } else if constexpr (!pulls<D, G>) {
        for_each_neighbour(graph, n, [&](const node& m) { flow(slot, facts.slot(m)); });
      }
    });
  }

  /// Visits nodes one by one as long as edges come from those that are done, and so needs no look at the edges before.
  /// Whether that were all; else says which are left. For indices that rise.
  constexpr bool pull_in_order(index_range& left) {
    bool ordered = true;
    for_each_in_natural_order<D>(graph, [&](const node& n) __attribute__((always_inline)) {
      if (!ordered) return;
      const auto slot = facts.slot(n);
      for_each_source<D>(graph, n, [&](const node& m) __attribute__((always_inline)) {
        const auto from = facts.slot(m);
        if (D == direction::forward ? from < slot : from > slot)
          flow(from, slot);
        else
          ordered = false;
      });
      if (ordered)
        visit(n, facts.at_slot(slot));
      else
        (D == direction::forward ? left.first : left.last) = slot;
    });
    return ordered;
  }
  /// The same where the natural order is known to be one of the flow.
  constexpr void pull(const index_range& which) {
    for_each_in_natural_order<D>(graph, [&](const node& n) __attribute__((always_inline)) {
      if (!which.contains(graph, n)) return;
      const auto slot = facts.slot(n);
      for_each_source<D>(graph, n, [&](const node& m) __attribute__((always_inline)) { flow(facts.slot(m), slot); });
      visit(n, facts.at_slot(slot));
    });
  }

  /// Solves for the nodes that are placed. What comes from others is there.
  constexpr solve_outcome<node> solve_components(placement& places, const index_range& placed) {
    if constexpr (lists_both_ends)
      // Those that are done would have pushed.
      if (!placed.is_all())
        for (auto&& n : mpmd::nodes(graph))
          if (placed.contains(graph, n))
            for_each_source<D>(graph, n, [&](const node& m) {
              if (!placed.contains(graph, m)) flow(facts.slot(m), facts.slot(n));
            });
    const auto flat = flatten(graph, facts, places, placed);
    const auto parts = strong_components(flat);
    cycle_solver<D, G, L> cycles(flat, places, parts, lattice, facts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto members = parts[pulls<D, G> ? i : parts.size() - 1 - i];
      if (members.size() == 1 && !has_loop(flat, members[0])) {
        if constexpr (pulls<D, G>)
          for (auto m : flat.row(members[0])) flow(places.slot(m), places.slot(members[0]));
        visit(flat.nodes[members[0]], facts.at_slot(places.slot(members[0])));
      } else {
        if constexpr (observes_cycle_starts<Observer>) observer.enter_cycle(members.size());
        const bool stable =
            cycles.solve(members, options.max_visits_per_node,
                         [&](std::uint32_t position, element& fact) { visit(flat.nodes[position], fact); });
        if constexpr (observes_cycle_ends<Observer>) observer.leave_cycle();
        if (!stable) {
          solve_outcome<node> outcome{solve_status::budget_exceeded, {}};
          for (auto position : cycles.growing_cycle()) outcome.cycle.push_back(flat.nodes[position]);
          return outcome;
        }
      }
      if constexpr (!pulls<D, G>)
        for (auto position : members)
          for (auto m : flat.row(position))
            if (m >= flat.size() || parts.component[m] != parts.component[position])
              flow(places.slot(position), places.slot(m));
    }
    return {};
  }

  static constexpr bool has_loop(const flat_flow<G>& flat, std::uint32_t position) {
    for (auto m : flat.row(position))
      if (m == position) return true;
    return false;
  }
};

}  // namespace detail

/// Lets facts flow along the edges of `graph` until nothing changes, from the facts that are in the map
/// already.
///
/// The fact of a node becomes what the map held for it, joined with the facts of its neighbours on the side
/// the facts come from (predecessors for `forward`, successors for `backward`), and then changed by
/// `transfer(graph, n, fact)`, which may add to it or replace it. `transfer` must be monotone: a greater fact
/// must not make a smaller one. The result is then the least solution, the same whatever the order of nodes
/// and edges. Calls need nothing of their own: edges lead from arguments to parameters and from returned
/// values to results, and recursion is a cycle like any other.
///
/// **Cost.** Each node of an acyclic graph is visited once, whatever order its nodes come in. If the natural
/// order follows the edges, a solve takes one look at each edge to join, and one before to see that; not that one if
/// `topologically_ordered(graph)` says so, or if the graph has indices that rise and can be asked for the neighbours
/// that facts come from: then the look is the join. If not, what is left is copied into arrays (about 30
/// bytes a node beside its handle, and 4 an edge) and cut into strongly connected components by an iterative
/// form of Tarjan's algorithm, and these are solved in topological order: linear, but bound by the cache.
///
/// A node of a cycle is visited again only when its input grew, so at most 1 + h times with h the height of
/// the lattice. That is the worst case. Where transfer functions add or remove what does not depend on the
/// fact (all set analyses), a cycle takes 2 visits a node; nested loops, chains and grids with edges both
/// ways, and random graphs of up to four edges a node took 2 to 3 whatever their size, depth and order
/// (tests/dataflow/cycles_test.cpp).
///
/// Nothing recurses, nothing throws, and nothing hangs: see `solve_options` and `solve_outcome`. A graph may
/// have up to 2^32 - 2 nodes.
template <direction D, class G, class L, class T, class Transfer, class Observer = no_observer>
constexpr auto solve_into(fact_map<G, T>& facts, const G& graph, const L& lattice, Transfer&& transfer,
                          const solve_options& options = {}, Observer&& observer = {}) {
  if constexpr (detail::check_flow_graph<G>::passed) {
    using checks =
        detail::check_solve<G, L, std::remove_reference_t<Transfer>, std::remove_reference_t<Observer>>;
    if constexpr (checks::passed) {
      facts.fit();
      return detail::solve_run<D, G, L, std::remove_reference_t<Transfer>, std::remove_reference_t<Observer>>{
          graph, lattice, transfer, observer, facts, options}
          .solve();
    }
  }
}

/// The same from bottom everywhere.
template <direction D, class G, class L, class Transfer, class Observer = no_observer>
[[nodiscard]] constexpr auto solve(const G& graph, const L& lattice, Transfer&& transfer,
                                   const solve_options& options = {}, Observer&& observer = {}) {
  if constexpr (detail::check_flow_graph<G>::passed) {
    using checks =
        detail::check_solve<G, L, std::remove_reference_t<Transfer>, std::remove_reference_t<Observer>>;
    if constexpr (checks::passed) {
      solution<G, element_t<L>> found{fact_map<G, element_t<L>>(graph, lattice.bottom()), {}};
      found.outcome = solve_into<D>(found.facts, graph, lattice, transfer, options, observer);
      return found;
    }
  }
}

}  // namespace mpmd
