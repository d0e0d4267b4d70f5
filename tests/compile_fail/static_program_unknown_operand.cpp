// expect: static_program_does_not_define
// expect-g++: ((const char*)"nothere")
// expect-clang: &"nothere"[0]
#include <mpmd/graph/static_program.hpp>
using namespace mpmd::static_ops;
#ifdef MPMD_CONTROL
constexpr auto x = argument("nothere");
#else
constexpr auto x = argument("x");
#endif
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1"), x, compute("h", {"nothere"}));
