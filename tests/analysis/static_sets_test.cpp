// Sets found while compiling: worked out by hand, and compared with those that are found at run time.
#include <mpmd/analysis/static_sets.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/analysis/why.hpp>

#include "testing/static_ops.hpp"

namespace static_sets_test {

using namespace mpmd::static_ops;
using mpmd::make_static_program;
using mpmd::static_meshes;

static_assert(mpmd::check_mpmd_program<mpmd::static_program<2, 3, 4>>());

// x and w are used by two stages; the second takes what the first made.
constexpr auto stages = make_static_program(
    static_meshes("m1", "m2"), argument("x"), argument("w"), argument("unused"), compute("h", {"x", "w"}),
    assign("h1", "h", "m1", "first"), transfer("h2", "h1", "m2"), unassign("h3", "h2"), compute("y", {"h3", "w"}),
    assign("y1", "y", "m2", "second"), constant("c"), compute("dead", {"c", "c"}), returns({"y1", "dead"}));

static_assert(mpmd::needed_on<stages>("x") == mpmd::on<stages>("m1"));
static_assert(mpmd::needed_on<stages>("w") == mpmd::on<stages>("m1", "m2"));
static_assert(mpmd::needed_on<stages>("h") == mpmd::on<stages>("m1"));
static_assert(mpmd::needed_on<stages>("unused") == mpmd::on<stages>());
static_assert(mpmd::possible_on<stages>("w") == mpmd::on<stages>("m1", "m2"));
static_assert(mpmd::possible_on<stages>("h3") == mpmd::on<stages>("m2"));
static_assert(mpmd::possible_on<stages>("y") == mpmd::on<stages>("m2"));
static_assert(!mpmd::possible_on<stages>("dead").has_value(), "anywhere");
static_assert(mpmd::transfers_needed<stages>.empty());
static_assert(mpmd::is_placed<stages>() && mpmd::check_placed<stages>());

// q is made of what is on m2, and needed on m1; nothing can be made of z and q together where they are.
constexpr auto misplaced = make_static_program(
    static_meshes("m1", "m2"), argument("a", "m1"), argument("b", "m2"), fragment("a1", {"a"}, "m1"),
    fragment("b1", {"b"}, "m2"), unassign("z", "a1"), unassign("q", "b1"), compute("both", {"z", "q"}),
    assign("r", "both", "m1"), compute("q2", {"q"}), assign("s", "q2", "m1"), returns({"r", "s"}));

static_assert(mpmd::possible_on<misplaced>("both") == mpmd::on<misplaced>(), "nowhere");
static_assert(!mpmd::is_placed<misplaced>());
static_assert(mpmd::transfers_needed<misplaced> ==
              std::array{mpmd::static_transfer{"q", "m2", "m1"}, mpmd::static_transfer{"q2", "m2", "m1"}});

// Sums across meshes stay where their parts are; an argument that comes on a mesh may move.
constexpr auto sums = make_static_program(
    static_meshes("m1", "m2", "m3"), argument("p", "m1"), argument("a", "m1"), argument("b", "m2"),
    fragment("a1", {"a"}, "m1"), fragment("b1", {"b"}, "m2"), unassign("u", "a1"), unassign("v", "b1"),
    combine("sum", mpmd::reduction_kind::add, {"u", "v"}), combine("more", mpmd::reduction_kind::add, {"sum", "u"}),
    combine("other", mpmd::reduction_kind::max, {"sum", "v"}), assign("s", "more", "m2"), unassign("free", "p"),
    compute("f", {"free"}), assign("f3", "f", "m3"), broadcast("spread", "f"), reduce("all", {"spread", "f"}),
    assign("t", "all", "m1"), returns({"s", "f3", "t", "other"}));

static_assert(mpmd::possible_on<sums>("sum") == mpmd::on<sums>("m1", "m2"));
static_assert(mpmd::possible_on<sums>("free") == mpmd::on<sums>("m1", "m3"));
static_assert(mpmd::needed_on<sums>("spread") == mpmd::on<sums>("m1"));
static_assert(mpmd::needed_on<sums>("f") == mpmd::on<sums>("m3"), "barriers stop what is needed");
static_assert(mpmd::is_placed<sums>());

// Nobody needs what has no place, and it has to be somewhere all the same.
constexpr auto dead = make_static_program(
    static_meshes("m1", "m2"), argument("a", "m1"), argument("b", "m2"), fragment("a1", {"a"}, "m1"),
    fragment("b1", {"b"}, "m2"), unassign("z", "a1"), unassign("q", "b1"), compute("both", {"z", "q"}));
static_assert(mpmd::possible_on<dead>("both") == mpmd::on<dead>(), "nowhere");
static_assert(mpmd::transfers_needed<dead>.empty());
static_assert(!mpmd::is_placed<dead>());

template <auto const& Program>
void compare_with_run_time() {
  auto const uses = mpmd::use_sets(Program);
  auto const srcs = mpmd::src_sets(uses);
  for (auto const& e : Program.entries()) {
    if (e.means == mpmd::role::terminator) continue;
    CAPTURE(e.name);
    auto const name_all = [](auto const& set) {
      std::vector<std::string_view> names;
      for (auto const m : set) names.push_back(Program.meshes()[m]);
      return names;
    };
    auto const sorted = [](std::vector<std::string_view> names) {
      std::sort(names.begin(), names.end());
      return names;
    };
    std::size_t const i = e.self.number - 1;
    CHECK(sorted(uses.meshes(e.self)) == name_all(mpmd::static_use_sets<Program>[i]));
    auto const& src = mpmd::static_src_sets<Program>.sets[i];
    CHECK(srcs.anywhere(e.self) == !src.has_value());
    if (src) CHECK(sorted(srcs.meshes(e.self)) == name_all(*src));
    CHECK(srcs.reduction(uses.map->number(e.self)) == mpmd::static_src_sets<Program>.reductions[i]);
  }
}

TEST_CASE("the sets of a static program are those that are found at run time") {
  compare_with_run_time<stages>();
  compare_with_run_time<sums>();
}

TEST_CASE("generated static programs have the same sets when they compile and when they run") {
  compare_with_run_time<testing::generated_static_program<60, 1>>();
  compare_with_run_time<testing::generated_static_program<60, 2>>();
  compare_with_run_time<testing::generated_static_program<60, 3>>();
}

// Within what compilers count of a constant evaluation by default.
static_assert(mpmd::static_missing_sets<testing::generated_static_program<1000, 5>>.size() == 1000);

TEST_CASE("a static program of a thousand ops has the same sets when it compiles and when it runs") {
  compare_with_run_time<testing::generated_static_program<1000, 5>>();
}

TEST_CASE("a static program explains its sets like any other") {
  auto const uses = mpmd::use_sets(stages);
  mpmd::explainer why(uses);
  std::vector<std::string_view> names;
  for (auto const& at : why.why(stages.find("w"), "m2")) names.push_back(stages[at.o ? at.o : at.v].name);
  CHECK(names == std::vector<std::string_view>{"w", "y", "y1"});
}

}  // namespace static_sets_test
