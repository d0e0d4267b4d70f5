// expect: static_program_has_no_mesh
// expect-g++: ((const char*)"m9")
// expect-clang: &"m9"[0]
#include <mpmd/graph/static_program.hpp>
using namespace mpmd::static_ops;
#ifdef MPMD_CONTROL
constexpr auto meshes = mpmd::static_meshes("m9");
#else
constexpr auto meshes = mpmd::static_meshes("m1");
#endif
constexpr auto step = mpmd::make_static_program(meshes, argument("x"), assign("y", "x", "m9"));
