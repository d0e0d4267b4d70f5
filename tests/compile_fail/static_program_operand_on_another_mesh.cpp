// expect: static_program_needs_operand_on_this_mesh
// expect-g++: fragment<1>(((const char*)"y"), const char* const [1]{((const char*)"x")}, ((const char*)"m2"))
// expect-clang: (&"y"[0], &"x"[0], &"m2"[0])
#include <mpmd/graph/static_program.hpp>
using namespace mpmd::static_ops;
#ifdef MPMD_CONTROL
constexpr auto on = "m2";
#else
constexpr auto on = "m1";
#endif
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1", "m2"), argument("x", on), fragment("y", {"x"}, "m2"));
