// expect: sharded_mpmd_program
// expect: declared_meshes
// The concept by itself names the member.
#include <mpmd/graph/program_archetypes.hpp>

struct toy : mpmd::archetypes::sharded_program {};

template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::sharded_program> {
#ifndef MPMD_CONTROL
  static void declared_meshes();  // hides the member, and has no arguments
#endif
};

static_assert(mpmd::sharded_mpmd_program<toy>);
