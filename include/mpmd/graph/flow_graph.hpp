#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <string_view>  // std::hash, cheaper than <functional>

/// The first step of what an IR offers: nodes, and edges along which facts flow.
///
/// One specialisation of `ir_traits` describes an IR, in the manner of `boost::graph_traits` and
/// `llvm::GraphTraits`. The algorithms go through the functions below and never spell it.
namespace mpmd {

/// The customisation point. Specialise it for a graph type `G` with static members; those of the step
/// `flow_graph`:
///
///     using node = ...;                 a handle of a node: copyable
///     nodes(g)                          all nodes, each once, in the natural order of the graph
///     predecessors(g, n)                the nodes from which an edge leads to n (what n uses)
///     successors(g, n)                  the nodes to which an edge leads from n (what uses n)
///
/// Each of the three returns a range of something that converts to `node`; one pass over it is enough. An
/// edge follows the data from a definition to its use. One of `predecessors` and `successors` suffices;
/// parallel edges and edges from a node to itself are fine. An edge may lead to a node that `nodes(g)` does
/// not yield (a graph may be a part of a larger one): such a node keeps its fact or has facts joined onto it,
/// but it is never visited.
///
/// Optional:
///
///     index(g, n), index_bound(g)
///         A number of n below the bound, its own; facts are then kept in an array. Without it they are kept
///         behind a hash table, for which `node` needs `==` and `std::hash`: `node_numbering` has the price.
///     topologically_ordered(g) -> bool
///         True when `nodes(g)` yields each node after all its predecessors, as SSA in dominance order does.
///         It saves the solver a look at every edge; debug builds take that look and assert it.
///     for_each_node<direction>(g, f), for_each_predecessor(g, n, f)
///         Call f for what nodes(g) yields, or for it in reverse for `backward`, and for what predecessors(g, n)
///         yields. The solver then walks without making ranges of them.
///     static constexpr bool is_view
///         True when a `G` is cheap to copy and refers to what it describes; fact maps then keep a copy,
///         otherwise a pointer to the graph.
template <class G>
struct ir_traits {
  using not_specialised = void;
};

/// The handle of a node of `G`.
template <class G>
using node_t = typename ir_traits<G>::node;

template <class R, class Node>
concept range_of_nodes =
    std::ranges::input_range<R> && std::convertible_to<std::ranges::range_reference_t<R>, Node>;

/// The members of `ir_traits<G>`, one concept each, so that a compiler which reports one names it.
/// @{
template <class G>
concept has_ir_traits = !requires { typename ir_traits<G>::not_specialised; };

template <class G>
concept has_node = requires { typename ir_traits<G>::node; } && std::copyable<node_t<G>>;

template <class G>
concept has_nodes = requires(const G& g) {
  { ir_traits<G>::nodes(g) } -> range_of_nodes<node_t<G>>;
};

template <class G>
concept has_predecessors = requires(const G& g, const node_t<G>& n) {
  { ir_traits<G>::predecessors(g, n) } -> range_of_nodes<node_t<G>>;
};

template <class G>
concept has_successors = requires(const G& g, const node_t<G>& n) {
  { ir_traits<G>::successors(g, n) } -> range_of_nodes<node_t<G>>;
};

template <class G>
concept has_index = requires(const G& g, const node_t<G>& n) {
  { ir_traits<G>::index(g, n) } -> std::convertible_to<std::size_t>;
};

template <class G>
concept has_index_bound = requires(const G& g) {
  { ir_traits<G>::index_bound(g) } -> std::convertible_to<std::size_t>;
};

template <class G>
concept has_hashed_nodes = std::equality_comparable<node_t<G>> && requires(const node_t<G>& n) {
  { std::hash<node_t<G>>{}(n) } -> std::convertible_to<std::size_t>;
};
/// @}

/// Nodes and edges: all that the solver and the witnesses need.
template <class G>
concept flow_graph =
    has_ir_traits<G> && has_node<G> && has_nodes<G> && (has_predecessors<G> || has_successors<G>) &&
    (has_index<G> == has_index_bound<G>) && (has_index<G> || has_hashed_nodes<G>);

/// A flow graph whose nodes carry dense numbers.
template <class G>
concept indexed_flow_graph = flow_graph<G> && has_index<G> && has_index_bound<G>;

/// Whether a `G` refers to what it describes and may be copied instead of pointed to.
template <class G>
inline constexpr bool is_graph_view = requires { requires ir_traits<G>::is_view; };

namespace detail {

/// Refuses a type that is no `flow_graph` with a sentence that names what is missing. Every algorithm
/// instantiates it first, so that its sentence comes before whatever else the compiler has to say.
template <class G, bool Described = has_ir_traits<G>, bool Named = has_node<G>>
struct check_flow_graph {
  static constexpr bool some_node = requires { typename ir_traits<G>::node; };

  static_assert(Described,
                "mpmd::flow_graph: there is no specialisation of mpmd::ir_traits<G> for this type");
  static_assert(!Described || some_node, "mpmd::flow_graph: the type ir_traits<G>::node is missing");
  static_assert(!some_node || Named, "mpmd::flow_graph: ir_traits<G>::node is not copyable");
  static constexpr bool passed = false;
};

template <class G>
struct check_flow_graph<G, true, true> {
  using node = node_t<G>;
  static constexpr bool some_nodes = requires(const G& g) { ir_traits<G>::nodes(g); };
  static constexpr bool some_predecessors =
      requires(const G& g, node n) { ir_traits<G>::predecessors(g, n); };
  static constexpr bool some_successors = requires(const G& g, node n) { ir_traits<G>::successors(g, n); };

  static_assert(some_nodes, "mpmd::flow_graph: ir_traits<G>::nodes(g) is missing");
  static_assert(!some_nodes || has_nodes<G>,
                "mpmd::flow_graph: ir_traits<G>::nodes(g) does not return a range of ir_traits<G>::node");
  static_assert(
      some_predecessors || some_successors,
      "mpmd::flow_graph: ir_traits<G>::predecessors(g, n) or ir_traits<G>::successors(g, n) is missing");
  static_assert(
      !some_predecessors || has_predecessors<G>,
      "mpmd::flow_graph: ir_traits<G>::predecessors(g, n) does not return a range of ir_traits<G>::node");
  static_assert(
      !some_successors || has_successors<G>,
      "mpmd::flow_graph: ir_traits<G>::successors(g, n) does not return a range of ir_traits<G>::node");
  static_assert(
      has_index<G> || !has_index_bound<G>,
      "mpmd::flow_graph: ir_traits<G>::index_bound(g) is there but ir_traits<G>::index(g, n) is missing");
  static_assert(
      has_index_bound<G> || !has_index<G>,
      "mpmd::flow_graph: ir_traits<G>::index(g, n) is there but ir_traits<G>::index_bound(g) is missing");
  static_assert(
      has_index<G> || has_index_bound<G> || has_hashed_nodes<G>,
      "mpmd::flow_graph: ir_traits<G>::index(g, n) is missing, and ir_traits<G>::node has no std::hash "
      "or no operator== to do without it");
  static constexpr bool passed = flow_graph<G>;
};

}  // namespace detail

/// What `ir_traits` says of a graph; `topologically_ordered` is false where the traits say nothing.
/// @{
template <has_nodes G>
constexpr decltype(auto) nodes(const G& g) {
  return ir_traits<G>::nodes(g);
}

template <has_predecessors G>
constexpr decltype(auto) predecessors(const G& g, const node_t<G>& n) {
  return ir_traits<G>::predecessors(g, n);
}

template <has_successors G>
constexpr decltype(auto) successors(const G& g, const node_t<G>& n) {
  return ir_traits<G>::successors(g, n);
}

template <has_index G>
constexpr std::size_t index_of(const G& g, const node_t<G>& n) {
  return static_cast<std::size_t>(ir_traits<G>::index(g, n));
}

template <has_index_bound G>
constexpr std::size_t index_bound(const G& g) {
  return static_cast<std::size_t>(ir_traits<G>::index_bound(g));
}

template <class G>
constexpr bool topologically_ordered(const G& g) {
  if constexpr (requires {
                  { ir_traits<G>::topologically_ordered(g) } -> std::convertible_to<bool>;
                })
    return ir_traits<G>::topologically_ordered(g);
  else
    return false;
}
/// @}

/// Fails to compile, with a sentence that names the concept and the missing member, unless `G` is a
/// `flow_graph`.
template <class G>
consteval bool require_flow_graph() {
  return detail::check_flow_graph<G>::passed;
}

}  // namespace mpmd
