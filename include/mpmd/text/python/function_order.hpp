#pragma once
/// The order in which functions of a host program are printed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::text::python {

/// Callees in front of callers, and otherwise by name; by name alone when functions call each other in a circle.
inline std::vector<ir::op> callees_first(ir::program const& p) {
  auto by_name = ir::host::functions(p);
  std::sort(by_name.begin(), by_name.end(), [&p](ir::op a, ir::op b) {
    auto const l = ir::host::function_name(p, a), r = ir::host::function_name(p, b);
    return l != r ? l < r : a.id < b.id;
  });
  std::unordered_map<std::string_view, std::size_t> number;
  for (std::size_t i = 0; i < by_name.size(); ++i) number.emplace(ir::host::function_name(p, by_name[i]), i);
  std::vector<std::vector<std::size_t>> callees(by_name.size());
  for (std::size_t i = 0; i < by_name.size(); ++i) {
    ir::walk(p, by_name[i], [&](ir::op o) {
      if (!p.is(o, ir::opcode::host_call)) return;
      if (auto const at = number.find(ir::host::called_function(p, o)); at != number.end())
        callees[i].push_back(at->second);
    });
    std::sort(callees[i].begin(), callees[i].end());
    callees[i].erase(std::unique(callees[i].begin(), callees[i].end()), callees[i].end());
  }
  enum class state : std::uint8_t { fresh, open, done };
  std::vector<state> is(by_name.size());
  std::vector<std::pair<std::size_t, std::size_t>> open;
  std::vector<ir::op> order;
  for (std::size_t first = 0; first < by_name.size(); ++first) {
    if (is[first] != state::fresh) continue;
    is[first] = state::open;
    open.emplace_back(first, 0);
    while (!open.empty()) {
      auto& [f, next] = open.back();
      if (next == callees[f].size()) {
        is[f] = state::done;
        order.push_back(by_name[f]);
        open.pop_back();
        continue;
      }
      std::size_t const callee = callees[f][next++];
      if (is[callee] == state::open) return by_name;
      if (is[callee] == state::done) continue;
      is[callee] = state::open;
      open.emplace_back(callee, 0);
    }
  }
  return order;
}

}  // namespace mpmd::text::python
