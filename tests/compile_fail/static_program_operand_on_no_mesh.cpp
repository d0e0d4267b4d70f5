// expect: static_program_needs_operand_on_a_mesh
// expect-g++: transfer(((const char*)"y"), ((const char*)"x"), ((const char*)"m1"))
// expect-clang: (&"y"[0], &"x"[0])
#include <mpmd/graph/static_program.hpp>
using namespace mpmd::static_ops;
#ifdef MPMD_CONTROL
constexpr auto on = "m1";
#else
constexpr auto on = "";
#endif
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1"), argument("x", on), transfer("y", "x", "m1"));
