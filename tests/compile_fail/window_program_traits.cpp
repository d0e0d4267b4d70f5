// expect: mpmd::window_program: there is no specialisation of mpmd::ir_traits<P> for this type
#include <mpmd/graph/window_program.hpp>

struct toy {};

static_assert(mpmd::check_window_program<toy>());
