// expect: foldable_program
// expect: number_of
// The concept by itself names the member.
#include <mpmd/graph/program_archetypes.hpp>

struct toy : mpmd::archetypes::foldable_program {};

template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::foldable_program> {
#ifndef MPMD_CONTROL
  static void number_of();  // hides the member, and has no arguments
#endif
};

static_assert(mpmd::foldable_program<toy>);
