// expect: inlinable_program
// expect: set_called_from
// The concept by itself names the member.
#include <mpmd/graph/symbol_program.hpp>
#include <mpmd/graph/program_archetypes.hpp>

struct toy : mpmd::archetypes::inlinable_program {};

template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::inlinable_program> {
#ifndef MPMD_CONTROL
  static void set_called_from();  // hides the member, and has no arguments
#endif
};

static_assert(mpmd::inlinable_program<toy>);
