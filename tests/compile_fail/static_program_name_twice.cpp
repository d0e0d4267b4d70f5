// expect: static_program_defines_twice
// expect-g++: ((const char*)"twice")
// expect-clang: &"twice"[0]
#include <mpmd/graph/static_program.hpp>
using namespace mpmd::static_ops;
#ifdef MPMD_CONTROL
constexpr auto x = argument("once");
#else
constexpr auto x = argument("twice");
#endif
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1"), x, argument("twice"));
