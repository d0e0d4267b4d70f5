#include <mpmd/lattice/interned.hpp>
#include <mpmd/lattice/mesh_set.hpp>
#include <mpmd/lattice/with_origins.hpp>

#include <doctest/doctest.h>

#include <random>

#include "lattice/check_laws.hpp"

namespace interned_test {

namespace {

using mpmd::change;
using mpmd::interned;
using mpmd::mesh_set;
using mpmd::mesh_sets;
using mpmd::with_origins;

using labelled = with_origins<mesh_sets<>>;
static_assert(mpmd::join_semilattice<interned<labelled>>);
static_assert(sizeof(interned<labelled>::element) == 8 &&
              std::is_trivially_copyable_v<interned<labelled>::element>);

constexpr bool laws_hold_in_a_constant_expression() {
  const interned<mesh_sets<4>> l;
  const mpmd::interned_element samples[] = {l.bottom(), l.make({1}), l.make({2}), l.make({1, 2, 3})};
  return mpmd::laws::hold(l, samples) && l.value(samples[3]) == mesh_set<4>{1, 2, 3};
}
static_assert(laws_hold_in_a_constant_expression());

// Counts its joins, and has so poor a hash that all sets of a size collide.
struct counting_sets : mesh_sets<> {
  explicit counting_sets(int& joins) : mesh_sets<>(64), count(&joins) {}
  change join(element& into, const element& from) const {
    ++*count;
    return mesh_sets<>::join(into, from);
  }
  std::uint64_t digest(const element& set) const { return set.size(); }
  int* count;
};

}  // namespace

TEST_CASE("an element is kept once, and its handle leads back to it") {
  const interned<mesh_sets<>> l(mesh_sets<>(100));
  const auto a = l.make({1, 99});
  CHECK(l.make({99, 1}).form == a.form);
  CHECK(l.value(a) == mesh_set<>{1, 99});
  CHECK(l.forms() == 2);
  CHECK(l.make({}) == l.bottom());
  CHECK(l.value(l.bottom()) == mesh_set<>{});
  CHECK(l.forms() == 2);
}

TEST_CASE("elements that differ in the order of arrival are equal but keep their order") {
  const interned<labelled> l(labelled(mesh_sets<>(4)));
  const auto ab = l.make({{1}, {10, 20}}), ba = l.make({{1}, {20, 10}});
  CHECK(ab == ba);
  CHECK(ab.form != ba.form);
  CHECK(*l.value(ba).origins.begin() == 20);
  CHECK(*l.value(ab).origins.begin() == 10);
  auto fact = ba;
  CHECK(l.join(fact, ab) == change::no);
  CHECK(fact.form == ba.form);
  CHECK(l.make({{2}, {20, 10}}) != ba);
}

TEST_CASE("the order of arrival is the one the inner lattice gives, also from the memory") {
  const interned<labelled> l(labelled(mesh_sets<>(4)));
  const auto a = l.make({{1}, {30}}), b = l.make({{2}, {10, 30, 20}});
  for (int round = 0; round < 2; ++round) {
    auto ab = a, ba = b;
    CHECK(l.join(ab, b) == change::yes);
    CHECK(l.join(ba, a) == change::yes);
    CHECK(ab == ba);
    CHECK(l.inner().identical(l.value(ab), {{1, 2}, {30, 10, 20}}));
    CHECK(l.inner().identical(l.value(ba), {{1, 2}, {10, 30, 20}}));
  }
}

TEST_CASE("a join that was done before is not done again") {
  int joins = 0;
  const interned<counting_sets> l{counting_sets(joins)};
  const auto a = l.make({1}), b = l.make({2});
  for (int i = 0; i < 1000; ++i) {
    auto fact = l.bottom();
    CHECK(l.join(fact, a) == change::yes);
    CHECK(l.join(fact, b) == change::yes);
    CHECK(l.join(fact, b) == change::no);
    CHECK(l.join(fact, l.bottom()) == change::no);
  }
  CHECK(joins == 2);
}

TEST_CASE("interned joins agree with the inner lattice while the pool grows and hashes collide") {
  int joins = 0;
  const counting_sets inner(joins);
  const interned<counting_sets> l(inner);
  std::mt19937 random{3};
  std::vector<mesh_set<>> values(1);
  std::vector<mpmd::interned_element> handles{l.bottom()};
  for (int step = 0; step < 3000; ++step) {
    const auto i = random() % values.size(), j = random() % values.size();
    auto value = values[i];
    auto handle = handles[i];
    if (step % 3 == 0) {
      value = mesh_set<>{static_cast<unsigned>(random() % 12)};
      handle = l.make(value);
    } else {
      CHECK(l.join(handle, handles[j]) == inner.join(value, values[j]));
    }
    CHECK(l.value(handle) == value);
    CHECK((handle == handles[j]) == (value == values[j]));
    values.push_back(value);
    handles.push_back(handle);
  }
  CHECK(l.forms() > 100);
}

TEST_CASE("copies share one pool, which outlives the first of them") {
  auto first = new interned<mesh_sets<>>(mesh_sets<>(8));
  const auto a = first->make({1, 2});
  interned<mesh_sets<>> second = *first, third(mesh_sets<>(8));
  third = second;
  delete first;
  CHECK(second.value(a) == mesh_set<>{1, 2});
  CHECK(third.make({1, 2}).form == a.form);
}

TEST_CASE("a reference to an element stays good while others are added") {
  const interned<mesh_sets<>> l(mesh_sets<>(200));
  const auto& value = l.value(l.make({7}));
  for (unsigned m = 0; m < 200; ++m) CHECK(l.value(l.make({m})).contains(m));
  CHECK(value == mesh_set<>{7});
}

TEST_CASE("the laws hold for interned facts with labels") {
  const interned<labelled> l(labelled(mesh_sets<>(4)));
  std::vector<mpmd::interned_element> samples;
  for (const mesh_set<>& fact : {mesh_set<>{}, {0}, {1}, {0, 1}})
    for (const mpmd::arrival_set<std::uint32_t>& origins :
         {mpmd::arrival_set<std::uint32_t>{}, {5}, {6, 5}, {5, 6}})
      samples.push_back(l.make({fact, origins}));
  mpmd::testing::check_laws(l, samples);
}

}  // namespace interned_test
