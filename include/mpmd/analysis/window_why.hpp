#pragma once
/// Why is an allocation on a device? A shortest chain from the allocation through views, copies and collectives to a
/// dispatch on that device.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/dataflow/witness.hpp>

namespace mpmd {

/// Explains the devices that a trace found; meant for many questions. The trace must outlive it.
template <window_program P>
class window_explainer {
 public:
  struct chain {
    std::vector<window_node> nodes;  ///< of the trace's graph, from the allocation on
    std::uint32_t dispatch = window_trace<P>::none;
  };

  explicit window_explainer(window_trace<P> const& trace)
      : trace_(trace), flow_(trace.device_flow()), finder_(flow_) {
    for (std::uint32_t i = 0; i < trace.graph.dispatches.size(); ++i) {
      auto const& d = trace.graph.dispatches[i];
      for (auto a = d.first_argument; a < d.end_of_arguments; ++a)
        if (trace.is_window(trace.graph.arguments[a])) given_.emplace_back(trace.graph.arguments[a], i);
    }
    std::sort(given_.begin(), given_.end());
  }
  window_explainer(window_explainer const&) = delete;
  window_explainer& operator=(window_explainer const&) = delete;

  /// Why one device is there; nullopt asks why all are. No nodes: it is not there.
  chain why(std::uint32_t allocation, std::optional<std::int64_t> device) {
    auto has = [&](device_set const& s) { return device ? s.contains(*device) : s.is_all(); };
    chain found;
    window_node last = 0;
    for (window_node const n : finder_.find(
             trace_.graph.allocations[allocation].n, [&](window_node m) { return has(trace_.devices_at(m)); },
             [&](window_node m) { return dispatch_at(m, has) != window_trace<P>::none; })) {
      last = n;
      window_node const shown = trace_.of_program(n);
      if (found.nodes.empty() || found.nodes.back() != shown) found.nodes.push_back(shown);
    }
    if (found.nodes.empty()) return found;
    found.dispatch = dispatch_at(last, has);
    return found;
  }

  /// Chains that together explain all devices of an allocation, at most `most` of them: one for each dispatch that is the
  /// nearest reason for some device.
  std::vector<chain> why_all(std::uint32_t allocation, std::size_t most = 64) {
    std::vector<chain> all;
    device_set const& devices = trace_.devices(allocation);
    if (devices.is_all()) {
      all.push_back(why(allocation, std::nullopt));
      return all;
    }
    device_set explained;
    for (auto const& part : devices.intervals())
      for (std::int64_t d = part.first; all.size() < most;) {
        if (!explained.contains(d)) {
          all.push_back(why(allocation, d));
          if (all.back().dispatch == window_trace<P>::none) break;
          explained.unite(trace_.graph.dispatches[all.back().dispatch].on.devices);
        }
        // On to the first device that is not explained yet.
        std::int64_t next = d;
        for (auto const& i : explained.intervals())
          if (i.first <= d && d <= i.last) next = i.last;
        if (next >= part.last) break;
        d = next + 1;
      }
    return all;
  }

 private:
  // The first dispatch that is given what a node holds, on devices as wanted.
  template <class Wanted>
  std::uint32_t dispatch_at(window_node n, Wanted const& wanted) const {
    for (auto at = std::lower_bound(given_.begin(), given_.end(), std::pair{n, std::uint32_t{0}});
         at != given_.end() && at->first == n; ++at)
      if (wanted(trace_.graph.dispatches[at->second].on.devices)) return at->second;
    return window_trace<P>::none;
  }

  window_trace<P> const& trace_;
  csr_graph<> flow_;
  witness_finder<backward, csr_graph<>> finder_;
  std::vector<std::pair<window_node, std::uint32_t>> given_;  // node and dispatch
};

}  // namespace mpmd
