// expect: annotated_mpmd_program
// expect: set_op_annotation
// The concept by itself names the member.
#include <mpmd/graph/annotated_program.hpp>
#include <mpmd/graph/program_archetypes.hpp>

struct toy : mpmd::archetypes::annotated_program {};

template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::annotated_program> {
#ifndef MPMD_CONTROL
  static void set_op_annotation();  // hides the member, and has no arguments
#endif
};

static_assert(mpmd::annotated_mpmd_program<toy>);
