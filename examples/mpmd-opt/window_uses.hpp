#pragma once
// What reports about windows look up in a trace: the uses of each allocation, and the domains that stand in the program.

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/traits.hpp>

namespace tool {

using host_trace = mpmd::window_trace<mpmd::ir::program>;

/// What uses an allocation, in program order, by number in the graph of the trace.
struct window_uses {
  std::vector<std::uint32_t> views, dispatches;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> operands;  ///< collectives, with the place of the operand
};

/// The uses of each allocation. Linear.
std::vector<window_uses> uses_of_windows(host_trace const& trace);

/// The domains that stand in a program, and which allocation each of their slots is the window of.
class standing_domains {
 public:
  standing_domains(mpmd::ir::program const& p, host_trace const& trace);

  /// The allocation, or host_trace::none.
  std::uint32_t allocation_of(mpmd::ir::value slot) const;
  /// The op of the domain that an allocation is in, or none.
  mpmd::ir::op domain_of(std::uint32_t allocation) const { return domains_[allocation]; }
  mpmd::device_set devices_of(mpmd::ir::op domain) const;

 private:
  mpmd::ir::program const& p_;
  std::unordered_map<std::uint32_t, std::uint32_t> allocated_;  // by the variable that points to it; for look-ups alone
  std::vector<mpmd::ir::op> domains_;
};

}  // namespace tool
