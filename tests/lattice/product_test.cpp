#include <mpmd/lattice/flat.hpp>
#include <mpmd/lattice/inverted.hpp>
#include <mpmd/lattice/mesh_set.hpp>
#include <mpmd/lattice/powerset.hpp>
#include <mpmd/lattice/product.hpp>

#include <doctest/doctest.h>

#include "lattice/check_laws.hpp"

namespace product_test {

namespace {

using mpmd::change;
using mpmd::mesh_set;
using mpmd::mesh_sets;
using mpmd::product;

// The meshes that need a value, and those that can have it.
using placement = product<mesh_sets<2>, mpmd::inverted<mesh_sets<2>>>;
static_assert(mpmd::lattice<placement>);
static_assert(mpmd::has_finite_height<placement>);
static_assert(!mpmd::has_finite_height<product<mesh_sets<2>, mpmd::powerset<int>>>);

static_assert(
    mpmd::laws::hold<placement>({{{}, {0, 1}}, {{0}, {0}}, {{0, 1}, {0}}, {{1}, {1}}, {{0, 1}, {}}}));

static_assert(mpmd::lattice<product<>>);
static_assert(mpmd::laws::hold<product<>>({{}}));

}  // namespace

TEST_CASE("places are joined each in its own lattice, and any change is reported") {
  const placement l;
  auto fact = l.bottom();
  CHECK(fact == placement::element({}, {0, 1}));
  CHECK(l.join(fact, {{0}, {0, 1}}) == change::yes);
  CHECK(l.join(fact, {{}, {1}}) == change::yes);
  CHECK(l.join(fact, {{0}, {1}}) == change::no);
  CHECK(fact == placement::element({0}, {1}));
  CHECK(l.meet(fact, {{1}, {0}}) == change::yes);
  CHECK(fact == l.bottom());
  CHECK(l.top() == placement::element({0, 1}, {}));
}

TEST_CASE("a change in the last place alone and in the first place alone is reported") {
  const product<mesh_sets<2>, mesh_sets<2>, mesh_sets<2>> l;
  auto fact = l.bottom();
  CHECK(l.join(fact, {{}, {}, {0}}) == change::yes);
  CHECK(l.join(fact, {{0}, {}, {}}) == change::yes);
  CHECK(l.join(fact, {{0}, {}, {0}}) == change::no);
}

TEST_CASE("the laws hold for all pairs of sets of two meshes") {
  std::vector<placement::element> all;
  for (const mesh_set<2>& uses : {mesh_set<2>{}, {0}, {1}, {0, 1}})
    for (const mesh_set<2>& sources : {mesh_set<2>{}, {0}, {1}, {0, 1}}) all.push_back({uses, sources});
  mpmd::testing::check_laws(placement{}, all);
}

TEST_CASE("a factor keeps what it knows") {
  const product l(mesh_sets<>(3), mesh_sets<>(70));
  CHECK(l.factor<0>().universe() == 3);
  CHECK(std::get<1>(l.top()).size() == 70);
}

}  // namespace product_test
