#pragma once
/// Which variable is a window over which allocation. A variable that is set again may be a window over another one from
/// there on; then it falls into parts, each with the definitions that meet in some read.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_trace.hpp>

namespace mpmd {

/// Definitions of one variable that belong together.
template <class Value>
struct window_variable {
  Value v;
  std::uint32_t origin = 0xFFFFFFFFu;         ///< as window_trace::origin, of windows only
  bool viewed = false;                        ///< set to a view directly
  std::vector<window_node> definitions = {};  ///< in program order
  std::vector<std::uint32_t> mentions = {};   ///< of the graph; those of variables that several ops set
};

/// The variables of one function of a trace, by their first definitions. Near-linear in the function.
template <window_program P>
std::vector<window_variable<value_t<P>>> window_variables(window_trace<P> const& trace, std::uint32_t function) {
  auto const& graph = trace.graph;
  typename window_graph<P>::function const start{};
  auto const& before = function == 0 ? start : graph.functions[function - 1];
  auto const& f = graph.functions[function];
  // Nodes that some op reads, and what they may hold of the same variable, meet: a union-find over nodes.
  std::vector<window_node> parent(graph.nodes.size());
  std::iota(parent.begin(), parent.end(), window_node{0});
  auto root = [&parent](window_node n) {
    while (parent[n] != n) n = parent[n] = parent[parent[n]];
    return n;
  };
  std::vector<bool> seen(graph.nodes.size(), false);
  std::vector<window_node> open;
  for (auto i = before.mentions; i < f.mentions; ++i) {
    open.push_back(graph.mentions[i].n);
    while (!open.empty()) {
      window_node const n = open.back();
      open.pop_back();
      if (seen[n] || graph.nodes[n].kind != window_node_kind::merge) continue;
      seen[n] = true;
      for (auto e = graph.offsets[n]; e < graph.offsets[n + 1]; ++e) {
        window_node const m = graph.sources[e];
        if (!(graph.nodes[m].v == graph.nodes[n].v)) continue;
        parent[root(m)] = root(n);
        open.push_back(m);
      }
    }
  }
  constexpr auto none = window_trace<P>::none, several = window_trace<P>::several;
  std::vector<window_variable<value_t<P>>> found;
  std::vector<std::uint32_t> place(graph.nodes.size(), none);  // by root
  for (auto i = before.definitions; i < f.definitions; ++i) {
    auto const& [v, n] = graph.definitions[i];
    std::uint32_t& at = place[root(n)];
    if (at == none) {
      at = static_cast<std::uint32_t>(found.size());
      found.push_back({v});
    }
    auto& part = found[at];
    part.definitions.push_back(n);
    bool const copies_view = graph.offsets[n] < graph.offsets[n + 1] &&
                             graph.nodes[graph.sources[graph.offsets[n]]].kind == window_node_kind::view;
    part.viewed |= graph.nodes[n].kind == window_node_kind::view ||
                   (graph.nodes[n].kind == window_node_kind::copy && copies_view);
    std::uint32_t const origin = trace.is_window(n) ? trace.origin(n) : none;
    if (part.origin == none)
      part.origin = origin;
    else if (origin != none && origin != part.origin)
      part.origin = several;
  }
  for (auto i = before.mentions; i < f.mentions; ++i)
    if (auto const at = place[root(graph.mentions[i].n)]; at != none) found[at].mentions.push_back(i);
  return found;
}

}  // namespace mpmd
