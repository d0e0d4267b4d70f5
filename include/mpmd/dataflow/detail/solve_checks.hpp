#pragma once

#include <mpmd/dataflow/observers.hpp>
#include <mpmd/graph/flow_graph.hpp>
#include <mpmd/lattice/lattice.hpp>

#include <concepts>

/// What a call of the solver must bring, each fault with a sentence of its own. The graph's are in
/// flow_graph.hpp.
namespace mpmd::detail {

template <class L, bool Named = requires { typename L::element; }>
struct check_lattice {
  static_assert(Named, "mpmd::join_semilattice: the type L::element is missing");
  static constexpr bool passed = false;
};

template <class L>
struct check_lattice<L, true> {
  using element = element_t<L>;
  static constexpr bool some_bottom = requires(const L& l) { l.bottom(); };
  static constexpr bool some_join =
      requires(const L& l, element& into, const element& from) { l.join(into, from); };

  static_assert(some_bottom, "mpmd::join_semilattice: l.bottom() const is missing");
  static_assert(some_join, "mpmd::join_semilattice: l.join(element&, const element&) const is missing");
  static_assert(
      !some_bottom || !some_join || join_semilattice<L>,
      "mpmd::join_semilattice: L::element is not copyable or has no operator==, l.bottom() is no element, "
      "or l.join does not return mpmd::change");
  static constexpr bool passed = join_semilattice<L>;
};

template <flow_graph G, class L, class Transfer, class Observer, bool Sound = check_lattice<L>::passed>
struct check_solve {
  static constexpr bool passed = false;
};

template <flow_graph G, class L, class Transfer, class Observer>
struct check_solve<G, L, Transfer, Observer, true> {
  static constexpr bool transfer =
      requires(Transfer& t, const G& g, const node_t<G>& n, element_t<L>& fact) { t(g, n, fact); };
  static_assert(
      transfer,
      "mpmd::solve: the transfer function cannot be called as transfer(const G&, node, L::element&)");
  static constexpr bool observer = std::same_as<Observer, no_observer> ||
                                   observes_visits<Observer, node_t<G>, element_t<L>> ||
                                   observes_cycle_starts<Observer> || observes_cycle_ends<Observer>;
  static_assert(observer,
                "mpmd::solve: the observer has none of visit(n, fact), enter_cycle(nodes), leave_cycle()");
  static constexpr bool passed = transfer && observer;
};

}  // namespace mpmd::detail
