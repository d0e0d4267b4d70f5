// expect-g++: window_program_is_wrong<mpmd::window_fault::unused_allocation, mpmd::fixed_string<5>{"spare"}>
// expect-clang: window_program_is_wrong<mpmd::window_fault::unused_allocation, fixed_string<5>{"spare"}>
// expect: mpmd: a window program has a fault
#include <mpmd/analysis/static_domains.hpp>

using namespace mpmd::static_window_ops;

#ifdef MPMD_CONTROL
constexpr auto window = "s";
#else
constexpr auto window = "v";
#endif
constexpr auto step = mpmd::make_static_windows(allocation("a"), allocation("spare"), view("v", "a"), view("s", "spare"),
                                                dispatch("t", {"v", window}, device(0)));

static_assert(mpmd::check_windows<step>());
