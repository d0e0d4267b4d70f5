#pragma once
/// Passes that a compiler brings along for its own ops, and that a pipeline needs between those of this library.

#include <concepts>

#include <mpmd/graph/ssa_program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd {

/// Specialise for a program `P`:
///
///     static bool inline_functions(P&, diagnostics&)   bodies of functions take the place of ordinary calls of them,
///                                                      wherever these stand; not of those that role_of() names calls
///     static void eliminate_common_subexpressions(P&)  ops without effects that are equal, bodies included, become one
///     static void canonicalize(P&, bool simplify_regions)
///                                                      ops become what they amount to, unused ones go
///     static void erase_unused_symbols(P&)             private functions and other symbols that nothing names
///
/// A host whose specialisation stands in a header apart from its traits says so in them, lest a pipeline be made without
/// these passes where that header is missing: `static constexpr bool brings_passes = true`.
template <class P>
struct host_passes;

template <class P>
concept has_host_passes = requires(P& p, diagnostics& diags) {
  { host_passes<P>::inline_functions(p, diags) } -> std::same_as<bool>;
  host_passes<P>::eliminate_common_subexpressions(p);
  host_passes<P>::canonicalize(p, true);
  host_passes<P>::erase_unused_symbols(p);
};

}  // namespace mpmd
