#include <mpmd/lattice/interval_powerset.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <set>

#include "lattice/check_laws.hpp"

namespace interval_powerset_test {

namespace {

using mpmd::change;
using devices = mpmd::interval_powerset<>::element;
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

static_assert(mpmd::lattice<mpmd::interval_powerset<>> && !mpmd::has_finite_height<mpmd::interval_powerset<>>);

devices of(std::initializer_list<std::int64_t> members) {
  devices set;
  for (auto const m : members) set.insert({m, m});
  return set;
}

}  // namespace

TEST_CASE("the laws of a lattice hold for intervals") {
  mpmd::testing::check_laws(mpmd::interval_powerset<>{}, {{}, of({1}), of({2}), of({1, 2}), {0, 9}, of({0, 2, 4, 6, 8, 10}),
                                                          of({1, 3, 5, 7, 9, 11}), {least, most}, devices::all()});
}

TEST_CASE("adjacent and overlapping intervals become one") {
  auto set = of({0, 2});
  CHECK(set.intervals().size() == 2);
  CHECK(set.insert({1, 1}));
  CHECK(set.intervals().size() == 1);
  CHECK(set == devices(0, 2));
  CHECK_FALSE(set.insert({0, 1}));
  CHECK(set.insert({2, 5}));
  CHECK(set == devices(0, 5));
  CHECK(set.members() == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
  CHECK(devices(4, 3).empty());
}

TEST_CASE("the ends of the number range are members like others") {
  devices set(most, most);
  CHECK(set.insert({least, least}));
  CHECK(set.contains(most));
  CHECK(set.contains(least));
  CHECK_FALSE(set.contains(0));
  CHECK(set.insert({least + 1, most - 1}));
  CHECK(set == devices(least, most));
  CHECK(set.size() == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("all is not the set of all numbers") {
  CHECK(devices::all() != devices(least, most));
  auto set = of({3});
  CHECK(mpmd::interval_powerset<>{}.join(set, devices::all()) == change::yes);
  CHECK(set.is_all());
  CHECK(mpmd::interval_powerset<>{}.join(set, of({5})) == change::no);
}

TEST_CASE("union and intersection agree with sets of single numbers") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    devices a, b;
    std::set<std::int64_t> in_a, in_b;
    for (int i = 0; i < 12; ++i) {
      auto const v = static_cast<std::int64_t>(random() % 40), w = static_cast<std::int64_t>(random() % 40);
      CHECK(a.insert({v, v}) == in_a.insert(v).second);
      CHECK(b.insert({w, w}) == in_b.insert(w).second);
    }
    auto both = a, common = a;
    std::set<std::int64_t> in_both = in_a, in_common;
    in_both.insert(in_b.begin(), in_b.end());
    for (auto const v : in_a)
      if (in_b.contains(v)) in_common.insert(v);
    CHECK(both.unite(b) == (in_both != in_a));
    CHECK(common.retain(b) == (in_common != in_a));
    CHECK(both.members() == std::vector<std::int64_t>(in_both.begin(), in_both.end()));
    CHECK(common.members() == std::vector<std::int64_t>(in_common.begin(), in_common.end()));
    CHECK((a <=> b == 0) == (in_a == in_b));
  }
}

}  // namespace interval_powerset_test
