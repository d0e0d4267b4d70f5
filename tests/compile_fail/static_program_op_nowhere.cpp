// expect-g++: operands_of_op_are_nowhere_together<mpmd::fixed_string<4>{"both"}, mpmd::fixed_string<23>{"left on m1, right on m2"}>
// expect-clang: operands_of_op_are_nowhere_together<fixed_string<4>{"both"}, fixed_string<23>{"left on m1, right on m2"}>
// expect: mpmd: the operands of an op are on no mesh together without a transfer
// An op that nothing needs has to be somewhere, too.
#include <mpmd/analysis/static_sets.hpp>

using namespace mpmd::static_ops;

#ifdef MPMD_CONTROL
constexpr auto other = "left";
#else
constexpr auto other = "right";
#endif
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1", "m2"), argument("x", "m1"), argument("y", "m2"),
                                                fragment("x1", {"x"}, "m1"), fragment("y1", {"y"}, "m2"),
                                                unassign("left", "x1"), unassign("right", "y1"),
                                                compute("both", {"left", other}));

static_assert(mpmd::check_placed<step>());
