#pragma once

#include <mpmd/graph/flow_graph.hpp>

#include <cstddef>
#include <iterator>

/// Minimal models: each offers exactly what a concept says, and nothing that a real IR would offer beside it.
/// An algorithm that compiles with them asks for no more than its concept; they are for that only, and hold
/// no nodes.
namespace mpmd::archetypes {

/// A handle which can be copied and nothing else: not made from nothing, not compared, not ordered, not
/// hashed.
class opaque_node {
 public:
  constexpr explicit opaque_node(std::size_t number) : number_(number) {}
  constexpr std::size_t number() const { return number_; }

 private:
  std::size_t number_;
};

/// A handle with equality and `std::hash`, as a graph without an index needs.
class hashed_node : public opaque_node {
 public:
  using opaque_node::opaque_node;
  friend constexpr bool operator==(const hashed_node& a, const hashed_node& b) {
    return a.number() == b.number();
  }
};

/// What a range yields: no node, but convertible to one.
template <class Node>
struct node_proxy {
  constexpr operator Node() const { return Node(0); }  // NOLINT(google-explicit-constructor): the point of it
};

/// A range that can be walked once, forwards, by a move-only iterator.
template <class Node>
struct single_pass_range {
  struct iterator {
    using value_type = node_proxy<Node>;
    using difference_type = std::ptrdiff_t;
    iterator() = delete;
    constexpr explicit iterator(int) {}
    iterator(iterator&&) = default;
    iterator& operator=(iterator&&) = default;
    constexpr node_proxy<Node> operator*() const { return {}; }
    constexpr iterator& operator++() { return *this; }
    constexpr void operator++(int) {}
  };
  struct sentinel {
    friend constexpr bool operator==(const iterator&, const sentinel&) { return true; }
  };
  single_pass_range() = default;
  single_pass_range(single_pass_range&&) = default;
  single_pass_range& operator=(single_pass_range&&) = default;
  constexpr iterator begin() { return iterator(0); }
  constexpr sentinel end() { return {}; }
};

/// A graph that can be neither made nor copied by an algorithm.
struct immovable {
  constexpr immovable() = default;
  immovable(const immovable&) = delete;
  immovable& operator=(const immovable&) = delete;
};

struct predecessors_only : immovable {};
struct successors_only : immovable {};
struct predecessors_without_index : immovable {};
struct successors_without_index : immovable {};

}  // namespace mpmd::archetypes

template <>
struct std::hash<mpmd::archetypes::hashed_node> {
  constexpr std::size_t operator()(const mpmd::archetypes::hashed_node& n) const { return n.number(); }
};

namespace mpmd {

template <>
struct ir_traits<archetypes::predecessors_only> {
  using node = archetypes::opaque_node;
  using range = archetypes::single_pass_range<node>;
  static constexpr range nodes(const archetypes::predecessors_only&) { return {}; }
  static constexpr range predecessors(const archetypes::predecessors_only&, node) { return {}; }
  static constexpr std::size_t index(const archetypes::predecessors_only&, node n) { return n.number(); }
  static constexpr std::size_t index_bound(const archetypes::predecessors_only&) { return 1; }
};

template <>
struct ir_traits<archetypes::successors_only> {
  using node = archetypes::opaque_node;
  using range = archetypes::single_pass_range<node>;
  static constexpr range nodes(const archetypes::successors_only&) { return {}; }
  static constexpr range successors(const archetypes::successors_only&, node) { return {}; }
  static constexpr std::size_t index(const archetypes::successors_only&, node n) { return n.number(); }
  static constexpr std::size_t index_bound(const archetypes::successors_only&) { return 1; }
};

template <>
struct ir_traits<archetypes::predecessors_without_index> {
  using node = archetypes::hashed_node;
  using range = archetypes::single_pass_range<node>;
  static constexpr range nodes(const archetypes::predecessors_without_index&) { return {}; }
  static constexpr range predecessors(const archetypes::predecessors_without_index&, node) { return {}; }
};

template <>
struct ir_traits<archetypes::successors_without_index> {
  using node = archetypes::hashed_node;
  using range = archetypes::single_pass_range<node>;
  static constexpr range nodes(const archetypes::successors_without_index&) { return {}; }
  static constexpr range successors(const archetypes::successors_without_index&, node) { return {}; }
};

static_assert(indexed_flow_graph<archetypes::predecessors_only>);
static_assert(indexed_flow_graph<archetypes::successors_only>);
static_assert(flow_graph<archetypes::predecessors_without_index>);
static_assert(flow_graph<archetypes::successors_without_index>);

}  // namespace mpmd
