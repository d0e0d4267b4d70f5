#pragma once

#include <mpmd/graph/flow_graph.hpp>

#include <mpmd/dataflow/direction.hpp>
#include <mpmd/dataflow/node_numbering.hpp>

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace mpmd {

/// Answers "why does this node have this fact?" with a shortest chain of edges from the node to an annotation
/// that caused it. Meant for many questions about one graph, which must outlive it and not change.
///
/// Where the graph lists for a node those its facts come from (predecessors for `forward`, successors for
/// `backward`), the finder asks it. Otherwise it lists them once, in linear time, with about 24 bytes a node
/// and 4 an edge. A question costs the edges into the nodes that it reaches, in a breadth-first search
/// against the flow.
template <direction D, flow_graph G>
class witness_finder {
 public:
  using node = node_t<G>;

  constexpr explicit witness_finder(const G& g) : graph_(g), numbering_(g) {
    if constexpr (!asks_graph) list_sources();
  }

  /// The nodes from `start` to the nearest source, both included: facts flow from each to the one before it.
  /// `carries(n)` says whether the fact of n has what is asked for, `is_source(n)` whether n has it without
  /// its neighbours' help; chains pass through nodes that carry only. Empty if there is none. Among equally
  /// short chains the graph's own order of neighbours decides.
  template <std::predicate<const node&> Carries, std::predicate<const node&> IsSource>
  constexpr std::vector<node> find(const node& start, Carries carries, IsSource is_source) {
    ++question_;
    reached_.clear();
    if (carries(start)) reach(start, 0);
    for (std::size_t at = 0; at < reached_.size(); ++at) {
      const node n = reached_[at].n;
      if (is_source(n)) return chain_to(at);
      for_each_source(n, [&](const node& m) {
        if (!was_reached(m) && carries(m)) reach(m, at);
      });
    }
    return {};
  }

 private:
  static constexpr bool asks_graph = D == direction::forward ? has_predecessors<G> : has_successors<G>;

  struct reached_node {
    node n;
    std::size_t next;  // the node that it was reached from, one step nearer to the start
  };

  constexpr bool was_reached(const node& n) const {
    const auto i = numbering_.find(n);
    return i < asked_.size() && asked_[i] == question_;
  }

  constexpr void reach(const node& n, std::size_t from) {
    const auto i = numbering_.number(n);
    if (i >= asked_.size()) asked_.resize(indexed_flow_graph<G> ? numbering_.bound() : 2 * i + 1, 0);
    asked_[i] = question_;
    reached_.push_back({n, from});
  }

  constexpr std::vector<node> chain_to(std::size_t at) const {
    std::vector<node> chain;
    for (; at != 0; at = reached_[at].next) chain.push_back(reached_[at].n);
    chain.push_back(reached_[0].n);
    return {chain.rbegin(), chain.rend()};
  }

  template <class Each>
  constexpr void for_each_source(const node& n, Each each) const {
    if constexpr (asks_graph) {
      if constexpr (D == direction::forward) {
        for (auto&& m : mpmd::predecessors(graph_.get(), n)) each(static_cast<node>(m));
      } else {
        for (auto&& m : mpmd::successors(graph_.get(), n)) each(static_cast<node>(m));
      }
    } else {
      const auto i = numbering_.find(n);
      if (i + 1 >= first_source_.size()) return;
      for (auto e = first_source_[i]; e < first_source_[i + 1]; ++e) each(listed_[sources_[e]]);
    }
  }

  /// Turns the neighbours that the graph lists, to which facts go, round.
  constexpr void list_sources() {
    const auto& g = graph_.get();
    for (auto&& n : mpmd::nodes(g)) listed_.push_back(n);
    assert(listed_.size() < std::numeric_limits<std::uint32_t>::max());
    for (const auto& n : listed_)
      for (auto&& m : detail::neighbours(g, n)) {
        const auto i = numbering_.number(m);
        if (i + 1 >= first_source_.size()) first_source_.resize(2 * i + 2, 0);
        ++first_source_[i];
      }
    for (std::size_t i = 1; i < first_source_.size(); ++i) first_source_[i] += first_source_[i - 1];
    if (first_source_.empty()) return;
    sources_.resize(first_source_.back(), 0);
    for (auto at = listed_.size(); at-- > 0;)
      for (auto&& m : detail::neighbours(g, listed_[at]))
        sources_[--first_source_[numbering_.number(m)]] = static_cast<std::uint32_t>(at);
  }

  detail::kept_graph<G> graph_;
  node_numbering<G> numbering_;
  std::vector<node> listed_;
  std::vector<std::size_t> first_source_;  // by number
  std::vector<std::uint32_t> sources_;     // places in `listed_`
  std::vector<std::uint64_t> asked_;       // the last question that reached a node, by number
  std::uint64_t question_ = 0;
  std::vector<reached_node> reached_;
};

/// One question to a graph: see `witness_finder`.
template <direction D, class G, class Node, class Carries, class IsSource>
constexpr auto witness(const G& g, const Node& start, Carries carries, IsSource is_source) {
  if constexpr (detail::check_flow_graph<G>::passed)
    return witness_finder<D, G>(g).find(start, carries, is_source);
}

}  // namespace mpmd
