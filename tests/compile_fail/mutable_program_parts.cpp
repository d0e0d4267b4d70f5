// expect: mpmd::mutable_mpmd_program: ir_traits<P>::is_pure(p, o) is missing or does not return bool
#include <mpmd/graph/check_mutable_program.hpp>
#include <mpmd/graph/program_archetypes.hpp>

struct toy : mpmd::archetypes::mutable_program {};

// All that passes ask for, but that it cannot say whether an op is pure.
template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::mutable_program> {
#ifndef MPMD_CONTROL
  static void is_pure(archetypes::mutable_program const&, op) {}
#endif
};

static_assert(mpmd::check_mutable_program<toy>());
