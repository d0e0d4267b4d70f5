#pragma once
/// Graphs of Boost.Graph as graphs of this library, and the other way round.
///
/// * A directed graph class of Boost.Graph with a vertex list and out-edges models `flow_graph` as it is: the solver runs on an
///   `adjacency_list` or a `compressed_sparse_row_graph`. An edge leads from a definition to its use. Vertices that are
///   integers are their own dense index; of others, facts stand behind a hash table, unless `boost_flow` brings an
///   index map, interior (`get(boost::vertex_index, g)`) or from outside. `boost_flow` also takes what is a graph only
///   by a specialisation of `boost::graph_traits`.
/// * `boost_view` of any flow graph models Boost's VertexListGraph, EdgeListGraph, IncidenceGraph and
///   BidirectionalGraph, so that `topological_sort`, `strong_components`, `lengauer_tarjan_dominator_tree` and
///   `write_graphviz` run on an IR.
///
/// Only light headers of Boost.Graph are included.

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/property_map/property_map.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/dataflow/direction.hpp>
#include <mpmd/dataflow/node_numbering.hpp>
#include <mpmd/graph/csr_graph.hpp>
#include <mpmd/graph/flow_graph.hpp>

namespace mpmd {

template <flow_graph G>
class boost_view;
template <class G, class IndexMap>
struct boost_flow;

namespace detail {

// boost::graph_traits<G> is ill-formed for what is no graph, so look before.
template <class G>
concept boost_graph_class = requires {
  typename G::vertex_descriptor;
  typename G::traversal_category;
};
template <class G>
concept boost_vertex_list = requires(G const& g) {
  requires std::copyable<typename boost::graph_traits<G>::vertex_descriptor>;
  requires std::convertible_to<typename boost::graph_traits<G>::traversal_category, boost::vertex_list_graph_tag>;
  { num_vertices(g) } -> std::convertible_to<std::size_t>;
};
template <class G>
concept boost_directed =
    std::convertible_to<typename boost::graph_traits<G>::directed_category, boost::directed_tag>;
template <class G>
concept boost_out_edges =
    boost_vertex_list<G> && boost_directed<G> &&
    std::convertible_to<typename boost::graph_traits<G>::traversal_category, boost::incidence_graph_tag>;
template <class G>
concept boost_in_edges =
    boost_vertex_list<G> &&
    std::convertible_to<typename boost::graph_traits<G>::traversal_category, boost::bidirectional_graph_tag>;
template <class G>
concept boost_numbered = std::integral<typename boost::graph_traits<G>::vertex_descriptor>;

template <class T>
inline constexpr bool is_boost_view = false;
template <class G>
inline constexpr bool is_boost_view<boost_view<G>> = true;

/// The neighbours along a pair of edge iterators, as a range.
template <class G, class Iterator, bool Out>
class boost_neighbours {
 public:
  class iterator {
   public:
    using value_type = typename boost::graph_traits<G>::vertex_descriptor;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(G const* g, Iterator at) : graph_(g), at_(at) {}
    value_type operator*() const {
      if constexpr (Out)
        return target(*at_, *graph_);
      else
        return source(*at_, *graph_);
    }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    void operator++(int) { ++at_; }
    friend bool operator==(iterator const& a, iterator const& b) { return a.at_ == b.at_; }

   private:
    G const* graph_ = nullptr;
    Iterator at_ = {};
  };
  boost_neighbours(G const& g, std::pair<Iterator, Iterator> ends) : graph_(&g), ends_(ends) {}
  iterator begin() const { return {graph_, ends_.first}; }
  iterator end() const { return {graph_, ends_.second}; }

 private:
  G const* graph_;
  std::pair<Iterator, Iterator> ends_;
};

/// Edges of a vertex that stand in memory of their own, as in an `adjacency_list` with `vecS` for out-edges.
template <class Iterator>
concept boost_edges_apart = requires(Iterator at) {
  requires std::contiguous_iterator<std::remove_cvref_t<decltype(at.base())>>;
};

/// The members of ir_traits that say what leads where in a Boost graph.
template <class G>
struct boost_edges {
  using node = typename boost::graph_traits<G>::vertex_descriptor;

  /// Where each vertex has its edges in a place of its own, a loop waits for memory at each of them: so the edges of a
  /// vertex are asked for some vertices before it.
  template <direction D, class Visit>
  static void for_each_node(G const& g, Visit visit)
    requires(boost_numbered<G> && boost_edges_apart<typename boost::graph_traits<G>::out_edge_iterator>)
  {
    constexpr node ahead = 24;
    auto const count = static_cast<node>(num_vertices(g));
    for (node i = 0; i < count; ++i) {
      if constexpr (D == direction::forward) {
        if (count - i > ahead) fetch<D>(g, i + ahead);
        visit(i);
      } else {
        node const n = count - 1 - i;
        if (n >= ahead) fetch<D>(g, n - ahead);
        visit(n);
      }
    }
  }

  static auto nodes(G const& g) {
    auto const [first, last] = vertices(g);
    return std::ranges::subrange(first, last);
  }
  static auto successors(G const& g, node v)
    requires boost_out_edges<G>
  {
    using iterator = typename boost::graph_traits<G>::out_edge_iterator;
    return boost_neighbours<G, iterator, true>(g, out_edges(v, g));
  }
  static auto predecessors(G const& g, node v)
    requires boost_in_edges<G>
  {
    using iterator = typename boost::graph_traits<G>::in_edge_iterator;
    return boost_neighbours<G, iterator, false>(g, in_edges(v, g));
  }

 private:
  // Inlined, since GCC takes a function which does nothing but this for one without effects, and drops its calls.
  template <class Iterator>
  [[gnu::always_inline]] static void fetch(std::pair<Iterator, Iterator> const& ends) {
    char const* const first = reinterpret_cast<char const*>(std::to_address(ends.first.base()));  // NOLINT
    char const* const last = reinterpret_cast<char const*>(std::to_address(ends.second.base()));  // NOLINT
    __builtin_prefetch(first);
    __builtin_prefetch(last - (last == first ? 0 : 1));  // a few edges may stand in two lines of a cache
  }
  template <direction D>
  [[gnu::always_inline]] static void fetch(G const& g, node v) {
    if constexpr (D == direction::forward && boost_in_edges<G>)
      fetch(in_edges(v, g));
    else
      fetch(out_edges(v, g));
  }
};

}  // namespace detail

/// A graph of Boost.Graph, by its own vertices and edges.
template <class G>
  requires(detail::boost_graph_class<G> && !detail::is_boost_view<G> && detail::boost_out_edges<G>)
struct ir_traits<G> : detail::boost_edges<G> {
  using node = typename detail::boost_edges<G>::node;
  static std::size_t index(G const&, node v)
    requires detail::boost_numbered<G>
  {
    return static_cast<std::size_t>(v);
  }
  static std::size_t index_bound(G const& g)
    requires detail::boost_numbered<G>
  {
    return static_cast<std::size_t>(num_vertices(g));
  }
};

/// A Boost graph with an index map from outside: a readable property map from vertices to numbers below
/// `num_vertices(g)`, each its own. Both must outlive it. `order` is what the caller knows: that every vertex comes behind
/// those from which edges lead to it, or nothing.
template <class G, class IndexMap>
struct boost_flow {
  G const* graph;
  IndexMap index;
  csr_order order;
  boost_flow(G const& g, IndexMap numbers, csr_order known = csr_order::unknown)
      : graph(&g), index(std::move(numbers)), order(known) {}
};

template <class G, class IndexMap>
struct ir_traits<boost_flow<G, IndexMap>> {
  using flow = boost_flow<G, IndexMap>;
  using edges = detail::boost_edges<G>;
  using node = typename edges::node;
  static constexpr bool is_view = true;
  static auto nodes(flow const& g) { return edges::nodes(*g.graph); }
  template <direction D, class Visit>
  static void for_each_node(flow const& g, Visit visit)
    requires requires { edges::template for_each_node<D>(*g.graph, visit); }
  {
    edges::template for_each_node<D>(*g.graph, visit);
  }
  static bool topologically_ordered(flow const& g) { return g.order == csr_order::topological; }
  static auto successors(flow const& g, node v)
    requires detail::boost_out_edges<G>
  {
    return edges::successors(*g.graph, v);
  }
  static auto predecessors(flow const& g, node v)
    requires detail::boost_in_edges<G>
  {
    return edges::predecessors(*g.graph, v);
  }
  static std::size_t index(flow const& g, node v) { return static_cast<std::size_t>(get(g.index, v)); }
  static std::size_t index_bound(flow const& g) { return static_cast<std::size_t>(num_vertices(*g.graph)); }
};

/// A flow graph as Boost's algorithms take one: vertices are the numbers 0, 1, ... in the graph's natural order, and
/// `node(v)` tells which node a vertex is. It lists the edges once, O(nodes + edges) in time and memory, and keeps
/// nothing else of the graph, which may change or go.
///
/// Nodes to which edges lead but which the graph does not list are no vertices, and such edges are left out.
template <flow_graph G>
class boost_view {
 public:
  struct edge {
    std::uint32_t from = 0, to = 0;
    std::uint32_t number = 0;  ///< of all edges, by their start; parallel edges differ in it
    friend bool operator==(edge const&, edge const&) = default;
  };

  // What boost::graph_traits asks for.
  using vertex_descriptor = std::size_t;
  using edge_descriptor = edge;
  using directed_category = boost::bidirectional_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  struct traversal_category : boost::bidirectional_graph_tag,
                              boost::vertex_list_graph_tag,
                              boost::edge_list_graph_tag {};
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  using out_edge_iterator = typename std::vector<edge>::const_iterator;
  using in_edge_iterator = out_edge_iterator;
  using edge_iterator = out_edge_iterator;
  static vertex_descriptor null_vertex() { return static_cast<std::size_t>(-1); }

  class vertex_iterator {
   public:
    using value_type = std::size_t;
    using reference = std::size_t;
    using pointer = std::size_t const*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::forward_iterator_tag;
    vertex_iterator() = default;
    explicit vertex_iterator(std::size_t at) : at_(at) {}
    std::size_t operator*() const { return at_; }
    vertex_iterator& operator++() {
      ++at_;
      return *this;
    }
    vertex_iterator operator++(int) { return vertex_iterator(at_++); }
    friend bool operator==(vertex_iterator const&, vertex_iterator const&) = default;

   private:
    std::size_t at_ = 0;
  };

  explicit boost_view(G const& g) {
    for (auto&& n : mpmd::nodes(g)) nodes_.push_back(n);
    // Numbers of nodes are places in the list: what the graph numbers them by need not be dense.
    node_numbering<G> numbering(g);
    std::vector<std::uint32_t> place;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      std::size_t const n = numbering.number(nodes_[i]);
      if (n >= place.size()) place.resize(n + 1, nowhere);
      place[n] = static_cast<std::uint32_t>(i);
    }
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      auto add = [&](auto&& other, bool out) {
        std::size_t const n = numbering.number(other);
        if (n >= place.size() || place[n] == nowhere) return;
        out_.push_back(out ? edge{i, place[n]} : edge{place[n], i});
      };
      if constexpr (has_successors<G>)
        for (auto&& m : ir_traits<G>::successors(g, nodes_[i])) add(m, true);
      else
        for (auto&& m : ir_traits<G>::predecessors(g, nodes_[i])) add(m, false);
    }
    sort_by(&edge::from, out_, first_out_);
    for (std::size_t i = 0; i < out_.size(); ++i) out_[i].number = static_cast<std::uint32_t>(i);
    in_ = out_;
    sort_by(&edge::to, in_, first_in_);
  }

  node_t<G> const& node(vertex_descriptor v) const { return nodes_[v]; }

  friend std::size_t num_vertices(boost_view const& g) { return g.nodes_.size(); }
  friend std::pair<vertex_iterator, vertex_iterator> vertices(boost_view const& g) {
    return {vertex_iterator(0), vertex_iterator(g.nodes_.size())};
  }
  friend std::size_t num_edges(boost_view const& g) { return g.out_.size(); }
  friend std::pair<edge_iterator, edge_iterator> edges(boost_view const& g) { return {g.out_.begin(), g.out_.end()}; }
  friend vertex_descriptor source(edge const& e, boost_view const&) { return e.from; }
  friend vertex_descriptor target(edge const& e, boost_view const&) { return e.to; }
  friend std::pair<out_edge_iterator, out_edge_iterator> out_edges(vertex_descriptor v, boost_view const& g) {
    return part(g.out_, g.first_out_, v);
  }
  friend std::size_t out_degree(vertex_descriptor v, boost_view const& g) { return count(g.first_out_, v); }
  friend std::pair<in_edge_iterator, in_edge_iterator> in_edges(vertex_descriptor v, boost_view const& g) {
    return part(g.in_, g.first_in_, v);
  }
  friend std::size_t in_degree(vertex_descriptor v, boost_view const& g) { return count(g.first_in_, v); }
  friend std::size_t degree(vertex_descriptor v, boost_view const& g) {
    return count(g.first_in_, v) + count(g.first_out_, v);
  }
  friend boost::typed_identity_property_map<std::size_t> get(boost::vertex_index_t, boost_view const&) { return {}; }
  friend std::size_t get(boost::vertex_index_t, boost_view const&, vertex_descriptor v) { return v; }

 private:
  static constexpr std::uint32_t nowhere = 0xFFFFFFFFu;

  // A stable counting sort; first[v] becomes where the part of v begins.
  void sort_by(std::uint32_t edge::*end, std::vector<edge>& list, std::vector<std::uint32_t>& first) const {
    first.assign(nodes_.size() + 1, 0);
    for (edge const& e : list) ++first[e.*end + std::size_t{1}];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> next(first.begin(), first.end());
    std::vector<edge> sorted(list.size());
    for (edge const& e : list) sorted[next[e.*end]++] = e;
    list = std::move(sorted);
  }
  static std::pair<out_edge_iterator, out_edge_iterator> part(std::vector<edge> const& list,
                                                              std::vector<std::uint32_t> const& first, std::size_t v) {
    auto at = [&](std::uint32_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
    return {at(first[v]), at(first[v + 1])};
  }
  static std::size_t count(std::vector<std::uint32_t> const& first, std::size_t v) { return first[v + 1] - first[v]; }

  std::vector<node_t<G>> nodes_;
  std::vector<edge> out_, in_;
  std::vector<std::uint32_t> first_out_, first_in_;
};

}  // namespace mpmd

namespace boost {
template <class G>
struct property_map<mpmd::boost_view<G>, vertex_index_t> {
  using type = typed_identity_property_map<std::size_t>;
  using const_type = type;
};
}  // namespace boost
