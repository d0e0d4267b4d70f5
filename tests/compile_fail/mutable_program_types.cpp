// expect: mpmd::mutable_mpmd_program: ir_traits<P>::type or ir_traits<P>::location is missing
#include <mpmd/graph/check_mutable_program.hpp>
#include <mpmd/graph/program_archetypes.hpp>

// It has places for sets, and nothing with which a pass could edit it.
struct toy : mpmd::archetypes::annotated_program {};

template <>
struct mpmd::ir_traits<toy> : ir_traits<archetypes::annotated_program> {};

#ifdef MPMD_CONTROL
static_assert(mpmd::check_mpmd_program<toy>());
#else
static_assert(mpmd::check_mutable_program<toy>());
#endif
