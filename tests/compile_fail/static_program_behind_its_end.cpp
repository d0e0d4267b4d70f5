// expect: static_program_goes_on_behind_its_end
// expect-g++: argument(((const char*)"behind"), ((const char*)""))
// expect-clang: &"behind"[0]
#include <mpmd/graph/static_program.hpp>
using namespace mpmd::static_ops;
#ifdef MPMD_CONTROL
constexpr auto last = constant("x");
#else
constexpr auto last = returns({"w"});
#endif
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1"), argument("w"), last, argument("behind"));
