// expect: static_program_does_not_define
// expect-g++: ((const char*)"nothere")
// expect-clang: &"nothere"[0]
#include <mpmd/graph/static_windows.hpp>
using namespace mpmd::static_window_ops;
#ifdef MPMD_CONTROL
constexpr auto a = allocation("nothere");
#else
constexpr auto a = allocation("a");
#endif
constexpr auto step = mpmd::make_static_windows(a, view("v", "nothere"));
