#include <mpmd/lattice/flat.hpp>
#include <mpmd/lattice/interned.hpp>
#include <mpmd/lattice/mesh_set.hpp>
#include <mpmd/lattice/powerset.hpp>
#include <mpmd/lattice/with_origins.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "lattice/check_laws.hpp"

namespace with_origins_test {

namespace {

using mpmd::change;
using mpmd::mesh_set;
using mpmd::mesh_sets;
using mpmd::with_origins;

using uses = with_origins<mesh_sets<>, std::string>;
static_assert(mpmd::join_semilattice<uses> && !mpmd::meet_semilattice<uses>);
static_assert(mpmd::internable<with_origins<mesh_sets<>>> &&
              mpmd::internable<with_origins<with_origins<mesh_sets<4>>>>);
static_assert(!mpmd::has_finite_height<with_origins<mpmd::powerset<int>>> && mpmd::has_finite_height<uses>);

constexpr bool laws_hold_in_a_constant_expression() {
  using lattice = with_origins<mesh_sets<4>>;
  const lattice l;
  const lattice::element samples[] = {l.bottom(),    {{}, {7}},     {{1}, {7}},
                                      {{1}, {8, 7}}, {{1}, {7, 8}}, {{2}, {}}};
  return mpmd::laws::hold(l, samples);
}
static_assert(laws_hold_in_a_constant_expression());

std::vector<std::string> labels(const uses::element& e) { return {e.origins.begin(), e.origins.end()}; }

}  // namespace

TEST_CASE("a join takes the labels along in order of arrival") {
  const uses l{mesh_sets<>(4)};
  uses::element fact{{2}, {"s1"}};
  CHECK(l.join(fact, {{1}, {"s0", "s1"}}) == change::yes);
  CHECK(fact.fact == mesh_set<>{1, 2});
  CHECK(labels(fact) == std::vector<std::string>{"s1", "s0"});
}

TEST_CASE("a new label is a change even where the fact stays, and a new order is none") {
  const uses l{mesh_sets<>(4)};
  uses::element fact{{2}, {"a", "b"}};
  CHECK(l.join(fact, {{2}, {"b", "a"}}) == change::no);
  CHECK(l.join(fact, {{}, {"c"}}) == change::yes);
  CHECK(l.join(fact, l.bottom()) == change::no);
  CHECK(fact == uses::element{{2}, {"c", "b", "a"}});
  CHECK_FALSE(l.identical(fact, {{2}, {"c", "b", "a"}}));
}

TEST_CASE("a fact tells which mesh each label belongs to when the labels are pairs") {
  const with_origins<mesh_sets<>, std::pair<unsigned, std::string>> l{mesh_sets<>(4)};
  auto fact = l.bottom();
  CHECK(l.join(fact, {{1}, {{1, "enc"}}}) == change::yes);
  CHECK(l.join(fact, {{2}, {{2, "enc"}}}) == change::yes);
  CHECK(fact.origins.size() == 2);
}

TEST_CASE("the laws hold with labels in any order of arrival") {
  const with_origins<mpmd::flat<int>> l;
  std::vector<with_origins<mpmd::flat<int>>::element> samples;
  for (const auto& fact :
       {l.inner().bottom(), mpmd::flat<int>::element(1), mpmd::flat<int>::element(2), l.inner().top()})
    for (const mpmd::arrival_set<std::uint32_t>& origins :
         {mpmd::arrival_set<std::uint32_t>{}, {5}, {6, 5}, {5, 6}})
      samples.push_back({fact, origins});
  mpmd::testing::check_laws(l, samples);
}

}  // namespace with_origins_test
