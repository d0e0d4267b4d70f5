// expect: mpmd::mutable_mpmd_program: ir_traits<P>::set_op_annotation(p, o, kind, annotation) is missing
#include <mpmd/graph/check_mutable_program.hpp>
#include <mpmd/graph/program_archetypes.hpp>

struct toy : mpmd::archetypes::mutable_program {};

template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::mutable_program> {
#ifndef MPMD_CONTROL
  static void set_op_annotation();  // hides the member, and has no arguments
#endif
};

static_assert(mpmd::check_mutable_program<toy>());
