// expect-g++: op_is_needed_where_it_cannot_be<mpmd::fixed_string<3>{"sum"}, mpmd::fixed_string<2>{"m4"}, mpmd::fixed_string<2>{"m2"}>
// expect-clang: op_is_needed_where_it_cannot_be<fixed_string<3>{"sum"}, fixed_string<2>{"m4"}, fixed_string<2>{"m2"}>
// expect: mpmd: an op is needed on a mesh on which it cannot be without a transfer
// The message names the op, the meshes on which it is needed, and those on which it can be.
#include <mpmd/analysis/static_sets.hpp>

using namespace mpmd::static_ops;

#ifdef MPMD_CONTROL
constexpr auto where = "m2";
#else
constexpr auto where = "m4";
#endif
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m2", "m4"), argument("x", "m2"),
                                                fragment("x2", {"x"}, "m2"), unassign("part", "x2"),
                                                compute("sum", {"part", "part"}), assign("y", "sum", where));

static_assert(mpmd::check_placed<step>());
