#pragma once

#include <mpmd/graph/csr_graph.hpp>
#include <mpmd/graph/flow_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

/// Graphs for the tests of the solver: edge lists, how to draw them, and models that share no code.
namespace mpmd::testing {

/// Nodes 0 .. nodes-1, listed in the natural order `order` (a permutation), and edges along the flow.
struct edge_list {
  std::uint32_t nodes = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::vector<std::uint32_t> order;

  explicit edge_list(std::uint32_t count) : nodes(count) {
    for (std::uint32_t i = 0; i < count; ++i) order.push_back(i);
  }
  void add(std::uint32_t from, std::uint32_t to) { edges.emplace_back(from, to); }
};

using engine = std::mt19937;

inline std::uint32_t below(engine& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(random() % bound);
}

inline void shuffle(std::vector<std::uint32_t>& numbers, engine& random) {
  for (auto i = static_cast<std::uint32_t>(numbers.size()); i > 1; --i)
    std::swap(numbers[i - 1], numbers[below(random, i)]);
}

/// The same graph with other numbers for its nodes, listed in an order that has nothing to do with them.
inline edge_list shuffled(const edge_list& g, engine& random) {
  edge_list other(g.nodes);
  shuffle(other.order, random);
  auto name = other.order;
  shuffle(name, random);
  for (auto [from, to] : g.edges) other.add(name[from], name[to]);
  return other;
}

/// Edges lead from lower to higher numbers; some are parallel, some nodes have none.
inline edge_list random_acyclic(engine& random, std::uint32_t nodes, std::uint32_t edges) {
  edge_list g(nodes);
  for (std::uint32_t i = 0; nodes > 1 && i < edges; ++i) {
    const auto to = 1 + below(random, nodes - 1);
    g.add(below(random, to), to);
    if (below(random, 8) == 0) g.edges.push_back(g.edges.back());
  }
  return g;
}

/// Any edges, loops and parallel ones included.
inline edge_list random_cyclic(engine& random, std::uint32_t nodes, std::uint32_t edges) {
  edge_list g(nodes);
  for (std::uint32_t i = 0; nodes > 0 && i < edges; ++i) g.add(below(random, nodes), below(random, nodes));
  return g;
}

/// Owns the two arrays of a csr_graph. Listed by number.
template <csr_rows Rows>
struct csr_arrays {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> neighbours;

  explicit csr_arrays(const edge_list& g) : offsets(g.nodes + std::size_t{1}), neighbours(g.edges.size()) {
    const auto row = [](auto edge) { return Rows == csr_rows::predecessors ? edge.second : edge.first; };
    for (auto edge : g.edges) ++offsets[row(edge) + std::size_t{1}];
    for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    auto next = offsets;
    for (auto edge : g.edges)
      neighbours[next[row(edge)]++] = Rows == csr_rows::predecessors ? edge.first : edge.second;
  }
  csr_graph<Rows> graph(csr_order order = csr_order::unknown) const { return {offsets, neighbours, order}; }
};

/// Nodes on the heap that point at each other; no index, so facts live in a hash table. Both kinds of
/// neighbours.
class pointer_graph {
 public:
  struct node {
    std::uint32_t number = 0;
    std::vector<node*> uses;
    std::vector<node*> users;
  };

  explicit pointer_graph(const edge_list& g) {
    for (auto number : g.order) {
      nodes_.push_back(std::make_unique<node>());
      nodes_.back()->number = number;
      list_.push_back(nodes_.back().get());
    }
    std::vector<node*> by_number(g.nodes);
    for (auto& n : nodes_) by_number[n->number] = n.get();
    for (auto [from, to] : g.edges) {
      by_number[from]->users.push_back(by_number[to]);
      by_number[to]->uses.push_back(by_number[from]);
    }
  }
  const std::vector<const node*>& list() const { return list_; }

 private:
  std::vector<std::unique_ptr<node>> nodes_;
  std::vector<const node*> list_;
};

/// A singly linked list of named nodes: an index with holes which says nothing of the order, a natural order
/// that cannot be walked backwards, and neighbours made on demand. `Users` lists users instead of uses.
template <bool Users>
class listed_graph {
 public:
  enum class name : std::size_t {};
  static name name_of(std::uint32_t number) { return name{3 * std::size_t{number} + 1}; }
  static std::uint32_t number_of(name n) {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(n) / 3);
  }

  explicit listed_graph(const edge_list& g) : rows_(g.nodes) {
    for (auto i = g.order.size(); i-- > 0;) names_.push_front(name_of(g.order[i]));
    for (auto [from, to] : g.edges) rows_[Users ? from : to].push_front(name_of(Users ? to : from));
  }
  const std::forward_list<name>& names() const { return names_; }
  std::vector<name> row(name n) const {
    const auto& row = rows_[number_of(n)];
    return {row.begin(), row.end()};
  }
  std::size_t bound() const { return 3 * rows_.size(); }

 private:
  std::forward_list<name> names_;
  std::vector<std::forward_list<name>> rows_;
};

}  // namespace mpmd::testing

template <>
struct mpmd::ir_traits<mpmd::testing::pointer_graph> {
  using graph = mpmd::testing::pointer_graph;
  using node = const graph::node*;
  static const std::vector<node>& nodes(const graph& g) { return g.list(); }
  static const auto& predecessors(const graph&, node n) { return n->uses; }
  static const auto& successors(const graph&, node n) { return n->users; }
};

template <bool Users>
struct mpmd::ir_traits<mpmd::testing::listed_graph<Users>> {
  using graph = mpmd::testing::listed_graph<Users>;
  using node = typename graph::name;
  static const std::forward_list<node>& nodes(const graph& g) { return g.names(); }
  static std::vector<node> predecessors(const graph& g, node n)
    requires(!Users)
  {
    return g.row(n);
  }
  static std::vector<node> successors(const graph& g, node n)
    requires Users
  {
    return g.row(n);
  }
  static std::size_t index(const graph&, node n) { return static_cast<std::size_t>(n); }
  static std::size_t index_bound(const graph& g) { return g.bound(); }
};

namespace mpmd::testing {

/// Calls `use(graph, number_of)` with a model of each kind of the same graph; `number_of(n)` names a node as
/// the edge list does.
template <class Use>
void with_each_model(const edge_list& g, Use use) {
  const auto same = [](std::uint32_t n) { return n; };
  use(csr_arrays<csr_rows::predecessors>(g).graph(), same);  // the arrays live until the call returns
  use(csr_arrays<csr_rows::successors>(g).graph(), same);
  use(pointer_graph(g), [](const pointer_graph::node* n) { return n->number; });
  use(listed_graph<false>(g), [](auto n) { return listed_graph<false>::number_of(n); });
  use(listed_graph<true>(g), [](auto n) { return listed_graph<true>::number_of(n); });
}

}  // namespace mpmd::testing
