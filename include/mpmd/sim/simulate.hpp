#pragma once
/// The simulated device mesh: runs a function of a program on small tensors.

#include <optional>
#include <span>
#include <utility>

#include <mpmd/sim/machine.hpp>

namespace mpmd::sim {

/// Runs a function of the program, which is expected to be valid. Nothing if it cannot be run, or does what a
/// device mesh cannot do; an error with an id from `sim.` then says why:
///
///   sim.placement    a value is used on a mesh where it does not live (with `memories::one`, never reported)
///   sim.unknown-op   an op which the simulation does not know, named
///   sim.too-large    a tensor has more elements than the limit
///   sim.memory       all values together have
///   sim.budget       the program takes more steps than the limit, as one that does not end does
///   sim.malformed    an op whose parts do not fit each other, a type or a call that has no meaning here
///
/// Takes no more of the call stack for a deeper program. Time and memory are bounded by the limits.
inline std::optional<simulation> simulate(ir::program const& p, ir::op function,
                                          std::span<tensor const> inputs, diagnostics& diags,
                                          simulation_limits limits = {},
                                          memories memory = memories::one_per_mesh) {
  return machine(p, diags, limits, memory).run(function, inputs);
}

}  // namespace mpmd::sim
