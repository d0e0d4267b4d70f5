// expect: mutable_window_program
// expect: window
// A program that can be traced, and nothing with which a pass could edit it.
#include <mpmd/graph/mutable_window_program.hpp>
#include <mpmd/graph/window_archetypes.hpp>

static_assert(mpmd::window_program<mpmd::archetypes::straight_windows>);
static_assert(mpmd::mutable_window_program<mpmd::archetypes::straight_windows>);
