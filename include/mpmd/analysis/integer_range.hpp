#pragma once
/// What is known of an integer while a program is looked at: a constant, the number of devices, or the numbers between
/// two bounds that a step apart lead from one to the other.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include <mpmd/graph/window_program.hpp>

namespace mpmd {

/// The numbers first, first + step, ..., last. A single number has step 0.
struct integer_range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 0;

  constexpr bool is_single() const { return first == last; }
  friend constexpr bool operator==(integer_range const&, integer_range const&) = default;
};

/// How an integer came to be known. Where a rule asks for a constant it means one that is written down, perhaps under
/// a name: `literal`. What arithmetic makes of constants has a range only.
struct integer_fact {
  enum class kind : std::uint8_t { unknown, literal, world_size, computed };
  kind form = kind::unknown;
  /// All values it can have; absent: not known. Always there for a literal, never for the number of devices.
  std::optional<integer_range> range = {};

  static constexpr integer_fact literal(std::int64_t n) { return {kind::literal, integer_range{n, n, 0}}; }
  static constexpr integer_fact devices() { return {kind::world_size, std::nullopt}; }
  static constexpr integer_fact computed(std::optional<integer_range> r) {
    return r ? integer_fact{kind::computed, r} : integer_fact{};
  }
  constexpr bool is_literal() const { return form == kind::literal; }
  constexpr bool is_world_size() const { return form == kind::world_size; }
  constexpr std::int64_t number() const { return range->first; }
  friend constexpr bool operator==(integer_fact const&, integer_fact const&) = default;
};

namespace detail {

/// A number, or none where one did not fit.
struct checked_integer {
  std::int64_t n = 0;
  bool fits = true;

  constexpr checked_integer(std::int64_t number) : n(number) {}
  friend constexpr checked_integer operator+(checked_integer a, checked_integer b) {
    checked_integer r = 0;
    r.fits = !__builtin_add_overflow(a.n, b.n, &r.n) && a.fits && b.fits;
    return r;
  }
  friend constexpr checked_integer operator-(checked_integer a, checked_integer b) {
    checked_integer r = 0;
    r.fits = !__builtin_sub_overflow(a.n, b.n, &r.n) && a.fits && b.fits;
    return r;
  }
  friend constexpr checked_integer operator*(checked_integer a, checked_integer b) {
    checked_integer r = 0;
    r.fits = !__builtin_mul_overflow(a.n, b.n, &r.n) && a.fits && b.fits;
    return r;
  }
  friend constexpr bool operator<(checked_integer a, checked_integer b) { return a.n < b.n; }
};
constexpr std::optional<integer_range> fitting(checked_integer first, checked_integer last, checked_integer step) {
  if (!first.fits || !last.fits || !step.fits) return {};
  return integer_range{first.n, last.n, first.n == last.n ? 0 : step.n};
}
constexpr std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
  std::int64_t const q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

}  // namespace detail

/// The values of an operation on values from two ranges: all of them, and perhaps more. Absent when they do not fit or
/// the operation is not known. O(log step).
constexpr std::optional<integer_range> combine(integer_op::kind computes, integer_range a, integer_range b) {
  using kind = integer_op::kind;
  using whole = detail::checked_integer;
  std::int64_t const both = std::gcd(a.step, b.step);
  // The corners of a function that grows or falls in each operand, and everything between.
  auto between = [](whole one, whole two, whole three, whole four) -> std::optional<integer_range> {
    if (!one.fits || !two.fits || !three.fits || !four.fits) return {};
    return detail::fitting(std::min({one, two, three, four}), std::max({one, two, three, four}), 1);
  };
  switch (computes) {
    case kind::negate: return detail::fitting(whole(0) - a.last, whole(0) - a.first, a.step);
    case kind::add: return detail::fitting(whole(a.first) + b.first, whole(a.last) + b.last, both);
    case kind::subtract: return detail::fitting(whole(a.first) - b.last, whole(a.last) - b.first, both);
    case kind::multiply: {
      auto all = between(whole(a.first) * b.first, whole(a.first) * b.last, whole(a.last) * b.first,
                         whole(a.last) * b.last);
      if (!b.is_single()) std::swap(a, b);
      if (!all || all->is_single() || !b.is_single()) return all;
      return detail::fitting(all->first, all->last, whole(a.step) * (b.first < 0 ? whole(0) - b.first : whole(b.first)));
    }
    case kind::floor_divide:
      if ((b.first <= 0 && b.last >= 0) || a.first == std::numeric_limits<std::int64_t>::min()) return {};
      return between(detail::floor_divided(a.first, b.first), detail::floor_divided(a.first, b.last),
                     detail::floor_divided(a.last, b.first), detail::floor_divided(a.last, b.last));
    case kind::floor_modulo:
      if (b.first <= 0) return {};
      if (a.first >= 0 && a.last < b.first) return a;
      if (a.is_single() && b.is_single()) {
        std::int64_t m = a.first % b.first;
        if (m < 0) m += b.first;
        return integer_range{m, m, 0};
      }
      return detail::fitting(0, b.last - 1, 1);
    case kind::minimum: return detail::fitting(std::min(a.first, b.first), std::min(a.last, b.last), 1);
    case kind::maximum: return detail::fitting(std::max(a.first, b.first), std::max(a.last, b.last), 1);
    case kind::none:
    case kind::constant:
    case kind::world_size: return {};
  }
  return {};
}

/// What an op makes of its operands.
constexpr integer_fact evaluate(integer_op const& o, std::span<integer_fact const> operands) {
  using kind = integer_op::kind;
  switch (o.computes) {
    case kind::none: return {};
    case kind::constant: return integer_fact::literal(o.number);
    case kind::world_size: return integer_fact::devices();
    case kind::negate:
      if (operands.size() != 1 || !operands[0].range) return {};
      return integer_fact::computed(combine(o.computes, *operands[0].range, {}));
    default:
      if (operands.size() != 2 || !operands[0].range || !operands[1].range) return {};
      return integer_fact::computed(combine(o.computes, *operands[0].range, *operands[1].range));
  }
}

/// What is known of the rounds of a loop.
struct loop_rounds {
  bool never = false;                   ///< it makes none
  std::optional<integer_range> values;  ///< of its induction variable, if known and there is any
};
constexpr loop_rounds rounds_of(integer_fact const& start, integer_fact const& stop, integer_fact const& step) {
  if (!start.range || !stop.range || !step.range || !step.range->is_single() || step.range->first == 0) return {};
  std::int64_t const by = step.range->first;
  if (by > 0 ? start.range->first >= stop.range->last : start.range->last <= stop.range->first) return {true, {}};
  if (by < 0) return {};
  using whole = detail::checked_integer;
  whole const least = start.range->first, most = whole(stop.range->last) - 1;
  if (!start.range->is_single()) return {false, detail::fitting(least, most, 1)};
  // The last value below the stop that a whole number of steps leads to.
  whole const apart = most - least;
  if (!apart.fits) return {};
  return {false, detail::fitting(least, least + whole(apart.n / by) * by, by)};
}

}  // namespace mpmd
