#pragma once
/// Programs whose functions carry their topology with them, so that a pass can hand it on.

#include <concepts>

#include <mpmd/graph/mutable_program.hpp>

namespace mpmd {

/// Members of `ir_traits<P>` beside those of mutable_mpmd_program:
///
///     copy_topology(p, from, to)          function `to` gets the topology of function `from`; it takes part
///     then has_same_topology(p, f, g) -> bool  of two functions that have one close_entry(p, f) the function
///     is no longer entered from outside
template <class P>
concept topology_mpmd_program = mutable_mpmd_program<P> && requires(P& p, P const& c, op_t<P> f) {
  ir_traits<P>::copy_topology(p, f, f);
  { ir_traits<P>::has_same_topology(c, f, f) } -> std::same_as<bool>;
  ir_traits<P>::close_entry(p, f);
};

}  // namespace mpmd
