#include <mpmd/lattice/flat.hpp>
#include <mpmd/lattice/map_of.hpp>
#include <mpmd/lattice/mesh_set.hpp>

#include <doctest/doctest.h>

#include <string>

#include "lattice/check_laws.hpp"

namespace map_of_test {

namespace {

using mpmd::change;
using mpmd::map_of;
using mpmd::mesh_set;
using mpmd::mesh_sets;

using uses = map_of<std::string, mesh_sets<4>>;
static_assert(mpmd::join_semilattice<uses> && !mpmd::meet_semilattice<uses> &&
              !mpmd::has_finite_height<uses>);

template <class L, class... Entries>
constexpr typename L::element make(const L& l, const Entries&... entries) {
  typename L::element map;
  (l.set(map, entries.first, entries.second), ...);
  return map;
}

constexpr bool laws_hold_in_a_constant_expression() {
  const map_of<int, mesh_sets<2>> l;
  using set = mesh_set<2>;
  return mpmd::laws::hold(l, {l.bottom(), make(l, std::pair(1, set{0})), make(l, std::pair(2, set{1})),
                              make(l, std::pair(1, set{0, 1}), std::pair(2, set{0}))});
}
static_assert(laws_hold_in_a_constant_expression());

std::vector<std::string> keys(const uses::element& map) {
  std::vector<std::string> result;
  for (const auto& [key, fact] : map) result.push_back(key);
  return result;
}

}  // namespace

TEST_CASE("an absent key is bottom and bottom is never stored") {
  const uses l;
  auto map = l.bottom();
  CHECK(l.at(map, "x") == mesh_set<4>{});
  l.set(map, "x", {});
  CHECK(map.empty());
  l.set(map, "x", {1});
  CHECK(l.at(map, "x") == mesh_set<4>{1});
  l.set(map, "x", {2});
  CHECK(*map.find("x") == mesh_set<4>{2});
  l.set(map, "x", {});
  CHECK(map == l.bottom());
  CHECK(map.find("x") == nullptr);
  CHECK(l.join_at(map, "y", {}) == change::no);
  CHECK(map.empty());
}

TEST_CASE("entries are in the order of their keys, however they came") {
  const uses l;
  uses::element map;
  for (const char* key : {"m", "a", "z", "k"}) l.set(map, key, {0});
  CHECK(keys(map) == std::vector<std::string>{"a", "k", "m", "z"});
  const auto other = make(l, std::pair("zz", mesh_set<4>{1}), std::pair("b", mesh_set<4>{1}),
                          std::pair("A", mesh_set<4>{1}), std::pair("m", mesh_set<4>{1}));
  CHECK(l.join(map, other) == change::yes);
  CHECK(keys(map) == std::vector<std::string>{"A", "a", "b", "k", "m", "z", "zz"});
  CHECK(l.at(map, "m") == mesh_set<4>{0, 1});
  CHECK(l.at(map, "k") == mesh_set<4>{0});
  CHECK(l.at(map, "zz") == mesh_set<4>{1});
}

TEST_CASE("a join reports a grown fact, a new key, and nothing else") {
  const uses l;
  auto map = make(l, std::pair("x", mesh_set<4>{1}), std::pair("y", mesh_set<4>{2}));
  CHECK(l.join(map, make(l, std::pair("y", mesh_set<4>{2}))) == change::no);
  CHECK(l.join(map, map) == change::no);
  CHECK(l.join(map, make(l, std::pair("x", mesh_set<4>{3}))) == change::yes);
  CHECK(l.join(map, make(l, std::pair("a", mesh_set<4>{3}))) == change::yes);
  CHECK(l.join_at(map, "a", {3}) == change::no);
  CHECK(l.join_at(map, "a", {0}) == change::yes);
  CHECK(l.at(map, "a") == mesh_set<4>{0, 3});
}

TEST_CASE("the laws hold for all maps of two keys to a flat lattice") {
  const map_of<int, mpmd::flat<int>> l;
  const std::vector<mpmd::flat<int>::element> facts{{}, 1, 2, l.inner().top()};
  std::vector<map_of<int, mpmd::flat<int>>::element> all;
  for (const auto& first : facts)
    for (const auto& second : facts) all.push_back(make(l, std::pair(5, first), std::pair(3, second)));
  CHECK(all.size() == 16);
  mpmd::testing::check_laws(l, all);
}

}  // namespace map_of_test
