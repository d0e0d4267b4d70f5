#include <mpmd/lattice/flat.hpp>
#include <mpmd/lattice/inverted.hpp>
#include <mpmd/lattice/lift.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <doctest/doctest.h>

#include "lattice/check_laws.hpp"

namespace lift_test {

namespace {

using mpmd::change;
using mpmd::lift;
using mpmd::mesh_set;
using mpmd::mesh_sets;

using sources = lift<mpmd::inverted<mesh_sets<2>>>;
static_assert(mpmd::lattice<sources>);
static_assert(
    mpmd::laws::hold<sources>({{}, mesh_set<2>{}, mesh_set<2>{0}, mesh_set<2>{1}, mesh_set<2>{0, 1}}));
static_assert(mpmd::has_finite_height<sources>);

}  // namespace

TEST_CASE("no fact yet differs from the bottom of the inner lattice and lies below it") {
  const sources l;
  const sources::element everywhere = l.inner().bottom();
  CHECK(l.bottom() != everywhere);
  CHECK(mpmd::less_equal(l, l.bottom(), everywhere));
  CHECK_FALSE(mpmd::less_equal(l, everywhere, l.bottom()));
}

TEST_CASE("the first fact is taken over as it is, even when it is the inner bottom") {
  const sources l;
  auto fact = l.bottom();
  CHECK(l.join(fact, l.bottom()) == change::no);
  CHECK(l.join(fact, mesh_set<2>{0, 1}) == change::yes);
  CHECK(fact == mesh_set<2>{0, 1});
  CHECK(l.join(fact, l.bottom()) == change::no);
  CHECK(l.join(fact, mesh_set<2>{1}) == change::yes);
  CHECK(fact == mesh_set<2>{1});
}

TEST_CASE("a meet with no fact yet leaves no fact") {
  const sources l;
  const sources::element none;
  sources::element fact = mesh_set<2>{1};
  CHECK(l.meet(fact, mesh_set<2>{0}) == change::yes);
  CHECK(fact == mesh_set<2>{0, 1});
  CHECK(l.meet(fact, none) == change::yes);
  CHECK_FALSE(fact.has_value());
  CHECK(l.meet(fact, l.top()) == change::no);
  CHECK(l.top() == mesh_set<2>{});
}

TEST_CASE("the laws hold for a lattice lifted twice") {
  using inner = lift<mpmd::flat<int>>;
  const lift<inner> l{inner()};
  using fact = mpmd::flat<int>::element;
  mpmd::testing::check_laws(l, {l.bottom(), inner::element(), inner::element(fact()), inner::element(fact(1)),
                                inner::element(fact(2)), l.top()});
  const lift<inner>::element inner_bottom = inner::element();
  CHECK(l.bottom() != inner_bottom);
}

}  // namespace lift_test
