#pragma once

#include <mpmd/dataflow/direction.hpp>
#include <mpmd/dataflow/fact_map.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace mpmd {

namespace detail {
class placement;
}

/// Memory that `solve_into` can reuse. A solve of a small part of a large graph would otherwise clear an
/// array as long as the whole graph's index; with a workspace, that happens once.
class solve_workspace {
 private:
  friend detail::placement;
  std::vector<std::uint32_t> position_of_slot_;
};

namespace detail {

inline constexpr std::uint32_t no_position = std::numeric_limits<std::uint32_t>::max();

/// The nodes that a graph lists get positions 0, 1, 2, ... in natural order. Entries of the workspace may be
/// left over from another solve: one counts only if the slot at its position points back (Briggs and Torczon,
/// "An efficient representation for sparse sets", 1993).
class placement {
 public:
  constexpr explicit placement(solve_workspace& memory) : position_of_slot_(memory.position_of_slot_) {}

  constexpr std::uint32_t add(std::size_t slot) {
    assert(slot < no_position && slots_.size() < no_position);
    if (slot >= position_of_slot_.size()) position_of_slot_.resize(2 * slot + 1, 0);
    const auto position = static_cast<std::uint32_t>(slots_.size());
    position_of_slot_[slot] = position;
    slots_.push_back(static_cast<std::uint32_t>(slot));
    return position;
  }

  constexpr std::uint32_t find(std::size_t slot) const {
    if (slot >= position_of_slot_.size()) return no_position;
    const auto position = position_of_slot_[slot];
    return position < slots_.size() && slots_[position] == slot ? position : no_position;
  }

  constexpr std::uint32_t find_or_add(std::size_t slot) {
    const auto position = find(slot);
    return position != no_position ? position : add(slot);
  }

  constexpr std::size_t slot(std::uint32_t position) const { return slots_[position]; }
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

 private:
  std::vector<std::uint32_t>& position_of_slot_;
  std::vector<std::uint32_t> slots_;  // by position
};

/// Some of the nodes of a graph: those whose indices are in a range, or, where nodes have none, all.
struct index_range {
  std::size_t first = 0, last = std::numeric_limits<std::size_t>::max();
  constexpr bool is_all() const { return first == 0 && last == std::numeric_limits<std::size_t>::max(); }
  template <flow_graph G>
  constexpr bool contains(const G& g, const node_t<G>& n) const {
    if constexpr (indexed_flow_graph<G>)
      return index_of(g, n) - first <= last - first;
    else
      return true;
  }
};

/// Whether the nodes come with rising indices; `all`: and are all that there are indices for. Looks at no edge.
template <flow_graph G>
constexpr bool indices_rise(const G& g, bool all) {
  std::size_t least = 0, count = 0;
  for (auto&& n : mpmd::nodes(g)) {
    const auto index = index_of(g, n);
    if (index < least) return false;
    least = index + 1;
    ++count;
  }
  return !all || count == index_bound(g);
}

/// Whether the nodes come with rising indices and every edge leads to a greater index: the order of many a
/// graph, seen without any memory. Edges to nodes that are not listed may make it say no where `in_order`
/// says yes.
template <flow_graph G>
constexpr bool rises_with_index(const G& g) {
  std::size_t least = 0;
  for (auto&& n : mpmd::nodes(g)) {
    const auto index = index_of(g, n);
    if (index < least) return false;
    least = index + 1;
    for (auto&& m : neighbours(g, n))
      if (has_predecessors<G> ? index_of(g, m) >= index : index_of(g, m) <= index) return false;
  }
  return true;
}

/// Whether every edge between placed nodes leads to a later position. One look at each edge, up to the first
/// that does not.
template <flow_graph G, class Facts>
constexpr bool in_order(const G& g, Facts& facts, const placement& places, const index_range& placed = {}) {
  std::uint32_t position = 0;
  for (auto&& n : mpmd::nodes(g)) {
    if (!placed.contains(g, n)) continue;
    for (auto&& m : neighbours(g, n)) {
      const auto other = places.find(facts.slot(m));
      if (other != no_position && (has_predecessors<G> ? other >= position : other <= position)) return false;
    }
    ++position;
  }
  return true;
}

/// A graph as arrays over positions. The listed nodes come first; nodes that are only neighbours follow and
/// have no row of their own.
template <flow_graph G>
struct flat_flow {
  std::vector<node_t<G>> nodes;
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> neighbours;

  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()); }
  constexpr std::span<const std::uint32_t> row(std::uint32_t position) const {
    return std::span(neighbours).subspan(offsets[position], offsets[position + 1] - offsets[position]);
  }
};

template <flow_graph G, class Facts>
constexpr flat_flow<G> flatten(const G& g, Facts& facts, placement& places, const index_range& placed = {}) {
  flat_flow<G> flat;
  flat.nodes.reserve(places.size());
  flat.offsets.reserve(places.size() + std::size_t{1});
  flat.offsets.push_back(0);
  for (auto&& n : mpmd::nodes(g))
    if (placed.contains(g, n)) flat.nodes.push_back(n);
  assert(flat.nodes.size() == places.size());
  for (const auto& n : flat.nodes) {
    for (auto&& m : detail::neighbours(g, n)) flat.neighbours.push_back(places.find_or_add(facts.slot(m)));
    flat.offsets.push_back(flat.neighbours.size());
  }
  return flat;
}

/// The strongly connected components, one after the other, each after all those it reaches along the rows.
struct components {
  std::vector<std::uint32_t> members;  // positions, component by component
  std::vector<std::uint32_t> starts;   // where each component begins in `members`, and the end
  std::vector<std::uint32_t>
      component;  // the number of a position's component; numbers say nothing of the order

  constexpr std::size_t size() const { return starts.size() - 1; }
  constexpr std::span<const std::uint32_t> operator[](std::size_t i) const {
    return std::span(members).subspan(starts[i], starts[i + 1] - starts[i]);
  }
};

/// Tarjan's algorithm in Pearce's form ("A space-efficient algorithm for finding strongly connected
/// components", 2016), with its recursion kept on the heap. Linear.
template <flow_graph G>
constexpr components strong_components(const flat_flow<G>& flat) {
  struct frame {
    std::uint32_t position;
    bool root;
    std::size_t next;
  };
  const auto count = flat.size();
  components found;
  found.members.reserve(count);
  found.starts.push_back(0);
  found.component.assign(count, 0);
  // While a node's component is open, its entry is the number of its visit, from 1 up, or that of the
  // earliest node it reaches; afterwards, the component's number, from `count` down. Open entries stay below
  // closed ones.
  auto& rank = found.component;
  std::uint32_t visited = 1;
  std::uint32_t closed = count;
  std::vector<std::uint32_t> open;
  std::vector<frame> path;
  for (std::uint32_t start = 0; start < count; ++start) {
    if (rank[start] != 0) continue;
    rank[start] = visited++;
    path.push_back({start, true, flat.offsets[start]});
    while (!path.empty()) {
      auto& top = path.back();
      const auto v = top.position;
      if (top.next < flat.offsets[v + 1]) {
        const auto w = flat.neighbours[top.next];
        if (w >= count) {
          ++top.next;
        } else if (rank[w] == 0) {
          rank[w] = visited++;  // this edge is looked at again when w is done
          path.push_back({w, true, flat.offsets[w]});
        } else {
          if (rank[w] < rank[v]) {
            rank[v] = rank[w];
            top.root = false;
          }
          ++top.next;
        }
        continue;
      }
      if (top.root) {
        --visited;
        const auto first_visit = rank[v];
        rank[v] = closed;
        found.members.push_back(v);
        while (!open.empty() && rank[open.back()] >= first_visit) {
          const auto w = open.back();
          open.pop_back();
          --visited;
          rank[w] = closed;
          found.members.push_back(w);
        }
        --closed;
        found.starts.push_back(static_cast<std::uint32_t>(found.members.size()));
      } else {
        open.push_back(v);
      }
      path.pop_back();
    }
  }
  return found;
}

}  // namespace detail
}  // namespace mpmd
