#pragma once

#include <mpmd/graph/flow_graph.hpp>

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpmd {
namespace detail {

/// A graph to come back to: a copy of a view, a pointer to anything else.
template <class G, bool View = is_graph_view<G>>
class kept_graph {
 public:
  constexpr explicit kept_graph(const G& g) : graph_(g) {}
  constexpr const G& get() const noexcept { return graph_; }

 private:
  G graph_;
};

template <class G>
class kept_graph<G, false> {
 public:
  constexpr explicit kept_graph(const G& g) : graph_(&g) {}
  constexpr const G& get() const noexcept { return *graph_; }

 private:
  const G* graph_;
};

}  // namespace detail

/// Numbers for the nodes of a graph, so that an array can be kept beside it: the graph's own index where it
/// has one.
template <flow_graph G>
class node_numbering {
 public:
  using node = node_t<G>;

  constexpr explicit node_numbering(const G& g) : graph_(g) {}

  /// The number of `n`, below `bound()`.
  constexpr std::size_t number(const node& n) { return std::as_const(*this).find(n); }
  constexpr std::size_t find(const node& n) const { return index_of(graph_.get(), n); }
  constexpr std::size_t bound() const { return index_bound(graph_.get()); }

 private:
  detail::kept_graph<G> graph_;
};

/// For a graph without an index: a hash table, which numbers nodes as it meets them. A look-up costs a hash
/// and two cache misses, and the table about 12 bytes a node beside the handle. A solve of a graph in order
/// takes about twenty times as long as with an index (100 to 200 ns a node with two edges instead of 5 to 8).
template <flow_graph G>
  requires(!indexed_flow_graph<G>)
class node_numbering<G> {
 public:
  using node = node_t<G>;

  constexpr explicit node_numbering(const G&) {}

  /// The number of `n`, which gets the next one if it has none.
  constexpr std::size_t number(const node& n) {
    if (4 * nodes_.size() >= 3 * table_.size()) grow();
    auto& entry = table_[place_of(n)];
    if (entry == 0) {
      assert(nodes_.size() < std::numeric_limits<std::uint32_t>::max());
      nodes_.push_back(n);
      entry = static_cast<std::uint32_t>(nodes_.size());
    }
    return entry - std::size_t{1};
  }

  /// The number of `n`, or `bound()` if it has none.
  constexpr std::size_t find(const node& n) const {
    const auto entry = table_.empty() ? 0 : table_[place_of(n)];
    return entry == 0 ? bound() : entry - std::size_t{1};
  }

  constexpr std::size_t bound() const noexcept { return nodes_.size(); }

 private:
  // Where `n` is, or the free place where it would go. Hashes of pointers and numbers are often the value
  // itself, so they are spread by a multiplication (Knuth's, by the golden ratio).
  constexpr std::size_t place_of(const node& n) const {
    const std::uint64_t spread = std::uint64_t{std::hash<node>{}(n)} * 0x9E3779B97F4A7C15u;
    auto place = static_cast<std::size_t>(spread >> (64 - std::countr_zero(table_.size())));
    while (table_[place] != 0 && !(nodes_[table_[place] - 1] == n)) place = (place + 1) & (table_.size() - 1);
    return place;
  }

  constexpr void grow() {
    table_.assign(table_.empty() ? 16 : 2 * table_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      table_[place_of(nodes_[i])] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<node> nodes_;           // by number
  std::vector<std::uint32_t> table_;  // numbers plus one, zero where free; a power of two of places
};

}  // namespace mpmd
