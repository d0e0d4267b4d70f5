// expect: topology_mpmd_program
// expect: copy_topology
// The concept by itself names the member.
#include <mpmd/graph/program_archetypes.hpp>

struct toy : mpmd::archetypes::sharded_program {};

template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::sharded_program> {
#ifndef MPMD_CONTROL
  static void copy_topology();  // hides the member, and has no arguments
#endif
};

static_assert(mpmd::topology_mpmd_program<toy>);
