#include <mpmd/lattice/lattice.hpp>

#include <doctest/doctest.h>

#include <memory>

namespace lattice_test {

namespace {

using mpmd::change;

static_assert((change::no | change::no) == change::no);
static_assert((change::no | change::yes) == change::yes);
static_assert((change::yes | change::no) == change::yes);
static_assert((change::yes | change::yes) == change::yes);
static_assert(mpmd::changed_if(true) == change::yes && mpmd::changed_if(false) == change::no);

constexpr change either(change a, change b) { return a |= b; }
static_assert(either(change::no, change::yes) == change::yes &&
              either(change::yes, change::no) == change::yes);
static_assert(either(change::no, change::no) == change::no);
static_assert(!std::is_convertible_v<change, bool> && !std::is_convertible_v<bool, change>);

// The numbers, joined by max. It has no top, and its chains do not end.
struct naturals {
  using element = unsigned;
  static constexpr bool finite_height = false;
  constexpr element bottom() const { return 0; }
  constexpr change join(element& into, element from) const {
    if (from <= into) return change::no;
    into = from;
    return change::yes;
  }
};
static_assert(mpmd::join_semilattice<naturals>);
static_assert(!mpmd::meet_semilattice<naturals> && !mpmd::lattice<naturals>);
static_assert(!mpmd::has_finite_height<naturals>);
static_assert(mpmd::less_equal(naturals{}, 2u, 3u) && mpmd::less_equal(naturals{}, 3u, 3u));
static_assert(!mpmd::less_equal(naturals{}, 3u, 2u));

struct answers_with_bool : naturals {
  constexpr bool join(element&, element) const { return false; }
};
struct has_no_bottom {
  using element = unsigned;
  change join(element&, element) const;
};
struct has_elements_that_only_move {
  using element = std::unique_ptr<int>;
  element bottom() const;
  change join(element&, const element&) const;
};
struct changes_itself_in_join : naturals {
  change join(element&, element);
};
static_assert(!mpmd::join_semilattice<answers_with_bool>);
static_assert(!mpmd::join_semilattice<has_no_bottom>);
static_assert(!mpmd::join_semilattice<has_elements_that_only_move>);
static_assert(!mpmd::join_semilattice<changes_itself_in_join>);
static_assert(!mpmd::join_semilattice<int>);

struct of_finite_height : naturals {
  static constexpr bool finite_height = true;
};
struct silent_about_height {
  using element = unsigned;
};
static_assert(mpmd::has_finite_height<of_finite_height> && mpmd::has_finite_height<silent_about_height>);

}  // namespace

TEST_CASE("less_equal leaves both elements as they were") {
  const unsigned low = 1, high = 4;
  CHECK(mpmd::less_equal(naturals{}, low, high));
  CHECK_FALSE(mpmd::less_equal(naturals{}, high, low));
  CHECK(low == 1);
  CHECK(high == 4);
}

}  // namespace lattice_test
