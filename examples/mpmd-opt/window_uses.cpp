#include "window_uses.hpp"

#include <mpmd/ir/walk.hpp>

namespace tool {

namespace ir = mpmd::ir;
namespace host = mpmd::ir::host;

std::vector<window_uses> uses_of_windows(host_trace const& trace) {
  auto const& graph = trace.graph;
  std::vector<window_uses> all(graph.allocations.size());
  for (std::uint32_t i = 0; i < graph.views.size(); ++i)
    if (auto const a = trace.origin(graph.views[i].n); graph.views[i].bound && a < all.size()) all[a].views.push_back(i);
  for (std::uint32_t i = 0; i < graph.dispatches.size(); ++i)
    for (auto g = graph.dispatches[i].first_argument; g < graph.dispatches[i].end_of_arguments; ++g)
      if (auto const a = trace.origin(graph.arguments[g]); a < all.size()) {
        auto& mine = all[a].dispatches;
        if (mine.empty() || mine.back() != i) mine.push_back(i);
      }
  for (std::uint32_t i = 0; i < graph.collectives.size(); ++i) {
    auto const& c = graph.collectives[i];
    for (std::uint32_t k = 0; k < c.operand_count && k < c.operands.size(); ++k)
      if (auto const a = trace.origin(c.operands[k]); a < all.size()) all[a].operands.emplace_back(i, k);
  }
  return all;
}

standing_domains::standing_domains(ir::program const& p, host_trace const& trace)
    : p_(p), domains_(trace.graph.allocations.size()) {
  for (std::uint32_t a = 0; a < domains_.size(); ++a) allocated_.emplace(trace.graph.allocations[a].v.id, a);
  ir::walk(p_, p_.root(), [&](ir::op o) {
    if (!p_.is(o, ir::opcode::host_comm_domain)) return;
    for (ir::value const slot : host::slots(p_, o))
      if (auto const a = allocation_of(slot); a != host_trace::none) domains_[a] = o;
  });
}

std::uint32_t standing_domains::allocation_of(ir::value slot) const {
  ir::op const made = p_.defining_op(slot);
  if (!made || p_.operand_count(made) == 0) return host_trace::none;
  auto const at = allocated_.find(p_.operand(made, 0).id);
  return at == allocated_.end() ? host_trace::none : at->second;
}

mpmd::device_set standing_domains::devices_of(ir::op domain) const {
  auto const ends = host::device_runs(p_, domain);
  mpmd::device_set on = ends.empty() ? mpmd::device_set::all() : mpmd::device_set{};
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) on.insert({ends[i], ends[i + 1]});
  return on;
}

}  // namespace tool
