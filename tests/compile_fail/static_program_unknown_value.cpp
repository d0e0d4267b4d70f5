// expect: static_program_has_no_value
// expect: "nothere"
#include <mpmd/analysis/static_sets.hpp>
#ifdef MPMD_CONTROL
constexpr auto name = "nothere";
#else
constexpr auto name = "x";
#endif
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1"), mpmd::static_ops::argument(name));
static_assert(mpmd::needed_on<step>("nothere").empty());
