// expect: static_program_needs_operand_on_no_mesh
// expect-g++: compute<1>(((const char*)"y"), const char* const [1]{((const char*)"x")})
// expect-clang: (&"y"[0], &"x"[0])
#include <mpmd/graph/static_program.hpp>
using namespace mpmd::static_ops;
#ifdef MPMD_CONTROL
constexpr auto on = "";
#else
constexpr auto on = "m1";
#endif
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1"), argument("x", on), compute("y", {"x"}));
