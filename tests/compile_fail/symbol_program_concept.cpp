// expect: symbol_program
// expect: is_private
// The concept by itself names the member.
#include <mpmd/graph/symbol_program.hpp>
#include <mpmd/graph/program_archetypes.hpp>

struct toy : mpmd::archetypes::inlinable_program {};

template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::inlinable_program> {
#ifndef MPMD_CONTROL
  static void is_private();  // hides the member, and has no arguments
#endif
};

static_assert(mpmd::symbol_program<toy>);
