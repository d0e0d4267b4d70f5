// A pipeline of four stages that is analysed while it compiles: a stage that needs a value where it cannot be stops the
// build. Then the same description is analysed at run time, like any other program.

#include <iostream>

#include <mpmd/analysis/static_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>

using namespace mpmd::static_ops;

// The embedding is shared by the first stage and the last.
constexpr auto step = mpmd::make_static_program(
    mpmd::static_meshes("m1", "m2", "m3", "m4"),  //
    argument("tokens"), argument("embedding"), argument("w2"), argument("w3"),
    compute("x1", {"tokens", "embedding"}), assign("y1", "x1", "m1", "stage 1"),
    transfer("t2", "y1", "m2"), unassign("in2", "t2"),
    compute("x2", {"in2", "w2"}), assign("y2", "x2", "m2", "stage 2"),
    transfer("t3", "y2", "m3"), unassign("in3", "t3"),
    compute("x3", {"in3", "w3"}), assign("y3", "x3", "m3", "stage 3"),
    transfer("t4", "y3", "m4"), unassign("in4", "t4"),
    compute("x4", {"in4", "embedding"}), assign("y4", "x4", "m4", "stage 4"),
    returns({"y4"}));

static_assert(mpmd::needed_on<step>("w3") == mpmd::on<step>("m3"));
static_assert(mpmd::needed_on<step>("embedding") == mpmd::on<step>("m1", "m4"));
static_assert(mpmd::possible_on<step>("x3") == mpmd::on<step>("m3"), "for in3 is there and nowhere else");
static_assert(mpmd::transfers_needed<step>.empty());
static_assert(mpmd::check_placed<step>());

// With a skip connection from the second stage to the fourth. `static_assert(mpmd::check_placed<skipping>())` would not
// compile, and say that "sum" is needed on "m4" and can be on "m2".
constexpr auto skipping = mpmd::make_static_program(
    mpmd::static_meshes("m2", "m4"),  //
    argument("in2", "m2"), argument("in4", "m4"), transfer("sent", "in2", "m4"),
    fragment("x2", {"in2"}, "m2"), unassign("skip", "x2"), compute("sum", {"skip"}), assign("y4", "sum", "m4"),
    fragment("z4", {"y4", "in4", "sent"}, "m4"), returns({"z4"}));

static_assert(!mpmd::is_placed<skipping>());
static_assert(mpmd::transfers_needed<skipping>.size() == 1);

int main() {
  for (auto const& t : mpmd::transfers_needed<skipping>)
    std::cout << t.value << " must go from " << t.from << " to " << t.to << '\n';

  auto const uses = mpmd::use_sets(step);
  for (auto const argument : step.arguments()) {
    std::cout << step[argument].name << " is needed on";
    for (auto const mesh : uses.meshes(argument)) std::cout << ' ' << mesh;
    std::cout << '\n';
  }
}
