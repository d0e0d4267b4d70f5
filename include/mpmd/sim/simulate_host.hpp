#pragma once
/// The simulated mesh for host programs: runs them over any number of ranks.

#include <algorithm>
#include <cstdint>
#include <optional>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/sim/host_machine.hpp>

namespace mpmd::sim {

/// Runs all host orchestrators of a program, each on a mesh of its own, in the order of the text. The windows of a domain
/// are on its ranks only, all 0 at first. A dispatch runs the C++ function of its callee's name, or else is recorded as
/// touching its windows; collectives, and their launches behind -lower-host-tensor-collectives, move data between the
/// ranks of their domain. A rank runs what it is given in order; the host waits for none. Nothing if a rank does what it
/// cannot; an error with an id from `sim.` then says so, with the chain of dispatch, view, allocation and domain:
///
///   sim.window     a rank touches a window in which it has no part, or takes something else for a window
///   sim.barrier    a collective or barrier that not all ranks of the domain reach
///   sim.signal     a stale signal: set when a collective begins, set twice, never waited for; one that is waited for
///                  and never set; one with fewer cells than ranks
///   sim.domain     an allocation outside of any domain; a collective with windows of several
///   sim.rank       a device that is not there or not known
///   sim.range      an element outside of its window or buffer
///   sim.memory     windows hold more numbers than the limit; an allocation of no bytes
///   sim.budget     the program takes more steps than the limit, as one that does not end does
///   sim.malformed  an op whose parts do not fit
///
/// What the program does not say, parameters and answers of foreign operations to branches, `options` chooses. Takes no
/// more of the call stack for a deeper program; time and memory are bounded by the limits.
inline std::optional<host_simulation> simulate_host(ir::program const& p, diagnostics& diags,
                                                    host_options const& options = {},
                                                    task_registry const& tasks = {}) {
  host_simulation made;
  for (ir::op const f : host::functions(p))
    if (host::is_host_orchestrator(p, f) && host::body_of(p, f))
      if (!host_machine(p, diags, options, tasks, made).run(f)) return std::nullopt;
  return made;
}

/// One rank more than the highest device that any scope lists or any dispatch names by a number; 1 if none does.
inline std::int64_t ranks_needed(ir::program const& p) {
  std::int64_t highest = 0;
  ir::walk(p, p.root(), [&](ir::op o) {
    if (p.is(o, ir::opcode::host_comm_domain))
      for (std::int64_t const d : host::devices(p, o)) highest = std::max(highest, d);
    if (!p.is(o, ir::opcode::host_call)) return;
    host::entry const e = host::find_entry(p, o, "attrs", "device");
    if (e.expression) highest = std::max(highest, host::constant_int(p, e.expression).value_or(0));
    if (auto const* i = p.context().get_if<ir::integer_attr>(e.data)) highest = std::max(highest, i->value);
  });
  return highest + 1;
}

}  // namespace mpmd::sim
