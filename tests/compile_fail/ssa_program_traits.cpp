// expect: mpmd::ssa_program: there is no specialisation of mpmd::ir_traits<P> for this type
#include <mpmd/graph/ssa_program.hpp>

struct toy {};

static_assert(mpmd::check_ssa_program<toy>());
