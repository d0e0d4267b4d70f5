#include <mpmd/lattice/arrival_set.hpp>

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace arrival_set_test {

namespace {

using mpmd::arrival_set;

template <class T>
std::vector<T> members(const arrival_set<T>& set) {
  return {set.begin(), set.end()};
}

constexpr bool works_in_a_constant_expression() {
  arrival_set<int> set{3, 1, 3};
  return set.size() == 2 && *set.begin() == 3 && set.unite(arrival_set{1, 2}) && set == arrival_set{1, 2, 3};
}
static_assert(works_in_a_constant_expression());

constexpr bool works_there_with_many_members_too() {
  arrival_set<int> evens, all;
  for (int i = 0; i < 40; i += 2) evens.insert(i);
  for (int i = 0; i < 40; ++i) all.insert(i);
  return evens.unite(all) && evens.size() == 40 && *(evens.end() - 1) == 39;
}
static_assert(works_there_with_many_members_too());

}  // namespace

TEST_CASE("members keep the order in which they first arrived") {
  arrival_set<std::string> set{"s1", "s0", "s1"};
  CHECK(set.insert("a"));
  CHECK_FALSE(set.insert("s0"));
  CHECK(members(set) == std::vector<std::string>{"s1", "s0", "a"});
  CHECK(set.contains("a"));
  CHECK_FALSE(set.contains("b"));
}

TEST_CASE("a union appends what is new, in the order of the other set") {
  arrival_set<int> set{5, 1};
  CHECK(set.unite(arrival_set{9, 1, 2}));
  CHECK(members(set) == std::vector{5, 1, 9, 2});
  CHECK_FALSE(set.unite(arrival_set{2, 5}));
  CHECK_FALSE(set.unite(arrival_set<int>{}));
  CHECK_FALSE(set.unite(set));
  CHECK(members(set) == std::vector{5, 1, 9, 2});
}

TEST_CASE("equality ignores the order of arrival and identity does not") {
  const arrival_set<int> a{1, 2, 3}, b{3, 1, 2}, c{1, 2, 4}, d{1, 2};
  CHECK(a == b);
  CHECK_FALSE(a.identical(b));
  CHECK(a.identical(arrival_set<int>{1, 2, 3}));
  CHECK(a != c);
  CHECK(a != d);
  CHECK(members(b.sorted()) == std::vector{1, 2, 3});
}

TEST_CASE("large unions agree with one insertion at a time") {
  std::mt19937 random{7};
  for (int round = 0; round < 20; ++round) {
    std::vector<int> first(random() % 60), second(random() % 60);
    for (auto& value : first) value = static_cast<int>(random() % 80);
    for (auto& value : second) value = static_cast<int>(random() % 80);
    std::vector<int> expected;
    std::set<int> seen;
    for (const auto* part : {&first, &second})
      for (int value : *part)
        if (seen.insert(value).second) expected.push_back(value);

    arrival_set<int> set{std::span<const int>(first)};
    const auto before = set.size();
    CHECK(set.unite(std::span<const int>(second)) == (expected.size() > before));
    CHECK(members(set) == expected);
  }
}

TEST_CASE("a union of a hundred thousand labels is not quadratic") {
  std::vector<int> low(100'000), high(100'000);
  for (int i = 0; i < 100'000; ++i) {
    low[static_cast<std::size_t>(i)] = i;
    high[static_cast<std::size_t>(i)] = 50'000 + i;
  }
  arrival_set<int> set{std::span<const int>(low)};
  CHECK(set.unite(arrival_set<int>{std::span<const int>(high)}));
  CHECK(set.size() == 150'000);
}

}  // namespace arrival_set_test
