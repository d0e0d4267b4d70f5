#include <mpmd/lattice/inverted.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <doctest/doctest.h>

#include "lattice/check_laws.hpp"

namespace inverted_test {

namespace {

using mpmd::change;
using mpmd::inverted;
using mpmd::mesh_sets;

static_assert(mpmd::lattice<inverted<mesh_sets<>>> && mpmd::lattice<inverted<inverted<mesh_sets<4>>>>);
static_assert(sizeof(inverted<mesh_sets<>>) == sizeof(mesh_sets<>));
static_assert(mpmd::laws::hold<inverted<mesh_sets<2>>>({{}, {0}, {1}, {0, 1}}));

// With a meet but no join, upside down it has a join but no meet.
struct only_meet {
  using element = unsigned;
  static constexpr bool finite_height = false;
  constexpr element top() const { return 9; }
  constexpr change meet(element& into, const element& from) const {
    if (into <= from) return change::no;
    into = from;
    return change::yes;
  }
};
static_assert(mpmd::join_semilattice<inverted<only_meet>> && !mpmd::meet_semilattice<inverted<only_meet>>);
static_assert(!mpmd::has_finite_height<inverted<only_meet>> &&
              mpmd::has_finite_height<inverted<mesh_sets<>>>);

}  // namespace

TEST_CASE("upside down, every mesh is the bottom and a join is an intersection") {
  const inverted<mesh_sets<>> sources(mesh_sets<>(3));
  auto set = sources.bottom();
  CHECK(set == mpmd::mesh_set<>{0, 1, 2});
  CHECK(sources.join(set, {0, 2}) == change::yes);
  CHECK(sources.join(set, {0, 1, 2}) == change::no);
  CHECK(set == mpmd::mesh_set<>{0, 2});
  CHECK(sources.meet(set, {1}) == change::yes);
  CHECK(set == mpmd::mesh_set<>{0, 1, 2});
  CHECK(sources.top().empty());
}

TEST_CASE("the laws hold upside down for all sets of three meshes") {
  std::vector<mpmd::mesh_set<>> all;
  for (unsigned bits = 0; bits < 8; ++bits) {
    mpmd::mesh_set<> set;
    for (unsigned m = 0; m < 3; ++m)
      if (bits >> m & 1) set.insert(m);
    all.push_back(set);
  }
  mpmd::testing::check_laws(inverted(mesh_sets<>(3)), all);
  mpmd::testing::check_laws(mesh_sets<>(3), all);
}

}  // namespace inverted_test
