#pragma once
/// Passes that a compiler brings along for its own ops, and that a pipeline needs between those of this library.

#include <mpmd/graph/ssa_program.hpp>

namespace mpmd {

/// Specialise for a program `P`:
///
///     static void eliminate_common_subexpressions(P&)  ops without effects that are equal, bodies included, become one
///     static void canonicalize(P&, bool simplify_regions)
///                                                      ops become what they amount to, unused ones go
///
/// A host whose specialisation stands in a header apart from its traits says so in them, lest a pipeline be made without
/// these passes where that header is missing: `static constexpr bool brings_passes = true`.
template <class P>
struct host_passes;

template <class P>
concept has_host_passes = requires(P& p) {
  host_passes<P>::eliminate_common_subexpressions(p);
  host_passes<P>::canonicalize(p, true);
};

}  // namespace mpmd
