#pragma once
/// What is said of a host program that does what no mesh can do: the error, and the chain that led to it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <mpmd/ir/locate.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/sim/host_memory.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::sim {

/// `rank 3`, `ranks 0, 1, 4 to 7`; a long list ends in dots.
inline std::string ranks_text(std::span<rank const> ranks) {
  if (ranks.empty()) return "no rank";
  constexpr std::size_t most = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  std::size_t parts = 0;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t stop = i + 1;
    while (stop < ranks.size() && ranks[stop] == ranks[stop - 1] + 1) ++stop;
    if (parts++ != 0) text += ", ";
    if (parts > most) return text + "...";
    text += std::to_string(ranks[i]);
    if (stop - i > 1) text.append(stop - i == 2 ? ", " : " to ").append(std::to_string(ranks[stop - 1]));
    i = stop;
  }
  return text;
}

/// Reports the first fault of a run; what follows from it is not reported.
class host_faults {
 public:
  host_faults(ir::program const& p, host_memory const& memory, diagnostics& diags)
      : p_(p), memory_(memory), diags_(diags) {}

  bool any() const { return any_; }
  ir::program const& program() const { return p_; }

  bool report(diagnostic d) {
    if (!any_) diags_.emit(d);
    any_ = true;
    return false;
  }
  bool report(ir::op o, std::string_view id, std::string message) { return report(made(o, id, std::move(message))); }
  /// With the view and the allocation behind a window.
  bool report(ir::op o, std::string_view id, std::string message, host_value const& v) {
    diagnostic d = made(o, id, std::move(message));
    explain(d, v);
    return report(std::move(d));
  }

  diagnostic made(ir::op o, std::string_view id, std::string message) const {
    return {severity::error, std::string(id), at(o), std::move(message), {}};
  }
  source_location at(ir::op o) const { return o ? ir::locate(p_, o) : source_location{}; }
  std::string named(host_value const& v) const { return "'" + memory_.buffers[v.buffer].name + "'"; }

  void explain(diagnostic& d, host_value const& v) const {
    host_buffer const& b = memory_.buffers[v.buffer];
    if (v.view) d.notes.push_back({at(v.view), "through this view"});
    if (b.domain == host_buffer::nowhere) {
      d.notes.push_back({at(b.allocated), "of the buffer that is allocated here, outside of any communication domain"});
      return;
    }
    host_domain const& in = memory_.domains[b.domain];
    d.notes.push_back({at(b.allocated), "of the buffer that is allocated here, in domain '" + in.name + "' on " +
                                            ranks_text(in.ranks)});
  }

 private:
  ir::program const& p_;
  host_memory const& memory_;
  diagnostics& diags_;
  bool any_ = false;
};

}  // namespace mpmd::sim
