// expect: structured_program
// expect: is_isolated
// The concept by itself names the member.
#include <mpmd/graph/program_archetypes.hpp>

struct toy : mpmd::archetypes::structured_program {};

template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::structured_program> {
#ifndef MPMD_CONTROL
  static void is_isolated();  // hides the member, and has no arguments
#endif
};

static_assert(mpmd::structured_program<toy>);
