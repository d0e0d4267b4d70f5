#include <mpmd/lattice/powerset.hpp>

#include <doctest/doctest.h>

#include <string>

#include "lattice/check_laws.hpp"

namespace powerset_test {

namespace {

using mpmd::change;
using mpmd::powerset;
using devices = powerset<int>::element;

static_assert(mpmd::lattice<powerset<int>> && !mpmd::has_finite_height<powerset<int>>);

constexpr bool laws_hold_in_a_constant_expression() {
  const devices samples[] = {{}, {1}, {2}, {1, 2}, devices::all()};
  return mpmd::laws::hold(powerset<int>{}, samples);
}
static_assert(laws_hold_in_a_constant_expression());

}  // namespace

TEST_CASE("members are kept once each and in ascending order") {
  const devices set{7, -2, 7, 3};
  CHECK(set.members() == std::vector{-2, 3, 7});
  CHECK(set == devices{3, 7, -2});
  CHECK(set.contains(3));
  CHECK_FALSE(set.contains(4));
}

TEST_CASE("every device absorbs every union and differs from any list of devices") {
  const powerset<int> l;
  auto window = l.bottom();
  CHECK(window.empty());
  CHECK(l.join(window, {1, 2}) == change::yes);
  CHECK(l.join(window, {2}) == change::no);
  CHECK(l.join(window, devices::all()) == change::yes);
  CHECK(window.is_all());
  CHECK_FALSE(window.empty());
  CHECK(window.contains(1'000'000));
  CHECK(l.join(window, {5}) == change::no);
  CHECK(l.join(window, devices::all()) == change::no);
  CHECK(window != devices{1, 2});
  CHECK(window == l.top());
}

TEST_CASE("every device is the identity of intersection") {
  const powerset<int> l;
  auto window = l.top();
  CHECK(l.meet(window, l.top()) == change::no);
  CHECK(l.meet(window, {1, 2, 3}) == change::yes);
  CHECK(window == devices{1, 2, 3});
  CHECK(l.meet(window, l.top()) == change::no);
  CHECK(l.meet(window, {3, 4, 1}) == change::yes);
  CHECK(window == devices{1, 3});
}

TEST_CASE("inserting says whether the member was absent") {
  devices set;
  CHECK(set.insert(4));
  CHECK(set.insert(2));
  CHECK_FALSE(set.insert(4));
  CHECK(set == devices{2, 4});
  auto all = devices::all();
  CHECK_FALSE(all.insert(9));
  CHECK(all.is_all());
}

TEST_CASE("the laws hold for all sets of three devices and every device") {
  std::vector<devices> samples{devices::all()};
  for (int bits = 0; bits < 8; ++bits) {
    devices set;
    for (int d = 0; d < 3; ++d)
      if (bits >> d & 1) set.insert(d * 10);
    samples.push_back(set);
  }
  mpmd::testing::check_laws(powerset<int>{}, samples);
}

TEST_CASE("a set of strings is a set like any other") {
  using names = powerset<std::string>::element;
  mpmd::testing::check_laws(powerset<std::string>{}, {names{}, {"b", "a"}, {"a"}, {"c"}, names::all()});
}

}  // namespace powerset_test
