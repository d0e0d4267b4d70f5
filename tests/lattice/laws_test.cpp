#include <mpmd/lattice/laws.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace laws_test {

namespace {

using mpmd::change;
using mpmd::changed_if;

// The subsets of {0, 1, 2} as bits: a lattice that keeps every law, and the base of those that break one.
struct subsets {
  using element = std::uint8_t;

  constexpr element bottom() const { return 0; }
  constexpr element top() const { return 7; }
  constexpr change join(element& into, const element& from) const { return replace(into, into | from); }
  constexpr change meet(element& into, const element& from) const { return replace(into, into & from); }

 protected:
  static constexpr change replace(element& into, int with) {
    const auto before = into;
    into = static_cast<element>(with);
    return changed_if(into != before);
  }
};

static_assert(mpmd::lattice<subsets>);
static_assert(mpmd::laws::hold<subsets>({0, 1, 2, 3, 4, 5, 6, 7}));
static_assert(mpmd::laws::hold(mpmd::inverted<subsets>{}, {0, 1, 2, 3, 4, 5, 6, 7}));

const std::vector<std::uint8_t> all{0, 1, 2, 3, 4, 5, 6, 7};

struct xor_join : subsets {
  constexpr change join(element& into, const element& from) const { return replace(into, into ^ from); }
};
struct first_writer_wins : subsets {
  constexpr change join(element& into, const element& from) const {
    return replace(into, into == 0 ? from : into);
  }
};
struct last_writer_wins : subsets {
  constexpr change join(element& into, const element& from) const {
    return replace(into, from == 0 ? into : from);
  }
};
struct always_says_yes : subsets {
  constexpr change join(element& into, const element& from) const {
    return subsets::join(into, from) | change::yes;
  }
};
struct always_says_no : subsets {
  constexpr change join(element& into, const element& from) const {
    return subsets::join(into, from) == change::yes ? change::no : change::no;
  }
};
struct bottom_is_not_below : subsets {
  constexpr element bottom() const { return 1; }
};
struct joins_in_two_steps : subsets {
  constexpr change join(element& into, const element& from) const {
    const auto before = into;
    into = 7;
    into = static_cast<element>(before | from);
    return changed_if(into != before);
  }
};
struct average : subsets {
  constexpr change join(element& into, const element& from) const {
    return replace(into, into == 0 ? from : from == 0 ? into : (into + from) / 2);
  }
};
// 1 beats 2, 2 beats 3, 3 beats 1.
struct rock_paper_scissors : subsets {
  constexpr change join(element& into, const element& from) const {
    const bool from_wins =
        into == 0 || (into == 2 && from == 1) || (into == 3 && from == 2) || (into == 1 && from == 3);
    return replace(into, from_wins ? from : into);
  }
};
struct jumps_to_the_top : subsets {
  constexpr change join(element& into, const element& from) const {
    const int both = into | from;
    return replace(into, both == into || both == from ? both : 7);
  }
};
// Wrong only for joins of pairs with 4, so that single elements 1, 2 and 4 are ordered as they should be.
struct adds_a_bit_later : subsets {
  constexpr change join(element& into, const element& from) const {
    const int both = into | from;
    const bool three_and_four = both == 7 && (into == 3 || from == 3) && (into == 4 || from == 4);
    return replace(into, three_and_four ? 15 : both);
  }
};

template <class L>
std::string_view broken_by(std::vector<std::uint8_t> samples = all) {
  return mpmd::laws::broken(L{}, samples).law;
}

// Equality ignores `hidden`, but join does not.
struct with_a_hidden_part {
  struct element {
    int bits;
    bool hidden;
    friend constexpr bool operator==(const element& a, const element& b) { return a.bits == b.bits; }
  };
  constexpr element bottom() const { return {0, false}; }
  constexpr change join(element& into, const element& from) const {
    const auto before = into;
    const bool mix = into.bits != 0 && from.bits != 0 && into.bits != from.bits && into.hidden != from.hidden;
    into = {into.bits | from.bits | (mix ? 8 : 0), into.hidden || from.hidden};
    return changed_if(!(into == before));
  }
};

template <class Equal>
struct with_equality {
  struct element {
    int value;
    friend constexpr bool operator==(const element& a, const element& b) { return Equal{}(a.value, b.value); }
  };
  constexpr element bottom() const { return {0}; }
  constexpr change join(element&, const element&) const { return change::no; }
};
struct never {
  constexpr bool operator()(int, int) const { return false; }
};
struct not_above {
  constexpr bool operator()(int a, int b) const { return a <= b; }
};
struct nearby {
  constexpr bool operator()(int a, int b) const { return a - b <= 1 && b - a <= 1; }
};

struct meet_says_yes : subsets {
  constexpr change meet(element& into, const element& from) const {
    return subsets::meet(into, from) | change::yes;
  }
};
struct top_is_not_above : subsets {
  constexpr element top() const { return 3; }
};
struct keeps_the_first_in_meet : subsets {
  constexpr change meet(element& into, const element& from) const {
    return replace(into, into == 7 ? from : into);
  }
};
// The meet of a coarser order, in which 1 is not below 3.
struct flat_meet : subsets {
  constexpr change meet(element& into, const element& from) const {
    return replace(into, into == from || from == 7 ? into : into == 7 ? from : 0);
  }
};
// The meet of the numbers: 1 & 2 == 1.
struct numeric_meet : subsets {
  constexpr change meet(element& into, const element& from) const {
    return replace(into, into < from ? into : from);
  }
};

// Only upside down is it a lattice.
struct only_meet {
  using element = std::uint8_t;
  constexpr element top() const { return 7; }
  constexpr change meet(element& into, const element& from) const { return subsets{}.meet(into, from); }
};
struct broken_only_meet : only_meet {
  constexpr element top() const { return 5; }
};

}  // namespace

TEST_CASE("a lattice that keeps the laws is left in peace") {
  CHECK_FALSE(mpmd::laws::broken(subsets{}, all));
  CHECK(mpmd::laws::hold(subsets{}, all));
  CHECK(mpmd::laws::hold(only_meet{}, all));
  CHECK(mpmd::laws::hold(subsets{}, std::vector<std::uint8_t>{}));
}

TEST_CASE("each broken law of join is called by its name") {
  CHECK(broken_by<xor_join>() == "join is idempotent");
  CHECK(broken_by<first_writer_wins>() == "join is commutative");
  CHECK(broken_by<last_writer_wins>() == "join is commutative");
  CHECK(broken_by<always_says_yes>() == "join reports a change exactly when the element grew");
  CHECK(broken_by<always_says_no>() == "join reports a change exactly when the element grew");
  CHECK(broken_by<bottom_is_not_below>() == "bottom is the identity of join");
  CHECK(broken_by<joins_in_two_steps>() == "join of an element and itself in place changes nothing");
  CHECK(broken_by<average>({0, 1, 3}) == "join is an upper bound");
  CHECK(broken_by<rock_paper_scissors>({0, 1, 2, 3}) == "the order of join is transitive");
  CHECK(broken_by<jumps_to_the_top>() == "join is the least upper bound");
  CHECK(broken_by<adds_a_bit_later>({1, 2, 4}) == "join is associative");
}

TEST_CASE("elements that are equal but not alike to join are noticed") {
  const auto found =
      mpmd::laws::broken(with_a_hidden_part{}, {{0, false}, {1, false}, {1, true}, {2, false}});
  CHECK(found.law == "join cannot tell equal elements apart");
}

TEST_CASE("an equality that is none is noticed") {
  CHECK(mpmd::laws::broken(with_equality<never>{}, {{0}}).law == "equality is reflexive");
  CHECK(mpmd::laws::broken(with_equality<not_above>{}, {{0}, {1}}).law == "equality is symmetric");
  CHECK(mpmd::laws::broken(with_equality<nearby>{}, {{0}, {1}, {2}}).law == "equality is transitive");
}

TEST_CASE("each broken law of meet is called by its name") {
  CHECK(broken_by<meet_says_yes>() == "meet reports a change exactly when the element shrank");
  CHECK(broken_by<top_is_not_above>() == "top is the identity of meet");
  CHECK(broken_by<keeps_the_first_in_meet>() == "meet is commutative");
  CHECK(broken_by<broken_only_meet>() == "top is the identity of meet");
}

TEST_CASE("a join and a meet of different orders are noticed") {
  CHECK(broken_by<numeric_meet>() == "join absorbs meet");
  CHECK(broken_by<flat_meet>() == "meet absorbs join");
}

TEST_CASE("a verdict says which samples break the law") {
  const auto found = mpmd::laws::broken(jumps_to_the_top{}, {0, 7, 3, 1, 2});
  CHECK(found.law == "join is the least upper bound");
  // 1 and 2 are both below 3, but their join is 7.
  CHECK(found.a == 3);
  CHECK(found.b == 4);
  CHECK(found.c == 2);
}

TEST_CASE("a function is monotone when it keeps the order of the samples") {
  const auto add_one = [](std::uint8_t set) { return static_cast<std::uint8_t>(set | 1); };
  const auto complement = [](std::uint8_t set) { return static_cast<std::uint8_t>(~set & 7); };
  const auto count = [](std::uint8_t set) { return static_cast<std::uint8_t>(set == 3 ? 4 : set); };
  CHECK(mpmd::laws::monotone(subsets{}, add_one, all));
  CHECK_FALSE(mpmd::laws::monotone(subsets{}, complement, all));
  CHECK_FALSE(mpmd::laws::monotone(subsets{}, count, all));
  // Elements that are not ordered do not constrain the function.
  CHECK(mpmd::laws::monotone(subsets{}, complement, {1, 2, 4}));
  static_assert(mpmd::laws::monotone(subsets{}, [](std::uint8_t) { return std::uint8_t{5}; }, {0, 1, 7}));
}

}  // namespace laws_test
