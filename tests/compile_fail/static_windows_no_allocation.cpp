// expect: static_program_has_no_allocation
// expect: "v"
#include <mpmd/analysis/static_domains.hpp>
using namespace mpmd::static_window_ops;
constexpr auto step = mpmd::make_static_windows(allocation("a"), view("v", "a"), dispatch("t", {"v"}, device(0)));
#ifdef MPMD_CONTROL
static_assert(mpmd::domain_of<step>("a") == 0);
#else
static_assert(mpmd::domain_of<step>("v") == 0);
#endif
