#pragma once

#include <mpmd/dataflow/node_numbering.hpp>

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpmd {

/// A fact of type `T` for each node of a graph: a value, to be copied, moved out of an analysis and changed.
///
/// An array when the graph has an index, so that a look-up is one load; the hash table of `node_numbering`
/// otherwise. It keeps the graph to number its nodes by (a copy of a view, a pointer to any other graph with
/// an index), so that graph must outlive it. Nodes which the graph gains later are covered after `fit`.
template <flow_graph G, class T>
class fact_map {
 public:
  using node = node_t<G>;
  using value_type = T;

  /// `initial` for every node.
  constexpr fact_map(const G& g, T initial)
      : numbering_(g), initial_(std::move(initial)), slots_(make_slots(numbering_.bound(), initial_)) {}

  constexpr T& operator[](const node& n) { return at_slot(slot(n)); }
  constexpr const T& operator[](const node& n) const {
    const auto i = numbering_.find(n);
    if constexpr (!indexed_flow_graph<G>)
      if (i >= slots_.size()) return initial_;
    return at_slot(i);
  }

  /// Makes room for what the graph has gained since; the new nodes have the initial fact.
  constexpr void fit() {
    if (slots_.size() < numbering_.bound()) slots_.resize(numbering_.bound(), slot_type{initial_});
  }

  /// For algorithms: the place of a node's fact, a number below `slots()`. Without an index, a node gets its
  /// place when it is first asked for, and references to facts do not outlive that.
  constexpr std::size_t slot(const node& n) {
    const auto i = numbering_.number(n);
    if constexpr (!indexed_flow_graph<G>) fit();
    return i;
  }
  constexpr std::size_t slots() const noexcept { return slots_.size(); }
  constexpr T& at_slot(std::size_t i) {
    assert(i < slots_.size());
    return slots_[i].fact;
  }
  /// `data()[slot].fact` is the same for loops, which then look up once where the array stands. It holds
  /// until there is room for more.
  constexpr auto* data() noexcept { return slots_.data(); }
  /// Has a fact fetched that will be written soon, if such a place there is.
  /// Inlined by force: GCC takes a function that does nothing but this for one that does nothing.
  [[gnu::always_inline]] constexpr void prefetch([[maybe_unused]] std::size_t i) const noexcept {
    if constexpr (indexed_flow_graph<G>)
      if (!std::is_constant_evaluated())
        __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(slots_.data()) +
                                                         i * sizeof(slot_type)),
                           1);
  }
  constexpr const T& at_slot(std::size_t i) const {
    assert(i < slots_.size());
    return slots_[i].fact;
  }

 private:
  struct slot_type {
    T fact;  // wrapped because a vector of bool holds none
  };

  // Facts are mostly zeros to begin with, and a fresh array is filled with those faster than with copies.
  static constexpr std::vector<slot_type> make_slots(std::size_t count, const T& initial) {
    if constexpr (std::default_initializable<T> && std::equality_comparable<T>)
      if (initial == T{}) return std::vector<slot_type>(count);
    return std::vector<slot_type>(count, slot_type{initial});
  }

  node_numbering<G> numbering_;
  T initial_;
  std::vector<slot_type> slots_;
};

}  // namespace mpmd
