#include <mpmd/lattice/flat.hpp>

#include <doctest/doctest.h>

#include <string>

#include "lattice/check_laws.hpp"

namespace flat_test {

namespace {

using mpmd::change;
using mpmd::flat;

static_assert(mpmd::lattice<flat<int>> && mpmd::has_finite_height<flat<int>>);
static_assert(mpmd::laws::hold<flat<int>>({{}, 1, 2, 3, flat<int>{}.top()}));

}  // namespace

TEST_CASE("values that agree stay, and values that differ conflict for good") {
  const flat<std::string> l;
  auto fact = l.bottom();
  CHECK(fact.is_bottom());
  CHECK(l.join(fact, {"m1"}) == change::yes);
  CHECK(fact.value() == "m1");
  CHECK(l.join(fact, {"m1"}) == change::no);
  CHECK(l.join(fact, l.bottom()) == change::no);
  CHECK(l.join(fact, {"m2"}) == change::yes);
  CHECK(fact.is_top());
  CHECK_FALSE(fact.has_value());
  CHECK(l.join(fact, {"m1"}) == change::no);
  CHECK(l.join(fact, l.bottom()) == change::no);
  CHECK(fact == l.top());
}

TEST_CASE("a meet of different values has nothing left") {
  const flat<int> l;
  auto fact = l.top();
  CHECK(l.meet(fact, {4}) == change::yes);
  CHECK(fact.value() == 4);
  CHECK(l.meet(fact, l.top()) == change::no);
  CHECK(l.meet(fact, {5}) == change::yes);
  CHECK(fact.is_bottom());
}

TEST_CASE("the laws hold where values own memory") {
  const flat<std::string> l;
  mpmd::testing::check_laws(l, {l.bottom(), {"a"}, {"b"}, {std::string(100, 'c')}, l.top()});
}

}  // namespace flat_test
